package org.sparkgpugraph.runtime.ui;

import org.apache.spark.SparkConf;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.status.AppHistoryServerPlugin;
import org.apache.spark.status.ElementTrackingStore;
import org.apache.spark.ui.SparkUI;
import org.sparkgpugraph.runtime.report.Accounts;
import scala.collection.immutable.$colon$colon;
import scala.collection.immutable.List;
import scala.collection.immutable.List$;
import scala.runtime.BoxedUnit;

/**
 * Gives the history server the tab of applications whose log tells of graph runs. Found by Java's
 * service loader where the library is on the server's class path.
 */
public final class GraphHistoryPlugin implements AppHistoryServerPlugin {
  /** Behind those of Spark. */
  private static final int ORDER = 1000;

  @Override
  public List<SparkListener> createListeners(SparkConf conf, ElementTrackingStore store) {
    Accounts accounts = new Accounts(new RunStore(store), false, System::nanoTime);
    store.onFlush(
        () -> {
          accounts.flush();
          return BoxedUnit.UNIT;
        });
    return new $colon$colon<>(new RunListener(accounts), List$.MODULE$.empty());
  }

  @Override
  public void setupUI(SparkUI ui) {
    RunStore store = new RunStore(ui.store().store());
    if (!store.isEmpty()) {
      GraphTab.attach(ui, store);
    }
  }

  @Override
  public int displayOrder() {
    return ORDER;
  }
}
