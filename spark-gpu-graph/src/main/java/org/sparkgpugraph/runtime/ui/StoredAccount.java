package org.sparkgpugraph.runtime.ui;

import org.apache.spark.util.kvstore.KVIndex;
import org.sparkgpugraph.runtime.report.RunAccount;

/** All that is known of a run, as Spark's store keeps it; on disk as a JSON object. */
public final class StoredAccount {
  /** Number of the run. */
  @KVIndex public long id;

  /** What is known. */
  public RunAccount account;

  /** For the store. */
  public StoredAccount() {}

  StoredAccount(RunAccount account) {
    id = account.head().id();
    this.account = account;
  }
}
