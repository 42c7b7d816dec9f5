import Basics
import RefreshService
import Statistics

/// Further tries of a reload's requests (S3).
extension DeviceSimulation {
    /// How long the client waits before the next try; nil if it makes none.
    mutating func delayBeforeRetry(_ i: Int) -> Duration? {
        let retry = prepared.plan.requests.retry
        let tries = instances[i].flight.tries
        guard tries <= retry.retries, spendRetry(retry) else { return nil }
        // Looked up by the instance's requests so far, which no other try has.
        let u = RandomStream.uniform(
            streams.number(.retryDelay, sub: instances[i].number, at: instances[i].legs.position))
        return retry.backOff.delay(before: tries, after: instances[i].flight.lastDelay, u)
    }

    /// How long the client waits for the answer to the try that it is about to send.
    mutating func patience(_ i: Int) -> Duration {
        if let timeout = link.timeout { return timeout }
        // Looked up by the instance's requests so far, which no other try has.
        return prepared.patience.draw(
            streams.number(.patience, sub: instances[i].number, at: instances[i].legs.position))
    }

    /// After how long the content that stays asks for a reload.
    mutating func delayAfterFailure(_ i: Int) -> Duration {
        if prepared.failureDelay.isConstant { return prepared.failureDelay.draw(0) }
        // Looked up by the instant: no instance fails twice in one.
        return prepared.failureDelay.draw(streams.number(.failureDelay, sub: instances[i].number, at: now.address))
    }

    /// Takes a retry out of the client's budget; false if none is there.
    private mutating func spendRetry(_ retry: RetryPolicy) -> Bool {
        guard retry.budget != nil else { return true }
        guard link.retryAccount >= RetryBudget.retry else { return false }
        link.retryAccount -= RetryBudget.retry
        return true
    }

    /// A first try pays into the client's budget of retries.
    mutating func payForRetries() {
        guard let budget = prepared.plan.requests.retry.budget else { return }
        link.retryAccount = min(budget.most, link.retryAccount + budget.perFirstTry)
    }
}
