package org.sparkgpugraph.run;

import java.io.Serializable;

/**
 * What an exchange moves without refinement, in bytes: to tell what refinement saves.
 *
 * @param boundary with all boundary vertices (MS of Khorasani 2016)
 * @param all with all vertices of each home, to each reader (ALL)
 */
public record ExchangeVolume(long boundary, long all) implements Serializable {
  /** No exchange. */
  public static final ExchangeVolume NONE = new ExchangeVolume(0, 0);

  /** Both. */
  public ExchangeVolume plus(ExchangeVolume other) {
    return new ExchangeVolume(boundary + other.boundary, all + other.all);
  }
}
