package org.sparkgpugraph.runtime.stage;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.program.ir.ArrayType;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Values and activity of one shard between two supersteps, and how a file holds them (format 1, all
 * numbers big-endian):
 *
 * <table>
 * <caption>Layout</caption>
 * <tr><th>bytes</th><th>field</th></tr>
 * <tr><td>4</td><td>magic {@code 53 47 47 43} ("SGGC")</td></tr>
 * <tr><td>4</td><td>version, 1</td></tr>
 * <tr><td>8 + 4 + 4</td><td>number of the run, epoch, shard</td></tr>
 * <tr><td>4</td><td>the last superstep that was done</td></tr>
 * <tr><td>4</td><td>number of partitions</td></tr>
 * <tr><td>…</td><td>for each partition: rows (4), columns (4); for each column its kind (1, the
 * place in {@link Kind}) and its values, each in its own size (booleans: 1); words of the activity
 * bitmap (4; −1: every vertex always runs) and those words (8 each)</td></tr>
 * <tr><td>8</td><td>CRC32C of all bytes before</td></tr>
 * </table>
 *
 * @param superstep the last superstep that was done
 * @param values state columns of each partition
 * @param activity bitmap of each partition; null entries: every vertex always runs
 */
public record CheckpointFile(int superstep, List<Columns> values, List<long[]> activity) {
  private static final int MAGIC = 0x53474743;
  private static final int VERSION = 1;
  private static final int CHUNK = 1 << 16;

  /** Whether it was written of partitions like those of a graph, so that it can be restored. */
  public boolean fits(ExecutorGraph graph) {
    return values.stream()
        .map(Columns::length)
        .toList()
        .equals(graph.partitions().stream().map(GraphPartition::stored).toList());
  }

  /** Which file it is; a file that says something else is refused. */
  public record Name(long run, int epoch, int shard) {}

  /** Writes the file's bytes; the stream is flushed, not closed. */
  public void write(Name name, OutputStream to) throws IOException {
    CheckedOutputStream checked = new CheckedOutputStream(to, new CRC32C());
    DataOutputStream out = new DataOutputStream(checked);
    out.writeInt(MAGIC);
    out.writeInt(VERSION);
    out.writeLong(name.run());
    out.writeInt(name.epoch());
    out.writeInt(name.shard());
    out.writeInt(superstep);
    out.writeInt(values.size());
    ByteBuffer buffer = ByteBuffer.allocate(CHUNK);
    for (int p = 0; p < values.size(); p++) {
      Columns table = values.get(p);
      out.writeInt(table.length());
      out.writeInt(table.width());
      for (int c = 0; c < table.width(); c++) {
        ColumnType type = table.kinds().get(c);
        out.writeByte(type.kind().ordinal());
        out.writeInt(type.isArray() ? type.width() : 0);
        write(out, buffer, type.kind(), table.array(c), table.length() * type.width());
      }
      long[] words = activity.get(p);
      out.writeInt(words == null ? -1 : words.length);
      if (words != null) {
        write(out, buffer, Kind.LONG, words, words.length);
      }
    }
    out.flush();
    long checksum = checked.getChecksum().getValue();
    out.writeLong(checksum);
    out.flush();
  }

  private static void write(
      DataOutputStream out, ByteBuffer buffer, Kind kind, Object array, int length)
      throws IOException {
    int each = CHUNK / kind.bytes();
    for (int from = 0; from < length; from += each) {
      int count = Math.min(each, length - from);
      buffer.clear();
      switch (kind) {
        case BOOLEAN -> {
          for (int i = 0; i < count; i++) {
            buffer.put((byte) (((boolean[]) array)[from + i] ? 1 : 0));
          }
        }
        case INT -> buffer.asIntBuffer().put((int[]) array, from, count);
        case LONG -> buffer.asLongBuffer().put((long[]) array, from, count);
        case FLOAT -> buffer.asFloatBuffer().put((float[]) array, from, count);
        case DOUBLE -> buffer.asDoubleBuffer().put((double[]) array, from, count);
      }
      out.write(buffer.array(), 0, count * kind.bytes());
    }
  }

  /**
   * Reads a file.
   *
   * @param bytes its length; damaged lengths inside are found by it
   * @throws IOException when it is damaged, cut or another file
   */
  public static CheckpointFile read(Name name, InputStream from, long bytes) throws IOException {
    CheckedInputStream checked = new CheckedInputStream(from, new CRC32C());
    DataInputStream in = new DataInputStream(checked);
    expect("magic number", MAGIC, in.readInt());
    expect("version", VERSION, in.readInt());
    expect("run", name.run(), in.readLong());
    expect("epoch", name.epoch(), in.readInt());
    expect("shard", name.shard(), in.readInt());
    int superstep = in.readInt();
    int partitions = in.readInt();
    List<Columns> values = new ArrayList<>();
    List<long[]> activity = new ArrayList<>();
    byte[] chunk = new byte[CHUNK];
    for (int p = 0; p < length(partitions, bytes); p++) {
      int rows = length(in.readInt(), Integer.MAX_VALUE);
      Object[] arrays = new Object[length(in.readInt(), bytes)];
      List<ColumnType> kinds = new ArrayList<>();
      for (int c = 0; c < arrays.length; c++) {
        int ordinal = in.readUnsignedByte();
        if (ordinal >= Kind.values().length) {
          throw new IOException("a column has the unknown kind " + ordinal);
        }
        Kind kind = Kind.values()[ordinal];
        int width = length(in.readInt(), bytes);
        ColumnType type = width == 0 ? kind : new ArrayType(kind, width);
        kinds.add(type);
        arrays[c] = read(in, chunk, kind, length(rows, bytes / type.bytes()) * type.width());
      }
      values.add(new Columns(kinds, arrays, rows));
      int words = in.readInt();
      activity.add(
          words == -1 ? null : (long[]) read(in, chunk, Kind.LONG, length(words, bytes / 8)));
    }
    long computed = checked.getChecksum().getValue();
    expect("checksum", computed, in.readLong());
    return new CheckpointFile(superstep, values, activity);
  }

  private static void expect(String what, long expected, long actual) throws IOException {
    if (expected != actual) {
      throw new IOException("its %s is %x, not %x".formatted(what, actual, expected));
    }
  }

  private static int length(int length, long most) throws IOException {
    if (length < 0 || length > most) {
      throw new IOException("a length is " + length);
    }
    return length;
  }

  private static Object read(DataInputStream in, byte[] chunk, Kind kind, int length)
      throws IOException {
    Object array = java.lang.reflect.Array.newInstance(kind.primitive(), length);
    int each = CHUNK / kind.bytes();
    for (int from = 0; from < length; from += each) {
      int count = Math.min(each, length - from);
      in.readFully(chunk, 0, count * kind.bytes());
      ByteBuffer buffer = ByteBuffer.wrap(chunk);
      switch (kind) {
        case BOOLEAN -> {
          for (int i = 0; i < count; i++) {
            ((boolean[]) array)[from + i] = chunk[i] != 0;
          }
        }
        case INT -> buffer.asIntBuffer().get((int[]) array, from, count);
        case LONG -> buffer.asLongBuffer().get((long[]) array, from, count);
        case FLOAT -> buffer.asFloatBuffer().get((float[]) array, from, count);
        case DOUBLE -> buffer.asDoubleBuffer().get((double[]) array, from, count);
      }
    }
    return array;
  }
}
