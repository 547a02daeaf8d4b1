/**
 * Makes a program of a sequence of edge maps and vertex maps, neighbours of which are folded into
 * one superstep where that changes no result. Begin with {@link
 * org.sparkgpugraph.program.fold.Folding}.
 *
 * <p>{@link org.sparkgpugraph.program.fold.PhasePlanner} cuts the sequence into {@linkplain
 * org.sparkgpugraph.program.fold.Phase phases}, each a superstep: one gather of the messages of any
 * number of edge maps, then any number of vertex maps, whose values stay in registers between them.
 * {@link org.sparkgpugraph.program.fold.MessageLayout} and {@link
 * org.sparkgpugraph.program.fold.StepColumns} say where messages and values have their columns, and
 * {@link org.sparkgpugraph.program.fold.PhaseMessages} and {@link
 * org.sparkgpugraph.program.fold.PhaseVertex} write the functions: they branch on the superstep's
 * number, which engines know to be the same everywhere ({@code
 * org.sparkgpugraph.program.hoist.UniformBranches}), so that each phase has loops of its own.
 *
 * <p>After ONYX (kernel folding, {@code foldmap}), which folds maps of the same kind, and refuses a
 * vertex map behind an edge map since others may still push into its vertex; here a receiver pulls,
 * so that what it got is complete in its own row, and the two fold. May use: {@code program},
 * {@code program.analysis}, {@code program.ir}.
 */
package org.sparkgpugraph.program.fold;
