package org.sparkgpugraph.runtime.ui;

import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.sparkgpugraph.runtime.report.Accounts;

/** Takes what runs tell to accounts of them. */
final class RunListener extends SparkListener {
  private final Accounts accounts;

  RunListener(Accounts accounts) {
    this.accounts = accounts;
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    accounts.take(event);
  }
}
