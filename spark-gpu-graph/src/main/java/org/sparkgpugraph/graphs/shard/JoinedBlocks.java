package org.sparkgpugraph.graphs.shard;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.sparkgpugraph.graphs.memory.BuildMemory;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;

/**
 * Blocks of edges of which small neighbours are made one: readers of files and generators deliver
 * some thousand edges at a time, and what is routed together is told of each source once and
 * becomes a few parcels. The edges and their order stay. Only blocks without a dictionary, with
 * values in arrays of one class or none, are joined, and only where there is room for the copy.
 */
final class JoinedBlocks implements Iterator<EdgeBlock> {
  private final Iterator<? extends EdgeBlock> blocks;
  private final int most;
  private final BuildMemory.Reservation memory;

  /** Read, and not given yet; null: nothing. */
  private EdgeBlock ahead;

  private long reserved;

  /**
   * @param most edges of a block that is made
   * @param memory where the block that was given last is reserved, if it was made here, until the
   *     next one is asked for
   */
  JoinedBlocks(Iterator<? extends EdgeBlock> blocks, int most, BuildMemory.Reservation memory) {
    this.blocks = blocks;
    this.most = most;
    this.memory = memory;
  }

  /** Whether there is another one; the one before is not needed any more. */
  @Override
  public boolean hasNext() {
    memory.release(reserved);
    reserved = 0;
    return ahead != null || blocks.hasNext();
  }

  @Override
  public EdgeBlock next() {
    if (!hasNext()) {
      throw new NoSuchElementException("no more blocks");
    }
    EdgeBlock first = ahead == null ? blocks.next() : ahead;
    ahead = null;
    if (!isPlain(first)) {
      return first;
    }
    List<EdgeBlock> some = new ArrayList<>(List.of(first));
    long bytes = first.bytes();
    int size = first.size();
    while (blocks.hasNext()) {
      EdgeBlock next = blocks.next();
      boolean joins =
          size + (long) next.size() <= most
              && isAlike(first, next)
              && memory.hasRoom(bytes + next.bytes());
      if (!joins) {
        ahead = next;
        break;
      }
      some.add(next);
      bytes += next.bytes();
      size += next.size();
    }
    if (some.size() == 1) {
      return first;
    }
    memory.acquire(bytes);
    reserved = bytes;
    return joined(some, size);
  }

  private static boolean isPlain(EdgeBlock block) {
    return (block instanceof IntEdgeBlock || block instanceof GlobalEdgeBlock)
        && (block.values() == null || block.values().getClass().isArray());
  }

  private static boolean isAlike(EdgeBlock some, EdgeBlock other) {
    return some.getClass() == other.getClass()
        && isPlain(other)
        && valueClass(some) == valueClass(other);
  }

  private static Class<?> valueClass(EdgeBlock block) {
    return block.values() == null ? null : block.values().getClass();
  }

  private static EdgeBlock joined(List<EdgeBlock> blocks, int size) {
    Object values =
        valueClass(blocks.get(0)) == null ? null : joined(blocks, size, EdgeBlock::values);
    if (blocks.get(0) instanceof IntEdgeBlock) {
      return new IntEdgeBlock(
          size,
          (int[]) joined(blocks, size, block -> ((IntEdgeBlock) block).sources()),
          (int[]) joined(blocks, size, block -> ((IntEdgeBlock) block).destinations()),
          values);
    }
    return new GlobalEdgeBlock(
        size,
        (long[]) joined(blocks, size, block -> ((GlobalEdgeBlock) block).sources()),
        (long[]) joined(blocks, size, block -> ((GlobalEdgeBlock) block).destinations()),
        values);
  }

  private static Object joined(
      List<EdgeBlock> blocks, int size, Function<EdgeBlock, Object> array) {
    Object all = Array.newInstance(array.apply(blocks.get(0)).getClass().getComponentType(), size);
    int next = 0;
    for (EdgeBlock block : blocks) {
      System.arraycopy(array.apply(block), 0, all, next, block.size());
      next += block.size();
    }
    return all;
  }
}
