package org.sparkgpugraph.adapter.fallback;

import java.io.Serializable;

/**
 * The vertex attribute while a program runs in {@link AggregateMessagesLoop}: the value and what
 * the loop has to know about the vertex. Two cells are equal only when they are the same object:
 * GraphX ships an attribute to the edges when {@code ==} sees a change, and so every vertex that
 * ran, or whose activity changed, is shipped, whatever the value's own {@code equals} thinks of it.
 *
 * <p>Public for serializers only.
 *
 * @param <S> vertex value
 */
public final class VertexCell<S> implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final int ACTIVE = 1;
  private static final int RAN = 2;
  private static final int GATHERS_IN = 4;
  private static final int GATHERS_OUT = 8;

  private final S value;
  private final int flags;
  private final double[] contributions;

  VertexCell(S value, int flags, double[] contributions) {
    this.value = value;
    this.flags = flags;
    this.contributions = contributions;
  }

  /** For Kryo. */
  @SuppressWarnings("unused")
  private VertexCell() {
    this(null, 0, null);
  }

  /** A vertex that has a value and did not run yet. */
  static <S> VertexCell<S> started(S value) {
    return new VertexCell<>(value, ACTIVE, null);
  }

  /** A vertex that ran in this superstep. */
  static <S> VertexCell<S> ran(S value, boolean active, double[] contributions) {
    return new VertexCell<>(value, RAN | (active ? ACTIVE : 0), contributions);
  }

  S value() {
    return value;
  }

  boolean active() {
    return (flags & ACTIVE) != 0;
  }

  boolean ran() {
    return (flags & RAN) != 0;
  }

  boolean gathersIn() {
    return (flags & GATHERS_IN) != 0;
  }

  boolean gathersOut() {
    return (flags & GATHERS_OUT) != 0;
  }

  double[] contributions() {
    return contributions;
  }

  /** This vertex in a superstep in which it does not run. */
  VertexCell<S> rested() {
    return flags == 0 && contributions == null ? this : new VertexCell<>(value, 0, null);
  }

  /** This vertex with the rows that it gathers in the coming superstep. */
  VertexCell<S> gathering(boolean in, boolean out) {
    int rows = (in ? GATHERS_IN : 0) | (out ? GATHERS_OUT : 0);
    int wanted = (flags & ~(GATHERS_IN | GATHERS_OUT)) | rows;
    return wanted == flags ? this : new VertexCell<>(value, wanted, contributions);
  }
}
