package org.sparkgpugraph.runtime.ui;

import org.apache.spark.util.kvstore.KVIndex;
import org.sparkgpugraph.runtime.report.RunHead;

/** A line of the table of runs, as Spark's store keeps it; on disk as a JSON object. */
public final class StoredRun {
  /** Number of the run. */
  @KVIndex public long id;

  /** The line. */
  public RunHead head;

  /** For the store. */
  public StoredRun() {}

  StoredRun(RunHead head) {
    id = head.id();
    this.head = head;
  }
}
