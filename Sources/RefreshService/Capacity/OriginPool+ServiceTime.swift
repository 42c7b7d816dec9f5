/// The moments of a pool's time of service that the closed forms need. A plan that exists has been checked: a
/// distribution that is wrong is an error of the code.
extension OriginPool {
    /// Mean seconds by the distribution as planned, not clipped and without brown-outs; nil if service takes no time.
    public var meanServiceTime: Double? {
        do {
            let mean = try serviceTime.mean()
            return mean > 0 ? mean : nil
        } catch {
            preconditionFailure("the time of service of the pool \(name): \(error)")
        }
    }

    /// The squared coefficient of variation: 0 for a constant time, 1 for an exponential one; nil if service takes no
    /// time or its distribution has no variance.
    public var serviceTimeVariation: Double? {
        do {
            return try serviceTime.variation()
        } catch {
            preconditionFailure("the time of service of the pool \(name): \(error)")
        }
    }
}
