package org.sparkgpugraph.engine.intersect;

import java.util.List;
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

  private final ExecutorGraph graph;
  private final Measure measure;
  private final boolean alone;
  private final WorkerTeam team;
  private final Rows rows;
  private final TriangleCounter counter;
  private final ShardRows others;

  /** Numbers of neighbours by dense id. */
  private final int[] degrees;

  private final long[] triangles;
  private final long[] links;
  private OrientedRows oriented;

  IntersectionRun(OperatorInput input, Measure measure, IntersectionTuning tuning) {
    graph = input.graph();
    this.measure = measure;
    alone = input.shards() == 1;
    int vertices = Math.toIntExact(graph.ids().size());
    degrees = new int[vertices];
    triangles = new long[vertices];
    links = new long[vertices];
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
    long start = System.nanoTime();
    long[] counts = counter.count(oriented);
    PhaseTimes.ended("intersect: triangles", start);
    for (int r = 0; r < counts.length; r++) {
      int v = oriented.dense(r);
      triangles[v] = counts[r] >>> 32;
      links[v] = counts[r] & 0xFFFFFFFFL;
    }
  }

  @Override
  public Columns results() {
    Columns results = Columns.allocate(measure.type().columns(), degrees.length);
    for (int v = (int) graph.firstHeld(); v < graph.endHeld(); v++) {
      measure.put(results, v, degrees[v], triangles[v], links[v]);
    }
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
