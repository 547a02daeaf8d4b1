package org.sparkgpugraph.runtime.stage;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.storage.DiskBlockManager;
import org.apache.spark.storage.ShuffleDataBlockId;
import org.apache.spark.storage.ShuffleIndexBlockId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two files of an output that Spark does not know: blocks one behind the other, and where each
 * of them begins, as Spark's resolver of shuffle blocks and the external shuffle service read them.
 * Nobody looks for them before they are told of them. So they get their names at once, and outputs
 * are written side by side, where Spark's own writer commits one after the other, under a lock.
 */
final class OutputFiles {
  private static final Logger LOG = LoggerFactory.getLogger(OutputFiles.class);
  private static final int NO_READER = 0;

  /** Bytes that are written at a time: a thread keeps so much of direct memory for it. */
  private static final int PIECE = 1 << 18;

  private final File data;
  private final File index;

  /**
   * @param mapId the output's id within the shuffle
   */
  OutputFiles(int shuffleId, long mapId) {
    DiskBlockManager disk = SparkEnv.get().blockManager().diskBlockManager();
    data = disk.getFile(new ShuffleDataBlockId(shuffleId, mapId, NO_READER));
    index = disk.getFile(new ShuffleIndexBlockId(shuffleId, mapId, NO_READER));
  }

  /**
   * Takes the files of another output, which nobody reads any more: to write over what is there
   * takes a third of the time of a new file, for whose pages the kernel has to find room first.
   * Where they are on another disk they are removed.
   */
  void takeOver(OutputFiles spare) {
    try {
      Files.move(spare.data.toPath(), data.toPath(), StandardCopyOption.ATOMIC_MOVE);
      Files.move(spare.index.toPath(), index.toPath(), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      LOG.debug("files of {} are not taken for {}", spare.data, data, e);
      spare.remove(e);
      remove(e);
    }
  }

  /** The service that serves them may be another user's. */
  private void makeReadable() throws IOException {
    if (SparkEnv.get().conf().getBoolean("spark.shuffle.service.enabled", false)
        && !data.exists()) {
      DiskBlockManager disk = SparkEnv.get().blockManager().diskBlockManager();
      disk.createWorldReadableFile(data);
      disk.createWorldReadableFile(index);
    }
  }

  /** Writes a block. */
  interface BlockWriter<T> {
    /**
     * @param to has to be closed
     */
    void write(T block, OutputStream to) throws IOException;
  }

  /**
   * Writes them; when that fails there are none.
   *
   * @param blocks what is in each; of those that are empty nothing is written
   * @return bytes of each block
   */
  <T> long[] write(List<List<T>> blocks, BlockWriter<List<T>> writer) throws IOException {
    long[] begins = new long[blocks.size() + 1];
    try {
      makeReadable();
      try (FileChannel file =
          FileChannel.open(data.toPath(), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        for (int block = 0; block < blocks.size(); block++) {
          if (!blocks.get(block).isEmpty()) {
            writer.write(blocks.get(block), open(file));
          }
          begins[block + 1] = file.position();
        }
      }
      try (DataOutputStream out =
          new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(index.toPath())))) {
        for (long begin : begins) {
          out.writeLong(begin);
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      remove(e);
      throw e;
    }
    return lengths(begins);
  }

  private static long[] lengths(long[] begins) {
    long[] lengths = new long[begins.length - 1];
    Arrays.setAll(lengths, block -> begins[block + 1] - begins[block]);
    return lengths;
  }

  /** A block's stream: what closes it leaves the file open. */
  private static OutputStream open(FileChannel file) {
    // By a channel: its buffer is kept by the thread, where a file's stream takes one for each
    // record from the system; so records, which may be long, go in pieces.
    OutputStream to =
        new FilterOutputStream(Channels.newOutputStream(file)) {
          @Override
          public void write(byte[] bytes, int from, int count) throws IOException {
            for (int done = 0; done < count; done += PIECE) {
              out.write(bytes, from + done, Math.min(PIECE, count - done));
            }
          }

          @Override
          public void close() throws IOException {
            flush();
          }
        };
    return new BufferedOutputStream(to);
  }

  private void remove(Throwable thrown) {
    for (File file : List.of(data, index)) {
      try {
        Files.deleteIfExists(file.toPath());
      } catch (IOException e) {
        thrown.addSuppressed(e);
      }
    }
  }
}
