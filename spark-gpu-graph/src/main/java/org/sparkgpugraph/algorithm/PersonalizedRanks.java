package org.sparkgpugraph.algorithm;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import org.sparkgpugraph.runtime.serial.RecordSerializer;

/**
 * Personalised ranks of a vertex for up to {@value #WIDTH} sources, in their order; 0 beyond the
 * last source.
 */
@DefaultSerializer(RecordSerializer.class)
public record PersonalizedRanks(
    double r0, double r1, double r2, double r3, double r4, double r5, double r6, double r7)
    implements Serializable {
  /** Sources of one run. */
  public static final int WIDTH = 8;

  static final PersonalizedRanks ZERO =
      new PersonalizedRanks(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);

  PersonalizedRanks plus(PersonalizedRanks o) {
    return new PersonalizedRanks(
        r0 + o.r0, r1 + o.r1, r2 + o.r2, r3 + o.r3, r4 + o.r4, r5 + o.r5, r6 + o.r6, r7 + o.r7);
  }

  PersonalizedRanks times(double x) {
    return new PersonalizedRanks(r0 * x, r1 * x, r2 * x, r3 * x, r4 * x, r5 * x, r6 * x, r7 * x);
  }

  /** The rank for a source by its place in the list. */
  public double get(int source) {
    return switch (source) {
      case 0 -> r0;
      case 1 -> r1;
      case 2 -> r2;
      case 3 -> r3;
      case 4 -> r4;
      case 5 -> r5;
      case 6 -> r6;
      case 7 -> r7;
      default -> throw new IndexOutOfBoundsException(source);
    };
  }
}
