package org.sparkgpugraph.engine.device.settings;

import java.util.List;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;

/**
 * How messages that servers merge are laid out ({@code sgg/delegate.cuh}); kernels know it as
 * {@code SGG_DELEGATE_…}.
 */
public final class DelegateLayout {
  /** Servers of a launch at most: a client's warp counts its messages for each. */
  public static final int MOST_SERVERS = 128;

  /** Locks of a server, in shared memory; a power of two. */
  public static final int LOCKS = 4096;

  /** Fewest places of a server's ring: a word of bits for each of two laps. */
  public static final int LEAST_RING = 64;

  /** Most places of a server's ring. */
  public static final int MOST_RING = 1 << 16;

  /** Messages that a client's warp collects at most before it sends them. */
  public static final int MOST_STAGED = 128;

  /** Where it is counted how many warps of clients are finished, in words of the state … */
  public static final int FINISHED = 0;

  /** … and how often a warp found a ring full. */
  public static final int FULL = 1;

  /** Whether a server gave up. */
  public static final int STUCK = 2;

  /** Words from one server's counter to the next one's: a sector of the cache each. */
  public static final int STRIDE = 4;

  /** Where the counters of what is written begin … */
  public static final int WRITTEN = STRIDE;

  /** … and of what is read. */
  public static final int READ = WRITTEN + MOST_SERVERS * STRIDE;

  /** Words of the state. */
  public static final int WORDS = READ + MOST_SERVERS * STRIDE;

  /** Static shared memory that every GPU gives to a block. */
  public static final int SHARED_BYTES = 48 * 1024;

  private DelegateLayout() {}

  /**
   * Words of 64 bits of a message as it stands in registers, as a C compiler lays out its columns.
   */
  public static int words(List<? extends ColumnType> message) {
    int bytes = 0;
    for (ColumnType column : message) {
      Kind kind = column.kind();
      int element = kind == Kind.BOOLEAN ? Integer.BYTES : kind.bytes();
      bytes = (bytes + element - 1) / element * element + element * column.width();
    }
    return Math.max(1, (bytes + Long.BYTES - 1) / Long.BYTES);
  }

  /** Whether a client's warp has room to collect a round of its lanes' messages. */
  public static boolean fits(List<? extends ColumnType> message) {
    return staged(message) > 0;
  }

  /** Messages that a client's warp has room to collect: a multiple of its lanes. */
  public static int staged(List<? extends ColumnType> message) {
    int bytes = (SHARED_BYTES - 256) / LaunchSize.WARPS - Long.BYTES * MOST_SERVERS;
    int each = Long.BYTES * words(message) + Integer.BYTES;
    return Math.min(MOST_STAGED, bytes / each / 32 * 32);
  }
}
