package org.sparkgpugraph.run;

import java.io.Serializable;

/**
 * What a vertex's neighbours are to each other. Neighbours are the vertices that an edge in either
 * direction connects it with, each once, itself not among them.
 *
 * @param degree number of neighbours
 * @param triangles pairs of neighbours that an edge connects, in whatever direction: the triangles
 *     that the vertex is a corner of
 * @param links directed edges among the neighbours, parallel ones counted once: 1 or 2 for each
 *     triangle
 */
public record Neighborhood(int degree, long triangles, long links) implements Serializable {
  /** The share of the possible edges among the neighbours that exist, 0 below two neighbours. */
  public double clustering() {
    return degree < 2 ? 0 : (double) links / ((double) degree * (degree - 1));
  }
}
