package org.sparkgpugraph.engine.louvain;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.sparkgpugraph.engine.WorkerTeam;

/**
 * Splits communities into what is connected by edges inside of them, of positive weight: trees of
 * vertices, joined by all threads at the same time, a larger root below a smaller one, so the root
 * of a part is its smallest vertex whoever was faster. Splitting never lowers modularity: no weight
 * inside is lost, and smaller communities are expected to have less of it.
 */
final class ConnectedParts {
  private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

  /** Rows that a thread takes at a time. */
  private static final int CHUNK = 1024;

  private final int[] parent;

  /** Every vertex on its own. */
  ConnectedParts(int vertices) {
    parent = new int[vertices];
    Arrays.setAll(parent, v -> v);
  }

  private int root(int vertex) {
    int v = vertex;
    int above = (int) INTS.getVolatile(parent, v);
    while (above != v) {
      int next = (int) INTS.getVolatile(parent, above);
      INTS.compareAndSet(parent, v, above, next);
      v = above;
      above = next;
    }
    return v;
  }

  /** Puts the parts of two vertices together. */
  void join(int one, int other) {
    int a = root(one);
    int b = root(other);
    while (a != b) {
      if (INTS.compareAndSet(parent, Math.max(a, b), Math.max(a, b), Math.min(a, b))) {
        return;
      }
      a = root(a);
      b = root(b);
    }
  }

  /** Joins what the rows that are held here connect inside of communities. */
  void join(LevelRows rows, int[] community, WorkerTeam team, LocalMoving.Tools[] tools) {
    int size = rows.end() - rows.first();
    int chunks = (int) ((size + CHUNK - 1L) / CHUNK);
    team.each(
        chunks > 1,
        chunks,
        (member, i) -> {
          NeighbourRow row = tools[member].row;
          int end = rows.first() + (int) Math.min(size, (i + 1L) * CHUNK);
          for (int v = rows.first() + i * CHUNK; v < end; v++) {
            rows.load(v, row);
            for (int e = 0; e < row.size; e++) {
              if (community[row.neighbours[e]] == community[v] && row.weight(e) > 0) {
                join(v, row.neighbours[e]);
              }
            }
          }
        });
  }

  /** The smallest vertex that each is connected with. */
  int[] smallest() {
    int[] roots = new int[parent.length];
    for (int v = 0; v < roots.length; v++) {
      roots[v] = root(v);
    }
    return roots;
  }
}
