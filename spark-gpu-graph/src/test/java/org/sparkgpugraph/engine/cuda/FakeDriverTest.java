package org.sparkgpugraph.engine.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The CUDA device without a GPU: JCuda and its native library as they are, over a driver that is
 * faked in C++. In JVMs of their own, since a process looks for its driver once.
 */
@Tag("any-spark")
class FakeDriverTest {
  private static final Pattern NEEDED_JARS =
      Pattern.compile("^(jcuda|jna|slf4j|log4j|assertj|byte-buddy|spark-gpu-graph)");

  @TempDir static Path libraries;
  @TempDir Path folder;

  private Path temporary;

  @BeforeAll
  static void compileTheDriver() throws Exception {
    FakeCuda.driver(libraries);
    FakeCuda.nvrtc(libraries);
  }

  @BeforeEach
  void makeATemporaryFolder() throws Exception {
    temporary = Files.createDirectory(folder.resolve("tmp"));
  }

  private ChildProcess scenario(String name) {
    return ChildProcess.of(DeviceScenariosJob.class, name, folder.toString())
        .option("-Djava.io.tmpdir=" + temporary)
        .environment("LD_LIBRARY_PATH", libraries.toString())
        .environment("FAKE_NVRTC_LOG", folder.resolve("compiled").toString());
  }

  private List<String> compiled() throws Exception {
    return Files.readAllLines(folder.resolve("compiled"));
  }

  @Test
  void theDeviceDoesWhatADeviceMust() throws Exception {
    scenario("everything").run().succeeded();
    assertThat(compiled()).containsExactly("sm_90", "sm_90"); // the source and the broken one
    try (Stream<Path> left = Files.list(temporary)) {
      assertThat(left.filter(path -> !path.getFileName().toString().startsWith("jna"))).isEmpty();
    }
  }

  @Test
  void twoProcessesStartAtOnceAndShareTheCache() throws Exception {
    try (ChildProcess.Running one = scenario("everything").start();
        ChildProcess.Running two = scenario("everything").start()) {
      one.result().succeeded();
      two.result().succeeded();
    }
    scenario("everything").run().succeeded();
    // The broken source is compiled by each of three; the other one by the first two at most.
    assertThat(compiled()).hasSizeBetween(4, 5);
  }

  /**
   * Two users who share a temporary folder, and have no home, start at once: each unpacks natives
   * of its own and has kernels of its own, which the other can neither read nor write.
   */
  @Test
  void twoUsersStartAtOnce() throws Exception {
    int[] users = {65533, 65534};
    assumeTrue(
        Integer.valueOf(0).equals(Files.getAttribute(folder, "unix:uid")),
        "skipped: only root can start processes of other users");
    Path shared = Files.createTempDirectory("sgg-users-");
    List<ChildProcess.Running> running = new ArrayList<>();
    try {
      openToAll(shared, "rwxr-xr-x");
      assumeTrue(
          startsAs(users[0], shared),
          "skipped: no setpriv, or another user cannot run this Java or enter the temporary folder");
      Path common = openToAll(Files.createDirectory(shared.resolve("tmp")), "rwxrwxrwx");
      // As /tmp is: in it nobody moves what is another's.
      Files.setAttribute(common, "unix:mode", 01777);
      String classPath = readableClassPath(Files.createDirectory(shared.resolve("classes")));
      Path natives = openToAll(Files.createDirectory(shared.resolve("cuda")), "rwxr-xr-x");
      for (String name : List.of("libcuda.so.1", "libnvrtc.so.13")) {
        Files.copy(libraries.resolve(name), natives.resolve(name));
      }
      for (int round = 0; round < 2; round++) {
        for (int user : users) {
          Path log = natives.resolve("compiled-" + user + "-" + round);
          Files.createFile(log);
          openToAll(log, "rw-rw-rw-");
          running.add(
              ChildProcess.of(DeviceScenariosJob.class, "everything")
                  .by("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups")
                  .classPath(classPath)
                  .option("-Djava.io.tmpdir=" + common)
                  .option("-Duser.home=/nonexistent")
                  .environment("XDG_CACHE_HOME", "")
                  .environment("LD_LIBRARY_PATH", natives.toString())
                  .environment("FAKE_NVRTC_LOG", log.toString())
                  .start());
        }
        for (ChildProcess.Running each : running) {
          each.result().succeeded();
        }
        for (int user : users) {
          // Both compile for themselves, and find their own the second time; the broken one always.
          assertThat(natives.resolve("compiled-" + user + "-" + round))
              .as("user %s, round %s", user, round)
              .hasContent(round == 0 ? "sm_90\nsm_90" : "sm_90");
        }
      }
      try (Stream<Path> caches = Files.list(common)) {
        List<Path> kernels =
            caches.filter(p -> p.getFileName().toString().contains("-kernels-")).toList();
        assertThat(kernels).hasSize(2);
        for (Path cache : kernels) {
          assertThat(Files.getPosixFilePermissions(cache))
              .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        }
        assertThat(kernels)
            .extracting(cache -> (Integer) Files.getAttribute(cache, "unix:uid"))
            .containsExactlyInAnyOrder(users[0], users[1]);
      }
    } finally {
      for (ChildProcess.Running each : running) {
        each.close();
      }
      delete(shared);
    }
  }

  /** Whether other users' JVMs start here and can enter a folder. */
  private static boolean startsAs(int user, Path folder) throws InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String script = "test -x \"$1\" && exec \"$2\" -version";
    try {
      return new ProcessBuilder(
                  "setpriv",
                  "--reuid=" + user,
                  "--regid=" + user,
                  "--clear-groups",
                  "sh",
                  "-c",
                  script,
                  "sh",
                  folder.toString(),
                  java)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static Path openToAll(Path path, String permissions) throws IOException {
    return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  /** Copies of what the scenarios need: another user may not read a home where Maven keeps jars. */
  private static String readableClassPath(Path to) throws IOException {
    openToAll(to, "rwxr-xr-x");
    List<String> entries = new ArrayList<>();
    for (String entry :
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
            .split(File.pathSeparator)) {
      Path from = Path.of(entry);
      Path copy = to.resolve(String.valueOf(entries.size()));
      if (Files.isDirectory(from)) {
        copyFolder(from, copy);
        entries.add(copy.toString());
      } else if (NEEDED_JARS.matcher(from.getFileName().toString()).find()) {
        Files.copy(from, copy);
        openToAll(copy, "rw-r--r--");
        entries.add(copy.toString());
      }
    }
    return String.join(File.pathSeparator, entries);
  }

  private static void copyFolder(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : all.toList()) {
        Path copy = to.resolve(from.relativize(path).toString());
        Files.copy(path, copy);
        openToAll(copy, Files.isDirectory(copy) ? "rwxr-xr-x" : "rw-r--r--");
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  @Test
  void aFaultTakesTheDeviceFromTheProcess() throws Exception {
    scenario("faultsAreFatal").run().succeeded();
  }

  @Test
  void peersCopy() throws Exception {
    scenario("peers").environment("FAKE_CUDA_GPUS", "2").run().succeeded();
  }

  @Test
  void memoryThatOthersHoldIsSaid() throws Exception {
    ChildProcess.Result result =
        scenario("open").environment("FAKE_CUDA_USED", "1000000000").run().succeeded();
    assertThat(result.output())
        .contains("GPU 0 (Fake GPU 0) has only 73741824 of 1073741824 bytes free")
        .contains(CudaSettings.MINIMUM_FREE_KEY);
  }

  @Test
  void memoryComesFromAPoolThatAnotherLibraryHas() throws Exception {
    ChildProcess.Result result = scenario("pool").run().succeeded();
    assertThat(result.output())
        .contains(
            "GPU 0 (Fake GPU 0) has only 50331648 of 50331648 bytes free, memory of an arena;")
        .doesNotContain("leaked");
  }

  /** Of memory under one address, and of what is locked; some is refused when it is placed. */
  @Test
  void hostMemoryThatIsRefusedIsSaid() throws Exception {
    ChildProcess.Result none =
        scenario("hostMemoryIsRefused")
            .environment("FAKE_CUDA_REFUSES", "cuMemAllocManaged cuMemHostAlloc")
            .run()
            .succeeded();
    assertThat(none.output())
        .contains("4194304 bytes more are to lie in the host's memory, which has ")
        .contains("CUDA_ERROR_OUT_OF_MEMORY")
        .contains("the host has too little memory to lock (ulimit -l)")
        .doesNotContain("locked\n");
    ChildProcess.Result unplaced =
        scenario("hostMemoryIsRefused")
            .environment("FAKE_CUDA_REFUSES", "cuMemPrefetchAsync")
            .run()
            .succeeded();
    assertThat(unplaced.output())
        .contains("placing neighbours (6291456 bytes, 4194304 of them in the host's memory)")
        .contains("CUDA_ERROR_OUT_OF_MEMORY", "locked\n");
  }

  @Test
  void aGpuThatIsTooOldIsSaid() throws Exception {
    ChildProcess.Result result =
        scenario("open").environment("FAKE_CUDA_ARCHITECTURE", "70").run().succeeded();
    assertThat(result.output()).contains("has compute capability 7.0, but 7.5 is needed");
  }

  @Test
  void aDriverThatIsTooOldIsSaid() throws Exception {
    ChildProcess.Result result =
        scenario("open").environment("FAKE_CUDA_VERSION", "10020").run().succeeded();
    assertThat(result.output()).contains("CUDA 10.2").contains("11.0 is needed");
  }

  @Test
  void aDriverThatDoesNotStartIsSaid() throws Exception {
    ChildProcess.Result result =
        scenario("open").environment("FAKE_CUDA_INIT", "100").run().succeeded();
    assertThat(result.output()).contains("CUDA_ERROR_NO_DEVICE").contains("CUDA_VISIBLE_DEVICES");
  }

  @Test
  void addressesAreThoseOfNvidiaSmi() throws Exception {
    // The fake driver counts against the order of the bus.
    ChildProcess.Result result =
        scenario("addresses").environment("FAKE_CUDA_GPUS", "3").run().succeeded();
    assertThat(result.output()).contains("0 is 2, 2 is 0, ");
  }

  @Test
  void aNewerCompilerThanTheDriverIsUsedWhenThereIsNoOther() throws Exception {
    scenario("everything").environment("FAKE_CUDA_VERSION", "12040").run().succeeded();
  }

  /** CUDA 11.8 in a folder of its own, where nothing but the library itself looks for builtins. */
  @Test
  void nvrtcOfCuda11FindsItsBuiltins() throws Exception {
    Path driver = Files.createDirectory(folder.resolve("driver"));
    Files.copy(libraries.resolve("libcuda.so.1"), driver.resolve("libcuda.so.1"));
    FakeCuda.nvrtcOfCuda11(folder.resolve("toolkit/lib64"));
    scenario("compileAgain")
        .environment("LD_LIBRARY_PATH", driver.toString())
        .environment("CUDA_HOME", folder.resolve("toolkit").toString())
        .environment("FAKE_CUDA_VERSION", "11080")
        .environment("FAKE_NVRTC_VERSION", "11.8")
        .environment("FAKE_NVRTC_BUILTINS", "needed")
        .run()
        .succeeded();
    assertThat(compiled()).containsExactly("sm_90", "sm_90");
  }

  @Test
  void anUnknownGpuGetsPtx() throws Exception {
    ChildProcess.Result result =
        scenario("compile").environment("FAKE_CUDA_ARCHITECTURE", "121").run();
    assertThat(compiled()).containsExactly("compute_90");
    // The fake driver takes no PTX.
    assertThat(result.output()).contains("CUDA_ERROR_INVALID_IMAGE").contains("update the driver");
  }

  @Test
  void aPlantedLibraryIsNotLoaded() throws Exception {
    Path planted = temporary.resolve("libJCudaDriver-12.6.0-linux-x86_64.so");
    Files.write(planted, new byte[] {1, 2, 3});
    scenario("compile").run().succeeded();
  }

  @Test
  void aCacheThatOthersCanWriteToIsNotUsed() throws Exception {
    Path kernels =
        Files.createDirectory(
            folder.resolve("kernels"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.setPosixFilePermissions(kernels, PosixFilePermissions.fromString("rwxrwxrwx"));
    ChildProcess.Result result =
        scenario("compile").option("-Dorg.apache.logging.log4j.level=WARN").run().succeeded();
    assertThat(result.output())
        .contains("may be written by others (rwxrwxrwx)")
        .contains(CudaSettings.KERNEL_CACHE_KEY);
    try (Stream<Path> files = Files.list(kernels)) {
      assertThat(files).isEmpty();
    }
  }
}
