import Foundation

/// A function on the unit cube whose Sobol indices are known in closed form.
struct TestFunction: Sendable {
    let name: String
    let factors: [String]
    let first: [Double]
    let total: [Double]
    let value: @Sendable ([Double]) -> Double

    /// Ishigami and Homma (1990) with a = 7 and b = 0.1; the factors go from −π to π.
    static let ishigami: TestFunction = {
        let (a, b, pi) = (7.0, 0.1, Double.pi)
        let alone = 0.5 * (1 + b * pi * pi * pi * pi / 5) * (1 + b * pi * pi * pi * pi / 5)
        let together = b * b * pow(pi, 8) * (1.0 / 18 - 1.0 / 50)
        let variance = alone + a * a / 8 + together
        return TestFunction(
            name: "ishigami", factors: ["x1", "x2", "x3"], first: [alone / variance, a * a / 8 / variance, 0],
            total: [(alone + together) / variance, a * a / 8 / variance, together / variance]
        ) { point in
            let x = point.map { -Double.pi + 2 * Double.pi * $0 }
            return sin(x[0]) + 7 * sin(x[1]) * sin(x[1]) + 0.1 * x[2] * x[2] * x[2] * x[2] * sin(x[0])
        }
    }()

    /// Sobol's g-function of eight factors, a = 0, 1, 4.5, 9, 99, 99, 99, 99 (Saltelli and Sobol 1995).
    static let g: TestFunction = {
        let a = [0.0, 1, 4.5, 9, 99, 99, 99, 99]
        let parts = a.map { 1 / (3 * (1 + $0) * (1 + $0)) }
        let product = parts.reduce(1) { $0 * (1 + $1) }
        return TestFunction(
            name: "g", factors: (1...8).map { "x\($0)" }, first: parts.map { $0 / (product - 1) },
            total: parts.map { $0 * product / (1 + $0) / (product - 1) }
        ) { point in
            zip(point, a).reduce(1) { $0 * ((4 * $1.0 - 2).magnitude + $1.1) / (1 + $1.1) }
        }
    }()
}
