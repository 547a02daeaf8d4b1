package org.sparkgpugraph.graphs.memory;

import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;

/**
 * Addresses of direct buffers. They are in a field that the JVM shows where {@code java.nio} is
 * open, as Spark has it.
 */
final class BufferAddress {
  private static final Field ADDRESS = field();

  private BufferAddress() {}

  private static Field field() {
    try {
      Field address = Buffer.class.getDeclaredField("address");
      return address.trySetAccessible() ? address : null;
    } catch (NoSuchFieldException e) {
      // Another JVM's library: elements are copied there.
      return null;
    }
  }

  /** The address of a buffer's first byte; 0 where it is on the heap, or nobody tells. */
  static long of(ByteBuffer buffer) {
    try {
      return ADDRESS == null || !buffer.isDirect() ? 0 : ADDRESS.getLong(buffer);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
