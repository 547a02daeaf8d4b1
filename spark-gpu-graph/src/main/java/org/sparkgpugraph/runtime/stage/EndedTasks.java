package org.sparkgpugraph.runtime.stage;

import org.apache.spark.Success$;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.storage.RDDInfo;
import org.sparkgpugraph.runtime.cluster.ScalaCompat;

/** Hears from Spark of the tasks of one stage that have ended, whether they could say so or not. */
final class EndedTasks extends SparkListener {
  private final int rdd;
  private final Ended ended;

  /** -1: not submitted yet. */
  private int stage = -1;

  /** Takes them, in a thread of Spark that others need. */
  @FunctionalInterface
  interface Ended {
    /** A task has ended. */
    void ended(boolean well);
  }

  /**
   * @param rdd id of what the stage computes
   */
  EndedTasks(int rdd, Ended ended) {
    this.rdd = rdd;
    this.ended = ended;
  }

  @Override
  public void onStageSubmitted(SparkListenerStageSubmitted submitted) {
    for (RDDInfo info : ScalaCompat.asJava(submitted.stageInfo().rddInfos())) {
      if (info.id() == rdd) {
        stage = submitted.stageInfo().stageId();
      }
    }
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd end) {
    // A copy of a slow task cannot do its work elsewhere: it waits, and ends for nothing.
    if (end.stageId() == stage && !end.taskInfo().speculative()) {
      ended.ended(end.reason() == Success$.MODULE$);
    }
  }
}
