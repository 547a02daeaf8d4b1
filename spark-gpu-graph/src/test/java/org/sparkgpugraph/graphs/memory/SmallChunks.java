package org.sparkgpugraph.graphs.memory;

import java.nio.ByteBuffer;
import java.util.stream.IntStream;
import org.sparkgpugraph.program.ir.Kind;

/** Direct memory in chunks of {@value #BYTES} bytes, so that most ranges lie in several. */
public final class SmallChunks implements EdgeMemory {
  private final DirectMemory.Budget copies;

  /** Bytes of a chunk. */
  public static final int BYTES = 1 << 12;

  /** Whose copies nobody counts. */
  public SmallChunks() {
    this(null);
  }

  /**
   * @param copies counts copies of what lies in several chunks
   */
  public SmallChunks(DirectMemory.Budget copies) {
    this.copies = copies;
  }

  @Override
  public OffHeapArray allocate(Kind kind, int length) {
    int all = kind.bytes() * length;
    ByteBuffer[] chunks =
        IntStream.range(0, (all + BYTES - 1) / BYTES)
            .mapToObj(c -> ByteBuffer.allocateDirect(Math.min(BYTES, all - c * BYTES)))
            .toArray(ByteBuffer[]::new);
    return new OffHeapArray(kind, length, chunks, BYTES, null, copies);
  }

  @Override
  public boolean hasRoom(long bytes) {
    return true;
  }

  @Override
  public long bytes() {
    return 0;
  }

  @Override
  public long mappedBytes() {
    return 0;
  }
}
