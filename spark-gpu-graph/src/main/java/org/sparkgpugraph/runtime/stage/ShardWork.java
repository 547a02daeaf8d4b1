package org.sparkgpugraph.runtime.stage;

import java.io.Serializable;
import java.util.List;
import org.sparkgpugraph.runtime.serial.TaskResult;

/** What one map stage of a run does on each shard. */
public interface ShardWork extends Serializable {
  /** How often the run was set back before. */
  int generation();

  /** The exchange that the work belongs to. */
  int epoch();

  /**
   * Whether it makes what the others work on, so that what fails here is a failure of the start.
   */
  default boolean isFirst() {
    return false;
  }

  /**
   * Does the work; called in a task on the executor that holds the shard. Whatever it throws is
   * Spark's to handle (a lost shuffle file, a task that was killed): failures of the program are
   * answers.
   *
   * @param inbox what other shards have said to this one
   */
  Answer run(int shard, Inbox inbox) throws Exception;

  /** Reads the previous exchange. */
  interface Inbox {
    /** All records for this shard, in no order; throws what Spark wants to see thrown. */
    List<byte[]> read() throws Exception;
  }

  /**
   * A record for another shard.
   *
   * @param reader number of that shard
   * @param record as {@link org.sparkgpugraph.exchange.UpdateCodec} writes it
   */
  record Message(int reader, byte[] record) {}

  /**
   * What came of it.
   *
   * @param outcome for the driver
   * @param data see {@link ShardReport#data}
   * @param messages for other shards
   */
  record Answer(ShardReport.Outcome outcome, Serializable data, List<Message> messages) {
    public static Answer done(Serializable data) {
      return new Answer(ShardReport.Outcome.DONE, data, List.of());
    }

    public static Answer lost(String why) {
      return new Answer(ShardReport.Outcome.LOST, why, List.of());
    }

    /** Something that was thrown; where it cannot be written its text is told. */
    public static Answer failed(Throwable thrown) {
      byte[] packed;
      try {
        packed = TaskResult.pack(thrown);
      } catch (RuntimeException e) {
        IllegalStateException told = new IllegalStateException(thrown.toString());
        told.setStackTrace(thrown.getStackTrace());
        packed = TaskResult.pack(told);
      }
      return new Answer(ShardReport.Outcome.FAILED, packed, List.of());
    }
  }
}
