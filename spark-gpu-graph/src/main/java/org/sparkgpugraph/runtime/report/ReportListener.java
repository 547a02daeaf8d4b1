package org.sparkgpugraph.runtime.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears of the runs of an application until it is closed, and makes a report of them: one page of
 * HTML that needs nothing else.
 */
public final class ReportListener extends SparkListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReportListener.class);

  /** Runs whose charts are in a report; of earlier ones there is a line in the table. */
  static final int MOST_CHARTS = 50;

  private final SparkContext sc;
  private final Accounts accounts;

  // Guarded by this.
  private final TreeMap<Long, RunAccount> runs = new TreeMap<>(Comparator.reverseOrder());
  private final TreeMap<Long, Refusal> refusals = new TreeMap<>(Comparator.reverseOrder());

  private ReportListener(SparkContext sc) {
    this.sc = sc;
    accounts = new Accounts(new Kept(), false, System::nanoTime);
  }

  /** Begins to hear. */
  public static ReportListener of(SparkContext sc) {
    ReportListener listener = new ReportListener(sc);
    sc.addSparkListener(listener);
    return listener;
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    accounts.take(event);
  }

  /** Keeps accounts in this object. */
  private final class Kept implements Accounts.Shelf {
    @Override
    public void put(RunAccount run) {
      synchronized (ReportListener.this) {
        runs.put(run.head().id(), run);
      }
    }

    @Override
    public void remove(long run) {
      synchronized (ReportListener.this) {
        runs.remove(run);
      }
    }

    @Override
    public void put(Refusal refusal) {
      synchronized (ReportListener.this) {
        refusals.put(refusal.id(), refusal);
      }
    }

    @Override
    public void removeRefusal(long refusal) {
      synchronized (ReportListener.this) {
        refusals.remove(refusal);
      }
    }
  }

  /**
   * The report of all that was told until now.
   *
   * @param title text
   * @param facts what else is to be said, a line each
   */
  public String html(String title, List<String> facts) {
    try {
      if (!sc.isStopped()) {
        sc.listenerBus().waitUntilEmpty();
      }
    } catch (TimeoutException e) {
      LOG.warn("Spark's listeners are late: the report may lack the end of a run", e);
    }
    accounts.flush();
    synchronized (this) {
      return page(title, facts, new ArrayList<>(runs.values()), List.copyOf(refusals.values()));
    }
  }

  private static String page(
      String title, List<String> facts, List<RunAccount> all, List<Refusal> refusals) {
    Markup page = new Markup();
    page.add("<!DOCTYPE html>\n").open("html", "lang", "en").open("head");
    page.empty("meta", "charset", "utf-8");
    page.empty("meta", "name", "viewport", "content", "width=device-width");
    page.element("title", title).element("style", Style.PAGE + Style.CONTENT);
    page.close("head").open("body").element("h1", title);
    page.open("div", "class", "sgg");
    if (!facts.isEmpty()) {
      page.element("pre", String.join("\n", facts));
    }
    List<RunHead> heads = all.stream().map(RunAccount::head).toList();
    int shown = Math.min(MOST_CHARTS, all.size());
    RunsPage.tables(page, heads, refusals, id -> "#run-" + id);
    if (shown < all.size()) {
      page.element("p", "Charts are of the last " + shown + " runs.", "class", "note");
    }
    // In the order in which they ran.
    List<RunAccount> charts = new ArrayList<>(all.subList(0, shown));
    Collections.reverse(charts);
    for (RunAccount run : charts) {
      RunHead head = run.head();
      page.element("h2", "Run " + head.id() + ": " + head.program(), "id", "run-" + head.id());
      page.add(RunPage.content(run));
    }
    return page.close("div").close("body").close("html").add("\n").toString();
  }

  @Override
  public void close() {
    if (!sc.isStopped()) {
      sc.removeSparkListener(this);
    }
  }
}
