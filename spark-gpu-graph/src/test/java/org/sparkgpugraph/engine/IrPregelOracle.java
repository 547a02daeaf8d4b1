package org.sparkgpugraph.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.Aggregate;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.jvm.CompiledFunction;
import org.sparkgpugraph.program.jvm.FunctionCompiler;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;

/** GraphX's Pregel, edge by edge with boxed values: the oracle of the engine's tests. */
public final class IrPregelOracle {
  private final SimpleGraph graph;
  private final LiftedProgram program;
  private final Object[] captures;
  private final List<Object> tables;
  private final Columns attributes;
  private final RunSettings settings;
  private final CompiledFunction initialState;
  private final CompiledFunction vertexProgram;
  private final CompiledFunction send;
  private final CompiledFunction merge;
  private final CompiledFunction activeWhen;
  private final CompiledFunction resultFunction;
  private final List<CompiledFunction> aggregateFunctions = new ArrayList<>();
  private final int n;
  public final Object[][] values;
  private boolean[] active;
  private int superstep;
  public double[] aggregates;
  public long activeCount;
  public long ran;

  /** Edges whose send function was evaluated in the last superstep … */
  public long evaluated;

  /** … and those that said something. */
  public long said;

  public IrPregelOracle(
      SimpleGraph graph, ProgramInstance instance, Columns attributes, RunSettings settings) {
    this.graph = graph;
    this.settings = settings;
    this.attributes = attributes;
    program = instance.program();
    captures = instance.captureArray();
    tables = instance.tables();
    initialState = compile(program.initialState());
    vertexProgram = compile(program.vertexProgram());
    send = compile(program.send());
    merge = compile(program.merge());
    activeWhen = compile(program.activeWhen());
    resultFunction = compile(program.resultFunction());
    for (Aggregate a : program.aggregates()) {
      aggregateFunctions.add(compile(a.function()));
    }
    n = graph.ids.length;
    values = new Object[n][];
  }

  /** One whose run has ended. Who hears something is active in Pregel: on a circle for ever. */
  public static IrPregelOracle ended(
      SimpleGraph graph, ProgramInstance program, Columns attributes, RunSettings settings) {
    IrPregelOracle oracle = new IrPregelOracle(graph, program, attributes, settings);
    oracle.initialise();
    for (int step = 0; step < oracle.n + 2 && oracle.activeCount > 0; step++) {
      oracle.step();
    }
    return oracle;
  }

  /** Checks that the only columns of the vertices that exist are the same. */
  public void check(EngineRun run, String what) {
    for (SimpleGraph.Partition p : graph.partitions()) {
      Columns found = run.values(p.index());
      for (int v = 0; v < p.stored(); v++) {
        int whole = p.from + v;
        if (exists(whole)) {
          assertThat(found.get(0, v)).as("%s: vertex %s", what, whole).isEqualTo(values[whole][0]);
        }
      }
    }
  }

  private CompiledFunction compile(IrFunction function) {
    return function == null ? null : FunctionCompiler.compile(function, tables);
  }

  private boolean exists(int v) {
    return graph.present == null || graph.present[v];
  }

  private Object[] call(
      CompiledFunction f, Function<Param, Object> binding, CompiledFunction.MessageSink sink) {
    Object[] arguments =
        f.function().parameters().stream()
            .map(
                p ->
                    switch (p.role()) {
                      case CAPTURE -> captures[p.index()];
                      case SUPERSTEP -> superstep;
                      case VERTEX_COUNT -> graph.vertexCount();
                      case AGGREGATE -> aggregates[p.index()];
                      default -> binding.apply(p);
                    })
            .toArray();
    return f.call(arguments, sink);
  }

  private Object[] vertex(CompiledFunction f, int v, Object[] value, Object[] message) {
    return call(
        f,
        p ->
            switch (p.role()) {
              case ID -> graph.ids[v];
              case VALUE, BEFORE -> value[p.index()];
              case MESSAGE, AFTER -> message[p.index()];
              case ATTRIBUTE -> attributes.get(p.index(), v);
              case IN_DEGREE -> degree(graph.destinations, v);
              case OUT_DEGREE -> degree(graph.sources, v);
              default -> throw new IllegalArgumentException(p.toString());
            },
        null);
  }

  private static int degree(int[] ends, int v) {
    int count = 0;
    for (int end : ends) {
      count += end == v ? 1 : 0;
    }
    return count;
  }

  private double[] neutral() {
    return program.aggregates().stream().mapToDouble(a -> a.operation().neutral()).toArray();
  }

  /** Superstep 0. */
  public void initialise() {
    aggregates = neutral();
    double[] sums = neutral();
    active = new boolean[n];
    for (int v = 0; v < n; v++) {
      values[v] = zero();
      if (!exists(v)) {
        continue;
      }
      activeCount++;
      active[v] = true;
      if (initialState != null) {
        values[v] = vertex(initialState, v, null, null);
      } else {
        for (int c = 0; c < values[v].length; c++) {
          values[v][c] = attributes.get(c, v);
        }
      }
      if (settings.initialMessage() != null) {
        ran++;
        run(v, settings.initialMessage(), sums, values);
      }
    }
    aggregates = sums;
  }

  private Object[] zero() {
    Columns one = Columns.allocate(program.state().columns(), 1);
    Object[] row = new Object[one.width()];
    for (int c = 0; c < row.length; c++) {
      row[c] = one.get(c, 0);
    }
    return row;
  }

  private boolean run(int v, Object[] message, double[] sums, Object[][] into) {
    Object[] before = values[v];
    Object[] after = vertex(vertexProgram, v, before, message);
    for (int i = 0; i < sums.length; i++) {
      double x = (double) vertex(aggregateFunctions.get(i), v, before, after)[0];
      sums[i] = program.aggregates().get(i).operation().combine(sums[i], x);
    }
    boolean isActive = activeWhen == null || (boolean) vertex(activeWhen, v, before, after)[0];
    into[v] = after;
    return isActive;
  }

  private boolean selected(int e) {
    if (superstep == 1 || settings.everyVertex()) {
      return true;
    }
    boolean source = active[graph.sources[e]];
    boolean destination = active[graph.destinations[e]];
    ActiveDirection direction = settings.activeDirection();
    return switch (direction) {
      case OUT -> source;
      case IN -> destination;
      case EITHER -> source || destination;
      case BOTH -> source && destination;
    };
  }

  /** One superstep. */
  public void step() {
    superstep++;
    evaluated = 0;
    said = 0;
    Object[][] merged = new Object[n][];
    boolean[] allIn = new boolean[n];
    boolean[] allOut = new boolean[n];
    if (settings.gather() == Gather.ALL) {
      for (int e = 0; e < graph.sources.length; e++) {
        if (selected(e)) {
          allIn[graph.destinations[e]] = true;
          allOut[graph.sources[e]] = true;
        }
      }
    }
    for (int e = 0; e < graph.sources.length; e++) {
      int s = graph.sources[e];
      int d = graph.destinations[e];
      int edge = e;
      boolean toDestination = settings.gather() == Gather.ALL ? allIn[d] : selected(e);
      boolean toSource = settings.gather() == Gather.ALL ? allOut[s] : selected(e);
      if (!toDestination && !toSource) {
        continue;
      }
      boolean[] says = {false};
      call(
          send,
          p ->
              switch (p.role()) {
                case SOURCE_ID -> graph.ids[s];
                case DESTINATION_ID -> graph.ids[d];
                case SOURCE -> values[s][p.index()];
                case DESTINATION -> values[d][p.index()];
                case EDGE -> graph.edgeValues.get(p.index(), edge);
                default -> throw new IllegalArgumentException(p.toString());
              },
          (side, message) -> {
            says[0] = true;
            int to = side == Side.SOURCE ? s : d;
            if ((side == Side.SOURCE ? toSource : toDestination) && exists(to)) {
              merged[to] =
                  merged[to] == null
                      ? message
                      : call(
                          merge,
                          p ->
                              p.role() == org.sparkgpugraph.program.ir.Role.LEFT
                                  ? merged[to][p.index()]
                                  : message[p.index()],
                          null);
            }
          });
      evaluated++;
      said += says[0] ? 1 : 0;
    }
    double[] sums = neutral();
    boolean[] next = new boolean[n];
    Object[][] values2 = values.clone();
    activeCount = 0;
    ran = 0;
    for (int v = 0; v < n; v++) {
      Object[] message = merged[v];
      if (message == null && settings.everyVertex() && exists(v)) {
        message = settings.emptyMessage();
      }
      if (message != null) {
        ran++;
        next[v] = run(v, message, sums, values2);
        activeCount += next[v] ? 1 : 0;
      }
    }
    System.arraycopy(values2, 0, values, 0, n);
    active = next;
    aggregates = sums;
  }

  /** Replaces the aggregates by the final ones, for the result function. */
  public void finish() {
    aggregates =
        program.finalAggregates().stream().mapToDouble(a -> a.operation().neutral()).toArray();
    for (int i = 0; i < aggregates.length; i++) {
      Aggregate a = program.finalAggregates().get(i);
      CompiledFunction f = compile(a.function());
      for (int v = 0; v < n; v++) {
        if (exists(v)) {
          double x = (double) vertex(f, v, values[v], values[v])[0];
          aggregates[i] = a.operation().combine(aggregates[i], x);
        }
      }
    }
  }

  /** The attribute of a vertex in the result. */
  public Object[] result(int v) {
    return resultFunction == null || !exists(v)
        ? values[v]
        : vertex(resultFunction, v, values[v], null);
  }
}
