package org.sparkgpugraph.engine.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceEvent;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceKernel;
import org.sparkgpugraph.engine.device.DeviceLostException;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceModule;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.KernelCompilationException;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.PinnedMemory;
import org.sparkgpugraph.engine.device.Reclaimable;

/** What any device must do; run on a GPU and on the fake driver. */
final class DeviceChecks {
  /** More than two of the staging buffers of 8 MiB, and no multiple of anything. */
  private static final int LONG_BYTES = (20 << 20) + 8;

  private static final String INCREMENT =
      """
      // Adds delta to count ints; the struct is larger than its first members need.
      struct Frame { int* data; long long count; int delta; int unused; double scale; };

      extern "C" __global__ void increment(const __grid_constant__ Frame f) {
        for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < f.count;
             i += (long long)gridDim.x * blockDim.x) {
          f.data[i] += (int)(f.delta * f.scale);
        }
      }

      // Writes far out of bounds.
      extern "C" __global__ void crash(const __grid_constant__ Frame f) {
        f.data[(1ll << 40) + threadIdx.x] = 1;
      }
      """;

  private DeviceChecks() {}

  /** Two kernels, {@code increment} and {@code crash}. */
  static KernelSource source() {
    return new KernelSource(
        "DeviceChecks", INCREMENT, List.of("increment", "crash"), List.of("increment: by hand"));
  }

  /** The struct of {@link #source()}. */
  static byte[] frame(long address, long count, int delta, double scale) {
    return ByteBuffer.allocate(32)
        .order(ByteOrder.nativeOrder())
        .putLong(address)
        .putLong(count)
        .putInt(delta)
        .putInt(-1)
        .putDouble(scale)
        .array();
  }

  /** Every kind of array, whole and in part, at odd offsets, across the staging buffers. */
  static void arraysGoThereAndBack(Device device) {
    Random random = new Random(7);
    for (int count : new int[] {0, 1, 2, 31, 1000, 1025, LONG_BYTES / 8}) {
      try (DeviceMemory memory = device.allocate(8L * count + 24, "arrays")) {
        int from = count / 7;
        int part = count - from;
        boolean[] booleans = new boolean[count];
        int[] ints = new int[count];
        long[] longs = new long[count];
        float[] floats = new float[count];
        double[] doubles = new double[count];
        for (int i = 0; i < count; i++) {
          booleans[i] = random.nextBoolean();
          ints[i] = random.nextInt();
          longs[i] = random.nextLong();
          floats[i] = Float.intBitsToFloat(random.nextInt() & 0xff7fffff); // no NaN
          doubles[i] = random.nextGaussian();
        }
        boolean[] booleansBack = new boolean[count];
        device.upload(booleans, from, part, memory, 3);
        device.download(memory, 3, booleansBack, from, part);
        assertThat(Arrays.equals(booleans, from, count, booleansBack, from, count)).isTrue();
        int[] intsBack = new int[count];
        device.upload(ints, from, part, memory, 4);
        device.download(memory, 4, intsBack, from, part);
        assertThat(Arrays.equals(ints, from, count, intsBack, from, count)).isTrue();
        assertThat(Arrays.stream(intsBack, 0, from)).allMatch(i -> i == 0);
        long[] longsBack = new long[count];
        device.upload(longs, from, part, memory, 24);
        device.download(memory, 24, longsBack, from, part);
        assertThat(Arrays.equals(longs, from, count, longsBack, from, count)).isTrue();
        float[] floatsBack = new float[count];
        device.upload(floats, from, part, memory, 8);
        device.download(memory, 8, floatsBack, from, part);
        assertThat(Arrays.equals(floats, from, count, floatsBack, from, count)).isTrue();
        double[] doublesBack = new double[count];
        device.upload(doubles, from, part, memory, 16);
        device.download(memory, 16, doublesBack, from, part);
        assertThat(Arrays.equals(doubles, from, count, doublesBack, from, count)).isTrue();
      }
    }
  }

  /** All that is allocated is the pool's, and what it refuses is said with its reason. */
  static void memoryOfAPool(Device device, ArenaPool pool) {
    long all = device.memory().free();
    assertThat(device.memory().total()).isEqualTo(all);
    assertThat(device.hostRoom()).as("in no bound of the pool").isEmpty();
    device.reclaimFrom(
        new Reclaimable() {
          @Override
          public long reclaimableBytes() {
            return 0;
          }

          @Override
          public long reclaim(long bytes) {
            return 0;
          }
        });
    assertThat(pool.reclaimables).hasSize(1);
    try (DeviceMemory one = device.allocate(1000, "one");
        DeviceMemory empty = device.allocate(0, "empty")) {
      assertThat(pool.taken()).isEqualTo(1000);
      assertThat(device.allocatedBytes()).isEqualTo(1000);
      assertThat(device.memory().free()).isEqualTo(all - 1000);
      assertThat(empty.address()).isZero();
      assertThatThrownBy(() -> device.allocate(all, "too much"))
          .isInstanceOfSatisfying(
              DeviceOutOfMemoryException.class,
              e -> {
                assertThat(e.needed()).isEqualTo(all);
                assertThat(e.free()).isEqualTo(all - 1000);
              })
          .hasMessageContaining("too much", "the arena is full", "memory of an arena");
      one.close();
      assertThat(pool.taken()).as("closed twice, given back once").isZero();
    }
    assertThat(device.allocatedBytes()).isZero();
  }

  /** Copies that do not fit are refused, with the purpose of the memory. */
  static void rangesAreChecked(Device device) {
    try (DeviceMemory memory = device.allocate(16, "four ints");
        DeviceMemory empty = device.allocate(0, "nothing");
        DeviceStream stream = device.newStream()) {
      assertThat(empty.address()).isZero();
      assertThat(memory.address()).isNotZero();
      assertThatThrownBy(() -> device.upload(new int[5], 0, 5, memory, 0))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining("four ints");
      assertThatThrownBy(() -> device.download(memory, 8, new long[2], 0, 2))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> device.upload(new int[3], 1, 3, memory, 0))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> device.upload(new short[3], 0, 3, memory, 0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("short[]");
      assertThatThrownBy(() -> stream.fill(memory, 9, 8, (byte) 0))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> stream.fill(memory, Long.MAX_VALUE, 2, (byte) 0))
          .isInstanceOf(IndexOutOfBoundsException.class);
      stream.fill(empty, 0, 0, (byte) 1);
      device.upload(new int[0], 0, 0, empty, 0);
      stream.synchronize();
    }
  }

  /** A kernel, its struct by value, and what the driver says about it. */
  static void kernelsRun(Device device) {
    int count = 100_001;
    int[] values = new int[count];
    Arrays.setAll(values, i -> i);
    try (DeviceModule module = device.load(source());
        DeviceMemory memory = device.allocate(4L * count, "values");
        DeviceStream stream = device.newStream()) {
      DeviceKernel kernel = module.kernel("increment");
      assertThat(kernel.name()).isEqualTo("increment");
      assertThat(kernel.registers()).isBetween(1, 255);
      assertThat(kernel.localBytes()).isZero();
      assertThat(kernel.blocksPerMultiprocessor(256, 0)).isBetween(1, 32);
      device.upload(values, 0, count, memory, 0);
      byte[] arguments = frame(memory.address(), count, 3, 2.0);
      stream.launch(kernel, 12, 256, arguments);
      Arrays.fill(arguments, (byte) 0); // was copied by the launch
      stream.launch(kernel, 1, 32, frame(memory.address(), 1, 1, 1.0));
      stream.synchronize();
      int[] back = new int[count];
      device.download(memory, 0, back, 0, count);
      assertThat(back[0]).isEqualTo(7);
      for (int i = 1; i < count; i++) {
        assertThat(back[i]).isEqualTo(i + 6);
      }
      assertThatThrownBy(() -> module.kernel("decrement"))
          .isInstanceOf(DeviceException.class)
          .hasMessageContaining("decrement")
          .hasMessageContaining("CUDA_ERROR_NOT_FOUND")
          .hasMessageContaining("[increment, crash]");
      assertThatThrownBy(() -> stream.launch(kernel, 0, 32, arguments))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> stream.launch(kernel, 1, 33, arguments))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** Copies through page-locked memory, fills and device copies, ordered by their stream. */
  static void streamsKeepTheirOrder(Device device) {
    int count = 1 << 20;
    try (DeviceModule module = device.load(source());
        DeviceMemory memory = device.allocate(4L * count, "values");
        DeviceMemory copy = device.allocate(4L * count + 12, "copy");
        PinnedMemory pinned = device.allocatePinned(4 * count);
        DeviceStream stream = device.newStream();
        DeviceStream other = device.newStream()) {
      assertThat(pinned.buffer().order()).isEqualTo(ByteOrder.nativeOrder());
      assertThat(pinned.buffer().isDirect()).isTrue();
      stream.fill(memory, 0, 4L * count, (byte) 1);
      for (int i = 0; i < 20; i++) {
        byte[] arguments = frame(memory.address(), count, 1, 1.0);
        stream.launch(module.kernel("increment"), 64, 256, arguments);
      }
      try (DeviceEvent done = stream.record()) {
        other.waitFor(done);
        other.copy(memory, 4, copy, 12, 4L * count - 4);
        other.download(copy, 12, pinned, 0, 4 * count - 4);
        other.synchronize();
        done.synchronize();
      }
      for (int i = 0; i < count - 1; i += 997) {
        assertThat(pinned.buffer().getInt(4 * i)).isEqualTo(0x01010101 + 20);
      }
      pinned.buffer().putInt(8, 42);
      stream.upload(pinned, 8, memory, 0, 4);
      stream.synchronize();
      int[] first = new int[1];
      device.download(memory, 0, first, 0, 1);
      assertThat(first).containsExactly(42);
    }
  }

  /** Heap copies see what streams were told before, without a synchronize. */
  static void heapCopiesWaitForStreams(Device device) {
    int count = 1 << 22;
    try (DeviceMemory memory = device.allocate(4L * count, "values");
        DeviceModule module = device.load(source());
        DeviceStream stream = device.newStream()) {
      stream.fill(memory, 0, 4L * count, (byte) 0);
      for (int i = 0; i < 50; i++) {
        byte[] arguments = frame(memory.address(), count, 1, 1.0);
        stream.launch(module.kernel("increment"), 64, 256, arguments);
      }
      int[] last = new int[1];
      device.download(memory, 4L * count - 4, last, 0, 1);
      assertThat(last).containsExactly(50);
    }
  }

  /** A stream that never waited for an upload sees all of it. */
  static void uploadsAreDoneOnReturn(Device device) {
    for (int bytes : new int[] {4, 12 << 20, LONG_BYTES}) {
      int[] values = new int[bytes / 4];
      Arrays.fill(values, bytes);
      try (DeviceMemory memory = device.allocate(bytes, "values");
          PinnedMemory pinned = device.allocatePinned(bytes);
          DeviceStream stream = device.newStream()) {
        device.upload(values, 0, values.length, memory, 0);
        stream.download(memory, 0, pinned, 0, bytes);
        stream.synchronize();
        int[] back = new int[values.length];
        pinned.buffer().asIntBuffer().get(back);
        assertThat(Arrays.equals(back, values)).isTrue();
      }
    }
  }

  /** Who wants about as much page-locked memory as was given back gets that. */
  static void pageLockedMemoryIsKept(Device device) {
    int bytes = 3 << 20;
    long mark = 0x1234567890abcdefL;
    try (PinnedMemory one = device.allocatePinned(bytes);
        PinnedMemory other = device.allocatePinned(bytes)) {
      one.buffer().putLong(0, mark);
      other.buffer().putLong(0, -mark);
      assertThat(one.buffer().getLong(0)).isEqualTo(mark);
    }
    try (PinnedMemory again = device.allocatePinned(bytes + 1)) {
      assertThat(again.buffer().capacity()).isEqualTo(bytes + 1);
      assertThat(Math.abs(again.buffer().getLong(0))).isEqualTo(mark);
    }
  }

  /** Events tell time. */
  static void eventsTellTime(Device device) {
    try (DeviceMemory memory = device.allocate(64 << 20, "values");
        DeviceStream stream = device.newStream();
        DeviceEvent start = stream.record()) {
      for (int i = 0; i < 10; i++) {
        stream.fill(memory, 0, memory.bytes(), (byte) i);
      }
      try (DeviceEvent end = stream.record()) {
        end.synchronize();
        assertThat(end.nanosSince(start)).isBetween(1_000L, 10_000_000_000L);
      }
    }
  }

  /** More memory than there is, what is allocated, and leaks. */
  static void memoryIsCounted(Device device) {
    assertThat(device.allocatedBytes()).isZero();
    long total = device.properties().totalMemory();
    assertThat(device.memory().total()).isBetween(total / 2, total);
    assertThat(device.memory().free()).isBetween(1L, device.memory().total());
    assertThatThrownBy(() -> device.allocate(2 * total, "in-edge sources of partition 3"))
        .isInstanceOfSatisfying(
            DeviceOutOfMemoryException.class,
            e -> {
              assertThat(e.needed()).isEqualTo(2 * total);
              assertThat(e.free()).isBetween(1L, total);
              assertThat(e).hasMessageContaining("in-edge sources of partition 3");
              assertThat(e.error()).isEqualTo("CUDA_ERROR_OUT_OF_MEMORY");
            });
    DeviceMemory first = device.allocate(1 << 20, "first");
    DeviceMemory second = device.allocate(100, "second");
    assertThat(device.allocatedBytes()).isEqualTo((1 << 20) + 100);
    first.close();
    first.close();
    assertThat(device.allocatedBytes()).isEqualTo(100);
    assertThatThrownBy(() -> device.upload(new int[1], 0, 1, first, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("first");
    second.close();
    assertThat(device.allocatedBytes()).isZero();
  }

  /** An array of which a part is in the host's memory; where a device reads that. */
  static void splitArraysAreOne(Device device) {
    Device.HostRoom room = device.hostRoom().orElseThrow();
    int each = (int) (room.page() / Integer.BYTES);
    int count = 5 * each + 77;
    int[] values = new Random(3).ints(count).toArray();
    for (long own : new long[] {0, room.page(), 3 * room.page()}) {
      try (DeviceMemory memory = device.allocateSplit(4L * count, own, "neighbours");
          DeviceStream stream = device.newStream();
          DeviceModule module = device.load(source())) {
        assertThat(memory.bytes()).isEqualTo(4L * count);
        assertThat(memory.ownBytes()).isEqualTo(own);
        assertThat(device.allocatedBytes()).isEqualTo(own);
        assertThat(memory)
            .hasToString(
                "neighbours (%d bytes, %d of them in the host's memory)"
                    .formatted(4L * count, 4L * count - own));
        device.upload(values, 0, count, memory, 0);
        stream.launch(module.kernel("increment"), 4, 256, frame(memory.address(), count, 7, 1));
        int[] back = new int[count];
        device.download(memory, 0, back, 0, count);
        assertThat(back).isEqualTo(Arrays.stream(values).map(v -> v + 7).toArray());
      }
      assertThat(device.allocatedBytes()).isZero();
    }
    long total = device.properties().totalMemory();
    assertThatThrownBy(() -> device.allocateSplit(3 * total, 2 * total, "too much"))
        .isInstanceOf(DeviceOutOfMemoryException.class)
        .hasMessageContaining("too much needs " + 2 * total)
        .hasMessageContaining(total + " bytes more are to lie in the host's memory");
    long more = 2 * room.free().getAsLong() + (1L << 34);
    assertThatThrownBy(() -> device.allocateSplit(more, 0, "neighbours"))
        .isInstanceOf(DeviceOutOfMemoryException.class)
        .hasMessageContaining(more + " bytes more are to lie in the host's memory, which has ");
    assertThatThrownBy(() -> device.allocateSplit(8, 8, "whole"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("8 of 8 bytes for whole");
    assertThat(device.allocatedBytes()).isZero();
  }

  /** A source with an error. */
  static void compileErrorsAreShown(Device device) {
    KernelSource broken =
        new KernelSource(
            "Broken.java:12",
            "#error planted\nextern \"C\" __global__ void k() {}\n",
            List.of("k"),
            List.of("send: Broken.java:12"));
    assertThatThrownBy(() -> device.load(broken))
        .isInstanceOfSatisfying(
            KernelCompilationException.class,
            e -> {
              assertThat(e.log()).contains("planted");
              assertThat(e).hasMessageContaining("Broken.java:12");
              assertThat(e.source()).isEqualTo(broken);
            });
  }

  /** Copies between two GPUs, and a kernel of one that works on memory of the other. */
  static void peersCopy(Device device, Device peer) {
    int[] values = {1, 2, 3, 4, 5};
    try (DeviceMemory here = device.allocate(20, "here");
        DeviceMemory there = peer.allocate(20, "there");
        DeviceStream stream = device.newStream();
        DeviceModule module = device.load(source())) {
      device.upload(values, 0, 5, here, 0);
      stream.copy(here, 4, there, 0, 16);
      stream.copy(here, 0, there, 16, 4);
      stream.synchronize();
      int[] back = new int[5];
      peer.download(there, 0, back, 0, 5);
      assertThat(back).containsExactly(2, 3, 4, 5, 1);
      if (device.canAccess(peer)) {
        device.enableAccess(peer);
        device.enableAccess(peer);
        stream.launch(module.kernel("increment"), 1, 32, frame(there.address(), 5, 10, 1.0));
        stream.synchronize();
        peer.download(there, 0, back, 0, 5);
        assertThat(back).containsExactly(12, 13, 14, 15, 11);
      }
    }
  }

  /**
   * A kernel that faults takes the device from the process, for good. Needs a process of its own.
   */
  static void faultsAreFatal(Device device, CudaGpu gpu, CudaSettings settings) {
    DeviceMemory memory = device.allocate(1024, "values");
    DeviceModule module = device.load(source());
    DeviceStream stream = device.newStream();
    byte[] arguments = frame(memory.address(), 1, 1, 1.0);
    stream.launch(module.kernel("crash"), 1, 32, arguments);
    assertThatThrownBy(stream::synchronize)
        .isInstanceOf(DeviceLostException.class)
        .hasMessageContaining("CUDA_ERROR_ILLEGAL_ADDRESS")
        .hasMessageContaining("restarted");
    assertThatThrownBy(() -> device.allocate(4, "more")).isInstanceOf(DeviceLostException.class);
    assertThatThrownBy(() -> stream.launch(module.kernel("increment"), 1, 32, arguments))
        .isInstanceOf(DeviceLostException.class);
    assertThatThrownBy(() -> device.upload(new int[1], 0, 1, memory, 0))
        .isInstanceOf(DeviceLostException.class);
    memory.close();
    module.close();
    stream.close();
    device.close();
    assertThatThrownBy(() -> CudaDevices.open(gpu, settings))
        .isInstanceOf(DeviceLostException.class)
        .hasMessageContaining("restarted");
  }

  /** A closed device refuses, and frees what was forgotten. */
  static void closedDevicesRefuse(Device device) {
    DeviceMemory forgotten = device.allocate(12345, "forgotten");
    device.close();
    device.close();
    forgotten.close();
    assertThatThrownBy(() -> device.allocate(4, "more"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is closed");
  }
}
