package org.sparkgpugraph.runtime.report;

/** The page of one run. */
public final class RunPage {
  private RunPage() {}

  /** A piece of HTML, for the body of a page. */
  public static String html(RunAccount run) {
    Markup page = new Markup();
    page.open("div", "class", "sgg").element("p", run.head().state());
    page.element("p", run.supersteps().size() + " points");
    return page.close("div").toString();
  }
}
