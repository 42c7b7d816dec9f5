import ScenarioModel
import Statistics
import WidgetPlatform

/// Where each block of counts stands in the flat memory of `RunMeasures`.
///
/// Kinds of block follow one another, in the order of the fingerprint: one block a segment and device kind; one a
/// stratum; one a stratum, location mode and surface; one a stratum and face; one a stratum for the hours of its views;
/// only if any content is a forecast, one a stratum and location mode; one a kind of Live Activity, and for each one a
/// priority and minute; only if any device runs Android, one a stratum of such devices and one a minute of the report;
/// only for strata on a surface that is opened, one a location mode for the views there, and one for its openings; and
/// one a kind that fetches in the background. A block's kind says where its counts are.
public struct MeasureLayout: Hashable, Sendable {
    /// The instances that count together: those of one widget kind on one kind of device in one segment.
    public struct Stratum: Hashable, Sendable {
        public let segment, kind: Int
        public let device: DeviceKind
        /// How its instances can be placed, in order, each once.
        public let faces: [Face]

        /// The surface of its faces that is opened (V7–V9): a kind of device of one platform has one of them.
        public var openedSurface: Surface? { faces.first { $0.surface.isOpened }?.surface }
    }

    /// A surface with a family of widgets on it.
    public struct Face: Hashable, Comparable, Sendable {
        public let surface: Surface
        public let family: WidgetFamily

        public static func < (a: Face, b: Face) -> Bool {
            (a.surface.ordinal, a.family.ordinal) < (b.surface.ordinal, b.family.ordinal)
        }
    }

    public let segments: Int
    /// In order of segment, kind and device kind, each once.
    public let strata: [Stratum]
    /// Whether any content is a forecast (C4).
    public let hasForecasts: Bool
    /// The kinds of Live Activity, and the minutes of the report for which their pushes are counted.
    public let liveKinds, pushMinutes: Int
    /// The strata of devices with Android, by their index in `strata`, and the minutes in which the requests of those
    /// are counted; none if there are none.
    public let androidStrata: [Int]
    public let minutes: Int
    /// The strata with instances on a surface that is opened (V7–V9), by their index in `strata`.
    public let openedStrata: [Int]
    /// How many kinds fetch in the background.
    public let transferKinds: Int
    /// The kinds of device that have room: Macs only if a stratum is a Mac's, so that a plan without any counts as if
    /// there were none.
    public let devices: [DeviceKind]
    /// The surfaces of the strata before each stratum, and of all at the end.
    private let surfacesBefore: [Int]
    /// The faces of the strata before each stratum, and of all at the end.
    private let facesBefore: [Int]

    public init(
        segments: Int, strata: [Stratum], hasForecasts: Bool = false, liveKinds: Int = 0, androidStrata: [Int] = [],
        minutes: Int = 0, transferKinds: Int = 0
    ) {
        Self.checkIndices()
        self.segments = segments
        self.strata = strata
        self.hasForecasts = hasForecasts
        self.liveKinds = liveKinds
        pushMinutes = liveKinds > 0 ? minutes : 0
        self.androidStrata = androidStrata
        self.minutes = androidStrata.isEmpty ? 0 : minutes
        openedStrata = strata.indices.filter { strata[$0].openedSurface != nil }
        self.transferKinds = transferKinds
        devices = DeviceKind.allCases.filter { kind in kind != .mac || strata.contains { $0.device == kind } }
        surfacesBefore = strata.reduce(into: [0]) { $0.append($0[$0.count - 1] + Self.ordinals(of: $1.device).count) }
        facesBefore = strata.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.faces.count) }
    }

    public var count: Int { transferStart + transferKinds * TransferCounts.size }

    private var reloadStart: Int { segments * devices.count * DeviceCounts.size }
    private var viewStart: Int { reloadStart + strata.count * ReloadCounts.size }
    private var faceStart: Int { viewStart + surfacesBefore[strata.count] * CountedMode.count * ViewCounts.size }
    private var hourStart: Int { faceStart + facesBefore[strata.count] * FaceCounts.size }
    private var forecastStart: Int { hourStart + strata.count * HourCounts.size }
    private var activityStart: Int {
        forecastStart + (hasForecasts ? strata.count * CountedMode.count * ForecastCounts.size : 0)
    }
    private var pushStart: Int { activityStart + liveKinds * ActivityCounts.size }
    private var quotaStart: Int {
        pushStart + liveKinds * PushPriority.count * pushMinutes * PushMinuteCounts.size
    }
    private var minuteStart: Int { quotaStart + androidStrata.count * QuotaCounts.size }
    private var openedStart: Int { minuteStart + minutes * MinuteCounts.size }
    private var openingStart: Int { openedStart + openedStrata.count * CountedMode.count * ViewCounts.size }
    private var transferStart: Int { openingStart + openedStrata.count * OpeningCounts.size }

    /// The stratum of a segment's instances of a kind on a kind of device; nil if nobody can have such.
    public func stratum(segment: Int, kind: Int, device: DeviceKind) -> Int? {
        strata.firstIndex { $0.segment == segment && $0.kind == kind && $0.device == device }
    }
}

/// The places of the blocks. Strata and faces are named by their index in `strata` and in the stratum's `faces`.
extension MeasureLayout {
    public func place(ofSegment segment: Int, _ device: DeviceKind) -> BlockPlace<DeviceCounts> {
        precondition(device.ordinal < devices.count, "no room for the counts of a \(device)")
        return BlockPlace(offset: (segment * devices.count + device.ordinal) * DeviceCounts.size)
    }

    public func place(ofStratum stratum: Int) -> BlockPlace<ReloadCounts> {
        BlockPlace(offset: reloadStart + stratum * ReloadCounts.size)
    }

    /// The surfaces that a stratum has room for, in order: a Mac shares none with the others, and those that are opened
    /// have room where the stratum stands on one.
    public func surfaces(ofStratum stratum: Int) -> [Surface] {
        let opened = strata[stratum].openedSurface
        return Surface.allCases[Self.ordinals(of: strata[stratum].device)] + (opened.map { [$0] } ?? [])
    }

    private static func ordinals(of device: DeviceKind) -> Range<Int> {
        let ofMac = Surface.notificationCenter.ordinal
        return device == .mac ? ofMac..<Surface.smartStack.ordinal : 0..<ofMac
    }

    /// The place of a stratum among those on a surface that is opened.
    private func openedPlace(ofStratum stratum: Int) -> Int {
        guard let place = openedStrata.firstIndex(of: stratum) else {
            preconditionFailure("no room for openings of line \(stratum)")
        }
        return place
    }

    public func openingPlace(ofStratum stratum: Int) -> BlockPlace<OpeningCounts> {
        BlockPlace(offset: openingStart + openedPlace(ofStratum: stratum) * OpeningCounts.size)
    }

    /// - Parameter surface: one that the stratum has room for.
    public func viewPlace(ofStratum stratum: Int, mode: CountedMode, surface: Surface) -> BlockPlace<ViewCounts> {
        if surface.isOpened {
            precondition(strata[stratum].openedSurface == surface, "no room for views of \(surface) in line \(stratum)")
            let place = openedPlace(ofStratum: stratum) * CountedMode.count + mode.ordinal
            return BlockPlace(offset: openedStart + place * ViewCounts.size)
        }
        let surfaces = Self.ordinals(of: strata[stratum].device)
        precondition(
            surfaces.contains(surface.ordinal), "no room for views of \(surface) on a \(strata[stratum].device)")
        let place =
            surfacesBefore[stratum] * CountedMode.count + mode.ordinal * surfaces.count + surface.ordinal
            - surfaces.lowerBound
        return BlockPlace(offset: viewStart + place * ViewCounts.size)
    }

    public func facePlace(ofStratum stratum: Int, face: Int) -> BlockPlace<FaceCounts> {
        BlockPlace(offset: faceStart + (facesBefore[stratum] + face) * FaceCounts.size)
    }

    public func hourPlace(ofStratum stratum: Int) -> BlockPlace<HourCounts> {
        BlockPlace(offset: hourStart + stratum * HourCounts.size)
    }

    /// The same place of another mode, in a stratum of a kind of device.
    func place(_ place: BlockPlace<ViewCounts>, movedFrom old: CountedMode, to new: CountedMode, on device: DeviceKind)
        -> BlockPlace<ViewCounts>
    {
        let stride = place.offset >= openedStart ? 1 : Self.ordinals(of: device).count
        return BlockPlace(offset: place.offset + (new.ordinal - old.ordinal) * stride * ViewCounts.size)
    }

    func place(_ place: BlockPlace<ForecastCounts>, movedFrom old: CountedMode, to new: CountedMode) -> BlockPlace<
        ForecastCounts
    > {
        BlockPlace(offset: place.offset + (new.ordinal - old.ordinal) * ForecastCounts.size)
    }

    public func place(ofLiveKind kind: Int) -> BlockPlace<ActivityCounts> {
        precondition(kind < liveKinds, "no room for live kind \(kind)")
        return BlockPlace(offset: activityStart + kind * ActivityCounts.size)
    }

    /// - Parameter minute: from the start of the report.
    public func pushPlace(ofLiveKind kind: Int, _ priority: PushPriority, minute: Int) -> BlockPlace<PushMinuteCounts> {
        precondition(kind < liveKinds && minute < pushMinutes, "no room for minute \(minute) of live kind \(kind)")
        let place = (kind * PushPriority.count + priority.ordinal) * pushMinutes + minute
        return BlockPlace(offset: pushStart + place * PushMinuteCounts.size)
    }

    /// - Parameter place: the index of a stratum in `androidStrata`.
    public func quotaPlace(ofAndroidStratum place: Int) -> BlockPlace<QuotaCounts> {
        BlockPlace(offset: quotaStart + place * QuotaCounts.size)
    }

    public func minutePlace(_ minute: Int) -> BlockPlace<MinuteCounts> {
        BlockPlace(offset: minuteStart + minute * MinuteCounts.size)
    }

    /// - Parameter place: the number of a kind among those that fetch in the background.
    public func place(ofTransferKind place: Int) -> BlockPlace<TransferCounts> {
        precondition(place < transferKinds, "no room for transfers of kind \(place) of those")
        return BlockPlace(offset: transferStart + place * TransferCounts.size)
    }

    /// Beyond the end if no content is a forecast.
    public func forecastPlace(ofStratum stratum: Int, mode: CountedMode) -> BlockPlace<ForecastCounts> {
        BlockPlace(offset: forecastStart + (stratum * CountedMode.count + mode.ordinal) * ForecastCounts.size)
    }
}

extension MeasureLayout {
    /// Everything that counts are told apart by.
    static let indices: [any CountIndex.Type] = [
        DeviceKind.self, Surface.self, WidgetFamily.self, ReloadCause.self, ReloadOutcome.self, ViewState.self,
        Gate.self, RenderingMode.self, RefreshMeans.self, AndroidGate.self, StandbyBucket.self,
        Luminance.self, Redaction.self, CountedMode.self, BudgetPool.self, WaitEnd.self, DeviceCount.self,
        ActivityCount.self, ActivitySurface.self, ActivityViewState.self, PushPriority.self, PushMinuteCount.self,
        TileAsk.self,
        TransferCount.self,
    ]

    /// A value more than there are cells for would count in its neighbour's.
    private static func checkIndices() {
        for index in indices { index.checkCount() }
        precondition(
            LoadCurve.causes == ReloadCause.count, "a load curve of \(LoadCurve.causes) causes for \(ReloadCause.count)"
        )
    }
}

extension MeasureLayout.Face {
    init(of placement: Placement) { self.init(surface: placement.surface, family: placement.family) }
}

/// Where the counts of one instance stand.
struct InstancePlaces: BitwiseCopyable {
    let reloads: BlockPlace<ReloadCounts>
    private(set) var views: BlockPlace<ViewCounts>
    let faces: BlockPlace<FaceCounts>
    let hours: BlockPlace<HourCounts>
    /// Beyond the end if no content of the plan is a forecast.
    private(set) var forecasts: BlockPlace<ForecastCounts>

    init(_ placement: Placement, segment: Int, _ device: DeviceKind, _ mode: CountedMode, in layout: MeasureLayout) {
        guard let stratum = layout.stratum(segment: segment, kind: placement.kind, device: device),
            let face = layout.strata[stratum].faces.firstIndex(of: MeasureLayout.Face(of: placement))
        else { preconditionFailure("\(placement.id) has no room among the counts") }
        reloads = layout.place(ofStratum: stratum)
        views = layout.viewPlace(ofStratum: stratum, mode: mode, surface: placement.surface)
        faces = layout.facePlace(ofStratum: stratum, face: face)
        hours = layout.hourPlace(ofStratum: stratum)
        forecasts = layout.forecastPlace(ofStratum: stratum, mode: mode)
    }

    /// From here on another mode is counted.
    mutating func move(from old: CountedMode, to new: CountedMode, on device: DeviceKind, in layout: MeasureLayout) {
        views = layout.place(views, movedFrom: old, to: new, on: device)
        forecasts = layout.place(forecasts, movedFrom: old, to: new)
    }
}
