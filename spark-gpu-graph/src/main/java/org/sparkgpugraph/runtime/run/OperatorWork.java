package org.sparkgpugraph.runtime.run;

import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.stage.ShardWork;

/**
 * The work of an operator over several executors: a task of each finds its shard's {@link
 * HeldOperator}.
 */
sealed interface OperatorWork extends ShardWork {
  /** Key of the result, under which the shards are kept. */
  String runKey();

  /** The shard; null when it is not here. */
  default HeldOperator held(int shard) {
    return (HeldOperator) ExecutorRegistry.shard(GraphHandle.shardKey(runKey(), shard), null);
  }

  private static Answer absent() {
    return Answer.lost("the operator is not here");
  }

  /** Opens, and does round 0. */
  record Begin(OperatorTask task, int generation) implements OperatorWork {
    @Override
    public int epoch() {
      return 0;
    }

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
      HeldOperator held =
          (HeldOperator)
              ExecutorRegistry.shard(GraphHandle.shardKey(runKey(), shard), HeldOperator::new);
      return held == null ? absent() : held.begin(this, shard);
    }
  }

  /**
   * A round.
   *
   * @param epoch its number, that of the exchange that it writes; it reads the one before
   */
  record Step(String runKey, int generation, int epoch) implements OperatorWork {
    @Override
    public Answer run(int shard, Inbox inbox) throws Exception {
      HeldOperator held = held(shard);
      return held == null ? absent() : held.step(this, inbox);
    }
  }

  /** Keeps the result, behind the last round. */
  record Finish(String runKey, int generation, int epoch) implements OperatorWork {
    @Override
    public Answer run(int shard, Inbox inbox) throws Exception {
      HeldOperator held = held(shard);
      return held == null ? absent() : held.finish(this);
    }
  }
}
