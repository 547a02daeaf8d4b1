package org.sparkgpugraph.engine.device.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.engine.device.ArrayBytes;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.PinnedMemory;

/**
 * Page-locked host memory of any size that grows with what is put there; in pieces, since one piece
 * has at most 2 GiB. What it held is lost when it grows. Not thread-safe.
 */
public final class PinnedArray implements AutoCloseable {
  /** Bytes of a whole piece: a multiple of every element's size. */
  public static final int PIECE = 1 << 28;

  /** The least that is allocated: less would be asked for anew at every turn. */
  private static final int LEAST = 1 << 12;

  private final Device device;
  private final List<PinnedMemory> pieces = new ArrayList<>();
  private long capacity;

  public PinnedArray(Device device) {
    this.device = device;
  }

  /**
   * Makes room. No copy from or to the memory may be under way.
   *
   * @param bytes how much
   * @param most no more will ever be wanted
   */
  public void reserve(long bytes, long most) {
    if (bytes <= capacity) {
      return;
    }
    close();
    long size = Math.max(bytes, Math.min(most, Math.max(LEAST, 2 * bytes)));
    for (long done = 0; done < size; done += PIECE) {
      pieces.add(device.allocatePinned((int) Math.min(PIECE, size - done)));
    }
    capacity = size;
  }

  /** Queues a copy of the first bytes from a device. */
  public void download(DeviceStream stream, DeviceMemory from, long bytes) {
    for (long done = 0; done < bytes; done += PIECE) {
      stream.download(from, done, piece(done), 0, (int) Math.min(PIECE, bytes - done));
    }
  }

  /** Queues a copy of the first bytes to a device. */
  public void upload(DeviceStream stream, DeviceMemory to, long bytes) {
    for (long done = 0; done < bytes; done += PIECE) {
      stream.upload(piece(done), 0, to, done, (int) Math.min(PIECE, bytes - done));
    }
  }

  private PinnedMemory piece(long at) {
    return pieces.get((int) (at / PIECE));
  }

  /** The piece that has a byte; index {@code at % PIECE} there. */
  public ByteBuffer buffer(long at) {
    return piece(at).buffer();
  }

  /** Copies elements of a Java array to where they may lie in several pieces. */
  public void put(Object array, int first, int count, long at) {
    pieces(
        array, first, count, at, (from, some, bytes) -> ArrayBytes.put(array, from, some, bytes));
  }

  /** The reverse of {@link #put}. */
  public void get(long at, Object array, int first, int count) {
    pieces(array, first, count, at, (to, some, bytes) -> ArrayBytes.get(bytes, array, to, some));
  }

  private interface Part {
    void copy(int first, int count, ByteBuffer bytes);
  }

  private void pieces(Object array, int first, int count, long at, Part part) {
    int each = ArrayBytes.elementBytes(array);
    for (int done = 0; done < count; ) {
      long begin = at + (long) each * done;
      int inside = (int) (begin % PIECE);
      int some = Math.min(count - done, (PIECE - inside) / each);
      ByteBuffer bytes = buffer(begin).slice(inside, each * some).order(ByteOrder.nativeOrder());
      part.copy(first + done, some, bytes);
      done += some;
    }
  }

  @Override
  public void close() {
    capacity = 0;
    Closing.all(pieces);
    pieces.clear();
  }
}
