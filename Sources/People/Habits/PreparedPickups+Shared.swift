import Basics
import Statistics

extension PreparedPickups {
    private struct Key: Hashable {
        let habits: PickupHabits
        let waking: Double
    }

    private struct Solved {
        let pickups: PreparedPickups
        /// Those that they were prepared with.
        let tables: StandardTables
    }

    /// A sweep over the habits of a few segments has them all at hand.
    private static let solved = SharedValues<Key, Solved>(most: 256)

    /// Prepared habits. Equal ones are prepared once in a process, because that takes tens of milliseconds.
    static func shared(_ habits: PickupHabits, typicalWaking: Double, _ tables: inout StandardTables)
        throws(DistributionProblem)
        -> PreparedPickups
    {
        let solved = try solved.value(of: Key(habits: habits, waking: typicalWaking)) {
            () throws(DistributionProblem) in
            // A bundle of their own, so that it holds all their tables and no others.
            var own = StandardTables()
            return Solved(pickups: try PreparedPickups(habits, typicalWaking: typicalWaking, &own), tables: own)
        }
        tables.add(solved.tables)
        return solved.pickups
    }
}
