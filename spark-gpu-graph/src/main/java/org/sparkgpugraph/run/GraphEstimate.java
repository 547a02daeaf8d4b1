package org.sparkgpugraph.run;

import java.util.Locale;
import java.util.Optional;

/**
 * What a graph and a run on it will take, said before anything is loaded. Bytes are of one executor
 * where {@code executors} share the graph evenly. Upper bounds for programs that send along edges
 * in one direction: structure is counted turned around, too, as sparse supersteps need it, and each
 * executor of several is taken to know as many vertices of others as it does with ids that tell
 * nothing.
 *
 * @param vertices number of vertices, about
 * @param edges number of edges
 * @param executors how many executors have room for the graph; 0: no number of them has, since each
 *     has too little heap, or memory outside of it under {@code spark.gpugraph.memory.edges =
 *     off-heap}
 * @param heapBytes of the heap while a program runs: structure, values, vertices of others
 * @param loadingBytes of the heap while the graph is loaded
 * @param deviceBytes of the memory of an executor's GPUs together, where they run the program
 * @param freeBytes of the heap that an executor has for graphs, as {@code
 *     spark.gpugraph.memoryFraction} says
 * @param edgesOnHeap whether the heap has room for the edges, too, and they may be there
 * @param outside what it takes where edges are not on the heap
 */
public record GraphEstimate(
    long vertices,
    long edges,
    int executors,
    long heapBytes,
    long loadingBytes,
    long deviceBytes,
    long freeBytes,
    boolean edgesOnHeap,
    Outside outside) {

  /**
   * Where edges are outside of the heap: in memory that Spark was told of, or in memory-mapped
   * files ({@code spark.gpugraph.memory.edges}).
   *
   * @param heapBytes of the heap, at least: while it is loaded it takes more where there is more
   * @param loadingBytes outside of it while the graph is loaded
   * @param runningBytes outside of it while a program runs
   * @param toldBytes off the heap that an executor was told of: {@code spark.memory.offHeap.size},
   *     or what {@code spark.executor.memoryOverhead} has above 384 MB
   */
  public record Outside(long heapBytes, long loadingBytes, long runningBytes, long toldBytes) {}

  private static final double MB = 1e6;

  /** Whether there is a number of executors with room for the graph. */
  public boolean fits() {
    return executors > 0;
  }

  /** Some lines for people. */
  @Override
  public String toString() {
    String each = executors > 1 ? " in each of " + executors + " executors" : "";
    return String.format(Locale.ROOT, "about %,d vertices, %,d edges%n", vertices, edges)
        + (fits()
            ? String.format(Locale.ROOT, "executors: %,d%n", executors)
            : "executors: no number of them has room: give them more heap%n".formatted())
        + String.format(
            Locale.ROOT,
            "heap: %s while it is loaded, %s while a program runs%s; %s are free for graphs%n",
            megabytes(loadingBytes),
            megabytes(heapBytes),
            each,
            megabytes(freeBytes))
        + String.format(
            Locale.ROOT,
            "edges outside of the heap: %s of heap; %s outside while it is loaded, %s while a program"
                + " runs%s; %s are told of%n",
            megabytes(outside.heapBytes),
            megabytes(outside.loadingBytes),
            megabytes(outside.runningBytes),
            each,
            megabytes(outside.toldBytes))
        + setting().map(text -> text + "%n".formatted()).orElse("")
        + String.format(
            Locale.ROOT, "GPU memory: %s%s, where GPUs run it", megabytes(deviceBytes), each);
  }

  /** What to set so that the graph has room; empty: nothing gives it room. */
  private Optional<String> setting() {
    if (edgesOnHeap) {
      return Optional.of("spark.gpugraph.memory.edges = auto or heap: the heap has room for edges");
    }
    if (outside.heapBytes > freeBytes) {
      return Optional.empty();
    }
    if (outside.toldBytes >= outside.loadingBytes) {
      return Optional.of("spark.gpugraph.memory.edges = auto or off-heap");
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "spark.gpugraph.memory.edges = auto or mapped, with %s of disk in spark.local.dir; or"
                + " off-heap, with spark.memory.offHeap.enabled = true and"
                + " spark.memory.offHeap.size = %dm",
            megabytes(outside.loadingBytes),
            (outside.loadingBytes + (1 << 20) - 1) >> 20));
  }

  private static String megabytes(long bytes) {
    return String.format(Locale.ROOT, "%,d MB", (long) Math.ceil(bytes / MB));
  }
}
