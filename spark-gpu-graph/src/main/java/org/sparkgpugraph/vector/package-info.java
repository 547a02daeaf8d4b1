/**
 * Vectors of k numbers and matrices of k × k, as arrays of primitives, for the functions of a
 * program: their values have one length k in the whole run. Plain Java: loops over the length, no
 * state, nothing that a lambda could not have written itself. Begin with {@link
 * org.sparkgpugraph.vector.Vectors}; {@link org.sparkgpugraph.vector.Updates} changes arrays in
 * place, {@link org.sparkgpugraph.vector.Reductions} and {@link org.sparkgpugraph.vector.Norms}
 * make one number of a vector, {@link org.sparkgpugraph.vector.Matrices} multiplies, {@link
 * org.sparkgpugraph.vector.Cholesky} and {@link org.sparkgpugraph.vector.Lu} solve. May use:
 * nothing of the library.
 *
 * <p><b>Arrays.</b> A method changes its first argument if its name says so ({@code addTo}, {@code
 * minInto}, {@code scaleInPlace}); all others leave their arguments and return a new array. Lengths
 * that do not fit are an {@code IllegalArgumentException} with both lengths; null is a {@code
 * NullPointerException}.
 *
 * <p><b>Rounding.</b> A sum of floats is a float, added up from index 0 to k − 1, each product and
 * each sum rounded (no fused multiply-add); so the same call gives the same bits on every JVM.
 * Added in any other order, as the lanes of a GPU do, the sum of n numbers differs from this one by
 * at most 2 γ(n) times the sum of their magnitudes, where γ(n) = n u / (1 − n u) and u is 2⁻²⁴ for
 * floats, 2⁻⁵³ for doubles (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed.,
 * SIAM 2002, section 3.1): each order is within γ(n) of the exact sum, unless something overflows
 * or underflows.
 */
package org.sparkgpugraph.vector;
