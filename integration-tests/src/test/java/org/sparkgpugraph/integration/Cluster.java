package org.sparkgpugraph.integration;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jna.Native;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.BlockManagerId;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.run.EngineChoice;
import scala.collection.Iterator;

/**
 * A standalone cluster of executor JVMs with the packaged library, for tests that look at its
 * processes and files, and break them. One at a time in a JVM.
 */
final class Cluster implements AutoCloseable {
  private static final Pattern SHUFFLE_FILE = Pattern.compile("shuffle_(\\d+)_\\d+_\\d+\\.data");

  private static final String KERNELS = "gpugraph.emulator.cache";

  private final Path scratch;
  private final int executors;
  private final JavaSparkContext sc;

  private Cluster(Path scratch, int executors, JavaSparkContext sc) {
    this.scratch = scratch;
    this.executors = executors;
    this.sc = sc;
  }

  /** What kind of cluster. */
  static final class Options {
    private final int executors;
    private final Map<String, String> settings = new LinkedHashMap<>();
    private int cores = 1;
    private int megabytes = 512;
    private List<String> gpus = List.of();

    private Options(int executors) {
      this.executors = executors;
    }

    /** Cores of each executor. */
    Options cores(int number) {
      cores = number;
      return this;
    }

    /** Heap of each executor. */
    Options megabytes(int number) {
      megabytes = number;
      return this;
    }

    /** Addresses of the GPUs that each worker says it has, and gives its executor. */
    Options gpus(String... addresses) {
      gpus = List.of(addresses);
      return this;
    }

    /** A setting of Spark or of the library. */
    Options set(String key, String value) {
      settings.put(key, value);
      return this;
    }

    /**
     * Starts the cluster and waits until all executors are there.
     *
     * @param scratch an empty folder for everything that the cluster writes
     */
    Cluster start(Path scratch) {
      Cluster cluster = startWithoutWaiting(scratch);
      try {
        cluster.awaitExecutors();
      } catch (RuntimeException | Error e) {
        cluster.sc.stop();
        throw e;
      }
      return cluster;
    }

    /**
     * Starts the cluster; executors come later.
     *
     * @param scratch an empty folder for everything that the cluster writes
     */
    Cluster startWithoutWaiting(Path scratch) {
      SparkConf conf = conf(scratch);
      if (!gpus.isEmpty()) {
        conf.set("spark.worker.resource.gpu.amount", String.valueOf(gpus.size()))
            .set("spark.worker.resource.gpu.discoveryScript", discovery(scratch).toString())
            .set("spark.executor.resource.gpu.amount", String.valueOf(gpus.size()));
      }
      settings.forEach(conf::set);
      return new Cluster(scratch, executors, new JavaSparkContext(conf));
    }

    private SparkConf conf(Path scratch) {
      Product.sparkHome();
      try {
        Files.createDirectories(scratch.resolve("tmp"));
        return new SparkConf()
            .setMaster("local-cluster[" + executors + "," + cores + "," + megabytes + "]")
            .setAppName("cluster")
            .set("spark.executor.memory", megabytes + "m")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.locality.wait", "300ms")
            // Who fetches from an executor that is dead is to notice soon.
            .set("spark.shuffle.io.retryWait", "500ms")
            .set("spark.local.dir", scratch.resolve("local").toString())
            .set(
                "spark.executor.extraJavaOptions",
                Command.SHORT_LIVED
                    + " -Dlog4j2.configurationFile="
                    + Product.root().resolve("conf/log4j2.properties")
                    + " -Djava.io.tmpdir="
                    + scratch.resolve("tmp")
                    + (" -D" + KERNELS + "=" + kernels()))
            .set("spark.gpugraph.fallback", "never")
            .set("spark.jars", String.join(",", jars(scratch)));
      } catch (IOException e) {
        throw new UncheckedIOException("preparing a cluster in " + scratch, e);
      }
    }

    /** Where emulated kernels are kept: compiled once for all clusters. */
    private static String kernels() {
      return System.getProperty(KERNELS);
    }

    private static List<String> jars(Path scratch) throws IOException {
      return List.of(
          Product.libraryJar().toString(),
          Jars.ofDirectory(location(Cluster.class), scratch.resolve("tests.jar")).toString(),
          location(Native.class).toString());
    }

    private static Path location(Class<?> type) {
      try {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
      } catch (URISyntaxException e) {
        throw new IllegalStateException("no path leads to " + type, e);
      }
    }

    /** A script that says that a worker has these GPUs. */
    private Path discovery(Path scratch) {
      Path script = scratch.resolve("gpus.sh");
      try {
        Files.writeString(
            script,
            "#!/bin/sh\necho '{\"name\": \"gpu\", \"addresses\": [\""
                + String.join("\", \"", gpus)
                + "\"]}'\n");
        return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
      } catch (IOException e) {
        throw new UncheckedIOException("writing " + script, e);
      }
    }
  }

  /** A cluster of so many executors, of one core and 512 MB each. */
  static Options of(int executors) {
    return new Options(executors);
  }

  JavaSparkContext context() {
    return sc;
  }

  /** Skips a test on emulated devices where there can be none. */
  static void assumeUsable(EngineChoice engine) {
    assumeTrue(
        engine != EngineChoice.EMULATED || EmulatedDevice.isAvailable(),
        "skipped: the emulated GPU compiles its kernels with g++, which is not there");
  }

  /** Id → process of the executors that live. */
  Map<String, ExecutorProcess> executors() {
    Map<String, ExecutorProcess> all = new TreeMap<>();
    ExecutorProcess.all(scratch.toString()).forEach(one -> all.put(one.id(), one));
    return all;
  }

  /** Ids of the executors that the driver knows and that live. */
  List<String> registered() {
    Map<String, ExecutorProcess> living = executors();
    List<String> ids = new ArrayList<>();
    Iterator<BlockManagerId> known =
        sc.env().blockManager().master().getMemoryStatus().keysIterator();
    while (known.hasNext()) {
      String id = known.next().executorId();
      if (living.containsKey(id)) {
        ids.add(id);
      }
    }
    return ids;
  }

  /** Waits until there are as many executors as at the start. */
  void awaitExecutors() {
    awaitExecutors(executors);
  }

  /** Waits until there are so many executors. */
  void awaitExecutors(int number) {
    Await.until(number + " executors", () -> registered().size() == number);
  }

  /**
   * Kills an executor as {@code kill -9} does; Spark will start another.
   *
   * @param location {@code executor_<host>_<id>}
   */
  void kill(String location) {
    ExecutorProcess process = executors().get(idOf(location));
    if (process == null) {
      throw new IllegalStateException(location + " is not there; there are " + executors());
    }
    process.kill();
  }

  /** The id at the end of {@code executor_<host>_<id>}. */
  static String idOf(String location) {
    return location.substring(location.lastIndexOf('_') + 1);
  }

  /** Number of shuffles that Spark knows of. */
  int shuffles() {
    return ((MapOutputTrackerMaster) sc.env().mapOutputTracker()).shuffleStatuses().size();
  }

  /** The data files of all shuffles, those of dead executors too. */
  Set<Path> shuffleFiles() {
    return files(scratch.resolve("local")).stream()
        .filter(file -> SHUFFLE_FILE.matcher(file.getFileName().toString()).matches())
        .collect(Collectors.toSet());
  }

  /** The data files of the shuffle that was begun last, in the order of its map tasks. */
  List<Path> filesOfLastShuffle() {
    TreeMap<Integer, List<Path>> shuffles = new TreeMap<>();
    for (Path file : shuffleFiles()) {
      Matcher matcher = SHUFFLE_FILE.matcher(file.getFileName().toString());
      if (matcher.matches()) {
        shuffles
            .computeIfAbsent(Integer.valueOf(matcher.group(1)), id -> new ArrayList<>())
            .add(file);
      }
    }
    List<Path> last = shuffles.lastEntry().getValue();
    last.sort(Comparator.comparing(file -> file.getFileName().toString()));
    return last;
  }

  /** Files of edges in executors' local directories, those of dead executors too. */
  List<Path> edgeFiles() {
    return files(scratch.resolve("local")).stream()
        .filter(file -> file.getFileName().toString().contains("gpugraph-edges"))
        .toList();
  }

  /** All files below a folder that others may be changing. */
  static List<Path> files(Path folder) {
    for (int i = 0; ; i++) {
      try (Stream<Path> walk = Files.walk(folder)) {
        return walk.filter(Files::isRegularFile).sorted().toList();
      } catch (NoSuchFileException e) {
        return List.of();
      } catch (IOException | UncheckedIOException e) {
        // A folder vanished on the way.
        if (i == 100) {
          throw new IllegalStateException("cannot list " + folder, e);
        }
      }
    }
  }

  /** What executors left in their folder for temporary files, but for what Spark unpacks there. */
  List<Path> temporaryFiles() {
    return files(scratch.resolve("tmp")).stream()
        .filter(file -> !file.getFileName().toString().matches("lib(lz4|snappy|zstd).*"))
        .toList();
  }

  /** What executors still hold; empty when nothing. Waits a while for them to let go. */
  void awaitNothingHeld() {
    Await.until(
        "executors that hold nothing, but they hold " + Remote.held(sc),
        () -> {
          Map<String, String> held = Remote.held(sc);
          return held.keySet().containsAll(registered())
              && held.values().stream().allMatch(Remote.NOTHING::equals);
        });
  }

  /** Stops the cluster and waits for the end of its processes. */
  @Override
  public void close() {
    sc.stop();
    Await.until("the end of the executors", () -> executors().isEmpty());
  }
}
