package org.sparkgpugraph.engine.cuda;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.KernelCompilationException;
import org.sparkgpugraph.engine.device.KernelSource;

/** The CUDA toolkit's compiler: slower than NVRTC, and it needs a host compiler. */
final class Nvcc implements KernelCompiler {
  private static final Pattern RELEASE = Pattern.compile("release [0-9.]+, V([0-9.]+)");
  private static final Pattern ARCHITECTURE = Pattern.compile("sm_([0-9]+)");

  private final Path program;
  private final String version;
  private final List<Integer> known;
  private final List<String> options;

  private Nvcc(Path program, String version, List<Integer> known, List<String> options) {
    this.program = program;
    this.version = version;
    this.known = known;
    this.options = options;
  }

  /**
   * @throws IOException when it does not run
   */
  static Nvcc at(Path program) throws IOException {
    Matcher release = RELEASE.matcher(run(List.of(program.toString(), "--version")).expect());
    if (!release.find()) {
      throw new IOException(program + " --version names no version");
    }
    Matcher architectures =
        ARCHITECTURE.matcher(run(List.of(program.toString(), "--list-gpu-code")).output());
    List<Integer> known = new ArrayList<>();
    while (architectures.find()) {
      known.add(Integer.valueOf(architectures.group(1)));
    }
    String version = release.group(1);
    int major = Integer.parseInt(version.substring(0, version.indexOf('.')));
    return new Nvcc(program, version, known, KernelCompiler.options(major));
  }

  /** The same without line numbers, which are half of what it makes. */
  Nvcc withoutLines() {
    List<String> others = options.stream().filter(o -> !o.equals(KernelCompiler.LINES)).toList();
    return new Nvcc(program, version, known, others);
  }

  @Override
  public String version() {
    return "nvcc " + version;
  }

  @Override
  public List<String> options() {
    return options;
  }

  @Override
  public CompilerTarget target(int architecture) {
    return CompilerTarget.of(architecture, known);
  }

  @Override
  public byte[] compile(KernelSource source, CompilerTarget target) {
    try {
      Path folder = Files.createTempDirectory("spark-gpu-graph-nvcc-");
      try {
        return compile(source, target, folder);
      } finally {
        delete(folder);
      }
    } catch (IOException e) {
      DeviceException failure =
          new DeviceException("running " + program + " for " + source.name(), e.toString(), "");
      failure.initCause(e);
      throw failure;
    }
  }

  private byte[] compile(KernelSource source, CompilerTarget target, Path folder)
      throws IOException {
    Path text = folder.resolve("kernels.cu");
    Path image = folder.resolve("kernels.image");
    Files.writeString(text, source.text());
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    command.add(target.format() == KernelImage.Format.CUBIN ? "-cubin" : "-ptx");
    command.add("--gpu-architecture=" + target.architecture());
    command.addAll(options());
    command.addAll(List.of("-o", image.toString(), text.toString()));
    Result result = run(command);
    if (result.status() != 0) {
      throw new KernelCompilationException(
          version(), source, result.output().replace(folder + "/", ""));
    }
    return Files.readAllBytes(image);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }

  private record Result(List<String> command, int status, String output) {
    String expect() throws IOException {
      if (status != 0) {
        throw new IOException(command + " ended with status " + status + ": " + output);
      }
      return output;
    }
  }

  private static Result run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Result(command, process.waitFor(), output);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + command + " ran", e);
    } finally {
      process.destroy();
    }
  }
}
