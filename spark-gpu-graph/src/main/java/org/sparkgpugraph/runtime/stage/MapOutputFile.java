package org.sparkgpugraph.runtime.stage;

import java.io.BufferedOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.shuffle.IndexShuffleBlockResolver;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.runtime.cluster.SparkFailures;
import org.sparkgpugraph.runtime.serial.ShardSerializer;
import org.sparkgpugraph.runtime.stage.ShardWork.Message;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * The output of one map task, in the files of Spark's sort shuffle: blocks one behind the other, in
 * the order of their partitions, and an index. Where each block begins is known before any is
 * written, so several threads write them.
 */
final class MapOutputFile {
  private static final ClassTag<Object> ANY = ClassTag$.MODULE$.Any();

  /** Bytes that are written at once: what a thread keeps of memory outside of the heap for it. */
  private static final int PIECE = 1 << 18;

  private final IndexShuffleBlockResolver resolver;
  private final int shuffleId;
  private final long mapId;

  MapOutputFile(IndexShuffleBlockResolver resolver, int shuffleId, long mapId) {
    this.resolver = resolver;
    this.shuffleId = shuffleId;
    this.mapId = mapId;
  }

  /** A block that is not empty. */
  private record Block(List<Message> records, long from, long length) {}

  /**
   * Writes it; nothing stays of what cannot be written.
   *
   * @param byPartition the records of each block
   * @param threads that may work, the caller's among them
   * @return the bytes of each block; of an attempt that was faster, if there was one
   */
  long[] write(List<List<Message>> byPartition, int threads) throws IOException {
    long[] lengths = new long[byPartition.size()];
    List<Block> blocks = new ArrayList<>();
    long end = 0;
    for (int p = 0; p < lengths.length; p++) {
      List<Message> records = byPartition.get(p);
      lengths[p] =
          records.stream().mapToLong(m -> ShardSerializer.length(m.reader(), m.record())).sum();
      if (lengths[p] > 0) {
        blocks.add(new Block(records, end, lengths[p]));
      }
      end += lengths[p];
    }
    File temporary =
        blocks.isEmpty() ? null : resolver.createTempFile(resolver.getDataFile(shuffleId, mapId));
    try {
      if (temporary != null) {
        write(blocks, temporary, threads);
      }
      resolver.writeMetadataFileAndCommit(shuffleId, mapId, lengths, new long[0], temporary);
      return lengths;
    } finally {
      if (temporary != null) {
        // It has another name now, unless something was thrown.
        Files.deleteIfExists(temporary.toPath());
      }
    }
  }

  private static void write(List<Block> blocks, File to, int threads) throws IOException {
    try (FileChannel channel =
            FileChannel.open(to.toPath(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        Workers workers = new Workers(threads)) {
      workers.run(
          blocks.size(),
          i -> {
            try {
              write(blocks.get(i), channel);
            } catch (IOException e) {
              throw SparkFailures.undeclared(e);
            }
          });
    }
  }

  private static void write(Block block, FileChannel channel) throws IOException {
    Region region = new Region(channel, block.from());
    try (SerializationStream out =
        new ShardSerializer().newInstance().serializeStream(new BufferedOutputStream(region))) {
      for (Message message : block.records()) {
        out.writeKey(message.reader(), ANY);
        out.writeValue(message.record(), ANY);
      }
    }
    if (region.position != block.from() + block.length()) {
      throw new IllegalStateException(
          "a block of %s bytes has %s".formatted(block.length(), region.position - block.from()));
    }
  }

  /** A part of a file, from a position on. */
  private static final class Region extends OutputStream {
    private final FileChannel channel;
    private long position;

    Region(FileChannel channel, long position) {
      this.channel = channel;
      this.position = position;
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      ByteBuffer piece = ByteBuffer.wrap(bytes);
      for (int at = from; at < from + count; at = piece.position()) {
        piece.limit(Math.min(from + count, at + PIECE)).position(at);
        position += channel.write(piece, position);
      }
    }
  }
}
