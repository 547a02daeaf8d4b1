package org.sparkgpugraph.benchmarks.comparison;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.PregelBuilder;
import org.sparkgpugraph.benchmarks.Medians;
import org.sparkgpugraph.benchmarks.TextTable;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.vector.Vectors;

/**
 * Soft label propagation and belief propagation on an R-MAT graph until nothing changes by more
 * than ε: with every edge in every superstep, and change-driven ({@code deltas(ε)}). Prints the
 * edges evaluated, the time of the supersteps (median over rounds, which take turns), and by how
 * much the results differ at most.
 *
 * <pre>DeltaBenchmark [scale = 16] [rounds = 3] [engine = cpu] [length = 16] [epsilon = 1e-3]</pre>
 */
public final class DeltaBenchmark {
  private static final int MOST = 200;

  /** Where a vertex begins, and what it has come to. */
  public record Belief(float[] seed, float[] belief) implements Serializable {}

  /** A way to run a program. */
  private interface Mode extends Serializable {
    PregelBuilder<Double, Double, Belief, float[], Belief> on(
        PregelBuilder<Double, Double, Belief, float[], Belief> program);
  }

  private final Graph<Double, Double> graph;
  private final int length;
  private final Map<String, Mode> modes = new HashMap<>();
  private final TextTable table =
      new TextTable(
          "program", "run", "supersteps", "M edges", "ratio", "ms", "ratio", "difference");

  private DeltaBenchmark(Graph<Double, Double> graph, int length, double epsilon) {
    this.graph = graph;
    this.length = length;
    modes.put("every edge", program -> everyEdge(program, epsilon));
    modes.put("deltas", program -> program.deltas(epsilon));
  }

  /** Runs it and prints a table; the first round is left out. */
  public static void main(String[] args) {
    int scale = args.length > 0 ? Integer.parseInt(args[0]) : 16;
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 3;
    String engine = args.length > 2 ? args[2] : "cpu";
    int length = args.length > 3 ? Integer.parseInt(args[3]) : 16;
    double epsilon = args.length > 4 ? Double.parseDouble(args[4]) : 1e-3;
    SparkConf conf =
        new SparkConf()
            .setMaster("local[*]")
            .setAppName("DeltaBenchmark")
            .set("spark.ui.enabled", "false")
            .set("spark.gpugraph.engine", engine)
            .set("spark.gpugraph.fallback", "never");
    try (JavaSparkContext sc = new JavaSparkContext(conf)) {
      sc.setLogLevel("ERROR");
      Graph<Double, Double> graph = RmatGraphX.cached(sc, scale, 4, true);
      System.out.printf(
          "R-MAT %d: %d vertices, %d edges; engine %s, %d numbers, epsilon %s%n",
          scale, graph.vertices().count(), graph.edges().count(), engine, length, epsilon);
      DeltaBenchmark benchmark = new DeltaBenchmark(graph, length, epsilon);
      benchmark.measure("labels", benchmark.labels(), rounds);
      benchmark.measure("beliefs", benchmark.beliefs(), rounds);
      System.out.print(benchmark.table);
    }
  }

  private static PregelBuilder<Double, Double, Belief, float[], Belief> everyEdge(
      PregelBuilder<Double, Double, Belief, float[], Belief> program, double epsilon) {
    return program.activeWhen(
        (id, before, after) -> {
          boolean moved = false;
          for (int i = 0; i < after.belief().length; i++) {
            moved |= Math.abs(after.belief()[i] - before.belief()[i]) > epsilon;
          }
          return moved;
        });
  }

  /** A sixteenth of the vertices has a label; nothing is known of the others. */
  private Mode labels() {
    return program ->
        program
            .vertexProgram(
                (id, value, sum) -> {
                  float total = 0;
                  for (int i = 0; i < sum.length; i++) {
                    total += sum[i];
                  }
                  float share = total > 0 ? 0.8f / total : 0;
                  float[] belief = new float[sum.length];
                  for (int i = 0; i < sum.length; i++) {
                    belief[i] = 0.2f * value.seed()[i] + share * sum[i];
                  }
                  return new Belief(value.seed(), belief);
                })
            .sendMessage(
                edge -> {
                  float weight = (float) (double) edge.attr();
                  edge.sendToDst(Vectors.scale(weight, edge.srcAttr().belief()));
                  edge.sendToSrc(Vectors.scale(weight, edge.dstAttr().belief()));
                });
  }

  /** Messages are logarithms of what the neighbour's state says of this one's. */
  private Mode beliefs() {
    float like = 1;
    return program ->
        program
            .vertexProgram(
                (id, value, sum) -> {
                  float most = Float.NEGATIVE_INFINITY;
                  float[] belief = new float[sum.length];
                  for (int i = 0; i < sum.length; i++) {
                    belief[i] = (float) Math.log(value.seed()[i] + 0.01f) + sum[i];
                    most = Math.max(most, belief[i]);
                  }
                  float total = 0;
                  for (int i = 0; i < sum.length; i++) {
                    belief[i] = (float) Math.exp(belief[i] - most);
                    total += belief[i];
                  }
                  for (int i = 0; i < sum.length; i++) {
                    belief[i] /= total;
                  }
                  return new Belief(value.seed(), belief);
                })
            .sendMessage(
                edge -> {
                  float[] from = edge.srcAttr().belief();
                  float[] to = edge.dstAttr().belief();
                  float[] forth = new float[from.length];
                  float[] back = new float[to.length];
                  for (int i = 0; i < forth.length; i++) {
                    forth[i] = (float) Math.log(1 + like * from[i]);
                    back[i] = (float) Math.log(1 + like * to[i]);
                  }
                  edge.sendToDst(forth);
                  edge.sendToSrc(back);
                });
  }

  private PregelBuilder<Double, Double, Belief, float[], Belief> program(Mode functions) {
    int k = length;
    return functions.on(
        GpuPregel.on(graph, Double.class, Double.class)
            .state(
                (id, attribute, in, out) -> {
                  float[] seed = new float[k];
                  if (id % 16 == 0) {
                    seed[(int) (id / 16 % k)] = 1;
                  } else {
                    Arrays.fill(seed, 1f / k);
                  }
                  return new Belief(seed, seed.clone());
                })
            .everyVertex(new float[k])
            .initialMessage(new float[k])
            .maxIterations(MOST)
            .vertexProgram((id, value, sum) -> value)
            .sendMessage(edge -> edge.sendToDst(edge.srcAttr().belief()))
            .mergeMessage(Vectors::add));
  }

  /** What runs have taken. */
  private static final class Taken implements RunObserver {
    private final List<Double> millis = new ArrayList<>();
    private long edges;
    private long nanos;
    private int supersteps;

    @Override
    public void superstepEnded(SuperstepStats stats) {
      edges += stats.edgesEvaluated();
      nanos += stats.nanos();
      supersteps++;
    }

    private void begin() {
      edges = 0;
      nanos = 0;
      supersteps = 0;
    }
  }

  private void measure(String name, Mode functions, int rounds) {
    List<String> order = List.of("every edge", "deltas");
    Map<String, Taken> taken = new HashMap<>();
    Map<String, Map<Long, Belief>> results = new HashMap<>();
    for (int round = 0; round <= rounds; round++) {
      for (String mode : order) {
        Taken here = taken.computeIfAbsent(mode, m -> new Taken());
        here.begin();
        Graph<Belief, Double> result =
            modes
                .get(mode)
                .on(program(functions))
                .options(RunOptions.DEFAULT.withObserver(here))
                .run();
        if (round == 0) {
          results.put(mode, values(result));
        } else {
          here.millis.add(here.nanos / 1e6);
        }
        result.unpersist(true);
      }
    }
    Taken all = taken.get("every edge");
    for (String mode : order) {
      Taken one = taken.get(mode);
      double millis = Medians.median(one.millis);
      table.add(
          List.of(
              name,
              mode,
              Integer.toString(one.supersteps),
              format("%.1f", one.edges / 1e6),
              format("%.2f", all.edges / (double) one.edges),
              format("%.1f", millis),
              format("%.2f", Medians.median(all.millis) / millis),
              format("%.1e", difference(results.get(mode), results.get("every edge")))));
    }
  }

  private static Map<Long, Belief> values(Graph<Belief, Double> graph) {
    Map<Long, Belief> values = new HashMap<>();
    graph.vertices().toJavaRDD().collect().forEach(v -> values.put((Long) v._1(), v._2()));
    return values;
  }

  private static double difference(Map<Long, Belief> one, Map<Long, Belief> other) {
    double most = 0;
    for (Map.Entry<Long, Belief> vertex : one.entrySet()) {
      float[] here = vertex.getValue().belief();
      float[] there = other.get(vertex.getKey()).belief();
      for (int i = 0; i < here.length; i++) {
        most = Math.max(most, Math.abs(here[i] - there[i]));
      }
    }
    return most;
  }

  private static String format(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
