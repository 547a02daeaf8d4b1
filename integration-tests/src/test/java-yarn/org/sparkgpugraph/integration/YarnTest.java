package org.sparkgpugraph.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packaged jobs on Hadoop YARN, through spark-submit: a cluster of one node with four GPUs,
 * which a false {@code nvidia-smi} shows to the node manager's own discovery and to {@code
 * conf/getGpusResources.sh}; two executors with two GPUs each.
 */
class YarnTest {
  /**
   * Answers the node manager, which asks for XML, with four GPUs; in a container with two of them,
   * as isolation would: which ones, the container's number decides.
   */
  private static final String NVIDIA_SMI =
      """
      #!/usr/bin/env bash
      gpu() {
        echo "<gpu id=\\"00000000:0$1:00.0\\"><product_name>Test</product_name>"
        echo "<uuid>GPU-$1</uuid><minor_number>$1</minor_number>"
        echo "<fb_memory_usage><total>80000 MiB</total><used>0 MiB</used><free>80000 MiB</free>"
        echo "</fb_memory_usage><utilization><gpu_util>0 %</gpu_util></utilization>"
        echo "<temperature><gpu_temp>30 C</gpu_temp>"
        echo "<gpu_temp_max_threshold>90 C</gpu_temp_max_threshold>"
        echo "<gpu_temp_slow_threshold>85 C</gpu_temp_slow_threshold></temperature></gpu>"
      }
      if [[ "$1" == -x ]]; then
        echo '<?xml version="1.0" ?><nvidia_smi_log><driver_version>580.1</driver_version>'
        for i in 0 1 2 3; do gpu $i; done
        echo '</nvidia_smi_log>'
      else
        container=$((10#${CONTAINER_ID##*_}))
        for i in 0 1; do echo $((container % 2 * 2 + i)); done
      fi
      """;

  private static final Pattern GPUS =
      Pattern.compile("spark\\.executor:\\s+gpu -> \\[name: gpu, addresses: (\\d+,\\d+)\\]");
  private static final Pattern PROCESS =
      Pattern.compile("ExecutorBackend: Started daemon with process name: (\\d+)@");

  /** How the line of a call ends that was taken over. */
  private static final String HERE = " ran on spark-gpu-graph";

  @TempDir static Path scratch;
  private static Path node;
  private static Path hadoopConf;
  private static Path bin;
  private static Process yarn;
  private static TreeMap<Long, Double> localRanks;

  @BeforeAll
  static void startYarn() throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/bin/bash")),
        "skipped: YARN starts its containers with /bin/bash, which is not there");
    Path local = scratch.resolve("local");
    List<String> arguments = new ArrayList<>(List.of("--master", "local[2]"));
    arguments.addAll(job("cpu", local));
    Command.Ended alone = Command.sparkSubmit(scratch, arguments);
    assertThat(alone.status()).as("%s", alone).isZero();
    localRanks = Ranks.read(local);
    assertThat(localRanks).hasSize(34);
    node = Files.createDirectories(scratch.resolve("node"));
    hadoopConf = Files.createDirectories(scratch.resolve("hadoop-conf"));
    bin = Files.createDirectories(scratch.resolve("bin"));
    Path conf = Product.root().resolve("conf");
    Files.copy(conf.resolve("resource-types.xml"), hadoopConf.resolve("resource-types.xml"));
    Path nvidiaSmi = Files.writeString(bin.resolve("nvidia-smi"), NVIDIA_SMI);
    Files.setPosixFilePermissions(nvidiaSmi, PosixFilePermissions.fromString("rwxr-xr-x"));
    String tests = System.getProperty("surefire.test.class.path", "").split(File.pathSeparator)[0];
    List<String> command = new ArrayList<>();
    command.add(Command.ofJdk("java"));
    command.addAll(Product.jvmOptions());
    command.addAll(
        List.of(
            "-Xmx384m",
            "-XX:TieredStopAtLevel=1",
            "-Djava.io.tmpdir=" + scratch,
            "-cp",
            String.join(
                File.pathSeparator,
                hadoopConf.toString(),
                tests,
                Product.sparkClassPath(),
                String.join(File.pathSeparator, yarnJars())),
            "org.sparkgpugraph.integration.MiniYarnJob",
            conf.toString(),
            bin.toString(),
            hadoopConf.toString()));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(node.toFile())
            .redirectErrorStream(true)
            .redirectOutput(node.resolve("log").toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    yarn = builder.start();
    for (int i = 0; i < 900 && Files.notExists(hadoopConf.resolve("yarn-site.xml")); i++) {
      assertThat(yarn.isAlive()).as("YARN\n%s", log()).isTrue();
      Thread.sleep(100);
    }
    assertThat(hadoopConf.resolve("yarn-site.xml")).as("YARN\n%s", log()).exists();
  }

  private static String log() throws IOException {
    return Files.readString(node.resolve("log"));
  }

  private static List<String> yarnJars() throws IOException {
    String jars = Files.readString(Path.of(System.getProperty("sgg.yarn.jars"))).strip();
    return List.of(jars.split(File.pathSeparator));
  }

  @AfterAll
  static void stopYarn() throws Exception {
    if (yarn == null) {
      return;
    }
    List<ProcessHandle> children = yarn.descendants().toList();
    yarn.getOutputStream().close();
    boolean ended = yarn.waitFor(60, TimeUnit.SECONDS);
    yarn.destroyForcibly().waitFor();
    List<ProcessHandle> left = children.stream().filter(ProcessHandle::isAlive).toList();
    left.forEach(ProcessHandle::destroyForcibly);
    assertThat(ended).as("YARN ends when it is asked to\n%s", log()).isTrue();
    assertThat(left).as("processes that YARN left behind").isEmpty();
  }

  @Test
  void executorsSeeTheirGpusAndRankTheVerticesAsOneProcessDoes() throws Exception {
    // Without g++ the executors are given GPUs, but nothing runs on them.
    boolean emulated = EmulatedDevice.isAvailable();
    Set<Path> before = Set.copyOf(executorLogs());
    Path output = scratch.resolve("client");
    Map<String, String> gpus =
        Map.of(
            "spark.executor.resource.gpu.amount",
            "2",
            "spark.executor.resource.gpu.discoveryScript",
            "./getGpusResources.sh");
    Command.Ended ended = rankOnYarn("client", gpus, emulated ? "emulated" : "cpu", output);
    assertThat(ended.status()).as(() -> ended + said()).isZero();
    // The graph is spread over both executors: each runs its part, on its own GPUs.
    assertThat(ended.out())
        .as("%s", ended)
        .contains(
            emulated
                ? new String[] {
                  "emulated GPU 0, emulated GPU 1, given by Spark",
                  "emulated GPU 2, emulated GPU 3, given by Spark"
                }
                : new String[] {"engine cpu"});
    List<Path> logs = executorLogs();
    logs.removeAll(before);
    TreeSet<String> addresses = new TreeSet<>();
    for (Path log : logs) {
      String text = Files.readString(log);
      Matcher found = GPUS.matcher(text);
      assertThat(found.find()).as("%s\n%s", log, text).isTrue();
      String container = log.getParent().getFileName().toString();
      int first = Integer.parseInt(container.substring(container.lastIndexOf('_') + 1)) % 2 * 2;
      assertThat(found.group(1)).as(container).isEqualTo(first + "," + (first + 1));
      addresses.add(found.group(1));
    }
    assertThat(addresses).as("%s", logs).containsExactly("0,1", "2,3");
    assertSameRanks(output);
    assertClean(logs);
  }

  @Test
  void aDriverInsideTheClusterDoesTheSameWithoutGpus() throws Exception {
    Set<Path> before = Set.copyOf(executorLogs());
    Path output = scratch.resolve("cluster");
    Command.Ended ended = rankOnYarn("cluster", Map.of(), "cpu", output);
    assertThat(ended.status()).as(() -> ended + said()).isZero();
    List<Path> logs = executorLogs();
    logs.removeAll(before);
    assertThat(logs).hasSize(2);
    assertSameRanks(output);
    assertClean(logs);
  }

  /** A jar that knows GraphX alone: the library comes with {@code --jars} and two settings. */
  @Test
  void transparentModeTakesOverTheCallsOfADriverInsideTheClusterAndOutside() throws Exception {
    Path jar = Jars.ofClass(GraphXUserJob.class, scratch.resolve("graphx-user.jar"));
    List<String> job = List.of("--class", GraphXUserJob.class.getName(), jar.toString());
    Path stock = scratch.resolve("stock-graphx");
    List<String> alone = new ArrayList<>(List.of("--master", "local[2]"));
    alone.addAll(job);
    alone.add(stock.toString());
    Command.Ended local = Command.sparkSubmit(scratch, alone);
    assertThat(local.status()).as("%s", local).isZero();

    for (String deployMode : List.of("cluster", "client")) {
      Set<Path> before = Set.copyOf(containerLogs());
      Path output = scratch.resolve("transparent-" + deployMode);
      List<String> arguments = new ArrayList<>(List.of("--jars", Product.libraryJar().toString()));
      arguments.addAll(job);
      arguments.add(output.toString());
      Map<String, String> settings =
          Map.of(
              "spark.plugins",
              "org.sparkgpugraph.GpuGraphPlugin",
              "spark.gpugraph.transparent",
              "true");
      Command.Ended ended = onYarn(deployMode, settings, arguments);
      assertThat(ended.status()).as(() -> ended + said()).isZero();
      List<Path> logs = containerLogs();
      logs.removeAll(before);
      StringBuilder inside = new StringBuilder();
      for (Path log : logs) {
        inside.append(Files.readString(log));
      }
      boolean isInside = deployMode.equals("cluster");
      assertThat(calls(isInside ? inside.toString() : ended.err()))
          .as("calls in what the driver said\n%s\n%s", ended, inside)
          .satisfiesExactly(
              line -> assertThat(line).endsWith("lib.PageRank.runUntilConvergence" + HERE),
              line -> assertThat(line).endsWith("lib.ConnectedComponents.run" + HERE),
              line -> assertThat(line).endsWith("lib.TriangleCount.run" + HERE),
              line -> assertThat(line).endsWith("Pregel.apply" + HERE));
      assertThat(calls(isInside ? ended.err() : inside.toString())).as("elsewhere").isEmpty();
      assertSameLines(output, stock);
    }
  }

  /** The lines that transparent mode writes for calls. */
  private static List<String> calls(String log) {
    return log.lines().filter(line -> line.contains(" CallHook: ")).toList();
  }

  /** Values by algorithm and vertex: equal, ranks but for the order of their sums. */
  private static void assertSameLines(Path output, Path stock) throws Exception {
    Map<String, String> ours = lines(output);
    Map<String, String> theirs = lines(stock);
    assertThat(ours).hasSize(1200).hasSameSizeAs(theirs);
    theirs.forEach(
        (vertex, value) -> {
          if (vertex.startsWith("ranks ")) {
            assertThat(Double.parseDouble(ours.get(vertex)))
                .as(vertex)
                .isCloseTo(Double.parseDouble(value), Percentage.withPercentage(1e-8));
          } else {
            assertThat(ours.get(vertex)).as(vertex).isEqualTo(value);
          }
        });
  }

  /** What {@link GraphXUserJob} wrote: value by algorithm and vertex. */
  private static Map<String, String> lines(Path output) throws IOException {
    assertThat(output.resolve("_SUCCESS")).exists();
    Map<String, String> values = new TreeMap<>();
    for (String line : Files.readAllLines(output.resolve("part-00000"))) {
      int end = line.lastIndexOf(' ');
      assertThat(values.put(line.substring(0, end), line.substring(end + 1))).isNull();
    }
    return values;
  }

  private static List<String> job(String engine, Path output) {
    return List.of(
        "--class",
        "org.sparkgpugraph.examples.GraphJob",
        Product.examplesJar().toString(),
        "pagerank",
        "--input",
        Product.root().resolve("examples/data/karate.txt").toUri().toString(),
        "--undirected",
        "--iterations",
        "5",
        "--engine",
        engine,
        "--output",
        output.toString());
  }

  private Command.Ended rankOnYarn(
      String deployMode, Map<String, String> more, String engine, Path output) throws Exception {
    Map<String, String> conf = new TreeMap<>(more);
    conf.put("spark.gpugraph.fallback", "never");
    conf.put("spark.gpugraph.executors", "2");
    return onYarn(deployMode, conf, job(engine, output));
  }

  /**
   * Submits a job.
   *
   * @param settings beside those that an installation has
   * @param job the last arguments of spark-submit
   */
  private Command.Ended onYarn(String deployMode, Map<String, String> settings, List<String> job)
      throws Exception {
    String home = Product.sparkHome().toString();
    String sparkYarn = yarnJars().stream().filter(j -> j.contains("spark-yarn")).findFirst().get();
    String cache = System.getProperty("gpugraph.emulator.cache");
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--master",
                "yarn",
                "--deploy-mode",
                deployMode,
                "--driver-memory",
                "512m",
                "--num-executors",
                "2",
                "--files",
                Product.root().resolve("conf/getGpusResources.sh").toString()));
    Map<String, String> conf = new TreeMap<>(settings);
    // An installation has these by itself; here YARN knows no Spark, and Spark's jars no YARN.
    conf.put("spark.yarn.jars", "local:" + home + "/jars/*,local:" + sparkYarn);
    conf.put("spark.yarn.populateHadoopClasspath", "false");
    conf.put("spark.yarn.stagingDir", scratch.resolve("staging").toUri().toString());
    conf.put("spark.yarn.am.memory", "512m");
    // The driver's address where that is no setting of its own: in cluster mode.
    conf.put("spark.yarn.appMasterEnv.SPARK_LOCAL_IP", "127.0.0.1");
    // What finds nvidia-smi and g++.
    conf.put("spark.executorEnv.PATH", bin + ":" + System.getenv("PATH"));
    conf.put(
        "spark.executor.extraJavaOptions",
        "-XX:TieredStopAtLevel=1 -Dgpugraph.emulator.cache=" + cache);
    // Both executors are there before anything is loaded.
    conf.put("spark.scheduler.minRegisteredResourcesRatio", "1.0");
    conf.put("spark.scheduler.maxRegisteredResourcesWaitingTime", "60s");
    conf.forEach((key, value) -> arguments.addAll(List.of("--conf", key + "=" + value)));
    arguments.addAll(job);
    return Command.sparkSubmit(
        scratch,
        Map.of("HADOOP_CONF_DIR", hadoopConf.toString()),
        hadoopConf + File.pathSeparator + sparkYarn,
        arguments);
  }

  private static void assertSameRanks(Path output) throws Exception {
    TreeMap<Long, Double> ranks = Ranks.read(output);
    assertThat(ranks.keySet()).isEqualTo(localRanks.keySet());
    ranks.forEach(
        (id, rank) ->
            assertThat(rank)
                .as("vertex %d", id)
                .isCloseTo(localRanks.get(id), Percentage.withPercentage(1e-8)));
  }

  /** The standard error of all containers so far. */
  private static List<Path> containerLogs() throws IOException {
    List<Path> logs = new ArrayList<>();
    // Not all of the node's files: those of containers come and go meanwhile.
    try (Stream<Path> folders = Files.find(node, 6, (f, a) -> f.endsWith("gpu-logDir-nm-0_0"))) {
      for (Path folder : folders.toList()) {
        try (Stream<Path> files = Files.walk(folder)) {
          files.filter(f -> f.endsWith("stderr")).sorted().forEach(logs::add);
        }
      }
    }
    return logs;
  }

  /** The standard error of each executor so far. */
  private static List<Path> executorLogs() throws IOException {
    List<Path> logs = new ArrayList<>();
    for (Path log : containerLogs()) {
      if (PROCESS.matcher(Files.readString(log)).find()) {
        logs.add(log);
      }
    }
    return logs;
  }

  /** What all containers said, for messages of failed tests. */
  private static String said() {
    StringBuilder text = new StringBuilder();
    try {
      for (Path log : containerLogs()) {
        text.append("--- ").append(log).append('\n').append(Files.readString(log)).append('\n');
      }
    } catch (IOException e) {
      text.append(e);
    }
    return text.toString();
  }

  /** The executors have no errors to tell, and nothing of the application is left. */
  private static void assertClean(List<Path> logs) throws Exception {
    for (Path log : logs) {
      String text = Files.readString(log);
      assertThat(text.lines().filter(line -> line.contains(" ERROR ")))
          .as("%s\n%s", log, text)
          .allMatch(line -> line.contains("RECEIVED SIGNAL TERM"));
      Matcher process = PROCESS.matcher(text);
      assertThat(process.find()).isTrue();
      assertGone(Long.parseLong(process.group(1)));
    }
    // The application master removes them, which ends after the driver that was waited for.
    await(() -> staged().isEmpty());
    assertThat(staged()).as("Spark's staging folder").isEmpty();
  }

  private static List<Path> staged() throws IOException {
    try (Stream<Path> staging = Files.walk(scratch.resolve("staging"))) {
      return staging.filter(Files::isRegularFile).toList();
    } catch (UncheckedIOException | NoSuchFileException e) {
      // A folder that was listed is gone now.
      return List.of(scratch);
    }
  }

  /** An executor ends soon after its driver. */
  private static void assertGone(long process) throws Exception {
    await(() -> ProcessHandle.of(process).isEmpty());
    assertThat(ProcessHandle.of(process)).as("executor's process %d", process).isEmpty();
  }

  /** Waits half a minute at most for what comes soon; whether it came is asserted behind it. */
  private static void await(Callable<Boolean> holds) throws Exception {
    for (int i = 0; i < 300 && !holds.call(); i++) {
      Thread.sleep(100);
    }
  }
}
