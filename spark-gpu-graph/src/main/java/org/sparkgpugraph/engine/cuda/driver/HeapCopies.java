package org.sparkgpugraph.engine.cuda.driver;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.engine.device.ArrayBytes;

/**
 * Copies between Java arrays and a GPU through page-locked buffers, two for each thread that
 * copies: while the GPU copies one, the other is filled or emptied. A thread fills them at a
 * fraction of the bus's rate, so several do for what is large. One copy at a time; it waits for
 * nothing but itself.
 */
final class HeapCopies implements AutoCloseable {
  /** Large enough for the full rate of a bus, small beside what is copied. */
  static final int BUFFER_BYTES = 4 << 20;

  /** Uploads of at least so many bytes are worth waking other threads. */
  static final long LARGE = 4L * BUFFER_BYTES;

  /** With so many threads the bus is the limit. */
  private static final int MOST_THREADS = 8;

  private final CudaContext context;
  private final Lane[] lanes =
      new Lane[Math.max(1, Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors()))];
  private WorkerTeam team;

  HeapCopies(CudaContext context) {
    this.context = context;
  }

  /** Two buffers and streams that take turns. Used by one thread at a time. */
  private final class Lane {
    private final CudaPinned[] buffers = new CudaPinned[2];
    private final CudaStream[] streams = new CudaStream[2];
    private int turn;

    Lane() {
      try {
        for (int i = 0; i < buffers.length; i++) {
          buffers[i] = new CudaPinned(context, BUFFER_BYTES);
          streams[i] = new CudaStream(context);
        }
      } catch (RuntimeException | Error e) {
        // Page-locked memory may be limited; the next copy tries again and must not leak.
        for (CudaPinned buffer : buffers) {
          if (buffer != null) {
            buffer.close();
          }
        }
        for (CudaStream stream : streams) {
          if (stream != null) {
            stream.close();
          }
        }
        throw e;
      }
    }

    void upload(Object array, int from, int count, CudaMemory to, long offset, int bytes) {
      streams[turn].synchronize(); // the copy before last has left this buffer
      ArrayBytes.put(array, from, count, cleared(turn));
      streams[turn].upload(buffers[turn], 0, to, offset, bytes);
      turn ^= 1;
    }

    /** Asks for elements of so many bytes each; how many have been asked for then. */
    int request(CudaMemory from, long offset, int each, int first, int count, int into) {
      streams[into].download(from, offset + (long) each * first, buffers[into], 0, each * count);
      return first + count;
    }

    ByteBuffer received(int into) {
      streams[into].synchronize();
      return cleared(into);
    }

    private ByteBuffer cleared(int buffer) {
      return buffers[buffer].buffer().clear();
    }

    void synchronize() {
      streams[0].synchronize();
      streams[1].synchronize();
    }
  }

  /**
   * Made by the first copy that needs it: a device that is only asked for its properties has none.
   */
  private Lane lane(int member) {
    if (lanes[member] == null) {
      lanes[member] = new Lane();
    }
    return lanes[member];
  }

  synchronized void upload(Object array, int from, int count, CudaMemory to, long offset) {
    long bytes = ArrayBytes.bytes(array, from, count);
    to.at(offset, bytes);
    int each = ArrayBytes.elementBytes(array);
    int chunk = BUFFER_BYTES / each;
    int chunks = (int) (((long) count + chunk - 1) / chunk);
    AtomicInteger next = new AtomicInteger();
    WorkerTeam.Phase copy =
        member -> {
          Lane lane = lane(member);
          for (int c = next.getAndIncrement(); c < chunks; c = next.getAndIncrement()) {
            int done = c * chunk;
            int part = Math.min(chunk, count - done);
            lane.upload(array, from + done, part, to, offset + (long) each * done, each * part);
          }
          lane.synchronize();
        };
    if (bytes < LARGE || lanes.length == 1) {
      copy.run(0);
      return;
    }
    if (team == null) {
      team = new WorkerTeam("upload", lanes.length);
    }
    team.run(copy);
  }

  synchronized void download(CudaMemory from, long offset, Object array, int to, int count) {
    from.at(offset, ArrayBytes.bytes(array, to, count));
    Lane lane = lane(0);
    int each = ArrayBytes.elementBytes(array);
    int chunk = BUFFER_BYTES / each;
    int requested = 0;
    int turn = 0;
    for (int done = 0; done < count; turn ^= 1) {
      if (requested == 0) {
        requested = lane.request(from, offset, each, 0, Math.min(chunk, count), turn);
      }
      int part = Math.min(chunk, count - done);
      if (requested < count) {
        int more = Math.min(chunk, count - requested);
        requested = lane.request(from, offset, each, requested, more, turn ^ 1);
      }
      ArrayBytes.get(lane.received(turn), array, to + done, part);
      done += part;
    }
  }

  /** Ends the threads; buffers and streams are closed with the device. */
  @Override
  public synchronized void close() {
    if (team != null) {
      team.close();
      team = null;
    }
  }
}
