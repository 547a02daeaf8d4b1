package org.sparkgpugraph.engine;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.program.Aggregate;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ProgramTraits;
import org.sparkgpugraph.program.TableShape;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.ArrayType;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.ir.UnaryOp;
import org.sparkgpugraph.program.jvm.IrBuilder;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;

/** Programs written in IR. */
public final class IrPrograms {
  /** Elements of each table of a random program. */
  private static final int TABLE_LENGTH = 64;

  private IrPrograms() {}

  public static final ValueType DOUBLE = new ValueType.Scalar(Kind.DOUBLE);
  public static final ValueType LONG = new ValueType.Scalar(Kind.LONG);
  public static final ValueType INT = new ValueType.Scalar(Kind.INT);

  public static ValueType record(Kind... kinds) {
    java.util.ArrayList<ValueType.Field> fields = new java.util.ArrayList<>();
    for (Kind kind : kinds) {
      fields.add(new ValueType.Field("c" + fields.size(), new ValueType.Scalar(kind)));
    }
    return new ValueType.Struct("Test", fields);
  }

  /** rank = base + damping · Σ rank · weight; the attribute is (rank, 1 / outDegree). */
  public static ProgramInstance pageRank(boolean contributions, double damping) {
    ValueType state = record(Kind.DOUBLE, Kind.DOUBLE);
    IrBuilder send = new IrBuilder("send");
    if (contributions) {
      // Column 1 is the contribution, kept by the vertex program: one gather per edge.
      send.emit(Side.DESTINATION, send.parameter(Role.SOURCE, 1, Kind.DOUBLE)).returns();
    } else {
      int rank = send.parameter(Role.SOURCE, 0, Kind.DOUBLE);
      int weight = send.parameter(Role.SOURCE, 1, Kind.DOUBLE);
      send.emit(Side.DESTINATION, send.binary(BinaryOp.MULTIPLY, rank, weight)).returns();
    }
    IrBuilder program = new IrBuilder("vertexProgram");
    int sum = program.parameter(Role.MESSAGE, 0, Kind.DOUBLE);
    int second = program.parameter(Role.VALUE, 1, Kind.DOUBLE);
    int d = program.parameter(Role.CAPTURE, 0, Kind.DOUBLE);
    int one = program.constant(Kind.DOUBLE, 1.0);
    int rank =
        program.binary(
            BinaryOp.ADD,
            program.binary(BinaryOp.SUBTRACT, one, d),
            program.binary(BinaryOp.MULTIPLY, d, sum));
    program.returns(rank, contributions ? program.binary(BinaryOp.MULTIPLY, rank, one) : second);
    return new ProgramInstance(
        LiftedProgram.builder()
            .attribute(state)
            .edge(INT)
            .state(state)
            .message(DOUBLE)
            .result(state)
            .vertexProgram(program.build(Kind.DOUBLE, Kind.DOUBLE))
            .send(send.build())
            .merge(binaryMerge(BinaryOp.ADD, Kind.DOUBLE))
            .captureKinds(List.of(Kind.DOUBLE))
            .traits(new ProgramTraits(List.of(MergeAlgebra.SUM), false, true, false, List.of()))
            .build(),
        List.of(damping));
  }

  public static IrFunction binaryMerge(BinaryOp op, Kind kind) {
    IrBuilder merge = new IrBuilder("merge");
    int result =
        merge.binary(op, merge.parameter(Role.LEFT, 0, kind), merge.parameter(Role.RIGHT, 0, kind));
    return merge.returns(result).build(kind);
  }

  public static IrFunction callMerge(Intrinsic function, Kind kind) {
    IrBuilder merge = new IrBuilder("merge");
    int result =
        merge.call(
            function,
            kind,
            merge.parameter(Role.LEFT, 0, kind),
            merge.parameter(Role.RIGHT, 0, kind));
    return merge.returns(result).build(kind);
  }

  private static IrFunction minWithMessage(Kind kind) {
    IrBuilder program = new IrBuilder("vertexProgram");
    int result =
        program.call(
            Intrinsic.MIN,
            kind,
            program.parameter(Role.VALUE, 0, kind),
            program.parameter(Role.MESSAGE, 0, kind));
    return program.returns(result).build(kind);
  }

  /** if (src + edge &lt; dst) sendToDst(src + edge); min. The attribute is the start distance. */
  public static ProgramInstance shortestPaths() {
    IrBuilder send = new IrBuilder("send");
    int source = send.parameter(Role.SOURCE, 0, Kind.DOUBLE);
    int edge = send.parameter(Role.EDGE, 0, Kind.DOUBLE);
    int destination = send.parameter(Role.DESTINATION, 0, Kind.DOUBLE);
    int distance = send.binary(BinaryOp.ADD, source, edge);
    int skip = send.newLabel();
    send.branch(Condition.NOT_LT, distance, destination, skip);
    send.emit(Side.DESTINATION, distance).label(skip).returns();
    return new ProgramInstance(
        LiftedProgram.builder()
            .attribute(DOUBLE)
            .edge(DOUBLE)
            .state(DOUBLE)
            .message(DOUBLE)
            .result(DOUBLE)
            .vertexProgram(minWithMessage(Kind.DOUBLE))
            .send(send.build())
            .merge(callMerge(Intrinsic.MIN, Kind.DOUBLE))
            .traits(new ProgramTraits(List.of(MergeAlgebra.MIN), false, true, true, List.of()))
            .build(),
        List.of());
  }

  /** The widest path to each vertex: that whose narrowest edge is widest. */
  public static ProgramInstance widestPaths() {
    IrBuilder send = new IrBuilder("send");
    int source = send.parameter(Role.SOURCE, 0, Kind.DOUBLE);
    int edge = send.parameter(Role.EDGE, 0, Kind.DOUBLE);
    int destination = send.parameter(Role.DESTINATION, 0, Kind.DOUBLE);
    int width = send.call(Intrinsic.MIN, Kind.DOUBLE, source, edge);
    int skip = send.newLabel();
    send.branch(Condition.NOT_GT, width, destination, skip);
    send.emit(Side.DESTINATION, width).label(skip).returns();
    return new ProgramInstance(
        LiftedProgram.builder()
            .attribute(DOUBLE)
            .edge(DOUBLE)
            .state(DOUBLE)
            .message(DOUBLE)
            .result(DOUBLE)
            .vertexProgram(
                merged(MergeAlgebra.MAX, Kind.DOUBLE, "vertexProgram", Role.VALUE, Role.MESSAGE))
            .send(send.build())
            .merge(merged(MergeAlgebra.MAX, Kind.DOUBLE, "merge", Role.LEFT, Role.RIGHT))
            .traits(new ProgramTraits(List.of(MergeAlgebra.MAX), false, true, true, List.of()))
            .build(),
        List.of());
  }

  /** GraphX's ConnectedComponents: the smaller id goes to the other end. */
  public static ProgramInstance components() {
    IrBuilder state = new IrBuilder("state");
    state.returns(state.parameter(Role.ID, 0, Kind.LONG));
    IrBuilder send = new IrBuilder("send");
    int source = send.parameter(Role.SOURCE, 0, Kind.LONG);
    int destination = send.parameter(Role.DESTINATION, 0, Kind.LONG);
    int notLess = send.newLabel();
    int end = send.newLabel();
    send.branch(Condition.GE, source, destination, notLess);
    send.emit(Side.DESTINATION, source).jump(end).label(notLess);
    send.branch(Condition.LE, source, destination, end);
    send.emit(Side.SOURCE, destination).label(end).returns();
    return new ProgramInstance(
        LiftedProgram.builder()
            .attribute(INT)
            .edge(INT)
            .state(LONG)
            .message(LONG)
            .result(LONG)
            .initialState(state.build(Kind.LONG))
            .vertexProgram(minWithMessage(Kind.LONG))
            .send(send.build())
            .merge(callMerge(Intrinsic.MIN, Kind.LONG))
            .traits(new ProgramTraits(List.of(MergeAlgebra.MIN), true, true, true, List.of()))
            .build(),
        List.of());
  }

  /**
   * A random program over state (LONG, INT), message (LONG, INT): what it sends, and where to,
   * depends on everything that a send function can read; the merge is associative and commutative.
   */
  public static ProgramInstance random(Random random, Options options) {
    Kind[] state = {Kind.LONG, Kind.INT};
    Kind[] message = {Kind.LONG, Kind.INT};
    IrBuilder send = new IrBuilder("send");
    int x = send.parameter(Role.SOURCE, 0, Kind.LONG);
    int y = send.parameter(Role.DESTINATION, 0, Kind.LONG);
    if (random.nextBoolean()) {
      x = send.binary(BinaryOp.XOR, x, send.parameter(Role.EDGE, 0, Kind.LONG));
    }
    if (random.nextBoolean()) {
      x = send.binary(BinaryOp.ADD, x, send.parameter(Role.SOURCE_ID, 0, Kind.LONG));
    }
    if (random.nextBoolean()) {
      y = send.binary(BinaryOp.ADD, y, send.parameter(Role.DESTINATION_ID, 0, Kind.LONG));
    }
    if (options.context() && random.nextBoolean()) {
      int s = send.parameter(Role.SUPERSTEP, 0, Kind.INT);
      x = send.binary(BinaryOp.ADD, x, send.unary(UnaryOp.CONVERT, Kind.LONG, s));
    }
    if (options.tables()) {
      int at = send.binary(BinaryOp.AND, x, send.constant(Kind.LONG, TABLE_LENGTH - 1L));
      int index = send.unary(UnaryOp.CONVERT, Kind.INT, at);
      x = send.binary(BinaryOp.XOR, x, send.load(0, Kind.LONG, index));
    }
    int mask = send.constant(Kind.LONG, random.nextBoolean() ? 3L : 7L);
    int limit = send.constant(Kind.LONG, (long) random.nextInt(4));
    int hash = send.binary(BinaryOp.AND, send.binary(BinaryOp.XOR, x, y), mask);
    int second = send.parameter(Role.SOURCE, 1, Kind.INT);
    if (options.toDestination()) {
      int skip = send.newLabel();
      send.branch(Condition.GT, hash, limit, skip);
      send.emit(Side.DESTINATION, x, second);
      if (random.nextBoolean()) {
        send.emit(Side.DESTINATION, y, second);
      }
      send.label(skip);
    }
    if (options.toSource()) {
      int skip = send.newLabel();
      send.branch(Condition.LT, hash, limit, skip);
      send.emit(Side.SOURCE, y, second).label(skip);
    }
    send.returns();

    IrBuilder merge = new IrBuilder("merge");
    BinaryOp sum = random.nextBoolean() ? BinaryOp.ADD : BinaryOp.XOR;
    int left =
        merge.binary(
            sum,
            merge.parameter(Role.LEFT, 0, Kind.LONG),
            merge.parameter(Role.RIGHT, 0, Kind.LONG));
    int right =
        merge.call(
            Intrinsic.MAX,
            Kind.INT,
            merge.parameter(Role.LEFT, 1, Kind.INT),
            merge.parameter(Role.RIGHT, 1, Kind.INT));
    merge.returns(left, right);
    MergeAlgebra first = sum == BinaryOp.ADD ? MergeAlgebra.SUM : MergeAlgebra.GENERAL;

    IrBuilder program = new IrBuilder("vertexProgram");
    int value = program.parameter(Role.VALUE, 0, Kind.LONG);
    int count = program.parameter(Role.VALUE, 1, Kind.INT);
    int sent = program.parameter(Role.MESSAGE, 0, Kind.LONG);
    if (random.nextBoolean()) {
      sent = program.binary(BinaryOp.ADD, sent, program.parameter(Role.ID, 0, Kind.LONG));
    }
    if (options.aggregates() && random.nextBoolean()) {
      int a = program.parameter(Role.AGGREGATE, 0, Kind.DOUBLE);
      sent = program.binary(BinaryOp.XOR, sent, program.unary(UnaryOp.CONVERT, Kind.LONG, a));
    }
    if (options.tables()) {
      int at = program.binary(BinaryOp.AND, count, program.constant(Kind.INT, TABLE_LENGTH - 1));
      int flag = program.load(1, Kind.BOOLEAN, at);
      sent = program.binary(BinaryOp.ADD, sent, program.unary(UnaryOp.CONVERT, Kind.LONG, flag));
    }
    int shift = program.constant(Kind.INT, 1);
    int mixed =
        program.binary(BinaryOp.XOR, program.binary(BinaryOp.SHIFT_RIGHT, value, shift), sent);
    int next =
        random.nextBoolean()
            ? program.binary(BinaryOp.ADD, count, program.parameter(Role.MESSAGE, 1, Kind.INT))
            : count;
    program.returns(mixed, next);

    IrFunction activeWhen = null;
    if (options.activeWhen()) {
      IrBuilder active = new IrBuilder("activeWhen");
      int before = active.parameter(Role.BEFORE, 0, Kind.LONG);
      int after = active.parameter(Role.AFTER, 0, Kind.LONG);
      int bit =
          active.binary(
              BinaryOp.AND,
              active.unary(UnaryOp.CONVERT, Kind.INT, active.binary(BinaryOp.XOR, before, after)),
              active.constant(Kind.INT, 1));
      activeWhen = active.returns(bit).build(Kind.BOOLEAN);
    }
    List<Aggregate> aggregates = List.of();
    if (options.aggregates()) {
      IrBuilder total = new IrBuilder("total");
      int low =
          total.binary(
              BinaryOp.AND,
              total.parameter(Role.AFTER, 0, Kind.LONG),
              total.constant(Kind.LONG, 1023L));
      IrBuilder top = new IrBuilder("top");
      int before = top.parameter(Role.BEFORE, 0, Kind.LONG);
      int id = top.parameter(Role.ID, 0, Kind.LONG);
      aggregates =
          List.of(
              new Aggregate(
                  "total",
                  AggregateOperation.SUM,
                  total.returns(total.unary(UnaryOp.CONVERT, Kind.DOUBLE, low)).build(Kind.DOUBLE)),
              new Aggregate(
                  "top",
                  AggregateOperation.MAX,
                  top.returns(
                          top.unary(
                              UnaryOp.CONVERT, Kind.DOUBLE, top.binary(BinaryOp.XOR, before, id)))
                      .build(Kind.DOUBLE)));
    }
    IrFunction initial = null;
    if (options.state()) {
      IrBuilder first2 = new IrBuilder("state");
      int attribute = first2.parameter(Role.ATTRIBUTE, 0, Kind.LONG);
      int id = first2.parameter(Role.ID, 0, Kind.LONG);
      int degree =
          first2.parameter(random.nextBoolean() ? Role.IN_DEGREE : Role.OUT_DEGREE, 0, Kind.INT);
      first2.returns(first2.binary(BinaryOp.ADD, attribute, id), degree);
      initial = first2.build(state);
    }
    IrFunction result = null;
    if (options.state()) {
      IrBuilder last = new IrBuilder("result");
      int attribute = last.parameter(Role.ATTRIBUTE, 1, Kind.INT);
      int v = last.parameter(Role.VALUE, 0, Kind.LONG);
      int c = last.parameter(Role.CAPTURE, 0, Kind.LONG);
      int converted = last.unary(UnaryOp.CONVERT, Kind.DOUBLE, attribute);
      if (options.aggregates()) {
        converted =
            last.binary(BinaryOp.ADD, converted, last.parameter(Role.AGGREGATE, 1, Kind.DOUBLE));
      }
      last.returns(last.binary(BinaryOp.ADD, v, c), converted);
      result = last.build(Kind.LONG, Kind.DOUBLE);
    }
    return new ProgramInstance(
        LiftedProgram.builder()
            .attribute(record(state))
            .edge(LONG)
            .state(record(state))
            .message(record(message))
            .result(options.state() ? record(Kind.LONG, Kind.DOUBLE) : record(state))
            .initialState(initial)
            .vertexProgram(program.build(state))
            .send(send.build())
            .merge(merge.build(message))
            .activeWhen(activeWhen)
            .aggregates(aggregates)
            .finalAggregates(options.state() ? aggregates : List.of())
            .resultFunction(result)
            .captureKinds(List.of(Kind.LONG, Kind.INT))
            .tables(
                options.tables()
                    ? List.of(new TableShape(Kind.LONG, 1), new TableShape(Kind.BOOLEAN, 1))
                    : List.of())
            .traits(
                new ProgramTraits(
                    List.of(first, MergeAlgebra.MAX),
                    options.toSource(),
                    options.toDestination(),
                    false,
                    List.of()))
            .build(),
        List.of(1L + random.nextInt(100), TABLE_LENGTH),
        options.tables() ? tables(random) : List.of());
  }

  /** Types of the edge values of {@link #everyKind}. */
  public static final List<ColumnType> EVERY_KIND =
      List.of(
          Kind.DOUBLE,
          new ArrayType(Kind.LONG, 3),
          Kind.FLOAT,
          Kind.BOOLEAN,
          Kind.INT,
          new ArrayType(Kind.FLOAT, 2),
          Kind.LONG);

  /**
   * Sums of what edges have in columns of every type, to both ends; about half of the vertices are
   * active.
   *
   * @param reads which of the columns it reads: all but those of a bit that is not set
   */
  public static ProgramInstance everyKind(int reads) {
    IrBuilder send = new IrBuilder("send");
    int source = send.parameter(Role.SOURCE, 0, Kind.LONG);
    int destination = send.parameter(Role.DESTINATION, 0, Kind.LONG);
    int sum = send.binary(BinaryOp.XOR, source, destination);
    for (int c = 0; c < EVERY_KIND.size(); c++) {
      ColumnType type = EVERY_KIND.get(c);
      if ((reads >>> c & 1) != 0) {
        int value =
            type instanceof ArrayType array
                ? send.element(
                    send.parameter(Role.EDGE, c, array),
                    send.constant(Kind.INT, array.length() - 1))
                : send.parameter(Role.EDGE, c, type.kind());
        int number =
            type.kind() == Kind.LONG ? value : send.unary(UnaryOp.CONVERT, Kind.LONG, value);
        int factor = send.constant(Kind.LONG, 31L);
        sum = send.binary(BinaryOp.ADD, send.binary(BinaryOp.MULTIPLY, sum, factor), number);
      }
    }
    send.emit(Side.DESTINATION, sum);
    send.emit(Side.SOURCE, send.binary(BinaryOp.XOR, sum, source)).returns();
    IrBuilder merge = new IrBuilder("merge");
    int left = merge.parameter(Role.LEFT, 0, Kind.LONG);
    merge.returns(merge.binary(BinaryOp.ADD, left, merge.parameter(Role.RIGHT, 0, Kind.LONG)));
    IrBuilder program = new IrBuilder("vertexProgram");
    int value = program.parameter(Role.VALUE, 0, Kind.LONG);
    int message = program.parameter(Role.MESSAGE, 0, Kind.LONG);
    program.returns(
        program.binary(
            BinaryOp.ADD,
            program.binary(BinaryOp.MULTIPLY, value, program.constant(Kind.LONG, 3L)),
            message));
    return new ProgramInstance(
        LiftedProgram.builder()
            .attribute(LONG)
            .edge(new ValueType.Row(EVERY_KIND))
            .state(LONG)
            .message(LONG)
            .result(LONG)
            .vertexProgram(program.build(Kind.LONG))
            .send(send.build())
            .merge(merge.build(Kind.LONG))
            .activeWhen(activeByABit())
            .traits(new ProgramTraits(List.of(MergeAlgebra.SUM), true, true, false, List.of()))
            .build(),
        List.of());
  }

  private static List<Object> tables(Random random) {
    boolean[] flags = new boolean[TABLE_LENGTH];
    for (int i = 0; i < flags.length; i++) {
      flags[i] = random.nextBoolean();
    }
    return List.of(random.longs(TABLE_LENGTH).toArray(), flags);
  }

  /** What a random program has. */
  public record Options(
      boolean toDestination,
      boolean toSource,
      boolean activeWhen,
      boolean aggregates,
      boolean state,
      boolean context,
      boolean tables) {
    public static Options random(Random random) {
      int sides = 1 + random.nextInt(3);
      return new Options(
          (sides & 1) != 0,
          (sides & 2) != 0,
          random.nextInt(3) == 0,
          random.nextInt(3) == 0,
          random.nextInt(3) == 0,
          random.nextInt(3) == 0,
          random.nextInt(3) == 0);
    }
  }

  /** How {@link #ordered} merges two messages; exact, so that a lost edge cannot hide. */
  public enum OrderedMerge {
    /** a · a', b + a · b': associative, but not commutative. */
    COMPOSE,
    /** Keeps the left one. */
    FIRST,
    /** Sums. */
    SUM
  }

  /**
   * Messages (LONG, LONG) from both ends of an edge that differ from edge to edge, merged exactly
   * and, but for SUM, so that the order shows. About half of the vertices are active.
   */
  public static ProgramInstance ordered(OrderedMerge how) {
    Kind[] pair = {Kind.LONG, Kind.LONG};
    IrBuilder send = new IrBuilder("send");
    for (Side side : Side.values()) {
      boolean forward = side == Side.DESTINATION;
      int value = send.parameter(forward ? Role.SOURCE : Role.DESTINATION, 0, Kind.LONG);
      int edge = send.parameter(Role.EDGE, 0, Kind.LONG);
      int one = send.constant(Kind.LONG, 1L);
      // Odd, so that no factor is lost.
      int factor = send.binary(BinaryOp.OR, send.binary(BinaryOp.ADD, value, edge), one);
      send.emit(side, factor, send.binary(BinaryOp.XOR, value, edge));
    }
    send.returns();
    IrBuilder merge = new IrBuilder("merge");
    int a = merge.parameter(Role.LEFT, 0, Kind.LONG);
    int b = merge.parameter(Role.LEFT, 1, Kind.LONG);
    if (how == OrderedMerge.FIRST) {
      merge.returns(a, b);
    } else {
      int c = merge.parameter(Role.RIGHT, 0, Kind.LONG);
      int d = merge.parameter(Role.RIGHT, 1, Kind.LONG);
      if (how == OrderedMerge.SUM) {
        merge.returns(merge.binary(BinaryOp.ADD, a, c), merge.binary(BinaryOp.ADD, b, d));
      } else {
        merge.returns(
            merge.binary(BinaryOp.MULTIPLY, a, c),
            merge.binary(BinaryOp.ADD, b, merge.binary(BinaryOp.MULTIPLY, a, d)));
      }
    }
    MergeAlgebra algebra =
        switch (how) {
          case COMPOSE -> MergeAlgebra.GENERAL;
          case FIRST -> MergeAlgebra.FIRST;
          case SUM -> MergeAlgebra.SUM;
        };
    IrBuilder program = new IrBuilder("vertexProgram");
    int next =
        program.binary(
            BinaryOp.XOR,
            program.parameter(Role.MESSAGE, 0, Kind.LONG),
            program.binary(
                BinaryOp.SHIFT_LEFT,
                program.parameter(Role.MESSAGE, 1, Kind.LONG),
                program.constant(Kind.INT, 1)));
    program.returns(next);
    return new ProgramInstance(
        LiftedProgram.builder()
            .attribute(LONG)
            .edge(LONG)
            .state(LONG)
            .message(record(pair))
            .result(LONG)
            .vertexProgram(program.build(Kind.LONG))
            .send(send.build())
            .merge(merge.build(pair))
            .activeWhen(activeByABit())
            .traits(new ProgramTraits(List.of(algebra, algebra), true, true, false, List.of()))
            .build(),
        List.of());
  }

  /** Active are vertices with a 1 in the eighth bit of their value: about half of mixed ones. */
  public static IrFunction activeByABit() {
    IrBuilder active = new IrBuilder("activeWhen");
    int bits =
        active.binary(
            BinaryOp.SHIFT_RIGHT,
            active.parameter(Role.AFTER, 0, Kind.LONG),
            active.constant(Kind.INT, 7));
    int bit =
        active.binary(
            BinaryOp.AND,
            active.unary(UnaryOp.CONVERT, Kind.INT, bits),
            active.constant(Kind.INT, 1));
    return active.returns(bit).build(Kind.BOOLEAN);
  }

  /**
   * Every vertex takes over the least (largest …) value that reaches it along edges: monotone, in
   * one column of a kind.
   */
  public static ProgramInstance spreading(MergeAlgebra merge, Kind kind) {
    IrBuilder send = new IrBuilder("send");
    send.emit(Side.DESTINATION, send.parameter(Role.SOURCE, 0, kind)).returns();
    return spreading(merge, kind, send, false);
  }

  /** The same, which sends only what improves the receiver; merge is MIN or MAX. */
  public static ProgramInstance spreadingWhatImproves(MergeAlgebra merge, Kind kind) {
    IrBuilder send = new IrBuilder("send");
    int source = send.parameter(Role.SOURCE, 0, kind);
    int destination = send.parameter(Role.DESTINATION, 0, kind);
    int skip = send.newLabel();
    boolean min = merge == MergeAlgebra.MIN;
    Condition worse =
        kind.isIntegral()
            ? min ? Condition.GE : Condition.LE
            : min ? Condition.NOT_LT : Condition.NOT_GT;
    send.branch(worse, source, destination, skip);
    send.emit(Side.DESTINATION, source).label(skip).returns();
    return spreading(merge, kind, send, false);
  }

  /** The smallest number spreads over edges in both directions, to where it is smaller. */
  public static ProgramInstance spreadingBothWays() {
    IrBuilder send = new IrBuilder("send");
    int source = send.parameter(Role.SOURCE, 0, Kind.INT);
    int destination = send.parameter(Role.DESTINATION, 0, Kind.INT);
    int back = send.newLabel();
    int skip = send.newLabel();
    send.branch(Condition.GE, source, destination, back);
    send.emit(Side.DESTINATION, source).label(back);
    send.branch(Condition.LE, source, destination, skip);
    send.emit(Side.SOURCE, destination).label(skip).returns();
    return spreading(MergeAlgebra.MIN, Kind.INT, send, true);
  }

  private static ProgramInstance spreading(
      MergeAlgebra merge, Kind kind, IrBuilder send, boolean toSource) {
    ValueType type = new ValueType.Scalar(kind);
    return new ProgramInstance(
        LiftedProgram.builder()
            .attribute(type)
            .edge(INT)
            .state(type)
            .message(type)
            .result(type)
            .vertexProgram(merged(merge, kind, "vertexProgram", Role.VALUE, Role.MESSAGE))
            .send(send.build())
            .merge(merged(merge, kind, "merge", Role.LEFT, Role.RIGHT))
            .traits(new ProgramTraits(List.of(merge), toSource, true, true, List.of()))
            .build(),
        List.of());
  }

  private static IrFunction merged(
      MergeAlgebra merge, Kind kind, String name, Role left, Role right) {
    IrBuilder function = new IrBuilder(name);
    int a = function.parameter(left, 0, kind);
    int b = function.parameter(right, 0, kind);
    int result =
        switch (merge) {
          case MIN -> function.call(Intrinsic.MIN, kind, a, b);
          case MAX -> function.call(Intrinsic.MAX, kind, a, b);
          case OR -> function.binary(BinaryOp.OR, a, b);
          case AND -> function.binary(BinaryOp.AND, a, b);
          default -> throw new IllegalArgumentException(merge + " is not idempotent");
        };
    return function.returns(result).build(kind);
  }

  /**
   * Does something else in odd supersteps than in even ones, with four numbers per vertex that
   * edges read, and stops itself in one superstep.
   *
   * @param last the superstep in which the vertex program stops the run
   */
  public static ProgramInstance phased(int last) {
    ValueType type = new ValueType.Row(List.of(Kind.DOUBLE, Kind.DOUBLE, Kind.DOUBLE, Kind.DOUBLE));
    IrBuilder send = new IrBuilder("send");
    int[] of = doubles(send, Role.SOURCE);
    int odd =
        send.binary(
            BinaryOp.AND, send.parameter(Role.SUPERSTEP, 0, Kind.INT), send.constant(Kind.INT, 1));
    int even = send.newLabel();
    send.branch(Condition.EQ, odd, send.constant(Kind.INT, 0), even);
    int more = send.binary(BinaryOp.ADD, of[0], send.constant(Kind.DOUBLE, 1.0));
    send.emit(Side.DESTINATION, more, of[1], of[2], of[3]).returns();
    send.label(even).emit(Side.DESTINATION, of[1], of[0], of[3], of[2]).returns();
    IrBuilder program = new IrBuilder("vertexProgram");
    int[] before = doubles(program, Role.VALUE);
    int[] told = doubles(program, Role.MESSAGE);
    int fault = program.newLabel();
    program.branch(
        Condition.EQ,
        program.parameter(Role.SUPERSTEP, 0, Kind.INT),
        program.parameter(Role.CAPTURE, 0, Kind.INT),
        fault);
    Integer[] after = new Integer[4];
    for (int c = 0; c < 4; c++) {
      after[c] = program.call(Intrinsic.MAX, Kind.DOUBLE, before[3 - c], told[c]);
    }
    program.returns(after).label(fault).fail(FaultCode.THROWN, "too late");
    IrBuilder merge = new IrBuilder("merge");
    int[] left = doubles(merge, Role.LEFT);
    int[] right = doubles(merge, Role.RIGHT);
    Integer[] merged = new Integer[4];
    for (int c = 0; c < 4; c++) {
      merged[c] = merge.call(Intrinsic.MAX, Kind.DOUBLE, left[c], right[c]);
    }
    Kind[] kinds = {Kind.DOUBLE, Kind.DOUBLE, Kind.DOUBLE, Kind.DOUBLE};
    return new ProgramInstance(
        LiftedProgram.builder()
            .attribute(type)
            .edge(INT)
            .state(type)
            .message(type)
            .result(type)
            .vertexProgram(program.build(kinds))
            .send(send.build())
            .merge(merge.returns(merged).build(kinds))
            .captureKinds(List.of(Kind.INT))
            .traits(
                new ProgramTraits(
                    Collections.nCopies(4, MergeAlgebra.MAX), false, true, false, List.of()))
            .build(),
        List.of(last));
  }

  private static int[] doubles(IrBuilder function, Role role) {
    int[] columns = new int[4];
    for (int c = 0; c < 4; c++) {
      columns[c] = function.parameter(role, c, Kind.DOUBLE);
    }
    return columns;
  }

  /**
   * Sends a value and what a table has at it, modulo its length.
   *
   * @param costs the table, not empty
   */
  public static ProgramInstance costs(int... costs) {
    IrBuilder send = new IrBuilder("send");
    int value = send.parameter(Role.SOURCE, 0, Kind.INT);
    int length = send.parameter(Role.CAPTURE, 0, Kind.INT);
    int cost = send.load(0, Kind.INT, send.binary(BinaryOp.REMAINDER, value, length));
    send.emit(Side.DESTINATION, send.binary(BinaryOp.ADD, value, cost)).returns();
    IrBuilder program = new IrBuilder("vertexProgram");
    return new ProgramInstance(
        LiftedProgram.builder()
            .attribute(INT)
            .edge(INT)
            .state(INT)
            .message(INT)
            .result(INT)
            .vertexProgram(
                program.returns(program.parameter(Role.MESSAGE, 0, Kind.INT)).build(Kind.INT))
            .send(send.build())
            .merge(callMerge(Intrinsic.MAX, Kind.INT))
            .captureKinds(List.of(Kind.INT))
            .tables(List.of(new TableShape(Kind.INT, 0)))
            .traits(new ProgramTraits(List.of(MergeAlgebra.MAX), false, true, false, List.of()))
            .build(),
        List.of(costs.length),
        List.of(costs));
  }

  /** Counts hops, and stops itself at a vertex whose value reaches {@code limit}. */
  public static ProgramInstance faulty(int limit) {
    IrBuilder send = new IrBuilder("send");
    int hops = send.parameter(Role.SOURCE, 0, Kind.INT);
    send.emit(Side.DESTINATION, send.binary(BinaryOp.ADD, hops, send.constant(Kind.INT, 1)));
    send.returns();
    IrBuilder program = new IrBuilder("vertexProgram");
    int message = program.parameter(Role.MESSAGE, 0, Kind.INT);
    int fault = program.newLabel();
    program.branch(Condition.GE, message, program.constant(Kind.INT, limit), fault);
    program.returns(message).label(fault).fail(FaultCode.THROWN, "too far");
    return new ProgramInstance(
        LiftedProgram.builder()
            .attribute(INT)
            .edge(INT)
            .state(INT)
            .message(INT)
            .result(INT)
            .vertexProgram(program.build(Kind.INT))
            .send(send.build())
            .merge(callMerge(Intrinsic.MAX, Kind.INT))
            .traits(new ProgramTraits(List.of(MergeAlgebra.MAX), false, true, false, List.of()))
            .build(),
        List.of());
  }

  /**
   * A run of a program in place to its end, on one thread.
   *
   * @param initial message that all hear first, a number
   */
  public static RunSettings settings(Object initial, KernelChoice kernel) {
    return settings(initial, kernel, 1);
  }

  /** The same on some threads. */
  public static RunSettings settings(Object initial, KernelChoice kernel, int threads) {
    return new RunSettings(
        new Object[] {initial},
        null,
        ActiveDirection.OUT,
        Gather.ACTIVE,
        Integer.MAX_VALUE,
        true,
        kernel,
        threads,
        null);
  }
}
