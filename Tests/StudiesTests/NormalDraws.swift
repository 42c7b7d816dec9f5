import Statistics

/// Independent standard normal values of a seed.
struct NormalDraws {
    private var stream: RandomStream

    init(seed: UInt64, study: Int) {
        stream = RandomStream(seed: seed, person: UInt64(study), purpose: .runResampling, sub: 1)
    }

    mutating func next() -> Double { SpecialFunctions.normalQuantile(stream.nextUniform()) }

    mutating func next(_ count: Int) -> [Double] { (0..<count).map { _ in next() } }
}
