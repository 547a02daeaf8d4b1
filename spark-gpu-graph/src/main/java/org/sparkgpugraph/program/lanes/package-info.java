/**
 * Which functions lanes can run together, each with a part of every array: loops over the elements
 * are shared, what they carry from round to round is reduced over the lanes. Begin with {@link
 * org.sparkgpugraph.program.lanes.LaneForm}; {@link org.sparkgpugraph.program.lanes.TaskForm} is
 * for loops without arrays that lanes share with each other, {@link
 * org.sparkgpugraph.program.lanes.ContextForm} for costly branches that warps put off until all
 * lanes have something to do there. May use: {@code program.ir}, {@code program.expression}.
 */
package org.sparkgpugraph.program.lanes;
