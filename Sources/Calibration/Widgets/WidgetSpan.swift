import Basics

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
