package org.sparkgpugraph.graphs.memory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.sparkgpugraph.program.ir.Kind;

/** A disk of mapped files that fills up, or no longer gives what was written to it. */
public final class FaultyDisk {
  /** Bytes for which there is room still. */
  private final AtomicLong room = new AtomicLong(Long.MAX_VALUE);

  private final AtomicLong written = new AtomicLong();

  private volatile Runnable then;

  /** Files in folders of this disk, which says that it has much room. */
  public MappedMemory mapped(List<Path> folders) {
    return new MappedMemory(
        folders,
        null,
        MappedMemory.PART_BYTES,
        folder -> 1L << 40,
        store ->
            new OffHeapArray.Store() {
              @Override
              public void write(ByteBuffer from, long at) throws IOException {
                if (room.addAndGet(-from.remaining()) < 0) {
                  full();
                }
                written.addAndGet(from.remaining());
                store.write(from, at);
              }

              @Override
              public void close() {
                store.close();
              }

              @Override
              public void failed() {
                store.failed();
              }

              @Override
              public String place() {
                return store.place();
              }
            });
  }

  /** Either there is no more room, or something else is to happen once. */
  private void full() throws IOException {
    Runnable now = then;
    if (now == null) {
      throw new IOException("No space left on device");
    }
    leave(Long.MAX_VALUE);
    then = null;
    now.run();
  }

  /** Does something when so many bytes more were written, in the thread that writes. */
  public void behind(long bytes, Runnable what) {
    then = what;
    leave(bytes);
  }

  /**
   * The process's own memory, of which the system refuses what is more than so many buffers.
   *
   * @param bytes that may be taken
   * @param left counts down with each buffer; below zero where some were refused
   */
  public static DirectMemory refusing(long bytes, AtomicInteger left) {
    return new DirectMemory(
        DirectMemory.Budget.of(bytes, "none"),
        size -> {
          if (left.getAndDecrement() <= 0) {
            throw new OutOfMemoryError("Cannot reserve " + size + " bytes");
          }
          return ByteBuffer.allocateDirect(size);
        });
  }

  /** From now on there is room for so many bytes. */
  public void leave(long bytes) {
    room.set(bytes);
  }

  /** Bytes that were written since this was asked last. */
  public long written() {
    return written.getAndSet(0);
  }

  /**
   * Loses what an array has in a file: who reads it gets what the system makes of a page that the
   * disk does not give.
   *
   * @param folder where another file may be, for a moment
   */
  public static void lose(OffHeapArray array, Path folder) {
    try {
      Field field = OffHeapArray.class.getDeclaredField("typed");
      field.setAccessible(true);
      Buffer[] chunks = (Buffer[]) field.get(array);
      for (int c = 0; c < chunks.length; c++) {
        chunks[c] = typed(lost(folder, array.chunk(c).capacity()), array.kind());
      }
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Of a file that was cut behind its mapping. */
  private static ByteBuffer lost(Path folder, int bytes) throws IOException {
    Path path = Files.createTempFile(folder, "lost", "");
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.allocate(1), bytes - 1);
      ByteBuffer mapped = file.map(FileChannel.MapMode.READ_ONLY, 0, bytes);
      file.truncate(0);
      return mapped.order(ByteOrder.nativeOrder());
    } finally {
      Files.delete(path);
    }
  }

  private static Buffer typed(ByteBuffer bytes, Kind kind) {
    return switch (kind) {
      case BOOLEAN -> bytes;
      case INT -> bytes.asIntBuffer();
      case LONG -> bytes.asLongBuffer();
      case FLOAT -> bytes.asFloatBuffer();
      case DOUBLE -> bytes.asDoubleBuffer();
    };
  }
}
