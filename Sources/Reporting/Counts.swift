import Measures

/// The counts of one block of measures, or the sum of several blocks of the same kind.
struct Counts: Sendable {
    private var cells: [Int64]

    init(size: Int) { cells = [Int64](repeating: 0, count: size) }

    mutating func add(_ measures: RunMeasures, at offset: Int) {
        for i in cells.indices { cells[i] += measures.cells[offset + i] }
    }

    /// The counts of forecasts of some segments, kinds and location modes; all 0 if the run has none.
    init(forecastsIn measures: RunMeasures, segments: some Sequence<Int>, kinds: some Sequence<Int>, modes: ClosedRange<Int>) {
        self.init(size: ForecastField.size)
        guard measures.layout.hasForecasts else { return }
        for segment in segments {
            for kind in kinds {
                for mode in modes { add(measures, at: measures.layout.forecastBlock(segment, kind, mode: mode)) }
            }
        }
    }

    subscript(_ field: Int) -> Int64 { cells[field] }
    subscript(_ field: Int, count: Int) -> ArraySlice<Int64> { cells[field..<field + count] }

    func sum(_ field: Int, count: Int) -> Int64 { self[field, count].reduce(0, +) }
    /// A wide sum: two cells.
    func wide(_ field: Int) -> Int128 { WideSum.value(cells[field], cells[field + 1]) }

    var isZero: Bool { cells.allSatisfy { $0 == 0 } }
}

/// The counts of some segments and kinds together.
struct Totals: Sendable {
    private(set) var fleet = Counts(size: SegmentField.size)
    private(set) var kind = Counts(size: KindField.size)
    private(set) var view = Counts(size: ViewField.size)

    init(_ measures: RunMeasures, segments: some Sequence<Int>, kinds: some Sequence<Int>) {
        let layout = measures.layout
        for segment in segments {
            fleet.add(measures, at: layout.segmentBlock(segment))
            for k in kinds {
                kind.add(measures, at: layout.kindBlock(segment, k))
                for mode in 0..<MeasureLayout.modes {
                    for surface in 0..<MeasureLayout.surfaces {
                        view.add(measures, at: layout.viewBlock(segment, k, mode: mode, surface: surface))
                    }
                }
            }
        }
    }
}

/// Shares and means of integers: one division of two exactly known numbers, so that every machine gets the same; nil of nothing.
enum Ratio {
    static func of(_ part: some BinaryInteger, to whole: some BinaryInteger) -> Double? { whole == 0 ? nil : Double(part) / Double(whole) }

    /// Microseconds or microtokens over a count, in seconds or tokens.
    static func ofMillionths(_ part: Int128, to count: some BinaryInteger) -> Double? {
        count == 0 ? nil : Double(part) / Double(Int128(count) * 1_000_000)
    }
}
