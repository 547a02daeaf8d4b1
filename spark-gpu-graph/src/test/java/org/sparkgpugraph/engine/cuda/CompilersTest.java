package org.sparkgpugraph.engine.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sparkgpugraph.engine.device.CompilerUnavailableException;
import org.sparkgpugraph.engine.device.KernelCompilationException;
import org.sparkgpugraph.engine.device.KernelSource;

/**
 * Finding compilers, and compiling with NVRTC (a fake one, and a real one where there is one) and
 * nvcc.
 */
@Tag("any-spark")
class CompilersTest {
  private static final KernelSource BROKEN =
      new KernelSource(
          "Broken.java:3", "#error planted\n", List.of("k"), List.of("send: Broken.java:3"));

  @TempDir Path folder;

  private static boolean isElf(byte[] image) {
    return image.length > 4
        && image[0] == 0x7f
        && image[1] == 'E'
        && image[2] == 'L'
        && image[3] == 'F';
  }

  /** The compiler of this machine, if it is of a kind. */
  private static <T> Optional<T> installed(Class<T> kind, Map<String, String> environment) {
    return new CompilerSearch(environment, Path.of("/usr/local"), 99000)
        .find(Optional.empty())
        .filter(kind::isInstance)
        .map(kind::cast);
  }

  private static void compiles(KernelCompiler compiler) {
    for (int architecture : new int[] {75, 80, 90}) {
      CompilerTarget target = compiler.target(architecture);
      assertThat(target)
          .isEqualTo(new CompilerTarget("sm_" + architecture, KernelImage.Format.CUBIN));
      assertThat(isElf(compiler.compile(DeviceChecks.source(), target))).isTrue();
    }
    CompilerTarget future = compiler.target(999);
    assertThat(future.format()).isEqualTo(KernelImage.Format.PTX);
    String ptx =
        new String(compiler.compile(DeviceChecks.source(), future), StandardCharsets.US_ASCII);
    assertThat(ptx).contains(".entry increment").doesNotContain("\0");
    assertThatThrownBy(() -> compiler.compile(BROKEN, compiler.target(90)))
        .isInstanceOf(KernelCompilationException.class)
        .hasMessageContaining("planted")
        .hasMessageContaining("Broken.java:3")
        .hasMessageContaining(compiler.version());
  }

  @Test
  void nvccCompiles() {
    // No library folder: the search ends at nvcc.
    Optional<Nvcc> nvcc = installed(Nvcc.class, System.getenv());
    assumeTrue(nvcc.isPresent(), "skipped: no nvcc on this machine, or NVRTC comes before it");
    compiles(nvcc.get());
  }

  @Test
  void nvrtcCompiles() {
    Optional<Nvrtc> nvrtc = installed(Nvrtc.class, System.getenv());
    assumeTrue(nvrtc.isPresent(), "skipped: no NVRTC on this machine");
    compiles(nvrtc.get());
  }

  /** The binding: strings, sizes, logs. */
  @Test
  void aFakeNvrtcIsCalledAsNvidiaSays() throws Exception {
    Path file = FakeCuda.nvrtc(folder);
    Nvrtc nvrtc = Nvrtc.load(file);
    assertThat(nvrtc.version()).isEqualTo("NVRTC 13.0");
    assertThat(nvrtc.number()).isEqualTo(13000);
    assertThat(nvrtc.target(80)).isEqualTo(new CompilerTarget("sm_80", KernelImage.Format.CUBIN));
    assertThat(nvrtc.target(89))
        .isEqualTo(new CompilerTarget("compute_80", KernelImage.Format.PTX));
    KernelSource source = new KernelSource("x", "// \u2192 text\n", List.of(), List.of());
    assertThat(new String(nvrtc.compile(source, nvrtc.target(90)), StandardCharsets.UTF_8))
        .isEqualTo("FAKE sm_90\n// \u2192 text\n\0");
    assertThat(new String(nvrtc.compile(source, nvrtc.target(89)), StandardCharsets.UTF_8))
        .isEqualTo("FAKE compute_80\n// \u2192 text\n");
    assertThatThrownBy(() -> nvrtc.compile(BROKEN, nvrtc.target(90)))
        .isInstanceOfSatisfying(
            KernelCompilationException.class,
            e -> assertThat(e.log()).isEqualTo("kernels.cu(1): error: #error planted \u2192\n"));
  }

  @Test
  void nvrtcIsFoundInEveryUsualPlace() throws Exception {
    Path library = FakeCuda.nvrtc(folder.resolve("built"));
    Path empty = Files.createDirectory(folder.resolve("empty"));
    Path home = folder.resolve("home/targets/x86_64-linux/lib");
    Path toolkit = folder.resolve("local/cuda-12.9/lib64");
    for (Path place : List.of(home, toolkit)) {
      Files.createDirectories(place);
      Files.copy(library, place.resolve("libnvrtc.so.12"));
    }
    List<CompilerSearch> searches =
        List.of(
            new CompilerSearch(
                Map.of("LD_LIBRARY_PATH", ":" + folder.resolve("built")), empty, 13000),
            new CompilerSearch(
                Map.of("CUDA_HOME", folder.resolve("home").toString()), empty, 13000),
            new CompilerSearch(
                Map.of("CUDA_PATH", folder.resolve("home").toString()), empty, 13000),
            new CompilerSearch(Map.of(), folder.resolve("local"), 13000));
    for (CompilerSearch search : searches) {
      assertThat(search.find(Optional.empty())).get().isInstanceOf(Nvrtc.class);
      assertThat(search.notes()).isEmpty();
    }
  }

  @Test
  void whatIsNoLibraryIsNotedAndPassed() throws Exception {
    Path broken = Files.createDirectory(folder.resolve("broken"));
    Files.writeString(broken.resolve("libnvrtc.so.13"), "no library");
    Path good = folder.resolve("good");
    FakeCuda.nvrtc(good);
    CompilerSearch search =
        new CompilerSearch(
            Map.of("LD_LIBRARY_PATH", broken + ":" + good), folder.resolve("none"), 13000);
    assertThat(search.find(Optional.empty())).get().isInstanceOf(Nvrtc.class);
    assertThat(search.notes()).singleElement().asString().contains(broken.toString());
  }

  @Test
  void onlyTheLibraryThatIsNamedIsTaken() throws Exception {
    FakeCuda.nvrtc(folder);
    CompilerSearch search =
        new CompilerSearch(
            Map.of("LD_LIBRARY_PATH", folder.toString()), folder.resolve("none"), 13000);
    Path missing = folder.resolve("missing.so");
    assertThat(search.find(Optional.of(missing))).isEmpty();
    assertThat(search.notes()).containsExactly("no file " + missing);
  }

  @Test
  void withoutACompilerTheMessageSaysWhereItLooked() {
    CachedCompiler compiler = withoutCompiler(CompilersTest.class.getClassLoader());
    assertThatThrownBy(() -> compiler.image(DeviceChecks.source(), 90))
        .isInstanceOf(CompilerUnavailableException.class)
        .hasMessageContaining("the kernels of DeviceChecks")
        .hasMessageContaining("no compiler was found")
        .hasMessageContaining(folder.resolve("none/cuda/bin").toString())
        .hasMessageContaining(PrecompiledKernels.resource(DeviceChecks.source()))
        .hasMessageContaining(CudaSettings.NVRTC_KEY);
  }

  private CachedCompiler withoutCompiler(ClassLoader loader) {
    CompilerSearch search = new CompilerSearch(Map.of(), folder.resolve("none"), 13000);
    return new CachedCompiler(
        () -> Optional.<KernelCompiler>empty().or(() -> noSystemCompiler(search)),
        search::notes,
        Optional.empty(),
        new PrecompiledKernels(loader, 13000));
  }

  /** A machine may have NVRTC among its system libraries. */
  private static Optional<KernelCompiler> noSystemCompiler(CompilerSearch search) {
    Optional<KernelCompiler> found = search.find(Optional.empty());
    assumeTrue(found.isEmpty(), "skipped: NVRTC is among this machine's system libraries");
    return found;
  }

  @Test
  void withoutACompilerPackagedPtxIsTaken() throws Exception {
    Path file = folder.resolve(PrecompiledKernels.resource(DeviceChecks.source()));
    Files.createDirectories(file.getParent());
    Files.writeString(file, ".version 8.0");
    try (URLClassLoader jars =
        new URLClassLoader(
            new URL[] {folder.toUri().toURL()}, CompilersTest.class.getClassLoader())) {
      KernelImage image = withoutCompiler(jars).image(DeviceChecks.source(), 90);
      assertThat(image.format()).isEqualTo(KernelImage.Format.PTX);
      assertThat(new String(image.bytes(), StandardCharsets.US_ASCII)).isEqualTo(".version 8.0");
    }
  }

  /** Of GPUs of the same major capability and no smaller minor one; others compile. */
  @ParameterizedTest
  @CsvSource({
    "80, 13000, 80",
    "86, 13000, 80",
    "89, 13010, 80",
    "90, 14000, 90",
    "100, 13000, 100",
    "103, 13000, 100",
    "75, 13000, -",
    "120, 13000, -",
    "90, 12080, -"
  })
  void machineCodeThatWasPackagedIsTakenBeforeAnyCompilerIsLookedFor(
      int architecture, int driver, String taken) throws Exception {
    KernelSource source = DeviceChecks.source();
    Files.createDirectories(folder.resolve(PrecompiledKernels.CODE_FOLDER));
    Files.writeString(folder.resolve(PrecompiledKernels.COMPILER), "13.0.88\n--std=c++17\n");
    for (int packaged : PrecompiledKernels.ARCHITECTURES) {
      Files.writeString(
          folder.resolve(PrecompiledKernels.codeResource(source, packaged)), "" + packaged);
    }
    AtomicInteger searches = new AtomicInteger();
    try (URLClassLoader jars = new URLClassLoader(new URL[] {folder.toUri().toURL()}, null)) {
      CachedCompiler compiler =
          new CachedCompiler(
              () -> {
                searches.incrementAndGet();
                return Optional.of(counting("1.0", new AtomicInteger()));
              },
              List::of,
              Optional.empty(),
              new PrecompiledKernels(jars, driver));
      KernelImage image = compiler.image(source, architecture);
      String bytes = new String(image.bytes(), StandardCharsets.US_ASCII);
      boolean none = taken.equals("-");
      assertThat(bytes).isEqualTo(none ? "sm_" + architecture + " by 1.0" : taken);
      assertThat(image.compiler()).isEqualTo(none ? "1.0" : "nvcc 13.0.88");
      assertThat(searches).hasValue(none ? 1 : 0);
      // Other kernels are not among them.
      KernelSource other = new KernelSource("y", source.text() + " ", List.of(), List.of());
      assertThat(compiler.image(other, architecture).compiler()).isEqualTo("1.0");
    }
  }

  @Test
  void aSourceIsCompiledOncePerArchitectureCompilerAndText() throws Exception {
    AtomicInteger compilations = new AtomicInteger();
    KernelCache disk = new KernelCache(folder.resolve("kernels"), 1 << 20);
    KernelSource source = DeviceChecks.source();
    KernelSource other = new KernelSource("y", source.text() + " ", List.of(), List.of());
    for (int process = 0; process < 2; process++) {
      CachedCompiler compiler = counting("1.0", compilations, disk);
      for (int i = 0; i < 2; i++) {
        assertThat(new String(compiler.image(source, 90).bytes(), StandardCharsets.UTF_8))
            .isEqualTo("sm_90 by 1.0");
        compiler.image(source, 80);
        compiler.image(other, 90);
      }
      assertThat(compilations).hasValue(3);
    }
    CachedCompiler newer = counting("1.1", compilations, disk);
    assertThat(new String(newer.image(source, 90).bytes(), StandardCharsets.UTF_8))
        .isEqualTo("sm_90 by 1.1");
    assertThat(compilations).hasValue(4);
  }

  /** A task that is killed interrupts its thread, and nvcc with it: the next one looks again. */
  @Test
  void aSearchThatWasInterruptedIsNotRemembered() {
    AtomicInteger searches = new AtomicInteger();
    CachedCompiler compiler =
        new CachedCompiler(
            () -> {
              if (searches.incrementAndGet() == 1) {
                Thread.currentThread().interrupt();
                return Optional.empty();
              }
              return Optional.of(counting("1.0", new AtomicInteger()));
            },
            List::of,
            Optional.empty(),
            new PrecompiledKernels(CompilersTest.class.getClassLoader(), 13000));
    try {
      assertThatThrownBy(() -> compiler.image(DeviceChecks.source(), 90))
          .isInstanceOf(CompilerUnavailableException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(compiler.image(DeviceChecks.source(), 90).compiler()).isEqualTo("1.0");
    compiler.image(DeviceChecks.source(), 80);
    assertThat(searches).hasValue(2);
  }

  private static KernelCompiler counting(String version, AtomicInteger compilations) {
    return new KernelCompiler() {
      @Override
      public String version() {
        return version;
      }

      @Override
      public List<String> options() {
        return List.of();
      }

      @Override
      public CompilerTarget target(int architecture) {
        return CompilerTarget.of(architecture, List.of());
      }

      @Override
      public byte[] compile(KernelSource source, CompilerTarget target) {
        compilations.incrementAndGet();
        return (target.architecture() + " by " + version).getBytes(StandardCharsets.UTF_8);
      }
    };
  }

  private static CachedCompiler counting(
      String version, AtomicInteger compilations, KernelCache disk) {
    return new CachedCompiler(
        () -> Optional.of(counting(version, compilations)),
        List::of,
        Optional.of(disk),
        new PrecompiledKernels(CompilersTest.class.getClassLoader(), 13000));
  }
}
