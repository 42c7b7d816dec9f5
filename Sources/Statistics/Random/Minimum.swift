import CGSL

/// Where a function of a few numbers is least, by Nelder and Mead's simplex (GSL's `nmsimplex2`): no derivatives, one
/// local minimum.
///
/// For set-up and calibration, never for the loop. The result follows from the function and the start alone: nothing is
/// random.
public struct Minimum: Sendable {
    public let point: [Double]
    public let value: Double
    /// Whether the simplex became as small as asked for before the steps ran out.
    public let isFound: Bool

    /// - Parameters:
    ///   - function: what is to be small; a value that is not finite counts as very large.
    ///   - start: one number or more, all finite; the function is finite there.
    ///   - steps: how far the first simplex reaches along each axis, not 0.
    ///   - size: how small the simplex must be at the end, in the units of `start`.
    public init(
        of function: ([Double]) -> Double, from start: [Double], steps: [Double], size: Double = 1e-6,
        mostIterations: Int = 2_000
    ) {
        precondition(!start.isEmpty && start.count == steps.count, "\(start.count) numbers and \(steps.count) steps")
        precondition(
            start.allSatisfy(\.isFinite) && steps.allSatisfy { $0.isFinite && $0 != 0 } && size > 0,
            "a start of \(start), \(steps)")
        _ = StandardShape.gslIsQuiet
        let found = withoutActuallyEscaping(function) { function in
            Self.search(Objective(function: function), start, steps, size, mostIterations)
        }
        (point, value, isFound) = found
    }

    private final class Objective {
        let function: ([Double]) -> Double
        init(function: @escaping ([Double]) -> Double) { self.function = function }

        func value(at vector: UnsafePointer<gsl_vector>?) -> Double {
            guard let vector else { return .greatestFiniteMagnitude }
            let value = function((0..<vector.pointee.size).map { gsl_vector_get(vector, $0) })
            return value.isFinite ? value : 1e300
        }
    }

    private static func search(
        _ objective: Objective, _ start: [Double], _ steps: [Double], _ size: Double, _ mostIterations: Int
    ) -> ([Double], Double, Bool) {
        let count = start.count
        guard let minimiser = gsl_multimin_fminimizer_alloc(cgsl_nelder_mead(), count),
            let at = gsl_vector_alloc(count),
            let reach = gsl_vector_alloc(count)
        else { preconditionFailure("no memory for a minimum of \(count) numbers") }
        defer {
            gsl_multimin_fminimizer_free(minimiser)
            gsl_vector_free(at)
            gsl_vector_free(reach)
        }
        for index in 0..<count {
            gsl_vector_set(at, index, start[index])
            gsl_vector_set(reach, index, steps[index])
        }
        return withExtendedLifetime(objective) {
            var function = gsl_multimin_function(
                f: { vector, context in
                    Unmanaged<Objective>.fromOpaque(context!).takeUnretainedValue().value(at: vector)
                },
                n: count, params: Unmanaged.passUnretained(objective).toOpaque())
            return withUnsafeMutablePointer(to: &function) { function in
                var isFound = false
                // A simplex can close in beside the minimum: a second one, begun where the first ended, continues from
                // there.
                for round in 0..<2 {
                    gsl_multimin_fminimizer_set(minimiser, function, at, reach)
                    isFound = false
                    for _ in 0..<mostIterations {
                        if gsl_multimin_fminimizer_iterate(minimiser) != Int32(GSL_SUCCESS) { break }
                        if gsl_multimin_fminimizer_size(minimiser) < size {
                            isFound = true
                            break
                        }
                    }
                    if round == 0 {
                        for index in 0..<count {
                            gsl_vector_set(at, index, gsl_vector_get(gsl_multimin_fminimizer_x(minimiser), index))
                            gsl_vector_set(reach, index, steps[index] / 4)
                        }
                    }
                }
                let point = (0..<count).map { gsl_vector_get(gsl_multimin_fminimizer_x(minimiser), $0) }
                return (point, gsl_multimin_fminimizer_minimum(minimiser), isFound)
            }
        }
    }
}
