package org.sparkgpugraph.exchange;

import java.io.Serializable;

/**
 * What becomes of updates before they travel to other executors.
 *
 * @param encoding how they are written
 * @param significantBits to how many significant bits floating-point values are rounded; {@link
 *     Rounding#EXACT}: they travel as they are
 */
public record UpdateFormat(UpdateEncoding encoding, int significantBits) implements Serializable {
  /** Values as they are. */
  public static UpdateFormat exact(UpdateEncoding encoding) {
    return new UpdateFormat(encoding, Rounding.EXACT);
  }
}
