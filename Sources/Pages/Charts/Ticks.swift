import Basics

/// Round values along an axis.
enum Ticks {
    /// From nothing to a value that has the largest one in it, at 1, 2, 2.5 or 5 times a power of ten, or at the steps
    /// of a clock.
    ///
    /// - Parameter count: about how many there are.
    static func upTo(_ most: Double, _ measure: Measure = .number, about count: Int = 4) -> [Tick] {
        let most = most < least ? 0 : most
        let step = step(of: most > 0 ? most / Double(count) : 1, measure)
        let last = most > 0 ? (most / step).rounded(.up) : 1
        return (0...Int(cutting: last)).map { tick(Double($0) * step, measure, step: step) }
    }

    /// Numbers nearer to 0 have no round numbers beside them.
    private static let least = 1e-290

    /// Round values between two, neither of which need be one.
    static func between(_ low: Double, _ high: Double, _ measure: Measure = .number, about count: Int = 4)
        -> [Tick]
    {
        if !(high - low > max(least, 1e-12 * max(low.magnitude, high.magnitude))) {
            return [tick(low, measure, step: low.magnitude)]
        }
        let step = step(of: (high - low) / Double(count), measure)
        let first = (low / step).rounded(.up)
        let last = (high / step).rounded(.down)
        if first > last { return [] }
        return (0...Int(cutting: last - first)).map { tick((first + Double($0)) * step, measure, step: step) }
    }

    /// The powers of ten in a span of positive values, and where there are few of them 2 and 5 times each.
    static func logarithmic(_ low: Double, _ high: Double, _ measure: Measure = .number) -> [Tick] {
        var ticks: [Tick] = []
        var power = 1.0
        let low = max(low, least)
        while power > low { power /= 10 }
        while power * 10 <= low { power *= 10 }
        let isShort = high / low < 1_000
        while power <= high {
            for factor in isShort ? [1.0, 2, 5] : [1.0]
            where power * factor >= low * 0.999999 && power * factor <= high * 1.000001 {
                let value = round(power * factor)
                ticks.append(Tick(value, FigureLabel.text(value, measure), isStrong: factor == 1))
            }
            power *= 10
        }
        return ticks
    }

    /// Round lengths of time along a logarithmic axis of seconds: a millisecond, a second, a minute, an hour, a day and
    /// some between.
    static func durations(_ low: Double, _ high: Double) -> [Tick] {
        var steps: [Double] = []
        var power = 1e-6
        while power < 1 {
            steps.append(round(power))
            power *= 10
        }
        steps += [1, 10, 60, 600, 3_600, 21_600, 86_400]
        var days = 10.0
        while days < 1e7 {
            steps.append(days * 86_400)
            days *= 10
        }
        return steps.filter { low <= $0 && $0 <= high }.map { Tick($0, FigureLabel.duration($0)) }
    }

    /// Those of a logarithmic axis.
    static func logarithmic(on scale: Scale, _ measure: Measure) -> [Tick] {
        measure == .duration ? durations(scale.low, scale.high) : logarithmic(scale.low, scale.high, measure)
    }

    private static func tick(_ value: Double, _ measure: Measure, step: Double) -> Tick {
        let value = round(value)
        return Tick(value == 0 ? 0 : value, FigureLabel.tick(value, measure, step: step))
    }

    /// Without what multiplication adds behind the twelfth digit.
    private static func round(_ value: Double) -> Double {
        if value == 0 { return 0 }
        var scale = 1.0
        while value.magnitude * scale < 1e11 && scale < 1e24 { scale *= 10 }
        return (value * scale).rounded() / scale
    }

    /// The least round step that is not below a value.
    private static func step(of least: Double, _ measure: Measure) -> Double {
        let rounds: [Double]
        switch measure {
        case .duration where least > 1: rounds = clockSteps
        default: rounds = []
        }
        if let step = rounds.first(where: { $0 >= least * 0.999999 }) { return step }
        if measure == .duration && least > 1 { return 86_400 * decimalStep(least / 86_400) }
        return decimalStep(least)
    }

    private static func decimalStep(_ least: Double) -> Double {
        var power = 1.0
        while power > least { power /= 10 }
        while power * 10 <= least { power *= 10 }
        return round([1, 2, 2.5, 5, 10].first { $0 * power >= least * 0.999999 }! * power)
    }

    /// Seconds.
    static let clockSteps: [Double] = [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400,
    ]
}

/// Numbers as charts and tables show them; between a number and its unit stands a blank at which no line ends.
package enum FigureLabel {
    /// About three digits with a unit.
    package static func text(_ value: Double, _ measure: Measure = .number) -> String {
        if value < 0 { return "−" + text(-value, measure) }
        switch measure {
        case .number: return number(value)
        case .share: return percent(value)
        case .bytes: return scaled(value, [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1, "B")])
        case .duration: return duration(value)
        }
    }

    /// About three digits with a unit and plain blanks, for a terminal or a file.
    package static func plain(_ value: Double, _ measure: Measure = .number) -> String {
        text(value, measure).replacing("\u{A0}", with: " ")
    }

    /// The text of a tick on an axis with this step: as many decimals as tell neighbours apart.
    static func tick(_ value: Double, _ measure: Measure, step: Double) -> String {
        if value < 0 { return "−" + tick(-value, measure, step: step) }
        switch measure {
        case .number where value.magnitude < 1e6 || step < 1e4: return grouped(value, decimals: decimals(of: step))
        case .share: return grouped(value * 100, decimals: decimals(of: step * 100)) + "\u{A0}%"
        case .duration where value >= 3_600 && step < 3_600:
            let minutes = Int(cutting: (value / 60).rounded())
            return "\(minutes / 60)\u{A0}h" + (minutes % 60 == 0 ? "" : "\u{A0}\(minutes % 60)")
        case .number, .bytes, .duration: return value == 0 ? "0" : text(value, measure)
        }
    }

    /// A whole number with commas; a small one with about three digits; a vast one in millions.
    private static func number(_ value: Double) -> String {
        if value == 0 { return "0" }
        if value >= 1e15 { return FigureText.rounded(value) }
        if value >= 1e9 { return significant(value / 1e9) + "\u{A0}billion" }
        if value >= 1e6 { return significant(value / 1e6) + "\u{A0}million" }
        if value >= 1_000 { return grouped(value, decimals: 0) }
        return significant(value)
    }

    private static func percent(_ share: Double) -> String {
        if share == 0 { return "0\u{A0}%" }
        let percent = share * 100
        return (percent >= 99.95 && percent < 100 ? significant(percent, digits: 5) : significant(percent)) + "\u{A0}%"
    }

    /// The two largest units, such as `2 h 5 min` or `350 ms`.
    static func duration(_ seconds: Double) -> String {
        if seconds == 0 { return "0\u{A0}s" }
        if seconds < 0.001 { return significant(seconds * 1e6) + "\u{A0}µs" }
        if seconds < 1 { return significant(seconds * 1_000) + "\u{A0}ms" }
        if seconds < 60 { return significant(seconds) + "\u{A0}s" }
        if seconds >= 1e12 { return FigureText.rounded(seconds / 31_557_600) + "\u{A0}years" }
        func two(_ large: Int64, _ largeName: String, _ small: Int64, _ smallName: String) -> String {
            let count = Int64(cutting: (seconds / Double(small)).rounded())
            let (whole, rest) = count.quotientAndRemainder(dividingBy: large / small)
            return FigureText.grouped(whole) + "\u{A0}" + largeName
                + (rest == 0 ? "" : "\u{A0}\(rest)\u{A0}\(smallName)")
        }
        if seconds < 3_599.5 { return two(60, "min", 1, "s") }
        if seconds < 86_370 { return two(3_600, "h", 60, "min") }
        return two(86_400, "d", 3_600, "h")
    }

    private static func scaled(_ value: Double, _ units: [(Double, String)]) -> String {
        let unit = units.first { value >= $0.0 } ?? units[units.count - 1]
        return significant(value / unit.0) + "\u{A0}" + unit.1
    }

    /// About three digits, none after the point from a hundred on.
    static func significant(_ value: Double, digits: Int = 3) -> String {
        value == 0 ? "0" : grouped(value, decimals: decimals(of: value, digits: digits))
    }

    /// The decimals with which a number has about so many digits: at most nine.
    package static func decimals(of value: Double, digits: Int) -> Int {
        var decimals = digits - 1
        var size = value.magnitude
        while size >= 10 && decimals > 0 {
            size /= 10
            decimals -= 1
        }
        while size < 1 && decimals < 9 {
            size *= 10
            decimals += 1
        }
        return decimals
    }

    /// With commas between thousands, and no zeros at the end of decimals.
    static func grouped(_ value: Double, decimals: Int) -> String {
        if value.magnitude >= 1e12 { return FigureText.rounded(value.magnitude) }
        let text = Markup.rounded(value.magnitude, decimals: decimals)
        let point = text.utf8.firstIndex(of: UInt8(ascii: ".")) ?? text.endIndex
        let whole = FigureText.grouped(Int64(text[..<point])!)
        return (value < 0 && text != "0" ? "−" : "") + whole + String(text[point...])
    }

    private static func decimals(of step: Double) -> Int {
        var (decimals, scaled) = (0, step)
        while (scaled - scaled.rounded()).magnitude > 1e-6 * max(scaled, 1e-3) && decimals < 9 {
            scaled *= 10
            decimals += 1
        }
        return decimals
    }
}

/// A mark on an axis with its label.
struct Tick: Hashable, Sendable {
    let value: Double
    let label: String
    /// Whether it begins something larger, such as a day among hours.
    let isStrong: Bool

    init(_ value: Double, _ label: String, isStrong: Bool = false) {
        (self.value, self.label, self.isStrong) = (value, label, isStrong)
    }
}

/// The quantity that the numbers of an axis or a label measure.
package enum Measure: Hashable, Sendable {
    /// Plain numbers and rates.
    case number
    /// 0 to 1, shown as percentages.
    case share
    case bytes
    /// In seconds.
    case duration
}

/// Where the label of a tick stands below an axis.
struct TickLabel {
    enum Anchor: String { case start, middle, end }

    let anchor: Anchor
    /// From 0 to 1 along the axis.
    private let place: Double
    /// Pixels.
    private let width: Double

    /// How much wider a bold text is than a plain one, at most.
    private static let boldWidth = 1.15

    init(_ tick: Tick, on scale: Scale) {
        place = scale.place(tick.value)
        width = TextWidth.of(tick.label) * (tick.isStrong ? Self.boldWidth : 1)
        // In the middle of its tick it would stand beyond the plot at an end.
        let half = width / 2 / WidthClass.narrow.leastPlot
        anchor = place - half < -0.03 ? .start : place + half > 1.03 ? .end : .middle
    }

    /// The pixels that it takes on a plot of the least width of a class.
    func span(in room: WidthClass) -> (from: Double, to: Double) {
        let at = place * room.leastPlot
        let from =
            switch anchor {
            case .start: at
            case .middle: at - width / 2
            case .end: at - width
            }
        return (from, from + width)
    }

    /// Whether labels that follow each other stand so many pixels apart.
    static func haveRoom(_ ticks: [Tick], on scale: Scale, _ room: WidthClass, gap: Double) -> Bool {
        zip(ticks, ticks.dropFirst()).allSatisfy { first, second in
            TickLabel(second, on: scale).span(in: room).from >= TickLabel(first, on: scale).span(in: room).to + gap
        }
    }
}

/// A stretch of time in which a local clock goes evenly.
struct LocalInterval: Hashable, Sendable {
    /// Its first second on the axis; those before the first stretch are counted to it.
    let from: Double
    /// The offset that takes a second of the axis to one since 1970-01-01T00:00 on the local clock.
    let toLocal: Double
}

/// Hours and days of a local clock along an axis of seconds.
struct LocalTicks: Sendable {
    private let intervals: [LocalInterval]

    /// - Parameter intervals: in order, one or more.
    init(_ intervals: [LocalInterval]) {
        precondition(!intervals.isEmpty, "a clock without rules")
        self.intervals = intervals
    }

    /// Seconds since 1970-01-01T00:00 on the local clock.
    func local(_ second: Double) -> Double {
        second + (intervals.last { $0.from <= second } ?? intervals[0]).toLocal
    }

    /// The marks between two seconds: as many as have room, at the steps of a clock that count from local midnight.
    func ticks(from low: Double, to high: Double, in room: WidthClass) -> [Tick] {
        for step in Ticks.clockSteps + [
            172_800, 604_800, 1_209_600, 2_419_200, 7_776_000, 15_552_000, 31_536_000, 157_680_000,
        ] {
            // Not even worth writing out.
            if (high - low) / step > 60 { continue }
            for style in DayStyle.allCases {
                let ticks = ticks(from: low, to: high, step: step, style)
                if TickLabel.haveRoom(ticks, on: .linear(low, high), room, gap: 12) { return ticks }
                // Without a midnight the style changes nothing.
                if !ticks.contains(where: \.isStrong) { break }
            }
        }
        return []
    }

    /// How a day is named: `Sun 8 Mar`, `Sun 8`, `Sun`.
    private enum DayStyle: CaseIterable { case full, short, weekday }

    private func ticks(from low: Double, to high: Double, step: Double, _ style: DayStyle) -> [Tick] {
        var ticks: [Tick] = []
        for (i, interval) in intervals.enumerated() {
            let begin = i == 0 ? low : max(low, interval.from)
            let end = i + 1 < intervals.count ? min(high, intervals[i + 1].from) : high
            if begin > end { continue }
            var local = ((begin + interval.toLocal) / step).rounded(.up) * step
            while local - interval.toLocal <= end {
                let second = local - interval.toLocal
                if second < end || i + 1 == intervals.count {
                    ticks.append(Tick(second, Self.label(local, step: step, style), isStrong: Self.isMidnight(local)))
                }
                local += step
            }
        }
        return ticks
    }

    private static func isMidnight(_ local: Double) -> Bool { Int64(cutting: local) % 86_400 == 0 }

    private static func label(_ local: Double, step: Double, _ style: DayStyle) -> String {
        if isMidnight(local) {
            // Weeks have one weekday.
            if step >= 604_800 { return LocalText.date(local) }
            switch style {
            case .full: return LocalText.day(local)
            case .short: return LocalText.shortDay(local)
            case .weekday: return LocalText.weekday(local)
            }
        }
        return LocalText.clock(local, seconds: step < 60)
    }
}

/// Instants of a local clock for people.
enum LocalText {
    private static func time(_ local: Double) -> LocalTime {
        LocalTime(localMicroseconds: Int64(cutting: (local * 10).rounded()) * 100_000)
    }

    /// `Sun 8 Mar`.
    static func day(_ local: Double) -> String { TimeText.day(time(local).date) }

    /// `Sun`.
    static func weekday(_ local: Double) -> String { TimeText.weekdays[time(local).date.weekday] }

    /// `Sun 8`.
    static func shortDay(_ local: Double) -> String { weekday(local) + " \(time(local).date.yearMonthDay.day)" }

    /// `8 Mar`.
    static func date(_ local: Double) -> String { TimeText.dayOfMonth(time(local).date) }

    /// `02:00`, with whole seconds if they are asked for.
    static func clock(_ local: Double, seconds: Bool = false) -> String {
        String(TimeText.clock(time(local).clock).prefix(seconds ? 8 : 5))
    }

    /// `02:00 Sun 8 Mar`; with seconds if the minute is not whole.
    static func instant(_ local: Double) -> String {
        let isWhole = Int64(cutting: local.rounded(.down)) % 60 == 0
        return clock(local, seconds: !isWhole) + " " + day(local)
    }

    /// `Wed 4 Mar 2026`.
    static func fullDay(_ local: Double) -> String { day(local) + " \(time(local).date.yearMonthDay.year)" }
}
