package org.sparkgpugraph.algorithm.learning;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.algorithm.support.Weights;
import org.sparkgpugraph.function.EdgePredicate;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.graphs.rdd.KeptRdd;
import org.sparkgpugraph.run.RunOptions;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * The graph on which beliefs run: an edge u → v of the given graph becomes four vertices, whose ids
 * are behind the largest that it has.
 *
 * <pre>
 * u ──▶ FORTH ──▶ v        the message m(u, v)
 * v ──▶ BACK ──▶ u         the message m(v, u)
 * FORTH ──▶ FORTH_RELAY ──▶ BACK
 * BACK ──▶ BACK_RELAY ──▶ FORTH
 * </pre>
 *
 * <p>A message leaves out what its receiver said. That reaches it within the belief of its sender,
 * over two edges, and over two edges through the relay, to be taken out again: both are of the same
 * superstep, so that what is taken out is what is in there. Vertices of the given graph and relays
 * change in one superstep, messages in the next.
 *
 * <p>Vertex attributes are arrays of one length: the prior of a vertex of the given graph in front,
 * else zeros; where edges have potentials of their own, an array of k · k of a message, from the
 * sender's state (row) to the receiver's (column).
 *
 * <p>Edges are numbered by their place in the source, which must give them in the same order each
 * time it is read, as files and GraphX's edge partitions do.
 */
final class FactorGraph implements AutoCloseable {
  /** A vertex of the given graph. */
  static final int VERTEX = 0;

  /** The message along an edge. */
  static final int FORTH = 1;

  /** The message against it. */
  static final int BACK = 2;

  /** What is taken out of a message. */
  static final int RELAY = 3;

  /** Vertices of an edge. */
  private static final int OWN = 4;

  /** Edges of the given graph whose edges, eight for each, share a block. */
  private static final int AT_ONCE = 1 << 11;

  /** From here on there is no room for the vertices of edges. */
  private static final long MOST_ID = 1L << 61;

  private final KeptRdd<VertexBlock> priors;
  private final ResidentGraph<Object, Object> structure;
  private final ResidentGraph<double[], Object> graph;
  private final long base;

  private FactorGraph(
      KeptRdd<VertexBlock> priors,
      ResidentGraph<Object, Object> structure,
      ResidentGraph<double[], Object> graph,
      long base) {
    this.priors = priors;
    this.structure = structure;
    this.graph = graph;
    this.base = base;
  }

  /**
   * Loads the graph.
   *
   * @param given its vertex attributes are the priors, {@code double[k]}
   * @param ofEdges whether edge values are potentials, {@code double[k * k]}, from the state of the
   *     source (row) to that of the destination (column)
   */
  static FactorGraph of(
      ResidentGraph<double[], ?> given, int k, boolean ofEdges, RunOptions options) {
    int length = ofEdges ? Math.multiplyExact(k, k) : k;
    ClassTag<VertexBlock> tag = ClassTag$.MODULE$.apply(VertexBlock.class);
    KeptRdd<VertexBlock> priors;
    try (VertexResult<double[]> result = priors(given)) {
      // What is lost with an executor is loaded again of these.
      priors = KeptRdd.of(result.blocks().rdd(), tag);
    }
    ResidentGraph<Object, Object> structure = null;
    try {
      JavaRDD<VertexBlock> vertices = new JavaRDD<>(priors, tag);
      long most = vertices.map(block -> largest(block)).reduce(Math::max);
      if (most >= MOST_ID) {
        throw new IllegalArgumentException(
            "vertex "
                + most
                + " leaves no ids for the messages behind it: ids must be less than 2^61");
      }
      long base = Math.max(0, most + 1);
      Source source = Source.of(given, base);
      structure =
          ResidentGraph.load(
              source.edges(),
              vertices.map(
                  block -> new VertexBlock(block.size(), block.ids(), null, block.size(), null)),
              Object.class,
              options);
      JavaPairRDD<Long, double[]> attributes =
          vertices.flatMapToPair(block -> padded(block, length).iterator());
      if (ofEdges) {
        attributes = attributes.union(source.potentials(k));
      }
      return new FactorGraph(
          priors,
          structure,
          structure.withVertices(attributes, double[].class, new double[length]),
          base);
    } catch (RuntimeException | Error e) {
      if (structure != null) {
        structure.close();
      }
      priors.free();
      throw e;
    }
  }

  ResidentGraph<double[], Object> graph() {
    return graph;
  }

  /** The first id that no vertex of the given graph has. */
  long base() {
    return base;
  }

  /** What a vertex is: {@link #VERTEX}, {@link #FORTH}, {@link #BACK} or {@link #RELAY}. */
  static int kind(long id, long base) {
    if (id < base) {
      return VERTEX;
    }
    int own = (int) ((id - base) % OWN);
    return own == 0 ? FORTH : own == 1 ? BACK : RELAY;
  }

  /** Attributes of the vertices of a block. */
  private static List<Tuple2<Long, double[]>> padded(VertexBlock block, int length) {
    List<Tuple2<Long, double[]>> attributes = new ArrayList<>();
    for (int i = 0; i < block.size(); i++) {
      double[] prior = (double[]) Array.get(block.values(), block.slot(i));
      attributes.add(new Tuple2<>(block.ids()[i], Arrays.copyOf(prior, length)));
    }
    return attributes;
  }

  private static VertexResult<double[]> priors(ResidentGraph<double[], ?> given) {
    return ProgramBuilder.on(given)
        .initialMessage(0)
        .activeWhen((id, before, after) -> false)
        .maxIterations(1)
        .vertexProgram((id, prior, none) -> prior)
        .sendMessage(edge -> {})
        .mergeMessage(Integer::sum)
        .options(Weights.search(null, null))
        .runVertices();
  }

  private static long largest(VertexBlock block) {
    return LongStream.of(block.ids()).limit(block.size()).max().orElse(Long.MIN_VALUE);
  }

  /** The given graph's edges, where they come from. */
  private record Source(
      JavaRDD<EdgeBlock> blocks, EdgePredicate kept, boolean reversed, long base) {
    static Source of(ResidentGraph<?, ?> given, long base) {
      var view = Internals.view(given);
      var state = view.state();
      return new Source(state.edgesOnHost(), state.keptOfSource(), view.reversed(), base);
    }

    JavaRDD<EdgeBlock> edges() {
      EdgePredicate which = kept;
      boolean turned = reversed;
      long first = base;
      int parts = blocks.getNumPartitions();
      return blocks.mapPartitionsWithIndex(
          (part, all) -> new Expanded(new Edges(all, which, turned, first, part, parts)), false);
    }

    JavaPairRDD<Long, double[]> potentials(int k) {
      EdgePredicate which = kept;
      boolean turned = reversed;
      long first = base;
      int parts = blocks.getNumPartitions();
      return blocks
          .mapPartitionsWithIndex(
              (part, all) -> new Potentials(new Edges(all, which, turned, first, part, parts), k),
              false)
          .mapToPair(pair -> pair);
    }
  }

  /** Edges of a partition one after the other. */
  private static final class Edges {
    private final Iterator<EdgeBlock> blocks;
    private final EdgePredicate kept;
    private final boolean reversed;
    private final long base;
    private final int part;
    private final int parts;
    private EdgeBlock block;
    private int next;
    private long number = -1;

    Edges(
        Iterator<EdgeBlock> blocks,
        EdgePredicate kept,
        boolean reversed,
        long base,
        int part,
        int parts) {
      this.blocks = blocks;
      this.kept = kept;
      this.reversed = reversed;
      this.base = base;
      this.part = part;
      this.parts = parts;
    }

    /** Goes to the next one. */
    boolean advance() {
      do {
        while (block == null || next >= block.size()) {
          if (!blocks.hasNext()) {
            return false;
          }
          block = blocks.next();
          next = 0;
        }
        next++;
      } while (kept != null && !kept.test(block.source(next - 1), block.destination(next - 1)));
      number++;
      return true;
    }

    long source() {
      return reversed ? block.destination(next - 1) : block.source(next - 1);
    }

    long destination() {
      return reversed ? block.source(next - 1) : block.destination(next - 1);
    }

    /** The first of its vertices. */
    long forth() {
      return base + OWN * (number * parts + part);
    }

    double[] potential(int k) {
      if (block.values() instanceof Columns columns) {
        double[] all = (double[]) columns.array(0);
        double[] own = new double[k * k];
        System.arraycopy(all, (next - 1) * own.length, own, 0, own.length);
        return own;
      }
      return (double[]) Array.get(block.values(), next - 1);
    }
  }

  /** The edges that an edge becomes. */
  private static final class Expanded implements Iterator<EdgeBlock> {
    private final Edges edges;
    private boolean hasMore;

    Expanded(Edges edges) {
      this.edges = edges;
      hasMore = edges.advance();
    }

    @Override
    public boolean hasNext() {
      return hasMore;
    }

    @Override
    public EdgeBlock next() {
      if (!hasMore) {
        throw new NoSuchElementException();
      }
      long[] from = new long[2 * OWN * AT_ONCE];
      long[] to = new long[from.length];
      int size = 0;
      while (hasMore && size < from.length) {
        long forth = edges.forth();
        long back = forth + 1;
        long forthRelay = forth + 2;
        long backRelay = forth + 3;
        long[] path = {
          edges.source(), forth, edges.destination(), back, edges.source(),
        };
        for (int i = 1; i < path.length; i++) {
          from[size] = path[i - 1];
          to[size++] = path[i];
        }
        long[] relays = {forth, forthRelay, back, backRelay, forth};
        for (int i = 1; i < relays.length; i++) {
          from[size] = relays[i - 1];
          to[size++] = relays[i];
        }
        hasMore = edges.advance();
      }
      return new GlobalEdgeBlock(size, from, to, null);
    }
  }

  /** Potentials of both messages of an edge. */
  private static final class Potentials implements Iterator<Tuple2<Long, double[]>> {
    private final Edges edges;
    private final int k;
    private final List<Tuple2<Long, double[]>> ready = new ArrayList<>();

    Potentials(Edges edges, int k) {
      this.edges = edges;
      this.k = k;
    }

    @Override
    public boolean hasNext() {
      if (ready.isEmpty() && edges.advance()) {
        double[] forth = edges.potential(k);
        double[] back = new double[k * k];
        for (int i = 0; i < k; i++) {
          for (int j = 0; j < k; j++) {
            back[j * k + i] = forth[i * k + j];
          }
        }
        ready.add(new Tuple2<>(edges.forth(), forth));
        ready.add(new Tuple2<>(edges.forth() + 1, back));
      }
      return !ready.isEmpty();
    }

    @Override
    public Tuple2<Long, double[]> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return ready.remove(0);
    }
  }

  @Override
  public void close() {
    graph.close();
    structure.close();
    priors.free();
  }
}
