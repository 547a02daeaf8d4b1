package org.sparkgpugraph.engine.cuda;

import org.sparkgpugraph.engine.device.MemoryInfo;
import org.sparkgpugraph.engine.device.Reclaimable;

/**
 * Memory of a GPU that another library of this process manages, and shares: a device takes all of
 * its own from there, so that the bounds of both hold. Thread-safe.
 */
public interface SharedPool {
  /** A buffer of the pool. */
  interface Buffer extends AutoCloseable {
    /** Where it is on the GPU. */
    long address();

    /** Gives it back; nothing may use it any more. Twice is harmless. */
    @Override
    void close();
  }

  /** The pool has refused; the message says why. */
  final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    public RefusedException(String why) {
      super(why);
    }

    public RefusedException(String why, Throwable cause) {
      super(why, cause);
    }
  }

  /**
   * Allocates memory that may be used at once, on any stream. The context of the GPU is current.
   *
   * @param bytes more than 0
   * @throws RefusedException when there is none, although others were asked to make room
   */
  Buffer allocate(long bytes) throws RefusedException;

  /**
   * What can be allocated, when others have made room that can, and what the pool has in all.
   *
   * @param gpu what the GPU has
   */
  MemoryInfo memory(MemoryInfo gpu);

  /** Has others ask this for memory when they need it, for as long as it exists. */
  void reclaimFrom(Reclaimable reclaimable);

  /** Which pool, and how much of it may be taken, for users. */
  String describe();
}
