package org.sparkgpugraph.engine.louvain;

import java.util.Arrays;

/**
 * Communities of a level's vertices, or parts of these, numbered by their smallest members: the
 * vertices of the next level.
 *
 * @param of number of the community of each vertex
 * @param smallest member of each community
 */
record LevelCommunities(int[] of, int[] smallest) {
  /**
   * Numbers communities.
   *
   * @param names of each vertex' community: a vertex of the level; not changed
   */
  static LevelCommunities number(int[] names) {
    int[] numbers = new int[names.length];
    Arrays.fill(numbers, -1);
    int[] of = new int[names.length];
    int[] smallest = new int[names.length];
    int count = 0;
    for (int v = 0; v < of.length; v++) {
      int c = names[v];
      if (numbers[c] < 0) {
        smallest[count] = v;
        numbers[c] = count++;
      }
      of[v] = numbers[c];
    }
    return new LevelCommunities(of, Arrays.copyOf(smallest, count));
  }

  /** Every vertex on its own. */
  static LevelCommunities alone(int vertices) {
    int[] of = new int[vertices];
    Arrays.setAll(of, v -> v);
    return new LevelCommunities(of, of);
  }

  int count() {
    return smallest.length;
  }

  /** Whether any vertices are together. */
  boolean merge() {
    return smallest.length < of.length;
  }

  /** Sums over the members. */
  long[] sums(long[] values) {
    long[] sums = new long[smallest.length];
    for (int v = 0; v < of.length; v++) {
      sums[of[v]] += values[v];
    }
    return sums;
  }

  /**
   * What larger communities say of these, their parts, as vertices of the next level.
   *
   * @param names of the larger community of each vertex
   * @return for each part the first one of its larger community
   */
  int[] within(int[] names) {
    int[] first = new int[names.length];
    Arrays.fill(first, -1);
    int[] joined = new int[smallest.length];
    for (int part = 0; part < joined.length; part++) {
      int larger = names[smallest[part]];
      if (first[larger] < 0) {
        first[larger] = part;
      }
      joined[part] = first[larger];
    }
    return joined;
  }

  /** The communities that these vertices are in when they themselves are in communities. */
  LevelCommunities then(LevelCommunities next) {
    int[] both = new int[of.length];
    Arrays.setAll(both, v -> next.of[of[v]]);
    return new LevelCommunities(both, next.of(smallest));
  }

  /** What is known of vertices, of the smallest member of each community. */
  int[] of(int[] values) {
    int[] some = new int[smallest.length];
    Arrays.setAll(some, c -> values[smallest[c]]);
    return some;
  }
}
