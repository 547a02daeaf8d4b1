package org.sparkgpugraph.runtime.ui;

import org.apache.spark.util.kvstore.KVIndex;
import org.sparkgpugraph.runtime.report.Refusal;

/** A refused program, as Spark's store keeps it; on disk as a JSON object. */
public final class StoredRefusal {
  /** Number of the refusal. */
  @KVIndex public long id;

  /** What was refused. */
  public Refusal refusal;

  /** For the store. */
  public StoredRefusal() {}

  StoredRefusal(Refusal refusal) {
    id = refusal.id();
    this.refusal = refusal;
  }
}
