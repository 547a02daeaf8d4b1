package org.sparkgpugraph.program;

import java.io.Serializable;
import org.sparkgpugraph.program.ir.IrFunction;

/**
 * A value summed (or minimised, maximised) over the vertices that ran in a superstep.
 *
 * @param name how the program asks for it
 * @param operation how values of two vertices combine
 * @param function ID, BEFORE and AFTER columns → one DOUBLE
 */
public record Aggregate(String name, Operation operation, IrFunction function)
    implements Serializable {
  /** How values combine; the neutral element is what a superstep without vertices yields. */
  public enum Operation {
    SUM(0.0),
    MIN(Double.POSITIVE_INFINITY),
    MAX(Double.NEGATIVE_INFINITY);

    private final double neutral;

    Operation(double neutral) {
      this.neutral = neutral;
    }

    /** The neutral element. */
    public double neutral() {
      return neutral;
    }

    /** Combines two partial results. */
    public double combine(double a, double b) {
      return switch (this) {
        case SUM -> a + b;
        case MIN -> Math.min(a, b);
        case MAX -> Math.max(a, b);
      };
    }
  }
}
