package org.sparkgpugraph.engine.device.settings;

import java.io.Serializable;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.sparkgpugraph.engine.device.DeviceProperties;

/**
 * Whether and how a gather of all rows reads the other ends' values in the order of how many edges
 * end there ({@code sgg/hot.cuh}): the hottest first, those of the hottest from shared memory. In
 * graphs with hubs most edges end at few vertices, and no cache is as near. What is gathered, and
 * in which order it is merged, stays as it is.
 *
 * @param choice whether
 * @param nearBytes shared memory of a block for the values of the hottest vertices, at most; 0:
 *     they are read as all others
 * @param threads of a block of the kernel that gathers so, of which a multiprocessor holds one: a
 *     multiple of 32 up to 1024
 * @param from where it is done under AUTO
 */
public record HotVertices(Choice choice, int nearBytes, int threads, From from)
    implements Serializable {
  /** Whether it is done. */
  public enum Choice {
    /** Where many edges end at vertices whose values are near, in runs that are long enough. */
    AUTO,
    /** Wherever a program allows it. */
    ON,
    /** Never. */
    OFF
  }

  /**
   * From where on it pays. R-MAT graphs of 17 to 268 million edges, of which 31 to 73 % end near,
   * gained 1.2 to 1.7 times on an H200; a lattice, of which none do, lost two fifths.
   *
   * @param supersteps of a run: ranks of vertices are made once for a graph, and that takes as long
   *     as some gathers
   * @param edges of a graph
   * @param share part of the edges that end at vertices whose values are near
   * @param sharedBytes most shared memory that a launch can give a block
   */
  public record From(int supersteps, long edges, double share, int sharedBytes)
      implements Serializable {}

  /** {@link #nearBytes}: as many as were best on an H200, see {@link #near}. */
  public static final int AS_MEASURED = Integer.MAX_VALUE;

  /** Where it pays. */
  public static final HotVertices DEFAULT =
      new HotVertices(Choice.AUTO, AS_MEASURED, 1024, new From(10, 10_000_000, 0.2, 160 << 10));

  /** What is near is a multiple of so many values: they are copied 16 bytes at a time. */
  private static final int ALIGNED = 16;

  /** Bytes of a lane's room for edges, as {@code sgg/policy.cuh} has it. */
  private static final int STAGE_BYTES = 128;

  /** Bytes of a warp's counts at the end of a launch ({@code sgg/tally.cuh}). */
  private static final int COUNTED_BYTES = 64;

  /** What a kernel can declare at most. */
  private static final int MOST_DECLARED = 48 << 10;

  /** What the driver takes of a block's shared memory. */
  private static final int DRIVER_BYTES = 1 << 10;

  /** What a block leaves to the cache of the shared memory that it could have: for 4 bytes … */
  private static final int LEFT_BYTES = 34 << 10;

  /** … and for 8 and more that are read of a vertex. */
  private static final int LEFT_BYTES_WIDE = 64 << 10;

  public HotVertices {
    Objects.requireNonNull(choice, "choice");
    Objects.requireNonNull(from, "from");
    if (nearBytes < 0
        || threads < DeviceProperties.WARP
        || threads > 1024
        || threads % DeviceProperties.WARP != 0) {
      throw new IllegalArgumentException(
          "hot vertices take 0 bytes of shared memory or more and blocks of 32 to 1024 threads, but"
              + " got "
              + this);
    }
  }

  /** The same under another choice. */
  public HotVertices with(Choice other) {
    return new HotVertices(other, nearBytes, threads, from);
  }

  /** The same with no more than so many bytes of values near. */
  public HotVertices withNear(int bytes) {
    return new HotVertices(choice, bytes, threads, from);
  }

  /** The same with blocks of another size. */
  public HotVertices withThreads(int size) {
    return new HotVertices(choice, nearBytes, size, from);
  }

  /** The same with other bounds of what pays. */
  public HotVertices withFrom(From other) {
    return new HotVertices(choice, nearBytes, threads, other);
  }

  /**
   * The same with blocks as large as the rooms for their edges allow.
   *
   * @param columns what is read of other ends
   * @param depth edges of a lane that are merged together, see {@link DenseTuning#edgesOfLane}
   */
  public HotVertices fitting(HotColumns columns, int depth) {
    HotVertices fitting = this;
    while (fitting.threads > DeviceProperties.WARP
        && fitting.declaredBytes(columns, depth) > MOST_DECLARED) {
      fitting = withThreads(fitting.threads / 2 / DeviceProperties.WARP * DeviceProperties.WARP);
    }
    return fitting;
  }

  /** Why a program's gathers do not, by what they read; empty: they may. */
  public Optional<String> refusal(HotColumns columns, int depth) {
    return choice == Choice.AUTO && fitting(columns, depth).threads < threads
        ? Optional.of(
            "an edge has " + columns.edgeBytes() + " bytes, for which blocks have no room")
        : Optional.empty();
  }

  /**
   * Shared memory that the kernel declares: rooms for edges, and counts.
   *
   * @param columns what is read of other ends
   * @param depth as above
   */
  public int declaredBytes(HotColumns columns, int depth) {
    int merged = depth;
    while (merged > 1 && merged * columns.edgeBytes() > STAGE_BYTES) {
      merged /= 2;
    }
    int lane = (merged * columns.edgeBytes() + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
    return threads * lane + COUNTED_BYTES * (threads / DeviceProperties.WARP);
  }

  /**
   * Values near. Shared memory is a part of the cache, in which values are under way that are not
   * near: where a block takes nearly all of it they are few, and a gather takes up to twice as
   * long. GPUs divide it in steps, those of data centres at last by 32 KiB: where nothing else is
   * asked for the last one is left out, and two of them where values are wide
   * (docs/performance.md).
   *
   * @param columns what is read of other ends
   * @param vertices whose values there are
   * @param depth as above
   * @param sharedBytes most shared memory that a launch can give a block
   */
  public int near(HotColumns columns, long vertices, int depth, int sharedBytes) {
    boolean wide = columns.bytes() > Float.BYTES;
    int left = nearBytes < AS_MEASURED ? 0 : wide ? LEFT_BYTES_WIDE : LEFT_BYTES;
    int room = Math.max(0, sharedBytes - left - DRIVER_BYTES - declaredBytes(columns, depth));
    long values = Math.min(vertices, Math.min(nearBytes, room) / columns.bytes());
    return (int) (values / ALIGNED * ALIGNED);
  }

  /** Why a run of so many supersteps at most does not; empty: it may. */
  public Optional<String> refusal(int supersteps) {
    return choice == Choice.AUTO && supersteps < from.supersteps()
        ? Optional.of(
            "in "
                + supersteps
                + " supersteps ranks of vertices save less than it takes to make them")
        : Optional.empty();
  }

  /**
   * Why the gathers of a GPU do not.
   *
   * @param sharedBytes most shared memory that a launch can give a block
   */
  public Optional<String> refusalOf(int sharedBytes) {
    return choice == Choice.AUTO && sharedBytes < from.sharedBytes()
        ? Optional.of(
            "a block has up to %s KiB of shared memory, and what they gain was measured with %s and more"
                .formatted(sharedBytes >> 10, from.sharedBytes() >> 10))
        : Optional.empty();
  }

  /** Why the gathers of a graph do not. */
  public Optional<String> refusal(long edges) {
    return choice == Choice.AUTO && edges < from.edges()
        ? Optional.of("the graph has " + edges + " edges, fewer than " + from.edges())
        : Optional.empty();
  }

  /**
   * Why they do not by what is near.
   *
   * @param share part of the edges that end there
   */
  public Optional<String> refusal(double share) {
    return choice == Choice.AUTO && share < from.share()
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "%.0f %% of the edges end at vertices whose values have room in shared memory, at least"
                    + " %.0f do where it pays",
                100 * share,
                100 * from.share()))
        : Optional.empty();
  }

  /** As options of benchmarks have it. */
  String title() {
    return switch (choice) {
      case AUTO -> "";
      case OFF -> "/hot=-1";
      case ON ->
          (nearBytes == DEFAULT.nearBytes ? "/hot" : "/hot=" + nearBytes)
              + (threads == DEFAULT.threads ? "" : "/hot-threads=" + threads);
    };
  }
}
