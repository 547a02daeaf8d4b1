package org.sparkgpugraph;

import org.sparkgpugraph.runtime.load.GraphSource;
import org.sparkgpugraph.runtime.run.PregelRequest;

/** Builders of programs that no graph is at hand for: they can be lifted, not run. */
public final class GraphlessPrograms {
  private GraphlessPrograms() {}

  /**
   * A builder for graphs of these attributes.
   *
   * @param vertex class of the vertex attributes; Object: left out
   * @param edge class of the edge attributes; Object: left out
   */
  public static <VD, ED> ProgramBuilder<VD, ED, VD, Object, VD> on(
      Class<VD> vertex, Class<ED> edge) {
    return new ProgramBuilder<>(source(vertex, edge));
  }

  /** What a source of such graphs says of their types. */
  public static GraphSource source(Class<?> vertex, Class<?> edge) {
    return new GraphSource(null, vertex, edge, null, null, null, false);
  }

  /** What a builder was asked for. */
  public static PregelRequest request(ProgramBuilder<?, ?, ?, ?, ?> builder) {
    return builder.request();
  }
}
