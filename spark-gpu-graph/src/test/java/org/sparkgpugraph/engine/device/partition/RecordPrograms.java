package org.sparkgpugraph.engine.device.partition;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DelegateSettings;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.PushSettings;
import org.sparkgpugraph.function.ActiveWhen;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.StateFunction;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ProgramSource;
import org.sparkgpugraph.program.ProgramTraits;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.jvm.IrBuilder;
import org.sparkgpugraph.program.lift.ProgramLifter;

/** Programs whose messages no atomic operation of a GPU merges; edges have a long each. */
public final class RecordPrograms {
  /** Columns of a route: length, last stop, stops, and two that tell routes apart. */
  static final int ROUTE = 5;

  private RecordPrograms() {}

  private static Kind[] longs(int count) {
    return Collections.nCopies(count, Kind.LONG).toArray(new Kind[0]);
  }

  private static Integer[] parameters(IrBuilder function, Role role, int count) {
    return IntStream.range(0, count)
        .mapToObj(c -> function.parameter(role, c, Kind.LONG))
        .toArray(Integer[]::new);
  }

  /**
   * Shortest routes, of those as short the one with the least last stop: a record of five longs,
   * the least of which in its first two wins whole. The attribute is the route so far.
   */
  public static ProgramInstance routes() {
    IrBuilder send = new IrBuilder("send");
    Integer[] route = parameters(send, Role.SOURCE, ROUTE);
    int edge = send.parameter(Role.EDGE, 0, Kind.LONG);
    int none = send.newLabel();
    send.branch(Condition.EQ, route[0], send.constant(Kind.LONG, Long.MAX_VALUE), none);
    int mixed =
        send.binary(BinaryOp.MULTIPLY, route[4], send.constant(Kind.LONG, 0x9e3779b97f4a7c15L));
    send.emit(
        Side.DESTINATION,
        send.binary(BinaryOp.ADD, route[0], edge),
        send.parameter(Role.SOURCE_ID, 0, Kind.LONG),
        send.binary(BinaryOp.ADD, route[2], send.constant(Kind.LONG, 1L)),
        send.binary(BinaryOp.XOR, route[3], mixed),
        send.binary(BinaryOp.ADD, mixed, edge));
    send.label(none).returns();
    return new ProgramInstance(
        LiftedProgram.builder()
            .attribute(IrPrograms.record(longs(ROUTE)))
            .edge(IrPrograms.LONG)
            .state(IrPrograms.record(longs(ROUTE)))
            .message(IrPrograms.record(longs(ROUTE)))
            .result(IrPrograms.record(longs(ROUTE)))
            .vertexProgram(better("vertexProgram", Role.VALUE, Role.MESSAGE))
            .send(send.build())
            .merge(better("merge", Role.LEFT, Role.RIGHT))
            .activeWhen(differs(2))
            .traits(traits(ROUTE, MergeAlgebra.GENERAL))
            .build(),
        List.of());
  }

  private static ProgramTraits traits(int columns, MergeAlgebra algebra) {
    return new ProgramTraits(Collections.nCopies(columns, algebra), false, true, false, List.of());
  }

  /** The better of two routes. */
  private static IrFunction better(String name, Role one, Role other) {
    IrBuilder function = new IrBuilder(name);
    Integer[] a = parameters(function, one, ROUTE);
    Integer[] b = parameters(function, other, ROUTE);
    int left = function.newLabel();
    int right = function.newLabel();
    function.branch(Condition.LT, a[0], b[0], left).branch(Condition.GT, a[0], b[0], right);
    function.branch(Condition.GT, a[1], b[1], right);
    function.label(left).returns(a).label(right).returns(b);
    return function.build(longs(ROUTE));
  }

  /** Whether one of the first columns has changed. */
  private static IrFunction differs(int columns) {
    IrBuilder active = new IrBuilder("activeWhen");
    int changed = active.newLabel();
    for (int c = 0; c < columns; c++) {
      active.branch(
          Condition.NE,
          active.parameter(Role.BEFORE, c, Kind.LONG),
          active.parameter(Role.AFTER, c, Kind.LONG),
          changed);
    }
    active.returns(active.constant(Kind.INT, 0)).label(changed);
    return active.returns(active.constant(Kind.INT, 1)).build(Kind.BOOLEAN);
  }

  /**
   * The three largest numbers that are sent, in descending order; half of all vertices are active.
   */
  static ProgramInstance topThree() {
    IrBuilder send = new IrBuilder("send");
    int value = send.parameter(Role.SOURCE, 0, Kind.LONG);
    int edge = send.parameter(Role.EDGE, 0, Kind.LONG);
    int least = send.constant(Kind.LONG, Long.MIN_VALUE);
    int sent = send.binary(BinaryOp.XOR, value, send.binary(BinaryOp.MULTIPLY, value, edge));
    send.emit(Side.DESTINATION, sent, least, least).returns();
    IrBuilder merge = new IrBuilder("merge");
    Integer[] a = parameters(merge, Role.LEFT, 3);
    Integer[] b = parameters(merge, Role.RIGHT, 3);
    int second = max(merge, max(merge, a[1], b[1]), min(merge, a[0], b[0]));
    int third =
        max(
            merge,
            max(merge, a[2], b[2]),
            max(merge, min(merge, a[0], b[1]), min(merge, a[1], b[0])));
    merge.returns(max(merge, a[0], b[0]), second, third);
    return mixing(send, merge, 3, MergeAlgebra.GENERAL);
  }

  private static int max(IrBuilder function, int a, int b) {
    return function.call(Intrinsic.MAX, Kind.LONG, a, b);
  }

  private static int min(IrBuilder function, int a, int b) {
    return function.call(Intrinsic.MIN, Kind.LONG, a, b);
  }

  /** Sums of so many numbers each. */
  static ProgramInstance sums(int columns) {
    IrBuilder send = new IrBuilder("send");
    int value = send.parameter(Role.SOURCE, 0, Kind.LONG);
    Integer[] sent = new Integer[columns];
    for (int c = 0; c < columns; c++) {
      sent[c] = send.binary(BinaryOp.MULTIPLY, value, send.constant(Kind.LONG, 2L * c + 1));
    }
    send.emit(Side.DESTINATION, sent).returns();
    return mixing(send, adding(columns, Long.MAX_VALUE), columns, MergeAlgebra.SUM);
  }

  /** Sums that stop the run where one is larger than a limit. */
  static ProgramInstance limited(long limit) {
    IrBuilder send = new IrBuilder("send");
    send.emit(
            Side.DESTINATION,
            send.constant(Kind.LONG, 1L),
            send.parameter(Role.SOURCE, 0, Kind.LONG))
        .returns();
    return mixing(send, adding(2, limit), 2, MergeAlgebra.GENERAL);
  }

  private static IrBuilder adding(int columns, long limit) {
    IrBuilder merge = new IrBuilder("merge");
    Integer[] a = parameters(merge, Role.LEFT, columns);
    Integer[] b = parameters(merge, Role.RIGHT, columns);
    Integer[] sums =
        IntStream.range(0, columns)
            .mapToObj(c -> merge.binary(BinaryOp.ADD, a[c], b[c]))
            .toArray(Integer[]::new);
    if (limit == Long.MAX_VALUE) {
      return merge.returns(sums);
    }
    int fault = merge.newLabel();
    merge.branch(Condition.GT, sums[0], merge.constant(Kind.LONG, limit), fault);
    return merge.returns(sums).label(fault).fail(FaultCode.THROWN, "too many");
  }

  /**
   * A value becomes a mixture of itself and the message's columns, one bit of which says who is
   * active.
   */
  private static ProgramInstance mixing(
      IrBuilder send, IrBuilder merge, int columns, MergeAlgebra algebra) {
    IrBuilder program = new IrBuilder("vertexProgram");
    int next = program.parameter(Role.VALUE, 0, Kind.LONG);
    for (int message : parameters(program, Role.MESSAGE, columns)) {
      int times = program.binary(BinaryOp.MULTIPLY, next, program.constant(Kind.LONG, 31L));
      next = program.binary(BinaryOp.ADD, times, message);
    }
    return new ProgramInstance(
        LiftedProgram.builder()
            .attribute(IrPrograms.LONG)
            .edge(IrPrograms.LONG)
            .state(IrPrograms.LONG)
            .message(IrPrograms.record(longs(columns)))
            .result(IrPrograms.LONG)
            .vertexProgram(program.returns(next).build(Kind.LONG))
            .send(send.build())
            .merge(merge.build(longs(columns)))
            .activeWhen(IrPrograms.activeByABit())
            .traits(traits(columns, algebra))
            .build(),
        List.of());
  }

  /** Counts of what neighbours have, in a table of eight: an array of them is a message. */
  static ProgramInstance counts() {
    StateFunction<Long, Long> state = (id, attribute, in, out) -> attribute;
    VertexProgram<Long, int[]> vertexProgram =
        (id, value, counts) -> {
          long mixed = value;
          for (int i = 0; i < 8; i++) {
            mixed = mixed * 31 + counts[i];
          }
          return mixed;
        };
    SendMessage<Long, Long, int[]> send =
        edge -> {
          int[] counts = new int[8];
          counts[(int) (edge.srcAttr() + edge.attr()) & 7] = 1;
          edge.sendToDst(counts);
        };
    MergeMessage<int[]> merge =
        (a, b) -> {
          int[] sums = new int[8];
          for (int i = 0; i < 8; i++) {
            sums[i] = a[i] + b[i];
          }
          return sums;
        };
    ActiveWhen<Long> activeWhen = (id, before, after) -> (after & 1) != 0;
    return ProgramLifter.lift(
        new ProgramSource(
            IrPrograms.LONG,
            IrPrograms.LONG,
            new ValueType.Vector(Kind.INT, 8),
            state,
            vertexProgram,
            send,
            merge,
            activeWhen,
            List.of(),
            List.of(),
            null));
  }

  /** Sums of floating point, beside how many there are. */
  static ProgramInstance means() {
    record Sum(double total, long count) {}
    StateFunction<Double, Double> state = (id, attribute, in, out) -> attribute;
    VertexProgram<Double, Sum> vertexProgram =
        (id, value, sum) -> sum.count() == 0 ? value : value * 0.5 + sum.total() / sum.count();
    SendMessage<Double, Long, Sum> send =
        edge -> edge.sendToDst(new Sum(edge.srcAttr() / (1 + edge.attr()), 1));
    MergeMessage<Sum> merge = (a, b) -> new Sum(a.total() + b.total(), a.count() + b.count());
    return ProgramLifter.lift(
        new ProgramSource(
            IrPrograms.DOUBLE,
            IrPrograms.LONG,
            null,
            state,
            vertexProgram,
            send,
            merge,
            null,
            List.of(),
            List.of(),
            null));
  }

  /** The kernels that merge routes in one of two ways. */
  public static KernelSource routes(DelegateSettings how) {
    return DeviceEngine.kernels(
            routes().program(),
            DelegateSuite.routes(),
            DeviceSettings.DEFAULT.withPush(PushSettings.DEFAULT.withDelegate(how)),
            false,
            false)
        .source();
  }

  /** A first message of so many columns that says nothing to any of these programs. */
  static Object[] nothing(int columns) {
    Object[] message = new Object[columns];
    Arrays.fill(message, 3L);
    message[0] = Long.MAX_VALUE;
    return message;
  }
}
