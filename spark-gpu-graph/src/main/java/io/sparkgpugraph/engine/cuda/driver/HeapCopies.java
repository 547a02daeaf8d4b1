package io.sparkgpugraph.engine.cuda.driver;

import java.nio.ByteBuffer;

/**
 * Copies between Java arrays and a GPU through two page-locked buffers: while the GPU copies one,
 * the other is filled or emptied. One copy at a time; it waits for nothing but itself.
 */
final class HeapCopies {
  /** Large enough for the full rate of a bus, small beside what is copied. */
  static final int BUFFER_BYTES = 8 << 20;

  private final CudaContext context;
  private final CudaPinned[] buffers = new CudaPinned[2];
  private final CudaStream[] streams = new CudaStream[2];

  HeapCopies(CudaContext context) {
    this.context = context;
  }

  /** Allocated by the first copy: a device that is only asked for its properties has none. */
  private void prepare() {
    for (int i = 0; i < buffers.length; i++) {
      if (buffers[i] == null) {
        buffers[i] = new CudaPinned(context, BUFFER_BYTES);
      }
      if (streams[i] == null) {
        streams[i] = new CudaStream(context);
      }
    }
  }

  synchronized void upload(Object array, int from, int count, CudaMemory to, long offset) {
    HeapArray heap = HeapArray.of(array, from, count);
    to.at(offset, heap.bytes(count));
    prepare();
    int chunk = BUFFER_BYTES / heap.elementBytes();
    int turn = 0;
    for (int done = 0; done < count; turn ^= 1) {
      int part = Math.min(chunk, count - done);
      streams[turn].synchronize(); // the copy before last has left this buffer
      heap.read(from + done, part, cleared(turn));
      streams[turn].upload(buffers[turn], 0, to, offset + heap.bytes(done), (int) heap.bytes(part));
      done += part;
    }
    streams[0].synchronize();
    streams[1].synchronize();
  }

  synchronized void download(CudaMemory from, long offset, Object array, int to, int count) {
    HeapArray heap = HeapArray.of(array, to, count);
    from.at(offset, heap.bytes(count));
    prepare();
    int chunk = BUFFER_BYTES / heap.elementBytes();
    int requested = 0;
    int turn = 0;
    for (int done = 0; done < count; turn ^= 1) {
      if (requested == 0) {
        requested = request(heap, from, offset, 0, Math.min(chunk, count), turn);
      }
      int part = Math.min(chunk, count - done);
      if (requested < count) {
        int next = Math.min(chunk, count - requested);
        requested = request(heap, from, offset, requested, next, turn ^ 1);
      }
      streams[turn].synchronize();
      heap.write(to + done, part, cleared(turn));
      done += part;
    }
  }

  private int request(
      HeapArray heap, CudaMemory from, long offset, int first, int count, int turn) {
    streams[turn].download(
        from, offset + heap.bytes(first), buffers[turn], 0, (int) heap.bytes(count));
    return first + count;
  }

  private ByteBuffer cleared(int turn) {
    return buffers[turn].buffer().clear();
  }
}
