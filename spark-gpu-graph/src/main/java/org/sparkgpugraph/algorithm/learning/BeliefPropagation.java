package org.sparkgpugraph.algorithm.learning;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import java.util.Arrays;
import org.apache.spark.api.java.JavaPairRDD;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.algorithm.support.Weights;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.graphs.rdd.KeptRdd;
import org.sparkgpugraph.run.AggregateAtMost;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.runtime.serial.RecordSerializer;
import org.sparkgpugraph.vector.Reductions;
import org.sparkgpugraph.vector.Vectors;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Belief propagation (sum-product) on a pairwise Markov field of k states a vertex: beliefs are the
 * marginal probabilities of the vertices' states, exact on forests, else an approximation that
 * usually settles, and need not. Each edge is a potential Ψ(u, v) of k × k numbers of more than 0,
 * each vertex has a prior φ(v) of k numbers of 0 or more. Step by step
 *
 * <pre>
 * m(u, v) = normalise( (b(u) / m(v, u)) · Ψ(u, v) )
 * b(v)    = normalise( φ(v) ∘ Π m(u, v) )
 * </pre>
 *
 * <p>with the messages of all neighbours u and element by element; both ways along every edge, with
 * Ψ(v, u) = Ψ(u, v)ᵀ; in the beginning messages are 1. All messages of a step are made of those of
 * the step before (flooding). The formula is that of ONYX ("Towards Feature-Aware Graph Processing
 * on the GPU", section on belief propagation) and of Pearl (Probabilistic Reasoning in Intelligent
 * Systems, 1988).
 *
 * <p>An edge of the graph stands for both directions: row i, column j of its potential, element
 * {@code i * k + j}, is of state i at its source and j at its destination. Two vertices are
 * connected by one edge at most: edges that lead back, parallel ones and loops are refused.
 *
 * <p>Messages are logarithms, which are added up and taken out again, so that beliefs of vertices
 * with many neighbours do not underflow. They are vertices of a graph of their own: each edge
 * becomes two messages and two relays, with eight edges, and a step two supersteps. It takes about
 * 100 bytes an edge, and for each of its four vertices 8 · k bytes for the attribute and 24 · k for
 * the state (56 · k change-driven). One potential for all edges is there once an executor, 8 · k²
 * bytes; where edges have their own, attribute and state have 8 · k² bytes in the place of 8 · k,
 * relays, too: together 64 · k² bytes an edge, 1 KB for k = 4 and 64 KB for k = 32. Priors, and in
 * the end beliefs, are Spark's blocks, twice over several executors, of which an executor that is
 * lost is made good. Beside it the graph is looked through for priors, potentials and edges that
 * are none, four supersteps.
 *
 * <p>A change is one of a logarithm, of a belief or message: about the relative change. With {@link
 * Convergence#deltas} a message or belief is told when one of its logarithms moved by more than ε;
 * on a tree of n vertices logarithms of a belief's ratios then differ from those of a full run by
 * at most 4 · ε · (n − 1). Where messages are weaker than ε, and vertices have so many neighbours
 * that together they decide, use a smaller one. A belief of less than about 1e-300 reads as 0.
 */
public class BeliefPropagation {
  /** Most states of one run with one potential for all edges. */
  public static final int MAX_STATES = 1024;

  /** Most states of one run where edges have potentials of their own. */
  public static final int MAX_STATES_OF_EDGES = 32;

  /** Elements of potentials: sums of products of these are finite, and more than 0. */
  private static final double LEAST = 1e-150;

  private static final double MOST = 1e150;

  /** The logarithm of a prior of 0: nothing that neighbours say comes near it. */
  private static final double NEVER = -1e30;

  /** Supersteps of a step: messages, beliefs. */
  private static final int PER_STEP = 2;

  private static final String NEED =
      "potentials need numbers from 1e-150 to 1e150; give states that cannot be together a small"
          + " one, such as 1e-9";

  private static final ClassTag<Tuple2<Long, double[]>> PAIR =
      ClassTag$.MODULE$.apply(Tuple2.class);

  private static final ClassTag<Long> LONG = ClassTag$.MODULE$.apply(Long.class);
  private static final ClassTag<double[]> ARRAY = ClassTag$.MODULE$.apply(double[].class);

  private static final String CHANGE = Convergence.CHANGE;

  /** Only for classes with more ways in. */
  protected BeliefPropagation() {}

  /**
   * A vertex of the factor graph while it runs.
   *
   * @param kind what it is
   * @param given logarithms of the prior in front, or the potential of a message
   * @param value logarithms of the belief, the largest of which is 0, or of a message, which adds
   *     up to 1; what is to be added to take a message out
   */
  @DefaultSerializer(RecordSerializer.class)
  record Node(int kind, double[] given, double[] value) implements Serializable {}

  /**
   * Runs on a resident graph, with one potential for all edges, until no logarithm of a message or
   * belief changes by more than the tolerance.
   *
   * @param graph vertex attributes are the priors, k numbers of 0 or more; edge values are not read
   * @param k number of states, 1 to {@value #MAX_STATES}
   * @param potential {@code k * k} numbers from 1e-150 to 1e150: a row for each state of the source
   * @param until when it ends, and how it runs
   * @return beliefs, {@code double[k]}, which add up to 1
   * @throws IllegalArgumentException when a prior is negative, NaN, infinite or all 0, the
   *     potential has not k · k elements of that range, arrays have not k elements, two vertices
   *     are connected by several edges or one to itself, or there is no vertex
   */
  public static VertexResult<double[]> run(
      ResidentGraph<double[], ?> graph,
      int k,
      double[] potential,
      Convergence until,
      RunOptions options) {
    return propagated(graph, k, checked(k, potential), until, options);
  }

  /**
   * The same where each edge has a potential of its own.
   *
   * @param graph vertex attributes are the priors, k numbers of 0 or more; edge values the
   *     potentials, {@code k * k} numbers from 1e-150 to 1e150: a row for each state of the source
   * @param k number of states, 1 to {@value #MAX_STATES_OF_EDGES}
   * @throws IllegalArgumentException as above
   */
  public static VertexResult<double[]> run(
      ResidentGraph<double[], double[]> graph, int k, Convergence until, RunOptions options) {
    return propagated(graph, k, null, until, options);
  }

  /** Tells what a run with one potential would do; the graph of the messages is made for that. */
  public static String explain(
      ResidentGraph<double[], ?> graph,
      int k,
      double[] potential,
      Convergence until,
      RunOptions options) {
    return explained(graph, k, checked(k, potential), until, options);
  }

  /** The same where each edge has a potential of its own. */
  public static String explain(
      ResidentGraph<double[], double[]> graph, int k, Convergence until, RunOptions options) {
    return explained(graph, k, null, until, options);
  }

  private static String explained(
      ResidentGraph<double[], ?> graph,
      int k,
      double[] potential,
      Convergence until,
      RunOptions options) {
    checkStates(k, potential);
    check(graph, k, potential == null);
    try (FactorGraph factors = FactorGraph.of(graph, k, potential == null, options)) {
      return program(factors, k, potential, until, Sources.loaded(options)).explain();
    }
  }

  private static VertexResult<double[]> propagated(
      ResidentGraph<double[], ?> graph,
      int k,
      double[] potential,
      Convergence until,
      RunOptions options) {
    try (Beliefs beliefs = beliefs(graph, k, potential, until, options)) {
      return Internals.reporting(
          copied(ProgramBuilder.on(beliefs.graph())).runVertices(), beliefs.report());
    }
  }

  /** What a run has come to: the given graph with beliefs as vertex attributes. */
  protected static final class Beliefs implements AutoCloseable {
    private final KeptRdd<Tuple2<Long, double[]>> values;
    private final ResidentGraph<double[], ?> graph;
    private final RunReport report;

    private Beliefs(
        KeptRdd<Tuple2<Long, double[]>> values,
        ResidentGraph<double[], ?> graph,
        RunReport report) {
      this.values = values;
      this.graph = graph;
      this.report = report;
    }

    public ResidentGraph<double[], ?> graph() {
      return graph;
    }

    private RunReport report() {
      return report;
    }

    @Override
    public void close() {
      graph.close();
      values.free();
    }
  }

  /**
   * Runs it.
   *
   * @param potential null: edges have their own
   */
  protected static Beliefs beliefs(
      ResidentGraph<double[], ?> graph,
      int k,
      double[] potential,
      Convergence until,
      RunOptions options) {
    checkStates(k, potential);
    check(graph, k, potential == null);
    KeptRdd<Tuple2<Long, double[]>> values;
    RunReport report;
    try (FactorGraph factors = FactorGraph.of(graph, k, potential == null, options);
        VertexResult<double[]> all =
            program(factors, k, potential, until, Sources.loaded(options)).runVertices()) {
      long base = factors.base();
      report = all.report();
      // What is lost with an executor is read again of these.
      values = KeptRdd.of(all.toPairs().filter(vertex -> vertex._1() < base).rdd(), PAIR);
    }
    try {
      JavaPairRDD<Long, double[]> pairs = new JavaPairRDD<>(values, LONG, ARRAY);
      return new Beliefs(values, graph.withVertices(pairs, double[].class, new double[k]), report);
    } catch (RuntimeException | Error e) {
      values.free();
      throw e;
    }
  }

  /** A program that gives vertex attributes as they are. */
  protected static <E> ProgramBuilder<double[], E, double[], Integer, double[]> copied(
      ProgramBuilder<double[], E, double[], Object, double[]> on) {
    return on.initialMessage(0)
        .activeWhen((id, before, after) -> false)
        .maxIterations(1)
        .vertexProgram((id, value, none) -> value)
        .sendMessage(edge -> {})
        .mergeMessage(Integer::sum)
        .options(Weights.search(null, null));
  }

  private static ProgramBuilder<double[], Object, Node, double[], double[]> program(
      FactorGraph factors, int k, double[] potential, Convergence until, RunOptions options) {
    long base = factors.base();
    int length = potential == null ? k * k : k;
    // Superstep 0 is known by its message: messages are 1 then.
    double[] start = new double[k];
    Arrays.fill(start, Double.NaN);
    ProgramBuilder<double[], Object, Node, double[], double[]> program =
        ProgramBuilder.on(factors.graph())
            .state(
                (id, given, inDegree, outDegree) -> {
                  int kind = FactorGraph.kind(id, base);
                  double[] own = new double[length];
                  for (int i = 0; i < length; i++) {
                    double value = given[i];
                    if (kind == FactorGraph.VERTEX) {
                      value = value > 0 ? Math.log(value) : NEVER;
                    }
                    own[i] = value;
                  }
                  return new Node(kind, own, new double[k]);
                })
            .initialMessage(start)
            .maxIterations(Math.multiplyExact(PER_STEP, until.maxIterations()))
            .vertexProgram(potential == null ? ofEdges(k) : ofAll(k, potential))
            .sendMessage(edge -> edge.sendToDst(edge.srcAttr().value()))
            .mergeMessage(Vectors::add)
            .result(
                (id, attribute, node) -> {
                  double[] belief = new double[k];
                  for (int i = 0; i < k; i++) {
                    belief[i] = Math.exp(node.value()[i]);
                  }
                  double total = Reductions.sum(belief);
                  for (int i = 0; i < k; i++) {
                    belief[i] /= total;
                  }
                  return belief;
                })
            .options(options);
    if (until.isChangeDriven()) {
      return program.deltas(until.threshold());
    }
    double tolerance = until.threshold();
    return program
        .everyVertex(new double[k])
        .aggregate(
            CHANGE,
            AggregateOperation.MAX,
            (id, before, after) -> {
              double most = 0.0;
              for (int i = 0; i < k; i++) {
                most = Math.max(most, Math.abs(after.value()[i] - before.value()[i]));
              }
              return most;
            })
        // Relays change when beliefs do, and say how messages did.
        .stopWhen(new AggregateAtMost(CHANGE, tolerance, PER_STEP, PER_STEP));
  }

  private static VertexProgram<Node, double[]> ofAll(int k, double[] potential) {
    return (id, node, sum) -> {
      double[] value =
          node.kind() == FactorGraph.VERTEX ? belief(node.given(), sum, k) : taken(sum);
      if (node.kind() == FactorGraph.FORTH || node.kind() == FactorGraph.BACK) {
        int row = node.kind() == FactorGraph.FORTH ? k : 1;
        value = message(sum, potential, row, row == 1 ? k : 1, k);
      }
      return new Node(node.kind(), node.given(), value);
    };
  }

  private static VertexProgram<Node, double[]> ofEdges(int k) {
    return (id, node, sum) -> {
      double[] value =
          node.kind() == FactorGraph.VERTEX ? belief(node.given(), sum, k) : taken(sum);
      if (node.kind() == FactorGraph.FORTH || node.kind() == FactorGraph.BACK) {
        value = message(sum, node.given(), k, 1, k);
      }
      return new Node(node.kind(), node.given(), value);
    };
  }

  /** Logarithms of a belief, less the largest. */
  private static double[] belief(double[] prior, double[] sum, int k) {
    boolean start = sum[0] != sum[0];
    double[] value = new double[k];
    double most = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < k; i++) {
      value[i] = start ? prior[i] : prior[i] + sum[i];
      most = Math.max(most, value[i]);
    }
    for (int i = 0; i < k; i++) {
      value[i] -= most;
    }
    return value;
  }

  /** What is added to a sum to take a message out of it. */
  private static double[] taken(double[] sum) {
    double[] value = new double[sum.length];
    for (int i = 0; i < value.length; i++) {
      value[i] = sum[i] != sum[i] ? 0.0 : -sum[i];
    }
    return value;
  }

  /**
   * Logarithms of a message.
   *
   * @param sum of the sender's belief and what is taken out of it
   * @param row distance of the rows of the potential
   * @param column distance of its columns
   */
  private static double[] message(double[] sum, double[] potential, int row, int column, int k) {
    double[] value = new double[k];
    if (sum[0] != sum[0]) {
      return value;
    }
    double most = Reductions.max(sum);
    double[] from = new double[k];
    for (int i = 0; i < k; i++) {
      from[i] = Math.exp(sum[i] - most);
    }
    // Products first: lanes share the states.
    for (int j = 0; j < k; j++) {
      double product = 0.0;
      for (int i = 0; i < k; i++) {
        product += from[i] * potential[i * row + j * column];
      }
      value[j] = product;
    }
    double total = 0.0;
    for (int j = 0; j < k; j++) {
      total += value[j];
    }
    double all = Math.log(total);
    for (int j = 0; j < k; j++) {
      value[j] = Math.log(value[j]) - all;
    }
    return value;
  }

  /** The potential of all edges, if it is one. */
  protected static double[] checked(int k, double[] potential) {
    checkStates(k, potential);
    if (potential.length != k * k) {
      throw new IllegalArgumentException(
          "the potential has "
              + potential.length
              + " elements, but k is "
              + k
              + ": give "
              + k * k
              + ", a row for each state of the source");
    }
    for (int i = 0; i < potential.length; i++) {
      if (!(potential[i] >= LEAST && potential[i] <= MOST)) {
        throw new IllegalArgumentException(
            "row "
                + i / k
                + ", column "
                + i % k
                + " of the potential is "
                + potential[i]
                + ": "
                + NEED);
      }
    }
    return potential.clone();
  }

  private static void checkStates(int k, double[] potential) {
    int most = potential == null ? MAX_STATES_OF_EDGES : MAX_STATES;
    if (k < 1 || k > most) {
      throw new IllegalArgumentException(
          "k, the number of states, must be from 1 to " + most + ", but got " + k);
    }
  }

  @SuppressWarnings("unchecked") // edges with potentials of their own have arrays
  private static void check(ResidentGraph<double[], ?> graph, int k, boolean ofEdges) {
    ArrayCheck.Values priors =
        ArrayCheck.Values.finite(
                "prior",
                "priors",
                k,
                "k is " + k,
                "pass the length of the arrays as k",
                "priors need finite numbers of 0 or more, and one of more than 0; change it")
            .from(0, Double.MAX_VALUE)
            .withPositive();
    if (ofEdges) {
      ArrayCheck.arrays(
          (ResidentGraph<double[], double[]>) graph,
          priors,
          ArrayCheck.Values.finite(
                  "potential",
                  "elements",
                  k * k,
                  "k is " + k,
                  "give every edge k * k of them, a row for each state of its source",
                  NEED)
              .from(LEAST, MOST));
    } else {
      ArrayCheck.vertices(graph, priors);
    }
    PairCheck.check(graph);
  }
}
