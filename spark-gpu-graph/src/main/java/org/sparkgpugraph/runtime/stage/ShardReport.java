package org.sparkgpugraph.runtime.stage;

import java.io.Serializable;
import org.sparkgpugraph.runtime.serial.TaskResult;

/**
 * What the task of one shard tells the driver. It travels inside an accumulator's value, which
 * Spark writes by Java's serializer always.
 *
 * @param generation how often the run was set back
 * @param epoch the exchange that the task belongs to
 * @param shard number of the shard
 * @param outcome what became of it
 * @param data what was done, by the kind of work; of a failure the packed {@link Throwable}; of
 *     what was not done a line that says why
 */
public record ShardReport(int generation, int epoch, int shard, Outcome outcome, Serializable data)
    implements Serializable {
  /** What became of a task. */
  public enum Outcome {
    /** Done, now or by an earlier attempt. */
    DONE,
    /** Nothing was changed: the task was started elsewhere than where its shard is held. */
    MISPLACED,
    /** Nothing was changed: what was to be read is not there any more. */
    UNREAD,
    /** Nothing was changed: what the shard was is not there, or was left half changed. */
    LOST,
    /** The device has failed, and the shard will run on the CPU once it is restored. */
    DEVICE_FAILED,
    /** Edges cannot be read any more: the shard is to be loaded again. */
    EDGES_UNREADABLE,
    /** A checkpoint cannot be read. */
    CHECKPOINT_UNREADABLE,
    /** Nothing was changed: a checkpoint cannot be written. */
    CHECKPOINT_UNWRITABLE,
    /** The program, or something else, has failed. */
    FAILED
  }

  /** What tells reports of the same work apart from others. */
  record Key(int generation, int epoch, int shard) implements Serializable {}

  Key key() {
    return new Key(generation, epoch, shard);
  }

  /** What a task was done with. */
  public <T> T data(Class<T> type) {
    return type.cast(data);
  }

  /** Why it was not done, for a line of text. */
  public String why() {
    return data instanceof byte[] ? failure().toString() : String.valueOf(data);
  }

  /** Of a failure: what was thrown. */
  public Throwable failure() {
    return TaskResult.unpack((byte[]) data, Throwable.class);
  }
}
