package org.sparkgpugraph.engine.cuda;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.runtime.LibraryKernels;

/**
 * Run by the build before packaging: compiles the kernels of the library's own algorithms to PTX
 * and puts them where {@link PrecompiledKernels} looks, so that machines without a CUDA compiler
 * run them. Without nvcc on the PATH it says so and makes nothing.
 */
public final class PackagedPtx {
  /** The oldest GPUs that run the library (Turing), and what every newer one can load. */
  static final CompilerTarget TARGET = new CompilerTarget("compute_75", KernelImage.Format.PTX);

  /**
   * A driver refuses PTX that is newer than itself, whatever is in it. 8.0 is that of CUDA 12.0;
   * the kernels use nothing that is not in it.
   */
  private static final String VERSION = "8.0";

  private static final Pattern VERSION_LINE =
      Pattern.compile("(?m)^(\\s*\\.version\\s+)(\\d+)\\.(\\d+)");

  private static final Pattern DEBUG_LINES = Pattern.compile("(?m)^[ \\t]*\\.(loc|file)\\s.*\\R");
  private static final Pattern DEBUG_SECTION =
      Pattern.compile("(?m)^[ \\t]*\\.section\\s+\\.debug_\\w+\\s*\\{[^}]*\\}\\R?");

  /** A hash of the temporary file's name in the names of static variables. */
  private static final Pattern FILE_HASH = Pattern.compile("_INTERNAL_[0-9a-f]{8}_");

  private PackagedPtx() {}

  /**
   * @param arguments the folder of the library's classes, and the one in which compiled kernels are
   *     kept: all Spark lines run the same ones
   */
  public static void main(String[] arguments) throws Exception {
    Path classes = Path.of(arguments[0]);
    Optional<Path> nvcc = nvcc();
    if (nvcc.isEmpty()) {
      System.out.println(
          "no nvcc on the PATH: the library is packaged without kernels compiled ahead");
      return;
    }
    long start = System.nanoTime();
    List<LibraryKernels.Entry> entries = LibraryKernels.all();
    Path kept = Path.of(arguments[1]);
    int compiled = write(entries, nvcc.get(), kept);
    copy(kept.resolve(PrecompiledKernels.FOLDER), classes.resolve(PrecompiledKernels.FOLDER));
    System.out.printf(
        "kernels of the library's algorithms: %d, of which %d were compiled by %s in %.0f s%n",
        entries.size(), compiled, nvcc.get(), (System.nanoTime() - start) / 1e9);
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> old = Files.list(to);
        Stream<Path> files = Files.list(from)) {
      for (Path file : old.filter(f -> Files.notExists(from.resolve(f.getFileName()))).toList()) {
        Files.delete(file);
      }
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  /** The first nvcc on the PATH. */
  static Optional<Path> nvcc() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, "nvcc"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Brings the resources up to date: what is there stays, what nobody asks for goes. */
  static int write(List<LibraryKernels.Entry> entries, Path nvcc, Path classes) throws Exception {
    Path folder = classes.resolve(PrecompiledKernels.FOLDER);
    Files.createDirectories(folder);
    Set<Path> wanted = new HashSet<>();
    Nvcc compiler = Nvcc.at(nvcc);
    ExecutorService threads =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    int compiled = 0;
    try {
      List<Future<Boolean>> results =
          entries.stream()
              .map(
                  entry -> {
                    Path file = classes.resolve(PrecompiledKernels.resource(entry.source()));
                    wanted.add(file);
                    return threads.submit(() -> write(entry.source(), compiler, file));
                  })
              .toList();
      for (Future<Boolean> result : results) {
        compiled += result.get() ? 1 : 0;
      }
    } finally {
      threads.shutdownNow();
    }
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(f -> !wanted.contains(f)).toList()) {
        Files.delete(file);
      }
    }
    return compiled;
  }

  private static boolean write(KernelSource source, Nvcc compiler, Path file) throws IOException {
    if (Files.exists(file)) {
      return false;
    }
    String ptx = new String(compiler.compile(source, TARGET), StandardCharsets.UTF_8);
    Path partial = file.resolveSibling(file.getFileName() + ".partial");
    Files.writeString(partial, portable(ptx));
    Files.move(partial, file);
    return true;
  }

  /** The same PTX for older drivers, without what it says of this machine's files. */
  static String portable(String ptx) {
    Matcher version = VERSION_LINE.matcher(ptx);
    if (!version.find()) {
      throw new IllegalArgumentException("PTX without a .version line: " + ptx);
    }
    boolean newer = Integer.parseInt(version.group(2)) >= 8;
    String lowered = newer ? version.replaceFirst("$1" + VERSION) : ptx;
    String plain =
        DEBUG_LINES.matcher(DEBUG_SECTION.matcher(lowered).replaceAll("")).replaceAll("");
    return FILE_HASH.matcher(plain).replaceAll("_INTERNAL_00000000_");
  }
}
