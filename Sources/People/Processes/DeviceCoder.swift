import DeviceStorage
import WidgetPlatform

/// A coder of whole devices.
///
/// The state of a drawn world is coded by each coder's own function, made in this module: a generic call from another
/// module would look up every field's type as it runs, and made a request behind a service three times as dear.
package protocol DeviceCoder: StateCoder {
    /// Codes a drawn world; see `DrawnWorld.code`.
    mutating func code(world: inout DrawnWorld, zoneCount: Int, cityCount: Int)
}

extension StateWriter: DeviceCoder {
    package mutating func code(world: inout DrawnWorld, zoneCount: Int, cityCount: Int) {
        world.code(&self, zoneCount: zoneCount, cityCount: cityCount)
    }
}

extension CheckedStateReader: DeviceCoder {
    package mutating func code(world: inout DrawnWorld, zoneCount: Int, cityCount: Int) {
        world.code(&self, zoneCount: zoneCount, cityCount: cityCount)
    }
}

extension StateCoder {
    @inlinable @inline(__always) public mutating func code(_ point: inout Point) {
        code(&point.x)
        code(&point.y)
    }
}
