/**
 * What users call: vertex programs in GraphX's shape on the executors' GPUs, or on all their cores.
 * Begin with {@link org.sparkgpugraph.GpuPregel} for graphs of GraphX, with {@link
 * org.sparkgpugraph.ResidentGraph} and {@link org.sparkgpugraph.ProgramBuilder} without; sequences
 * of maps are {@link org.sparkgpugraph.GraphSteps}; the functions of a program are in {@link
 * org.sparkgpugraph.function}, options and reports of a run in {@link org.sparkgpugraph.run}, the
 * algorithms in {@link org.sparkgpugraph.algorithm}, with GraphX graphs in and out in {@link
 * org.sparkgpugraph.lib}, loaders and writers in {@link org.sparkgpugraph.files}. All else is
 * internal, but for what these take and give: edge and vertex blocks of {@code graphs.model},
 * {@code program.ValueType}, the formats of {@code files.input} and the generators of {@code
 * files.generate}. May use: {@code adapter} (GraphX's part), {@code runtime} and all below it.
 */
package org.sparkgpugraph;
