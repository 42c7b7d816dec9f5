import Statistics
import WidgetPlatform

/// Where each block of counts stands in the flat memory of `RunMeasures`.
///
/// Kinds of block follow one another, in the order of the fingerprint: one block a segment and device kind; one a line;
/// one a line, location mode and surface; one a line and face; one a line for the hours of its views; only if any
/// content is a forecast, one a line and location mode; one a kind of Live Activity, and for each one a priority and
/// minute; only if any device runs Android, one a line of such devices and one a minute of the report; only for lines
/// on a surface that is opened, one a location mode for the views there, and one for its openings; and one a kind that
/// fetches in the background. A block's kind says where its counts are.
public struct MeasureLayout: Hashable, Sendable {
    /// The instances that count together: those of one widget kind on one kind of device in one segment.
    public struct Line: Hashable, Sendable {
        public let segment, kind: Int
        public let device: DeviceKind
        /// How its instances can be placed, in order, each once.
        public let faces: [Face]

        public init(segment: Int, kind: Int, device: DeviceKind, faces: [Face]) {
            self.segment = segment
            self.kind = kind
            self.device = device
            self.faces = faces
        }

        /// The surface of its faces that is opened (V7–V9): a kind of device of one platform has one of them.
        public var openedSurface: Surface? { faces.first { $0.surface.isOpened }?.surface }
    }

    /// A surface with a family of widgets on it.
    public struct Face: Hashable, Comparable, Sendable {
        public let surface: Surface
        public let family: WidgetFamily

        public init(surface: Surface, family: WidgetFamily) {
            self.surface = surface
            self.family = family
        }

        public static func < (a: Face, b: Face) -> Bool {
            (a.surface.ordinal, a.family.ordinal) < (b.surface.ordinal, b.family.ordinal)
        }
    }

    public let segments: Int
    /// In order of segment, kind and device kind, each once.
    public let lines: [Line]
    /// Whether any content is a forecast (C4).
    public let hasForecasts: Bool
    /// The kinds of Live Activity, and the minutes of the report for which their pushes are counted.
    public let liveKinds, pushMinutes: Int
    /// The lines of devices with Android, by their index in `lines`, and the minutes in which the requests of those are
    /// counted; none if there are none.
    public let androidLines: [Int]
    public let minutes: Int
    /// The lines with instances on a surface that is opened (V7–V9), by their index in `lines`.
    public let openedLines: [Int]
    /// How many kinds fetch in the background.
    public let transferKinds: Int
    /// The kinds of device that have room: Macs only if a line is a Mac's, so that a plan without any counts as if
    /// there were none.
    public let devices: [DeviceKind]
    /// The surfaces of the lines before each line, and of all at the end.
    private let surfacesBefore: [Int]
    /// The faces of the lines before each line, and of all at the end.
    private let facesBefore: [Int]

    public init(
        segments: Int, lines: [Line], hasForecasts: Bool = false, liveKinds: Int = 0, androidLines: [Int] = [],
        minutes: Int = 0, transferKinds: Int = 0
    ) {
        Self.checkIndices()
        self.segments = segments
        self.lines = lines
        self.hasForecasts = hasForecasts
        self.liveKinds = liveKinds
        pushMinutes = liveKinds > 0 ? minutes : 0
        self.androidLines = androidLines
        self.minutes = androidLines.isEmpty ? 0 : minutes
        openedLines = lines.indices.filter { lines[$0].openedSurface != nil }
        self.transferKinds = transferKinds
        devices = DeviceKind.allCases.filter { kind in kind != .mac || lines.contains { $0.device == kind } }
        surfacesBefore = lines.reduce(into: [0]) { $0.append($0[$0.count - 1] + Self.ordinals(of: $1.device).count) }
        facesBefore = lines.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.faces.count) }
    }

    public var count: Int { transferStart + transferKinds * TransferCounts.size }

    private var reloadStart: Int { segments * devices.count * DeviceCounts.size }
    private var viewStart: Int { reloadStart + lines.count * ReloadCounts.size }
    private var faceStart: Int { viewStart + surfacesBefore[lines.count] * CountedMode.count * ViewCounts.size }
    private var hourStart: Int { faceStart + facesBefore[lines.count] * FaceCounts.size }
    private var forecastStart: Int { hourStart + lines.count * HourCounts.size }
    private var activityStart: Int {
        forecastStart + (hasForecasts ? lines.count * CountedMode.count * ForecastCounts.size : 0)
    }
    private var pushStart: Int { activityStart + liveKinds * ActivityCounts.size }
    private var quotaStart: Int {
        pushStart + liveKinds * PushPriority.count * pushMinutes * PushMinuteCounts.size
    }
    private var minuteStart: Int { quotaStart + androidLines.count * QuotaCounts.size }
    private var openedStart: Int { minuteStart + minutes * MinuteCounts.size }
    private var openingStart: Int { openedStart + openedLines.count * CountedMode.count * ViewCounts.size }
    private var transferStart: Int { openingStart + openedLines.count * OpeningCounts.size }

    /// The line of a segment's instances of a kind on a kind of device; nil if nobody can have such.
    public func line(segment: Int, kind: Int, device: DeviceKind) -> Int? {
        lines.firstIndex { $0.segment == segment && $0.kind == kind && $0.device == device }
    }
}

/// The places of the blocks. Lines and faces are named by their index in `lines` and in the line's `faces`.
extension MeasureLayout {
    public func place(ofSegment segment: Int, _ device: DeviceKind) -> BlockPlace<DeviceCounts> {
        precondition(device.ordinal < devices.count, "no room for the counts of a \(device)")
        return BlockPlace(offset: (segment * devices.count + device.ordinal) * DeviceCounts.size)
    }

    public func place(ofLine line: Int) -> BlockPlace<ReloadCounts> {
        BlockPlace(offset: reloadStart + line * ReloadCounts.size)
    }

    /// The surfaces that a line has room for, in order: a Mac shares none with the others, and those that are opened
    /// have room where the line stands on one.
    public func surfaces(ofLine line: Int) -> [Surface] {
        let opened = lines[line].openedSurface
        return Surface.allCases[Self.ordinals(of: lines[line].device)] + (opened.map { [$0] } ?? [])
    }

    private static func ordinals(of device: DeviceKind) -> Range<Int> {
        let ofMac = Surface.notificationCenter.ordinal
        return device == .mac ? ofMac..<Surface.smartStack.ordinal : 0..<ofMac
    }

    /// The place of a line among those on a surface that is opened.
    private func openedPlace(ofLine line: Int) -> Int {
        guard let place = openedLines.firstIndex(of: line) else {
            preconditionFailure("no room for openings of line \(line)")
        }
        return place
    }

    public func openingPlace(ofLine line: Int) -> BlockPlace<OpeningCounts> {
        BlockPlace(offset: openingStart + openedPlace(ofLine: line) * OpeningCounts.size)
    }

    /// - Parameter surface: one that the line has room for.
    public func viewPlace(ofLine line: Int, mode: CountedMode, surface: Surface) -> BlockPlace<ViewCounts> {
        if surface.isOpened {
            precondition(lines[line].openedSurface == surface, "no room for views of \(surface) in line \(line)")
            let place = openedPlace(ofLine: line) * CountedMode.count + mode.ordinal
            return BlockPlace(offset: openedStart + place * ViewCounts.size)
        }
        let surfaces = Self.ordinals(of: lines[line].device)
        precondition(surfaces.contains(surface.ordinal), "no room for views of \(surface) on a \(lines[line].device)")
        let place =
            surfacesBefore[line] * CountedMode.count + mode.ordinal * surfaces.count + surface.ordinal
            - surfaces.lowerBound
        return BlockPlace(offset: viewStart + place * ViewCounts.size)
    }

    public func facePlace(ofLine line: Int, face: Int) -> BlockPlace<FaceCounts> {
        BlockPlace(offset: faceStart + (facesBefore[line] + face) * FaceCounts.size)
    }

    public func hourPlace(ofLine line: Int) -> BlockPlace<HourCounts> {
        BlockPlace(offset: hourStart + line * HourCounts.size)
    }

    /// The same place of another mode, in a line of a kind of device.
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

    /// - Parameter place: the index of a line in `androidLines`.
    public func quotaPlace(ofAndroidLine place: Int) -> BlockPlace<QuotaCounts> {
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
    public func forecastPlace(ofLine line: Int, mode: CountedMode) -> BlockPlace<ForecastCounts> {
        BlockPlace(offset: forecastStart + (line * CountedMode.count + mode.ordinal) * ForecastCounts.size)
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
