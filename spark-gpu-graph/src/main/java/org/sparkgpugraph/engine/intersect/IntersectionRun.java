package org.sparkgpugraph.engine.intersect;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.engine.operator.GraphOperator.Parcel;
import org.sparkgpugraph.engine.operator.GraphOperator.Round;
import org.sparkgpugraph.engine.operator.OperatorInput;
import org.sparkgpugraph.engine.operator.OperatorRun;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.model.ExecutorGraph;

/** {@link SortedIntersection} at work on one executor graph. */
final class IntersectionRun implements OperatorRun {
  /** Of a shard: degrees are told, rows are told, triangles are counted, counts are added. */
  private static final int ROUNDS = 4;

  /** Vertices that a thread takes at a time. */
  private static final int CHUNK = 1 << 14;

  private final ExecutorGraph graph;
  private final Measure measure;
  private final boolean alone;
  private final WorkerTeam team;
  private final Rows rows;
  private final TriangleCounter counter;
  private final ShardRows others;

  /** Numbers of neighbours by dense id. */
  private final int[] degrees;

  /** Of a graph in one piece: what is counted of each vertex, by dense id. */
  private long[] counts;

  /** Of a shard the same, which others add to. */
  private final long[] triangles;

  private final long[] links;
  private OrientedRows oriented;

  IntersectionRun(OperatorInput input, Measure measure, IntersectionTuning tuning) {
    graph = input.graph();
    this.measure = measure;
    alone = input.shards() == 1;
    int vertices = Math.toIntExact(graph.ids().size());
    degrees = new int[vertices];
    triangles = new long[alone ? 0 : vertices];
    links = new long[triangles.length];
    others = alone ? null : new ShardRows(graph);
    team = new WorkerTeam("intersect", input.threads());
    rows = new Rows(graph, team);
    try {
      counter =
          input
              .device()
              .<TriangleCounter>map(device -> new DeviceTriangleCounter(device, tuning))
              .orElseGet(() -> new CpuTriangleCounter(team));
    } catch (RuntimeException | Error e) {
      team.close();
      throw e;
    }
  }

  @Override
  public Round round(int number, List<Parcel> arrived) {
    return switch (number) {
      case 0 -> {
        if (alone && countWhole()) {
          yield Round.last(graph.edgeCount());
        }
        long start = System.nanoTime();
        rows.forEach((v, row) -> degrees[v] = row.size());
        PhaseTimes.ended("intersect: degrees", start);
        if (!alone) {
          yield new Round(others.degrees(degrees), true, graph.edgeCount());
        }
        orient();
        count();
        yield Round.last(graph.edgeCount());
      }
      case 1 -> {
        others.takeDegrees(arrived, degrees);
        orient();
        yield new Round(others.rows(rows, oriented), true, graph.edgeCount());
      }
      case 2 -> {
        others.takeRows(arrived, oriented);
        count();
        yield new Round(others.counts(triangles, links), true, oriented.used());
      }
      case ROUNDS - 1 -> {
        others.takeCounts(arrived, triangles, links);
        yield Round.last(0);
      }
      default -> throw new IllegalStateException("round " + number + " of " + ROUNDS);
    };
  }

  private void orient() {
    long start = System.nanoTime();
    oriented = new OrientedRows(degrees);
    start = PhaseTimes.ended("intersect: ranks", start);
    oriented.build(rows);
    PhaseTimes.ended("intersect: oriented rows", start);
  }

  private void count() {
    long[] ofRanks = counter.count(oriented);
    if (alone) {
      counts = new long[ofRanks.length];
    }
    forEach(
        0,
        ofRanks.length,
        r -> {
          int v = oriented.dense(r);
          if (alone) {
            counts[v] = ofRanks[r];
          } else {
            triangles[v] = triangles(ofRanks[r]);
            links[v] = links(ofRanks[r]);
          }
        });
  }

  /** Has the counter make rows of its own, if it can. */
  private boolean countWhole() {
    long[] found = new long[degrees.length];
    if (!counter.count(graph, degrees, found)) {
      return false;
    }
    counts = found;
    return true;
  }

  private static long triangles(long count) {
    return count >>> 32;
  }

  private static long links(long count) {
    return count & 0xFFFFFFFFL;
  }

  /** Does something with each of some numbers, by all threads. */
  private void forEach(int from, int to, IntConsumer each) {
    AtomicInteger next = new AtomicInteger(from);
    team.run(
        member -> {
          int i = next.getAndAdd(CHUNK);
          while (i >= 0 && i < to && !team.stopped()) {
            int end = Math.min(to, i + CHUNK);
            for (int k = i; k < end; k++) {
              each.accept(k);
            }
            i = next.getAndAdd(CHUNK);
          }
        });
  }

  @Override
  public Columns results() {
    Columns results = Columns.allocate(measure.type().columns(), degrees.length);
    forEach(
        (int) graph.firstHeld(),
        (int) graph.endHeld(),
        v ->
            measure.put(
                results,
                v,
                degrees[v],
                alone ? triangles(counts[v]) : triangles[v],
                alone ? links(counts[v]) : links[v]));
    return results;
  }

  @Override
  public DeviceNanos deviceNanos() {
    return counter.nanos();
  }

  @Override
  public void close() {
    try {
      counter.close();
    } finally {
      team.close();
    }
  }
}
