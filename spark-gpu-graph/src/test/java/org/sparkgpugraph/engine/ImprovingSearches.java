package org.sparkgpugraph.engine;

import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntToDoubleFunction;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.Kind;

/** Searches whose messages depend on edge values, most of whose vertices send nothing at first. */
public final class ImprovingSearches {
  private ImprovingSearches() {}

  /**
   * A search from some vertices.
   *
   * @param unreached the value of all others
   * @param sends whether its first superstep is left to who sends something
   * @param reached a value of the others, by a random number from 0 to 1
   * @param edge an edge value, likewise
   */
  public record Search(
      String name,
      Kind kind,
      Kind edgeKind,
      ProgramInstance program,
      double unreached,
      boolean sends,
      DoubleUnaryOperator reached,
      DoubleUnaryOperator edge) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Search paths(String name, boolean sends, DoubleUnaryOperator edge) {
    VertexProgram<Double, Double> nearer = (id, own, message) -> Math.min(own, message);
    SendMessage<Double, Double, Double> send =
        e -> {
          if (e.srcAttr() + e.attr() < e.dstAttr()) {
            e.sendToDst(e.srcAttr() + e.attr());
          }
        };
    return new Search(
        name,
        Kind.DOUBLE,
        Kind.DOUBLE,
        SpreadingCase.lift(Double.class, Double.class, nearer, send, Math::min),
        Double.POSITIVE_INFINITY,
        sends,
        x -> Math.round(10 * x),
        edge);
  }

  private static Search ints(String name, int unreached, boolean sends, DoubleUnaryOperator edge) {
    VertexProgram<Integer, Integer> nearer = (id, own, message) -> Math.min(own, message);
    SendMessage<Integer, Integer, Integer> send =
        e -> {
          if (e.srcAttr() + e.attr() < e.dstAttr()) {
            e.sendToDst(e.srcAttr() + e.attr());
          }
        };
    return new Search(
        name,
        Kind.INT,
        Kind.INT,
        SpreadingCase.lift(Integer.class, Integer.class, nearer, send, Math::min),
        unreached,
        sends,
        x -> 10 * x,
        edge);
  }

  /** All but {@link #overflow()}. */
  public static List<Search> all() {
    VertexProgram<Float, Float> surer = (id, own, message) -> Math.max(own, message);
    SendMessage<Float, Float, Float> reliable =
        e -> {
          if (e.srcAttr() * e.attr() > e.dstAttr()) {
            e.sendToDst(e.srcAttr() * e.attr());
          }
        };
    VertexProgram<Long, Long> more = (id, own, message) -> Math.max(own, message);
    SendMessage<Long, Integer, Long> left =
        e -> {
          if (e.srcAttr() - e.attr() > e.dstAttr()) {
            e.sendToDst(e.srcAttr() - e.attr());
          }
          if (e.dstAttr() - e.attr() > e.srcAttr()) {
            e.sendToSrc(e.dstAttr() - e.attr());
          }
        };
    SendMessage<Long, Integer, Long> leftBehind =
        e -> {
          if (e.srcAttr() - e.attr() > e.dstAttr()) {
            e.sendToDst(e.srcAttr() - e.attr());
          }
        };
    return List.of(
        paths("paths", true, x -> 1 + 9 * x),
        paths("some edges' values are no numbers", true, x -> x < 0.1 ? Double.NaN : 9 * x),
        paths("some edges are infinite", false, x -> x < 0.1 ? Double.NEGATIVE_INFINITY : x),
        ints("integers", 1 << 30, true, x -> 1 + 9 * x),
        ints("edges that make who is unreached a sender", 1 << 30, false, x -> 9 * x - 3),
        ints("integers that overflow", Integer.MAX_VALUE, false, x -> 9 * x),
        new Search(
            "reliable paths",
            Kind.FLOAT,
            Kind.FLOAT,
            SpreadingCase.lift(Float.class, Float.class, surer, reliable, Math::max),
            0,
            true,
            x -> 0.5 + x / 2,
            x -> 0.1 + 0.8 * x),
        new Search(
            "what is left",
            Kind.LONG,
            Kind.INT,
            SpreadingCase.lift(Long.class, Integer.class, more, leftBehind, Math::max),
            -1,
            true,
            x -> 20 + 100 * x,
            x -> 1 + 9 * x),
        new Search(
            "what is left, to both ends",
            Kind.LONG,
            Kind.INT,
            SpreadingCase.lift(Long.class, Integer.class, more, left, Math::max),
            -1,
            true,
            x -> 20 + 100 * x,
            x -> 1 + 9 * x));
  }

  /**
   * The least and the largest edge value, 0 and {@link Integer#MAX_VALUE}, make messages that
   * improve nothing, and values between them one that has overflown and does.
   */
  public static Search overflow() {
    VertexProgram<Integer, Integer> nearer = (id, own, message) -> Math.min(own, message);
    SendMessage<Integer, Integer, Integer> send =
        e -> {
          int sum = e.srcAttr() + (Integer.MIN_VALUE + 4) + e.attr();
          if (sum < e.dstAttr()) {
            e.sendToDst(sum);
          }
        };
    return new Search(
        "an overflow",
        Kind.INT,
        Kind.INT,
        SpreadingCase.lift(Integer.class, Integer.class, nearer, send, Math::min),
        -20,
        false,
        x -> -20,
        x -> 16);
  }

  /** A column of numbers by row. */
  public static Columns column(Kind kind, int rows, IntToDoubleFunction value) {
    Columns columns = Columns.allocate(List.of(kind), rows);
    for (int v = 0; v < rows; v++) {
      switch (kind) {
        case INT -> columns.ints(0)[v] = (int) value.applyAsDouble(v);
        case LONG -> columns.longs(0)[v] = (long) value.applyAsDouble(v);
        case FLOAT -> columns.floats(0)[v] = (float) value.applyAsDouble(v);
        default -> columns.doubles(0)[v] = value.applyAsDouble(v);
      }
    }
    return columns;
  }
}
