package org.sparkgpugraph.runtime.run;

import java.util.UUID;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.stage.CheckpointFolder;
import org.sparkgpugraph.runtime.stage.ShardWork;

/** The work of a run over several executors: a task of each finds its shard's {@link HeldRun}. */
sealed interface RunWork extends ShardWork {
  /** Key of the run's result, under which its shards are kept. */
  String runKey();

  /**
   * The number of the run in the headers of its records: a record of another run, or of a time
   * before the run was set back, is refused.
   */
  default long runNumber() {
    byte[] name = runKey().getBytes(java.nio.charset.StandardCharsets.UTF_8);
    return UUID.nameUUIDFromBytes(name).getMostSignificantBits() + generation();
  }

  /** The shard; null when it is not here. */
  default HeldRun held(int shard) {
    return (HeldRun) ExecutorRegistry.shard(GraphHandle.shardKey(runKey(), shard), null);
  }

  private static Answer absent() {
    return Answer.lost("the run is not here");
  }

  /**
   * Starts, or goes back to a checkpoint.
   *
   * @param epoch 0, or that of the checkpoint
   * @param checkpoint null: starts with superstep 0
   */
  record Begin(RunTask task, int generation, int epoch, CheckpointFolder checkpoint)
      implements RunWork {
    @Override
    public String runKey() {
      return task.resultKey();
    }

    @Override
    public boolean isFirst() {
      return true;
    }

    @Override
    public Answer run(int shard, Inbox inbox) throws Exception {
      HeldRun run =
          (HeldRun) ExecutorRegistry.shard(GraphHandle.shardKey(runKey(), shard), HeldRun::new);
      return run == null ? absent() : run.begin(this, shard);
    }
  }

  /**
   * A superstep, or several.
   *
   * @param epoch number of the exchange that it writes; it reads the one before
   * @param aggregates of the superstep before
   * @param localSupersteps most supersteps, at least 1
   */
  record Step(String runKey, int generation, int epoch, double[] aggregates, int localSupersteps)
      implements RunWork {
    @Override
    public Answer run(int shard, Inbox inbox) throws Exception {
      HeldRun run = held(shard);
      return run == null ? absent() : run.step(this, inbox);
    }
  }

  /**
   * Writes a checkpoint behind an exchange.
   *
   * @param superstep the last superstep
   */
  record Save(String runKey, int generation, int epoch, int superstep, CheckpointFolder checkpoint)
      implements RunWork {
    @Override
    public Answer run(int shard, Inbox inbox) throws Exception {
      HeldRun run = held(shard);
      return run == null ? absent() : run.save(this);
    }
  }

  /** The final aggregates, behind the last exchange. */
  record Aggregates(String runKey, int generation, int epoch) implements RunWork {
    @Override
    public Answer run(int shard, Inbox inbox) throws Exception {
      HeldRun run = held(shard);
      return run == null ? absent() : run.aggregates(this);
    }
  }

  /**
   * Keeps the result, behind the last exchange.
   *
   * @param aggregates the final ones over the whole graph
   */
  record Finish(String runKey, int generation, int epoch, double[] aggregates) implements RunWork {
    @Override
    public Answer run(int shard, Inbox inbox) throws Exception {
      HeldRun run = held(shard);
      return run == null ? absent() : run.finish(this);
    }
  }
}
