package org.sparkgpugraph.engine.device;

import java.nio.ByteBuffer;

/** Page-locked host memory, which a device copies from and to at full speed. */
public interface PinnedMemory extends AutoCloseable {
  /** The memory, in native byte order; not to be used after {@link #close()}. */
  ByteBuffer buffer();

  @Override
  void close();
}
