/**
 * Computes once per vertex what a send function would compute of only one end of an edge, once per
 * edge. Begin with {@link org.sparkgpugraph.program.hoist.Hoisting}.
 *
 * <p>A send function runs once per edge, a vertex program once per vertex that got a message.
 * {@link org.sparkgpugraph.program.hoist.Hoisting} therefore moves the parts of the send function
 * that depend on one end only into the vertex program, which keeps their values in <em>hidden</em>
 * columns behind those of the user's vertex value. What is moved is found in three steps: {@link
 * org.sparkgpugraph.program.hoist.EndValues} says which variables of the send function are
 * functions of one end, {@link org.sparkgpugraph.program.hoist.Choice} which of them pay, {@link
 * org.sparkgpugraph.program.hoist.SendRewriter} and {@link
 * org.sparkgpugraph.program.hoist.VertexRewriter} write the functions anew. The operations and
 * their order stay, so results are the same to the bit, and no fault is moved: a hidden column's
 * function cannot fail.
 *
 * <p>{@link org.sparkgpugraph.program.hoist.UniformBranches} does the same for what is the same at
 * all vertices: branches that the superstep decides are taken out of its functions. May use: {@code
 * program}, {@code program.analysis}, {@code program.expression}, {@code program.ir}.
 */
package org.sparkgpugraph.program.hoist;
