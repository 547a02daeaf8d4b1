/**
 * Measures the library. A benchmark is a main class that {@code benchmarks/run} starts;
 * docs/performance.md has their figures and the command of each. The folders say what is measured:
 *
 * <ul>
 *   <li>{@code comparison}: whole jobs beside stock GraphX
 *   <li>{@code cold}: jobs in JVMs that have run nothing before
 *   <li>{@code engine}: engines on one graph in memory, without Spark
 *   <li>{@code load}: edges to executor graphs
 *   <li>{@code exchange}: what supersteps send between executors, and what sending costs
 *   <li>{@code cluster}: all of it over several executors of one host
 *   <li>{@code scaling}: what more executors than there are would take, on paper
 * </ul>
 *
 * <p>Here is what several of them use: generated graphs, medians, tables and lines of JSON. A
 * folder uses this one; {@code cluster} uses the textbook results of {@code engine}, too.
 */
package org.sparkgpugraph.benchmarks;
