package org.sparkgpugraph.engine.cuda;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
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
 * Run by the build before packaging: compiles the kernels of the library's own algorithms and puts
 * them where {@link PrecompiledKernels} looks. Machine code for some GPUs spares first runs there
 * the compiler, PTX is for machines without one. Without nvcc on the PATH it says so and makes
 * nothing.
 */
public final class PackagedKernels {
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

  private PackagedKernels() {}

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
    for (String folder : List.of(PrecompiledKernels.FOLDER, PrecompiledKernels.CODE_FOLDER)) {
      copy(kept.resolve(folder), classes.resolve(folder));
    }
    System.out.printf(
        "kernels of the library's algorithms: %d, each as PTX and for %s; %d compilations by %s took"
            + " %.0f s%n",
        entries.size(),
        PrecompiledKernels.ARCHITECTURES,
        compiled,
        nvcc.get(),
        (System.nanoTime() - start) / 1e9);
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

  /**
   * Brings the resources up to date: what is there stays, what nobody asks for goes, and machine
   * code of another compiler.
   *
   * @return how often the compiler was called
   */
  static int write(List<LibraryKernels.Entry> entries, Path nvcc, Path classes) throws Exception {
    Nvcc compiler = Nvcc.at(nvcc).withoutLines();
    Set<Path> wanted = new HashSet<>();
    wanted.add(writeCompiler(compiler, classes));
    ExecutorService threads =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    List<Future<Boolean>> results = new ArrayList<>();
    int compiled = 0;
    try {
      for (LibraryKernels.Entry entry : entries) {
        KernelSource source = entry.source();
        Path ptx = classes.resolve(PrecompiledKernels.resource(source));
        wanted.add(ptx);
        results.add(threads.submit(() -> write(source, compiler, TARGET, ptx)));
        for (int architecture : PrecompiledKernels.ARCHITECTURES) {
          CompilerTarget target = compiler.target(architecture);
          if (target.format() != KernelImage.Format.CUBIN) {
            continue; // newer than the compiler
          }
          Path code = classes.resolve(PrecompiledKernels.codeResource(source, architecture));
          wanted.add(code);
          results.add(threads.submit(() -> write(source, compiler, target, code)));
        }
      }
      for (Future<Boolean> result : results) {
        compiled += result.get() ? 1 : 0;
      }
    } finally {
      threads.shutdownNow();
    }
    for (String folder : List.of(PrecompiledKernels.FOLDER, PrecompiledKernels.CODE_FOLDER)) {
      keep(classes.resolve(folder), wanted);
    }
    return compiled;
  }

  /** Whether a compiler knows a GPU. */
  static boolean makesCodeFor(Path nvcc, int architecture) {
    try {
      return Nvcc.at(nvcc).target(architecture).format() == KernelImage.Format.CUBIN;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Notes what makes the machine code; what another one made is deleted. */
  private static Path writeCompiler(Nvcc compiler, Path classes) throws IOException {
    Files.createDirectories(classes.resolve(PrecompiledKernels.FOLDER));
    Path file = classes.resolve(PrecompiledKernels.COMPILER);
    String text =
        compiler.version().replace("nvcc ", "")
            + "\n"
            + String.join(" ", compiler.options())
            + "\n";
    if (Files.notExists(file) || !Files.readString(file).equals(text)) {
      Files.createDirectories(file.getParent());
      keep(file.getParent(), Set.of());
      Files.writeString(file, text);
    }
    return file;
  }

  private static void keep(Path folder, Set<Path> wanted) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(f -> !wanted.contains(f)).toList()) {
        Files.delete(file);
      }
    }
  }

  private static boolean write(KernelSource source, Nvcc compiler, CompilerTarget target, Path file)
      throws IOException {
    if (Files.exists(file)) {
      return false;
    }
    byte[] image = compiler.compile(source, target);
    Path partial = file.resolveSibling(file.getFileName() + ".partial");
    Files.write(
        partial,
        target.format() == KernelImage.Format.CUBIN
            ? image
            : portable(new String(image, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8));
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
