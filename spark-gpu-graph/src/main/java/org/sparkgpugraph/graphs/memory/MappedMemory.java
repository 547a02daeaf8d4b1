package org.sparkgpugraph.graphs.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Memory-mapped files, one for each array, in the directory that has most room; where no file can
 * be made there, or one could not be read, in the next one. The system keeps of them in memory what
 * it has room for.
 *
 * <p>A file's name is removed as soon as the file is open, so that nobody can take it away and
 * nothing is left however the process ends: its bytes are free when the array is. Elements are
 * written to the file, not to its mapping: where a disk is full a write fails, a mapping would end
 * the JVM.
 */
public final class MappedMemory implements EdgeMemory {
  /**
   * Bytes of a file from which on another part of it is mapped. A part goes on for as many again,
   * so that rows of that many bytes lie in one, wherever they begin.
   */
  static final int PART_BYTES = 1 << 29;

  private final List<Path> directories;
  private final DirectMemory.Budget copies;
  private final int partBytes;
  private final ToLongFunction<Path> free;
  private final UnaryOperator<OffHeapArray.Store> stores;
  private final AtomicLong taken = new AtomicLong();

  /** Directories of files that could not be read: taken where no other has room. */
  private final Set<Path> suspect = ConcurrentHashMap.newKeySet();

  /**
   * Bytes of files in a directory that have no blocks of its disk yet, so that what is free there
   * does not show them. Guarded by itself.
   */
  private final Map<Path, Long> unwritten = new HashMap<>();

  /**
   * @param directories where files may be, at least one
   * @param copies counts copies of rows of more than half a gigabyte; null: nobody does
   */
  public MappedMemory(List<Path> directories, DirectMemory.Budget copies) {
    this(directories, copies, PART_BYTES, MappedMemory::free, UnaryOperator.identity());
  }

  /**
   * With parts of another size, another measure of the room in a directory, and other ways to
   * write, for tests of one that is full or fills up.
   *
   * @param partBytes a power of two
   * @param free bytes that a directory has room for
   * @param stores what arrays are written to, in the place of their files
   */
  MappedMemory(
      List<Path> directories,
      DirectMemory.Budget copies,
      int partBytes,
      ToLongFunction<Path> free,
      UnaryOperator<OffHeapArray.Store> stores) {
    if (directories.isEmpty()) {
      throw new IllegalArgumentException("no directory for mapped files");
    }
    this.directories = List.copyOf(directories);
    this.copies = copies;
    this.partBytes = partBytes;
    this.free = free;
    this.stores = stores;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException when the thread is interrupted, which closes files
   */
  @Override
  public OffHeapArray allocate(Kind kind, int length) {
    long bytes = (long) kind.bytes() * length;
    Set<Path> broken = new HashSet<>();
    OffHeapMemoryException failed = null;
    for (Path place = place(bytes); place != null; place = reserve(bytes, broken)) {
      try {
        return allocate(place, kind, length);
      } catch (ClosedByInterruptException e) {
        throw new IllegalStateException(
            "interrupted while a file for a graph's edges was made in " + place, e);
      } catch (IOException e) {
        OffHeapMemoryException here =
            new OffHeapMemoryException(
                "a file of %,d bytes cannot be mapped in %s, a local directory of Spark: %s; name others (spark.local.dir)"
                    .formatted(bytes, place, e),
                e);
        if (failed == null) {
          failed = here;
        } else {
          failed.addSuppressed(here);
        }
        broken.add(place);
      }
    }
    if (failed != null) {
      throw failed;
    }
    throw new OffHeapMemoryException(
        ("an array of %,d bytes of a graph's edges does not fit the disk of any local directory of Spark (%s; at most"
                + " %,d bytes are free): make room, or name others (spark.local.dir)")
            .formatted(bytes, directories, mostFree()));
  }

  /** Reserves room where most is; waits for what the collector has still to find. */
  private Path place(long bytes) {
    AtomicReference<Path> place = new AtomicReference<>(reserve(bytes, Set.of()));
    if (place.get() == null) {
      Collected.await(
          this::bytes,
          () -> {
            place.set(reserve(bytes, Set.of()));
            return place.get() != null;
          });
    }
    return place.get();
  }

  private OffHeapArray allocate(Path directory, Kind kind, int length) throws IOException {
    long bytes = (long) kind.bytes() * length;
    AtomicLong left = new AtomicLong(bytes);
    FileChannel channel = null;
    boolean done = false;
    try {
      Path path = Files.createTempFile(Files.createDirectories(directory), "gpugraph-edges", "");
      try {
        channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
      } finally {
        Files.delete(path);
      }
      ByteBuffer[] chunks = map(channel, bytes);
      File file =
          new File(
              channel,
              path,
              count -> written(directory, left, count),
              () -> suspect.add(directory));
      OffHeapArray array =
          new OffHeapArray(kind, length, chunks, partBytes, stores.apply(file), copies);
      taken.addAndGet(bytes);
      Collected.CLEANER.register(array, () -> free(file, bytes));
      done = true;
      return array;
    } finally {
      if (!done) {
        written(directory, left, bytes);
        close(channel);
      }
    }
  }

  /**
   * Reserves room in the directory that has most of it.
   *
   * @param broken directories to leave out
   * @return null when none has so much
   */
  private Path reserve(long bytes, Set<Path> broken) {
    synchronized (unwritten) {
      Path roomiest =
          directories.stream()
              .filter(directory -> !broken.contains(directory) && room(directory) >= bytes)
              .max(
                  Comparator.comparing((Path directory) -> !suspect.contains(directory))
                      .thenComparingLong(this::room))
              .orElse(null);
      if (roomiest == null) {
        return null;
      }
      unwritten.merge(roomiest, bytes, Long::sum);
      return roomiest;
    }
  }

  /** What a directory has room for beside the files that are not written yet. */
  private long room(Path directory) {
    return free.applyAsLong(directory) - unwritten.getOrDefault(directory, 0L);
  }

  /** Bytes that the directory with most room has room for. */
  public long mostFree() {
    synchronized (unwritten) {
      return Math.max(0, directories.stream().mapToLong(this::room).max().orElseThrow());
    }
  }

  /**
   * Bytes of a file have blocks of the disk, or will never have any.
   *
   * @param left bytes of the file that had none; some are written more than once
   */
  private void written(Path directory, AtomicLong left, long bytes) {
    synchronized (unwritten) {
      long less = Math.min(bytes, left.get());
      left.addAndGet(-less);
      unwritten.merge(directory, -less, Long::sum);
    }
  }

  private ByteBuffer[] map(FileChannel channel, long bytes) throws IOException {
    if (bytes == 0) {
      return new ByteBuffer[0];
    }
    // The file is as long as it will be, without having any blocks of the disk yet.
    channel.write(ByteBuffer.allocate(1), bytes - 1);
    ByteBuffer[] chunks = new ByteBuffer[(int) ((bytes + partBytes - 1) / partBytes)];
    for (int c = 0; c < chunks.length; c++) {
      long at = (long) c * partBytes;
      long size = Math.min(2L * partBytes, bytes - at);
      chunks[c] = channel.map(FileChannel.MapMode.READ_ONLY, at, size);
    }
    return chunks;
  }

  private void free(File file, long bytes) {
    taken.addAndGet(-bytes);
    file.close();
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

  /**
   * An open file without a name.
   *
   * @param written is told of bytes that have blocks of the disk, or will never have any
   * @param unread is told when it cannot be read
   */
  private record File(FileChannel channel, Path path, LongConsumer written, Runnable unread)
      implements OffHeapArray.Store {
    @Override
    public void write(ByteBuffer from, long at) throws IOException {
      int bytes = from.remaining();
      for (long to = at; from.hasRemaining(); ) {
        to += channel.write(from, to);
      }
      written.accept(bytes);
    }

    @Override
    public void close() {
      MappedMemory.close(channel);
      written.accept(Long.MAX_VALUE);
    }

    @Override
    public void failed() {
      unread.run();
    }

    @Override
    public String place() {
      return "file " + path;
    }
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
    return mostFree() >= bytes;
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
