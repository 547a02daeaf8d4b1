package org.sparkgpugraph.benchmarks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.program.ir.Kind;

/**
 * A graph in a file that codes of other kinds read as well, little-endian: rows, columns (the same
 * number) and edges as 32-bit integers; where the edges of each row begin, and the end of the last;
 * the edges' other ends; their weights as floats. A row has the out-edges of a vertex.
 */
public final class CsrFile {
  private static final int HEADER = 3 * Integer.BYTES;
  private static final int PIECE = 1 << 20;
  private static final int BLOCK = 1 << 22;

  private final Path path;
  private final int vertices;
  private final int edges;

  private CsrFile(Path path, int vertices, int edges) {
    this.path = path;
    this.vertices = vertices;
    this.edges = edges;
  }

  /**
   * Opens a file.
   *
   * @throws IOException when it cannot be read, or its size is not what its header says
   */
  public static CsrFile open(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path)) {
      ByteBuffer header = read(channel, 0, HEADER);
      int rows = header.getInt();
      int columns = header.getInt();
      int edges = header.getInt();
      long size = HEADER + Integer.BYTES * (rows + 1L + 2L * edges);
      if (rows < 0 || edges < 0 || rows != columns || channel.size() != size) {
        throw new IOException(
            "%s is no graph: its header tells of %d rows, %d columns and %d edges, of which a file has %d bytes, not %d"
                .formatted(path, rows, columns, edges, size, channel.size()));
      }
      return new CsrFile(path, rows, edges);
    }
  }

  /** Number of vertices: 0 to one less. */
  public int vertices() {
    return vertices;
  }

  /** Number of edges. */
  public int edges() {
    return edges;
  }

  /**
   * The edges.
   *
   * @param weights kind of their values: INT, FLOAT or DOUBLE; null: none
   * @throws IOException when the file cannot be read, or rows do not follow each other
   */
  public List<EdgeBlock> read(Kind weights) throws IOException {
    List<EdgeBlock> blocks = new ArrayList<>();
    try (FileChannel channel = FileChannel.open(path)) {
      int[] offsets = ints(channel, HEADER, vertices + 1);
      if (offsets[0] != 0 || offsets[vertices] != edges) {
        throw new IOException(
            "%s: rows begin at edge %d and end at %d of %d"
                .formatted(path, offsets[0], offsets[vertices], edges));
      }
      long ends = HEADER + Integer.BYTES * (vertices + 1L);
      int row = 0;
      for (int first = 0; first < edges; first += BLOCK) {
        int size = Math.min(BLOCK, edges - first);
        int[] sources = new int[size];
        for (int e = 0; e < size; e++) {
          while (offsets[row + 1] <= first + e) {
            row++;
          }
          sources[e] = row;
        }
        int[] destinations = ints(channel, ends + (long) Integer.BYTES * first, size);
        check(destinations, first);
        blocks.add(
            new IntEdgeBlock(
                size,
                sources,
                destinations,
                weights == null
                    ? null
                    : weights(
                        ints(channel, ends + (long) Integer.BYTES * (edges + (long) first), size),
                        weights)));
      }
    }
    return blocks;
  }

  private void check(int[] destinations, int first) throws IOException {
    for (int e = 0; e < destinations.length; e++) {
      if (destinations[e] < 0 || destinations[e] >= vertices) {
        throw new IOException(
            "%s: edge %d ends at %d, vertices are 0 to %d"
                .formatted(path, first + e, destinations[e], vertices - 1));
      }
    }
  }

  private static Object weights(int[] bits, Kind kind) {
    Object values = BenchmarkGraphs.newArray(kind, bits.length);
    for (int e = 0; e < bits.length; e++) {
      ReshapedEdges.set(values, e, Float.intBitsToFloat(bits[e]));
    }
    return values;
  }

  private static int[] ints(FileChannel channel, long at, int count) throws IOException {
    int[] values = new int[count];
    for (int done = 0; done < count; done += PIECE) {
      int some = Math.min(PIECE, count - done);
      read(channel, at + (long) Integer.BYTES * done, some * Integer.BYTES)
          .asIntBuffer()
          .get(values, done, some);
    }
    return values;
  }

  private static ByteBuffer read(FileChannel channel, long at, int bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, at + buffer.position()) < 0) {
        throw new IOException("the file ends behind " + (at + buffer.position()) + " bytes");
      }
    }
    return buffer.flip();
  }

  /**
   * Writes a graph, edges of a vertex in the order in which they come; without weights each is 1.
   *
   * @param path a new file
   * @throws IOException when it cannot be written
   */
  public static void write(Path path, int vertices, List<EdgeBlock> blocks) throws IOException {
    int[] offsets = new int[vertices + 1];
    for (EdgeBlock block : blocks) {
      IntEdgeBlock some = (IntEdgeBlock) block;
      for (int e = 0; e < some.size(); e++) {
        offsets[some.sources()[e] + 1]++;
      }
    }
    Arrays.parallelPrefix(offsets, Math::addExact);
    int[] next = Arrays.copyOf(offsets, vertices);
    int[] ends = new int[offsets[vertices]];
    int[] weights = new int[ends.length];
    for (EdgeBlock block : blocks) {
      IntEdgeBlock some = (IntEdgeBlock) block;
      for (int e = 0; e < some.size(); e++) {
        int place = next[some.sources()[e]]++;
        ends[place] = some.destinations()[e];
        weights[place] = Float.floatToRawIntBits(ReshapedEdges.get(some.values(), e));
      }
    }
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      writeInts(channel, new int[] {vertices, vertices, ends.length}, 3);
      writeInts(channel, offsets, offsets.length);
      writeInts(channel, ends, ends.length);
      writeInts(channel, weights, weights.length);
    }
  }

  /**
   * Writes integers, little-endian.
   *
   * @param count how many of an array, from its begin
   * @throws IOException when they cannot be written
   */
  public static void writeInts(FileChannel channel, int[] values, int count) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(PIECE).order(ByteOrder.LITTLE_ENDIAN);
    int most = PIECE / Integer.BYTES;
    for (int done = 0; done < count; done += most) {
      int some = Math.min(most, count - done);
      buffer.clear();
      buffer.asIntBuffer().put(values, done, some);
      buffer.limit(some * Integer.BYTES);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
    }
  }
}
