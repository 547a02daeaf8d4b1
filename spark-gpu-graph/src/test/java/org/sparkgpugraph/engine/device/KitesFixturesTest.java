package org.sparkgpugraph.engine.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.device.kernels.ProgramKernels;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.engine.device.settings.DeviceShape;
import org.sparkgpugraph.engine.device.settings.VertexGrouping;
import org.sparkgpugraph.engine.device.settings.VertexGroupingTest;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;

/**
 * The worked examples of Khorasani 2016, chapter 3, on the device code itself: dynamic thread
 * assignment (figure 3.6) by a kernel that writes down what the packing of a warp's rows gives, and
 * activation over grouped out-neighbours (figures 3.2 and 3.4) by the kernel that does it.
 */
@Tag("any-spark")
class KitesFixturesTest {
  private static final int SEEDS = 20;
  private static final int WARP = DeviceProperties.WARP;
  private static final int BLOCK = 256;

  /**
   * Rows {@code inOffsets}, of which those with a bit in {@code stored} take part. Writes to {@code
   * status}: start of every lane's row in the list, the list's length, and for every place its
   * owner and its edge.
   */
  private static final String PACKED =
      """
      SGG_KERNEL(packed) {
        int lane = sgg_lane();
        int begin = f.inOffsets[lane];
        int length = f.inOffsets[lane + 1] - begin;
        int count = (f.stored >> lane) & 1 ? length : 0;
        PackedRows rows = sgg_pack(begin, count, __all_sync(SGG_ALL_LANES, count == length), lane);
        f.status[lane] = rows.start;
        if (lane == 0) {
          f.status[SGG_WARP] = rows.total;
        }
        for (int base = 0; base < rows.total; base += SGG_WARP) {
          int place = base + lane;
          int owner = sgg_owner(rows, place);
          int edge = sgg_shfl(rows.begin, owner) + (place - sgg_shfl(rows.start, owner));
          if (place < rows.total) {
            f.status[SGG_WARP + 1 + 2 * place] = owner;
            f.status[SGG_WARP + 2 + 2 * place] = edge;
          }
        }
      }
      """;

  private final ProgramKernels kernels = shortestPaths();
  private EmulatedDevice device;
  private DeviceModule module;

  /** Messages go along the edges: activation walks the transpose of the in-edges, nothing else. */
  private static ProgramKernels shortestPaths() {
    LiftedProgram program = IrPrograms.shortestPaths().program();
    RunSettings settings =
        new RunSettings(
            new Object[] {Double.POSITIVE_INFINITY},
            null,
            ActiveDirection.OUT,
            Gather.ACTIVE,
            Integer.MAX_VALUE,
            false,
            KernelChoice.AUTO,
            1,
            null);
    return ProgramKernels.of(
        program,
        KernelShape.of(program, settings, false, false),
        new DeviceShape(ActiveDirection.OUT, false, DenseTuning.DEFAULT));
  }

  private void open(int seed) {
    close();
    device = new EmulatedDevice(EmulatorSettings.defaults().withSeed(seed).withChecks(true));
    KernelSource source = kernels.source();
    module =
        device.load(
            new KernelSource(
                "fixtures", source.text() + PACKED, List.of("packed", "activate"), List.of()));
  }

  @BeforeEach
  void open() {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    open(0);
  }

  @AfterEach
  void close() {
    if (module != null) {
      module.close();
      assertThat(device.allocations()).isEmpty();
      device.close();
      module = null;
    }
  }

  // ---- figure 3.6: dynamic thread assignment ----------------------------------------------------

  /**
   * A packed warp.
   *
   * @param starts start of every lane's row in the list
   * @param owners lane that owns each place of the list
   * @param edges edge at each place
   */
  private record Packed(long[] starts, long[] owners, long[] edges) {}

  /**
   * @param offsets of a warp's rows; lanes without one have an empty row
   * @param active a bit for every row that takes part
   */
  private Packed pack(int[] offsets, long active) {
    int[] padded = Arrays.copyOf(offsets, WARP + 1);
    Arrays.fill(padded, offsets.length, WARP + 1, offsets[offsets.length - 1]);
    long[] out = new long[WARP + 1 + 2 * (padded[WARP] - padded[0])];
    try (DeviceMemory input = device.allocate(4L * padded.length, "offsets");
        DeviceMemory output = device.allocate(8L * out.length, "output");
        DeviceStream stream = device.newStream()) {
      device.upload(padded, 0, padded.length, input, 0);
      stream.launch(
          module.kernel("packed"),
          1,
          WARP,
          kernels
              .frame()
              .newFrame()
              .set("inOffsets", input)
              .set("stored", active)
              .set("status", output)
              .toArray());
      stream.synchronize();
      device.download(output, 0, out, 0, out.length);
    }
    int total = (int) out[WARP];
    long[] owners = new long[total];
    long[] edges = new long[total];
    for (int place = 0; place < total; place++) {
      owners[place] = out[WARP + 1 + 2 * place];
      edges[place] = out[WARP + 2 + 2 * place];
    }
    return new Packed(Arrays.copyOf(out, WARP), owners, edges);
  }

  /** Vertices 0 and 2 of four are active: R = 0 1 3 6 7. */
  @Test
  void threadsAreAssignedAsInTheFigure() {
    for (int seed = 0; seed < SEEDS; seed++) {
      open(seed);
      Packed packed = pack(new int[] {0, 1, 3, 6, 7}, 0b0101);
      // The figure's loadPS holds the starts of the active rows alone: 0 and 1.
      assertThat(packed.starts()).as("seed %s", seed).startsWith(0, 1, 1, 4, 4);
      // Its k counts active rows: 0 1 1 1. Here it is the lane: vertex 0, then vertex 2.
      assertThat(packed.owners()).as("seed %s", seed).containsExactly(0, 2, 2, 2);
      assertThat(packed.edges()).as("seed %s", seed).containsExactly(0, 3, 4, 5);
    }
  }

  /** Every edge of the active rows once, in order, whatever their lengths. */
  @Test
  void everyEdgeOfTheActiveRowsIsAssignedOnce() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      int[] offsets = new int[1 + random.nextInt(WARP + 1)];
      offsets[0] = random.nextInt(1000);
      for (int r = 1; r < offsets.length; r++) {
        int[] longest = {1, 2, 5, 40, 70};
        offsets[r] = offsets[r - 1] + random.nextInt(longest[random.nextInt(longest.length)]);
      }
      long active = random.nextInt(4) == 0 ? 0xffffffffL : random.nextInt() & 0xffffffffL;
      Packed packed = pack(offsets, active);
      int place = 0;
      for (int r = 0; r + 1 < offsets.length; r++) {
        for (int e = offsets[r]; e < offsets[r + 1] && (active >> r & 1) == 1; e++, place++) {
          assertThat(place).as("seed %s", seed).isLessThan(packed.owners().length);
          assertThat(packed.owners()[place]).as("seed %s, place %s", seed, place).isEqualTo(r);
          assertThat(packed.edges()[place]).as("seed %s, place %s", seed, place).isEqualTo(e);
        }
      }
      assertThat(packed.owners()).as("seed %s", seed).hasSize(place);
    }
  }

  // ---- figures 3.2 and 3.4: activation over groups ----------------------------------------------

  /** Every set of active vertices of the figure's graph, ungrouped and in groups of 2 and 4. */
  @Test
  void activeVerticesActivateTheirGroupsNeighbours() {
    Csr figure = VertexGroupingTest.FIGURE;
    for (int ratio : new int[] {1, 2, 4}) {
      int shift = VertexGrouping.shift(ratio);
      Csr grouped = VertexGrouping.group(figure, 8, shift);
      int[] offsets = grouped.offsets();
      int[] targets = grouped.neighbours();
      try (DeviceMemory offsetsOn = device.allocate(4L * offsets.length, "offsets");
          DeviceMemory targetsOn = device.allocate(4L * targets.length, "targets");
          DeviceMemory activeOn = device.allocate(4, "active");
          DeviceMemory candidatesOn = device.allocate(4, "candidates");
          DeviceStream stream = device.newStream()) {
        device.upload(offsets, 0, offsets.length, offsetsOn, 0);
        device.upload(targets, 0, targets.length, targetsOn, 0);
        byte[] frame =
            kernels
                .frame()
                .newFrame()
                .set("stored", 8)
                .set("locals", 8)
                .set("groupShift", shift)
                .set("active", activeOn)
                .set("candidates", candidatesOn)
                .set("inTransposeOffsets", offsetsOn)
                .set("inTransposeTargets", targetsOn)
                .toArray();
        for (int active = 0; active < 256; active++) {
          device.upload(new int[] {active}, 0, 1, activeOn, 0);
          stream.fill(candidatesOn, 0, 4, (byte) 0);
          stream.launch(module.kernel("activate"), 1, BLOCK, frame);
          stream.synchronize();
          int[] candidates = new int[1];
          device.download(candidatesOn, 0, candidates, 0, 1);
          int expected = 0;
          for (int v = 0; v < 8; v++) {
            if ((active >> v & 1) == 1) {
              // An updated vertex activates every group that its own group has an edge into.
              for (int member = v / ratio * ratio; member < (v / ratio + 1) * ratio; member++) {
                for (int e = figure.offsets()[member]; e < figure.offsets()[member + 1]; e++) {
                  expected |= 1 << figure.neighbours()[e] / ratio;
                }
              }
            }
          }
          assertThat(Integer.toBinaryString(candidates[0]))
              .as("groups of %s, active %s", ratio, Integer.toBinaryString(active))
              .isEqualTo(Integer.toBinaryString(expected));
        }
      }
    }
  }
}
