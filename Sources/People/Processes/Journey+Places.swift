import Statistics
import WidgetPlatform

extension Journey {
    /// The place that the next trip leads to: a new one, or a known one by its rank (Song 2010).
    mutating func chosenPlace() -> Int {
        let movement = habits.pointee.movement
        let isNew =
            known == 0
            || RandomStream.uniform(draw(.exploration, legNumber))
                < movement.explorationRate * DeterministicMath.pow(Double(known), -movement.explorationDecay)
        if isNew {
            known += 1
            return known - 1
        }
        return Self.priority(
            RandomStream.uniform(draw(.knownPlace, legNumber)), of: known, exponent: movement.returnExponent)
    }

    /// A rank from 0 to `count` − 1 with weights that fall like (rank + 1)^−exponent: the whole part of a continuous
    /// power law's draw.
    static func priority(_ u: Double, of count: Int, exponent: Double) -> Int {
        let most = Double(count + 1)
        let power = 1 - exponent
        let x =
            power.magnitude < 1e-9
            ? DeterministicMath.pow(most, u)
            : DeterministicMath.pow(1 + u * (DeterministicMath.pow(most, power) - 1), 1 / power)
        return min(max(1, Int(x)), count) - 1
    }

    /// Where a place lies: the same whenever the person goes there.
    func point(of place: Int) -> Point {
        // Places of another city are those of one visit.
        let visit = Int(UInt16(truncatingIfNeeded: city == ownCity ? 0 : travels))
        let millimetres =
            habits.pointee.movement.placeDistance.draw(streams.number(.placeDistance, sub: visit, at: UInt64(place)))
            * distanceLevel * 1e6
        return base.moved(
            by: min(max(0, millimetres), Self.farthestPlace),
            direction: streams.number(.placeDirection, sub: visit, at: UInt64(place)))
    }

    /// Millimetres, 1,000 km: a place lies in its city's plane.
    static let farthestPlace = 1e9
}
