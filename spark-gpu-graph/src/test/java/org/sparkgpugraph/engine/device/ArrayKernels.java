package org.sparkgpugraph.engine.device;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.device.kernels.KernelsByKind;
import org.sparkgpugraph.engine.device.kernels.ProgramKernels;
import org.sparkgpugraph.engine.device.kernels.SuperstepKernels;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.engine.device.settings.DeviceShape;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.VertexMap;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.StepSource;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.delta.Deltas;
import org.sparkgpugraph.program.fold.Folding;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.runtime.serial.ValueBoxes;
import org.sparkgpugraph.testing.ArrayPrograms;
import org.sparkgpugraph.testing.ReducingPrograms;
import org.sparkgpugraph.testing.TestProgram;
import org.sparkgpugraph.vector.Lu;
import org.sparkgpugraph.vector.Matrices;
import org.sparkgpugraph.vector.Reductions;
import org.sparkgpugraph.vector.Vectors;

/** Generated sources of programs whose values are arrays, by the names of the programs. */
final class ArrayKernels {
  private static final int SUPERSTEPS = 4;

  /** Random programs of each kind. */
  private static final int RANDOM = 6;

  /** What a vertex is in the program of several kinds of supersteps. */
  record Node(double[] value, double[] given, int kind) implements Serializable {}

  private ArrayKernels() {}

  /** Programs by hand, and random ones. */
  static Map<String, KernelSource> all() {
    Map<String, KernelSource> all = new LinkedHashMap<>();
    for (int length : new int[] {16, 100}) {
      String of = " of " + length;
      all.put("sums" + of, source(sums(length), false));
      all.put("sums of active vertices" + of, source(sums(length), true));
      all.put("float sums" + of, source(floats(length), false));
      all.put("dot products" + of, source(dots(length), true));
      all.put("shifted" + of, source(shifted(length), true));
      all.put("matrices" + of, source(matrices(length), false));
      all.put("changes" + of, kernels(changes(length), settings(length, false), false).source());
      ProgramInstance folded = folded(length);
      byKind(all, "maps" + of, folded, settings(length, true));
      all.put("kinds" + of, source(kinds(length), false));
    }
    all.put("equations of 16", source(equations(), false));
    for (long seed = 0; seed < RANDOM; seed++) {
      random(all, ArrayPrograms.any(seed), seed);
      random(all, ReducingPrograms.any(seed), seed);
    }
    return all;
  }

  private static void random(
      Map<String, KernelSource> all, TestProgram<?, ?, ?, ?, ?> program, long seed) {
    boolean every = program.everyVertex();
    all.put(
        program.name + ", seed " + seed,
        kernels(lifted(program), settings(1, every), true).source());
  }

  private static KernelSource source(TestProgram<?, ?, ?, ?, ?> program, boolean active) {
    boolean every = !active;
    return kernels(lifted(program), settings(1, every), active).source();
  }

  private static ProgramInstance lifted(TestProgram<?, ?, ?, ?, ?> program) {
    return ProgramLifter.lift(program.source());
  }

  private static RunSettings settings(int columns, boolean every) {
    return new RunSettings(
        every ? null : new Object[columns],
        every ? new Object[columns] : null,
        ActiveDirection.EITHER,
        Gather.ACTIVE,
        SUPERSTEPS,
        false,
        KernelChoice.AUTO,
        1,
        null);
  }

  private static ProgramKernels kernels(
      ProgramInstance program, RunSettings settings, boolean everything) {
    return ProgramKernels.of(
        program.program(),
        KernelShape.of(program.program(), settings, everything, everything),
        shape());
  }

  private static DeviceShape shape() {
    return new DeviceShape(ActiveDirection.EITHER, false, DenseTuning.DEFAULT);
  }

  /** The kernels of all supersteps, and those of each kind. */
  private static void byKind(
      Map<String, KernelSource> all, String name, ProgramInstance program, RunSettings settings) {
    ProgramKernels whole = kernels(program, settings, true);
    all.put(name, whole.source());
    LiftedProgram lifted = program.program();
    KernelsByKind kinds = new KernelsByKind(lifted, whole, shape(), program.captures().toArray());
    for (int superstep = 0; superstep <= SUPERSTEPS; superstep++) {
      SuperstepKernels of = kinds.of(superstep);
      if (of != null && !all.containsValue(of.source())) {
        all.put(name + ", superstep " + superstep, of.source());
      }
    }
  }

  private static <A> TestProgram<Long, Double, A, A, Long> program(String name, Class<A> type) {
    return new TestProgram<Long, Double, A, A, Long>(
        name, Long.class, Double.class, type, Long.class);
  }

  private static TestProgram<?, ?, ?, ?, ?> sums(int length) {
    return program("sums", double[].class)
        .state((id, attribute, in, out) -> new double[length])
        .initial(new double[length])
        .vertex((id, value, sum) -> Vectors.axpy(0.5, sum, value))
        .send(edge -> edge.sendToDst(Vectors.scale(edge.attr(), edge.srcAttr())))
        .merge(Vectors::add)
        .aggregate("sum", AggregateOperation.SUM, (id, before, after) -> Reductions.sum(after))
        .result((id, attribute, value) -> (long) value[0]);
  }

  private static TestProgram<?, ?, ?, ?, ?> floats(int length) {
    return program("floats", float[].class)
        .state((id, attribute, in, out) -> new float[length])
        .initial(new float[length])
        .vertex((id, value, sum) -> Vectors.axpy(0.5f, sum, value))
        .send(
            edge -> {
              edge.sendToDst(edge.srcAttr());
              edge.sendToSrc(edge.dstAttr());
            })
        .merge(Vectors::add)
        .result((id, attribute, value) -> (long) value[0]);
  }

  private static TestProgram<?, ?, ?, ?, ?> dots(int length) {
    return program("dots", double[].class)
        .state((id, attribute, in, out) -> new double[length])
        .initial(new double[length])
        .vertex((id, value, sum) -> Vectors.add(value, sum))
        .send(
            edge -> {
              double weight = Reductions.dot(edge.srcAttr(), edge.dstAttr());
              if (weight > edge.attr()) {
                edge.sendToDst(Vectors.scale(weight, edge.srcAttr()));
              }
            })
        .merge(Vectors::add)
        .activeWhen((id, before, after) -> Reductions.dot(before, after) > 0)
        .result((id, attribute, value) -> (long) value[0]);
  }

  /** Lanes share no part of it. */
  private static TestProgram<?, ?, ?, ?, ?> shifted(int length) {
    return program("shifted", double[].class)
        .state((id, attribute, in, out) -> new double[length])
        .initial(new double[length])
        .vertex(
            (id, value, sum) -> {
              double[] next = value.clone();
              for (int i = 1; i < next.length; i++) {
                next[i] = next[i - 1] + sum[i];
              }
              return next;
            })
        .send(
            edge -> {
              double[] moved = edge.srcAttr().clone();
              moved[(int) (edge.srcId() & 7)] += edge.attr();
              edge.sendToDst(moved);
            })
        .merge((a, b) -> a[0] < b[0] ? a : b)
        .result((id, attribute, value) -> (long) value[0]);
  }

  /** Lanes share messages; a thread runs a vertex. */
  private static TestProgram<?, ?, ?, ?, ?> matrices(int length) {
    double[] matrix = new double[length * length];
    return program("matrices", double[].class)
        .state((id, attribute, in, out) -> new double[length])
        .initial(new double[length])
        .vertex((id, value, sum) -> Matrices.multiply(matrix, sum))
        .send(edge -> edge.sendToDst(edge.srcAttr()))
        .merge(Vectors::add)
        .result((id, attribute, value) -> (long) value[0]);
  }

  private static TestProgram<?, ?, ?, ?, ?> equations() {
    return program("equations", double[].class)
        .state((id, attribute, in, out) -> new double[16])
        .initial(new double[16])
        .vertex(
            (id, value, sum) -> {
              double[] right = new double[4];
              for (int i = 0; i < right.length; i++) {
                right[i] = value[i] + attributeOf(id);
              }
              double[] solved = Lu.solve(sum, right);
              double[] next = value.clone();
              for (int i = 0; i < solved.length; i++) {
                next[i] = solved[i];
              }
              return next;
            })
        .send(edge -> edge.sendToDst(edge.srcAttr()))
        .merge(Vectors::add)
        .result((id, attribute, value) -> (long) value[0]);
  }

  private static double attributeOf(long id) {
    return id & 3;
  }

  private static ProgramInstance changes(int length) {
    return Deltas.apply(
        lifted(
            program("changes", double[].class)
                .state((id, attribute, in, out) -> new double[length])
                .initial(new double[length])
                .vertex((id, value, sum) -> Vectors.scale(0.5, sum))
                .send(edge -> edge.sendToDst(Vectors.scale(edge.attr(), edge.srcAttr())))
                .merge(Vectors::add)
                .result((id, attribute, value) -> (long) value[0])),
        1e-3);
  }

  /** What a superstep does its number says. */
  private static TestProgram<?, ?, ?, ?, ?> kinds(int length) {
    return new TestProgram<Long, Double, Node, double[], Long>(
            "kinds", Long.class, Double.class, double[].class, Long.class)
        .state((id, attribute, in, out) -> new Node(new double[length], new double[length], 0))
        .initial(new double[length])
        .vertexWithContext(
            (id, node, sum, run) ->
                (run.superstep() & 1) == 0
                    ? new Node(Vectors.add(node.given(), sum), node.given(), node.kind())
                    : new Node(
                        Vectors.scale(Reductions.sum(sum), node.value()), sum, node.kind() + 1))
        .sendWithContext(
            (edge, run) -> {
              if ((run.superstep() & 1) == 1) {
                edge.sendToDst(edge.srcAttr().value());
              } else {
                edge.sendToSrc(edge.dstAttr().given());
              }
            })
        .merge(Vectors::add)
        .result((id, attribute, node) -> (long) node.value()[0]);
  }

  private static ProgramInstance folded(int length) {
    double[] empty = new double[length];
    ValueType type = ValueType.like(empty);
    MergeMessage<double[]> add = Vectors::add;
    SendMessage<double[], Double, double[]> send = edge -> edge.sendToDst(edge.srcAttr());
    SendMessage<double[], Double, double[]> back =
        edge -> edge.sendToSrc(Vectors.scale(edge.attr(), edge.dstAttr()));
    VertexProgram<double[], double[]> take = (id, value, sum) -> Vectors.axpy(0.5, sum, value);
    VertexMap<double[]> scale = (id, value) -> Vectors.scale(2, value);
    return Folding.apply(
            ProgramLifter.liftSteps(
                new StepSource(
                    type,
                    new ValueType.Scalar(Kind.DOUBLE),
                    null,
                    List.of(
                        new StepSource.VertexMap(1, scale, 0),
                        new StepSource.Repeat(
                            2,
                            List.of(
                                new StepSource.EdgeMap(
                                    1, send, add, type, ValueBoxes.of(type, empty)),
                                new StepSource.VertexMap(2, take, 1),
                                new StepSource.EdgeMap(
                                    2, back, add, type, ValueBoxes.of(type, empty)),
                                new StepSource.VertexMap(3, take, 1)))),
                    null,
                    null)),
            null,
            true)
        .program();
  }
}
