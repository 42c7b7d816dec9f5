import Foundation
@testable import Pages
import Testing

/// Places along axes, and columns of many bins.
@Suite struct ScaleTests {
    @Test func `a linear axis has its ends at 0 and 1, and what lies beyond has the end's place`() {
        let scale = Scale.linear(-2, 6)
        #expect([-2, 0, 6, 9, -5].map { scale.place($0) } == [0, 0.25, 1, 1, 0])
        #expect(Scale.linear(0, 0).place(0) == 0, "a span of nothing is widened")
    }

    @Test func `a logarithmic axis agrees with the C library's logarithm`() {
        let scale = Scale.logarithmic(0.001, 86_400)
        for value in [0.001, 0.0021, 0.5, 1, 3.7, 10, 599, 3_600, 80_000, 86_400] {
            let expected = (log(value) - log(0.001)) / (log(86_400) - log(0.001))
            #expect((scale.place(value) - expected).magnitude < 1e-10)
        }
    }

    @Test func `columns keep the sum, the least and the most of their bins`() {
        let values = (0..<10_080).map { Int64(($0 * 7_919) % 1_000) }
        let columns = ColumnReduction(bins: values.count, most: 720, nice: [1, 2, 5, 10, 15, 30, 60])
        #expect(columns.width == 15 && columns.columns == 672)
        let sums: [Int64] = columns.reduced(values) { $0.reduce(0, +) }
        let most: [Int64] = columns.reduced(values) { $0.max() ?? 0 }
        let least: [Int64] = columns.reduced(values) { $0.min() ?? 0 }
        #expect(sums.reduce(0, +) == values.reduce(0, +))
        #expect(most.max() == values.max() && least.min() == values.min())
        for column in 0..<columns.columns { #expect(most[column] == values[columns.range(column)].max()) }
    }

    @Test func `there are never more columns than asked for`() {
        for bins in [0, 1, 719, 720, 721, 1_440, 10_080, 525_600, 40_000_000] {
            let columns = ColumnReduction(bins: bins, most: 720, nice: [1, 2, 5, 10, 15, 30, 60, 1_440])
            #expect(columns.columns <= 720)
            #expect((0..<columns.columns).map { columns.range($0).count }.reduce(0, +) == bins)
        }
    }
}
