package org.sparkgpugraph.runtime.held;

import java.util.Iterator;
import org.sparkgpugraph.graphs.memory.BuildMemory;
import org.sparkgpugraph.graphs.model.DeviceEdgeBlock;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.runtime.rapids.GpuTurn;
import org.sparkgpugraph.runtime.rapids.Rapids;

/**
 * Blocks of edges as they come, those that are on a GPU as copies on the heap: also blocks without
 * edges, whose columns nobody would ask for and free. What copies take is reserved before they are
 * made, as long as their reader may have them: until it asks for the one after the next, since it
 * may have one in hand while it looks at the next. Not thread-safe.
 */
public final class HostCopies implements Iterator<EdgeBlock> {
  private final Iterator<EdgeBlock> blocks;
  private final BuildMemory.Reservation memory;
  private long last;
  private long before;

  /**
   * @param memory where copies are reserved; whoever made it closes it
   */
  public HostCopies(Iterator<EdgeBlock> blocks, BuildMemory.Reservation memory) {
    this.blocks = blocks;
    this.memory = memory;
  }

  /** A block whose heap is reserved, on the heap. The running task's turn on the GPU ends. */
  static EdgeBlock copied(EdgeBlock block) {
    if (!(block instanceof DeviceEdgeBlock onDevice)) {
      return block;
    }
    // Whoever reads the copy needs no GPU: other tasks may make their tables meanwhile.
    try (GpuTurn turn = Rapids.turn();
        DeviceEdgeBlock closed = onDevice) {
      return closed.onHost();
    }
  }

  @Override
  public boolean hasNext() {
    return blocks.hasNext();
  }

  /**
   * {@inheritDoc}
   *
   * @throws RuntimeException that names the bytes, when there is no room for the copy; the columns
   *     are freed then
   */
  @Override
  public EdgeBlock next() {
    if (before > 0) {
      // All tasks ask the same lock.
      memory.release(before);
    }
    before = last;
    last = 0;
    EdgeBlock block = blocks.next();
    if (block instanceof DeviceEdgeBlock onDevice) {
      try {
        memory.acquire(onDevice.copyBytes());
      } catch (Throwable e) {
        onDevice.close();
        throw e;
      }
      last = onDevice.copyBytes();
    }
    return copied(block);
  }
}
