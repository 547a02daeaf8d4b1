package org.sparkgpugraph.runtime.report;

import java.util.List;
import java.util.function.DoubleFunction;

/**
 * A chart over the supersteps of a run, in SVG: each stretch is as wide as it has supersteps. Lines
 * or layers are one path each, and what a stretch is can be read where the pointer rests.
 */
final class StepChart {
  private static final double WIDTH = 880;
  private static final double HEIGHT = 190;
  private static final double LEFT = 72;
  private static final double RIGHT = 12;
  private static final double TOP = 8;
  private static final double BOTTOM = 34;
  private static final int NUMBERS = 8;
  private static final double USUAL = 0.95;
  private static final double FAR = 4;

  private final List<Stretch> stretches;
  private final List<Part> parts;
  private final DoubleFunction<String> unit;
  private final boolean stacked;
  private final Axis axis;
  private final double first;
  private final double supersteps;

  /**
   * @param stretches at least one
   * @param stacked whether parts add up
   * @param unit writes values
   */
  StepChart(
      List<Stretch> stretches, List<Part> parts, boolean stacked, DoubleFunction<String> unit) {
    this.stretches = stretches;
    this.parts = parts;
    this.stacked = stacked;
    this.unit = unit;
    first = stretches.get(0).first();
    supersteps = stretches.get(stretches.size() - 1).last() + 1 - first;
    double[] values =
        stretches.stream()
            .flatMapToDouble(s -> parts.stream().mapToDouble(part -> part.value().applyAsDouble(s)))
            .toArray();
    axis =
        stacked
            ? Axis.linear(top(stretches.stream().mapToDouble(this::sum).sorted().toArray()))
            : Axis.of(values);
  }

  /**
   * How high a stack may be: one that stands out far is cut off, so that the others can be seen.
   *
   * @param sums in ascending order
   */
  private static double top(double[] sums) {
    double most = sums[sums.length - 1];
    double usual = sums[(int) ((sums.length - 1) * USUAL)];
    return usual > 0 && most > FAR * usual ? 2 * usual : most;
  }

  /** The highest of the stacks that are cut off; 0: none is. */
  double cutOff() {
    double most = stretches.stream().mapToDouble(this::sum).max().orElse(0);
    return stacked && most > axis.top() ? most : 0;
  }

  private double sum(Stretch stretch) {
    return parts.stream().mapToDouble(part -> part.value().applyAsDouble(stretch)).sum();
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
        "0 0 " + Markup.number(WIDTH) + " " + Markup.number(HEIGHT));
    grid(svg);
    if (stacked) {
      layers(svg);
    } else {
      parts.forEach(part -> line(svg, part));
    }
    hits(svg);
    return svg.close("svg").toString();
  }

  private double x(double superstep) {
    return LEFT + (superstep - first) / supersteps * (WIDTH - LEFT - RIGHT);
  }

  private double y(double value) {
    return HEIGHT - BOTTOM - axis.place(value) * (HEIGHT - TOP - BOTTOM);
  }

  private void grid(Markup svg) {
    for (double tick : axis.ticks()) {
      double y = y(tick);
      svg.empty("line", "x1", LEFT, "x2", WIDTH - RIGHT, "y1", y, "y2", y, "stroke", "#e2e8f0");
      svg.element(
          "text", unit.apply(tick), "x", LEFT - 6, "y", y + 4, "text-anchor", "end", "class", "n");
    }
    double step = Math.max(1, Axis.step(supersteps, NUMBERS));
    for (double n = Math.ceil(first / step) * step; n < first + supersteps; n += step) {
      // Below the middle of the superstep.
      double x = x(n + 0.5);
      svg.element(
          "text",
          Quantity.count((long) n),
          "x",
          x,
          "y",
          HEIGHT - BOTTOM + 15,
          "text-anchor",
          "middle",
          "class",
          "n");
    }
    svg.element(
        "text",
        "superstep",
        "x",
        WIDTH - RIGHT,
        "y",
        HEIGHT - 4,
        "text-anchor",
        "end",
        "class",
        "n");
  }

  private void line(Markup svg, Part part) {
    StringBuilder path = new StringBuilder();
    for (Stretch stretch : stretches) {
      double y = y(part.value().applyAsDouble(stretch));
      path.append(path.isEmpty() ? "M" + point(x(stretch.first()), y) : "V" + Markup.number(y))
          .append('H')
          .append(Markup.number(x(stretch.last() + 1)));
    }
    svg.empty(
        "path",
        "class",
        "line",
        "d",
        path,
        "fill",
        "none",
        "stroke",
        part.color(),
        "stroke-width",
        "2",
        "stroke-linejoin",
        "round");
  }

  /** From the top of the stack down, so that each layer covers the foot of the one above. */
  private void layers(Markup svg) {
    double[] heights = stretches.stream().mapToDouble(this::sum).toArray();
    for (int p = parts.size() - 1; p >= 0; p--) {
      Part part = parts.get(p);
      StringBuilder path = new StringBuilder("M" + point(x(first), y(0)));
      for (int i = 0; i < heights.length; i++) {
        path.append('V')
            .append(Markup.number(y(heights[i])))
            .append('H')
            .append(Markup.number(x(stretches.get(i).last() + 1)));
        heights[i] -= part.value().applyAsDouble(stretches.get(i));
      }
      path.append('V').append(Markup.number(y(0))).append('Z');
      svg.empty("path", "class", "layer", "d", path, "fill", part.color());
    }
  }

  private static String point(double x, double y) {
    return Markup.number(x) + " " + Markup.number(y);
  }

  private void hits(Markup svg) {
    for (Stretch stretch : stretches) {
      double from = x(stretch.first());
      svg.open(
          "rect",
          "class",
          "hit",
          "x",
          from,
          "y",
          TOP,
          "width",
          Math.max(0.1, x(stretch.last() + 1) - from),
          "height",
          HEIGHT - TOP - BOTTOM,
          "fill",
          "transparent");
      StringBuilder words = new StringBuilder(stretch.name());
      for (Part part : parts) {
        words
            .append('\n')
            .append(part.name())
            .append(": ")
            .append(unit.apply(part.value().applyAsDouble(stretch)))
            .append(stretch.supersteps() > 1 ? " each" : "");
      }
      svg.element("title", words.toString()).close("rect");
    }
  }
}
