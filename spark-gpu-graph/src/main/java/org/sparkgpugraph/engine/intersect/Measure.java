package org.sparkgpugraph.engine.intersect;

import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.run.Neighborhood;

/** What is told of a neighbourhood. */
public enum Measure {
  /** All of it. */
  NEIGHBORHOOD(Neighborhood.class) {
    @Override
    void put(Columns into, int row, int degree, long triangles, long links) {
      into.ints(0)[row] = degree;
      into.longs(1)[row] = triangles;
      into.longs(2)[row] = links;
    }
  },

  /** The triangles that a vertex is a corner of. */
  TRIANGLES(Integer.class) {
    @Override
    void put(Columns into, int row, int degree, long triangles, long links) {
      if (triangles > Integer.MAX_VALUE) {
        throw new ArithmeticException(
            "a vertex is a corner of "
                + triangles
                + " triangles, more than an Integer holds: take Neighborhoods, which counts in"
                + " Longs");
      }
      into.ints(0)[row] = (int) triangles;
    }
  },

  /** The share of the possible directed edges among the neighbours that exist, 0 below two. */
  LINKED(Double.class) {
    @Override
    void put(Columns into, int row, int degree, long triangles, long links) {
      into.doubles(0)[row] = new Neighborhood(degree, triangles, links).clustering();
    }
  },

  /** The share of the pairs of neighbours that are connected, 0 below two neighbours. */
  CLUSTERING(Double.class) {
    @Override
    void put(Columns into, int row, int degree, long triangles, long links) {
      into.doubles(0)[row] = new Neighborhood(degree, triangles, 2 * triangles).clustering();
    }
  };

  private final ValueType type;

  Measure(Class<?> type) {
    this.type = ValueType.of(type);
  }

  /** Type of the values. */
  ValueType type() {
    return type;
  }

  /** Writes it into a row of result columns. */
  abstract void put(Columns into, int row, int degree, long triangles, long links);
}
