package org.sparkgpugraph.runtime.ui;

import java.util.Map;
import org.apache.spark.ui.SparkUI;
import org.apache.spark.ui.SparkUITab;
import org.sparkgpugraph.runtime.report.RunAccount;
import org.sparkgpugraph.runtime.report.RunPage;
import org.sparkgpugraph.runtime.report.RunsPage;
import org.sparkgpugraph.runtime.ui.SparkPage.Titled;

/** The tab: a page with all runs, and one for each. */
final class GraphTab extends SparkUITab {
  private static final String PREFIX = "graph";

  private final RunStore store;

  private GraphTab(SparkUI ui, RunStore store) {
    super(ui, PREFIX);
    this.store = store;
    attachPage(SparkPage.of(this, "", parameters -> runs()));
    attachPage(SparkPage.of(this, "run", this::run));
  }

  static void attach(SparkUI ui, RunStore store) {
    ui.attachTab(new GraphTab(ui, store));
  }

  private Titled runs() {
    return new Titled("Graph runs", RunsPage.html(store.runs(), store.refusals()));
  }

  private Titled run(Map<String, String[]> parameters) {
    String[] ids = parameters.getOrDefault("id", new String[] {""});
    RunAccount run = ids[0].matches("\\d{1,18}") ? store.run(Long.parseLong(ids[0])) : null;
    return run == null
        ? new Titled("No such graph run", RunsPage.missing(ids[0]))
        : new Titled("Graph run: " + run.head().program(), RunPage.html(run));
  }
}
