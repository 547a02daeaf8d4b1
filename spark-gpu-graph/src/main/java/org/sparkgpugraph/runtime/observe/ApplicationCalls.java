package org.sparkgpugraph.runtime.observe;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.runtime.event.GraphProgramRefused;
import org.sparkgpugraph.runtime.ui.GraphUi;

/**
 * Which places of an application called programs and algorithms, and what became of them: a table
 * that is logged when the application ends, where {@code spark.gpugraph.explain} asks for it.
 * Thread-safe.
 */
public final class ApplicationCalls {
  private static final Logger LOG = LoggerFactory.getLogger(ApplicationCalls.class);

  /** The values know their contexts weakly, too: a listener of theirs has each table. */
  private static final Map<SparkContext, ApplicationCalls> ALL = new WeakHashMap<>();

  /**
   * Rows by call site and by what was called and became of it, in the order of their first runs.
   */
  private final Map<List<String>, Row> rows = new LinkedHashMap<>();

  private static final class Row {
    private int runs;
    private double seconds;
    private final Set<String> reasons = new LinkedHashSet<>();
  }

  ApplicationCalls() {}

  /**
   * A run begins, in the thread of who called it.
   *
   * @param asked whether there is to be a table
   */
  public static Call begin(SparkContext sc, boolean asked) {
    return asked ? of(sc).new Call(sc, CallSite.here()) : NOWHERE.new Call(sc, CallSite.NONE);
  }

  private static final ApplicationCalls NOWHERE = new ApplicationCalls();

  static ApplicationCalls of(SparkContext sc) {
    synchronized (ALL) {
      return ALL.computeIfAbsent(
          sc,
          context -> {
            ApplicationCalls calls = new ApplicationCalls();
            context.addSparkListener(
                new SparkListener() {
                  @Override
                  public void onApplicationEnd(SparkListenerApplicationEnd end) {
                    calls.log();
                  }
                });
            return calls;
          });
    }
  }

  private void log() {
    String text = text();
    if (!text.isEmpty()) {
      LOG.info("{}", text);
    }
  }

  /** What becomes of a call that no engine runs. */
  public enum Instead {
    /** Stock GraphX runs it. */
    GRAPHX,
    /** Spark's joins run it. */
    JOINS,
    /** Its caller gets an error. */
    ERROR
  }

  /** One run of a call. */
  public final class Call implements AutoCloseable {
    private final SparkContext sc;
    private final CallSite site;
    private final long start = System.nanoTime();
    private final List<String> reasons = new ArrayList<>();
    private String became = "failed";

    private Call(SparkContext sc, CallSite site) {
      this.sc = sc;
      this.site = site;
    }

    /**
     * Why it does not run on an engine.
     *
     * @param instead what becomes of it
     */
    public void refused(Collection<String> why, Instead instead) {
      reasons.addAll(why);
      CallSite place = site == CallSite.NONE ? CallSite.here() : site;
      GraphUi.attach(sc);
      sc.listenerBus()
          .post(
              new GraphProgramRefused(
                  place.place(),
                  place.called(),
                  instead.name().toLowerCase(Locale.ROOT),
                  List.copyOf(why),
                  System.currentTimeMillis()));
    }

    /** It ran on an engine of ours. */
    public void ranOn(String engine) {
      became = "lifted, " + engine;
    }

    /** It ran on stock GraphX, either because it cannot be lifted or because it was to. */
    public void ranOnGraphX() {
      became = reasons.isEmpty() ? "GraphX, as configured" : "fallback, GraphX";
    }

    /** It ran on Spark's joins, either because it cannot be lowered or because it was to. */
    public void ranOnJoins() {
      became = reasons.isEmpty() ? "joins, as configured" : "fallback, joins";
    }

    /** It is over. */
    @Override
    public void close() {
      if (ApplicationCalls.this != NOWHERE) {
        add(site, became, (System.nanoTime() - start) / 1e9, reasons);
      }
    }
  }

  synchronized void add(CallSite site, String became, double seconds, List<String> reasons) {
    Row row =
        rows.computeIfAbsent(List.of(site.place(), site.called(), became), place -> new Row());
    row.runs++;
    row.seconds += seconds;
    row.reasons.addAll(reasons);
  }

  /** The table; empty when nothing was called. */
  synchronized String text() {
    if (rows.isEmpty()) {
      return "";
    }
    int place = "called at".length();
    int called = "what".length();
    for (List<String> key : rows.keySet()) {
      place = Math.max(place, key.get(0).length());
      called = Math.max(called, key.get(1).length());
    }
    String line = "%n  %-" + place + "s  %-" + called + "s  %-21s  %5s  %9s";
    StringBuilder text =
        new StringBuilder("what this application ran (spark.gpugraph.explain):")
            .append(line.formatted("called at", "what", "became", "runs", "seconds"));
    rows.forEach(
        (key, row) -> {
          String seconds = String.format(Locale.ROOT, "%.2f", row.seconds);
          text.append(
              line.formatted(key.get(0), key.get(1), key.get(2), row.runs, seconds)
                  .stripTrailing());
          row.reasons.forEach(reason -> text.append("%n    ! ".formatted()).append(reason));
        });
    return text.toString();
  }
}
