package org.sparkgpugraph.graphs.memory;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Memory-mapped files, one for each array, in the directory that has most room. The system keeps of
 * them in memory what it has room for.
 *
 * <p>A file's name is removed as soon as the file is open, so that nobody can take it away and
 * nothing is left however the process ends: its bytes are free when the array is. Elements are
 * written to the file, not to its mapping: where a disk is full a write fails, a mapping would end
 * the JVM.
 */
public final class MappedMemory implements EdgeMemory {
  private static final Cleaner CLEANER = Cleaner.create();

  private final List<Path> directories;
  private final ToLongFunction<Path> free;
  private final AtomicLong taken = new AtomicLong();

  /**
   * @param directories where files may be, at least one
   */
  public MappedMemory(List<Path> directories) {
    this(directories, MappedMemory::free);
  }

  /**
   * With another measure of the room in a directory, for tests of one that is full.
   *
   * @param free bytes that a directory has room for
   */
  MappedMemory(List<Path> directories, ToLongFunction<Path> free) {
    if (directories.isEmpty()) {
      throw new IllegalArgumentException("no directory for mapped files");
    }
    this.directories = List.copyOf(directories);
    this.free = free;
  }

  @Override
  public OffHeapArray allocate(Kind kind, int length) {
    long bytes = (long) kind.bytes() * length;
    if (!await(bytes)) {
      throw new OffHeapMemoryException(
          ("an array of %,d bytes of a graph's edges does not fit the disk of any local directory of Spark (%s; at most"
                  + " %,d bytes are free): make room, or name others (spark.local.dir)")
              .formatted(bytes, directories, free.applyAsLong(roomiest())));
    }
    Path directory = roomiest();
    FileChannel channel = null;
    try {
      Path file = Files.createTempFile(Files.createDirectories(directory), "gpugraph-edges", "");
      try {
        channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
      } finally {
        Files.delete(file);
      }
      ByteBuffer[] chunks = map(channel, bytes);
      OffHeapArray array = new OffHeapArray(kind, length, chunks, new File(channel, file));
      taken.addAndGet(bytes);
      FileChannel opened = channel;
      CLEANER.register(array, () -> free(opened, bytes));
      channel = null;
      return array;
    } catch (IOException e) {
      throw new OffHeapMemoryException(
          "a file of %,d bytes cannot be mapped in %s, a local directory of Spark: %s; name others (spark.local.dir)"
              .formatted(bytes, directory, e),
          e);
    } finally {
      close(channel);
    }
  }

  private static ByteBuffer[] map(FileChannel channel, long bytes) throws IOException {
    if (bytes == 0) {
      return new ByteBuffer[0];
    }
    // The file is as long as it will be, without having any blocks of the disk yet.
    channel.write(ByteBuffer.allocate(1), bytes - 1);
    ByteBuffer[] chunks = new ByteBuffer[OffHeapArray.chunks(bytes)];
    for (int c = 0; c < chunks.length; c++) {
      long at = (long) c * OffHeapArray.CHUNK_BYTES;
      chunks[c] = channel.map(FileChannel.MapMode.READ_ONLY, at, OffHeapArray.chunkBytes(c, bytes));
    }
    return chunks;
  }

  private void free(FileChannel channel, long bytes) {
    close(channel);
    taken.addAndGet(-bytes);
  }

  private static void close(FileChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      // Of a file without a name, whose elements are no longer wanted.
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** An open file without a name. */
  private record File(FileChannel channel, Path path) implements OffHeapArray.Store {
    @Override
    public void write(ByteBuffer from, long at) throws IOException {
      for (long to = at; from.hasRemaining(); ) {
        to += channel.write(from, to);
      }
    }

    @Override
    public String place() {
      return "file " + path;
    }
  }

  private Path roomiest() {
    return directories.stream().max(Comparator.comparingLong(free)).orElseThrow();
  }

  private static long free(Path directory) {
    Path there = directory;
    while (there != null && !Files.exists(there)) {
      there = there.getParent();
    }
    try {
      return there == null ? 0 : Files.getFileStore(there).getUsableSpace();
    } catch (IOException e) {
      return 0;
    }
  }

  @Override
  public boolean hasRoom(long bytes) {
    return free.applyAsLong(roomiest()) >= bytes;
  }

  @Override
  public long bytes() {
    return taken.get();
  }

  @Override
  public long mappedBytes() {
    return taken.get();
  }
}
