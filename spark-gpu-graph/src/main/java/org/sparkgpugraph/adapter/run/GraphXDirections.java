package org.sparkgpugraph.adapter.run;

import org.apache.spark.graphx.EdgeDirection;
import org.sparkgpugraph.run.ActiveDirection;

/** GraphX's directions as this library has them. */
public final class GraphXDirections {
  private GraphXDirections() {}

  /** The active direction of a Pregel. */
  public static ActiveDirection of(EdgeDirection direction) {
    if (direction.equals(EdgeDirection.Out())) {
      return ActiveDirection.OUT;
    }
    if (direction.equals(EdgeDirection.In())) {
      return ActiveDirection.IN;
    }
    return direction.equals(EdgeDirection.Both()) ? ActiveDirection.BOTH : ActiveDirection.EITHER;
  }
}
