package org.sparkgpugraph.engine.emulator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.device.CompilerUnavailableException;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.KernelCompilationException;
import org.sparkgpugraph.engine.device.KernelSource;

/**
 * The host's C++ compiler, with a cache of what it has made. A library's name in the cache is the
 * hash of everything that it depends on; it is written under another name and then moved, so that
 * several processes may share a cache.
 */
final class EmulatorCompiler {
  /** System property, and environment variable, that names the compiler. */
  static final String COMPILER_KEY = "gpugraph.emulator.compiler";

  static final String COMPILER_VARIABLE = "SPARK_GPUGRAPH_EMULATOR_COMPILER";

  private static final Logger LOG = LoggerFactory.getLogger(EmulatorCompiler.class);

  private static final List<String> COMMON =
      List.of("-std=c++17", "-ffp-contract=off", "-fno-strict-aliasing", "-fPIC", "-shared");

  private static final List<String> SANITIZERS =
      List.of(
          "-fsanitize=address,undefined",
          "-fno-sanitize-recover=all",
          "-fno-omit-frame-pointer",
          "-g1");

  /**
   * ThreadSanitizer's calls before each access, which the runtime answers itself. Lines in DWARF 4:
   * addr2line takes the first file of DWARF 5 for the whole source. Variables are not asked for,
   * but following them would be a quarter of the compiler's time.
   */
  private static final List<String> CHECKS =
      List.of(
          "-fsanitize=thread",
          "--param=tsan-instrument-func-entry-exit=0",
          "-g1",
          "-gdwarf-4",
          "-fno-var-tracking");

  private static final Map<String, String> VERSIONS = new ConcurrentHashMap<>();

  private final String command;
  private final String version;
  private final Path cache;
  private final EmulatorSettings settings;
  private Path runtime;

  private EmulatorCompiler(String command, String version, Path cache, EmulatorSettings settings) {
    this.command = command;
    this.version = version;
    this.cache = cache;
    this.settings = settings;
  }

  /** The compiler that the configuration names: g++ when it names none. */
  static String command() {
    String property = System.getProperty(COMPILER_KEY);
    String variable = System.getenv(COMPILER_VARIABLE);
    return property != null ? property : variable != null ? variable : "g++";
  }

  /**
   * The compiler of this process's configuration.
   *
   * @throws CompilerUnavailableException when it cannot be started
   */
  static EmulatorCompiler find(EmulatorSettings settings) {
    String command = command();
    String version = version(command);
    if (version.isEmpty()) {
      throw new CompilerUnavailableException(
          "the emulated device needs a C++17 compiler, but "
              + command
              + " cannot be run: install g++, or name a compiler with -D"
              + COMPILER_KEY
              + " or the environment variable "
              + COMPILER_VARIABLE);
    }
    return new EmulatorCompiler(command, version, EmulatorCache.folder(), settings);
  }

  /** First line that a compiler says of itself; empty when it cannot be run. */
  static String version(String command) {
    return VERSIONS.computeIfAbsent(
        command,
        name -> {
          try {
            Process process =
                new ProcessBuilder(name, "--version").redirectErrorStream(true).start();
            process.getOutputStream().close();
            String text =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return waitFor(process) == 0 ? text.lines().findFirst().orElse("") : "";
          } catch (IOException e) {
            LOG.debug("{} cannot be run", name, e);
            return "";
          }
        });
  }

  /** Name and version, for messages. */
  String version() {
    return version;
  }

  /** The runtime, compiled. */
  synchronized Path runtime() {
    if (runtime == null) {
      List<String> flags = new ArrayList<>(COMMON);
      flags.addAll(
          List.of(
              "-O2", "-fno-exceptions", "-fno-rtti", "-fvisibility=hidden", "-Wall", "-Wextra"));
      if (settings.sanitizers()) {
        flags.addAll(SANITIZERS);
      }
      String text = EmulatorSources.runtime();
      String key = key(flags, text);
      flags.add("-Wl,-soname," + soname(key));
      runtime =
          cached(
              soname(key),
              text,
              flags,
              List.of("-ldl"),
              log -> {
                throw new DeviceException(
                    "compilation of the emulator by " + version, "compiler error", log);
              });
    }
    return runtime;
  }

  /**
   * A program, compiled for the runtime.
   *
   * @throws KernelCompilationException when it does not compile
   */
  Path compile(KernelSource source) {
    List<String> flags = new ArrayList<>(COMMON);
    // Kernels run about as fast as with -O1, which takes half as long again to compile them.
    flags.addAll(
        List.of(
            settings.sanitizers() ? "-O0" : "-Og",
            "-fno-exceptions",
            "-fvisibility=hidden",
            "-Wall",
            "-Wextra",
            "-Wno-unused-parameter",
            "-Wl,-z,defs"));
    if (settings.warningsFail()) {
      flags.add("-Werror");
    }
    if (settings.checks()) {
      flags.addAll(CHECKS);
    }
    List<String> libraries = new ArrayList<>(List.of(runtime().toString()));
    if (settings.sanitizers()) {
      flags.addAll(SANITIZERS);
    } else {
      // The C++ library is not needed, and looking through it is half of the linker's time.
      flags.addAll(List.of("-nostartfiles", "-nodefaultlibs"));
      libraries.addAll(List.of("-lm", "-lc", "-lgcc"));
    }
    String text =
        "#line 1 \"emulator prelude\"\n"
            + EmulatorSources.prelude()
            + "#line 1 \""
            + fileName(source)
            + "\"\n"
            + source.text();
    return cached(
        "kernels-" + key(flags, text, runtime().getFileName().toString()) + ".so",
        text,
        flags,
        libraries,
        log -> {
          throw new KernelCompilationException(version, source, log);
        });
  }

  /** What the compiler and the debugger call a source. */
  static String fileName(KernelSource source) {
    return source.name().replaceAll("[^A-Za-z0-9_.$ ()-]", "_");
  }

  private String soname(String key) {
    return "libsgg-emulator-" + key + ".so";
  }

  /** What to do with the log of a compilation that failed. */
  private interface Failure {
    void raise(String log);
  }

  private Path cached(
      String name, String text, List<String> flags, List<String> libraries, Failure failure) {
    Path library = cache.resolve(name);
    if (Files.exists(library)) {
      return library;
    }
    String unique = name + "." + UUID.randomUUID();
    Path source = cache.resolve(unique + ".cpp");
    Path output = cache.resolve(unique + ".tmp");
    Path log = cache.resolve(unique + ".log");
    try {
      try {
        Files.writeString(source, text);
        List<String> line = new ArrayList<>(List.of(command));
        line.addAll(flags);
        line.addAll(List.of("-o", output.toString(), source.toString()));
        line.addAll(libraries);
        long start = System.nanoTime();
        Process process =
            new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        process.getOutputStream().close();
        int status = waitFor(process);
        String said = Files.readString(log);
        if (status != 0) {
          failure.raise(said);
        }
        if (!said.isBlank()) {
          LOG.warn("{} about {}:\n{}", version, name, said.strip());
        }
        LOG.debug("{} compiled in {} ms", name, (System.nanoTime() - start) / 1_000_000);
        Files.move(output, library, StandardCopyOption.ATOMIC_MOVE);
        return library;
      } finally {
        Files.deleteIfExists(source);
        Files.deleteIfExists(output);
        Files.deleteIfExists(log);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot compile " + name + " in " + cache, e);
    }
  }

  private static int waitFor(Process process) {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new DeviceException("compilation", "interrupted", "");
    }
  }

  private String key(List<String> flags, String... texts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update((command + "\n" + version + "\n" + flags).getBytes(StandardCharsets.UTF_8));
      for (String text : texts) {
        digest.update((byte) 0);
        digest.update(text.getBytes(StandardCharsets.UTF_8));
      }
      return HexFormat.of().formatHex(digest.digest(), 0, 12);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whether this process was started with the sanitizers' library before all others. */
  static boolean sanitizersLoaded() {
    return Optional.ofNullable(System.getenv("LD_PRELOAD")).orElse("").contains("libasan");
  }
}
