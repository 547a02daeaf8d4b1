package org.sparkgpugraph.adapter.fallback;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.graphx.EdgeContext;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.TripletFields;
import org.apache.spark.graphx.VertexRDD;
import org.sparkgpugraph.adapter.fallback.GraphxFunctions.F1;
import org.sparkgpugraph.adapter.fallback.GraphxFunctions.F2;
import org.sparkgpugraph.adapter.fallback.GraphxFunctions.F3;
import org.sparkgpugraph.engine.ProgressListener;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;
import scala.Option;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.BoxedUnit;

/**
 * The superstep loop over GraphX's {@code aggregateMessages} and {@code outerJoinVertices}, for
 * programs that GraphX's Pregel cannot express: state and result functions, everyVertex, gather
 * ALL, activeWhen, aggregates, stopWhen, functions with a context. Semantics are those of {@link
 * org.sparkgpugraph.engine.SuperstepLoop} and the engines.
 *
 * <p>One job per superstep: it makes the vertices of the superstep and brings back the counts and
 * aggregates, summed in the order of the vertex partitions (so that a run can be repeated to the
 * bit as far as GraphX's order of messages allows).
 */
final class AggregateMessagesLoop<VD, ED, S, A, R> {
  // Rows that a vertex gathers under Gather.ALL, as the messages of the marking pass.
  private static final int IN_ROW = 1;
  private static final int OUT_ROW = 2;

  // Where a partition's partial result keeps the counts; its aggregates follow.
  private static final int ACTIVE = 0;
  private static final int RAN = 1;
  private static final int COUNTS = 2;

  private final Graph<VD, ED> input;
  private final FallbackProgram<VD, ED, S, A, R> program;
  private final FallbackSettings<A> settings;
  private final ProgressListener listener;
  private final ClassTag<VertexCell<S>> cellTag = ClassTag$.MODULE$.apply(VertexCell.class);
  private final ClassTag<A> messageTag;
  private final ClassTag<R> resultTag;
  private final List<String> names;
  private final GraphGenerations<VertexCell<S>, ED> generations;
  private final long vertexCount;

  AggregateMessagesLoop(
      Graph<VD, ED> input,
      FallbackProgram<VD, ED, S, A, R> program,
      FallbackSettings<A> settings,
      ProgressListener listener,
      ClassTag<A> messageTag,
      ClassTag<R> resultTag) {
    this.input = input;
    this.program = program;
    this.settings = settings;
    this.listener = listener;
    this.messageTag = travelling(program, messageTag);
    this.resultTag = resultTag;
    this.names = FallbackProgram.names(program.aggregates());
    this.generations = new GraphGenerations<>(input.vertices().sparkContext());
    this.vertexCount = input.ops().numVertices();
  }

  @SuppressWarnings("unchecked") // what travels as an A is a bag of them
  private static <A> ClassTag<A> travelling(
      FallbackProgram<?, ?, ?, A, ?> program, ClassTag<A> messages) {
    return program.sendsBags() ? (ClassTag<A>) ClassTag$.MODULE$.apply(MessageBag.class) : messages;
  }

  GraphxRun<R, ED> run() {
    try {
      long start = System.nanoTime();
      List<SuperstepStats> supersteps = new ArrayList<>();
      SuperstepStats last = advance(0, start(), start);
      supersteps.add(last);
      boolean ran = settings.initialMessage() != null;
      RunSummary.Stopped stopped = null;
      while (stopped == null) {
        if (ran && settings.stopWhen() != null && settings.stopWhen().test(context(last))) {
          stopped = RunSummary.Stopped.STOP_WHEN;
        } else if (last.activeVertices() == 0) {
          stopped = RunSummary.Stopped.CONVERGED;
        } else if (last.superstep() >= settings.maxIterations()) {
          stopped = RunSummary.Stopped.MAX_ITERATIONS;
        } else {
          long begin = System.nanoTime();
          int superstep = last.superstep() + 1;
          last = advance(superstep, step(superstep, last.aggregates()), begin);
          supersteps.add(last);
          ran = true;
        }
      }
      Graph<R, ED> result = generations.result(result(last.superstep()));
      return new GraphxRun<>(
          result, new RunSummary("graphx", supersteps, stopped, System.nanoTime() - start));
    } finally {
      generations.close();
    }
  }

  private Superstep context(SuperstepStats finished) {
    return new Superstep(finished.superstep(), vertexCount, names, finished.aggregates());
  }

  /** The first values, and superstep 0 when there is an initial message. */
  private Graph<VertexCell<S>, ED> start() {
    Superstep context =
        new Superstep(0, vertexCount, names, FallbackProgram.neutral(program.aggregates()));
    FallbackProgram<VD, ED, S, A, R> functions = program;
    A initial = settings.initialMessage();
    F3<Object, VD, Option<Long>, VertexCell<S>> start =
        (boxedId, attribute, degrees) -> {
          long id = (Long) boxedId;
          long packed = degrees.isEmpty() ? 0 : degrees.get();
          S value = functions.state(id, attribute, (int) (packed >>> 32), (int) packed);
          if (initial == null) {
            return VertexCell.started(value);
          }
          return ran(functions, id, value, initial, context);
        };
    if (!program.readsDegrees()) {
      F2<Object, VD, VertexCell<S>> withoutDegrees =
          (id, attribute) -> start.apply(id, attribute, Option.empty());
      return input.mapVertices(withoutDegrees, cellTag, null);
    }
    ClassTag<Long> longTag = ClassTag$.MODULE$.apply(Long.class);
    F1<EdgeContext<VD, ED, Long>, BoxedUnit> count =
        edge -> {
          edge.sendToDst(1L << 32);
          edge.sendToSrc(1L);
          return BoxedUnit.UNIT;
        };
    F2<Long, Long, Long> sum = (a, b) -> a + b;
    VertexRDD<Long> degrees = input.aggregateMessages(count, sum, TripletFields.None, longTag);
    return input.outerJoinVertices(degrees, start, longTag, cellTag, null);
  }

  private static <VD, ED, S, A, R> VertexCell<S> ran(
      FallbackProgram<VD, ED, S, A, R> functions, long id, S before, A message, Superstep context) {
    S after = functions.run(id, before, message, context);
    // Superstep 0 leaves every vertex active, as GraphX does: all edges are evaluated after it.
    boolean active = context.superstep() == 0 || functions.active(id, before, after);
    return VertexCell.ran(
        after, active, FallbackProgram.contributions(functions.aggregates(), id, before, after));
  }

  private Graph<VertexCell<S>, ED> step(int superstep, double[] aggregates) {
    Superstep context = new Superstep(superstep, vertexCount, names, aggregates);
    // After superstep 0 every edge is evaluated, whatever the direction (GraphX).
    boolean allEdges = superstep == 1 || settings.everyVertex();
    Graph<VertexCell<S>, ED> graph = generations.newest();
    boolean byRows = !allEdges && settings.gather() == Gather.ALL;
    if (byRows) {
      graph = generations.between(markRows(graph));
    }
    VertexRDD<A> messages = messages(graph, context, allEdges, byRows);
    FallbackProgram<VD, ED, S, A, R> functions = program;
    A empty = settings.emptyMessage();
    F3<Object, VertexCell<S>, Option<A>, VertexCell<S>> apply =
        (id, cell, message) -> {
          if (message.isEmpty() && empty == null) {
            return cell.rested();
          }
          return ran(
              functions,
              (Long) id,
              cell.value(),
              message.isEmpty() ? empty : functions.merged(message.get()),
              context);
        };
    return SameTypeJoin.outerJoinSameType(graph, messages, apply, messageTag, cellTag);
  }

  private VertexRDD<A> messages(
      Graph<VertexCell<S>, ED> graph, Superstep context, boolean allEdges, boolean byRows) {
    FallbackProgram<VD, ED, S, A, R> functions = program;
    ActiveDirection direction = settings.activeDirection();
    F1<EdgeContext<VertexCell<S>, ED, A>, BoxedUnit> send =
        edge -> {
          boolean sourceOpen = true;
          boolean destinationOpen = true;
          if (byRows) {
            sourceOpen = edge.srcAttr() != null && edge.srcAttr().gathersOut();
            destinationOpen = edge.dstAttr() != null && edge.dstAttr().gathersIn();
          } else if (!allEdges) {
            sourceOpen = selects(direction, active(edge.srcAttr()), active(edge.dstAttr()));
            destinationOpen = sourceOpen;
          }
          if (sourceOpen || destinationOpen) {
            functions.send(
                new CellEdge<>(edge, sourceOpen, destinationOpen, functions.sendsBags()), context);
          }
          return BoxedUnit.UNIT;
        };
    F2<A, A, A> merge = functions::merge;
    return graph.aggregateMessages(send, merge, TripletFields.All, messageTag);
  }

  private static boolean active(VertexCell<?> cell) {
    return cell != null && cell.active();
  }

  private static boolean selects(ActiveDirection direction, boolean source, boolean destination) {
    return switch (direction) {
      case OUT -> source;
      case IN -> destination;
      case EITHER -> source || destination;
      case BOTH -> source && destination;
    };
  }

  /** Gather.ALL: marks the rows with an edge that the direction selects. */
  private Graph<VertexCell<S>, ED> markRows(Graph<VertexCell<S>, ED> graph) {
    ActiveDirection direction = settings.activeDirection();
    F1<EdgeContext<VertexCell<S>, ED, Integer>, BoxedUnit> mark =
        edge -> {
          if (selects(direction, active(edge.srcAttr()), active(edge.dstAttr()))) {
            edge.sendToDst(IN_ROW);
            edge.sendToSrc(OUT_ROW);
          }
          return BoxedUnit.UNIT;
        };
    F2<Integer, Integer, Integer> or = (a, b) -> a | b;
    ClassTag<Integer> intTag = ClassTag$.MODULE$.apply(Integer.class);
    VertexRDD<Integer> rows = graph.aggregateMessages(mark, or, TripletFields.All, intTag);
    F3<Object, VertexCell<S>, Option<Integer>, VertexCell<S>> join =
        (id, cell, row) -> {
          int bits = row.isEmpty() ? 0 : row.get();
          return cell.gathering((bits & IN_ROW) != 0, (bits & OUT_ROW) != 0);
        };
    return SameTypeJoin.outerJoinSameType(graph, rows, join, intTag, cellTag);
  }

  /** Makes the vertices of {@code graphs} and everything that the driver has to know of them. */
  private SuperstepStats advance(int superstep, Graph<VertexCell<S>, ED> graph, long begin) {
    generations.add(graph);
    FallbackProgram<VD, ED, S, A, R> functions = program;
    List<double[]> partials =
        graph
            .vertices()
            .toJavaRDD()
            .mapPartitions(
                (Iterator<Tuple2<Object, VertexCell<S>>> vertices) ->
                    List.of(partial(functions, vertices)).iterator())
            .collect();
    double[] aggregates = FallbackProgram.neutral(program.aggregates());
    long active = 0;
    long ran = 0;
    for (double[] partial : partials) {
      active += (long) partial[ACTIVE];
      ran += (long) partial[RAN];
      combine(program, aggregates, 0, partial, COUNTS);
    }
    generations.materialised();
    SuperstepStats stats =
        new SuperstepStats(
            superstep, KernelChoice.DENSE, ran, active, 0, System.nanoTime() - begin, aggregates);
    listener.superstepEnded(stats);
    return stats;
  }

  private static <VD, ED, S, A, R> double[] partial(
      FallbackProgram<VD, ED, S, A, R> functions,
      Iterator<Tuple2<Object, VertexCell<S>>> vertices) {
    double[] neutral = FallbackProgram.neutral(functions.aggregates());
    double[] partial = new double[COUNTS + neutral.length];
    System.arraycopy(neutral, 0, partial, COUNTS, neutral.length);
    while (vertices.hasNext()) {
      VertexCell<S> cell = vertices.next()._2();
      partial[ACTIVE] += cell.active() ? 1 : 0;
      partial[RAN] += cell.ran() ? 1 : 0;
      if (cell.contributions() != null) {
        combine(functions, partial, COUNTS, cell.contributions(), 0);
      }
    }
    return partial;
  }

  private static void combine(
      FallbackProgram<?, ?, ?, ?, ?> functions, double[] into, int at, double[] from, int start) {
    for (int i = 0; i < functions.aggregates().size(); i++) {
      into[at + i] =
          functions.aggregates().get(i).operation().combine(into[at + i], from[start + i]);
    }
  }

  /** The result stands on the input's edges, so that it does not drag the loop's along. */
  private Graph<R, ED> result(int superstep) {
    FallbackProgram<VD, ED, S, A, R> functions = program;
    Superstep context =
        new Superstep(
            superstep,
            vertexCount,
            FallbackProgram.names(program.finalAggregates()),
            finalAggregates());
    F3<Object, VD, Option<VertexCell<S>>, R> result =
        (id, attribute, cell) ->
            functions.result((Long) id, attribute, cell.get().value(), context);
    return input.outerJoinVertices(
        generations.newest().vertices(), result, cellTag, resultTag, null);
  }

  private double[] finalAggregates() {
    List<FallbackProgram.NamedAggregate<S>> all = program.finalAggregates();
    double[] totals = FallbackProgram.neutral(all);
    if (totals.length == 0) {
      return totals;
    }
    List<double[]> partials =
        generations
            .newest()
            .vertices()
            .toJavaRDD()
            .mapPartitions(
                (Iterator<Tuple2<Object, VertexCell<S>>> vertices) -> {
                  double[] partial = FallbackProgram.neutral(all);
                  while (vertices.hasNext()) {
                    Tuple2<Object, VertexCell<S>> vertex = vertices.next();
                    S value = vertex._2().value();
                    FallbackProgram.combine(
                        all,
                        partial,
                        FallbackProgram.contributions(all, (Long) vertex._1(), value, value));
                  }
                  return List.of(partial).iterator();
                })
            .collect();
    partials.forEach(partial -> FallbackProgram.combine(all, totals, partial));
    return totals;
  }
}
