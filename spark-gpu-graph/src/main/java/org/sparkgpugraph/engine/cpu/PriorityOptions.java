package org.sparkgpugraph.engine.cpu;

/**
 * How the CPU engine relaxes in order of priority.
 *
 * @param width of a bucket at first, in mean edge values by mean degree (the constant C of Δ = C·W
 *     ÷ D)
 * @param dynamic whether the width is changed during the run
 * @param chunk items that a thread takes at a time
 * @param fused most items of its own that a thread goes on with, without the others
 * @param alone most items of a round that one thread walks while the others wait
 * @param room for items of all threads: those for which there is none wait for the next superstep;
 *     0: as much as the graph's vertices suggest
 */
record PriorityOptions(double width, boolean dynamic, int chunk, int fused, int alone, long room) {
  static final PriorityOptions DEFAULT = new PriorityOptions(2, true, 64, 1024, 128, 0);

  PriorityOptions {
    if (!(width > 0)
        || Double.isInfinite(width)
        || chunk < 1
        || fused < 0
        || alone < 0
        || room < 0) {
      throw new IllegalArgumentException(
          "width "
              + width
              + " and chunk "
              + chunk
              + " must be positive, fused "
              + fused
              + ", alone "
              + alone
              + " and room "
              + room
              + " not negative");
    }
  }
}
