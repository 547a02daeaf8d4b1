package org.sparkgpugraph.benchmarks.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.engine.cuda.CudaDevices;
import org.sparkgpugraph.engine.cuda.CudaSettings;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;

/** The whole benchmark on small graphs, every result compared with a sequential algorithm's. */
@Tag("any-spark")
class DeviceBenchmarkTest {
  private record Outcome(int status, String text) {
    List<String> lines(String measurement) {
      return text.lines().filter(l -> l.startsWith("{\"measurement\": \"" + measurement)).toList();
    }
  }

  private static Outcome run(String... arguments) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int status;
    try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      status = DeviceBenchmark.execute(out, arguments);
    }
    return new Outcome(status, bytes.toString(StandardCharsets.UTF_8));
  }

  @Test
  void everyAlgorithmIsRightOnTheCpuEngine() {
    Outcome outcome =
        run(
            "--graphs=rmat8,lattice13",
            "--algorithms=pagerank,pagerank-f64,pagerank-converging,bfs,sssp,cc,cc-long",
            "--runs=2",
            "--warm-up=1",
            "--iterations=7",
            "--union-find",
            "--check");

    assertThat(outcome.status()).as(outcome.text()).isZero();
    assertThat(outcome.lines("graph"))
        .hasSize(2)
        .anyMatch(l -> l.contains("\"graph\": \"rmat8\", \"vertices\": 256, \"edges\": 4096"))
        .anyMatch(l -> l.contains("\"graph\": \"lattice13\", \"vertices\": 169, \"edges\": 624"));
    assertThat(outcome.lines("run"))
        .hasSize(14)
        .allMatch(l -> l.contains("\"check\": \"ok\""), "is right")
        .filteredOn(l -> l.contains("\"algorithm\": \"pagerank\""))
        .allMatch(l -> l.contains("\"supersteps\": 7, "));
    assertThat(outcome.lines("union-find"))
        .hasSize(2)
        .allMatch(l -> l.contains("\"check\": \"right\""), "is right");
    assertThat(outcome.text()).containsPattern("(?m)^graph +algorithm +engine ");
  }

  /** Floating sums show their order, so only the pieces that warps take are compared. */
  @Test
  void allWaysAreTriedAndOneIsChosen() {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: nothing is emulated");
    Outcome outcome =
        run(
            "--engine=emulated",
            "--graphs=lattice13",
            "--algorithms=pagerank",
            "--iterations=5",
            "--tune");

    assertThat(outcome.status()).as(outcome.text()).isZero();
    assertThat(outcome.text())
        .containsPattern("(?m)^rows +launches +ns/edge +of default$")
        .containsPattern("(?m)^stream +[0-9]+ +[0-9.]+ +1.00$")
        .containsPattern("(?m)^stream/piece=1024 +[0-9]+ +[0-9.]+ +[0-9.]+")
        .containsPattern("(?m)^rows: stream[^:]*: tuned, .* of 4 ways")
        .doesNotContain("segmentation");
    assertThat(run("--engine=cpu", "--graphs=lattice13", "--tune").status()).isEqualTo(2);
  }

  @Test
  void hoistingOnAndOffAreCompared() {
    Outcome outcome =
        run(
            "--graphs=rmat8",
            "--algorithms=pagerank,pagerank-f64",
            "--hoist=auto,off",
            "--runs=1",
            "--warm-up=0",
            "--iterations=5",
            "--check");

    assertThat(outcome.status()).as(outcome.text()).isZero();
    assertThat(outcome.lines("run"))
        .hasSize(4)
        .allMatch(l -> l.contains("\"check\": \"ok\""), "is right")
        .anyMatch(l -> l.contains("\"algorithm\": \"pagerank\""))
        .anyMatch(l -> l.contains("\"algorithm\": \"pagerank (not hoisted)\""));
  }

  @Test
  void techniquesAreComparedInATable() {
    Outcome outcome =
        run(
            "--ablation=kernels,supersteps,buckets",
            "--graphs=rmat6,lattice5",
            "--runs=1",
            "--warm-up=0",
            "--iterations=2");

    assertThat(outcome.status()).as(outcome.text()).isZero();
    List<String> lines = outcome.text().lines().filter(l -> l.startsWith("| ")).toList();
    assertThat(lines)
        .hasSize(2 + 21 + 2 + 5 + 2 + 6)
        .contains("| kernels | rmat6 pagerank | rmat6 bfs | rmat6 sssp | lattice5 pagerank |")
        .contains("| supersteps | rmat6 bfs | rmat6 sssp | lattice5 bfs | lattice5 sssp |")
        .contains("| buckets | rmat6 sssp | lattice5 sssp |")
        .filteredOn(l -> l.startsWith("| chosen by the planner"))
        .singleElement()
        .asString()
        .matches(
            "\\| .*( \\| [0-9.]+ \\([0-9]+ supersteps, [0-9.]+ M edges\\)"
                + "( · [0-9]+ % / [0-9]+ %)?){4} \\|");
    assertThat(run("--ablation=all")).satisfies(o -> isRefused(o, "valid: kernels, supersteps"));
  }

  @Test
  void ownersOfTilesAreComparedInATable() {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler for the emulated device (g++, c++)");
    Outcome outcome =
        run(
            "--engine=emulated",
            "--ablation=tiles",
            "--graphs=lattice10",
            "--algorithms=bfs",
            "--runs=1",
            "--warm-up=0");

    assertThat(outcome.status()).as(outcome.text()).isZero();
    assertThat(outcome.text().lines().filter(l -> l.startsWith("| ")))
        .hasSize(2 + 5 + 8)
        .contains("| tiles | lattice10 bfs |")
        .anyMatch(l -> l.matches("\\| by owners of tiles \\| [0-9.]+ \\(1 supersteps.*"));
  }

  @Test
  void sharedLoopsFindTheSameSums() {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler for the emulated device (g++, c++)");
    Outcome outcome =
        run(
            "--engine=emulated",
            "--graphs=rmat6",
            "--algorithms=loops",
            "--dense-kernel=stream,segmentation/tasks=1,waves/tasks=1,nested-block+fine/tasks=1",
            "--runs=1",
            "--warm-up=0",
            "--iterations=2",
            "--check");

    assertThat(outcome.status()).as(outcome.text()).isZero();
    assertThat(outcome.lines("run"))
        .hasSize(4)
        .allMatch(l -> l.contains("\"check\": \"ok\""), "is right");
    assertThat(run("--dense-kernel=nested-grid"))
        .satisfies(o -> isRefused(o, "'grid' is not a way to walk"));
    assertThat(run("--dense-kernel=stream/tasks=1"))
        .satisfies(o -> isRefused(o, "not where rows are streamed"));
  }

  @Test
  void hotVerticesCanBeReadFirst() {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler for the emulated device (g++, c++)");
    Outcome outcome =
        run(
            "--engine=emulated",
            "--graphs=rmat6",
            "--algorithms=pagerank,pagerank-f64",
            "--dense-kernel=stream/hot=-1,stream/hot=96/hot-threads=64",
            "--runs=1",
            "--warm-up=0",
            "--iterations=2",
            "--kernel-times",
            "--check");

    assertThat(outcome.status()).as(outcome.text()).isZero();
    assertThat(outcome.lines("run"))
        .hasSize(4)
        .allMatch(l -> l.contains("\"check\": \"ok\""), "is right");
    assertThat(outcome.text()).contains("hot_gather", "gather_all");
    assertThat(run("--dense-kernel=stream/hot-threads=33"))
        .satisfies(o -> isRefused(o, "blocks of 32 to 1024 threads"));
  }

  @Test
  void collectedContextsFindTheSameSums() {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler for the emulated device (g++, c++)");
    Outcome outcome =
        run(
            "--engine=emulated",
            "--graphs=rmat6",
            "--algorithms=branches-8,branches-2x4",
            "--dense-kernel=segmentation/contexts=1,stream/contexts-from=300",
            "--runs=1",
            "--warm-up=0",
            "--iterations=2",
            "--check");

    assertThat(outcome.status()).as(outcome.text()).isZero();
    assertThat(outcome.lines("run"))
        .hasSize(4)
        .allMatch(l -> l.contains("\"check\": \"ok\""), "is right");
    // A round of the branch has about ten instructions; half of the edges are guessed to take it.
    assertThat(outcome.text())
        .containsPattern(
            "branches-8: contexts are estimated to save [2-4]\\d\\d of [4-9]\\d\\d instr")
        .containsPattern(
            "branches-2x4: contexts are estimated to save [1-3]\\d of [2-6]\\d instructions");
    assertThat(run("--dense-kernel=stream/contexts=32"))
        .satisfies(o -> isRefused(o, "not by STREAM"));
  }

  @Test
  void schedulesLoopsAndBranchesAreComparedInTables() {
    Outcome outcome =
        run(
            "--ablation=rows,nested,loops,contexts",
            "--graphs=rmat6",
            "--algorithms=bfs,loops,branches-2,branches-32",
            "--runs=1",
            "--warm-up=0",
            "--iterations=2");

    assertThat(outcome.status()).as(outcome.text()).isZero();
    assertThat(outcome.text().lines().filter(l -> l.startsWith("| ")))
        .hasSize(2 + 8 + 2 + 16 + 2 + 5 + 2 + 6)
        .contains(
            "| rows | rmat6 bfs |",
            "| nested | rmat6 bfs |",
            "| loops | rmat6 loops |",
            "| contexts | rmat6 branches-2 | rmat6 branches-32 |");
  }

  @Test
  void whoWalksPushedEdgesCanBeForced() {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler for the emulated device (g++, c++)");
    Outcome outcome =
        run(
            "--engine=emulated",
            "--graphs=rmat6",
            "--algorithms=bfs",
            "--kernel=push",
            "--push-schedule=block+fine/shelf",
            "--runs=1",
            "--warm-up=0",
            "--check");

    assertThat(outcome.status()).as(outcome.text()).isZero();
    assertThat(outcome.lines("run")).singleElement().asString().contains("\"check\": \"ok\"", "P");
    assertThat(run("--push-schedule=grid"))
        .satisfies(o -> isRefused(o, "valid: serial, block, warp, fine"));
  }

  @Test
  void outlinedSuperstepsAreComparedWithLaunches() {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler for the emulated device (g++, c++)");
    Outcome outcome =
        run(
            "--engine=emulated",
            "--graphs=rmat6",
            "--algorithms=pagerank",
            "--outline-dense=off,on",
            "--runs=1",
            "--warm-up=0",
            "--iterations=4",
            "--check");

    assertThat(outcome.status()).as(outcome.text()).isZero();
    assertThat(outcome.lines("run"))
        .hasSize(2)
        .allMatch(l -> l.contains("\"check\": \"ok\""), "is right")
        .anyMatch(l -> l.contains("pagerank (not outlined)"))
        .anyMatch(l -> l.contains("pagerank (outlined)"));
    assertThat(run("--outline-dense=perhaps"))
        .satisfies(o -> isRefused(o, "'perhaps' is not a choice of outlining"));
  }

  @Test
  void kernelsCanBeForcedAndBuffersKept() {
    Outcome outcome =
        run(
            "--graphs=lattice13",
            "--algorithms=bfs,cc",
            "--runs=1",
            "--warm-up=0",
            "--kernel=sparse",
            "--two-buffers",
            "--check");

    assertThat(outcome.status()).as(outcome.text()).isZero();
    // In step with Pregel: a superstep per level and one that finds nothing new; in the first one
    // every vertex has just run, so all rows are candidates.
    assertThat(outcome.lines("run"))
        .allMatch(l -> l.contains("\"supersteps\": 25, "))
        .allMatch(l -> l.contains("\"kernels\": \"1D 24S\""));
  }

  @Test
  void deviceEngineIsMeasuredOnOneResidentGraph() {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler for the emulated device (g++, c++)");
    Outcome outcome =
        run(
            "--engine=emulated",
            "--graphs=rmat6",
            "--algorithms=pagerank,bfs",
            "--dense-kernel=segmentation,lanes4,waves8",
            "--runs=1",
            "--warm-up=1",
            "--iterations=3",
            "--kernel-times",
            "--check");

    assertThat(outcome.status()).as(outcome.text()).isZero();
    List<String> runs = outcome.lines("run");
    assertThat(runs).hasSize(6).allMatch(l -> l.contains("\"check\": \"ok\""), "is right");
    assertThat(runs)
        .allMatch(l -> l.contains("\"laneEfficiency\": 0."))
        .anyMatch(l -> l.contains("\"denseKernel\": \"waves8\""));
    assertThat(runs).noneMatch(l -> l.contains("\"deviceMs\": null"));
    // The in-edges alone are 65 offsets and 1024 sources; a later run finds them on the device.
    assertThat(uploaded(runs.get(0))).isGreaterThanOrEqualTo(4 * (65 + 1024));
    assertThat(uploaded(runs.get(2))).as(runs.get(2)).isLessThan(4 * 1024);
    assertThat(outcome.lines("kernel"))
        .anyMatch(l -> l.contains("\"kernel\": \"gather_all\", \"launches\": 3"))
        .anyMatch(l -> l.contains("\"kernel\": \"lanes_all\", \"launches\": 3"));
    assertThat(outcome.lines("resources")).anyMatch(l -> l.contains("\"kernel\": \"lanes_all\""));
  }

  @Test
  void severalDevicesAreMeasuredSuperstepBySuperstep() {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler for the emulated device (g++, c++)");
    Outcome outcome =
        run(
            "--engine=emulated",
            "--devices=1,3",
            "--exchange=refined,all",
            "--device-exchange=hub,peer",
            "--graphs=rmat6",
            "--algorithms=pagerank,bfs",
            "--runs=1",
            "--warm-up=0",
            "--iterations=3",
            "--check");

    assertThat(outcome.status()).as(outcome.text()).isZero();
    assertThat(outcome.lines("run"))
        .hasSize(2 + 2 * 2 * 2)
        .allMatch(l -> l.contains("\"check\": \"ok\""), "is right")
        .filteredOn(l -> l.contains("\"devices\": 3, \"exchange\": \"all\", "))
        .hasSize(4)
        .anyMatch(
            l ->
                l.contains(
                    "\"deviceExchange\": \"peer\", \"partitioning\": \"fixed\", \"hubMs\": "));
    // A host that waits once per superstep and device; over the hub twice. Where supersteps push,
    // three of five wait once more: the first, for who sends something, and two that would gather,
    // for what active vertices say.
    assertThat(outcome.lines("scaling"))
        .hasSize(2 + 2 * 2 * 2)
        .filteredOn(l -> l.contains("\"devices\": 3, ") && !l.contains("\"hub\""))
        .hasSize(4)
        .allMatch(
            l -> {
              boolean pushes = l.contains("\"bfs\"") && l.contains("\"exchange\": \"refined\"");
              String waits = pushes ? "1.60000" : "1.00000";
              return l.contains("\"waitsPerStep\": " + waits + ", \"imbalance\": 1.");
            });
    List<String> steps = outcome.lines("superstep");
    assertThat(steps)
        .filteredOn(l -> l.contains("\"algorithm\": \"pagerank\""))
        .hasSize(4 * 4)
        .last()
        .asString()
        .containsPattern("\"kernelMs\": [0-9.e-]+, \"hubMs\": [0-9.e-]+, \"hubBytes\": [1-9]")
        .containsPattern("\"deviceEdges\": \"[0-9]+ [0-9]+ [0-9]+\"");
    assertThat(run("--device-exchange=nvlink"))
        .satisfies(o -> isRefused(o, "valid: auto, hub, peer"));
    assertThat(run("--exchange=some"))
        .satisfies(o -> isRefused(o, "valid: refined, boundary, all"));
    assertThat(run("--devices=0")).satisfies(o -> isRefused(o, "--devices must be at least 1"));
    assertThat(run("--devices=2", "--baseline")).satisfies(o -> isRefused(o, "1 with --baseline"));
  }

  @Test
  void bordersThatMoveAreComparedWithFixedOnes() {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler for the emulated device (g++, c++)");
    Outcome outcome =
        run(
            "--engine=emulated",
            "--devices=2",
            "--partitioning=fixed,permissive",
            "--graphs=twin13",
            "--algorithms=bfs",
            "--kernel=sparse",
            "--two-buffers",
            "--runs=1",
            "--warm-up=0",
            "--check");

    assertThat(outcome.status()).as(outcome.text()).isZero();
    assertThat(outcome.lines("run")).hasSize(2).allMatch(l -> l.contains("\"check\": \"ok\""));
    List<String> scaling = outcome.lines("scaling");
    assertThat(scaling).hasSize(2);
    assertThat(scaling.get(0)).contains("\"partitioning\": \"fixed\"");
    assertThat(scaling.get(1)).contains("\"partitioning\": \"permissive\"");
    // The search stays in the first half of the vertices, which one device has.
    assertThat(imbalance(scaling.get(0))).as("%s", scaling).isGreaterThan(1.3);
    assertThat(imbalance(scaling.get(1))).as("%s", scaling).isLessThan(1.2);
    assertThat(run("--partitioning=fair")).satisfies(o -> isRefused(o, "valid: fixed, permissive"));
  }

  private static double imbalance(String line) {
    return Double.parseDouble(line.replaceAll(".*\"imbalance\": ([0-9.]+).*", "$1"));
  }

  private static long uploaded(String line) {
    Matcher matcher = Pattern.compile("\"uploadBytes\": ([0-9]+)").matcher(line);
    assertThat(matcher.find()).as(line).isTrue();
    return Long.parseLong(matcher.group(1));
  }

  @Test
  void missingGpuIsToldAndOtherEnginesStillRun() {
    assumeTrue(
        !CudaDevices.search(CudaSettings.defaults()).found(), "this machine has a usable GPU");
    Outcome outcome = run("--engine=cuda,cpu", "--graphs=lattice5", "--algorithms=bfs", "--runs=1");

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.text()).containsPattern("(?m)^engine cuda on lattice5: no usable GPU: .+");
    assertThat(outcome.lines("run")).hasSize(1);
  }

  @Test
  void measurementsGoToAFile(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("measurements.json");
    Outcome outcome = run("--graphs=lattice5", "--algorithms=bfs", "--runs=1", "--json=" + file);

    assertThat(outcome.status()).as(outcome.text()).isZero();
    assertThat(outcome.lines("run")).isEmpty();
    assertThat(Files.readAllLines(file)).hasSize(2).allMatch(l -> l.startsWith("{\"measurement"));

    assertThat(run("--graphs=lattice5", "--algorithms=bfs", "--runs=1", "--json=" + file))
        .satisfies(o -> isRefused(o, "--json " + file + " exists already: choose another file"));
    assertThat(Files.readAllLines(file)).as("not this run's to remove").hasSize(2);
  }

  @Test
  void wrongArgumentsAreNamed() {
    assertThat(run("--graphs=rmat")).satisfies(o -> isRefused(o, "'rmat' is not a graph"));
    assertThat(run("--graphs=rmat30")).satisfies(o -> isRefused(o, "17179869184 edges"));
    assertThat(run("--algorithms=dfs")).satisfies(o -> isRefused(o, "'dfs' is not an algorithm"));
    assertThat(run("--engine=gpu")).satisfies(o -> isRefused(o, "'gpu' is not an engine"));
    assertThat(run("--kernel=wide")).satisfies(o -> isRefused(o, "'wide' is not a kernel"));
    assertThat(run("--dense-kernel=lanes3")).satisfies(o -> isRefused(o, "'lanes3'"));
    assertThat(run("--hoist=on")).satisfies(o -> isRefused(o, "'on' is not a hoist mode"));
    assertThat(run("--grouping=3")).satisfies(o -> isRefused(o, "vertices are grouped by 1, 2, 4"));
    assertThat(run("--runs=0")).satisfies(o -> isRefused(o, "at least 1"));
    assertThat(run("--tiles=owners/32/512/1536/2560/1024"))
        .satisfies(o -> isRefused(o, "is not FORM/WIDTH/THREADS/NEAR/FAR/VERTICES"));
    assertThat(run("--tiles=tiles/32/512/1536/2560/1000"))
        .satisfies(o -> isRefused(o, "vertices 1000 a multiple of 32"));
    assertThat(run("--ablation=tile")).satisfies(o -> isRefused(o, "'tile'"));
  }

  private static void isRefused(Outcome outcome, String message) {
    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.text()).contains(message);
  }
}
