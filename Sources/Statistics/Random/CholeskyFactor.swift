import CGSL

/// The lower triangle L of a symmetric, positive definite matrix LLᵀ, by GSL. For set-up and calibration, never for the
/// loop.
public final class CholeskyFactor: @unchecked Sendable {
    // Safety: the matrix is written in `init` and only read afterwards.
    private let matrix: UnsafeMutablePointer<gsl_matrix>
    public let count: Int

    /// - Parameter rows: of the matrix, one or more, each as long as they are many; the lower triangle counts.
    /// - Returns: nil unless the matrix is positive definite.
    public init?(_ rows: [[Double]]) {
        precondition(!rows.isEmpty && rows.allSatisfy { $0.count == rows.count }, "a matrix of \(rows.count) rows")
        _ = StandardShape.gslIsQuiet
        count = rows.count
        guard let matrix = gsl_matrix_alloc(rows.count, rows.count) else {
            preconditionFailure("no memory for a matrix of \(rows.count) rows")
        }
        self.matrix = matrix
        for (row, values) in rows.enumerated() {
            for (column, value) in values.enumerated() { gsl_matrix_set(matrix, row, column, value) }
        }
        if !rows.allSatisfy({ $0.allSatisfy(\.isFinite) }) || gsl_linalg_cholesky_decomp1(matrix) != Int32(GSL_SUCCESS)
        {
            return nil
        }
    }

    deinit { gsl_matrix_free(matrix) }

    /// L⁻¹v.
    public func whitened(_ vector: [Double]) -> [Double] {
        apply(vector) { gsl_blas_dtrsv(CblasLower, CblasNoTrans, CblasNonUnit, matrix, $0) }
    }

    /// Lv.
    public func coloured(_ vector: [Double]) -> [Double] {
        apply(vector) { gsl_blas_dtrmv(CblasLower, CblasNoTrans, CblasNonUnit, matrix, $0) }
    }

    /// (LLᵀ)⁻¹v.
    public func solved(_ vector: [Double]) -> [Double] { apply(vector) { gsl_linalg_cholesky_svx(matrix, $0) } }

    private func apply(_ vector: [Double], _ operation: (UnsafeMutablePointer<gsl_vector>) -> Int32) -> [Double] {
        precondition(vector.count == count, "\(vector.count) numbers for a matrix of \(count) rows")
        var result = vector
        result.withUnsafeMutableBufferPointer { buffer in
            var view = gsl_vector_view_array(buffer.baseAddress, buffer.count)
            let status = operation(&view.vector)
            precondition(status == Int32(GSL_SUCCESS), "GSL's linear algebra stopped with status \(status)")
        }
        return result
    }
}
