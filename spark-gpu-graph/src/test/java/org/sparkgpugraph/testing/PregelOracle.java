package org.sparkgpugraph.testing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.sparkgpugraph.function.AggregateFunction;
import org.sparkgpugraph.function.EdgeContext;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.ResultFunction;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.SuperstepContext;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.ProgramSource;
import org.sparkgpugraph.program.WholeMerge;
import org.sparkgpugraph.run.Gather;

/**
 * A sequential Pregel without Spark, written to be obviously right: the oracle of the tests. It has
 * GraphX's semantics, and of what GraphX lacks those that {@code engine.RunSettings} documents.
 */
public final class PregelOracle<VD, ED, S, A, R> {
  private final TestGraph<VD, ED> graph;
  private final TestProgram<VD, ED, S, A, R> program;
  private final Map<Long, S> values = new TreeMap<>();
  private final Map<Long, List<A>> bags = new HashMap<>();
  private final List<Step> steps = new ArrayList<>();
  private Set<Long> active = new HashSet<>();
  private double[] aggregates;
  private int edges;

  /**
   * What one superstep did.
   *
   * @param edges edges whose send function was called
   * @param verticesRun vertices whose vertex program ran
   * @param activeVertices vertices active for the next superstep
   * @param aggregates the aggregates over the vertices that ran
   */
  public record Step(int edges, int verticesRun, int activeVertices, double[] aggregates) {}

  /**
   * What a run gives.
   *
   * @param result attribute of each vertex
   * @param steps the supersteps, superstep 0 first
   */
  public record Run<R>(Map<Long, R> result, List<Step> steps) {}

  private PregelOracle(TestGraph<VD, ED> graph, TestProgram<VD, ED, S, A, R> program) {
    this.graph = graph;
    this.program = program;
  }

  /** Runs {@code program} on {@code graphs}. */
  public static <VD, ED, S, A, R> Run<R> run(
      TestGraph<VD, ED> graph, TestProgram<VD, ED, S, A, R> program) {
    return new PregelOracle<>(graph, program).run();
  }

  private Run<R> run() {
    start();
    boolean ran = program.initialMessage != null;
    if (ran) {
      Map<Long, A> initial = new HashMap<>();
      values.keySet().forEach(id -> initial.put(id, program.initialMessage));
      apply(0, initial);
    } else {
      active = new HashSet<>(values.keySet());
      steps.add(new Step(0, 0, active.size(), aggregates));
    }
    int superstep = 0;
    while (!(ran && program.stopWhen != null && program.stopWhen.test(context(superstep)))
        && !active.isEmpty()
        && superstep < program.maxIterations) {
      superstep++;
      apply(superstep, gather(superstep));
      ran = true;
    }
    SuperstepContext last =
        context(superstep, program.finalAggregates, finalAggregates(program.finalAggregates));
    Map<Long, R> result = new TreeMap<>();
    for (int i = 0; i < graph.ids().length; i++) {
      long id = graph.ids()[i];
      result.put(id, result(id, graph.attributes().get(i), values.get(id), last));
    }
    return new Run<>(result, steps);
  }

  @SuppressWarnings("unchecked") // the program holds functions of its own types
  private R result(long id, VD attribute, S value, SuperstepContext last) {
    if (program.result == null) {
      return (R) value;
    }
    return program.result instanceof ResultFunction.WithContext<?, ?, ?> function
        ? ((ResultFunction.WithContext<VD, S, R>) function).apply(id, attribute, value, last)
        : ((ResultFunction<VD, S, R>) program.result).apply(id, attribute, value);
  }

  /** Over all vertices, whether they ran or not. */
  @SuppressWarnings("unchecked") // the program holds functions of its own types
  private double[] finalAggregates(List<ProgramSource.AggregateSource> sources) {
    double[] totals = sources.stream().mapToDouble(a -> a.operation().neutral()).toArray();
    for (Map.Entry<Long, S> vertex : values.entrySet()) {
      for (int i = 0; i < totals.length; i++) {
        AggregateFunction<S> function = (AggregateFunction<S>) sources.get(i).function();
        double value = function.apply(vertex.getKey(), vertex.getValue(), vertex.getValue());
        totals[i] = sources.get(i).operation().combine(totals[i], value);
      }
    }
    return totals;
  }

  @SuppressWarnings("unchecked") // without a function the types are the same
  private void start() {
    Map<Long, Integer> in = new HashMap<>();
    Map<Long, Integer> out = new HashMap<>();
    for (int e = 0; e < graph.edgeCount(); e++) {
      in.merge(graph.destinations()[e], 1, Integer::sum);
      out.merge(graph.sources()[e], 1, Integer::sum);
    }
    for (int i = 0; i < graph.ids().length; i++) {
      long id = graph.ids()[i];
      VD attribute = graph.attributes().get(i);
      values.put(
          id,
          program.state == null
              ? (S) attribute
              : program.state.apply(
                  id, attribute, in.getOrDefault(id, 0), out.getOrDefault(id, 0)));
    }
    aggregates = neutral();
  }

  /** The merged messages that the values and activity of the last superstep send. */
  private Map<Long, A> gather(int superstep) {
    SuperstepContext context = context(superstep);
    Map<Long, A> inbox = new HashMap<>();
    Set<Long> inRows = new HashSet<>();
    Set<Long> outRows = new HashSet<>();
    edges = 0;
    for (int e = 0; e < graph.edgeCount(); e++) {
      if (selects(active.contains(graph.sources()[e]), active.contains(graph.destinations()[e]))) {
        inRows.add(graph.destinations()[e]);
        outRows.add(graph.sources()[e]);
      }
    }
    for (int e = 0; e < graph.edgeCount(); e++) {
      long source = graph.sources()[e];
      long destination = graph.destinations()[e];
      if (superstep == 1 || program.everyVertex()) {
        send(e, context, inbox, true, true);
      } else if (program.gather == Gather.ALL) {
        send(e, context, inbox, outRows.contains(source), inRows.contains(destination));
      } else if (selects(active.contains(source), active.contains(destination))) {
        send(e, context, inbox, true, true);
      }
    }
    bags.forEach((id, messages) -> inbox.put(id, mode(messages)));
    bags.clear();
    if (program.everyVertex()) {
      values.keySet().forEach(id -> inbox.putIfAbsent(id, program.emptyMessage));
    }
    return inbox;
  }

  /** The most frequent, of several the smallest. */
  private static <A> A mode(List<A> messages) {
    return messages.stream()
        .min(
            Comparator.<A>comparingInt(m -> -Collections.frequency(messages, m))
                .thenComparingLong(m -> ((Number) m).longValue()))
        .orElseThrow();
  }

  private boolean selects(boolean source, boolean destination) {
    return switch (program.direction) {
      case OUT -> source;
      case IN -> destination;
      case EITHER -> source || destination;
      case BOTH -> source && destination;
    };
  }

  @SuppressWarnings("unchecked") // the program holds functions of its own types
  private void send(
      int e,
      SuperstepContext context,
      Map<Long, A> inbox,
      boolean toSource,
      boolean toDestination) {
    if (!toSource && !toDestination) {
      return;
    }
    edges++;
    EdgeContext<S, ED, A> edge = new ReferenceEdge(e, inbox, toSource, toDestination);
    if (program.send instanceof SendMessage.WithContext<?, ?, ?> function) {
      ((SendMessage.WithContext<S, ED, A>) function).send(edge, context);
    } else {
      ((SendMessage<S, ED, A>) program.send).send(edge);
    }
  }

  /** Runs the vertex program on the receivers. */
  @SuppressWarnings("unchecked") // the program holds functions of its own types
  private void apply(int superstep, Map<Long, A> inbox) {
    SuperstepContext context = context(superstep);
    double[] next = neutral();
    Set<Long> nowActive = new HashSet<>();
    Map<Long, S> changed = new HashMap<>();
    for (long id : new TreeMap<>(inbox).keySet()) {
      S before = values.get(id);
      A message = inbox.get(id);
      S after =
          program.vertexProgram instanceof VertexProgram.WithContext<?, ?> function
              ? ((VertexProgram.WithContext<S, A>) function).apply(id, before, message, context)
              : ((VertexProgram<S, A>) program.vertexProgram).apply(id, before, message);
      changed.put(id, after);
      // After superstep 0 every vertex is active, as in GraphX: all edges are evaluated.
      if (superstep == 0
          || program.activeWhen == null
          || program.activeWhen.test(id, before, after)) {
        nowActive.add(id);
      }
      for (int i = 0; i < next.length; i++) {
        ProgramSource.AggregateSource source = program.aggregates.get(i);
        double value = ((AggregateFunction<S>) source.function()).apply(id, before, after);
        next[i] = source.operation().combine(next[i], value);
      }
    }
    values.putAll(changed);
    active = nowActive;
    aggregates = next;
    steps.add(new Step(edges, inbox.size(), active.size(), aggregates));
  }

  private double[] neutral() {
    return program.aggregates.stream().mapToDouble(a -> a.operation().neutral()).toArray();
  }

  private SuperstepContext context(int superstep) {
    return context(superstep, program.aggregates, aggregates);
  }

  private SuperstepContext context(
      int superstep, List<ProgramSource.AggregateSource> sources, double[] seen) {
    return new SuperstepContext() {
      @Override
      public int superstep() {
        return superstep;
      }

      @Override
      public long vertexCount() {
        return values.size();
      }

      @Override
      public double aggregate(String name) {
        for (int i = 0; i < seen.length; i++) {
          if (sources.get(i).name().equals(name)) {
            return seen[i];
          }
        }
        throw new IllegalArgumentException("no aggregate " + name);
      }

      @Override
      public double[] aggregates() {
        return seen.clone();
      }
    };
  }

  /** An edge whose messages go to the inbox. */
  private final class ReferenceEdge implements EdgeContext<S, ED, A> {
    private final int edge;
    private final Map<Long, A> inbox;
    private final boolean toSource;
    private final boolean toDestination;

    ReferenceEdge(int edge, Map<Long, A> inbox, boolean toSource, boolean toDestination) {
      this.edge = edge;
      this.inbox = inbox;
      this.toSource = toSource;
      this.toDestination = toDestination;
    }

    @Override
    public long srcId() {
      return graph.sources()[edge];
    }

    @Override
    public long dstId() {
      return graph.destinations()[edge];
    }

    @Override
    public S srcAttr() {
      return values.get(srcId());
    }

    @Override
    public S dstAttr() {
      return values.get(dstId());
    }

    @Override
    public ED attr() {
      return graph.edgeAttributes().get(edge);
    }

    @Override
    public void sendToSrc(A message) {
      deliver(toSource, srcId(), message);
    }

    @Override
    public void sendToDst(A message) {
      deliver(toDestination, dstId(), message);
    }

    @SuppressWarnings("unchecked") // the program holds functions of its own types
    private void deliver(boolean open, long receiver, A message) {
      // A message to an id that has no vertex is dropped.
      if (open && values.containsKey(receiver)) {
        if (program.merge == WholeMerge.MODE) {
          bags.computeIfAbsent(receiver, id -> new ArrayList<>()).add(message);
        } else {
          inbox.merge(receiver, message, ((MergeMessage<A>) program.merge)::merge);
        }
      }
    }
  }
}
