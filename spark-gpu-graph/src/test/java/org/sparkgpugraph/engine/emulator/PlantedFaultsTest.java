package org.sparkgpugraph.engine.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceStream;

/** Mistakes planted in kernels, each of which must be found, for every order of the lanes. */
@Tag("any-spark")
class PlantedFaultsTest {
  private static final int SEEDS = 20;

  /** Proves that a device still works; every other kernel is a mistake. */
  private static final String SOUND =
      "SGG_KERNEL(sound) { f.out[threadIdx.x] = __ballot_sync(0xffffffffu, 1); }\n";

  private static final EmulatorSettings PLAIN = EmulatorSettings.defaults().withChecks(false);
  private static final EmulatorSettings CHECKED = PLAIN.withChecks(true);

  @BeforeAll
  static void compiler() {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: planted faults are not tested");
  }

  @Test
  void aMissingSyncwarpIsARace() {
    String text =
        """
        SGG_KERNEL(faulty) {
          SGG_SHARED(int, box, 64);
          box[threadIdx.x] = threadIdx.x;
          f.out[threadIdx.x] = box[threadIdx.x ^ 1];
        }
        """;
    caught(
        CHECKED,
        text,
        "race on byte",
        "of shared array box",
        "kernel faulty of test kernels, block 0, warp",
        "at line 6",
        "at line 5",
        "seed");
  }

  @Test
  void aMissingSyncwarpGivesWrongValuesWithoutChecksToo() {
    String text =
        """
        SGG_KERNEL(faulty) {
          SGG_SHARED(int, box, 32);
          box[threadIdx.x] = 1000 + threadIdx.x;
          f.out[threadIdx.x] = box[threadIdx.x ^ 1];
        }
        """;
    for (int seed = 0; seed < SEEDS; seed++) {
      try (LongKernels kernels = new LongKernels(PLAIN.withSeed(seed), text)) {
        assertThat(Arrays.stream(kernels.run("faulty", 1, 32, new long[0], 32)).boxed())
            .as("seed %d", seed)
            .anyMatch(value -> value < 1000);
      }
    }
  }

  @Test
  void aVoteIsNoMemoryBarrier() {
    caught(
        CHECKED,
        """
        SGG_KERNEL(faulty) {
          SGG_SHARED(int, box, 64);
          box[threadIdx.x] = threadIdx.x;
          __any_sync(0xffffffffu, 1);
          f.out[threadIdx.x] = box[threadIdx.x ^ 1];
        }
        """,
        "race on byte");
  }

  @Test
  void aSyncwarpOfOtherLanesOrdersNothing() {
    caught(
        CHECKED,
        """
        SGG_KERNEL(faulty) {
          SGG_SHARED(int, box, 64);
          box[threadIdx.x] = threadIdx.x;
          __syncwarp(3u << (threadIdx.x & 30));
          f.out[threadIdx.x] = box[threadIdx.x ^ 2];
        }
        """,
        "race on byte");
  }

  @Test
  void aWriteAfterAReadWithoutSyncwarpIsARace() {
    caught(
        CHECKED,
        """
        SGG_KERNEL(faulty) {
          SGG_SHARED(unsigned char, box, 64);
          box[threadIdx.x] = threadIdx.x;
          __syncthreads();
          const int value = box[(threadIdx.x + 1) & 63];
          box[threadIdx.x] = value;
          __syncthreads();
          f.out[threadIdx.x] = box[threadIdx.x];
        }
        """,
        "race on byte",
        "wrote at line 8",
        "read at line 7");
  }

  @Test
  void aSyncwarpDoesNotOrderTwoWarps() {
    caught(
        CHECKED,
        """
        SGG_KERNEL(faulty) {
          SGG_SHARED(int, box, 64);
          box[threadIdx.x] = threadIdx.x;
          __syncwarp();
          f.out[threadIdx.x] = box[threadIdx.x ^ 32];
        }
        """,
        "race on byte");
  }

  @Test
  void atomicsDoNotRaceWithEachOtherButWithReads() {
    String text =
        """
        SGG_KERNEL(sound) {
          SGG_SHARED(int, box, 1);
          if (threadIdx.x == 0) box[0] = 0;
          __syncthreads();
          atomicAdd(box, 1);
          __syncthreads();
          f.out[threadIdx.x] = box[0];
        }
        SGG_KERNEL(faulty) {
          SGG_SHARED(int, box, 1);
          if (threadIdx.x == 0) box[0] = 0;
          __syncthreads();
          atomicAdd(box, 1);
          f.out[threadIdx.x] = box[0];
        }
        """;
    for (int seed = 0; seed < SEEDS; seed++) {
      try (LongKernels kernels = new LongKernels(CHECKED.withSeed(seed), text)) {
        assertThat(kernels.run("sound", 1, 64, new long[0], 64)).containsOnly(64);
        assertThatThrownBy(() -> kernels.run("faulty", 1, 64, new long[0], 64))
            .hasMessageContaining("race on byte 0 of shared array box")
            .hasMessageContaining("did an atomic operation at line 15");
      }
    }
  }

  @Test
  void orderGoesThroughThirdLanes() {
    String text =
        """
        SGG_KERNEL(sound) {
          SGG_SHARED(int, box, 1);
          const int lane = threadIdx.x;
          if (lane == 0) box[0] = 77;
          if (lane < 2) __syncwarp(3);
          if (lane == 1 || lane == 2) __syncwarp(6);
          f.out[lane] = lane == 2 ? box[0] : 77;
        }
        """;
    for (int seed = 0; seed < SEEDS; seed++) {
      try (LongKernels kernels = new LongKernels(CHECKED.withSeed(seed), text)) {
        assertThat(kernels.run("sound", 1, 32, new long[0], 32)).containsOnly(77);
      }
    }
  }

  @Test
  void aDivergentCollective() {
    caught(
        PLAIN,
        """
        SGG_KERNEL(faulty) {
          if (threadIdx.x % 32 < 16) {
            f.out[threadIdx.x] = __shfl_sync(0xffffffffu, 1, 0);
          } else {
            f.out[threadIdx.x] = __ballot_sync(0xffffffffu, 1);
          }
        }
        """,
        "kernel faulty of test kernels, block 0, warp",
        ", lane ",
        "__shfl_sync of line 5",
        "__ballot_sync of line 7",
        "with mask 0xffffffff");
  }

  @Test
  void theSameCollectiveInTwoPlaces() {
    caught(
        PLAIN,
        """
        SGG_KERNEL(faulty) {
          if (threadIdx.x & 1) {
            __syncwarp();
          } else {
            __syncwarp();
          }
        }
        """,
        "__syncwarp of line 5",
        "__syncwarp of line 7");
  }

  @Test
  void aLaneOfTheMaskIsMissing() {
    caught(
        PLAIN,
        """
        SGG_KERNEL(faulty) {
          if (threadIdx.x != 7) {
            __syncwarp();
          }
        }
        """,
        "__syncwarp of line 5",
        "returned from the kernel");
  }

  @Test
  void theCallerIsNotInTheMask() {
    caught(
        PLAIN,
        "SGG_KERNEL(faulty) { __syncwarp(0xfffffffeu); }\n",
        "lane 0: called __syncwarp of line 3 with mask 0xfffffffe, in which it is not");
  }

  @Test
  void masksThatDiffer() {
    caught(
        PLAIN,
        "SGG_KERNEL(faulty) { __syncwarp(threadIdx.x == 3 ? 0xfu : 0xffffffffu); }\n",
        "with mask 0x0000000f",
        "with mask 0xffffffff");
  }

  @Test
  void aWidthThatIsNoPowerOfTwo() {
    caught(
        PLAIN,
        "SGG_KERNEL(faulty) { f.out[threadIdx.x] = __shfl_down_sync(0xffffffffu, 1, 1, 12); }\n",
        "__shfl_down_sync of line 3 with width 12");
  }

  @Test
  void aBarrierThatOneThreadDoesNotReach() {
    caught(
        PLAIN,
        """
        SGG_KERNEL(faulty) {
          if (threadIdx.x == 40) return;
          __syncthreads();
        }
        """,
        "__syncthreads of line 5",
        "lane 8: returned from the kernel");
  }

  @Test
  void aBarrierInsideABranch() {
    caught(
        PLAIN,
        """
        SGG_KERNEL(faulty) {
          if (threadIdx.x < 32) {
            __syncthreads();
          } else {
            f.out[0] = __syncthreads_count(1);
          }
        }
        """,
        "__syncthreads of line 5",
        "__syncthreads_count of line 7");
  }

  @Test
  void aDeadlockOfWarpAndBlock() {
    caught(
        PLAIN,
        """
        SGG_KERNEL(faulty) {
          if (threadIdx.x % 32 == 0) {
            __syncthreads();
          }
          __syncwarp();
          if (threadIdx.x % 32 != 0) {
            __syncthreads();
          }
        }
        """,
        "__syncthreads of line 5",
        "__syncwarp of line 7");
  }

  @Test
  void aDeadlockInACircle() {
    caught(
        PLAIN,
        """
        SGG_KERNEL(faulty) {
          const unsigned lane = threadIdx.x % 32;
          if (lane == 0) __syncwarp(3);
          if (lane == 1) __syncwarp(6);
          if (lane == 2) __syncwarp(5);
        }
        """,
        "deadlock: no lane of the block can go on",
        "lane 0 waits at __syncwarp of line 5 with mask 0x00000003",
        "lane 1 waits at __syncwarp of line 6 with mask 0x00000006",
        "lane 2 waits at __syncwarp of line 7 with mask 0x00000005");
  }

  @Test
  void aLockThatIsNeverFree() {
    caught(
        PLAIN.withPatience(100_000),
        "SGG_KERNEL(faulty) { while (atomicExch(reinterpret_cast<int*>(f.out), 1) != 2) {} }\n",
        "no lane of the block has reached a collective or its end");
  }

  @Test
  void aWaitForAnotherBlock() {
    caught(
        CHECKED.withPatience(100_000),
        """
        SGG_KERNEL(faulty) {
          while (*reinterpret_cast<const volatile Long*>(f.out + blockIdx.x) == 0) {}
          f.out[blockIdx.x ^ 1] = 1;
        }
        """,
        "an endless loop, or one that waits for another block");
  }

  @Test
  void locksAmongLanesMakeProgress() {
    String text =
        """
        SGG_KERNEL(sound) {
          int* lock = reinterpret_cast<int*>(f.out);
          while (atomicCAS(lock, 0, 1) != 0) {}
          f.out[1] = f.out[1] + 1;
          __threadfence();
          atomicExch(lock, 0);
        }
        """;
    for (int seed = 0; seed < SEEDS; seed++) {
      try (LongKernels kernels = new LongKernels(CHECKED.withSeed(seed), text)) {
        assertThat(kernels.run("sound", 2, 64, new long[0], 2)).containsExactly(0, 128);
      }
    }
  }

  @Test
  void aWriteBeyondABuffer() {
    caught(
        CHECKED,
        "SGG_KERNEL(faulty) { f.out[64 + threadIdx.x] = 1; }\n",
        "write of 8 bytes at line 3, outside every buffer of the device",
        "from the begin of output (512 bytes)");
  }

  @Test
  void aReadBeforeABuffer() {
    caught(
        CHECKED,
        "SGG_KERNEL(faulty) { f.out[threadIdx.x] = f.out[-1]; }\n",
        "read of 8 bytes at line 3, outside every buffer of the device");
  }

  @Test
  void anAtomicOperationBeyondABuffer() {
    caught(
        CHECKED,
        "SGG_KERNEL(faulty) { atomicOr(reinterpret_cast<unsigned*>(f.out + 64), 1u); }\n",
        "atomic operation of 4 bytes at line 3, outside every buffer",
        "512 bytes from the begin of output (512 bytes)");
  }

  @Test
  void anAtomicOperationThatIsNotAligned() {
    caught(
        PLAIN,
        """
        SGG_KERNEL(faulty) {
          atomicOr(reinterpret_cast<unsigned*>(reinterpret_cast<char*>(f.out) + 2), 1u);
        }
        """,
        "which is not aligned");
  }

  @Test
  void aWriteToTheParameters() {
    caught(
        CHECKED,
        "SGG_KERNEL(faulty) { const_cast<Frame&>(f).n = 3; f.out[0] = f.n; }\n",
        "write of 8 bytes at line 3");
  }

  @Test
  void aWriteBeyondASharedArray() {
    caught(
        CHECKED,
        """
        SGG_KERNEL(faulty) {
          SGG_SHARED(int, first, 64);
          SGG_SHARED(int, second, 64);
          first[threadIdx.x + 1] = 3;
          second[threadIdx.x] = 4;
        }
        """,
        "write of 4 bytes at line 6, outside every shared array",
        "byte 256 of first, which has 256");
  }

  @Test
  void tooMuchSharedMemory() {
    caught(
        PLAIN,
        """
        SGG_KERNEL(faulty) {
          SGG_SHARED(int, first, 64);
          SGG_SHARED(double, second, 6144);
          first[threadIdx.x] = 3;
          second[threadIdx.x] = 4;
        }
        """,
        "shared arrays of more than 49152 bytes: second has 49152, those before it 256");
  }

  @Test
  void anotherLanesLocalVariable() {
    caught(
        CHECKED,
        """
        SGG_KERNEL(faulty) {
          Long mine[2] = {threadIdx.x, 3};
          const unsigned long long address =
              __shfl_xor_sync(0xffffffffu, reinterpret_cast<unsigned long long>(mine), 1);
          f.out[threadIdx.x] = *reinterpret_cast<Long*>(address);
          __syncwarp();
          f.out[threadIdx.x] += mine[threadIdx.x & 1];
        }
        """,
        "read of 8 bytes at line 7, outside every buffer");
  }

  @Test
  void memoryThatWasFreed() {
    String text = "SGG_KERNEL(faulty) { f.out[0] = 1; }\n" + SOUND;
    try (LongKernels kernels = new LongKernels(CHECKED, text);
        DeviceStream stream = kernels.device().newStream()) {
      DeviceMemory freed = kernels.device().allocate(1 << 20, "short-lived");
      long address = freed.address();
      freed.close();
      stream.launch(kernels.module().kernel("faulty"), 1, 32, LongKernels.frame(address, 0, 0));
      assertThatThrownBy(stream::synchronize)
          .hasMessageContaining("write of 8 bytes at line 3, outside every buffer");
      stream.synchronize();
      assertSound(kernels);
    }
  }

  @Test
  void memoryOfADeviceThatIsNoPeer() {
    String text = "SGG_KERNEL(faulty) { f.out[threadIdx.x] = f.in[threadIdx.x]; }\n" + SOUND;
    try (LongKernels kernels = new LongKernels(CHECKED, text);
        EmulatedDevice other = new EmulatedDevice(CHECKED, 1);
        DeviceMemory theirs = other.allocate(256, "numbers");
        DeviceMemory ours = kernels.device().allocate(256, "copies");
        DeviceStream stream = kernels.device().newStream()) {
      Runnable launch =
          () -> {
            stream.launch(
                kernels.module().kernel("faulty"),
                1,
                32,
                LongKernels.frame(ours.address(), theirs.address(), 0));
            stream.synchronize();
          };
      assertThatThrownBy(launch::run)
          .hasMessageContaining(
              "belongs to numbers of another device, to which access is not enabled");
      kernels.device().enableAccess(other);
      launch.run();
    }
  }

  @Test
  void aFaultIsThrownByTheNextCallOfAnyKind() {
    String text = "SGG_KERNEL(faulty) { __syncwarp(2); }\n" + SOUND;
    BiConsumer<LongKernels, DeviceStream> synchronize = (kernels, stream) -> stream.synchronize();
    BiConsumer<LongKernels, DeviceStream> launch =
        (kernels, stream) ->
            stream.launch(kernels.module().kernel("faulty"), 1, 32, LongKernels.frame(0, 0, 0));
    BiConsumer<LongKernels, DeviceStream> download =
        (kernels, stream) -> {
          try (DeviceMemory memory = kernels.device().allocate(8, "value")) {
            kernels.device().download(memory, 0, new long[1], 0, 1);
          }
        };
    for (var next : List.of(synchronize, launch, download)) {
      try (LongKernels kernels = new LongKernels(PLAIN, text);
          DeviceStream stream = kernels.device().newStream()) {
        launch.accept(kernels, stream);
        assertThatThrownBy(() -> next.accept(kernels, stream))
            .isInstanceOf(DeviceException.class)
            .hasMessageContaining("launch of faulty on emulated device 0")
            .hasMessageContaining("in which it is not");
        assertSound(kernels);
      }
    }
  }

  private static void assertSound(LongKernels kernels) {
    assertThat(kernels.run("sound", 2, 64, new long[0], 64))
        .as("a kernel after the fault")
        .containsOnly(0xffffffffL);
  }

  /** Runs the kernel named faulty on two blocks of 64 threads. */
  private static void caught(EmulatorSettings settings, String text, String... parts) {
    boolean[] seen = new boolean[parts.length];
    for (int seed = 0; seed < SEEDS; seed++) {
      try (LongKernels kernels = new LongKernels(settings.withSeed(seed), text + SOUND)) {
        for (int repeat = 0; repeat < 2; repeat++) {
          Throwable fault = catchThrowable(() -> kernels.run("faulty", 2, 64, new long[0], 64));
          assertThat(fault).as("seed %d", seed).isInstanceOf(DeviceException.class);
          boolean any = false;
          for (int i = 0; i < parts.length; i++) {
            boolean contained = fault.getMessage().contains(parts[i]);
            seen[i] |= contained;
            any |= contained;
          }
          assertThat(any).as("seed %d: %s", seed, fault.getMessage()).isTrue();
          assertSound(kernels);
        }
        assertThat(kernels.device().allocatedBytes()).isZero();
      }
    }
    // Which lane notices first differs from seed to seed; each part is said in some order.
    assertThat(seen).as(String.join(" | ", parts)).containsOnly(true);
  }
}
