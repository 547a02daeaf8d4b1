package org.sparkgpugraph.benchmarks.comparison;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;

/**
 * Ratings as MovieLens has them: 0.5 to 5 in halves, few users that rate much and few items that
 * are rated often, no user twice of an item. A rating is a mean, the dot product of hidden vectors,
 * and noise. A tenth is held out.
 *
 * @param users of each rating, from 0
 * @param items of each rating, from 0
 * @param ratings multiples of 0.5
 * @param learnt number of the first ones, of which is learnt; the others are held out
 * @param userCount number of users
 */
record GeneratedRatings(int[] users, int[] items, float[] ratings, int learnt, int userCount) {
  private static final int HIDDEN = 6;
  private static final int HELD_OUT = 10;

  /** MovieLens 1M has so many ratings of a user and of an item. */
  private static final int OF_A_USER = 165;

  private static final int OF_AN_ITEM = 270;

  /** Power that makes few of many: of MovieLens 1M's ratings a fifth of the users has the half. */
  private static final double SKEW = 1.5;

  private static final double NOISE = 0.7;

  /** As many ratings, the same for the same seed. */
  static GeneratedRatings of(int count, long seed) {
    Random random = new Random(seed);
    // Of fewer there would be all pairs.
    int userCount = Math.max(count / OF_A_USER, (int) Math.ceil(3 * Math.sqrt(count)));
    int itemCount = Math.max(count / OF_AN_ITEM, (int) Math.ceil(2 * Math.sqrt(count)));
    float[][] tastes = hidden(random, userCount);
    float[][] kinds = hidden(random, itemCount);
    Set<Long> pairs = new HashSet<>();
    int[] users = new int[count];
    int[] items = new int[count];
    float[] ratings = new float[count];
    for (int i = 0; i < count; ) {
      int user = (int) (userCount * Math.pow(random.nextDouble(), SKEW));
      int item = (int) (itemCount * Math.pow(random.nextDouble(), SKEW));
      if (pairs.add((long) user << 32 | item)) {
        double rating = 3.5 + NOISE * random.nextGaussian();
        for (int h = 0; h < HIDDEN; h++) {
          rating += tastes[user][h] * kinds[item][h];
        }
        users[i] = user;
        items[i] = item;
        ratings[i] = (float) Math.min(5, Math.max(0.5, Math.round(2 * rating) / 2.0));
        i++;
      }
    }
    return new GeneratedRatings(users, items, ratings, count - count / HELD_OUT, userCount);
  }

  private static float[][] hidden(Random random, int count) {
    float[][] vectors = new float[count][HIDDEN];
    for (float[] vector : vectors) {
      for (int h = 0; h < HIDDEN; h++) {
        vector[h] = (float) (0.6 * random.nextGaussian());
      }
    }
    return vectors;
  }

  /** The vertex of an item: behind the users. */
  long item(int rating) {
    return (long) userCount + items[rating];
  }

  /** What is learnt of, as edges from users to items. */
  List<EdgeBlock> blocks(int count) {
    List<EdgeBlock> blocks = new ArrayList<>();
    for (int b = 0; b < count; b++) {
      int from = (int) ((long) learnt * b / count);
      int size = (int) ((long) learnt * (b + 1) / count) - from;
      long[] sources = new long[size];
      long[] destinations = new long[size];
      double[] values = new double[size];
      for (int i = 0; i < size; i++) {
        sources[i] = users[from + i];
        destinations[i] = item(from + i);
        values[i] = ratings[from + i];
      }
      blocks.add(new GlobalEdgeBlock(size, sources, destinations, values));
    }
    return blocks;
  }

  /**
   * The root of the mean squared error of predictions of ratings held out, by dot products. Ratings
   * of whom nothing was learnt do not count.
   *
   * @param factors of users and items, by vertex
   */
  double error(Map<Long, double[]> factors) {
    double squares = 0;
    int counted = 0;
    for (int i = learnt; i < ratings.length; i++) {
      double[] user = factors.get((long) users[i]);
      double[] item = factors.get(item(i));
      if (user != null && item != null) {
        double error = ratings[i];
        for (int h = 0; h < user.length; h++) {
          error -= user[h] * item[h];
        }
        squares += error * error;
        counted++;
      }
    }
    return Math.sqrt(squares / counted);
  }
}
