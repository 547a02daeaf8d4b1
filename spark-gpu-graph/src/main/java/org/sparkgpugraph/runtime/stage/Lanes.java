package org.sparkgpugraph.runtime.stage;

import java.io.Serializable;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.sparkgpugraph.runtime.cluster.PinnedLanes;

/**
 * Into how many blocks of Spark's shuffle the records for one reader go. The task that reads them
 * has its executor's other cores do it with it, some blocks each; one block would keep a single
 * core busy, come over a single connection, and have to be there whole before its first record can
 * be read. Tasks stay one for each shard, so that fences, places and slots are what they are with
 * one block, and so is what a superstep of few bytes costs. The blocks of a task's output are in
 * one file; a {@linkplain StandingTask task that stays} may write several outputs at once.
 *
 * @param most blocks for a reader, at least 1; also the threads that read a task's blocks
 * @param bytes that are worth a block of their own
 * @param inline bytes that are worth no block at all: what a task that stays says to all others
 *     goes with its report, by way of the driver, where it is no more than that
 */
public record Lanes(int most, int bytes, int inline) implements Serializable {
  /** Some hundred microseconds of reading: what it takes to wake threads for it. */
  private static final int WORTH_A_LANE = 1 << 19;

  /** Lanes of bytes that are worth a file of their own, which has to be made and removed. */
  private static final int WORTH_A_FILE = 2;

  private static final int MOST_FILES = 64;

  /** Where everything goes in blocks. */
  public Lanes(int most, int bytes) {
    this(most, bytes, 0);
  }

  /**
   * As many as an executor has threads.
   *
   * @param threads at least 1
   * @param inline see the class
   */
  public static Lanes of(int threads, int inline) {
    return new Lanes(threads, WORTH_A_LANE, inline);
  }

  /** Those for which Spark takes its writer of few partitions. */
  Lanes within(SparkConf conf, int shards) {
    return new Lanes(PinnedLanes.lanes(conf, shards, most), bytes, inline);
  }

  /** Whether what a shard says to others needs no block. */
  boolean areInline(List<ShardWork.Message> messages) {
    return messages.stream().mapToLong(message -> message.record().length).sum() <= inline;
  }

  /** The block of a reader's first lane; those of the others follow. */
  int firstBlock(int reader) {
    return reader * most;
  }

  /**
   * The lane of each record for one reader: ascending, about equally many bytes in each that is
   * used, in no more than the bytes are worth.
   */
  int[] of(List<ShardWork.Message> records) {
    long total = records.stream().mapToLong(message -> message.record().length).sum();
    long used = Math.max(1, Math.min(most, total / bytes));
    int[] lanes = new int[records.size()];
    long before = 0;
    for (int i = 0; i < lanes.length; i++) {
      lanes[i] = total == 0 ? 0 : (int) Math.min(used - 1, before * used / total);
      before += records.get(i).record().length;
    }
    return lanes;
  }

  /**
   * Into how many files it is worth dividing what is written; at most 64.
   *
   * @param total bytes
   */
  int files(long total) {
    return (int) Math.max(1, Math.min(Math.min(most, MOST_FILES), total / WORTH_A_FILE / bytes));
  }

  /**
   * The blocks of one of several files: every so-many-th lane of each reader, from another one on
   * for each; the others are empty there.
   *
   * @param blocks of all files
   */
  <T> List<List<T>> ofFile(List<List<T>> blocks, int file, int files) {
    return IntStream.range(0, blocks.size())
        .mapToObj(
            block ->
                (block / most + block % most) % files == file ? blocks.get(block) : List.<T>of())
        .toList();
  }

  /** Into how many parts it is worth dividing what has come. */
  int readers(int blocks, long total) {
    return (int) Math.max(1, Math.min(Math.min(most, blocks), total / bytes));
  }
}
