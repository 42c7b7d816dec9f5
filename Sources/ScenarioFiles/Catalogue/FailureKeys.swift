import Basics
import RefreshService
import ScenarioModel
import Statistics

/// What clients do after a failure (S3), for all ways in which a try can fail or for some by their names.
extension KeyCatalogue {
    /// Further tries.
    static let tries = Cases<Int>(form: .limit(0...1_000)) { value, _ in value.limit ?? RetryPolicy.unlimited }
    /// After the final failure.
    static let failureDelay = Cases<Distribution>.value(.distribution(.duration)) { $0 }

    /// A value for every failure, or a mapping with one for some of them.
    ///
    /// - Parameter otherwise: the value for a failure that the mapping does not name, in words.
    static func byFailure<Value: Sendable>(_ one: Cases<Value>, otherwise: String) -> Cases<ByFailure<Value?>> {
        let absent = KeyEntry.DefaultValue.sometimes(otherwise)
        let each = Keys<ByFailure<Value?>> {
            Key(
                "refused", \.refused, one.form, absent, "S3",
                "The same where the pool has no place: by its rate limit or its queue.", read: { one.make($0, $1) })
            Key(
                "failed", \.failed, one.form, absent, "S3",
                "The same for any other error, as in an outage, and for a request that the pool drops.",
                read: { one.make($0, $1) })
            Key(
                "timed_out", \.timedOut, one.form, absent, "S3", "The same where no answer comes in time.",
                read: { one.make($0, $1) })
            Key(
                "offline", \.offline, one.form, absent, "S3", "The same for a device without a connection.",
                read: { one.make($0, $1) })
        }
        let named = Cases<ByFailure<Value?>>(form: .block(each)) {
            $0.isMapping ? $1.read(each, of: $0, over: ByFailure(nil)) : ByFailure(nil)
        }
        return .either(named, one.map { ByFailure($0) })
    }
}

extension CheckedValue {
    /// The most further tries that a value states, whatever the failure; nil for `unlimited`, and 0 for a wrong one.
    var mostTries: Int? {
        if isMapping {
            var most = 0
            for field in fields where field.value.isValid && !field.value.isAbsent {
                guard let limit = field.value.limit else { return nil }
                most = max(most, limit)
            }
            return most
        }
        return isValid && !isAbsent ? limit : 0
    }
}

extension ScenarioAssembly {
    /// Looks at the lengths of time that a key states.
    func checkMeans(of lengths: ByFailure<Distribution?>, _ value: CheckedValue) {
        guard value.isMapping else {
            if let all = lengths.failed { checkMean(of: all, value, from: .seconds(1), to: .days(366)) }
            return
        }
        for (name, one) in zip(["refused", "failed", "timed_out", "offline"], lengths.all) {
            if let one { checkMean(of: one, value[name], from: .seconds(1), to: .days(366)) }
        }
    }
}
