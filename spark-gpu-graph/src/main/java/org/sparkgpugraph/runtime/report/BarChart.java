package org.sparkgpugraph.runtime.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;

/** Bars from left to right, one below the other, each of several pieces, in SVG. */
final class BarChart {
  private static final double WIDTH = 880;
  private static final double LEFT = 250;
  private static final double RIGHT = 90;
  private static final double ROW = 24;
  private static final double THICK = 16;
  private static final int MOST_LETTERS = 40;

  /**
   * A piece of a bar.
   *
   * @param name for the legend
   * @param color as SVG writes it
   */
  record Piece(String name, String color, double value) {}

  /** A bar. */
  private record Bar(String name, List<Piece> pieces, String says) {}

  private final List<Bar> bars = new ArrayList<>();
  private final DoubleFunction<String> unit;
  private double most;

  /**
   * @param unit writes values
   */
  BarChart(DoubleFunction<String> unit) {
    this.unit = unit;
  }

  /**
   * Adds a bar.
   *
   * @param says what stands behind it
   */
  void add(String name, List<Piece> pieces, String says) {
    bars.add(new Bar(name, List.copyOf(pieces), says));
    most = Math.max(most, pieces.stream().mapToDouble(Piece::value).sum());
  }

  boolean isEmpty() {
    return bars.isEmpty();
  }

  /**
   * Draws it.
   *
   * @param kind says what it is about, for whoever looks for it in the page
   * @param title what is shown, in words
   */
  String svg(String kind, String title) {
    Markup svg = new Markup();
    svg.open(
        "svg",
        "xmlns",
        "http://www.w3.org/2000/svg",
        "class",
        "chart " + kind,
        "role",
        "img",
        "aria-label",
        title,
        "viewBox",
        "0 0 " + Markup.number(WIDTH) + " " + Markup.number(bars.size() * ROW + 4));
    for (int i = 0; i < bars.size(); i++) {
      bar(svg, bars.get(i), 2 + i * ROW);
    }
    return svg.close("svg").toString();
  }

  private void bar(Markup svg, Bar bar, double top) {
    double baseline = top + ROW / 2 + 4;
    svg.open("text", "x", LEFT - 8, "y", baseline, "text-anchor", "end", "class", "n")
        .element("title", bar.name())
        .text(shortened(bar.name()))
        .close("text");
    double x = LEFT;
    for (Piece piece : bar.pieces()) {
      double width = most <= 0 ? 0 : piece.value() / most * (WIDTH - LEFT - RIGHT);
      svg.open(
              "rect",
              "class",
              "piece",
              "x",
              x,
              "y",
              top + (ROW - THICK) / 2,
              "width",
              Math.max(0, width),
              "height",
              THICK,
              "fill",
              piece.color())
          .element("title", piece.name() + ": " + unit.apply(piece.value()))
          .close("rect");
      x += width;
    }
    svg.element("text", bar.says(), "x", x + 6, "y", baseline, "class", "n");
  }

  private static String shortened(String name) {
    return name.length() <= MOST_LETTERS ? name : name.substring(0, MOST_LETTERS - 1) + "…";
  }
}
