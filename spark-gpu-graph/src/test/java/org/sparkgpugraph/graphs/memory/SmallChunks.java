package org.sparkgpugraph.graphs.memory;

import java.nio.ByteBuffer;
import java.util.stream.IntStream;
import org.sparkgpugraph.program.ir.Kind;

/** Direct memory in chunks of {@value #BYTES} bytes, so that most ranges lie in several. */
public final class SmallChunks implements EdgeMemory {
  /** Bytes of a chunk. */
  public static final int BYTES = 1 << 12;

  @Override
  public OffHeapArray allocate(Kind kind, int length) {
    int all = kind.bytes() * length;
    ByteBuffer[] chunks =
        IntStream.range(0, (all + BYTES - 1) / BYTES)
            .mapToObj(c -> ByteBuffer.allocateDirect(Math.min(BYTES, all - c * BYTES)))
            .toArray(ByteBuffer[]::new);
    return new OffHeapArray(kind, length, chunks, BYTES, null);
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
