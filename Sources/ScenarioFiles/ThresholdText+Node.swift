import Basics

extension ThresholdText {
    /// The mapping that a scenario would have for it.
    static func node(_ text: String, log: ProblemLog) -> RawNode? {
        let origin = Origin.threshold(text)
        guard ThresholdText(text) != nil, let parts = Threshold.Comparison.parts(of: text) else {
            log.report(origin, "", expected: words, found: RawNode.quoted(text))
            return nil
        }
        let fields = [("metric", parts.metric), ("op", parts.op.rawValue), ("value", parts.bound)].map { key, value in
            RawField(key: key, origin: origin, value: RawNode(content: .scalar(value, isPlain: true), origin: origin))
        }
        return RawNode(content: .mapping(fields), origin: origin)
    }
}
