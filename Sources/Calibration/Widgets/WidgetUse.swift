import Basics

/// The pickups, views and taps that spans of widgets show.
///
/// Spans of a person that overlap or touch are one pickup, which lasts from the first start to the last end: several
/// widgets on one page, or one span after another. A widget that is in a pickup is one view of it, tapped if any of its
/// spans has a click.
package struct WidgetUse: Sendable {
    /// The pickups, as unlocks and locks.
    package private(set) var person: RecordedPerson
    /// The views: by date, how many, and how many of them were tapped.
    private(set) var views: [CivilDate: (count: Int, tapped: Int)] = [:]
    /// Seconds for which a view was visible, by view.
    private(set) var visible: [Double] = []
    /// Spans in which nothing was visible: left out.
    package private(set) var unseen = 0
    /// Spans of more than a minute of which less than half was visible: they may hold several views.
    package private(set) var loose = 0

    package init(_ record: PersonSpans) {
        person = RecordedPerson(name: record.name)
        unseen = record.spans.count { $0.visible == 0 }
        let spans = record.spans.filter { $0.visible > 0 }.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
        loose = spans.count { $0.end - $0.start > 60_000_000 && 2 * $0.visible < $0.end - $0.start }
        var at = 0
        while at < spans.count {
            let first = spans[at]
            var end = first.end
            var seen: [Int32: (visible: Int64, isTapped: Bool)] = [:]
            while at < spans.count && spans[at].start <= end {
                end = max(end, spans[at].end)
                let before = seen[spans[at].widget] ?? (0, false)
                seen[spans[at].widget] = (before.visible + spans[at].visible, before.isTapped || spans[at].isClicked)
                at += 1
            }
            let unlock = RecordedEvent(unix: first.start, offset: first.offset, kind: .unlock)
            person.events.append(unlock)
            // A pickup of no length would end before it begins, in the order of kinds.
            person.events.append(RecordedEvent(unix: end, offset: first.offset, kind: .lock))
            for widget in seen.keys.sorted() {
                let view = seen[widget]!
                views[unlock.local.date, default: (0, 0)].count += 1
                if view.isTapped { views[unlock.local.date]!.tapped += 1 }
                visible.append(Double(view.visible) / 1e6)
            }
        }
    }

    var viewCount: Int { views.values.reduce(0) { $0 + $1.count } }
}

extension [WidgetUse] {
    /// The spans that are left out or may be misread, a sentence each.
    package var notes: [String] {
        var notes: [String] = []
        let (unseen, loose) = (reduce(0) { $0 + $1.unseen }, reduce(0) { $0 + $1.loose })
        if unseen > 0 {
            notes.append("\(FigureText.counted(unseen, "row")) with nothing visible, which are no views; left out")
        }
        if loose > 0 {
            notes.append(
                "\(FigureText.counted(loose, "row")) of more than a minute with less than half of it visible: each counts as one view, and may be several"
            )
        }
        return notes
    }
}

/// One `AppWidgetEvent` of Android: what a widget's host tells its app about a span of time (Android 16 QPR2).
package struct WidgetSpan: Hashable, Sendable {
    /// Microseconds since 1970.
    package var start, end: Int64
    /// The local clock's offset from UTC at the start, seconds.
    package var offset: Int32
    /// Which of the person's widgets.
    package var widget: Int32
    /// Microseconds for which it was visible.
    package var visible: Int64
    /// Whether any of its views was clicked.
    package var isClicked: Bool
}

/// A person's spans in the order of the record.
package struct PersonSpans: Sendable {
    package var name: String
    package var spans: [WidgetSpan] = []
}
