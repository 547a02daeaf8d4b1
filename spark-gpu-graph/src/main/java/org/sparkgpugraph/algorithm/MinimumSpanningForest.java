package org.sparkgpugraph.algorithm;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.ChosenEdges;
import org.sparkgpugraph.algorithm.support.Claim;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.algorithm.support.Weights;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.load.GraphView;
import org.sparkgpugraph.runtime.load.ResidentState;
import org.sparkgpugraph.runtime.serial.RecordSerializer;
import org.sparkgpugraph.runtime.serial.TaskResult;

/**
 * A minimum spanning forest: of the edges of every connected component as many as connect all of
 * its vertices, without a cycle and with the smallest sum of weights. Edge directions do not count;
 * of parallel edges the lightest counts, self-loops do not. Weights may be negative.
 *
 * <p>Borůvka's algorithm (1926), in rounds: every component claims its lightest edge to another one
 * ({@link Claim}), and components that an edge connects become one. Of edges of the same weight the
 * one with the smaller ids comes first (first the smaller end, then the larger one), so that edges
 * are in a strict order: no cycle arises, and there is one forest, the same on every engine, with
 * any number of partitions and executors. Each round at least halves the number of components that
 * still have edges to others.
 *
 * <p>A round is one superstep over all edges, of which those inside of a component are passed over,
 * one superstep over a graph of the vertices and their components, which finds the component's
 * lightest edge, and {@link ConnectedComponents} of the forest so far, whose time hardly depends on
 * the length of its paths. The graphs of a round are loaded for it: about 80 bytes for a vertex
 * that still has edges to other components. In the end two programs on the forest give each tree a
 * root; the first has as many supersteps as the longest path from a root. GraphX has no such
 * algorithm.
 */
public class MinimumSpanningForest {
  protected static final Weights WEIGHTS =
      new Weights(
          "weight",
          "a spanning forest needs weights that are finite numbers",
          -Double.MAX_VALUE,
          Double.MAX_VALUE);

  private static final Joined MISSING = new Joined(0L, 0L, 0.0);

  /** More than any depth. */
  private static final long FAR = 1L << 40;

  /** Only for classes with more ways in. */
  protected MinimumSpanningForest() {}

  /**
   * A vertex of the forest, which is a tree for each component.
   *
   * @param component smallest id of its component, which is the root of the tree
   * @param parent the vertex next to it on the way to the root; a root's own id
   * @param weight of the edge to the parent; 0 at a root
   */
  @DefaultSerializer(RecordSerializer.class)
  public record Joined(long component, long parent, double weight) implements Serializable {}

  /**
   * A vertex in a round.
   *
   * @param component smallest id of what is connected so far
   * @param lightest of its edges to other components
   */
  @DefaultSerializer(RecordSerializer.class)
  record Choice(long component, Claim lightest) implements Serializable {}

  /**
   * A vertex of a tree.
   *
   * @param component smallest id in it
   * @param depth edges to the root
   * @param parent itself as long as it is not known
   * @param weight of the edge to the parent
   */
  @DefaultSerializer(RecordSerializer.class)
  record Placed(long component, long depth, long parent, double weight) implements Serializable {}

  /**
   * An edge towards the root.
   *
   * @param there whether there is one
   * @param vertex its other end
   */
  @DefaultSerializer(RecordSerializer.class)
  record Up(boolean there, long vertex, double weight) implements Serializable {
    /** There is one in a tree, but two components may have chosen it. */
    Up or(Up other) {
      return there ? this : other;
    }
  }

  /**
   * Runs on a resident graph, whose edge values are the weights.
   *
   * @return each vertex with its parent in the forest
   * @throws IllegalArgumentException when a weight is NaN or infinite
   */
  public static VertexResult<Joined> run(ResidentGraph<?, Double> graph, RunOptions options) {
    long began = System.nanoTime();
    try (Grown grown = grow(graph, options)) {
      VertexResult<Joined> result = values(ProgramBuilder.on(grown.graph()), options).runVertices();
      double seconds = (System.nanoTime() - began) / 1e9;
      return Internals.reporting(result, ofAll(result.report(), grown.rounds(), seconds));
    }
  }

  /** What the last pass tells, with the time of all rounds. */
  private static RunReport ofAll(RunReport last, int rounds, double seconds) {
    return new RunReport(
        last.engine(),
        last.reason(),
        last.summary(),
        0,
        last.loadSeconds(),
        seconds - last.loadSeconds() - last.collectSeconds(),
        last.transferSeconds(),
        last.kernelSeconds(),
        last.collectSeconds(),
        last.vertices(),
        last.edges(),
        last.hubSeconds(),
        List.of(
            rounds
                + (rounds == 1 ? " round" : " rounds")
                + " of Borůvka's, each of several programs; supersteps are those of the pass"
                + " that hands the forest over"),
        last.memory());
  }

  /** Tells what the program of the first round, which finds lightest edges, would do. */
  public static String explain(ResidentGraph<?, Double> graph, RunOptions options) {
    try (VertexResult<Long> ids = ids(graph, options);
        ResidentGraph<Long, Double> labelled = graph.withVertices(ids, Long.class)) {
      return lightest(ProgramBuilder.on(labelled), options).explain();
    }
  }

  /** The edges of a forest, from vertices to their parents, with their weights. */
  public static JavaRDD<EdgeBlock> edges(VertexResult<Joined> forest) {
    return forest.blocks().map(MinimumSpanningForest::edges);
  }

  private static EdgeBlock edges(VertexBlock block) {
    long[] from = new long[block.size()];
    long[] to = new long[block.size()];
    double[] weights = new double[block.size()];
    int size = 0;
    for (int i = 0; i < block.size(); i++) {
      Joined vertex = (Joined) Array.get(block.values(), block.slot(i));
      if (vertex.parent() != block.ids()[i]) {
        from[size] = block.ids()[i];
        to[size] = vertex.parent();
        weights[size++] = vertex.weight();
      }
    }
    return new GlobalEdgeBlock(
        size, Arrays.copyOf(from, size), Arrays.copyOf(to, size), Arrays.copyOf(weights, size));
  }

  /** The sum of the weights of a forest's edges, rounded once: it depends on no order. */
  public static double weight(VertexResult<Joined> forest) {
    return forest.blocks().map(block -> TaskResult.pack(weight(block))).collect().stream()
        .map(sum -> TaskResult.unpack(sum, BigDecimal.class))
        .reduce(BigDecimal.ZERO, BigDecimal::add)
        .doubleValue();
  }

  private static BigDecimal weight(VertexBlock block) {
    BigDecimal sum = BigDecimal.ZERO;
    for (int i = 0; i < block.size(); i++) {
      sum = sum.add(new BigDecimal(((Joined) Array.get(block.values(), block.slot(i))).weight()));
    }
    return sum;
  }

  /**
   * A graph with its forest as attributes.
   *
   * @param rounds that it took
   */
  protected record Grown(ResidentGraph<Joined, Double> graph, int rounds) implements AutoCloseable {
    @Override
    public void close() {
      graph.close();
    }
  }

  /** Finds the forest. */
  protected static Grown grow(ResidentGraph<?, Double> graph, RunOptions options) {
    String edges = Internals.state(graph).source().edgeType().className();
    if (!edges.equals(Double.class.getName())) {
      throw new IllegalArgumentException(
          "a spanning forest needs weights, edge values of class java.lang.Double, but the graph was"
              + " loaded with "
              + edges
              + ": load it with Double.class");
    }
    return WEIGHTS.checked(graph, () -> grown(graph, options));
  }

  private static Grown grown(ResidentGraph<?, Double> graph, RunOptions options) {
    ResidentGraph<Long, Double> labelled;
    ChosenEdges chosen;
    try (VertexResult<Long> ids = ids(graph, options)) {
      labelled = graph.withVertices(ids, Long.class);
      chosen = new ChosenEdges(ids);
    }
    Forest forest = null;
    try {
      for (int round = 1; ; round++) {
        try (VertexResult<Choice> choices =
            lightest(ProgramBuilder.on(labelled), options).runVertices()) {
          if (open(choices) == 0) {
            forest = forest == null ? Forest.of(chosen, options) : forest;
            return new Grown(forest.rooted(graph, options), round - 1);
          }
          choose(choices, round, chosen, options);
        }
        if (forest != null) {
          forest.close();
        }
        forest = Forest.of(chosen, options);
        labelled.close();
        labelled = with(graph, forest.components(), Long.class, 0L);
      }
    } finally {
      if (forest != null) {
        forest.close();
      }
      labelled.close();
      chosen.close();
    }
  }

  /**
   * The forest so far.
   *
   * @param edges its graph, with all vertices
   * @param components the smallest id of what each vertex is connected with
   */
  private record Forest(ResidentGraph<Object, Double> edges, VertexResult<Long> components)
      implements AutoCloseable {
    static Forest of(ChosenEdges chosen, RunOptions options) {
      ResidentGraph<Object, Double> edges = chosen.graph(options);
      try {
        return new Forest(edges, ConnectedComponents.run(edges, Integer.MAX_VALUE, options));
      } catch (Exception | Error e) {
        // Also Spark's own exceptions, which are checked though its methods do not declare them.
        edges.close();
        throw e;
      }
    }

    /** Gives the trees roots, as attributes of a graph of the same vertices. */
    ResidentGraph<Joined, Double> rooted(ResidentGraph<?, Double> graph, RunOptions options) {
      try (ResidentGraph<Long, Double> labelled = edges.withVertices(components, Long.class);
          VertexResult<Placed> depths = depths(labelled, options);
          ResidentGraph<Placed, Double> placed = edges.withVertices(depths, Placed.class);
          VertexResult<Joined> joined = parents(placed, options)) {
        return with(graph, joined, Joined.class, MISSING);
      }
    }

    @Override
    public void close() {
      components.close();
      edges.close();
    }
  }

  private static VertexResult<Long> ids(ResidentGraph<?, ?> graph, RunOptions options) {
    return ProgramBuilder.on(graph)
        .state((id, attribute, inDegree, outDegree) -> id)
        .initialMessage(0)
        .maxIterations(1)
        .activeWhen((id, before, after) -> false)
        .vertexProgram((id, value, message) -> value)
        .sendMessage(edge -> {})
        .mergeMessage(Integer::sum)
        .options(options)
        .runVertices();
  }

  /** Finds each vertex's lightest edge to another component. */
  static ProgramBuilder<Long, Double, Choice, Claim, Choice> lightest(
      ProgramBuilder<Long, Double, Long, Object, Long> on, RunOptions options) {
    return on.state((id, component, inDegree, outDegree) -> new Choice(component, Claim.NONE))
        .everyVertex(Claim.NONE)
        .maxIterations(1)
        .vertexProgram((id, vertex, first) -> new Choice(vertex.component(), first))
        .sendMessage(
            edge -> {
              double weight = edge.attr();
              if (!(Math.abs(weight) <= Double.MAX_VALUE)) {
                throw new IllegalArgumentException("an edge weight " + Weights.FAULT_IF_SIGNED);
              }
              if (edge.srcAttr().component() != edge.dstAttr().component()) {
                Claim claim = Claim.ofEdge(Claim.ascending(weight), edge.srcId(), edge.dstId());
                edge.sendToSrc(claim);
                edge.sendToDst(claim);
              }
            })
        .mergeMessage(Claim::first)
        .aggregate(
            "open",
            AggregateOperation.SUM,
            (id, before, after) -> after.lightest().isNone() ? 0.0 : 1.0)
        .options(options);
  }

  /** How many vertices have an edge to another component. */
  private static double open(VertexResult<Choice> choices) {
    List<SuperstepStats> supersteps = choices.report().summary().supersteps();
    return supersteps.isEmpty() ? 0 : supersteps.get(supersteps.size() - 1).aggregates()[0];
  }

  /** Adds the lightest edge of every component. */
  private static void choose(
      VertexResult<Choice> choices, int round, ChosenEdges chosen, RunOptions options) {
    if (round == 1) {
      chosen.add(choices.blocks().map(MinimumSpanningForest::ofVertices));
      return;
    }
    try (ResidentGraph<Object, Claim> members =
            ResidentGraph.load(
                choices.blocks().map(MinimumSpanningForest::members), Claim.class, options);
        VertexResult<Claim> ofComponents = ofComponents(members, options)) {
      chosen.add(ofComponents.blocks().map(block -> claims(block)));
    }
  }

  /** In the first round every vertex is a component. */
  private static Claim[] ofVertices(VertexBlock block) {
    Claim[] claims = new Claim[block.size()];
    for (int i = 0; i < claims.length; i++) {
      claims[i] = ((Choice) Array.get(block.values(), block.slot(i))).lightest();
    }
    return claims;
  }

  private static Claim[] claims(VertexBlock block) {
    Claim[] claims = new Claim[block.size()];
    for (int i = 0; i < claims.length; i++) {
      claims[i] = (Claim) Array.get(block.values(), block.slot(i));
    }
    return claims;
  }

  /** Edges from vertices with claims to their components, themselves among them. */
  private static EdgeBlock members(VertexBlock block) {
    long[] vertices = new long[block.size()];
    long[] components = new long[block.size()];
    Claim[] claims = new Claim[block.size()];
    int size = 0;
    for (int i = 0; i < block.size(); i++) {
      Choice choice = (Choice) Array.get(block.values(), block.slot(i));
      if (!choice.lightest().isNone()) {
        vertices[size] = block.ids()[i];
        components[size] = choice.component();
        claims[size++] = choice.lightest();
      }
    }
    return new GlobalEdgeBlock(
        size,
        Arrays.copyOf(vertices, size),
        Arrays.copyOf(components, size),
        Arrays.copyOf(claims, size));
  }

  private static VertexResult<Claim> ofComponents(
      ResidentGraph<Object, Claim> members, RunOptions options) {
    return ProgramBuilder.on(members)
        .state((id, attribute, inDegree, outDegree) -> Claim.NONE)
        .everyVertex(Claim.NONE)
        .maxIterations(1)
        .vertexProgram((id, none, first) -> first)
        .sendMessage(edge -> edge.sendToDst(edge.attr()))
        .mergeMessage(Claim::first)
        .options(options)
        .runVertices();
  }

  /** The graph with values of another one's vertices, which are the same. */
  private static <T> ResidentGraph<T, Double> with(
      ResidentGraph<?, Double> graph, VertexResult<T> values, Class<T> type, T missing) {
    GraphView view = Internals.view(graph);
    ResidentState state = view.state().withAttributes(values.blocks(), type, missing);
    return Internals.graph(new GraphView(state, view.reversed()));
  }

  private static VertexResult<Placed> depths(
      ResidentGraph<Long, Double> labelled, RunOptions options) {
    return ProgramBuilder.on(labelled)
        .state((id, component, inDegree, outDegree) -> component == id ? 0L : FAR)
        .initialMessage(FAR)
        .activeDirection(ActiveDirection.EITHER)
        .vertexProgram((id, depth, message) -> Math.min(depth, message))
        .sendMessage(
            edge -> {
              long behindSource = edge.srcAttr() + 1;
              long behindDestination = edge.dstAttr() + 1;
              if (behindSource < edge.dstAttr()) {
                edge.sendToDst(behindSource);
              }
              if (behindDestination < edge.srcAttr()) {
                edge.sendToSrc(behindDestination);
              }
            })
        .mergeMessage(Math::min)
        .monotone()
        .result((id, component, depth) -> new Placed(component, depth, id, 0.0))
        .options(options)
        .runVertices();
  }

  private static VertexResult<Joined> parents(
      ResidentGraph<Placed, Double> placed, RunOptions options) {
    return ProgramBuilder.on(placed)
        .everyVertex(new Up(false, 0L, 0.0))
        .maxIterations(1)
        .vertexProgram(
            (id, vertex, up) ->
                up.there()
                    ? new Placed(vertex.component(), vertex.depth(), up.vertex(), up.weight())
                    : vertex)
        .sendMessage(
            edge -> {
              if (edge.srcAttr().depth() < edge.dstAttr().depth()) {
                edge.sendToDst(new Up(true, edge.srcId(), edge.attr()));
              } else {
                edge.sendToSrc(new Up(true, edge.dstId(), edge.attr()));
              }
            })
        .mergeMessage(Up::or)
        .result(
            (id, before, vertex) ->
                new Joined(vertex.component(), vertex.parent(), vertex.weight()))
        .options(options)
        .runVertices();
  }

  /** The attributes. */
  protected static ProgramBuilder<Joined, Double, Joined, Integer, Joined> values(
      ProgramBuilder<Joined, Double, Joined, Object, Joined> on, RunOptions options) {
    return on.initialMessage(0)
        .maxIterations(1)
        .activeWhen((id, before, after) -> false)
        .vertexProgram((id, vertex, message) -> vertex)
        .sendMessage(edge -> {})
        .mergeMessage(Integer::sum)
        .options(options);
  }
}
