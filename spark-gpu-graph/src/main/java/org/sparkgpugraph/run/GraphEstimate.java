package org.sparkgpugraph.run;

import java.util.Locale;

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
 *     has too little heap
 * @param heapBytes of the heap while a program runs: structure, values, vertices of others
 * @param loadingBytes of the heap while the graph is loaded
 * @param deviceBytes of the memory of an executor's GPUs together, where they run the program
 * @param freeBytes of the heap that an executor has for graphs, as {@code
 *     spark.gpugraph.memoryFraction} says
 */
public record GraphEstimate(
    long vertices,
    long edges,
    int executors,
    long heapBytes,
    long loadingBytes,
    long deviceBytes,
    long freeBytes) {
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
            Locale.ROOT, "GPU memory: %s%s, where GPUs run it", megabytes(deviceBytes), each);
  }

  private static String megabytes(long bytes) {
    return String.format(Locale.ROOT, "%,d MB", (long) Math.ceil(bytes / MB));
  }
}
