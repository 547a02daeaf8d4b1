/**
 * Stock GraphX against the library, from the same cached GraphX graph to the vertices of another:
 * {@link org.sparkgpugraph.benchmarks.comparison.Comparison} one algorithm with the times of its
 * phases, {@link org.sparkgpugraph.benchmarks.comparison.SpeedTable} all algorithms in a table,
 * {@link org.sparkgpugraph.benchmarks.comparison.MessagesBenchmark} {@code aggregateMessages},
 * {@link org.sparkgpugraph.benchmarks.comparison.TransparentBenchmark} GraphX's own calls with
 * transparent mode and without, {@link
 * org.sparkgpugraph.benchmarks.comparison.KeptResultsBenchmark} what results cost that stay. Begin
 * with {@link org.sparkgpugraph.benchmarks.comparison.Contest}, which has both sides of each. Uses
 * the command line of the jobs.
 */
package org.sparkgpugraph.benchmarks.comparison;
