package io.sparkgpugraph.benchmarks;

import io.sparkgpugraph.graph.Csr;
import io.sparkgpugraph.graph.GraphPartition;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Measures cuSPARSE's SpMV on a graph's in-edge matrix, in a process of its own: hands the
 * structure over in a file to {@code spmv_baseline.cu}, which is compiled now, or to {@code
 * spmv_baseline.py} where nvcc or cuSPARSE's headers are missing.
 */
final class SpmvBaseline {
  private static final byte[] MAGIC = "SGGCSR1\0".getBytes(StandardCharsets.US_ASCII);

  private static final int CHUNK = 1 << 20;

  private final Path programs;
  private final PrintStream out;

  /**
   * A measurement.
   *
   * @param graph name of the graph
   * @param fields what the program printed, by name
   */
  record Result(String graph, Map<String, String> fields) {
    /** As a row of the table of {@link DeviceBenchmark}. */
    List<String> row() {
      String speed =
          fields.containsKey("gbs")
              ? fields.get("gbs") + " GB/s"
              : fields.getOrDefault("gteps", "");
      return List.of(
          graph,
          fields.get("name"),
          "baseline",
          "",
          fields.get("ms"),
          "",
          fields.get("ms"),
          speed,
          "",
          "",
          "",
          fields.getOrDefault("check", ""));
    }
  }

  /** A program that could not be used. */
  private static final class Unusable extends IOException {
    private static final long serialVersionUID = 1L;

    Unusable(String message) {
      super(message);
    }
  }

  /**
   * Looks for the programs in a folder.
   *
   * @param out receives a line per measurement, or one that says why there is none
   */
  SpmvBaseline(Path programs, PrintStream out) {
    this.programs = programs;
    this.out = out;
  }

  /** Runs it; without a result when neither program can be used here. */
  List<Result> measure(String graph, GraphPartition partition)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("spmv-baseline");
    try {
      Path file = folder.resolve("graph");
      write(partition.inEdges(), file);
      List<String> reasons = new ArrayList<>();
      for (Attempt attempt :
          List.<Attempt>of(() -> compiled(folder, file), () -> command(folder, python(file)))) {
        try {
          return results(graph, attempt.output());
        } catch (Unusable e) {
          reasons.add(e.getMessage());
        }
      }
      out.println(
          JsonLine.of(
              Map.of(
                  "measurement",
                  "baseline",
                  "graph",
                  graph,
                  "unavailable",
                  String.join("; ", reasons))));
      return List.of();
    } finally {
      delete(folder);
    }
  }

  /** A way to get the measurements. */
  private interface Attempt {
    List<String> output() throws IOException, InterruptedException;
  }

  private List<Result> results(String graph, List<String> lines) {
    List<Result> results = new ArrayList<>();
    for (String line : lines) {
      if (line.startsWith("result ")) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String field : line.substring("result ".length()).split(" ")) {
          int equals = field.indexOf('=');
          fields.put(field.substring(0, equals), field.substring(equals + 1));
        }
        results.add(new Result(graph, fields));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("measurement", "baseline");
        json.put("graph", graph);
        json.putAll(fields);
        out.println(JsonLine.of(json));
      }
    }
    return results;
  }

  private List<String> compiled(Path folder, Path file) throws IOException, InterruptedException {
    Path nvcc = nvcc();
    Path source = programs.resolve("spmv_baseline.cu").toAbsolutePath();
    if (!Files.exists(source)) {
      throw new Unusable(source + " does not exist");
    }
    Path program = folder.resolve("spmv_baseline");
    command(
        folder,
        List.of(
            nvcc.toString(),
            "-O3",
            "-arch=native",
            "-o",
            program.toString(),
            source.toString(),
            "-lcusparse"));
    return command(folder, List.of(program.toString(), file.toString()));
  }

  private static Path nvcc() throws Unusable {
    List<String> folders = new ArrayList<>();
    for (String home : new String[] {System.getenv("CUDA_HOME"), System.getenv("CUDA_PATH")}) {
      if (home != null) {
        folders.add(home + "/bin");
      }
    }
    folders.addAll(List.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)));
    folders.add("/usr/local/cuda/bin");
    for (String folder : folders) {
      Path nvcc = Path.of(folder, "nvcc");
      if (Files.isExecutable(nvcc)) {
        return nvcc;
      }
    }
    throw new Unusable("no nvcc in CUDA_HOME, PATH or /usr/local/cuda");
  }

  private List<String> python(Path file) {
    return List.of(
        "python3",
        programs.resolve("spmv_baseline.py").toAbsolutePath().toString(),
        file.toString());
  }

  /** Runs a command and gives its output, both streams. */
  private static List<String> command(Path folder, List<String> command)
      throws IOException, InterruptedException {
    Process process;
    try {
      process =
          new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new Unusable(command.get(0) + " cannot be started: " + e.getMessage());
    }
    List<String> lines;
    try (BufferedReader reader = process.inputReader()) {
      lines = reader.lines().toList();
    }
    int status = process.waitFor();
    if (status != 0) {
      List<String> last = lines.subList(Math.max(0, lines.size() - 3), lines.size());
      throw new Unusable(
          String.join(" ", command.subList(0, Math.min(2, command.size())))
              + " failed with status "
              + status
              + ": "
              + String.join(" | ", last));
    }
    return lines;
  }

  /** Writes the structure in the form that the head of spmv_baseline.cu tells. */
  static void write(Csr csr, Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(4 * CHUNK).order(ByteOrder.LITTLE_ENDIAN);
      buffer.put(MAGIC).putLong(csr.rows()).putLong(csr.edges());
      flush(buffer, channel);
      write(csr.offsets(), csr.rows() + 1, buffer, channel);
      write(csr.neighbours(), csr.edges(), buffer, channel);
    }
  }

  private static void write(int[] array, int count, ByteBuffer buffer, FileChannel channel)
      throws IOException {
    for (long from = 0; from < count; from += CHUNK) {
      int size = (int) Math.min(CHUNK, count - from);
      buffer.asIntBuffer().put(array, (int) from, size);
      buffer.position(4 * size);
      flush(buffer, channel);
    }
  }

  private static void flush(ByteBuffer buffer, FileChannel channel) throws IOException {
    buffer.flip();
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
    buffer.clear();
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      files
          .sorted(Comparator.reverseOrder())
          .forEach(
              file -> {
                try {
                  Files.delete(file);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }
}
