package org.sparkgpugraph.runtime.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
import org.sparkgpugraph.runtime.event.GraphRunEnded;
import org.sparkgpugraph.runtime.event.GraphRunExecutor;
import org.sparkgpugraph.runtime.event.GraphRunStarted;
import org.sparkgpugraph.runtime.report.BarChart.Piece;

/** The page of one run: facts, and charts over its supersteps. */
public final class RunPage {
  private final RunAccount run;
  private final RunHead head;
  private final Markup page = new Markup();

  private RunPage(RunAccount run) {
    this.run = run;
    head = run.head();
  }

  /** A piece of HTML, for the body of a page. */
  public static String html(RunAccount run) {
    RunPage page = new RunPage(run);
    page.page.open("div", "class", "sgg").element("style", Style.CONTENT);
    page.content();
    return page.page.close("div").toString();
  }

  /** The same without a style. */
  static String content(RunAccount run) {
    RunPage page = new RunPage(run);
    page.content();
    return page.page.toString();
  }

  private void content() {
    troubles();
    facts();
    parts();
    if (run.supersteps().isEmpty()) {
      page.element("p", "No superstep is known yet.", "class", "note");
    } else {
      charts();
    }
    executors();
    devices();
    MemoryTable.write(page, run.executors());
  }

  // ---- facts ----------------------------------------------------------------------------------

  private void troubles() {
    GraphRunEnded ended = head.ended();
    if (ended != null && !ended.error().isEmpty()) {
      page.open("div", "class", "trouble").element("b", "Failed: ").text(ended.error());
      page.close("div");
    }
    if (!run.refused().isEmpty()) {
      page.open("div", "class", "trouble");
      page.element("b", "Runs on stock GraphX, because it cannot be lifted:");
      RunsPage.reasons(page, run.refused());
      page.close("div");
    }
  }

  private void facts() {
    GraphRunStarted started = head.started();
    page.open("dl");
    fact("Program", started.program());
    fact("State", head.state());
    fact("Engine", head.engine() + (head.ended() == null ? " (asked for)" : ""));
    if (head.ended() != null && !head.ended().reason().isEmpty()) {
      fact("Why this engine", head.ended().reason());
    }
    if (started.vertices() >= 0) {
      fact(
          "Graph",
          "%s vertices, %s edges; %s on %s, %s of heap"
              .formatted(
                  Quantity.count(started.vertices()),
                  Quantity.count(started.edges()),
                  plural(started.partitions(), "partition"),
                  plural(started.executors(), "executor"),
                  Quantity.bytes(started.graphBytes())));
    }
    if (head.active() >= 0) {
      fact(
          "Supersteps",
          "%s; %s active vertices behind the last"
              .formatted(Quantity.count(head.superstep()), Quantity.count(head.active())));
    }
    if (head.ended() != null) {
      totals(head.ended());
    }
    fact("Started", Quantity.time(started.time()));
    page.close("dl");
  }

  private void totals(GraphRunEnded ended) {
    fact("Time", Quantity.seconds(head.totalSeconds()));
    if (ended.edgesEvaluated() > 0) {
      double seconds = ended.kernelSeconds() > 0 ? ended.kernelSeconds() : ended.seconds();
      fact(
          "Edges evaluated",
          "%s, %s per second of kernels"
              .formatted(
                  Quantity.count(ended.edgesEvaluated()),
                  Quantity.about(ended.edgesEvaluated() / Math.max(1e-9, seconds))));
    }
    if (ended.laneEfficiency() > 0) {
      fact(
          "Lanes",
          "%s of them evaluated edges, %s had a row"
              .formatted(
                  Quantity.percent(ended.laneEfficiency()),
                  Quantity.percent(ended.packingFactor())));
    }
    if (ended.fullExchangeBytes() > 0) {
      fact(
          "Exchanged",
          "%s in %s updates; telling every vertex would be %s"
              .formatted(
                  Quantity.bytes(ended.exchangedBytes()),
                  Quantity.count(ended.boundaryUpdates()),
                  Quantity.bytes(ended.fullExchangeBytes())));
    }
  }

  private void fact(String name, String value) {
    page.element("dt", name).element("dd", value);
  }

  private static String plural(int count, String noun) {
    return Quantity.count(count) + " " + noun + (count == 1 ? "" : "s");
  }

  // ---- charts ---------------------------------------------------------------------------------

  /** Where the time of the whole run went. */
  private void parts() {
    GraphRunEnded ended = head.ended();
    if (ended == null) {
      return;
    }
    double exchange = 0;
    double spark = 0;
    for (Stretch stretch : run.supersteps()) {
      exchange += stretch.exchange();
      spark += stretch.spark();
    }
    double known = ended.kernelSeconds() + ended.transferSeconds() + exchange + spark;
    List<Piece> pieces = new ArrayList<>();
    pieces.add(new Piece("lift", Part.TEAL, head.started().liftSeconds()));
    pieces.add(new Piece("load", Part.GREEN, head.started().loadSeconds()));
    pieces.add(new Piece("kernels", Part.BLUE, ended.kernelSeconds()));
    pieces.add(new Piece("transfer to and from GPUs", "#63b3ed", ended.transferSeconds()));
    pieces.add(new Piece("exchange", Part.ORANGE, exchange));
    pieces.add(new Piece("Spark", Part.PURPLE, spark));
    pieces.add(new Piece("else in the run", Part.GRAY, Math.max(0, ended.seconds() - known)));
    pieces.add(new Piece("collect", "#d69e2e", Math.max(0, head.collectSeconds())));
    pieces.removeIf(piece -> piece.value() <= 0);
    BarChart chart = new BarChart(Quantity::seconds);
    chart.add("all", pieces, Quantity.seconds(head.totalSeconds()));
    heading("Where the time went");
    legend(pieces);
    page.add(chart.svg("parts", "Where the time of the run went"));
  }

  private void charts() {
    int width = run.supersteps().stream().mapToInt(Stretch::supersteps).max().orElse(1);
    if (width > 1) {
      page.element(
          "p",
          "A point of a chart stands for up to "
              + Quantity.count(width)
              + " supersteps: the most active vertices among those that are known, of all else the"
              + " mean.",
          "class",
          "note");
    }
    heading("Active vertices and edges per superstep");
    steps(Part.ACTIVE, false, Quantity::about, "active");
    heading("Time per superstep");
    steps(Part.TIME, true, Quantity::seconds, "time");
    if (run.supersteps().stream().anyMatch(stretch -> stretch.bytes() > 0)) {
      heading("Bytes exchanged per superstep");
      steps(Part.BYTES, false, Quantity::bytes, "bytes");
    }
  }

  private void steps(List<Part> parts, boolean stacked, DoubleFunction<String> unit, String kind) {
    legend(parts.stream().map(part -> new Piece(part.name(), part.color(), 0)).toList());
    String names = String.join(", ", parts.stream().map(Part::name).toList());
    StepChart chart = new StepChart(run.supersteps(), parts, stacked, unit);
    page.add(chart.svg(kind, names + " per superstep"));
    if (chart.cutOff() > 0) {
      page.element(
          "p",
          "Cut off at the top: the highest reaches " + unit.apply(chart.cutOff()) + ".",
          "class",
          "note");
    }
  }

  private void executors() {
    BarChart chart = new BarChart(Quantity::seconds);
    for (GraphRunExecutor executor : run.executors()) {
      String name = "part " + executor.shard() + ", executor " + executor.executor();
      chart.add(
          name,
          List.of(
              new Piece("kernels", Part.BLUE, executor.kernelSeconds()),
              new Piece("exchange", Part.ORANGE, executor.exchangeSeconds()),
              new Piece("transfer to and from GPUs", "#63b3ed", executor.transferSeconds())),
          Quantity.about(executor.edges()) + " edges");
      if (executor.devices().size() > 1) {
        for (GraphRunExecutor.Device device : executor.devices()) {
          chart.add(
              device.name(),
              List.of(new Piece("kernels", Part.BLUE, device.kernelSeconds())),
              Quantity.seconds(device.kernelSeconds()));
        }
      }
    }
    if (chart.isEmpty()) {
      return;
    }
    heading("Time in executors and on their GPUs");
    legend(
        List.of(
            new Piece("kernels", Part.BLUE, 0),
            new Piece("exchange", Part.ORANGE, 0),
            new Piece("transfer to and from GPUs", "#63b3ed", 0)));
    page.add(chart.svg("executors", "Time in each executor and on each of its GPUs"));
    if (run.executors().size() < head.started().executors()) {
      page.element(
          "p",
          "The first "
              + run.executors().size()
              + " of "
              + head.started().executors()
              + " executors.",
          "class",
          "note");
    }
  }

  private void devices() {
    BarChart chart = new BarChart(Quantity::bytes);
    for (GraphRunExecutor executor : run.executors()) {
      for (GraphRunExecutor.Device device : executor.devices()) {
        chart.add(
            device.name() + ", executor " + executor.executor(),
            List.of(
                new Piece("held", Part.GREEN, device.heldBytes()),
                new Piece(
                    "else", "#e2e8f0", Math.max(0, device.totalBytes() - device.heldBytes()))),
            Quantity.bytes(device.heldBytes()));
      }
    }
    if (chart.isEmpty()) {
      return;
    }
    heading("Memory of each GPU at the end of the run");
    legend(
        List.of(
            new Piece("held by the executor", Part.GREEN, 0), new Piece("all else", "#e2e8f0", 0)));
    page.add(chart.svg("devices", "Memory that the executors held on each GPU"));
  }

  private void heading(String text) {
    page.element("h4", text);
  }

  private void legend(List<Piece> pieces) {
    page.open("div", "class", "legend");
    for (Piece piece : pieces) {
      page.open("span").open("i", "style", "background:" + piece.color()).close("i");
      page.text(
              piece.value() > 0
                  ? piece.name() + " " + Quantity.seconds(piece.value())
                  : piece.name())
          .close("span");
    }
    page.close("div");
  }
}
