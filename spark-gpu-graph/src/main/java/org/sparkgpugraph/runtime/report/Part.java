package org.sparkgpugraph.runtime.report;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What a chart shows of each stretch of supersteps: a line, or a layer of a stack.
 *
 * @param name for the legend
 * @param color as SVG writes it
 * @param value of one superstep of the stretch, on the average where it has several
 */
record Part(String name, String color, ToDoubleFunction<Stretch> value) {
  static final String BLUE = "#2b6cb0";
  static final String ORANGE = "#dd7a1b";
  static final String GREEN = "#2f855a";
  static final String PURPLE = "#805ad5";
  static final String GRAY = "#a0aec0";
  static final String TEAL = "#2c9aa8";

  static final List<Part> ACTIVE =
      List.of(
          new Part("active vertices", BLUE, stretch -> (double) stretch.mostActive()),
          new Part("edges evaluated", ORANGE, stretch -> stretch.each((double) stretch.edges())));

  static final List<Part> TIME =
      List.of(
          new Part("kernels", BLUE, stretch -> stretch.each(stretch.kernel())),
          new Part("exchange", ORANGE, stretch -> stretch.each(stretch.exchange())),
          new Part("else in executors", GRAY, stretch -> stretch.each(stretch.host())),
          new Part("Spark", PURPLE, stretch -> stretch.each(stretch.spark())));

  static final List<Part> BYTES =
      List.of(
          new Part("bytes exchanged", GREEN, stretch -> stretch.each((double) stretch.bytes())));
}
