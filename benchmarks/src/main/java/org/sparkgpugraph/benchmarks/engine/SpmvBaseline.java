package org.sparkgpugraph.benchmarks.engine;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.sparkgpugraph.benchmarks.CsrFile;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * Measures cuSPARSE's SpMV on graphs' in-edge matrices, in processes of their own: hands the
 * structure over in a file to {@code spmv_baseline.cu}, which is compiled at the first graph, or to
 * {@code spmv_baseline.py} where nvcc or cuSPARSE's headers are missing.
 */
final class SpmvBaseline implements AutoCloseable {
  private static final byte[] MAGIC = "SGGCSR1\0".getBytes(StandardCharsets.US_ASCII);

  private final Path folder;
  private List<String> program;
  private String unavailable;

  /**
   * What came of it.
   *
   * @param results what the program printed, a map of names to values per measurement
   * @param unavailable why neither program can be used here, or null
   */
  record Outcome(List<Map<String, String>> results, String unavailable) {}

  /** A program that could not be used. */
  private static final class Unusable extends IOException {
    private static final long serialVersionUID = 1L;

    Unusable(String message) {
      super(message);
    }
  }

  SpmvBaseline() throws IOException {
    folder = Files.createTempDirectory("spmv-baseline");
  }

  /** Unpacks a program. */
  private Path source(String name) throws IOException {
    Path source = folder.resolve(name);
    try (InputStream resource = SpmvBaseline.class.getResourceAsStream(name)) {
      if (resource == null) {
        throw new Unusable(name + " is not on the class path");
      }
      Files.copy(resource, source, StandardCopyOption.REPLACE_EXISTING);
    }
    return source;
  }

  /** Runs it. */
  Outcome measure(GraphPartition partition) throws IOException, InterruptedException {
    if (unavailable != null) {
      return new Outcome(List.of(), unavailable);
    }
    Path file = folder.resolve("graph");
    int[] outDegrees = new int[partition.stored()];
    for (int v = 0; v < outDegrees.length; v++) {
      outDegrees[v] = partition.outDegree(v);
    }
    write(partition.inEdges(), outDegrees, file);
    try {
      return new Outcome(results(output(file)), null);
    } catch (Unusable e) {
      unavailable = e.getMessage();
      return new Outcome(List.of(), unavailable);
    } finally {
      Files.delete(file);
    }
  }

  private List<String> output(Path file) throws IOException, InterruptedException {
    if (program != null) {
      return run(program, file);
    }
    String compiled;
    try {
      List<String> first = compiled();
      List<String> lines = run(first, file);
      program = first;
      return lines;
    } catch (Unusable e) {
      compiled = e.getMessage();
    }
    List<String> second = List.of("python3", source("spmv_baseline.py").toString());
    try {
      List<String> lines = run(second, file);
      program = second;
      return lines;
    } catch (Unusable e) {
      throw new Unusable(compiled + "; " + e.getMessage());
    }
  }

  private List<String> run(List<String> command, Path file)
      throws IOException, InterruptedException {
    List<String> withGraph = new ArrayList<>(command);
    withGraph.add(file.toString());
    return command(folder, withGraph);
  }

  private static List<Map<String, String>> results(List<String> lines) {
    List<Map<String, String>> results = new ArrayList<>();
    for (String line : lines) {
      if (line.startsWith("result ")) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String field : line.substring("result ".length()).split(" ")) {
          int equals = field.indexOf('=');
          fields.put(field.substring(0, equals), field.substring(equals + 1));
        }
        results.add(fields);
      }
    }
    return results;
  }

  private List<String> compiled() throws IOException, InterruptedException {
    Path source = source("spmv_baseline.cu");
    Path nvcc = nvcc();
    // The loader need not know where the toolkit keeps its libraries.
    Path libraries = nvcc.toRealPath().resolveSibling("../lib64").normalize();
    Path binary = folder.resolve("spmv_baseline");
    command(
        folder,
        List.of(
            nvcc.toString(),
            "-O3",
            "-arch=native",
            "-o",
            binary.toString(),
            source.toString(),
            "-lcusparse",
            "-Xlinker",
            "-rpath=" + libraries));
    return List.of(binary.toString());
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
  static void write(Csr csr, int[] outDegrees, Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer head =
          ByteBuffer.allocate(MAGIC.length + 2 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      head.put(MAGIC).putLong(csr.rows()).putLong(csr.edges()).flip();
      while (head.hasRemaining()) {
        channel.write(head);
      }
      CsrFile.writeInts(channel, csr.offsets(), csr.rows() + 1);
      CsrFile.writeInts(channel, outDegrees, csr.rows());
      CsrFile.writeInts(channel, csr.neighbours(), csr.edges());
    }
  }

  /** Deletes what was compiled. */
  @Override
  public void close() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
