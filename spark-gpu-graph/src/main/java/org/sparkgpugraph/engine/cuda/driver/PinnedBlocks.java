package org.sparkgpugraph.engine.cuda.driver;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import jcuda.Pointer;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/**
 * Page-locked host memory of a context. To lock pages takes longer than to use them once, so what
 * is given back is kept for those who come next, up to a bound. Sizes are powers of two, so that a
 * block fits more than one use. Thread-safe; the context is current whenever this is called.
 */
final class PinnedBlocks {
  /** Most bytes that are kept while nobody uses them. */
  private static final long MOST_IDLE = 1L << 30;

  /** The least that is locked, a page. */
  private static final int LEAST = 1 << 12;

  private final CudaContext context;
  private final Map<Integer, Deque<Pointer>> idle = new TreeMap<>();
  private long idleBytes;

  PinnedBlocks(CudaContext context) {
    this.context = context;
  }

  /** Bytes of the block that so many bytes take; no more than asked for where no power fits. */
  static int size(int bytes) {
    int power = Integer.highestOneBit(Math.max(LEAST, bytes));
    return power >= bytes || power << 1 < 0 ? Math.max(power, bytes) : power << 1;
  }

  /**
   * A block; its content is undefined.
   *
   * @param bytes a {@link #size}
   * @param purpose for the message of a failure
   */
  synchronized Pointer take(int bytes, String purpose) {
    Deque<Pointer> blocks = idle.get(bytes);
    if (blocks != null && !blocks.isEmpty()) {
      idleBytes -= bytes;
      return blocks.pop();
    }
    Pointer made = new Pointer();
    int code = JCudaDriver.cuMemHostAlloc(made, bytes, JCudaDriver.CU_MEMHOSTALLOC_PORTABLE);
    if (code != CUresult.CUDA_SUCCESS && idleBytes > 0) {
      clear();
      code = JCudaDriver.cuMemHostAlloc(made, bytes, JCudaDriver.CU_MEMHOSTALLOC_PORTABLE);
    }
    if (code != CUresult.CUDA_SUCCESS) {
      throw context.failure(
          code, "allocation of " + purpose, "the host has too little memory to lock (ulimit -l)");
    }
    return made;
  }

  /** Takes a block back that no copy uses any more. */
  synchronized void give(Pointer block, int bytes) {
    if (idleBytes + bytes > MOST_IDLE) {
      free(block);
      return;
    }
    idle.computeIfAbsent(bytes, size -> new ArrayDeque<>()).push(block);
    idleBytes += bytes;
  }

  /** Frees what nobody uses. */
  synchronized void clear() {
    idle.values().forEach(blocks -> blocks.forEach(this::free));
    idle.clear();
    idleBytes = 0;
  }

  private void free(Pointer block) {
    context.check(JCudaDriver.cuMemFreeHost(block), "freeing page-locked memory");
  }
}
