package org.sparkgpugraph.testing;

import java.io.Serializable;
import java.util.Random;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.testing.RandomPrograms.Sides;

/**
 * Programs whose send functions compute something of one end alone that pays to be computed per
 * vertex: divisions, conditional expressions, several columns combined; with and without a state
 * function, to either end and to both, beside parts that depend on the edge. Merges are maxima or
 * sums of integers, so that results can be compared to the bit.
 */
final class HoistablePrograms {
  private static final int PROGRAMS = 8;

  /** A page as in PageRank. */
  record Page(double rank, int degree) implements Serializable {}

  /** A page as in PageRank until convergence. */
  record Changing(double rank, double delta, double weight) implements Serializable {}

  /** A fraction whose denominator may be zero. */
  record Fraction(int numerator, int denominator) implements Serializable {}

  /** A point. */
  record Point(float x, float y) implements Serializable {}

  private HoistablePrograms() {}

  static TestProgram<?, ?, ?, ?, ?> any(Sides sides, Random random) {
    return switch (random.nextInt(PROGRAMS)) {
      case 0 -> shares(sides, random);
      case 1 -> sharesOrNothing(sides, random);
      case 2 -> changes(sides, random);
      case 3 -> fractions(sides, random);
      case 4 -> guardedFractions(sides, random);
      case 5 -> distances(sides, random);
      case 6 -> roots(sides, random);
      default -> hashes(sides, random);
    };
  }

  private static TestProgram<?, ?, ?, ?, ?> shares(Sides sides, Random random) {
    TestProgram<Integer, Integer, Page, Double, Double> program =
        new TestProgram<Integer, Integer, Page, Double, Double>(
                "shares " + sides, Integer.class, Integer.class, Double.class, Double.class)
            .inputs(r -> r.nextInt(9), r -> 1 + r.nextInt(3))
            .state((id, attribute, in, out) -> new Page(attribute, out))
            .vertex((id, page, message) -> new Page(1 + 0.85 * message, page.degree()))
            .send(
                switch (sides) {
                  case DESTINATION ->
                      edge -> edge.sendToDst(edge.srcAttr().rank() / edge.srcAttr().degree());
                  case SOURCE ->
                      edge -> edge.sendToSrc(edge.dstAttr().rank() / edge.dstAttr().degree());
                  case BOTH ->
                      edge -> {
                        edge.sendToDst(edge.srcAttr().rank() / edge.srcAttr().degree());
                        edge.sendToSrc(edge.dstAttr().rank() / edge.dstAttr().degree());
                      };
                  case TWICE ->
                      edge -> {
                        double share = edge.srcAttr().rank() / edge.srcAttr().degree();
                        edge.sendToDst(share * edge.attr());
                        edge.sendToDst(share);
                      };
                })
            .merge(Math::max)
            .result((id, attribute, page) -> page.rank() - attribute)
            .maxIterations(1 + random.nextInt(5));
    return random.nextBoolean() ? program.everyVertex(0.0) : program.initial(0.5);
  }

  private static TestProgram<?, ?, ?, ?, ?> sharesOrNothing(Sides sides, Random random) {
    double nothing = random.nextInt(3) - 1;
    return new TestProgram<Integer, Integer, Page, Double, Page>(
            "sharesOrNothing " + sides, Integer.class, Integer.class, Double.class, Page.class)
        .inputs(r -> r.nextInt(9), r -> r.nextInt(3))
        .state((id, attribute, in, out) -> new Page(attribute, out == 1 ? 0 : out))
        .initial(0.5)
        .vertex((id, page, message) -> new Page(1 + 0.85 * message, page.degree()))
        .send(
            switch (sides) {
              case DESTINATION, TWICE ->
                  edge -> {
                    int degree = edge.srcAttr().degree();
                    edge.sendToDst(degree == 0 ? nothing : edge.srcAttr().rank() / degree);
                  };
              case SOURCE ->
                  edge -> {
                    int degree = edge.dstAttr().degree();
                    if (edge.attr() < 2) {
                      edge.sendToSrc(degree == 0 ? nothing : edge.dstAttr().rank() / degree);
                    }
                  };
              case BOTH ->
                  edge -> {
                    edge.sendToDst(share(edge.srcAttr(), nothing));
                    edge.sendToSrc(share(edge.dstAttr(), nothing));
                  };
            })
        .merge(Math::max)
        .aggregate("ranks", AggregateOperation.MAX, (id, before, after) -> after.rank())
        .activeWhen((id, before, after) -> before.rank() != after.rank())
        .maxIterations(1 + random.nextInt(5));
  }

  private static double share(Page page, double nothing) {
    return page.degree() == 0 ? nothing : page.rank() / page.degree();
  }

  private static TestProgram<?, ?, ?, ?, ?> changes(Sides sides, Random random) {
    double tolerance = random.nextInt(3) * 0.25;
    return new TestProgram<Double, Integer, Changing, Double, Changing>(
            "changes " + sides, Double.class, Integer.class, Double.class, Changing.class)
        .inputs(r -> (double) r.nextInt(9), r -> r.nextInt(3))
        .state((id, attribute, in, out) -> new Changing(attribute, 0, out == 0 ? 0 : 1.0 / out))
        .initial(1.0)
        .vertex(
            (id, page, message) -> {
              double rank = Math.max(page.rank(), message * 1.25);
              return new Changing(rank, rank - page.rank(), page.weight());
            })
        .send(
            switch (sides) {
              case DESTINATION ->
                  edge -> {
                    if (edge.srcAttr().delta() > tolerance) {
                      edge.sendToDst(edge.srcAttr().delta() * edge.srcAttr().weight());
                    }
                  };
              case SOURCE ->
                  edge -> {
                    if (edge.dstAttr().delta() > tolerance) {
                      edge.sendToSrc(edge.dstAttr().delta() * edge.dstAttr().weight());
                    }
                  };
              case BOTH, TWICE ->
                  edge -> {
                    if (edge.srcAttr().delta() > tolerance) {
                      edge.sendToDst(edge.srcAttr().delta() * edge.srcAttr().weight());
                    } else if (edge.dstAttr().delta() > tolerance) {
                      edge.sendToSrc(edge.dstAttr().delta() * edge.dstAttr().weight());
                    }
                  };
            })
        .merge(Math::max)
        .maxIterations(1 + random.nextInt(8));
  }

  private static TestProgram<?, ?, ?, ?, ?> fractions(Sides sides, Random random) {
    int divisor = 2 + random.nextInt(5);
    return new TestProgram<Fraction, Integer, Fraction, Integer, Fraction>(
            "fractions " + sides, Fraction.class, Integer.class, Integer.class, Fraction.class)
        .inputs(r -> new Fraction(r.nextInt(1000) - 500, 1 + r.nextInt(9)), r -> 1 + r.nextInt(4))
        .initial(0)
        .vertex((id, f, message) -> new Fraction(f.numerator() + message, f.denominator()))
        .send(
            switch (sides) {
              case DESTINATION ->
                  edge -> edge.sendToDst(edge.srcAttr().numerator() / edge.srcAttr().denominator());
              case SOURCE ->
                  edge ->
                      edge.sendToSrc(
                          edge.dstAttr().numerator() % edge.dstAttr().denominator() + edge.attr());
              case BOTH ->
                  edge -> {
                    int share = edge.srcAttr().numerator() / edge.srcAttr().denominator();
                    if (share % divisor != 0) {
                      edge.sendToDst(share);
                    }
                    edge.sendToSrc(edge.dstAttr().numerator() / edge.dstAttr().denominator());
                  };
              case TWICE ->
                  edge -> {
                    edge.sendToDst(
                        Math.floorDiv(edge.srcAttr().numerator(), edge.srcAttr().denominator()));
                    edge.sendToDst(edge.srcAttr().numerator() % divisor);
                  };
            })
        .merge(Integer::sum)
        .maxIterations(1 + random.nextInt(5));
  }

  /** Denominators of zero, which the send function looks at before it divides. */
  private static TestProgram<?, ?, ?, ?, ?> guardedFractions(Sides sides, Random random) {
    int odd = random.nextInt(10);
    return new TestProgram<Fraction, Integer, Fraction, Integer, Integer>(
            "guardedFractions " + sides,
            Fraction.class,
            Integer.class,
            Integer.class,
            Integer.class)
        .inputs(r -> new Fraction(r.nextInt(1000) - 500, r.nextInt(3) - 1), r -> r.nextInt(4))
        .initial(1)
        .vertex((id, f, message) -> new Fraction(f.numerator() ^ message, f.denominator()))
        .send(
            switch (sides) {
              case DESTINATION, TWICE ->
                  edge -> {
                    Fraction f = edge.srcAttr();
                    if (f.denominator() != 0) {
                      edge.sendToDst(f.numerator() / f.denominator());
                    }
                  };
              case SOURCE ->
                  edge -> {
                    Fraction f = edge.dstAttr();
                    edge.sendToSrc(f.denominator() == 0 ? odd : f.numerator() / f.denominator());
                  };
              case BOTH ->
                  edge -> {
                    Fraction f = edge.srcAttr();
                    Fraction g = edge.dstAttr();
                    if (edge.attr() > 1 && f.denominator() != 0) {
                      edge.sendToDst(f.numerator() % f.denominator() + edge.attr());
                    }
                    if (g.denominator() != 0) {
                      edge.sendToSrc(g.numerator() % g.denominator());
                    }
                  };
            })
        .merge((a, b) -> a ^ b)
        .result((id, attribute, f) -> f.numerator() - attribute.numerator())
        .maxIterations(1 + random.nextInt(5));
  }

  private static TestProgram<?, ?, ?, ?, ?> distances(Sides sides, Random random) {
    float far = 1 + random.nextInt(60);
    return new TestProgram<Point, Integer, Point, Float, Point>(
            "distances " + sides, Point.class, Integer.class, Float.class, Point.class)
        .inputs(r -> new Point(r.nextInt(50), r.nextInt(50)), r -> r.nextInt(4))
        .initial(0f)
        .vertex((id, p, message) -> new Point(p.y(), message / 2))
        .send(
            switch (sides) {
              case DESTINATION, TWICE ->
                  edge -> {
                    Point p = edge.srcAttr();
                    edge.sendToDst((float) Math.sqrt(p.x() * p.x() + p.y() * p.y()));
                  };
              case SOURCE ->
                  edge -> {
                    Point p = edge.dstAttr();
                    edge.sendToSrc((p.x() < far ? p.x() : far) / p.y());
                  };
              case BOTH ->
                  edge -> {
                    Point p = edge.srcAttr();
                    Point q = edge.dstAttr();
                    edge.sendToDst(p.x() / (p.y() + 1) + edge.attr());
                    edge.sendToSrc(q.x() / (q.y() + 1));
                  };
            })
        .merge(Math::max)
        .maxIterations(1 + random.nextInt(5));
  }

  /** A value that is no record, and the attribute itself. */
  private static TestProgram<?, ?, ?, ?, ?> roots(Sides sides, Random random) {
    double shift = random.nextInt(4);
    return new TestProgram<Double, Double, Double, Double, Double>(
            "roots " + sides, Double.class, Double.class, Double.class, Double.class)
        .inputs(r -> (double) r.nextInt(1000), r -> 1.0 + r.nextInt(4))
        .initial(1.0)
        .vertex((id, value, message) -> Math.max(value / 2, message))
        .send(
            switch (sides) {
              case DESTINATION, TWICE ->
                  edge -> edge.sendToDst(Math.sqrt(edge.srcAttr() + shift) * edge.attr());
              case SOURCE -> edge -> edge.sendToSrc(100 / (1 + edge.dstAttr()) + edge.attr());
              case BOTH ->
                  edge -> {
                    edge.sendToDst(Math.sqrt(edge.srcAttr() + shift));
                    edge.sendToSrc(Math.sqrt(edge.dstAttr() + shift) / edge.attr());
                  };
            })
        .merge(Math::max)
        .maxIterations(1 + random.nextInt(5));
  }

  private static TestProgram<?, ?, ?, ?, ?> hashes(Sides sides, Random random) {
    long factor = random.nextLong();
    return new TestProgram<Long, Integer, Long, Long, Long>(
            "hashes " + sides, Long.class, Integer.class, Long.class, Long.class)
        .inputs(Random::nextLong, r -> r.nextInt(4))
        .initial(3L)
        .vertex((id, value, message) -> value * 31 + message)
        .send(
            switch (sides) {
              case DESTINATION, TWICE ->
                  edge -> edge.sendToDst((edge.srcId() ^ edge.srcAttr()) * factor);
              case SOURCE ->
                  edge -> {
                    if ((edge.dstId() * factor & 16) != 0) {
                      edge.sendToSrc(edge.dstAttr());
                    }
                  };
              case BOTH ->
                  edge -> {
                    edge.sendToDst(edge.srcAttr() % (edge.srcId() | 1));
                    edge.sendToSrc(edge.dstAttr() % (edge.dstId() | 1));
                  };
            })
        .merge(Long::sum)
        .maxIterations(1 + random.nextInt(5));
  }
}
