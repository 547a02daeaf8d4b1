package org.sparkgpugraph.program.cuda;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.ir.UnaryOp;
import org.sparkgpugraph.program.jvm.IrBuilder;

/**
 * Random functions written as representation, not through the lifter: every operation that is
 * bit-exact, branches, loops, jumps out of the middle, faults, messages to both sides, INT where
 * BOOLEAN is wanted and the other way round, code that nothing reaches and values that nothing
 * reads.
 */
public final class RandomIr {
  public static final List<Kind> COLUMNS =
      List.of(Kind.BOOLEAN, Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE, Kind.BOOLEAN);

  /** What functions read: a table of each kind, whose number is the kind's. */
  public static final List<Object> TABLES =
      List.of(
          new boolean[] {true, false, false, true, true, false, true, false},
          new int[] {0, 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 7, 12, 1 << 20},
          new long[] {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40, 12, -7},
          new float[] {0, -0f, 1.5f, Float.NaN, Float.POSITIVE_INFINITY, 1e-42f, -3, 0.1f},
          new double[] {0, -0.0, 1.5, Double.NaN, Double.NEGATIVE_INFINITY, 1e-310, -3, 0.1});

  /** The length of each. */
  public static final int TABLE_LENGTH = 8;

  private final Random random;
  private final boolean sends;
  private final IrBuilder ir;

  /** Variables that are assigned here; those of {@link #truths} hold 0 or 1. */
  private final List<Integer> assigned = new ArrayList<>();

  private final List<Integer> truths = new ArrayList<>();

  /** Arrays of {@link #TABLE_LENGTH} elements, some of each kind of number. */
  private final List<Integer> arrays = new ArrayList<>();

  private RandomIr(Random random, String name, boolean sends) {
    this.random = random;
    this.sends = sends;
    ir = new IrBuilder(name);
  }

  /** A function of roles LEFT and RIGHT (columns {@link #COLUMNS}) that returns these columns. */
  static IrFunction returning(Random random, String name) {
    RandomIr r = new RandomIr(random, name, false);
    r.write();
    return r.ir.build(COLUMNS.toArray(Kind[]::new));
  }

  /** A function of SOURCE, DESTINATION and EDGE that sends messages of these columns. */
  public static IrFunction sending(Random random, String name) {
    RandomIr r = new RandomIr(random, name, true);
    r.write();
    return r.ir.build();
  }

  private void write() {
    List<Role> roles =
        sends ? List.of(Role.SOURCE, Role.DESTINATION, Role.EDGE) : List.of(Role.LEFT, Role.RIGHT);
    for (Role role : roles) {
      for (int c = 0; c < COLUMNS.size(); c++) {
        if (random.nextInt(5) > 0) {
          define(ir.parameter(role, c, COLUMNS.get(c)), COLUMNS.get(c) == Kind.BOOLEAN);
        }
      }
    }
    for (Kind kind : Kind.values()) {
      define(constant(kind), kind == Kind.BOOLEAN);
    }
    if (random.nextBoolean()) {
      for (Kind kind : List.of(Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE)) {
        for (int i = 0; i < 3; i++) {
          int array = ir.variable(kind);
          ir.filled(array, TABLE_LENGTH, any(kind));
          arrays.add(array);
        }
      }
    }
    block(3, 4 + random.nextInt(10));
    leave();
    if (random.nextInt(4) == 0) {
      // Nothing reaches this.
      ir.label(ir.newLabel());
      block(1, 3);
      leave();
    }
  }

  private void define(int variable, boolean truth) {
    assigned.add(variable);
    if (truth) {
      truths.add(variable);
    }
  }

  private void leave() {
    if (random.nextInt(12) == 0) {
      ir.fail(FaultCode.values()[random.nextInt(FaultCode.values().length)], "left");
    } else if (sends) {
      ir.returns();
    } else {
      ir.returns(row());
    }
  }

  private Integer[] row() {
    return COLUMNS.stream()
        .map(kind -> kind == Kind.BOOLEAN ? truth() : any(kind))
        .toArray(Integer[]::new);
  }

  private int truth() {
    return truths.get(random.nextInt(truths.size()));
  }

  private int any(Kind kind) {
    List<Integer> choices = assigned.stream().filter(v -> ir.kind(v) == kind).toList();
    // The later ones are the more interesting ones.
    int from = random.nextBoolean() ? choices.size() / 2 : 0;
    return choices.get(from + random.nextInt(choices.size() - from));
  }

  private Kind kind(Kind... kinds) {
    return kinds[random.nextInt(kinds.length)];
  }

  private Kind number() {
    return kind(Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE);
  }

  private Kind real() {
    return kind(Kind.FLOAT, Kind.DOUBLE);
  }

  private Kind integer() {
    return kind(Kind.INT, Kind.LONG);
  }

  private int constant(Kind kind) {
    double[] reals = {0, -0.0, 1, -2.5, 0.1, 1e-310, 1e300, Double.NaN, Double.NEGATIVE_INFINITY};
    return ir.constant(
        kind,
        switch (kind) {
          case BOOLEAN -> (Object) random.nextBoolean();
          case INT ->
              random.nextBoolean()
                  ? (Object) (random.nextInt(5) - 2)
                  : (Object) (random.nextBoolean() ? Integer.MIN_VALUE : random.nextInt());
          case LONG ->
              random.nextBoolean()
                  ? (Object) (random.nextInt(5) - 2L)
                  : (Object) (random.nextBoolean() ? Long.MIN_VALUE : random.nextLong());
          case FLOAT ->
              random.nextBoolean()
                  ? (Object) (float) reals[random.nextInt(reals.length)]
                  : (Object) Float.intBitsToFloat(random.nextInt());
          case DOUBLE ->
              random.nextBoolean()
                  ? (Object) reals[random.nextInt(reals.length)]
                  : (Object) Double.longBitsToDouble(random.nextLong());
        });
  }

  private void block(int depth, int length) {
    for (int i = 0; i < length; i++) {
      switch (random.nextInt(depth > 0 ? 17 : 12)) {
        case 12, 13 -> choice(depth - 1);
        case 14 -> loop(depth - 1);
        case 15 -> early();
        case 16 -> cases(depth - 1);
        case 11 -> {
          if (arrays.isEmpty()) {
            step();
          } else {
            array();
          }
        }
        default -> step();
      }
    }
  }

  /** Reads or changes an array, in the same variable or another one, whatever is still read. */
  private void array() {
    int array = arrays.get(random.nextInt(arrays.size()));
    List<Integer> others = arrays.stream().filter(v -> ir.kind(v) == ir.kind(array)).toList();
    int other = others.get(random.nextInt(others.size()));
    switch (random.nextInt(5)) {
      case 0 -> ir.copy(array, other);
      case 1 -> ir.filled(array, TABLE_LENGTH, any(ir.kind(array)));
      case 2 -> define(ir.element(array, index()), false);
      default -> ir.with(array, other, index(), any(ir.kind(array)));
    }
  }

  private int index() {
    return ir.binary(BinaryOp.AND, any(Kind.INT), ir.constant(Kind.INT, TABLE_LENGTH - 1));
  }

  private void condition(int label) {
    Kind kind = kind(Kind.values());
    if (kind == Kind.BOOLEAN) {
      ir.branch(random.nextBoolean() ? Condition.EQ : Condition.NE, truth(), truth(), label);
    } else {
      Condition[] conditions = Condition.values();
      ir.branch(conditions[random.nextInt(conditions.length)], any(kind), any(kind), label);
    }
  }

  /** What was defined inside is gone behind it. */
  private void scoped(Runnable body) {
    int assignedMark = assigned.size();
    int truthsMark = truths.size();
    body.run();
    assigned.subList(assignedMark, assigned.size()).clear();
    truths.subList(truthsMark, truths.size()).clear();
  }

  private void choice(int depth) {
    int otherwise = ir.newLabel();
    int end = ir.newLabel();
    condition(otherwise);
    scoped(() -> block(depth, random.nextInt(4)));
    ir.jump(end);
    ir.label(otherwise);
    scoped(() -> block(depth, random.nextInt(4)));
    ir.label(end);
  }

  /** A switch on few values or on any, dense or not, whose cases may share a body. */
  private void cases(int depth) {
    int end = ir.newLabel();
    List<Integer> bodies = new ArrayList<>();
    for (int i = 0; i < 1 + random.nextInt(4); i++) {
      bodies.add(ir.newLabel());
    }
    List<Integer> to = new ArrayList<>();
    for (int i = 0; i < random.nextInt(8); i++) {
      to.add(bodies.get(random.nextInt(bodies.size())));
    }
    int value = any(Kind.INT);
    if (random.nextBoolean()) {
      value = ir.binary(BinaryOp.AND, value, ir.constant(Kind.INT, 7));
    }
    ir.choose(value, random.nextBoolean() ? 1 : 3, to, random.nextBoolean() ? end : bodies.get(0));
    for (int body : bodies) {
      ir.label(body);
      scoped(() -> block(depth, random.nextInt(3)));
      if (random.nextBoolean()) {
        ir.jump(end);
      }
    }
    ir.label(end);
  }

  private void loop(int depth) {
    // A counter that nothing else assigns.
    int zero = ir.constant(Kind.INT, 0);
    int one = ir.constant(Kind.INT, 1);
    int bound = ir.constant(Kind.INT, 1 + random.nextInt(4));
    int counter = ir.variable(Kind.INT);
    ir.copy(counter, zero);
    int head = ir.newLabel();
    int end = ir.newLabel();
    ir.label(head);
    ir.branch(Condition.GE, counter, bound, end);
    scoped(() -> block(depth, 1 + random.nextInt(4)));
    if (random.nextBoolean()) {
      condition(end);
    }
    int next = ir.binary(BinaryOp.ADD, counter, one);
    ir.copy(counter, next);
    ir.jump(head);
    ir.label(end);
  }

  private void early() {
    int on = ir.newLabel();
    condition(on);
    condition(on);
    leave();
    ir.label(on);
  }

  private void step() {
    switch (random.nextInt(sends ? 13 : 11)) {
      case 0 -> {
        Kind kind = kind(Kind.values());
        define(constant(kind), kind == Kind.BOOLEAN);
      }
      case 1 -> assign();
      case 2, 3 -> arithmetic();
      case 4 -> bits();
      case 5 -> convert();
      case 6 -> truths();
      case 7, 8 -> call();
      case 9 -> compare();
      case 10 -> load();
      default -> ir.emit(random.nextBoolean() ? Side.SOURCE : Side.DESTINATION, row());
    }
  }

  private void assign() {
    Kind kind = number();
    if (random.nextInt(3) == 0) {
      // Between BOOLEAN and INT, both 0 or 1.
      int copy = ir.variable(kind(Kind.BOOLEAN, Kind.INT));
      ir.copy(copy, truth());
      define(copy, true);
    } else {
      int target = any(kind);
      if (!truths.contains(target)) {
        ir.copy(target, any(kind));
      }
    }
  }

  private void arithmetic() {
    Kind kind = number();
    BinaryOp op = BinaryOp.values()[random.nextInt(BinaryOp.REMAINDER.ordinal() + 1)];
    int right = any(kind);
    boolean divides = op == BinaryOp.DIVIDE || op == BinaryOp.REMAINDER;
    if (divides && kind.isIntegral()) {
      int fine = ir.newLabel();
      ir.branch(
          Condition.NE,
          right,
          ir.constant(kind, kind == Kind.INT ? (Object) 0 : (Object) 0L),
          fine);
      ir.fail(FaultCode.DIVISION_BY_ZERO, "");
      ir.label(fine);
    }
    define(ir.binary(op, any(kind), right), false);
  }

  private void bits() {
    Kind kind = integer();
    BinaryOp op =
        BinaryOp.values()[
            BinaryOp.AND.ordinal()
                + random.nextInt(
                    BinaryOp.SHIFT_RIGHT_UNSIGNED.ordinal() - BinaryOp.AND.ordinal() + 1)];
    boolean shift = op.name().startsWith("SHIFT");
    int right = shift ? any(Kind.INT) : any(kind);
    if (kind == Kind.INT && random.nextInt(3) == 0) {
      // A truth value as a number.
      right = truth();
    }
    define(ir.binary(op, any(kind), right), false);
  }

  private void convert() {
    int variable;
    switch (random.nextInt(4)) {
      case 0 -> variable = ir.unary(UnaryOp.TO_BYTE, Kind.INT, any(Kind.INT));
      case 1 -> {
        Kind kind = number();
        variable = ir.unary(UnaryOp.NEGATE, kind, any(kind));
      }
      case 2 ->
          variable =
              ir.unary(
                  random.nextBoolean() ? UnaryOp.TO_SHORT : UnaryOp.TO_CHAR,
                  Kind.INT,
                  any(Kind.INT));
      default -> variable = ir.unary(UnaryOp.CONVERT, number(), any(number()));
    }
    define(variable, false);
  }

  private void truths() {
    BinaryOp[] ops = {BinaryOp.AND, BinaryOp.OR, BinaryOp.XOR};
    define(ir.binary(ops[random.nextInt(3)], truth(), truth()), true);
  }

  private void compare() {
    Kind kind = number();
    BinaryOp op = random.nextBoolean() ? BinaryOp.COMPARE_L : BinaryOp.COMPARE_G;
    define(ir.binary(op, any(kind), any(kind)), false);
  }

  /** Reads a table, at an index that is in it or behind a test of one that need not be. */
  private void load() {
    Kind kind = kind(Kind.values());
    int index = any(Kind.INT);
    if (random.nextBoolean()) {
      index = ir.binary(BinaryOp.AND, index, ir.constant(Kind.INT, TABLE_LENGTH - 1));
    } else {
      int outside = ir.newLabel();
      int inside = ir.newLabel();
      ir.branch(Condition.LT, index, ir.constant(Kind.INT, 0), outside);
      ir.branch(Condition.LT, index, ir.constant(Kind.INT, TABLE_LENGTH), inside);
      ir.label(outside).fail(FaultCode.THROWN, "outside").label(inside);
    }
    define(ir.load(kind.ordinal(), kind, index), kind == Kind.BOOLEAN);
  }

  private void call() {
    Kind number = number();
    Kind real = real();
    Kind integer = integer();
    Kind bitsOf = real == Kind.FLOAT ? Kind.INT : Kind.LONG;
    switch (random.nextInt(17)) {
      case 0 -> define(ir.call(Intrinsic.MIN, number, any(number), any(number)), false);
      case 1 -> define(ir.call(Intrinsic.MAX, number, any(number), any(number)), false);
      case 2 -> define(ir.call(Intrinsic.ABS, number, any(number)), false);
      case 3 -> define(ir.call(Intrinsic.COMPARE_TOTAL, Kind.INT, any(number), any(number)), false);
      case 4 -> define(ir.call(Intrinsic.SQRT, real(), any(real)), false);
      case 5 -> define(ir.call(Intrinsic.RINT, real(), any(real)), false);
      case 6 -> define(ir.call(Intrinsic.ROUND, bitsOf, any(real)), false);
      case 7 -> define(ir.call(Intrinsic.FMA, real, any(real), any(real), any(real)), false);
      case 8 -> define(ir.call(Intrinsic.COPY_SIGN, real, any(real), any(real)), false);
      case 9 ->
          define(
              ir.call(
                  Intrinsic.SIGNUM,
                  integer == Kind.LONG ? Kind.INT : real,
                  any(integer == Kind.LONG ? integer : real)),
              false);
      case 10 -> define(ir.call(Intrinsic.IS_NAN, kind(Kind.BOOLEAN, Kind.INT), any(real)), true);
      case 11 ->
          define(ir.call(Intrinsic.IS_FINITE, kind(Kind.BOOLEAN, Kind.INT), any(real)), true);
      case 12 -> define(ir.call(Intrinsic.TO_BITS, bitsOf, any(real)), false);
      case 13 -> define(ir.call(Intrinsic.FROM_BITS, real, any(bitsOf)), false);
      case 14 -> define(ir.call(Intrinsic.LEAST, real, any(real), any(real)), false);
      case 15 -> define(ir.call(Intrinsic.REVERSE, integer, any(integer)), false);
      default ->
          define(ir.call(Intrinsic.ROTATE_LEFT, integer, any(integer), any(Kind.INT)), false);
    }
  }
}
