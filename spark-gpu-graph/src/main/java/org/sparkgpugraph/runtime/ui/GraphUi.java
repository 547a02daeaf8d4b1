package org.sparkgpugraph.runtime.ui;

import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.runtime.report.Accounts;

/**
 * Gives the UI of an application its tab: when the plugin starts, else when something is first told
 * of a run.
 */
public final class GraphUi {
  private static final Logger LOG = LoggerFactory.getLogger(GraphUi.class);
  private static final Set<SparkContext> ATTACHED =
      Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));

  private GraphUi() {}

  /** Makes sure that there is a tab, where there is a UI. */
  public static void attach(SparkContext sc) {
    if (sc.ui().isEmpty() || !ATTACHED.add(sc)) {
      return;
    }
    try {
      RunStore store = new RunStore(sc.statusStore().store());
      sc.listenerBus()
          .addToStatusQueue(new RunListener(new Accounts(store, true, System::nanoTime)));
      GraphTab.attach(sc.ui().get(), store);
    } catch (RuntimeException | LinkageError e) {
      // Nobody's run may fail because it cannot be looked at.
      LOG.warn("Spark's UI gets no tab for graph runs: {}", e.toString(), e);
    }
  }
}
