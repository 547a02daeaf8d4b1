package org.sparkgpugraph.engine.device.partition;

import java.util.Arrays;
import java.util.List;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ProgramTraits;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.jvm.IrBuilder;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;

/**
 * Programs that spread residuals, and what they have to reach: values (value, delta, weight), of
 * which {@code value += c · Σ delta(u) · weight(u)}.
 */
public final class ResidualPrograms {
  /** The share of a residual that is said on. */
  public static final double DAMPING = 0.85;

  private static final double START = 0.15;

  /**
   * How a program is written.
   *
   * @param kind of all numbers but the tolerance
   * @param receivers which end of an edge is told
   * @param absolute whether the size of a delta counts
   * @param rounded whether the delta is the difference of the values
   */
  public record Form(Kind kind, Side receivers, boolean absolute, boolean rounded) {}

  /** PageRank until convergence. */
  public static final Form PAGE_RANK = new Form(Kind.DOUBLE, Side.DESTINATION, false, true);

  /** One of each kind, end, gate and delta. */
  public static final List<Form> FORMS =
      List.of(
          PAGE_RANK,
          new Form(Kind.FLOAT, Side.DESTINATION, false, false),
          new Form(Kind.DOUBLE, Side.SOURCE, true, true));

  private ResidualPrograms() {}

  public static ProgramInstance of(Form form, double tolerance) {
    Kind kind = form.kind();
    Role sender = form.receivers() == Side.DESTINATION ? Role.SOURCE : Role.DESTINATION;
    IrBuilder send = new IrBuilder("send");
    int said = send.parameter(sender, 1, kind);
    int weight = send.parameter(sender, 2, kind);
    int bound = send.parameter(Role.CAPTURE, 1, kind);
    int size = form.absolute() ? send.call(Intrinsic.ABS, kind, said) : said;
    int quiet = send.newLabel();
    send.branch(Condition.NOT_GT, size, bound, quiet);
    send.emit(form.receivers(), send.binary(BinaryOp.MULTIPLY, said, weight));
    send.label(quiet).returns();
    IrBuilder program = new IrBuilder("vertexProgram");
    int value = program.parameter(Role.VALUE, 0, kind);
    int own = program.parameter(Role.VALUE, 2, kind);
    int sum = program.parameter(Role.MESSAGE, 0, kind);
    int damping = program.parameter(Role.CAPTURE, 0, kind);
    int more = program.binary(BinaryOp.MULTIPLY, damping, sum);
    int grown = program.binary(BinaryOp.ADD, value, more);
    int delta = form.rounded() ? program.binary(BinaryOp.SUBTRACT, grown, value) : more;
    program.returns(grown, delta, own);
    ValueType state = IrPrograms.record(kind, kind, kind);
    boolean out = form.receivers() == Side.DESTINATION;
    return new ProgramInstance(
        LiftedProgram.builder()
            .attribute(state)
            .edge(IrPrograms.INT)
            .state(state)
            .message(new ValueType.Scalar(kind))
            .result(state)
            .vertexProgram(program.build(kind, kind, kind))
            .send(send.build())
            .merge(IrPrograms.binaryMerge(BinaryOp.ADD, kind))
            .captureKinds(List.of(kind, kind))
            .traits(new ProgramTraits(List.of(MergeAlgebra.SUM), !out, out, false, List.of()))
            .build(),
        List.of(number(kind, DAMPING), number(kind, tolerance)));
  }

  /** A run of one until nobody says anything. */
  public static RunSettings settings(Form form, KernelChoice kernel) {
    return new RunSettings(
        new Object[] {number(form.kind(), START / DAMPING)},
        null,
        form.receivers() == Side.DESTINATION ? ActiveDirection.OUT : ActiveDirection.IN,
        Gather.ACTIVE,
        Integer.MAX_VALUE,
        false,
        kernel,
        1,
        null);
  }

  private static Object number(Kind kind, double value) {
    if (kind == Kind.FLOAT) {
      return (float) value;
    }
    return value;
  }

  /**
   * Values before superstep 0.
   *
   * @param signed whether every third weight is negative
   */
  public static Columns attributes(SimpleGraph graph, Form form, boolean signed) {
    int n = graph.ids.length;
    int[] degrees = new int[n];
    for (int sender : form.receivers() == Side.DESTINATION ? graph.sources : graph.destinations) {
      degrees[sender]++;
    }
    Columns attributes = Columns.allocate(List.of(form.kind(), form.kind(), form.kind()), n);
    for (int v = 0; v < n; v++) {
      double weight = (signed && v % 3 == 0 ? -1.0 : 1.0) / Math.max(1, degrees[v]);
      attributes.set(2, v, number(form.kind(), weight));
    }
    return attributes;
  }

  /**
   * How far values are from what the equation has: the sum over all vertices of |START + c · Σ
   * value(u) · weight(u) − value(v)|.
   */
  public static double residual(SimpleGraph graph, Form form, Columns values) {
    double[] next = made(graph, form, values);
    double sum = 0;
    for (int v = 0; v < next.length; v++) {
      sum += Math.abs(next[v] - number(values, 0, v));
    }
    return sum;
  }

  private static double[] made(SimpleGraph graph, Form form, Columns values) {
    double[] next = new double[graph.ids.length];
    Arrays.fill(next, START);
    for (int e = 0; e < graph.sources.length; e++) {
      boolean out = form.receivers() == Side.DESTINATION;
      int from = out ? graph.sources[e] : graph.destinations[e];
      int to = out ? graph.destinations[e] : graph.sources[e];
      next[to] += DAMPING * number(values, 0, from) * number(values, 2, from);
    }
    return next;
  }

  /**
   * The same of what was said: values are exactly, but for rounding, what their senders said of
   * theirs has made of them. What is not said of a value is its delta, where that is within the
   * tolerance.
   */
  public static double unexplained(SimpleGraph graph, Form form, Columns values, double tolerance) {
    Columns said =
        Columns.allocate(List.of(form.kind(), form.kind(), form.kind()), graph.ids.length);
    double[] unsaid = new double[graph.ids.length];
    for (int v = 0; v < unsaid.length; v++) {
      double delta = number(values, 1, v);
      unsaid[v] = (form.absolute() ? Math.abs(delta) : delta) > tolerance ? 0 : delta;
      said.set(0, v, number(form.kind(), number(values, 0, v) - unsaid[v]));
      said.set(2, v, values.get(2, v));
    }
    double[] made = made(graph, form, said);
    double sum = 0;
    for (int v = 0; v < made.length; v++) {
      sum += Math.abs(made[v] - number(values, 0, v));
    }
    return sum;
  }

  /** The values that the equation has exactly, by Gaussian elimination: of small graphs. */
  public static double[] exact(SimpleGraph graph, Form form, Columns values) {
    int n = graph.ids.length;
    double[][] rows = new double[n][n + 1];
    for (int v = 0; v < n; v++) {
      rows[v][v] = 1;
      rows[v][n] = START;
    }
    for (int e = 0; e < graph.sources.length; e++) {
      boolean out = form.receivers() == Side.DESTINATION;
      int from = out ? graph.sources[e] : graph.destinations[e];
      int to = out ? graph.destinations[e] : graph.sources[e];
      rows[to][from] -= DAMPING * number(values, 2, from);
    }
    for (int k = 0; k < n; k++) {
      // Columns are dominated by their diagonal: nothing has to change places.
      for (int v = k + 1; v < n; v++) {
        double factor = rows[v][k] / rows[k][k];
        for (int c = k; factor != 0 && c <= n; c++) {
          rows[v][c] -= factor * rows[k][c];
        }
      }
    }
    double[] exact = new double[n];
    for (int v = n - 1; v >= 0; v--) {
      double right = rows[v][n];
      for (int c = v + 1; c < n; c++) {
        right -= rows[v][c] * exact[c];
      }
      exact[v] = right / rows[v][v];
    }
    return exact;
  }

  static double number(Columns values, int column, int v) {
    return ((Number) values.get(column, v)).doubleValue();
  }
}
