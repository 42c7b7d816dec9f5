import Basics
import WidgetPlatform

/// Values of which each has cells of its own.
public protocol CellIndex {
    static var count: Int { get }
    /// From 0 without a gap.
    var ordinal: Int { get }
}

/// An attribute by which counts are told apart: each value has cells of its own, in the order of the raw values.
///
/// The loop finds a cell by a constant, so a type names its last value instead of counting all of them there;
/// `MeasureLayout` checks before a run that this is so, and a new value cannot write into its neighbour's cells.
public protocol CountIndex: CellIndex, CaseIterable, RawRepresentable, Sendable where RawValue == UInt8 {
    /// The value with the highest raw value; raw values run from 0 without a gap.
    static var last: Self { get }
}

extension CountIndex {
    @inline(__always) public static var count: Int { Int(last.rawValue) + 1 }
    @inline(__always) public var ordinal: Int { Int(rawValue) }

    static func checkCount() {
        precondition(
            allCases.map(\.ordinal) == Array(0..<count),
            "\(self) has \(allCases.count) values and room for \(count) counts")
    }
}

extension DeviceKind: CountIndex { public static var last: Self { .mac } }
extension Surface: CountIndex { public static var last: Self { .tile } }
extension WidgetFamily: CountIndex { public static var last: Self { .tile } }
extension ReloadCause: CountIndex { public static var last: Self { .configuration } }
extension ReloadOutcome: CountIndex { public static var last: Self { .placeholder } }
extension ViewState: CountIndex { public static var last: Self { .fresh } }
extension Gate: CountIndex { public static var last: Self { .power } }
extension RenderingMode: CountIndex { public static var last: Self { .vibrant } }
extension Luminance: CountIndex { public static var last: Self { .low } }
extension Redaction: CountIndex { public static var last: Self { .whole } }

/// The location mode of an instance, as it is counted: one of the modes of L3, or none because the instance does not
/// follow the person (L7).
public enum CountedMode: UInt8, CountIndex {
    case denied, whileUsing, whileUsingOrWidgets, always, none

    public static var last: Self { .none }

    public init(_ mode: LocationMode?) {
        switch mode {
        case .denied: self = .denied
        case .whileUsing: self = .whileUsing
        case .whileUsingOrWidgets: self = .whileUsingOrWidgets
        case .always: self = .always
        case nil: self = .none
        }
    }

    /// Nil for an instance that does not follow the person.
    public var mode: LocationMode? {
        switch self {
        case .denied: .denied
        case .whileUsing: .whileUsing
        case .whileUsingOrWidgets: .whileUsingOrWidgets
        case .always: .always
        case .none: nil
        }
    }
}

/// Which accounts of instances: their own, or those that pay for pushed reloads (B7).
public enum BudgetPool: UInt8, CountIndex, NamedCase {
    case own, pushed

    public static var last: Self { .pushed }
}

/// How the wait of a background reload ends.
public enum WaitEnd: UInt8, CountIndex {
    /// All gates open.
    case granted
    /// A free reload takes it (G8).
    case taken

    public static var last: Self { .taken }
}
