package org.sparkgpugraph.benchmarks.engine;

import java.util.List;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.StateFunction;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ProgramSource;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.WholeMerge;
import org.sparkgpugraph.program.hoist.Hoisting;
import org.sparkgpugraph.program.lift.ProgramLifter;

/** The programs of the engine benchmarks, as a user writes them, lifted. */
final class BenchmarkPrograms {
  private BenchmarkPrograms() {}

  /** A page's rank and one over its number of links. */
  record Page(double rank, double inverseDegree) {}

  /** A page that keeps what it gives along each of its edges too. */
  record SharingPage(double rank, double share, double inverseDegree) {}

  private static <S> ProgramInstance lift(
      StateFunction<?, S> state,
      VertexProgram<S, Double> program,
      SendMessage<S, Double, Double> send,
      MergeMessage<Double> merge) {
    return lift(Double.class, Double.class, state, program, send, merge);
  }

  /** Lifts a program that has neither aggregates nor a result function. */
  static <V, E, S, A> ProgramInstance lift(
      Class<V> attribute,
      Class<E> edge,
      StateFunction<?, S> state,
      VertexProgram<S, A> program,
      SendMessage<S, E, A> send,
      MergeMessage<A> merge) {
    return ProgramLifter.lift(
        new ProgramSource(
            ValueType.of(attribute),
            ValueType.of(edge),
            null,
            state,
            program,
            send,
            merge,
            null,
            List.of(),
            List.of(),
            null));
  }

  /** Lifts a program that gives a vertex the most frequent of its messages. */
  static <S, A> ProgramInstance liftMode(
      Class<A> message,
      StateFunction<?, S> state,
      VertexProgram<S, A> program,
      SendMessage<S, ?, A> send) {
    return ProgramLifter.lift(
        new ProgramSource(
            ValueType.of(Object.class),
            ValueType.of(Object.class),
            ValueType.of(message),
            state,
            program,
            send,
            WholeMerge.MODE,
            null,
            List.of(),
            List.of(),
            null));
  }

  /** PageRank as one writes it first: rank times weight at every edge, two gathers. */
  static ProgramInstance pageRank(double damping) {
    StateFunction<Double, Page> state =
        (id, attribute, in, out) -> new Page(1, out == 0 ? 0 : 1.0 / out);
    VertexProgram<Page, Double> program =
        (id, page, sum) -> new Page(1 - damping + damping * sum, page.inverseDegree());
    return lift(
        state,
        program,
        edge -> edge.sendToDst(edge.srcAttr().rank() * edge.srcAttr().inverseDegree()),
        Double::sum);
  }

  /** PageRank that gives along each edge what its value says of the rank. */
  static ProgramInstance weightedPageRank(double damping) {
    StateFunction<Double, Double> state = (id, attribute, in, out) -> 1.0;
    VertexProgram<Double, Double> program = (id, rank, sum) -> 1 - damping + damping * sum;
    return lift(state, program, edge -> edge.sendToDst(edge.srcAttr() * edge.attr()), Double::sum);
  }

  /** The same as it runs unless hoisting is off: one gather. */
  static ProgramInstance hoistedPageRank(double damping) {
    return Hoisting.apply(pageRank(damping), false);
  }

  /** PageRank whose author keeps the share in the vertex value: what hoisting should come to. */
  static ProgramInstance sharingPageRank(double damping) {
    StateFunction<Double, SharingPage> state =
        (id, attribute, in, out) ->
            new SharingPage(1, out == 0 ? 0 : 1.0 / out, out == 0 ? 0 : 1.0 / out);
    VertexProgram<SharingPage, Double> program =
        (id, page, sum) -> {
          double rank = 1 - damping + damping * sum;
          return new SharingPage(rank, rank * page.inverseDegree(), page.inverseDegree());
        };
    return lift(state, program, edge -> edge.sendToDst(edge.srcAttr().share()), Double::sum);
  }

  /** Weighted shortest paths from a source. */
  static ProgramInstance shortestPaths(long source) {
    StateFunction<Double, Double> state =
        (id, attribute, in, out) -> id == source ? 0.0 : Double.POSITIVE_INFINITY;
    return lift(
        state,
        (id, distance, message) -> Math.min(distance, message),
        edge -> {
          if (edge.srcAttr() + edge.attr() < edge.dstAttr()) {
            edge.sendToDst(edge.srcAttr() + edge.attr());
          }
        },
        Math::min);
  }

  /** Hops from a source. */
  static ProgramInstance hops(long source) {
    StateFunction<Double, Double> state =
        (id, attribute, in, out) -> id == source ? 0.0 : Double.POSITIVE_INFINITY;
    return lift(
        state,
        (id, distance, message) -> Math.min(distance, message),
        edge -> {
          if (edge.srcAttr() + 1 < edge.dstAttr()) {
            edge.sendToDst(edge.srcAttr() + 1);
          }
        },
        Math::min);
  }

  /** GraphX's ConnectedComponents. */
  static ProgramInstance components() {
    StateFunction<Double, Long> state = (id, attribute, in, out) -> id;
    VertexProgram<Long, Long> program = (id, component, message) -> Math.min(component, message);
    SendMessage<Long, Double, Long> send =
        edge -> {
          if (edge.srcAttr() < edge.dstAttr()) {
            edge.sendToDst(edge.srcAttr());
          } else if (edge.srcAttr() > edge.dstAttr()) {
            edge.sendToSrc(edge.dstAttr());
          }
        };
    return lift(Double.class, Double.class, state, program, send, Math::min);
  }

  /** Ten different programs, to fill the JVM with. */
  static List<ProgramInstance> ten() {
    StateFunction<Double, Double> state = (id, attribute, in, out) -> in + 1.0;
    return List.of(
        hoistedPageRank(0.5),
        pageRank(0.5),
        components(),
        shortestPaths(0),
        lift(state, (id, v, m) -> v + m, e -> e.sendToDst(1.0), Double::sum),
        lift(state, (id, v, m) -> v * m, e -> e.sendToDst(0.5), Math::max),
        lift(state, (id, v, m) -> m, e -> e.sendToDst(e.srcAttr() + 1), Math::min),
        lift(state, (id, v, m) -> v - m, e -> e.sendToDst(e.dstAttr()), Math::max),
        lift(state, (id, v, m) -> m / 2, e -> e.sendToDst(-e.srcAttr()), Double::sum),
        lift(
            state,
            (id, v, m) -> Math.abs(m),
            e -> {
              if (e.srcAttr() > e.dstAttr()) {
                e.sendToDst(Math.sqrt(e.srcAttr()));
              }
            },
            Double::sum));
  }
}
