import Reporting

/// One hour of the local day of a run beside a log.
package struct LogHourRow: Sendable {
    let hour: Int
    let run, log: Double?
    /// The log's load over the run's in most hours; nil where it is not known.
    let level: Double?
    let differs: Bool

    package init(hour: Int, run: Double?, log: Double?, level: Double?, differs: Bool) {
        (self.hour, self.run, self.log, self.level, self.differs) = (hour, run, log, level, differs)
    }
}

/// One figure of a run beside a log.
package struct LogFigureRow: Sendable {
    let figure, unit: String
    let run, log: Double
    let differs: Bool

    package init(figure: String, unit: String, run: Double, log: Double, differs: Bool) {
        (self.figure, self.unit, self.run, self.log, self.differs) = (figure, unit, run, log, differs)
    }
}

/// One step of the load that a log has more than a run.
package struct CurveRow: Sendable {
    let time: String
    let rate: Double

    package init(time: String, rate: Double) { (self.time, self.rate) = (time, rate) }
}

extension Table<LogHourRow> {
    package static var logHours: Self {
        Table(
            "log_hours", "One hour of the local day a row: the load of a run beside that of a log.",
            [
                .key("hour", "The hour of the day by the clock of the report's zone.", \.hour),
                .derived("run_per_s", "The run's requests a second; empty for an hour that is not covered.", \.run),
                .derived("log_per_s", "The log's.", \.log),
                .derived("ratio", "The log's over the run's.") { row in
                    row.run.flatMap { run in row.log.flatMap { run > 0 ? $0 / run : nil } }
                },
                .derived("level", "The ratio of most hours, their median.", \.level),
                .derived(
                    "differs",
                    "Whether the hour is not at that level, by more than a twentieth and more than chance explains.",
                    \.differs),
            ])
    }
}

extension Table<LogFigureRow> {
    package static var logFigures: Self {
        Table(
            "log_figures", "One figure of a run beside a log a row.",
            [
                .key("figure", "The figure.", \.figure), .derived("unit", "Its unit.", \.unit),
                .derived("run", "The run's.", \.run), .derived("log", "The log's.", \.log),
                .derived(
                    "differs", "Whether they differ by more than a twentieth and more than chance explains.", \.differs),
            ])
    }
}

extension Table<CurveRow> {
    package static var backgroundCurve: Self {
        Table(
            "background_curve",
            "The requests a second that a log has more than a run in the hours that differ: a curve for `service.background`.",
            [
                .key("time", "From when on, up to the next row's.", \.time),
                .derived("rate", "The requests a second.", \.rate),
            ])
    }
}
