package org.sparkgpugraph.runtime.stage;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.sparkgpugraph.runtime.serial.TaskResult;

/**
 * What one map stage of a run does on each shard: a task finds its shard's {@link FencedShard} and
 * has it do this.
 */
public sealed interface ShardWork extends Serializable {
  /** Key of the run's result, under which its shards are kept. */
  String runKey();

  /** How often the run was set back before. */
  int generation();

  /** The exchange that the work belongs to. */
  int epoch();

  /** Does the work behind the fence. */
  Answer on(FencedShard shard, Inbox inbox) throws Exception;

  /**
   * Whether it makes what the others work on, so that what fails here is a failure of the start.
   */
  default boolean isFirst() {
    return false;
  }

  /** Whether nothing follows: nobody reads any more what shards have said before. */
  default boolean isLast() {
    return false;
  }

  /**
   * The number of the run in the headers of its records: a record of another run, or of a time
   * before the run was set back, is refused.
   */
  default long runNumber() {
    byte[] name = runKey().getBytes(StandardCharsets.UTF_8);
    return UUID.nameUUIDFromBytes(name).getMostSignificantBits() + generation();
  }

  /**
   * Does the work; called in a task on the executor that holds the shard. Whatever it throws is
   * Spark's to handle (a lost shuffle file, a task that was killed): failures of the program are
   * answers.
   *
   * @param inbox what other shards have said to this one
   */
  default Answer run(int shard, Inbox inbox) throws Exception {
    FencedShard held = FencedShard.of(runKey(), shard, isFirst());
    return held == null ? Answer.lost("the run is not here") : on(held, inbox);
  }

  /**
   * Starts, or goes back to a checkpoint.
   *
   * @param epoch 0, or that of the checkpoint
   * @param checkpoint null: starts with superstep 0
   */
  record Begin(RunTask task, int generation, int epoch, CheckpointFolder checkpoint)
      implements ShardWork {
    @Override
    public String runKey() {
      return task.resultKey();
    }

    @Override
    public boolean isFirst() {
      return true;
    }

    @Override
    public Answer on(FencedShard shard, Inbox inbox) throws Exception {
      return shard.begin(this);
    }
  }

  /**
   * A superstep, or several.
   *
   * @param epoch number of the exchange that it writes; it reads the one before
   * @param aggregates of the superstep before
   * @param localSupersteps most supersteps, at least 1; 0: the shard chooses
   * @param tellsHubs whether hubs are told partial messages behind it, since all shards can
   */
  record Step(
      String runKey,
      int generation,
      int epoch,
      double[] aggregates,
      int localSupersteps,
      boolean tellsHubs)
      implements ShardWork {
    @Override
    public Answer on(FencedShard shard, Inbox inbox) throws Exception {
      return shard.step(this, inbox);
    }
  }

  /**
   * Writes a checkpoint behind an exchange.
   *
   * @param superstep the last superstep
   */
  record Save(String runKey, int generation, int epoch, int superstep, CheckpointFolder checkpoint)
      implements ShardWork {
    @Override
    public Answer on(FencedShard shard, Inbox inbox) throws Exception {
      return shard.save(this);
    }
  }

  /** The final aggregates, behind the last exchange. */
  record Aggregates(String runKey, int generation, int epoch) implements ShardWork {
    @Override
    public Answer on(FencedShard shard, Inbox inbox) throws Exception {
      return shard.aggregates(this);
    }
  }

  /**
   * Keeps the result, behind the last exchange.
   *
   * @param aggregates the final ones over the whole graph
   */
  record Finish(String runKey, int generation, int epoch, double[] aggregates)
      implements ShardWork {
    @Override
    public boolean isLast() {
      return true;
    }

    @Override
    public Answer on(FencedShard shard, Inbox inbox) throws Exception {
      return shard.finish(this);
    }
  }

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
      return failed(ShardReport.Outcome.FAILED, thrown);
    }

    /** As above, with what became of it. */
    static Answer failed(ShardReport.Outcome outcome, Throwable thrown) {
      byte[] packed;
      try {
        packed = TaskResult.pack(thrown);
      } catch (RuntimeException e) {
        IllegalStateException told = new IllegalStateException(thrown.toString());
        told.setStackTrace(thrown.getStackTrace());
        packed = TaskResult.pack(told);
      }
      return new Answer(outcome, packed, List.of());
    }
  }
}
