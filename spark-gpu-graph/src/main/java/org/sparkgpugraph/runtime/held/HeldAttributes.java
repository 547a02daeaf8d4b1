package org.sparkgpugraph.runtime.held;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.ValueCodec;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.runtime.serial.ValueBoxes;

/** Vertex attributes in an executor's memory: by dense id, with zeros where there is no vertex. */
public final class HeldAttributes {
  private HeldAttributes() {}

  /** Attributes as the source has them; ends of edges that are no vertices get zeros. */
  public static Columns read(ValueType type, ExecutorGraph graph, List<VertexBlock> blocks) {
    Columns attributes = allocate(type, graph);
    if (blocks == null) {
      throw new IllegalArgumentException(
          "the program reads vertex attributes, but the graph was loaded from edges alone");
    }
    ValueCodec codec = ValueCodec.of(type);
    blocks.forEach(block -> put(codec, block, rows(block, graph), attributes));
    return attributes;
  }

  /** Zeros. */
  public static Columns allocate(ValueType type, ExecutorGraph graph) {
    return Columns.allocate(type.columns(), Math.toIntExact(graph.ids().size()));
  }

  private static int[] rows(VertexBlock block, ExecutorGraph graph) {
    int[] rows = new int[block.size()];
    long[] ids = block.ids();
    for (int i = 0; i < rows.length; i++) {
      rows[i] = (int) graph.ids().dense(ids[i]);
    }
    return rows;
  }

  private static void put(ValueCodec codec, VertexBlock block, int[] rows, Columns attributes) {
    codec.read(
        block.values(),
        block.slots(),
        0,
        block.size(),
        attributes,
        rows,
        i -> "vertex " + block.ids()[i]);
  }

  /**
   * Holds a graph once more under another key, with other vertex attributes.
   *
   * @param missing attribute of the vertices that the blocks do not name
   * @param verticesOnly whether blocks may name vertices held here alone; otherwise the graph may
   *     have been masked since they were checked, and what they say of other ids is left out
   * @throws IllegalArgumentException when a block names an id that it may not name, or one is named
   *     twice
   */
  public static void replace(
      String key,
      String newKey,
      ValueType type,
      Object missing,
      Iterator<VertexBlock> blocks,
      boolean verticesOnly) {
    HeldGraph held = ExecutorRegistry.graph(key);
    Columns attributes = allocate(type, held.graph());
    attributes.fill(0, attributes.length(), ValueBoxes.of(type, missing));
    ValueCodec codec = ValueCodec.of(type);
    BitSet named = new BitSet();
    while (blocks.hasNext()) {
      VertexBlock block = blocks.next();
      int[] rows = rows(block, held.graph());
      boolean known = true;
      for (int i = 0; i < rows.length; i++) {
        if (verticesOnly && !held.isVertex(rows[i])) {
          throw new IllegalArgumentException(
              "there is a value for vertex "
                  + block.ids()[i]
                  + ", which the graph does not have: leave it out, or add the vertex");
        }
        known &= rows[i] >= 0;
        if (rows[i] >= 0 && named.get(rows[i])) {
          throw new IllegalArgumentException(
              "there are several values for vertex " + block.ids()[i] + ": leave all but one out");
        } else if (rows[i] >= 0) {
          named.set(rows[i]);
        }
      }
      put(codec, known ? block : known(block, rows), known ? rows : known(rows), attributes);
    }
    ExecutorRegistry.putGraph(newKey, held.with(attributes));
  }

  /** What a block says of ids that the graph knows. */
  private static VertexBlock known(VertexBlock block, int[] rows) {
    int[] kept = IntStream.range(0, rows.length).filter(i -> rows[i] >= 0).toArray();
    return new VertexBlock(
        kept.length,
        Arrays.stream(kept).mapToLong(i -> block.ids()[i]).toArray(),
        Arrays.stream(kept).map(block::slot).toArray(),
        block.capacity(),
        block.values());
  }

  private static int[] known(int[] rows) {
    return Arrays.stream(rows).filter(row -> row >= 0).toArray();
  }

  /** Holds a graph once more under another key, with a result as its vertex attributes. */
  public static void adopt(String key, String newKey, String resultKey) {
    HeldGraph held = ExecutorRegistry.graph(key);
    HeldResult result = ExecutorRegistry.result(resultKey);
    ExecutorGraph graph = held.graph();
    int first = first(graph);
    if (result.ids() != graph.ids() && !sameVertices(result, graph)) {
      throw new IllegalArgumentException(
          "the values belong to another graph; use withVertices(values.toPairs(), ...)");
    }
    // A result of a masked graph may be adopted by a graph that is masked further, not by a larger.
    for (int i = 0; result.present() != null && i < result.held(); i++) {
      if (!result.has(result.first() + i) && held.isVertex(first + i)) {
        throw new IllegalArgumentException(
            "there is no value for vertex "
                + graph.ids().original(first + i)
                + ": the values belong to a masked graph; use withVertices(values.toPairs(), …)");
      }
    }
    Columns values = result.values();
    if (result.ids() != graph.ids()) {
      values = Columns.allocate(values.kinds(), Math.toIntExact(graph.ids().size()));
      values.copyFrom(result.values(), result.first(), first, result.held());
    }
    ExecutorRegistry.putGraph(newKey, held.with(values));
  }

  /** A shard that was loaded again knows other ghosts, but holds the same vertices. */
  private static boolean sameVertices(HeldResult result, ExecutorGraph graph) {
    int first = first(graph);
    boolean same = result.held() == stored(graph);
    for (int i = 0; same && i < result.held(); i++) {
      same = result.ids().original(result.first() + i) == graph.ids().original(first + i);
    }
    return same;
  }

  /** The same attributes for a shard that was built again; those of its ghosts are not known. */
  public static Columns carryOver(HeldGraph from, ExecutorGraph to) {
    Columns attributes =
        Columns.allocate(from.attributes().kinds(), Math.toIntExact(to.ids().size()));
    attributes.copyFrom(from.attributes(), first(from.graph()), first(to), stored(to));
    return attributes;
  }

  /** First dense id whose row is held. */
  static int first(ExecutorGraph graph) {
    return graph.partitions().isEmpty() ? 0 : (int) graph.partitions().get(0).firstVertex();
  }

  /** Number of rows held. */
  static int stored(ExecutorGraph graph) {
    return graph.partitions().stream().mapToInt(GraphPartition::stored).sum();
  }
}
