package org.sparkgpugraph.runtime.report;

import org.sparkgpugraph.runtime.event.GraphSuperstep;

/**
 * Supersteps that follow each other, as one: what charts have a point of.
 *
 * @param first number of the first of them
 * @param last number of the last
 * @param supersteps how many: fewer than the numbers between where steps in place are counted as
 *     one
 * @param dense how many of them walked all rows
 * @param active vertices that were active behind the last
 * @param mostActive most of them behind any superstep that is known alone
 * @param edges edges whose send function was evaluated
 * @param updates updates of boundary vertices
 * @param bytes of these
 * @param seconds wall time
 * @param kernel of these: kernels, or the cores
 * @param exchange of these: bringing updates from device to device, packing and unpacking them,
 *     taking them out of the engine and into it
 * @param host of these: what else executors did
 */
public record Stretch(
    int first,
    int last,
    int supersteps,
    int dense,
    long active,
    long mostActive,
    long edges,
    long updates,
    long bytes,
    double seconds,
    double kernel,
    double exchange,
    double host) {
  /** One event's. */
  static Stretch of(GraphSuperstep event) {
    double executors = Math.max(event.seconds(), event.executorSeconds());
    // Parts that are the slowest of their own may be more than the whole.
    double kernel = Math.min(executors, event.kernelSeconds());
    double exchange = Math.min(executors - kernel, event.exchangeSeconds());
    return new Stretch(
        event.superstep() - event.supersteps() + 1,
        event.superstep(),
        event.supersteps(),
        "DENSE".equals(event.kernel()) ? event.supersteps() : 0,
        event.activeVertices(),
        event.activeVertices(),
        event.edgesEvaluated(),
        event.boundaryUpdates(),
        event.exchangedBytes(),
        executors + event.sparkSeconds(),
        kernel,
        exchange,
        executors - kernel - exchange);
  }

  /** With those behind it. */
  Stretch plus(Stretch next) {
    return new Stretch(
        first,
        next.last,
        supersteps + next.supersteps,
        dense + next.dense,
        next.active,
        Math.max(mostActive, next.mostActive),
        edges + next.edges,
        updates + next.updates,
        bytes + next.bytes,
        seconds + next.seconds,
        kernel + next.kernel,
        exchange + next.exchange,
        host + next.host);
  }

  /** Seconds that executors know nothing of: submitting a stage, its tasks, reading the shuffle. */
  double spark() {
    return Math.max(0, seconds - kernel - exchange - host);
  }

  /** Of one superstep, where the parts are of all. */
  double each(double sum) {
    return sum / supersteps;
  }

  /** What a reader calls it. */
  String name() {
    return first >= last
        ? "superstep " + Quantity.count(last)
        : "supersteps " + Quantity.count(first) + " to " + Quantity.count(last);
  }
}
