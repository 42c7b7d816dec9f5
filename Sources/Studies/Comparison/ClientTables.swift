import Reporting

/// A parameter that a log of clients may tell.
package struct ClientEstimateRow: Sendable {
    let key, unit: String
    let value, low, high: Double
    /// The share of its range that the interval has.
    let share: Double
    let isTold: Bool
    /// Why it is not told; empty if it is.
    let reason: String

    package init(
        key: String, unit: String, value: Double, low: Double, high: Double, share: Double, isTold: Bool, reason: String
    ) {
        (self.key, self.unit, self.value, self.low, self.high) = (key, unit, value, low, high)
        (self.share, self.isTold, self.reason) = (share, isTold, reason)
    }
}

/// One number in which a log and its fit are compared.
package struct ClientMomentRow: Sendable {
    let group, name: String
    let observed, fitted, z: Double

    package init(group: String, name: String, observed: Double, fitted: Double, z: Double) {
        (self.group, self.name, self.observed, self.fitted, self.z) = (group, name, observed, fitted, z)
    }
}

/// A setting that explains a log.
package struct ClientSettingRow: Sendable {
    let number: Int
    /// The key of a parameter and its value.
    let key, value: String

    package init(number: Int, key: String, value: String) { (self.number, self.key, self.value) = (number, key, value) }
}

extension Table<ClientEstimateRow> {
    package static var clientEstimates: Self {
        Table(
            "client_estimates", "One parameter that a log of clients may tell a row.",
            [
                .key("key", "The parameter's key, with the number of a distribution behind it.", \.key),
                .derived("unit", "The unit of the estimate: `1`, `h` or `s`.", \.unit),
                .derived("value", "The estimate: the median over settings that explain the log.", \.value),
                .derived("interval_low", "The lower end of its 95 % interval.", \.low),
                .derived("interval_high", "The upper end.", \.high),
                .derived("range_share", "The interval's share of the range that was looked through.", \.share),
                .derived("told", "Whether the log tells it: the interval is at most half of the range.", \.isTold),
                .derived("reason", "Why it is not told; empty if it is.", \.reason),
            ])
    }
}

extension Table<ClientMomentRow> {
    package static var clientMoments: Self {
        Table(
            "client_moments", "One number in which a log and its fit are compared a row.",
            [
                .key("group", "What it is a share or a mean of.", \.group), .key("moment", "Its name.", \.name),
                .derived("observed", "The log's.", \.observed),
                .derived("fitted", "That of the nearest setting.", \.fitted),
                .derived("z", "Their difference, in standard errors of both.", \.z),
            ])
    }
}

extension Table<ClientSettingRow> {
    package static var clientSettings: Self {
        Table(
            "client_settings",
            "One key of one setting that explains a log a row; any of the settings is as likely as another.",
            [
                .key("setting", "The number of the setting, from 1 on.", \.number),
                .key("key", "The key of a parameter.", \.key),
                .derived("value", "Its value, as a scenario takes it.", \.value),
            ])
    }
}
