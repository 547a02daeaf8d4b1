package org.sparkgpugraph.runtime.report;

import java.util.List;
import java.util.function.LongFunction;

/** The tables of all runs of an application, and of what was refused. */
public final class RunsPage {
  static final String TABLE = "table table-bordered table-sm table-striped";

  private RunsPage() {}

  /**
   * A piece of HTML, for the body of a page whose runs' pages are beside it.
   *
   * @param runs the first line first
   * @param refusals likewise
   */
  public static String html(List<RunHead> runs, List<Refusal> refusals) {
    Markup page = new Markup();
    page.open("div", "class", "sgg").element("style", Style.CONTENT);
    tables(page, runs, refusals, id -> "run/?id=" + id);
    return page.close("div").toString();
  }

  /**
   * What is said of a run that is not there.
   *
   * @param id as it was asked for
   */
  public static String missing(String id) {
    return new Markup()
        .element("p", "There is no run " + id + " here. The oldest runs are forgotten.")
        .toString();
  }

  /** Both tables. */
  static void tables(
      Markup page, List<RunHead> runs, List<Refusal> refusals, LongFunction<String> link) {
    if (runs.isEmpty()) {
      page.element("p", "No graph program or algorithm has run yet.");
    } else {
      runs(page, runs, link);
    }
    if (!refusals.isEmpty()) {
      refusals(page, refusals);
    }
  }

  private static void runs(Markup page, List<RunHead> runs, LongFunction<String> link) {
    page.open("table", "class", TABLE + " runs").open("thead").open("tr");
    for (String name : List.of("Run", "Program", "State", "Engine")) {
      page.element("th", name);
    }
    for (String name : List.of("Vertices", "Edges", "Executors", "Supersteps", "Time")) {
      page.element("th", name, "class", "r");
    }
    page.element("th", "Started").close("tr").close("thead").open("tbody");
    for (RunHead run : runs) {
      run(page, run, link);
    }
    page.close("tbody").close("table");
  }

  private static void run(Markup page, RunHead run, LongFunction<String> link) {
    boolean isStock = run.started().vertices() < 0;
    page.open("tr").element("td", Quantity.count(run.id()));
    page.open("td").element("a", run.program(), "href", link.apply(run.id())).close("td");
    page.element("td", run.state());
    page.open("td").element("b", run.engine());
    if (run.ended() != null && !run.ended().reason().isEmpty()) {
      page.text(": " + run.ended().reason());
    }
    page.close("td");
    number(page, isStock ? "" : Quantity.count(run.started().vertices()));
    number(page, isStock ? "" : Quantity.count(run.started().edges()));
    number(page, isStock ? "" : Quantity.count(run.started().executors()));
    number(page, run.active() < 0 ? "" : Quantity.count(run.superstep()));
    number(page, run.ended() == null ? "" : Quantity.seconds(run.totalSeconds()));
    page.element("td", Quantity.time(run.started().time())).close("tr");
  }

  private static void number(Markup page, String number) {
    page.element("td", number, "class", "r");
  }

  private static void refusals(Markup page, List<Refusal> refusals) {
    page.element("h4", "Refused by the engines");
    page.open("table", "class", TABLE + " refusals").open("thead").open("tr");
    for (String name : List.of("Called at", "What", "Became", "Why", "Time")) {
      page.element("th", name);
    }
    page.close("tr").close("thead").open("tbody");
    for (Refusal refusal : refusals) {
      page.open("tr").element("td", refusal.event().calledAt());
      page.element("td", refusal.event().called()).element("td", refusal.became());
      page.open("td");
      reasons(page, refusal.event().reasons());
      page.close("td").element("td", Quantity.time(refusal.event().time())).close("tr");
    }
    page.close("tbody").close("table");
  }

  /** A list of reasons. */
  static void reasons(Markup page, List<String> reasons) {
    page.open("ul");
    reasons.forEach(reason -> page.element("li", reason));
    page.close("ul");
  }
}
