package org.sparkgpugraph.runtime.report;

import java.util.List;

/** The table of all runs of an application. */
public final class RunsPage {
  private RunsPage() {}

  /** A piece of HTML, for the body of a page. */
  public static String html(List<RunHead> runs) {
    Markup page = new Markup();
    page.open("div", "class", "sgg").open("table", "class", "table table-bordered table-sm");
    for (RunHead run : runs) {
      page.open("tr").open("td");
      page.element("a", run.program(), "href", "run/?id=" + run.id());
      page.close("td").close("tr");
    }
    return page.close("table").close("div").toString();
  }

  /**
   * What is said of a run that is not there.
   *
   * @param id as it was asked for
   */
  public static String missing(String id) {
    return new Markup()
        .element("p", "There is no run " + id + " here: the oldest runs are forgotten.")
        .toString();
  }
}
