/**
 * A function in static single assignment form, as the lifter makes it: blocks, their clean-up, and
 * how they become three-address code. Begin with {@link org.sparkgpugraph.program.ssa.Ssa}, then
 * {@link org.sparkgpugraph.program.ssa.SsaOptimizer}. May use: {@code program}, {@code
 * program.expression}, {@code program.ir}.
 */
package org.sparkgpugraph.program.ssa;
