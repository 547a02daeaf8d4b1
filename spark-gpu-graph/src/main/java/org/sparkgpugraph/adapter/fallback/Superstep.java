package org.sparkgpugraph.adapter.fallback;

import java.io.Serializable;
import java.util.List;
import org.sparkgpugraph.function.SuperstepContext;

/** The context of one superstep, as it travels in a closure. */
final class Superstep implements SuperstepContext, Serializable {
  private static final long serialVersionUID = 1L;

  private final int superstep;
  private final long vertexCount;
  private final List<String> names;
  private final double[] values;

  Superstep(int superstep, long vertexCount, List<String> names, double[] values) {
    this.superstep = superstep;
    this.vertexCount = vertexCount;
    this.names = names;
    this.values = values;
  }

  @Override
  public int superstep() {
    return superstep;
  }

  @Override
  public long vertexCount() {
    return vertexCount;
  }

  @Override
  public double aggregate(String name) {
    int index = names.indexOf(name);
    if (index < 0) {
      throw new IllegalArgumentException("no aggregate '" + name + "'; the program has " + names);
    }
    return values[index];
  }

  @Override
  public double[] aggregates() {
    return values.clone();
  }
}
