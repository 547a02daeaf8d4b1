package org.sparkgpugraph.engine.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.device.kernels.ContextPrograms;
import org.sparkgpugraph.engine.device.kernels.ProgramKernels;
import org.sparkgpugraph.engine.device.partition.RecordPrograms;
import org.sparkgpugraph.engine.device.partition.ResidualPrograms;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DelegateSettings;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.DeviceShape;
import org.sparkgpugraph.engine.device.settings.TileLayout;
import org.sparkgpugraph.engine.device.settings.TileSettings;
import org.sparkgpugraph.engine.device.settings.WalkSchedule;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.testing.RandomPrograms;
import org.sparkgpugraph.testing.TestProgram;

/** Every kernel compiles for the GPUs that are supported, without a warning; no GPU is needed. */
@Tag("any-spark")
class NvccCompileTest {
  private static final Pattern ENTRY =
      Pattern.compile(
          "Compiling entry function '(\\w+)' for '(\\w+)'.*?(\\d+) bytes spill stores, (\\d+) bytes"
              + " spill loads.*?Used (\\d+) registers",
          Pattern.DOTALL);

  private static final Pattern DECLARED = Pattern.compile("(\\d+) bytes smem");

  /** What a kernel may need at most so that an H200 still holds 512 threads per multiprocessor. */
  private static final int MOST_REGISTERS = 128;

  @TempDir Path folder;

  @BeforeAll
  static void needsNvcc() {
    assumeTrue(runs("nvcc", "--version"), "nvcc is not on the PATH: kernels are not compiled here");
  }

  private static boolean runs(String... command) {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Test
  void kernelsCompileWithoutWarningsForEverySupportedArchitecture() throws Exception {
    List<String> report = new ArrayList<>();
    int entries = 0;
    int expected = 0;
    for (long seed : GeneratedKernels.SEEDS) {
      ProgramKernels kernels = GeneratedKernels.of(seed, true);
      expected += 3 * kernels.source().kernels().size();
      Matcher entry = ENTRY.matcher(compile(seed, kernels.source()));
      while (entry.find()) {
        entries++;
        int registers = Integer.parseInt(entry.group(5));
        report.add(
            "seed "
                + seed
                + " "
                + entry.group(2)
                + " "
                + entry.group(1)
                + ": "
                + registers
                + " registers, "
                + entry.group(3)
                + " bytes spilled");
        assertThat(registers).as(report.get(report.size() - 1)).isLessThanOrEqualTo(MOST_REGISTERS);
      }
    }
    Path file = Path.of("target", "kernel-resources.txt");
    Files.write(file, report);
    System.out.println("registers and spills of " + entries + " kernels: " + file.toAbsolutePath());
    assertThat(entries).as("kernels that ptxas reported").isEqualTo(expected);
  }

  /** What waits for single loads all the time must not wait for registers, too. */
  @Test
  void relaxationWithoutSuperstepsSpillsNothing() throws Exception {
    KernelSource source = relaxing(false, false);
    // With two blocks a multiprocessor.
    assertSpillsNothing(source, "async_loop", 128, compile(-1, source));
  }

  /** Owners of tiles, that walk one side or both. */
  @Test
  void ownersOfTilesSpillNothing() throws Exception {
    int threads = TileLayout.threads(TileSettings.DEFAULT);
    RunSettings settings = IrPrograms.settings(Integer.MAX_VALUE, KernelChoice.ASYNC);
    LiftedProgram both = IrPrograms.spreadingBothWays().program();
    KernelSource bothWays =
        DeviceEngine.kernels(
                both,
                new RunSettings(
                    settings.initialMessage(),
                    null,
                    ActiveDirection.EITHER,
                    Gather.ACTIVE,
                    Integer.MAX_VALUE,
                    true,
                    KernelChoice.ASYNC,
                    1,
                    null),
                DeviceSettings.DEFAULT,
                false,
                false)
            .relaxing(
                both, new DeviceShape(ActiveDirection.EITHER, false, DenseTuning.DEFAULT), true)
            .source();
    assertThat(bothWays.text()).contains("#define SGG_WALKS_OUT 1", "#define SGG_WALKS_IN 1");
    for (KernelSource source : List.of(relaxing(false, true), bothWays)) {
      String log = compile(-1, source, 75, 90);
      // All registers of a multiprocessor, which are given out by eights.
      assertSpillsNothing(source, "tile_loop", 65536 / threads / 8 * 8, log);
      assertThat(DECLARED.matcher(log).results().mapToInt(used -> Integer.parseInt(used.group(1))))
          .as("shared memory that the kernel declares")
          .isNotEmpty()
          .allMatch(bytes -> bytes <= TileLayout.DECLARED_BYTES);
    }
  }

  private static void assertSpillsNothing(
      KernelSource source, String kernel, int most, String log) {
    assertThat(source.kernels()).contains(kernel);
    List<MatchResult> entries =
        ENTRY
            .matcher(log)
            .results()
            .filter(entry -> entry.group(1).equals(kernel) && entry.group(2).equals("sm_90"))
            .toList();
    assertThat(entries).as("ptxas reported the kernel").hasSize(1);
    for (MatchResult entry : entries) {
      assertThat(entry.group(3) + "+" + entry.group(4)).as("bytes spilled").isEqualTo("0+0");
      assertThat(Integer.parseInt(entry.group(5))).as("registers").isLessThanOrEqualTo(most);
    }
  }

  /** A few registers are too few of 128, with two blocks a multiprocessor. */
  @Test
  void relaxationOfResidualsCompilesWithoutWarnings() throws Exception {
    for (ResidualPrograms.Form form : ResidualPrograms.FORMS) {
      LiftedProgram program = ResidualPrograms.of(form, 1e-3).program();
      RunSettings run = ResidualPrograms.settings(form, KernelChoice.ASYNC);
      ProgramKernels kernels =
          DeviceEngine.kernels(program, run, DeviceSettings.DEFAULT, false, false);
      DeviceShape shape = new DeviceShape(run.activeDirection(), false, DenseTuning.DEFAULT);
      KernelSource source = kernels.relaxing(program, shape, false).source();
      assertThat(source.text()).contains("#define SGG_RESIDUALS 1");
      Matcher entry = ENTRY.matcher(compile(-1, source, 90));
      assertThat(entry.find()).as("ptxas reported the kernel").isTrue();
      assertThat(entry.group(1)).isEqualTo("async_loop");
      assertThat(Integer.parseInt(entry.group(4))).as("bytes spilled").isLessThan(64);
      // Where it cannot run, supersteps push.
      compile(-1, kernels.source(), 90);
    }
  }

  /** Random programs that push into values of a part of a graph are rare. */
  @Test
  void partsThatPushCompileWithoutWarnings() throws Exception {
    KernelSource source = shortestPaths(KernelChoice.AUTO, true).source();
    assertThat(source.text()).contains("#define SGG_PUSHES_PARTS 1", "#define SGG_PUSHES_VALUES 1");
    assertThat(source.kernels()).contains("push_loop", "frontier_ghosts");
    compile(-1, source);
    assertThat(entries(compile(-1, relaxing(true, false), 90))).containsExactly("async_loop");
  }

  /**
   * Those that walk rows, many in a launch: all vertices, active ones, all edges of these; labels.
   */
  @Test
  void outlinedSuperstepsCompileWithoutWarnings() throws Exception {
    List<TestProgram<?, ?, ?, ?, ?>> programs =
        List.of(
            RandomPrograms.extended(2),
            RandomPrograms.extended(6),
            RandomPrograms.extended(19),
            RandomPrograms.mode(31));
    Set<String> entries = new TreeSet<>();
    for (TestProgram<?, ?, ?, ?, ?> program : programs) {
      KernelSource source = GeneratedKernels.outlined(program);
      Matcher entry = ENTRY.matcher(compile(-1, source, 90));
      while (entry.find()) {
        entries.add(entry.group(1));
        assertThat(Integer.parseInt(entry.group(4)))
            .as("bytes spilled by %s of %s", entry.group(1), program)
            .isLessThan(300);
      }
    }
    assertThat(entries).containsExactly("outline_all", "outline_dense", "outline_sparse");
  }

  /** What a run that is tuned tries are modules of their own, with few of the kernels. */
  @Test
  void waysThatAreTriedCompileWithoutWarnings() throws Exception {
    ProgramKernels own = shortestPaths(KernelChoice.AUTO, false);
    LiftedProgram program = IrPrograms.shortestPaths().program();
    DeviceShape shape = new DeviceShape(ActiveDirection.OUT, false, DenseTuning.DEFAULT);
    for (String title : List.of("block+warp+fine", "serial")) {
      WalkSchedule schedule = WalkSchedule.of(title);
      KernelSource rows = own.gathering(program, shape.with(DenseTuning.nested(schedule))).source();
      KernelSource pushes = own.pushing(program, shape.with(schedule.withShelf(true))).source();
      assertThat(entries(compile(-1, rows, 90)))
          .contains("gather_all", "gather_dense", "hubs_dense")
          .doesNotContain("push_loop", "initialise");
      assertThat(entries(compile(-1, pushes, 90))).contains("push_loop");
    }
  }

  private static List<String> entries(String log) {
    return ENTRY.matcher(log).results().map(entry -> entry.group(1)).toList();
  }

  /** Records of five longs, sent to servers and merged under locks. */
  @Test
  void recordsThatServersMergeCompileWithoutWarnings() throws Exception {
    for (DelegateSettings how :
        List.of(DelegateSettings.DEFAULT, DelegateSettings.DEFAULT.withLocks())) {
      KernelSource source = RecordPrograms.routes(how);
      assertThat(source.kernels()).contains("push_loop");
      assertThat(source.text()).contains("#define SGG_SLOT_WORDS 5");
      Matcher entry = ENTRY.matcher(compile(-1, source, 90));
      boolean found = false;
      while (entry.find()) {
        if (entry.group(1).equals("push_loop")) {
          found = true;
          assertThat(Integer.parseInt(entry.group(4))).as("bytes spilled").isLessThan(100);
        }
      }
      assertThat(found).as("ptxas reported the kernel").isTrue();
    }
  }

  /** Both sides of edges with contexts of a costly branch, kept in shared memory. */
  @Test
  void collectedContextsCompileWithoutWarnings() throws Exception {
    KernelSource source =
        DeviceEngine.kernels(
                ContextPrograms.bothWays(2).program(),
                IrPrograms.settings(null, KernelChoice.DENSE),
                DeviceSettings.DEFAULT.withTuning(DenseTuning.SEGMENTATION.withContexts(32)),
                false,
                false)
            .source();
    assertThat(source.text()).contains("program_send_in_costly", "program_send_out_costly");
    Matcher entry = ENTRY.matcher(compile(-1, source, 90));
    boolean found = false;
    while (entry.find()) {
      if (entry.group(1).equals("gather_all")) {
        found = true;
        assertThat(entry.group(3) + "+" + entry.group(4)).as("bytes spilled").isEqualTo("0+0");
      }
    }
    assertThat(found).as("ptxas reported the kernel").isTrue();
  }

  /** The module that few runs load, beside those kernels. */
  private static KernelSource relaxing(boolean exchanges, boolean tiles) {
    return shortestPaths(KernelChoice.ASYNC, exchanges)
        .relaxing(
            IrPrograms.shortestPaths().program(),
            new DeviceShape(ActiveDirection.OUT, false, DenseTuning.DEFAULT),
            tiles)
        .source();
  }

  /**
   * Gathers that read hot vertices first have one block a multiprocessor, whose threads have 64
   * registers; what they declare is as much as the host counts with.
   */
  @Test
  void gathersThatReadHotVerticesFirstSpillNothing() throws Exception {
    RunSettings settings =
        new RunSettings(
            null,
            new Object[] {0.0},
            ActiveDirection.OUT,
            Gather.ACTIVE,
            20,
            false,
            KernelChoice.AUTO,
            1,
            null);
    LiftedProgram program = IrPrograms.pageRank(true, 0.85).program();
    DeviceShape shape = new DeviceShape(ActiveDirection.OUT, false, DenseTuning.DEFAULT);
    ProgramKernels.Hot hot =
        DeviceEngine.kernels(program, settings, DeviceSettings.DEFAULT, false, false)
            .readingHotFirst(program, shape)
            .hot()
            .orElseThrow();
    String log = compile(-1, hot.kernels().source(), 90);
    assertSpillsNothing(hot.kernels().source(), ProgramKernels.HOT_GATHER, 64, log);
    int depth = DenseTuning.DEFAULT.edgesOfLane();
    assertThat(log).contains(hot.how().declaredBytes(hot.columns(), depth) + " bytes smem");
    // Two numbers of an edge: smaller blocks.
    ProgramKernels.Hot wide =
        DeviceEngine.kernels(
                IrPrograms.pageRank(false, 0.85).program(),
                settings,
                DeviceSettings.DEFAULT,
                false,
                false)
            .readingHotFirst(IrPrograms.pageRank(false, 0.85).program(), shape)
            .hot()
            .orElseThrow();
    assertThat(compile(-1, wide.kernels().source(), 90))
        .contains(wide.how().declaredBytes(wide.columns(), depth) + " bytes smem");
  }

  private static ProgramKernels shortestPaths(KernelChoice kernel, boolean exchanges) {
    RunSettings settings = IrPrograms.settings(Double.POSITIVE_INFINITY, kernel);
    return DeviceEngine.kernels(
        IrPrograms.shortestPaths().program(),
        settings,
        DeviceSettings.DEFAULT,
        exchanges,
        exchanges);
  }

  /**
   * By the compiler's front end alone, which warns: the optimiser takes minutes. It ends as if it
   * had failed, since it leaves no file, but says nothing.
   */
  @Test
  void kernelsOfArraysCompileWithoutWarnings() throws Exception {
    Map<String, KernelSource> all = ArrayKernels.all();
    List<String> frontEnd = List.of("-ptx", "-arch=sm_90", "-Xcicc", "--no_code_gen");
    StringBuilder control = new StringBuilder();
    String text = "__global__ void unused() { int nobody; }";
    log(new KernelSource("control", text, List.of(), List.of()), frontEnd, control);
    assertThat(control.toString()).as("it does warn").contains("nobody");
    StringBuilder log = new StringBuilder();
    assertThat(all.keySet()).anyMatch(name -> name.contains("superstep"));
    for (Map.Entry<String, KernelSource> each : all.entrySet()) {
      log(each.getValue(), frontEnd, log);
      assertThat(log.toString()).as(each.getKey()).isEmpty();
    }
  }

  private String compile(long seed, KernelSource source) throws Exception {
    return compile(seed, source, 75, 80, 90);
  }

  private String compile(long seed, KernelSource source, int... architectures) throws Exception {
    List<String> options = new ArrayList<>(List.of("-t", "3", "-fatbin", "-Xptxas", "-v"));
    for (int architecture : architectures) {
      options.add("-gencode=arch=compute_" + architecture + ",code=sm_" + architecture);
    }
    StringBuilder log = new StringBuilder();
    assertThat(log(source, options, log)).as("nvcc for seed " + seed + ":\n" + log).isZero();
    assertThat(log.toString()).doesNotContain("warning");
    return log.toString();
  }

  /** What nvcc ends with. */
  private int log(KernelSource source, List<String> options, StringBuilder log) throws Exception {
    Path file = folder.resolve("program.cu");
    Files.writeString(file, source.text());
    List<String> command = new ArrayList<>(List.of("nvcc", "-std=c++17", "--fmad=false"));
    command.addAll(options);
    command.addAll(
        List.of(
            "-Werror",
            "all-warnings",
            "-o",
            folder.resolve("program.out").toString(),
            file.toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    log.append(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    return process.waitFor();
  }
}
