package org.sparkgpugraph.graphs.model;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.graphs.memory.EdgeMemory;
import org.sparkgpugraph.graphs.memory.OffHeapMemoryException;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Takes blocks of edges off the heap, one behind the other into arrays that are shared, so that few
 * are needed whatever the size of the blocks. One thread adds.
 */
public final class EdgeStores {
  /** Most edges of a store: so many may be empty behind those that one thread adds. */
  public static final int MOST = 1 << 22;

  private final EdgeMemory memory;

  /** Reads values; null: they are left behind. */
  private final ValueCodec codec;

  /** That is filled; null: none. */
  private EdgeStore last;

  /** Room of the last store. */
  private int room;

  /** Edges that are still to come; 0: nobody knows. */
  private long expected;

  /**
   * @param edgeType type of the values to take along; null: none
   * @param expected edges that will come; 0: nobody knows
   */
  public EdgeStores(EdgeMemory memory, ValueType edgeType, long expected) {
    this.memory = memory;
    codec = edgeType == null || edgeType.columns().isEmpty() ? null : ValueCodec.of(edgeType);
    this.expected = expected;
  }

  /**
   * Takes a block.
   *
   * @return the same edges off the heap, in their order
   * @throws OffHeapMemoryException when there is no room for them
   * @throws NullValueException when a value is null. Where a block has none at all whoever builds
   *     of it is told so
   */
  public List<StoredEdgeBlock> add(EdgeBlock block) {
    List<StoredEdgeBlock> parts = new ArrayList<>();
    Kind kind = EdgeStore.kind(block);
    boolean valued = codec != null && block.values() != null;
    for (int from = 0; from < block.size(); ) {
      if (last == null || last.isFull() || !last.takes(kind, valued)) {
        seal();
        last = new EdgeStore(memory, kind, valued ? codec : null, nextRoom(block.size() - from));
      }
      int first = last.size();
      from = last.add(block, from);
      parts.add(last.block(first));
    }
    return parts;
  }

  /**
   * The same behind blocks that came before: those that are next to each other become one.
   *
   * @param to blocks of these stores, in order
   */
  public void addTo(List<? super StoredEdgeBlock> to, EdgeBlock block) {
    for (StoredEdgeBlock part : add(block)) {
      Object before = to.isEmpty() ? null : to.get(to.size() - 1);
      StoredEdgeBlock joined = before instanceof StoredEdgeBlock some ? some.with(part) : null;
      if (joined == null) {
        to.add(part);
      } else {
        to.set(to.size() - 1, joined);
      }
    }
  }

  /** Many may have few edges each: each takes about as much as it needs. */
  private int nextRoom(int edges) {
    room = (int) Math.min(MOST, expected > 0 ? expected : Math.max(edges, 2L * room));
    expected = Math.max(0, expected - room);
    return room;
  }

  /** What comes next goes to other arrays; call it when nothing comes any more. */
  public void seal() {
    if (last != null) {
      last.seal();
      last = null;
    }
  }
}
