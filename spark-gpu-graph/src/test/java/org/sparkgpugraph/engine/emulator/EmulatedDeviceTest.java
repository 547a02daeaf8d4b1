package org.sparkgpugraph.engine.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.device.CompilerUnavailableException;
import org.sparkgpugraph.engine.device.DeviceEvent;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceKernel;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceModule;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.KernelCompilationException;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.MemoryInfo;
import org.sparkgpugraph.engine.device.PinnedMemory;

/** Memory, streams, modules and errors of the emulated device. */
@Tag("any-spark")
class EmulatedDeviceTest {
  private static final EmulatorSettings SETTINGS = EmulatorSettings.defaults();

  @BeforeAll
  static void compiler() {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: the emulated device is not tested");
  }

  @Test
  void itSaysWhatItIs() {
    try (EmulatedDevice device = new EmulatedDevice(SETTINGS.withMultiprocessors(3), 1)) {
      assertThat(device.properties().name()).isEqualTo("emulated");
      assertThat(device.properties().architecture()).isEqualTo(90);
      assertThat(device.properties().ordinal()).isEqualTo(1);
      assertThat(device.properties().multiprocessors()).isEqualTo(3);
      assertThat(device.properties().totalMemory()).isEqualTo(SETTINGS.memoryBytes());
    }
  }

  @Test
  void arraysOfEveryTypeGoToTheDeviceAndBack() {
    try (EmulatedDevice device = new EmulatedDevice(SETTINGS);
        DeviceMemory memory = device.allocate(8 * 100_000 + 8, "values")) {
      Random random = new Random(1);
      boolean[] booleans = new boolean[100_000];
      for (int i = 0; i < booleans.length; i++) {
        booleans[i] = random.nextBoolean();
      }
      int[] ints = random.ints(1000).toArray();
      long[] longs = random.longs(1000).toArray();
      double[] doubles = random.doubles(1000).toArray();
      float[] floats = new float[1000];
      for (int i = 0; i < floats.length; i++) {
        floats[i] = random.nextFloat();
      }

      device.upload(booleans, 7, 99_000, memory, 3);
      boolean[] gotBooleans = new boolean[100_000];
      device.download(memory, 3, gotBooleans, 5, 99_000);
      assertThat(Arrays.copyOfRange(gotBooleans, 5, 99_005))
          .isEqualTo(Arrays.copyOfRange(booleans, 7, 99_007));
      assertThat(gotBooleans[4]).isFalse();
      assertThat(gotBooleans[99_005]).isFalse();

      device.upload(ints, 1, 998, memory, 4);
      int[] gotInts = new int[1000];
      device.download(memory, 4, gotInts, 1, 998);
      assertThat(Arrays.copyOfRange(gotInts, 1, 999)).isEqualTo(Arrays.copyOfRange(ints, 1, 999));
      assertThat(gotInts[999]).isZero();

      device.upload(longs, 0, 1000, memory, 8);
      long[] gotLongs = new long[1000];
      device.download(memory, 8, gotLongs, 0, 1000);
      assertThat(gotLongs).isEqualTo(longs);

      device.upload(floats, 0, 1000, memory, 4);
      float[] gotFloats = new float[1000];
      device.download(memory, 4, gotFloats, 0, 1000);
      assertThat(gotFloats).isEqualTo(floats);

      device.upload(doubles, 0, 1000, memory, 0);
      double[] gotDoubles = new double[1000];
      device.download(memory, 0, gotDoubles, 0, 1000);
      assertThat(gotDoubles).isEqualTo(doubles);

      device.upload(new int[0], 0, 0, memory, 0);
      assertThatThrownBy(() -> device.upload(new short[1], 0, 1, memory, 0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("short[]");
      assertThatThrownBy(() -> device.upload(new long[2], 0, 2, memory, 8 * 100_000 - 1))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining("16 bytes from byte 799999 on are not within values");
      assertThatThrownBy(() -> device.upload(new long[2], 1, 2, memory, 0))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> device.download(memory, -1, new int[1], 0, 1))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void newMemoryIsGarbage() {
    try (EmulatedDevice device = new EmulatedDevice(SETTINGS);
        DeviceMemory memory = device.allocate(12, "values");
        PinnedMemory pinned = device.allocatePinned(12)) {
      int[] values = new int[3];
      device.download(memory, 0, values, 0, 3);
      assertThat(values).containsOnly(0xa5a5a5a5);
      assertThat(pinned.buffer().getInt(8)).isEqualTo(0xa5a5a5a5);
    }
  }

  @Test
  void streamsCopyFillAndTellTheTime() {
    try (EmulatedDevice device = new EmulatedDevice(SETTINGS);
        EmulatedDevice other = new EmulatedDevice(SETTINGS, 1);
        DeviceMemory memory = device.allocate(64, "here");
        DeviceMemory there = other.allocate(64, "there");
        PinnedMemory pinned = device.allocatePinned(64);
        DeviceStream stream = device.newStream();
        DeviceStream elsewhere = other.newStream();
        DeviceEvent before = stream.record()) {
      pinned.buffer().putInt(4, 12345);
      stream.fill(memory, 0, 64, (byte) -1);
      stream.upload(pinned, 4, memory, 8, 4);
      stream.copy(memory, 4, there, 0, 12);
      elsewhere.download(there, 0, pinned, 32, 12);
      elsewhere.synchronize();
      for (ThrowingCallable use :
          List.<ThrowingCallable>of(
              () -> stream.fill(there, 0, 4, (byte) 0),
              () -> stream.upload(pinned, 0, there, 0, 4),
              () -> stream.download(there, 0, pinned, 0, 4),
              () -> stream.copy(there, 0, there, 4, 4),
              () -> device.upload(new int[1], 0, 1, there, 0),
              () -> device.download(there, 0, new int[1], 0, 1))) {
        assertThatThrownBy(use)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("there (64 bytes on emulated device 1)")
            .hasMessageContaining("on emulated device 0");
      }
      assertThat(pinned.buffer().getInt(32)).isEqualTo(-1);
      assertThat(pinned.buffer().getInt(36)).isEqualTo(12345);
      assertThat(pinned.buffer().getInt(40)).isEqualTo(-1);
      try (DeviceEvent after = stream.record()) {
        stream.waitFor(after);
        after.synchronize();
        assertThat(after.nanosSince(before)).isNotNegative();
      }
      assertThatThrownBy(() -> stream.fill(memory, 60, 5, (byte) 0))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining("here");
      assertThatThrownBy(() -> stream.upload(pinned, 61, memory, 0, 4))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void outOfMemoryNamesWhatIsMissing() {
    try (EmulatedDevice device = new EmulatedDevice(SETTINGS.withMemoryBytes(1000))) {
      DeviceMemory first = device.allocate(600, "edges");
      assertThat(device.memory()).isEqualTo(new MemoryInfo(400, 1000));
      DeviceOutOfMemoryException refused =
          catchThrowableOfType(
              DeviceOutOfMemoryException.class, () -> device.allocate(401, "attributes"));
      assertThat(refused)
          .hasMessageContaining(
              "emulated device 0 has 400 bytes free but attributes needs 401"
                  + " (EMULATOR_OUT_OF_MEMORY)");
      assertThat(refused.needed()).isEqualTo(401);
      assertThat(refused.free()).isEqualTo(400);
      device.allocate(400, "attributes").close();
      first.close();
      first.close();
      assertThat(device.memory()).isEqualTo(new MemoryInfo(1000, 1000));
      try (DeviceMemory none = device.allocate(0, "nothing")) {
        assertThat(none.address()).isZero();
        assertThat(none.bytes()).isZero();
      }
      assertThatThrownBy(() -> device.allocate(-1, "less"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("-1 bytes wanted for less");
    }
  }

  @Test
  void whatIsStillAllocatedIsKnownAndFreed() {
    EmulatedDevice device = new EmulatedDevice(SETTINGS);
    DeviceMemory memory = device.allocate(600, "edges of partition 3");
    assertThat(device.allocations()).containsExactly("600 bytes for edges of partition 3");
    assertThat(device.allocatedBytes()).isEqualTo(600);
    device.close();
    assertThat(device.allocations()).isEmpty();
    assertThatThrownBy(memory::address)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("edges of partition 3");
    device.close();
  }

  @Test
  void useAfterCloseIsAnError() {
    EmulatedDevice device = new EmulatedDevice(SETTINGS);
    DeviceMemory memory = device.allocate(8, "value");
    PinnedMemory pinned = device.allocatePinned(8);
    DeviceStream stream = device.newStream();
    DeviceEvent event = stream.record();
    DeviceModule module = device.load(LongKernels.source("SGG_KERNEL(empty) {}\n"));
    DeviceKernel kernel = module.kernel("empty");
    module.close();
    memory.close();
    pinned.close();
    event.close();
    closed(() -> module.kernel("empty"));
    closed(() -> stream.launch(kernel, 1, 32, new byte[24]));
    closed(() -> device.upload(new long[1], 0, 1, memory, 0));
    closed(memory::address);
    closed(pinned::buffer);
    closed(event::synchronize);
    stream.close();
    closed(stream::synchronize);
    device.close();
    closed(() -> device.allocate(8, "value"));
    closed(() -> device.allocatePinned(8));
    closed(device::newStream);
    closed(device::memory);
    closed(() -> device.load(LongKernels.source("")));
  }

  private static void closed(Runnable use) {
    assertThatThrownBy(use::run)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("close");
  }

  @Test
  void launchesOfTheWrongShapeAreRefused() {
    try (LongKernels kernels = new LongKernels(SETTINGS, "SGG_KERNEL(empty) {}\n");
        DeviceStream stream = kernels.device().newStream()) {
      DeviceKernel kernel = kernels.module().kernel("empty");
      assertThat(kernel.registers()).isZero();
      assertThat(kernel.blocksPerMultiprocessor(256, 0)).isEqualTo(8);
      for (int[] shape : new int[][] {{0, 32}, {1, 0}, {1, 33}, {1, 1056}}) {
        assertThatThrownBy(() -> stream.launch(kernel, shape[0], shape[1], new byte[24]))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining(shape[0] + " blocks of " + shape[1] + " threads");
      }
      assertThatThrownBy(() -> kernels.module().kernel("other"))
          .isInstanceOf(DeviceException.class)
          .hasMessageContaining("other");
    }
  }

  @Test
  void aSourceThatDoesNotCompileIsShown() {
    KernelSource source =
        new KernelSource(
            "Shortest.java:12",
            "struct Frame { int n; };\nSGG_KERNEL(broken) { return nonsense; }\n",
            List.of("broken"),
            List.of("send: Shortest.lambda$0, line 12"));
    try (EmulatedDevice device = new EmulatedDevice(SETTINGS)) {
      KernelCompilationException refused =
          catchThrowableOfType(KernelCompilationException.class, () -> device.load(source));
      assertThat(refused.log()).contains("nonsense").contains("12:2:");
      assertThat(refused)
          .hasMessageContaining("does not compile the kernels generated for Shortest.java:12")
          .hasMessageContaining("send: Shortest.lambda$0, line 12")
          .hasMessageContaining("SGG_KERNEL(broken) { return nonsense; }");
      assertThat(refused.source()).isEqualTo(source);
    }
  }

  @Test
  void warningsFailWhenATestAsksForIt() {
    KernelSource source =
        LongKernels.source("SGG_KERNEL(sloppy) { int unused; f.out[0] = f.n; }\n");
    try (EmulatedDevice device = new EmulatedDevice(SETTINGS)) {
      device.load(source).close();
    }
    try (EmulatedDevice device = new EmulatedDevice(SETTINGS.withWarningsFail(true))) {
      assertThatThrownBy(() -> device.load(source))
          .isInstanceOf(KernelCompilationException.class)
          .hasMessageContaining("unused");
    }
  }

  @Test
  void aMissingCompilerIsNamed() {
    String before = System.getProperty(EmulatorCompiler.COMPILER_KEY);
    System.setProperty(EmulatorCompiler.COMPILER_KEY, "no-such-compiler");
    try {
      assertThat(EmulatedDevice.isAvailable()).isFalse();
      assertThatThrownBy(() -> new EmulatedDevice(SETTINGS).close())
          .isInstanceOf(CompilerUnavailableException.class)
          .hasMessageContaining("no-such-compiler cannot be run: install g++");
    } finally {
      if (before == null) {
        System.clearProperty(EmulatorCompiler.COMPILER_KEY);
      } else {
        System.setProperty(EmulatorCompiler.COMPILER_KEY, before);
      }
    }
  }

  /** Every block reads what all of them wrote before the barrier, again and again. */
  @Test
  void blocksOfACooperativeLaunchMeetAtTheBarrierOfTheGrid() {
    String text =
        """
        SGG_KERNEL(meet) {
          SGG_SHARED(Long, own, 1);
          unsigned target = 0;
          if (threadIdx.x == 0) own[0] = 0;
          for (Long round = 0; round < 5; round++) {
            if (threadIdx.x == 0) f.out[blockIdx.x] = 100 * round + blockIdx.x;
            sgg_grid_sync(nullptr, target);
            if (threadIdx.x == 33) {
              for (unsigned b = 0; b < gridDim.x; b++) own[0] += f.out[b];
            }
            sgg_grid_sync(nullptr, target);
          }
          if (threadIdx.x == 0) f.out[gridDim.x + blockIdx.x] = own[0];
        }
        SGG_KERNEL(leave) {
          unsigned target = 0;
          if (blockIdx.x != 1) sgg_grid_sync(nullptr, target);
        }
        SGG_KERNEL(part) {
          unsigned target = 0;
          if (threadIdx.x != 7) sgg_grid_sync(nullptr, target);
        }
        """;
    for (int seed = 0; seed < 5; seed++) {
      try (LongKernels kernels = new LongKernels(SETTINGS.withSeed(seed).withChecks(true), text);
          DeviceMemory output = kernels.device().allocate(8 * 12, "output");
          DeviceStream stream = kernels.device().newStream()) {
        byte[] frame = LongKernels.frame(output.address(), 0, 0);
        stream.launchCooperative(kernels.module().kernel("meet"), 6, 64, 0, frame);
        long[] sums = new long[12];
        kernels.device().download(output, 0, sums, 0, 12);
        assertThat(Arrays.copyOfRange(sums, 6, 12)).containsOnly(6 * (100 + 200 + 300 + 400) + 75);

        refuses(kernels, stream, true, "leave", 3, "2 blocks of 3 wait at the grid's barrier");
        refuses(kernels, stream, true, "part", 2, "returned from the kernel");
        refuses(kernels, stream, false, "meet", 6, "not a cooperative one");
        refuses(kernels, stream, true, "meet", 1000, "COOPERATIVE_LAUNCH_TOO_LARGE");
        // What failed leaves nothing behind.
        stream.launchCooperative(kernels.module().kernel("meet"), 6, 64, 0, frame);
        kernels.device().download(output, 0, sums, 0, 12);
        assertThat(sums[6]).isEqualTo(6 * 1000 + 75);
      }
    }
  }

  private static void refuses(
      LongKernels kernels,
      DeviceStream stream,
      boolean cooperative,
      String kernel,
      int blocks,
      String why) {
    try (DeviceMemory output = kernels.device().allocate(8 * 12, "output")) {
      byte[] frame = LongKernels.frame(output.address(), 0, 0);
      DeviceKernel launched = kernels.module().kernel(kernel);
      assertThatThrownBy(
              () -> {
                if (cooperative) {
                  stream.launchCooperative(launched, blocks, 64, 0, frame);
                } else {
                  stream.launch(launched, blocks, 64, frame);
                }
                stream.synchronize();
              })
          .isInstanceOf(DeviceException.class)
          .hasMessageContaining(why);
    }
  }

  @Test
  void theSameSeedGivesTheSameOrder() {
    String text =
        """
        SGG_KERNEL(order) {
          f.out[blockIdx.x * blockDim.x + threadIdx.x] =
              static_cast<Long>(atomicAdd(reinterpret_cast<int*>(f.out + 256), 1));
        }
        """;
    List<long[]> orders = new ArrayList<>();
    for (long seed : new long[] {5, 5, 6}) {
      try (LongKernels kernels = new LongKernels(SETTINGS.withSeed(seed), text)) {
        orders.add(kernels.run("order", 4, 64, new long[0], 257));
      }
    }
    assertThat(orders.get(0)).isEqualTo(orders.get(1)).isNotEqualTo(orders.get(2));
  }

  @Test
  void devicesOfSeveralThreadsRunSideBySide() throws Exception {
    int devices = 4;
    String text =
        """
        SGG_KERNEL(sums) {
          SGG_SHARED(Long, box, 128);
          Long sum = 0;
          for (int round = 0; round < 20; round++) {
            box[threadIdx.x] = f.in[threadIdx.x] + round;
            __syncthreads();
            sum += __shfl_xor_sync(0xffffffffu, box[threadIdx.x ^ 64], 5);
            __syncthreads();
          }
          atomicAdd(reinterpret_cast<unsigned long long*>(f.out), static_cast<unsigned long long>(sum));
        }
        """;
    ExecutorService threads = Executors.newFixedThreadPool(devices);
    List<EmulatedDevice> opened = new ArrayList<>();
    List<DeviceMemory> outputs = new ArrayList<>();
    try {
      for (int i = 0; i < devices; i++) {
        opened.add(new EmulatedDevice(SETTINGS.withSeed(i).withChecks(true), i));
        outputs.add(opened.get(i).allocate(8, "sum " + i));
        opened.get(i).upload(new long[1], 0, 1, outputs.get(i), 0);
      }
      List<Future<?>> runs = new ArrayList<>();
      for (int i = 0; i < devices; i++) {
        EmulatedDevice device = opened.get(i);
        EmulatedDevice next = opened.get((i + 1) % devices);
        DeviceMemory output = outputs.get((i + 1) % devices);
        runs.add(
            threads.submit(
                () -> {
                  assertThat(device.canAccess(next)).isTrue();
                  device.enableAccess(next);
                  device.enableAccess(next);
                  // Every device adds to the memory of the next one and of itself.
                  try (DeviceModule module = device.load(LongKernels.source(text));
                      DeviceStream stream = device.newStream();
                      DeviceMemory in = device.allocate(8 * 128, "numbers")) {
                    device.upload(LongStream.range(0, 128).toArray(), 0, 128, in, 0);
                    for (int repeat = 0; repeat < 10; repeat++) {
                      for (DeviceMemory to :
                          List.of(output, outputs.get(device.properties().ordinal()))) {
                        stream.launch(
                            module.kernel("sums"),
                            2,
                            128,
                            LongKernels.frame(to.address(), in.address(), 0));
                      }
                    }
                    stream.synchronize();
                  }
                  return null;
                }));
      }
      for (Future<?> run : runs) {
        run.get();
      }
      long once = 2 * (20 * (127L * 128 / 2) + 128 * (19L * 20 / 2));
      for (int i = 0; i < devices; i++) {
        long[] sum = new long[1];
        opened.get(i).download(outputs.get(i), 0, sum, 0, 1);
        assertThat(sum[0]).as("device %d", i).isEqualTo(20 * once);
      }
    } finally {
      threads.shutdownNow();
      opened.forEach(EmulatedDevice::close);
    }
  }
}
