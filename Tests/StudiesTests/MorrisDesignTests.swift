import Testing

@testable import Studies

@Suite struct MorrisDesignTests {
    @Test(arguments: [2, 4, 6, 10]) func `a trajectory changes every factor once, by delta, on the grid`(levels: Int) {
        let design = MorrisDesign(factors: 5, trajectories: 40, levels: levels, seed: 3)
        #expect(design.points.count == 40 * 6)
        for trajectory in 0..<40 {
            var changed: [Int] = []
            for step in 0..<5 {
                let (before, after) = (design.points[trajectory * 6 + step], design.points[trajectory * 6 + step + 1])
                let moved = (0..<5).filter { before[$0] != after[$0] }
                changed += moved
                for factor in moved {
                    #expect(((after[factor] - before[factor]).magnitude - design.delta).magnitude < 1e-15)
                }
            }
            #expect(changed.sorted() == Array(0..<5))
        }
        let grid = Set((0..<levels).map { Double($0) / Double(levels - 1) })
        #expect(Set(design.points.flatMap { $0 }) == grid)
    }

    @Test func `all levels are equally likely`() {
        let design = MorrisDesign(factors: 3, trajectories: 3_000, levels: 6, seed: 8)
        for factor in 0..<3 {
            var counts = [Int](repeating: 0, count: 6)
            for trajectory in 0..<3_000 { counts[Int((design.points[trajectory * 4][factor] * 5).rounded())] += 1 }
            for count in counts { #expect((count - 500).magnitude < 100, "\(counts)") }
        }
    }

    @Test func `of a linear function every effect is its coefficient, and nothing spreads`() throws {
        let coefficients = [3.0, -2, 0, 0.5]
        let design = MorrisDesign(factors: 4, trajectories: 10, seed: 1)
        let effects = design.effects(of: design.points.map { zip($0, coefficients).reduce(7) { $0 + $1.0 * $1.1 } })
        #expect(effects.map(\.factor) == [0, 1, 2, 3])
        for (effect, coefficient) in zip(effects, coefficients) {
            #expect(
                (effect.mu - coefficient).magnitude < 1e-14 && (effect.muStar - coefficient.magnitude).magnitude < 1e-14
            )
            #expect(effect.sigma < 1e-14)
            #expect(try #require(effect.muStarInterval).halfWidth < 1e-14)
        }
    }

    @Test func `effects of both signs cancel in mu and not in mu star`() throws {
        // x y about its middle: the effect of x is y − ½, of both signs.
        let design = MorrisDesign(factors: 2, trajectories: 400, levels: 4, seed: 3)
        let effects = design.effects(of: design.points.map { ($0[0] - 0.5) * ($0[1] - 0.5) })
        for effect in effects {
            // The levels of the other are −½, −1/6, 1/6, ½: a mean size of 1/3, a deviation of √5/6.
            #expect(effect.mu.magnitude < 0.06, "\(effect)")
            #expect(
                (effect.muStar - 1.0 / 3).magnitude < 0.03 && (effect.sigma - 5.0.squareRoot() / 6).magnitude < 0.03,
                "\(effect)")
            #expect(try #require(effect.muStarInterval).contains(1.0 / 3))
        }
    }

    @Test func `a shift of the output changes nothing and a scale scales all`() {
        let design = MorrisDesign(factors: 3, trajectories: 20, seed: 5)
        let outputs = design.points.map(TestFunction.ishigami.value)
        let effects = design.effects(of: outputs)
        for (effect, other) in zip(effects, design.effects(of: outputs.map { $0 + 1_000 })) {
            #expect((effect.muStar - other.muStar).magnitude < 1e-11 && (effect.sigma - other.sigma).magnitude < 1e-11)
        }
        for (effect, other) in zip(effects, design.effects(of: outputs.map { $0 * -4 })) {
            #expect(other.mu == effect.mu * -4 && other.muStar == effect.muStar * 4 && other.sigma == effect.sigma * 4)
        }
    }

    @Test func `factors are ranked as the g-function has them`() {
        let design = MorrisDesign(factors: 8, trajectories: 50, seed: 6)
        let sizes = design.effects(of: design.points.map(TestFunction.g.value)).map(\.muStar)
        #expect(zip(sizes.prefix(5), sizes.prefix(5).dropFirst()).allSatisfy(>), "\(sizes)")
        #expect(sizes[4...].allSatisfy { $0 < sizes[3] / 5 }, "\(sizes)")
    }

    @Test func `a seed gives the same points and intervals, and another seed others`() {
        let design = MorrisDesign(factors: 4, trajectories: 5, seed: 12)
        #expect(design.points == MorrisDesign(factors: 4, trajectories: 5, seed: 12).points)
        #expect(design.points != MorrisDesign(factors: 4, trajectories: 5, seed: 13).points)
        #expect(design.points == Array(MorrisDesign(factors: 4, trajectories: 9, seed: 12).points.prefix(25)))
        let outputs = design.points.map(TestFunction.ishigami.value)
        #expect(design.effects(of: outputs) == design.effects(of: outputs))
    }
}
