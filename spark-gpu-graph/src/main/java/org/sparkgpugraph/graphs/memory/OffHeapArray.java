package org.sparkgpugraph.graphs.memory;

import java.io.IOException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import org.sparkgpugraph.program.ir.Kind;

/**
 * An array of primitives outside of the heap, in chunks that are direct buffers or parts of a
 * memory-mapped file. It is read and written by copies of ranges from and to arrays of the heap.
 * Threads may read at the same time, and write to different elements; who reads what others wrote
 * waits for them, as with an array.
 *
 * <p>Its memory is given back when nobody can reach the array any more, never before: a read of
 * memory that was freed would end the JVM.
 */
public final class OffHeapArray {
  /** Bytes of a chunk of memory; the last one may have fewer. */
  public static final int CHUNK_BYTES = 1 << 26;

  /** What is written to a file at a time. */
  private static final int WRITE_BYTES = 1 << 17;

  private static final ThreadLocal<ByteBuffer> WRITTEN =
      ThreadLocal.withInitial(
          () -> ByteBuffer.allocateDirect(WRITE_BYTES).order(ByteOrder.nativeOrder()));

  private final Kind kind;
  private final int length;
  private final int shift;
  private final ByteBuffer[] chunks;
  private final Buffer[] typed;
  private final Store store;
  private final DirectMemory.Budget copies;

  /** Where an array is written to whose chunks are for reading only. Thread-safe. */
  public interface Store {
    /**
     * Writes all bytes of a buffer.
     *
     * @param at where the first goes, in bytes from the start of the array
     * @throws IOException when they cannot be written
     */
    void write(ByteBuffer from, long at) throws IOException;

    /** Nothing will be written any more; doing it twice is harmless. */
    default void close() {}

    /** What was written cannot be read any more. */
    default void failed() {}

    /** What is told of an error: {@code file /tmp/x}. */
    String place();
  }

  /**
   * Wraps memory.
   *
   * @param chunks one for each {@code chunkBytes} of the array; one may go on with what is in the
   *     next ones, as parts of a file that overlap do
   * @param chunkBytes a power of two
   * @param store writes elements; null: they are put into the chunks
   * @param copies counts copies of what does not lie in one chunk; null: nobody does
   */
  OffHeapArray(
      Kind kind,
      int length,
      ByteBuffer[] chunks,
      int chunkBytes,
      Store store,
      DirectMemory.Budget copies) {
    this.kind = kind;
    this.copies = copies;
    this.length = length;
    this.store = store;
    this.chunks = chunks;
    shift = Integer.numberOfTrailingZeros(chunkBytes / kind.bytes());
    typed =
        Arrays.stream(chunks)
            .map(chunk -> view(chunk.order(ByteOrder.nativeOrder()), kind))
            .toArray(Buffer[]::new);
  }

  private static Buffer view(ByteBuffer bytes, Kind kind) {
    return switch (kind) {
      case BOOLEAN -> bytes;
      case INT -> bytes.asIntBuffer();
      case LONG -> bytes.asLongBuffer();
      case FLOAT -> bytes.asFloatBuffer();
      case DOUBLE -> bytes.asDoubleBuffer();
    };
  }

  /** Kind of the elements; a boolean takes a byte. */
  public Kind kind() {
    return kind;
  }

  /** Number of elements. */
  public int length() {
    return length;
  }

  /** Bytes outside of the heap. */
  public long bytes() {
    return (long) kind.bytes() * length;
  }

  /** Whether it is in a mapped file. */
  public boolean isMapped() {
    return store != null;
  }

  /** What counts memory for copies of what does not lie in one chunk; null: nobody does. */
  public DirectMemory.Budget copies() {
    return copies;
  }

  /** Number of chunks. */
  public int chunks() {
    return chunks.length;
  }

  /**
   * The bytes of a chunk in the machine's order, for who hands them to a device; to be read only,
   * and only while the array is reachable. Those of all chunks are the array.
   */
  public ByteBuffer chunk(int index) {
    int limit = Math.min(chunks[index].capacity(), kind.bytes() << shift);
    return chunks[index].duplicate().limit(limit).slice().order(ByteOrder.nativeOrder());
  }

  /**
   * Copies elements to the heap.
   *
   * @param from the first of them
   * @param into an array of the kind
   * @param at where the first goes
   * @throws OffHeapMemoryException when the file's disk no longer gives them
   */
  public void get(int from, Object into, int at, int count) {
    check(from, count);
    try {
      for (int done = 0; done < count; ) {
        int position = from + done;
        int part = part(position, count - done);
        get(typed[position >>> shift], inChunk(position), into, at + done, part);
        done += part;
      }
      tellFaultsOfFile();
    } catch (InternalError e) {
      throw unreadable(from, count, e);
    }
  }

  /**
   * Where elements are in memory, for who reads them by address. Nothing checks what is read so:
   * indexes have to be right, and the array has to be reachable meanwhile. Of a page that cannot be
   * read the JVM makes an {@link InternalError}: see {@link #tellFaults}.
   *
   * @return the address of the first one, behind which the others follow; 0 where no chunk has all
   *     of them, or the JVM does not tell addresses
   */
  public long address(int from, int count) {
    check(from, count);
    if (count == 0 || inChunk(from) + (long) count > typed[from >>> shift].capacity()) {
      return 0;
    }
    long chunk = BufferAddress.of(chunks[from >>> shift]);
    return chunk == 0 ? 0 : chunk + (long) kind.bytes() * inChunk(from);
  }

  /**
   * Has the JVM throw now what this thread has found unreadable in a mapped file. Left alone, that
   * of Java 17 throws it when the thread next enters it, which compiled loops may do thousands of
   * copies later and helpers of a build when they are done: by then what was not read has been
   * used. An array of arrays is always made inside of the JVM; it takes some 30 ns.
   *
   * @throws InternalError when a page could not be read
   */
  public static void tellFaults() {
    if (new int[0][0].length > 0) {
      throw new AssertionError("an empty array has elements");
    }
  }

  private void tellFaultsOfFile() {
    if (store != null) {
      tellFaults();
    }
  }

  /** Elements cannot be read any more: arrays that are made from now on avoid where this one is. */
  public void failed() {
    if (store != null) {
      store.failed();
    }
  }

  private OffHeapMemoryException unreadable(int from, int count, InternalError e) {
    failed();
    String what = "elements %s to %s of the %s".formatted(from, from + count - 1, place());
    return OffHeapMemoryException.unreadable(what, e);
  }

  private static void get(Buffer chunk, int position, Object into, int at, int count) {
    if (chunk instanceof IntBuffer ints) {
      ints.get(position, (int[]) into, at, count);
    } else if (chunk instanceof LongBuffer longs) {
      longs.get(position, (long[]) into, at, count);
    } else if (chunk instanceof DoubleBuffer doubles) {
      doubles.get(position, (double[]) into, at, count);
    } else if (chunk instanceof FloatBuffer floats) {
      floats.get(position, (float[]) into, at, count);
    } else {
      ByteBuffer bytes = (ByteBuffer) chunk;
      boolean[] booleans = (boolean[]) into;
      for (int i = 0; i < count; i++) {
        booleans[at + i] = bytes.get(position + i) != 0;
      }
    }
  }

  /** One element of an array of ints, as {@link #get}, which is far faster for many. */
  public int getInt(int index) {
    try {
      int found = ((IntBuffer) typed[index >>> shift]).get(inChunk(index));
      tellFaultsOfFile();
      return found;
    } catch (InternalError e) {
      throw unreadable(index, 1, e);
    }
  }

  /** One element of an array of longs, as {@link #get}, which is far faster for many. */
  public long getLong(int index) {
    try {
      long found = ((LongBuffer) typed[index >>> shift]).get(inChunk(index));
      tellFaultsOfFile();
      return found;
    } catch (InternalError e) {
      throw unreadable(index, 1, e);
    }
  }

  /**
   * Copies elements from the heap.
   *
   * @param to where the first goes
   * @param source an array of the kind
   * @param at the first of them
   * @throws OffHeapMemoryException when they cannot be written, because the disk is full
   * @throws IllegalStateException when a thread that wrote was interrupted, which closes the file
   */
  public void put(int to, Object source, int at, int count) {
    check(to, count);
    if (store != null) {
      write(to, source, at, count);
      return;
    }
    for (int done = 0; done < count; ) {
      int position = to + done;
      int part = part(position, count - done);
      put(typed[position >>> shift], inChunk(position), source, at + done, part);
      done += part;
    }
  }

  /**
   * Nothing will be put any more: what writing needs, such as an open file, is given back now, and
   * with it the room for elements that were never put.
   */
  public void seal() {
    if (store != null) {
      store.close();
    }
  }

  private static void put(Buffer chunk, int position, Object source, int at, int count) {
    if (chunk instanceof IntBuffer ints) {
      ints.put(position, (int[]) source, at, count);
    } else if (chunk instanceof LongBuffer longs) {
      longs.put(position, (long[]) source, at, count);
    } else if (chunk instanceof DoubleBuffer doubles) {
      doubles.put(position, (double[]) source, at, count);
    } else if (chunk instanceof FloatBuffer floats) {
      floats.put(position, (float[]) source, at, count);
    } else {
      ByteBuffer bytes = (ByteBuffer) chunk;
      boolean[] booleans = (boolean[]) source;
      for (int i = 0; i < count; i++) {
        bytes.put(position + i, (byte) (booleans[at + i] ? 1 : 0));
      }
    }
  }

  private void write(int to, Object source, int at, int count) {
    ByteBuffer buffer = WRITTEN.get();
    int most = WRITE_BYTES / kind.bytes();
    try {
      for (int done = 0; done < count; ) {
        int part = Math.min(most, count - done);
        buffer.clear();
        put(view(buffer, kind), 0, source, at + done, part);
        buffer.limit(part * kind.bytes());
        store.write(buffer, (long) kind.bytes() * (to + done));
        done += part;
      }
    } catch (ClosedChannelException e) {
      // By the interruption of a thread that wrote: the work is cancelled, the disk is not full.
      throw new IllegalStateException(
          "interrupted while a graph's edges were written to the " + place(), e);
    } catch (IOException e) {
      throw new OffHeapMemoryException(
          ("%,d bytes of a graph's edges cannot be written to the %s: %s; make room there, or name"
                  + " another disk (spark.local.dir)")
              .formatted((long) kind.bytes() * count, place(), e),
          e);
    }
  }

  private String place() {
    return store == null ? "memory off the heap" : store.place();
  }

  /** Elements from a position on that are in its chunk, of so many. */
  private int part(int position, int count) {
    return Math.min(count, (1 << shift) - inChunk(position));
  }

  private int inChunk(int position) {
    return position & (1 << shift) - 1;
  }

  private void check(int from, int count) {
    if (from < 0 || count < 0 || from > length - count) {
      throw new IndexOutOfBoundsException(
          "%s elements from %s on, of an array of %s".formatted(count, from, length));
    }
  }
}
