import Measures
import SimulatedTime
import WidgetPlatform

/// The counts of one block of measures, or the sum of several blocks of the same kind.
struct Counts: Sendable {
    private var cells: [Int64]

    private init(cells: [Int64]) { self.cells = cells }

    init(size: Int) { cells = [Int64](repeating: 0, count: size) }

    /// Those of one block.
    init(size: Int, of measures: RunMeasures, at offset: Int) {
        self.init(size: size)
        add(measures, at: offset)
    }

    mutating func add(_ measures: RunMeasures, at offset: Int) {
        for i in cells.indices { cells[i] += measures.cells[offset + i] }
    }

    /// The counts of forecasts of some lines and location modes; all 0 if the run has none.
    init(forecastsIn measures: RunMeasures, lines: some Sequence<Int>, modes: ClosedRange<Int>) {
        self.init(size: ForecastField.size)
        guard measures.layout.hasForecasts else { return }
        for line in lines { for mode in modes { add(measures, at: measures.layout.forecastBlock(line, mode: mode)) } }
    }

    subscript(_ field: Int) -> Int64 { cells[field] }
    subscript(_ field: Int, count: Int) -> ArraySlice<Int64> { cells[field..<field + count] }

    /// Some of the counts, as those of a block within the block.
    func part(_ field: Int, size: Int) -> Counts { Counts(cells: Array(self[field, size])) }

    func sum(_ field: Int, count: Int) -> Int64 { self[field, count].reduce(0, +) }
    /// A wide sum: two cells.
    func wide(_ field: Int) -> Int128 { WideSum.value(cells[field], cells[field + 1]) }

    var isZero: Bool { cells.allSatisfy { $0 == 0 } }
}

/// The counts of some segments, kinds of device and lines together.
struct Totals: Sendable {
    private(set) var fleet = Counts(size: SegmentField.size)
    private(set) var kind = Counts(size: KindField.size)
    private(set) var view = Counts(size: ViewField.size)
    private(set) var presentation = Counts(size: PresentationField.size)
    /// The watches among the devices.
    private(set) var watches: Int64 = 0

    /// - Parameters:
    ///   - segments: whose people and devices are counted.
    ///   - devices: which of their devices are; people are counted with their first one.
    ///   - lines: whose instances are.
    init(_ measures: RunMeasures, segments: some Sequence<Int>, devices: [DeviceKind], lines: some Sequence<Int>) {
        let layout = measures.layout
        for segment in segments {
            for device in devices {
                let block = layout.segmentBlock(segment, device: Int(device.rawValue))
                fleet.add(measures, at: block)
                if device == .watch { watches += measures.cells[block + SegmentField.devices] }
            }
        }
        for line in lines {
            kind.add(measures, at: layout.kindBlock(line))
            for mode in 0..<MeasureLayout.modes {
                for surface in 0..<MeasureLayout.surfaces { view.add(measures, at: layout.viewBlock(line, mode: mode, surface: surface)) }
            }
            for face in layout.lines[line].faces.indices { presentation.add(measures, at: layout.presentationBlock(line, face: face)) }
        }
    }
}

/// Shares and means of integers: one division of two exactly known numbers, so that every machine gets the same; nil of nothing.
enum Ratio {
    static func of(_ part: some BinaryInteger, to whole: some BinaryInteger) -> Double? { whole == 0 ? nil : Double(part) / Double(whole) }

    /// A count for each unit (an instance, a device) and 24 hours of a span.
    static func perDay(_ count: Int64, of units: Int64, over span: Duration) -> Double? {
        of(Int128(count) * 86_400_000_000, to: Int128(units) * Int128(span.microseconds))
    }

    /// Microseconds or microtokens over a count, in seconds or tokens.
    static func ofMillionths(_ part: Int128, to count: some BinaryInteger) -> Double? {
        count == 0 ? nil : Double(part) / Double(Int128(count) * 1_000_000)
    }
}
