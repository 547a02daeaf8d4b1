package org.sparkgpugraph.testing;

import java.io.Serializable;
import java.util.Random;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;

/**
 * Seeded small programs: real lambdas with captured parameters. All of them either end by
 * themselves or have a bound, and all give a result that does not depend on the order of messages
 * (floating sums are of integers small enough to be exact), so that results can be compared to the
 * bit.
 */
public final class RandomPrograms {
  private RandomPrograms() {}

  /** To which ends of an edge a program sends. */
  public enum Sides {
    DESTINATION,
    SOURCE,
    BOTH,
    TWICE
  }

  /** A shortest path with its last hop: a value of three kinds. */
  public record Hop(double distance, long parent, int hops) implements Serializable {}

  /** A range of a record inside a record. */
  public record Bounds(int low, int high) implements Serializable {}

  /** A nested value. */
  public record Seen(Bounds bounds, boolean marked, float weight) implements Serializable {}

  /** A vertex attribute of a record type that becomes another state. */
  public record Start(long seed, int step) implements Serializable {}

  /** Programs of GraphX's own three functions. */
  private static final int PLAIN = 13;

  /** Programs that need more than GraphX's Pregel. */
  private static final int EXTENDED = 10;

  /** A program that GraphX's Pregel can run. */
  public static TestProgram<?, ?, ?, ?, ?> plain(long seed) {
    Random random = new Random(seed);
    Sides sides = Sides.values()[random.nextInt(Sides.values().length)];
    TestProgram<?, ?, ?, ?, ?> program = plain(random.nextInt(PLAIN), sides, random);
    return program.direction(anyDirection(random));
  }

  /** A program that uses something GraphX's Pregel has not. */
  public static TestProgram<?, ?, ?, ?, ?> extended(long seed) {
    Random random = new Random(seed);
    Sides sides = Sides.values()[random.nextInt(Sides.values().length)];
    return extended(random.nextInt(EXTENDED), sides, random).direction(anyDirection(random));
  }

  /** A program that gives a vertex the most frequent of its messages. */
  public static TestProgram<?, ?, ?, ?, ?> mode(long seed) {
    Random random = new Random(seed);
    Sides sides = Sides.values()[random.nextInt(Sides.values().length)];
    TestProgram<?, ?, ?, ?, ?> program =
        random.nextBoolean() ? mostFrequent(sides, random) : mostFrequentOfSome(sides, random);
    return program.direction(anyDirection(random));
  }

  /** A program whose send function computes something of one end alone. */
  public static TestProgram<?, ?, ?, ?, ?> hoistable(long seed) {
    Random random = new Random(seed);
    Sides sides = Sides.values()[random.nextInt(Sides.values().length)];
    return HoistablePrograms.any(sides, random).direction(anyDirection(random));
  }

  /** Any of them. */
  public static TestProgram<?, ?, ?, ?, ?> any(long seed) {
    return switch (new Random(seed).nextInt(8)) {
      case 0, 1 -> extended(seed);
      case 2 -> hoistable(seed);
      default -> plain(seed);
    };
  }

  private static ActiveDirection anyDirection(Random random) {
    return ActiveDirection.values()[random.nextInt(4)];
  }

  private static int bound(Random random, int most) {
    return 1 + random.nextInt(most);
  }

  /** No bound in half of the cases. */
  private static int perhapsBound(Random random) {
    return random.nextBoolean() ? Integer.MAX_VALUE : bound(random, 6);
  }

  private static TestProgram<?, ?, ?, ?, ?> plain(int which, Sides sides, Random random) {
    return switch (which) {
      case 0 -> minLong(sides, random);
      case 1 -> shortestPath(sides, random);
      case 2 -> maxInt(sides, random);
      case 3 -> xorInt(sides, random);
      case 4 -> sumLong(sides, random);
      case 5 -> sumDouble(sides, random);
      case 6 -> orLong(sides, random);
      case 7 -> lastHop(sides, random);
      case 8 -> maxFloat(sides, random);
      case 9 -> reach(sides, random);
      case 10 -> ids(sides, random);
      case 11 -> bounds(sides, random);
      case 12 -> anyOf(sides, random);
      default -> throw new IllegalArgumentException("program " + which);
    };
  }

  private static TestProgram<?, ?, ?, ?, ?> extended(int which, Sides sides, Random random) {
    return switch (which) {
      case 0 -> stateAndResult(sides, random);
      case 1 -> everyVertexSum(sides, random);
      case 2 -> everyVertexWithoutInitial(sides, random);
      case 3 -> activeWhen(sides, random);
      case 4 -> gatherAll(sides, random);
      case 5 -> aggregates(sides, random);
      case 6 -> stopWhen(sides, random);
      case 7 -> everythingAtOnce(sides, random);
      case 8 -> mostFrequent(sides, random);
      case 9 -> mostFrequentOfSome(sides, random);
      default -> throw new IllegalArgumentException("program " + which);
    };
  }

  // ---- plain programs ----

  private static TestProgram<?, ?, ?, ?, ?> minLong(Sides sides, Random random) {
    long modulus = 1 + random.nextInt(40);
    return new TestProgram<Long, Integer, Long, Long, Long>(
            "minLong " + sides, Long.class, Integer.class, Long.class, Long.class)
        .inputs(r -> (long) r.nextInt(1000) - 500, r -> r.nextInt(10))
        .initial(Long.MAX_VALUE)
        .vertex((id, value, message) -> Math.min(value, message))
        .send(
            switch (sides) {
              case DESTINATION ->
                  edge -> {
                    if (edge.srcAttr() < edge.dstAttr()) {
                      edge.sendToDst(edge.srcAttr());
                    }
                  };
              case SOURCE ->
                  edge -> {
                    if (edge.dstAttr() < edge.srcAttr()) {
                      edge.sendToSrc(edge.dstAttr());
                    }
                  };
              case BOTH ->
                  edge -> {
                    if (edge.srcAttr() < edge.dstAttr()) {
                      edge.sendToDst(edge.srcAttr());
                    } else if (edge.srcAttr() > edge.dstAttr()) {
                      edge.sendToSrc(edge.dstAttr());
                    }
                  };
              case TWICE ->
                  edge -> {
                    if (edge.srcAttr() < edge.dstAttr()) {
                      edge.sendToDst(edge.srcAttr() + edge.attr() % modulus);
                      edge.sendToDst(edge.srcAttr());
                    }
                  };
            })
        .merge(Math::min)
        .maxIterations(perhapsBound(random));
  }

  private static TestProgram<?, ?, ?, ?, ?> shortestPath(Sides sides, Random random) {
    double factor = 0.5 * (1 + random.nextInt(4));
    int sources = 1 + random.nextInt(6);
    return new TestProgram<Double, Double, Double, Double, Double>(
            "shortestPath " + sides, Double.class, Double.class, Double.class, Double.class)
        .inputs(
            r -> r.nextInt(sources) == 0 ? 0.0 : Double.POSITIVE_INFINITY, r -> 1.0 + r.nextInt(16))
        .initial(Double.POSITIVE_INFINITY)
        .vertex((id, value, message) -> Math.min(value, message))
        .send(
            switch (sides) {
              case DESTINATION ->
                  edge -> {
                    if (edge.srcAttr() + edge.attr() * factor < edge.dstAttr()) {
                      edge.sendToDst(edge.srcAttr() + edge.attr() * factor);
                    }
                  };
              case SOURCE ->
                  edge -> {
                    double candidate = edge.dstAttr() + edge.attr();
                    if (candidate < edge.srcAttr()) {
                      edge.sendToSrc(candidate);
                    }
                  };
              case BOTH ->
                  edge -> {
                    double step = edge.attr() * factor;
                    if (edge.srcAttr() + step < edge.dstAttr()) {
                      edge.sendToDst(edge.srcAttr() + step);
                    }
                    if (edge.dstAttr() + step < edge.srcAttr()) {
                      edge.sendToSrc(edge.dstAttr() + step);
                    }
                  };
              case TWICE ->
                  edge -> {
                    if (edge.srcAttr() + edge.attr() < edge.dstAttr()) {
                      edge.sendToDst(edge.srcAttr() + edge.attr());
                      edge.sendToDst(edge.srcAttr() + 2 * edge.attr());
                    }
                  };
            })
        .merge(Math::min)
        .maxIterations(perhapsBound(random));
  }

  private static TestProgram<?, ?, ?, ?, ?> maxInt(Sides sides, Random random) {
    int cap = 20 + random.nextInt(60);
    return new TestProgram<Integer, Integer, Integer, Integer, Integer>(
            "maxInt " + sides, Integer.class, Integer.class, Integer.class, Integer.class)
        .inputs(r -> r.nextInt(30) - 15, r -> r.nextInt(4))
        .initial(Integer.MIN_VALUE)
        // Not a plain maximum: it is capped, which the engines must not take for a merge.
        .vertex((id, value, message) -> Math.min(Math.max(value, message), cap))
        .send(
            switch (sides) {
              case DESTINATION ->
                  edge -> {
                    if (edge.srcAttr() + 1 > edge.dstAttr() && edge.dstAttr() < cap) {
                      edge.sendToDst(edge.srcAttr() + 1);
                    }
                  };
              case SOURCE ->
                  edge -> {
                    int candidate = edge.dstAttr() + edge.attr();
                    if (candidate > edge.srcAttr() && edge.srcAttr() < cap) {
                      edge.sendToSrc(candidate);
                    }
                  };
              case BOTH ->
                  edge -> {
                    if (edge.srcAttr() > edge.dstAttr()) {
                      edge.sendToDst(edge.srcAttr());
                    }
                    if (edge.dstAttr() > edge.srcAttr()) {
                      edge.sendToSrc(edge.dstAttr());
                    }
                  };
              case TWICE ->
                  edge -> {
                    int i = 0;
                    while (i < 2 && edge.srcAttr() > edge.dstAttr() + i) {
                      edge.sendToDst(edge.srcAttr() - i);
                      i++;
                    }
                  };
            })
        .merge((a, b) -> a > b ? a : b)
        .maxIterations(perhapsBound(random));
  }

  private static TestProgram<?, ?, ?, ?, ?> xorInt(Sides sides, Random random) {
    int factor = random.nextInt();
    int shift = random.nextInt(70) - 4;
    return new TestProgram<Integer, Integer, Integer, Integer, Integer>(
            "xorInt " + sides, Integer.class, Integer.class, Integer.class, Integer.class)
        .inputs(Random::nextInt, Random::nextInt)
        .initial(random.nextInt())
        .vertex((id, value, message) -> value * factor + (message >>> shift) ^ (int) id)
        .send(
            switch (sides) {
              case DESTINATION -> edge -> edge.sendToDst(edge.srcAttr() ^ edge.attr());
              case SOURCE -> edge -> edge.sendToSrc(edge.dstAttr() ^ edge.attr());
              case BOTH ->
                  edge -> {
                    edge.sendToDst(edge.srcAttr() << shift);
                    edge.sendToSrc(edge.dstAttr() >> shift);
                  };
              case TWICE ->
                  edge -> {
                    if ((edge.srcId() & 1) == 0) {
                      edge.sendToDst(edge.srcAttr());
                      edge.sendToDst(edge.dstAttr());
                    }
                  };
            })
        .merge((a, b) -> a ^ b)
        .maxIterations(bound(random, 5));
  }

  private static TestProgram<?, ?, ?, ?, ?> sumLong(Sides sides, Random random) {
    long keep = random.nextInt(7) - 3;
    int threshold = random.nextInt(100);
    return new TestProgram<Long, Long, Long, Long, Long>(
            "sumLong " + sides, Long.class, Long.class, Long.class, Long.class)
        .inputs(r -> (long) r.nextInt(100), r -> r.nextLong() >> r.nextInt(64))
        .initial(0L)
        .vertex((id, value, message) -> value * keep + message)
        .send(
            switch (sides) {
              case DESTINATION ->
                  edge -> {
                    if (edge.srcAttr() > threshold) {
                      edge.sendToDst(edge.srcAttr() * edge.attr());
                    }
                  };
              case SOURCE ->
                  edge -> {
                    if (edge.dstAttr() % 3 != 0) {
                      edge.sendToSrc(edge.dstAttr() - edge.srcAttr());
                    }
                  };
              case BOTH ->
                  edge -> {
                    edge.sendToDst(edge.srcAttr());
                    if (edge.attr() > threshold) {
                      edge.sendToSrc(edge.attr());
                    }
                  };
              case TWICE ->
                  edge -> {
                    edge.sendToDst(edge.srcAttr());
                    edge.sendToDst(1L);
                    if (edge.dstAttr() < threshold) {
                      edge.sendToSrc(2L);
                      edge.sendToSrc(edge.dstAttr());
                    }
                  };
            })
        .merge(Long::sum)
        .maxIterations(bound(random, 5));
  }

  private static TestProgram<?, ?, ?, ?, ?> sumDouble(Sides sides, Random random) {
    double damping = random.nextBoolean() ? 0.5 : 0.25;
    return new TestProgram<Double, Integer, Double, Double, Double>(
            "sumDouble " + sides, Double.class, Integer.class, Double.class, Double.class)
        .inputs(r -> 1.0 + r.nextInt(8), r -> 1 + r.nextInt(3))
        .initial(1.0)
        .vertex((id, value, message) -> 1 + damping * message)
        .send(
            switch (sides) {
              case DESTINATION -> edge -> edge.sendToDst(edge.srcAttr() * edge.attr());
              case SOURCE -> edge -> edge.sendToSrc(edge.dstAttr());
              case BOTH ->
                  edge -> {
                    edge.sendToDst(edge.srcAttr());
                    edge.sendToSrc((double) edge.attr());
                  };
              case TWICE ->
                  edge -> {
                    edge.sendToDst(edge.srcAttr());
                    edge.sendToDst(edge.dstAttr());
                  };
            })
        .merge(Double::sum)
        // Sums of multiples of 2^-6 below 2^47: exact in any order.
        .maxIterations(bound(random, 3));
  }

  private static TestProgram<?, ?, ?, ?, ?> orLong(Sides sides, Random random) {
    long mask = random.nextBoolean() ? -1L : random.nextLong();
    return new TestProgram<Long, Boolean, Long, Long, Long>(
            "orLong " + sides, Long.class, Boolean.class, Long.class, Long.class)
        .inputs(r -> 1L << r.nextInt(64), Random::nextBoolean)
        .initial(0L)
        .vertex((id, value, message) -> value | message)
        .send(
            switch (sides) {
              case DESTINATION ->
                  edge -> {
                    if ((edge.srcAttr() & ~edge.dstAttr()) != 0) {
                      edge.sendToDst(edge.srcAttr());
                    }
                  };
              case SOURCE ->
                  edge -> {
                    if ((edge.dstAttr() & mask & ~edge.srcAttr()) != 0) {
                      edge.sendToSrc(edge.dstAttr() & mask);
                    }
                  };
              case BOTH ->
                  edge -> {
                    if (edge.srcAttr().longValue() != edge.dstAttr().longValue()) {
                      edge.sendToDst(edge.srcAttr());
                      edge.sendToSrc(edge.dstAttr());
                    }
                  };
              case TWICE ->
                  edge -> {
                    long missing = edge.srcAttr() & ~edge.dstAttr();
                    if (edge.attr() && missing != 0) {
                      edge.sendToDst(missing & mask);
                      edge.sendToDst(missing & ~mask);
                    }
                  };
            })
        .merge((a, b) -> a | b)
        .maxIterations(perhapsBound(random));
  }

  private static TestProgram<?, ?, ?, ?, ?> lastHop(Sides sides, Random random) {
    int most = 3 + random.nextInt(8);
    MergeMessage<Hop> nearer =
        (a, b) -> {
          if (a.distance() != b.distance()) {
            return a.distance() < b.distance() ? a : b;
          }
          if (a.parent() != b.parent()) {
            return a.parent() < b.parent() ? a : b;
          }
          return a.hops() <= b.hops() ? a : b;
        };
    return new TestProgram<Hop, Float, Hop, Hop, Hop>(
            "lastHop " + sides, Hop.class, Float.class, Hop.class, Hop.class)
        .inputs(
            r ->
                r.nextInt(4) == 0
                    ? new Hop(0, -1, 0)
                    : new Hop(Double.POSITIVE_INFINITY, Long.MAX_VALUE, 1000),
            r -> 1f + r.nextInt(9))
        .initial(new Hop(Double.POSITIVE_INFINITY, Long.MAX_VALUE, 1000))
        .vertex((id, value, message) -> message.distance() < value.distance() ? message : value)
        .send(
            switch (sides) {
              case DESTINATION, TWICE ->
                  edge -> {
                    Hop from = edge.srcAttr();
                    double distance = from.distance() + edge.attr();
                    if (distance < edge.dstAttr().distance() && from.hops() < most) {
                      edge.sendToDst(new Hop(distance, edge.srcId(), from.hops() + 1));
                    }
                  };
              case SOURCE ->
                  edge -> {
                    Hop from = edge.dstAttr();
                    if (from.distance() + edge.attr() < edge.srcAttr().distance()) {
                      edge.sendToSrc(
                          new Hop(from.distance() + edge.attr(), edge.dstId(), from.hops() + 1));
                    }
                  };
              case BOTH ->
                  edge -> {
                    Hop source = edge.srcAttr();
                    Hop destination = edge.dstAttr();
                    if (source.distance() + 1 < destination.distance()) {
                      edge.sendToDst(
                          new Hop(source.distance() + 1, edge.srcId(), source.hops() + 1));
                    } else if (destination.distance() + 1 < source.distance()) {
                      edge.sendToSrc(
                          new Hop(destination.distance() + 1, edge.dstId(), source.hops()));
                    }
                  };
            })
        .merge(nearer)
        .maxIterations(perhapsBound(random));
  }

  private static TestProgram<?, ?, ?, ?, ?> maxFloat(Sides sides, Random random) {
    float decay = 0.25f + 0.5f * random.nextFloat();
    return new TestProgram<Float, Float, Float, Float, Float>(
            "maxFloat " + sides, Float.class, Float.class, Float.class, Float.class)
        .inputs(Random::nextFloat, Random::nextFloat)
        .initial(0f)
        .vertex((id, value, message) -> Math.max(value, message))
        .send(
            switch (sides) {
              case DESTINATION, TWICE -> edge -> edge.sendToDst(edge.srcAttr() * decay);
              case SOURCE ->
                  edge -> {
                    if (edge.dstAttr() * edge.attr() > edge.srcAttr()) {
                      edge.sendToSrc(edge.dstAttr() * edge.attr());
                    }
                  };
              case BOTH ->
                  edge -> {
                    edge.sendToDst(edge.srcAttr() * decay);
                    edge.sendToSrc(edge.dstAttr() * decay);
                  };
            })
        .merge(Math::max)
        .maxIterations(bound(random, 6));
  }

  private static TestProgram<?, ?, ?, ?, ?> reach(Sides sides, Random random) {
    long forbidden = random.nextInt(5);
    return new TestProgram<Boolean, Boolean, Boolean, Boolean, Boolean>(
            "reach " + sides, Boolean.class, Boolean.class, Boolean.class, Boolean.class)
        .inputs(r -> r.nextInt(6) == 0, r -> r.nextInt(4) != 0)
        .initial(false)
        .vertex((id, value, message) -> value || message)
        .send(
            switch (sides) {
              case DESTINATION ->
                  edge -> {
                    if (edge.srcAttr() && !edge.dstAttr()) {
                      edge.sendToDst(true);
                    }
                  };
              case SOURCE ->
                  edge -> {
                    if (edge.dstAttr() && !edge.srcAttr() && edge.attr()) {
                      edge.sendToSrc(true);
                    }
                  };
              case BOTH ->
                  edge -> {
                    if (edge.srcAttr().booleanValue() != edge.dstAttr().booleanValue()
                        && edge.dstId() % 5 != forbidden
                        && edge.srcId() % 5 != forbidden) {
                      edge.sendToDst(edge.srcAttr());
                      edge.sendToSrc(edge.dstAttr());
                    }
                  };
              case TWICE ->
                  edge -> {
                    if (edge.attr() && edge.srcAttr() && !edge.dstAttr()) {
                      edge.sendToDst(false);
                      edge.sendToDst(true);
                    }
                  };
            })
        .merge((a, b) -> a || b)
        .maxIterations(perhapsBound(random));
  }

  private static TestProgram<?, ?, ?, ?, ?> ids(Sides sides, Random random) {
    long salt = random.nextLong() | 1;
    return new TestProgram<Long, Integer, Long, Long, Long>(
            "ids " + sides, Long.class, Integer.class, Long.class, Long.class)
        .inputs(r -> 0L, r -> 0)
        .initial(Long.MIN_VALUE)
        .vertex((id, value, message) -> message == Long.MIN_VALUE ? id : Math.max(value, message))
        .send(
            switch (sides) {
              case DESTINATION ->
                  edge -> {
                    if (edge.srcAttr() > edge.dstAttr()) {
                      edge.sendToDst(edge.srcAttr());
                    }
                  };
              case SOURCE ->
                  edge -> {
                    if (edge.srcId() < edge.dstId() && edge.dstAttr() > edge.srcAttr()) {
                      edge.sendToSrc(edge.dstAttr());
                    }
                  };
              case BOTH ->
                  edge -> {
                    edge.sendToDst(edge.srcId() * salt);
                    edge.sendToSrc(edge.dstId() ^ salt);
                  };
              case TWICE ->
                  edge -> {
                    if (edge.srcId() == edge.dstId()) {
                      edge.sendToDst(salt);
                      edge.sendToSrc(edge.srcId());
                    }
                  };
            })
        .merge(Math::max)
        .maxIterations(bound(random, 7));
  }

  private static TestProgram<?, ?, ?, ?, ?> bounds(Sides sides, Random random) {
    float limit = random.nextFloat() * 4;
    MergeMessage<Bounds> join =
        (a, b) -> new Bounds(Math.min(a.low(), b.low()), Math.max(a.high(), b.high()));
    return new TestProgram<Seen, Bounds, Seen, Bounds, Seen>(
            "bounds " + sides, Seen.class, Bounds.class, Bounds.class, Seen.class)
        .inputs(
            r -> {
              int x = r.nextInt(100);
              return new Seen(new Bounds(x, x + 1), r.nextBoolean(), r.nextFloat());
            },
            r -> new Bounds(r.nextInt(3), 3 + r.nextInt(3)))
        .initial(new Bounds(Integer.MAX_VALUE, Integer.MIN_VALUE))
        .vertex(
            (id, value, message) -> {
              Bounds old = value.bounds();
              Bounds now =
                  new Bounds(
                      Math.min(old.low(), message.low()), Math.max(old.high(), message.high()));
              boolean grew = now.low() != old.low() || now.high() != old.high();
              return new Seen(now, grew || value.marked(), value.weight() + (grew ? 1 : 0));
            })
        .send(
            switch (sides) {
              case DESTINATION ->
                  edge -> {
                    if (edge.srcAttr().marked()) {
                      edge.sendToDst(edge.srcAttr().bounds());
                    }
                  };
              case SOURCE ->
                  edge -> {
                    if (edge.dstAttr().weight() < limit) {
                      edge.sendToSrc(
                          new Bounds(
                              edge.dstAttr().bounds().low() - edge.attr().low(),
                              edge.dstAttr().bounds().high()));
                    }
                  };
              case BOTH, TWICE ->
                  edge -> {
                    edge.sendToDst(edge.srcAttr().bounds());
                    edge.sendToSrc(edge.attr());
                  };
            })
        .merge(join)
        .maxIterations(bound(random, 6));
  }

  /** Breadth-first levels: messages of a round are all equal, so any of them will do. */
  private static TestProgram<?, ?, ?, ?, ?> anyOf(Sides sides, Random random) {
    int unreached = -1 - random.nextInt(3);
    return new TestProgram<Integer, Integer, Integer, Integer, Integer>(
            "anyOf " + sides, Integer.class, Integer.class, Integer.class, Integer.class)
        .inputs(r -> r.nextInt(5) == 0 ? 0 : unreached, r -> 0)
        .initial(unreached)
        .vertex((id, value, message) -> value < 0 ? message : value)
        .send(
            switch (sides) {
              case DESTINATION, TWICE ->
                  edge -> {
                    if (edge.srcAttr() >= 0 && edge.dstAttr() < 0) {
                      edge.sendToDst(edge.srcAttr() + 1);
                    }
                  };
              case SOURCE ->
                  edge -> {
                    if (edge.dstAttr() >= 0 && edge.srcAttr() < 0) {
                      edge.sendToSrc(edge.dstAttr() + 1);
                    }
                  };
              case BOTH ->
                  edge -> {
                    if (edge.srcAttr() >= 0 && edge.dstAttr() < 0) {
                      edge.sendToDst(edge.srcAttr() + 1);
                    } else if (edge.dstAttr() >= 0 && edge.srcAttr() < 0) {
                      edge.sendToSrc(edge.dstAttr() + 1);
                    }
                  };
            })
        .merge(sides == Sides.SOURCE ? (a, b) -> b : (a, b) -> a)
        .maxIterations(perhapsBound(random));
  }

  // ---- programs that need more than GraphX's Pregel ----

  private static SendMessage<Long, Integer, Long> longs(Sides sides, int threshold) {
    return switch (sides) {
      case DESTINATION -> edge -> edge.sendToDst(edge.srcAttr() + edge.attr());
      case SOURCE -> edge -> edge.sendToSrc(edge.dstAttr() - edge.attr());
      case BOTH ->
          edge -> {
            edge.sendToDst(edge.srcAttr());
            if (edge.attr() > threshold) {
              edge.sendToSrc(edge.dstAttr());
            }
          };
      case TWICE ->
          edge -> {
            if (edge.srcAttr() > edge.dstAttr() || edge.attr() < threshold) {
              edge.sendToDst(edge.srcAttr());
              edge.sendToDst((long) edge.attr());
            }
          };
    };
  }

  private static <VD, R> TestProgram<VD, Integer, Long, Long, R> longProgram(
      String name, Class<VD> attribute, Class<R> result) {
    return new TestProgram<>(name, attribute, Integer.class, Long.class, result);
  }

  private static TestProgram<?, ?, ?, ?, ?> stateAndResult(Sides sides, Random random) {
    long factor = random.nextInt(9) - 4;
    int bound = bound(random, 4);
    return RandomPrograms.<Start, Hop>longProgram("stateAndResult " + sides, Start.class, Hop.class)
        .inputs(r -> new Start(r.nextInt(50), r.nextInt(5)), r -> r.nextInt(6))
        .state((id, start, in, out) -> start.seed() * factor + 1000L * in + 7 * out + (id & 3))
        .initial(random.nextInt(3) - 1L)
        .vertex((id, value, message) -> value + message)
        .send(longs(sides, random.nextInt(6)))
        .merge((a, b) -> a + b)
        .result((id, start, value) -> new Hop(value * 0.5, start.seed(), start.step()))
        .maxIterations(bound);
  }

  private static TestProgram<?, ?, ?, ?, ?> everyVertexSum(Sides sides, Random random) {
    long reset = random.nextInt(20);
    return longProgram("everyVertexSum " + sides, Long.class, Long.class)
        .inputs(r -> (long) r.nextInt(20), r -> r.nextInt(6))
        .initial(1L)
        .everyVertex((long) random.nextInt(2))
        .vertex((id, value, message) -> reset + 3 * message - value)
        .send(longs(sides, random.nextInt(6)))
        .merge(Long::sum)
        .maxIterations(bound(random, 5));
  }

  private static TestProgram<?, ?, ?, ?, ?> everyVertexWithoutInitial(Sides sides, Random random) {
    long keep = random.nextInt(3);
    return longProgram("everyVertexWithoutInitial " + sides, Long.class, Long.class)
        .inputs(r -> (long) r.nextInt(20), r -> r.nextInt(6))
        .state((id, attribute, in, out) -> attribute + out)
        .everyVertex(Long.MIN_VALUE)
        .vertex((id, value, message) -> Math.max(message, value * keep) - 1)
        .send(longs(sides, random.nextInt(6)))
        .merge((a, b) -> a >= b ? a : b)
        .maxIterations(bound(random, 5));
  }

  private static TestProgram<?, ?, ?, ?, ?> activeWhen(Sides sides, Random random) {
    long most = 10 + random.nextInt(1000);
    return longProgram("activeWhen " + sides, Long.class, Long.class)
        .inputs(r -> (long) r.nextInt(20), r -> r.nextInt(6))
        .initial(0L)
        .vertex((id, value, message) -> (value + message) % 4096)
        .send(longs(sides, random.nextInt(6)))
        .merge(Long::sum)
        .activeWhen((id, before, after) -> after - before > 2 && after < most)
        .maxIterations(bound(random, 6));
  }

  private static TestProgram<?, ?, ?, ?, ?> mostFrequent(Sides sides, Random random) {
    int labels = 1 + random.nextInt(6);
    long step = random.nextBoolean() ? 1 : random.nextLong();
    return new TestProgram<Long, Long, Long, Long, Long>(
            "mostFrequent " + sides, Long.class, Long.class, Long.class, Long.class)
        .inputs(r -> step * (r.nextInt(labels) - 1), r -> step * r.nextInt(labels))
        .initial(Long.MIN_VALUE)
        .vertex((id, value, message) -> message == Long.MIN_VALUE ? value : message)
        .send(
            switch (sides) {
              case DESTINATION -> edge -> edge.sendToDst(edge.srcAttr());
              case SOURCE -> edge -> edge.sendToSrc(edge.dstAttr());
              case BOTH ->
                  edge -> {
                    edge.sendToDst(edge.srcAttr());
                    edge.sendToSrc(edge.dstAttr());
                  };
              case TWICE ->
                  edge -> {
                    edge.sendToDst(edge.srcAttr());
                    if (edge.srcAttr() > edge.attr()) {
                      edge.sendToSrc(edge.dstAttr());
                    } else {
                      edge.sendToDst(edge.attr());
                    }
                  };
            })
        .mergeMode()
        .maxIterations(bound(random, 6));
  }

  private static TestProgram<?, ?, ?, ?, ?> mostFrequentOfSome(Sides sides, Random random) {
    int modulus = 2 + random.nextInt(5);
    boolean all = random.nextBoolean();
    boolean always = random.nextBoolean();
    TestProgram<Integer, Integer, Integer, Integer, Long> program =
        new TestProgram<Integer, Integer, Integer, Integer, Long>(
                "mostFrequentOfSome " + sides,
                Integer.class,
                Integer.class,
                Integer.class,
                Long.class)
            .inputs(r -> r.nextInt(modulus), r -> r.nextInt(3))
            .vertexWithContext(
                (id, value, message, run) ->
                    (value + message + (int) run.aggregate("changed")) % modulus)
            .send(
                switch (sides) {
                  case DESTINATION ->
                      edge -> {
                        if (edge.attr() > 0) {
                          edge.sendToDst(edge.srcAttr() - edge.attr());
                        }
                      };
                  case SOURCE ->
                      edge -> {
                        if (edge.srcAttr() != 0) {
                          edge.sendToSrc(edge.dstAttr());
                        }
                      };
                  case BOTH ->
                      edge -> {
                        if (edge.attr() < 2) {
                          edge.sendToDst(edge.srcAttr());
                        }
                        if (edge.dstAttr() > edge.srcAttr()) {
                          edge.sendToSrc(-edge.dstAttr());
                        }
                      };
                  case TWICE ->
                      edge -> {
                        edge.sendToDst(edge.attr());
                        edge.sendToDst(edge.srcAttr());
                        edge.sendToDst(edge.attr());
                      };
                })
            .mergeMode()
            .activeWhen((id, before, after) -> before.intValue() != after.intValue())
            .aggregate(
                "changed",
                AggregateOperation.SUM,
                (id, before, after) -> before.intValue() == after.intValue() ? 0.0 : 1.0)
            .gather(all && !always ? Gather.ALL : Gather.ACTIVE)
            .result((id, attribute, value) -> (long) value - attribute)
            .maxIterations(bound(random, 5));
    return always ? program.everyVertex(1) : program.initial(0);
  }

  private static TestProgram<?, ?, ?, ?, ?> gatherAll(Sides sides, Random random) {
    long most = 5 + random.nextInt(2000);
    int remainder = random.nextInt(3);
    return longProgram("gatherAll " + sides, Long.class, Long.class)
        .inputs(r -> (long) r.nextInt(20), r -> r.nextInt(6))
        .initial(0L)
        .vertex((id, value, message) -> (value + message) % 4096)
        .send(longs(sides, random.nextInt(6)))
        .merge(Long::sum)
        .gather(Gather.ALL)
        .activeWhen((id, before, after) -> after % 3 == remainder && after < most)
        .maxIterations(bound(random, 6));
  }

  private static TestProgram<?, ?, ?, ?, ?> aggregates(Sides sides, Random random) {
    long modulus = 2 + random.nextInt(100);
    return longProgram("aggregates " + sides, Long.class, Long.class)
        .inputs(r -> (long) r.nextInt(20), r -> r.nextInt(6))
        .initial(1L)
        .vertexWithContext(
            (id, value, message, context) ->
                (value
                        + message
                        + (long) context.aggregate("change")
                        + context.superstep()
                        + context.vertexCount())
                    % modulus)
        .sendWithContext(
            (edge, context) -> {
              if (edge.srcAttr() >= context.aggregate("least")) {
                edge.sendToDst(edge.srcAttr() + context.superstep());
              }
              if (context.superstep() % 2 == 0 && edge.dstAttr() <= context.aggregate("most")) {
                edge.sendToSrc(edge.dstAttr());
              }
            })
        .merge(Long::sum)
        .aggregate("change", AggregateOperation.SUM, (id, before, after) -> after - before)
        .aggregate("least", AggregateOperation.MIN, (id, before, after) -> (double) after)
        .aggregate("most", AggregateOperation.MAX, (id, before, after) -> (double) before)
        .maxIterations(bound(random, 6));
  }

  private static TestProgram<?, ?, ?, ?, ?> stopWhen(Sides sides, Random random) {
    int last = random.nextInt(5);
    double enough = random.nextInt(5000);
    return longProgram("stopWhen " + sides, Long.class, Long.class)
        .inputs(r -> (long) r.nextInt(20), r -> r.nextInt(6))
        .initial(0L)
        .vertex((id, value, message) -> value + message)
        .send(longs(sides, random.nextInt(6)))
        .merge(Long::sum)
        .aggregate("total", AggregateOperation.SUM, (id, before, after) -> after % 1000)
        .stopWhen(context -> context.superstep() >= last || context.aggregate("total") > enough)
        .maxIterations(8);
  }

  private static TestProgram<?, ?, ?, ?, ?> everythingAtOnce(Sides sides, Random random) {
    long factor = 1 + random.nextInt(5);
    TestProgram<Start, Integer, Long, Long, Long> program =
        RandomPrograms.<Start, Long>longProgram(
                "everythingAtOnce " + sides, Start.class, Long.class)
            .inputs(r -> new Start(r.nextInt(50), r.nextInt(5)), r -> r.nextInt(6))
            .state((id, start, in, out) -> start.seed() + in - out)
            .initial(2L)
            .vertexWithContext(
                (id, value, message, context) ->
                    Math.floorMod(value * factor + message + (long) context.aggregate("sum"), 997L))
            .send(longs(sides, random.nextInt(6)))
            .merge((a, b) -> a < b ? a : b)
            .aggregate("sum", AggregateOperation.SUM, (id, before, after) -> after)
            .activeWhen((id, before, after) -> !before.equals(after))
            .finalAggregate("all", AggregateOperation.SUM, (id, before, after) -> after + before)
            .finalAggregate("top", AggregateOperation.MAX, (id, before, after) -> after)
            .resultWithContext(
                (id, start, value, context) ->
                    value * 10
                        + start.step()
                        + (long) context.aggregate("all")
                        - (long) context.aggregate("top")
                        + context.superstep())
            .stopWhen(context -> context.superstep() > 6)
            .gather(random.nextBoolean() ? Gather.ALL : Gather.ACTIVE)
            .maxIterations(bound(random, 8));
    return random.nextBoolean() ? program.everyVertex(3L) : program;
  }
}
