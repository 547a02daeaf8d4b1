package org.sparkgpugraph.algorithm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.sparkgpugraph.algorithm.support.Mixing;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.program.Aggregate;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ProgramTraits;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.analysis.TraitRecognizer;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.IrBuilder;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;

/**
 * The program of {@link SVDPlusPlus} for a rank, written as code: a column for every component of a
 * vector. Supersteps:
 *
 * <ol>
 *   <li>{@value #RATINGS}: both ends add up their ratings; bias and norm
 *   <li>even: users add up the implicit vectors y of their items, U = p + norm · Σ y
 *   <li>odd: errors and gradients, for both ends
 *   <li>the last, even: items add up the squares of the errors
 * </ol>
 *
 * <p>Only sums that depend on the edge travel. A user needs Σ err · q and Σ err; an item Σ err · U,
 * Σ err · norm(user) and Σ err: what GraphX subtracts per edge, a multiple of the receiver's own
 * value, is that value times the number of its edges.
 */
final class SvdProgram {
  /** The superstep of the ratings. */
  static final int RATINGS = 1;

  /** Index of the aggregate that has the sum of all squared errors in the last superstep. */
  static final int SQUARES = 0;

  /** What the elements of a vector are drawn by: SplitMix64's increment. */
  static final long INCREMENT = 0x9E3779B97F4A7C15L;

  /** 2 to the power of −53: the step between random numbers in [0, 1). */
  static final double STEP = 0x1p-53;

  private static final int MEAN = 0;
  private static final int LEAST = 1;
  private static final int MOST = 2;
  private static final int GAMMA1 = 3;
  private static final int GAMMA2 = 4;
  private static final int GAMMA6 = 5;
  private static final int GAMMA7 = 6;
  private static final int LAST = 7;
  private static final int KEY = 8;

  /** The result: GraphX's tuple of two vectors and two numbers. */
  private static final String TUPLE = "scala.Tuple4";

  private final int rank;
  private final List<Kind> stateKinds;

  private SvdProgram(int rank) {
    this.rank = rank;
    List<Kind> kinds = new ArrayList<>(Collections.nCopies(count() + 1, Kind.DOUBLE));
    kinds.add(Kind.BOOLEAN);
    stateKinds = List.copyOf(kinds);
  }

  /** Columns of the state: both vectors, and then these. */
  private int bias() {
    return 2 * rank;
  }

  private int norm() {
    return 2 * rank + 1;
  }

  /** Number of ratings, as a double. */
  private int count() {
    return 2 * rank + 2;
  }

  /** Whether it is a user. */
  private int user() {
    return 2 * rank + 3;
  }

  /** Columns of a message behind its vector. */
  private int first() {
    return rank;
  }

  private int second() {
    return rank + 1;
  }

  /** Number of supersteps after superstep 0. */
  static int supersteps(SVDPlusPlus.Conf conf) {
    return 2 * conf.maxIters() + 2;
  }

  /** The message that says nothing. */
  static double[] nothing(SVDPlusPlus.Conf conf) {
    return new double[conf.rank() + 2];
  }

  /**
   * The program.
   *
   * @param mean of the ratings
   * @param seed of the first vectors
   */
  static ProgramInstance of(
      SVDPlusPlus.Conf conf, double mean, long seed, ValueType attribute, ValueType edge) {
    SvdProgram program = new SvdProgram(conf.rank());
    return new ProgramInstance(
        program.code(attribute, edge),
        List.of(
            mean,
            conf.minVal(),
            conf.maxVal(),
            conf.gamma1(),
            conf.gamma2(),
            conf.gamma6(),
            conf.gamma7(),
            supersteps(conf),
            key(seed)));
  }

  /** What ids are mixed with. */
  static long key(long seed) {
    return Mixing.mix(seed + INCREMENT);
  }

  private LiftedProgram code(ValueType attribute, ValueType edge) {
    ValueType vector = new ValueType.Vector(Kind.DOUBLE, rank);
    ValueType number = new ValueType.Scalar(Kind.DOUBLE);
    List<ValueType.Field> visible =
        List.of(
            new ValueType.Field("_1", vector),
            new ValueType.Field("_2", vector),
            new ValueType.Field("_3", number),
            new ValueType.Field("_4", number));
    List<ValueType.Field> all = new ArrayList<>(visible);
    all.add(new ValueType.Field("count", number));
    all.add(new ValueType.Field("user", new ValueType.Scalar(Kind.BOOLEAN)));
    ValueType message = new ValueType.Vector(Kind.DOUBLE, rank + 2);
    IrFunction vertexProgram = vertexProgram();
    IrFunction send = send();
    IrFunction merge = merge();
    List<Aggregate> aggregates =
        List.of(new Aggregate("squares", AggregateOperation.SUM, squares()));
    List<Kind> captures = new ArrayList<>(Collections.nCopies(LAST, Kind.DOUBLE));
    captures.addAll(List.of(Kind.INT, Kind.LONG));
    ProgramTraits traits = TraitRecognizer.recognize(vertexProgram, send, merge, null, aggregates);
    return LiftedProgram.builder()
        .attribute(attribute)
        .edge(edge)
        .state(new ValueType.Struct(TUPLE, all))
        .message(message)
        .result(new ValueType.Struct(TUPLE, visible))
        .initialState(initialState())
        .vertexProgram(vertexProgram)
        .send(send)
        .merge(merge)
        .aggregates(aggregates)
        .captureKinds(captures)
        .traits(traits)
        .build();
  }

  /** An item's number, in the end its squared errors; 0 of a user. */
  private IrFunction squares() {
    IrBuilder f = new IrBuilder("squares", SVDPlusPlus.class);
    int user = f.parameter(Role.AFTER, user(), Kind.BOOLEAN);
    int squares = f.parameter(Role.AFTER, norm(), Kind.DOUBLE);
    int item = f.label();
    f.branch(Condition.EQ, user, f.constant(0), item);
    f.leave(List.of(f.constant(0.0)));
    f.place(item);
    f.leave(List.of(squares));
    return f.build(List.of(Kind.DOUBLE));
  }

  /** Random vectors that depend on id and seed; no bias yet. */
  private IrFunction initialState() {
    IrBuilder f = new IrBuilder("state", SVDPlusPlus.class);
    int id = f.parameter(Role.ID, Kind.LONG);
    int key = f.parameter(Role.CAPTURE, KEY, Kind.LONG);
    int out = f.parameter(Role.OUT_DEGREE, Kind.INT);
    int in = f.parameter(Role.IN_DEGREE, Kind.INT);
    int base = mixed(f, f.binary(BinaryOp.XOR, id, key));
    int step = f.constant(STEP);
    int shift = f.constant(11);
    List<Integer> state = new ArrayList<>();
    for (int i = 0; i < 2 * rank; i++) {
      int bits = mixed(f, f.add(base, f.constant((i + 1) * INCREMENT)));
      int whole = f.binary(BinaryOp.SHIFT_RIGHT_UNSIGNED, bits, shift);
      state.add(f.multiply(f.convert(whole, Kind.DOUBLE), step));
    }
    int zero = f.constant(0.0);
    state.add(zero);
    state.add(zero);
    state.add(f.add(f.convert(out, Kind.DOUBLE), f.convert(in, Kind.DOUBLE)));
    state.add(f.call(Intrinsic.MIN, out, f.constant(1)));
    f.leave(state);
    return f.build(stateKinds);
  }

  /** {@link Mixing#mix(long)} as code. */
  private static int mixed(IrBuilder f, int value) {
    int z = f.multiply(folded(f, value, 30), f.constant(0xBF58476D1CE4E5B9L));
    z = f.multiply(folded(f, z, 27), f.constant(0x94D049BB133111EBL));
    return folded(f, z, 31);
  }

  private static int folded(IrBuilder f, int value, int by) {
    int shifted = f.binary(BinaryOp.SHIFT_RIGHT_UNSIGNED, value, f.constant(by));
    return f.binary(BinaryOp.XOR, value, shifted);
  }

  private int capture(IrBuilder f, int index) {
    return f.parameter(Role.CAPTURE, index, Kind.DOUBLE);
  }

  private static int[] columns(IrBuilder f, Role role, int from, int count) {
    int[] columns = new int[count];
    for (int i = 0; i < count; i++) {
      columns[i] = f.parameter(role, from + i, Kind.DOUBLE);
    }
    return columns;
  }

  /** What a superstep does to a vertex, in numbers that {@link #vertexProgram} applies. */
  private record Rates(int first, int second, int sums, int other, int own, int bias, int norm) {
    Rates(IrBuilder f) {
      this(
          f.variable(Kind.DOUBLE),
          f.variable(Kind.DOUBLE),
          f.variable(Kind.DOUBLE),
          f.variable(Kind.DOUBLE),
          f.variable(Kind.DOUBLE),
          f.variable(Kind.DOUBLE),
          f.variable(Kind.DOUBLE));
    }

    void assign(IrBuilder f, int... values) {
      int[] variables = {first, second, sums, other, own, bias, norm};
      for (int i = 0; i < variables.length; i++) {
        f.assign(variables[i], values[i]);
      }
    }
  }

  /**
   * One formula for all supersteps, so that the code stays short: with the sums v, shrink = γ7 ·
   * count and rates that depend on the superstep
   *
   * <pre>
   * first'  = first  + rate1 (v − shrink first)
   * second' = second + rate2 (sums v + other first − own second)
   * </pre>
   */
  private IrFunction vertexProgram() {
    IrBuilder f = new IrBuilder("vertexProgram", SVDPlusPlus.class);
    int[] state = columns(f, Role.VALUE, 0, count() + 1);
    int[] sums = columns(f, Role.MESSAGE, 0, rank + 2);
    int user = f.parameter(Role.VALUE, user(), Kind.BOOLEAN);
    Rates rates = new Rates(f);
    int apply = f.label();
    rates(f, state, sums, user, rates, apply);
    f.place(apply);
    int shrink = f.multiply(capture(f, GAMMA7), state[count()]);
    List<Integer> next = new ArrayList<>();
    for (int i = 0; i < rank; i++) {
      int gain = f.subtract(sums[i], f.multiply(shrink, state[i]));
      next.add(f.add(state[i], f.multiply(rates.first, gain)));
    }
    for (int i = 0; i < rank; i++) {
      int told = f.add(f.multiply(rates.sums, sums[i]), f.multiply(rates.other, state[i]));
      int gain = f.subtract(told, f.multiply(rates.own, state[rank + i]));
      next.add(f.add(state[rank + i], f.multiply(rates.second, gain)));
    }
    next.addAll(List.of(rates.bias, rates.norm, state[count()], user));
    f.leave(next);
    return f.build(stateKinds);
  }

  /** The rates of each superstep. */
  private void rates(IrBuilder f, int[] state, int[] sums, int user, Rates rates, int apply) {
    int superstep = f.parameter(Role.SUPERSTEP, Kind.INT);
    int none = f.constant(0);
    int zero = f.constant(0.0);
    int one = f.constant(1.0);
    int bias = state[bias()];
    int norm = state[norm()];
    int ratings = f.label();
    int errors = f.label();
    int implicit = f.label();
    int item = f.label();
    int same = f.label();
    f.branch(Condition.EQ, superstep, none, same);
    f.branch(Condition.EQ, superstep, f.constant(RATINGS), ratings);
    f.branch(Condition.EQ, superstep, f.parameter(Role.CAPTURE, LAST, Kind.INT), errors);
    int odd = f.binary(BinaryOp.AND, superstep, f.constant(1));
    f.branch(Condition.EQ, odd, none, implicit);
    // bias += γ1 (Σ err − γ6 count bias)
    int gamma2 = capture(f, GAMMA2);
    int gamma7 = capture(f, GAMMA7);
    int shrink = f.multiply(capture(f, GAMMA6), f.multiply(state[count()], bias));
    int gain = f.multiply(capture(f, GAMMA1), f.subtract(sums[first()], shrink));
    int nextBias = f.add(bias, gain);
    f.branch(Condition.EQ, user, none, item);
    // U by what GraphX adds to it, norm Σ err·q − γ7 Σ y, where Σ y = (U − p) / norm. Only the
    // last one is seen, by the errors; before that U is made anew.
    int implicitRate = f.divide(gamma7, norm);
    rates.assign(f, gamma2, gamma2, norm, implicitRate, implicitRate, nextBias, norm);
    f.jump(apply);
    f.place(item);
    int itemShrink = f.multiply(gamma7, state[count()]);
    rates.assign(f, gamma2, gamma2, zero, sums[second()], itemShrink, nextBias, norm);
    f.jump(apply);
    f.place(implicit);
    f.branch(Condition.EQ, user, none, same);
    rates.assign(f, zero, one, norm, one, one, bias, norm);
    f.jump(apply);
    f.place(ratings);
    // A vertex without ratings stays as it is: it has no mean.
    f.branch(Condition.EQ, state[count()], zero, same);
    int firstBias = f.subtract(f.divide(sums[first()], state[count()]), capture(f, MEAN));
    int firstNorm = f.divide(one, f.call(Intrinsic.SQRT, state[count()]));
    rates.assign(f, zero, zero, zero, zero, zero, firstBias, firstNorm);
    f.jump(apply);
    f.place(errors);
    f.branch(Condition.NE, user, none, same);
    rates.assign(f, zero, zero, zero, zero, zero, bias, sums[first()]);
    f.jump(apply);
    f.place(same);
    rates.assign(f, zero, zero, zero, zero, zero, bias, norm);
    f.jump(apply);
  }

  /**
   * In even supersteps y for the user; else a multiple of q for the user and one of U for the item,
   * 0 but for gradients, and a number.
   */
  private IrFunction send() {
    IrBuilder f = new IrBuilder("sendMessage", SVDPlusPlus.class);
    int superstep = f.parameter(Role.SUPERSTEP, Kind.INT);
    int rating = f.parameter(Role.EDGE, Kind.DOUBLE);
    int zero = f.constant(0.0);
    int factor = f.variable(Kind.DOUBLE);
    int number = f.variable(Kind.DOUBLE);
    int ratings = f.label();
    int gradients = f.label();
    int errors = f.label();
    int tell = f.label();
    f.branch(Condition.EQ, superstep, f.constant(RATINGS), ratings);
    f.branch(Condition.EQ, superstep, f.parameter(Role.CAPTURE, LAST, Kind.INT), errors);
    int odd = f.binary(BinaryOp.AND, superstep, f.constant(1));
    f.branch(Condition.NE, odd, f.constant(0), gradients);
    f.emit(Side.SOURCE, message(columns(f, Role.DESTINATION, rank, rank), zero, zero));
    f.leave(List.of());
    f.place(ratings);
    f.assign(factor, zero);
    f.assign(number, rating);
    f.jump(tell);
    f.place(gradients);
    int error = error(f, rating);
    f.assign(factor, error);
    f.assign(number, error);
    f.jump(tell);
    f.place(errors);
    int last = error(f, rating);
    f.assign(factor, zero);
    f.assign(number, f.multiply(last, last));
    f.jump(tell);
    f.place(tell);
    int norm = f.multiply(factor, f.parameter(Role.SOURCE, norm(), Kind.DOUBLE));
    int[] forUser = scaled(f, columns(f, Role.DESTINATION, 0, rank), factor);
    int[] forItem = scaled(f, columns(f, Role.SOURCE, rank, rank), factor);
    f.emit(Side.SOURCE, message(forUser, number, zero));
    f.emit(Side.DESTINATION, message(forItem, number, norm));
    f.leave(List.of());
    return f.build(List.of());
  }

  private static int[] scaled(IrBuilder f, int[] vector, int by) {
    return Arrays.stream(vector).map(element -> f.multiply(element, by)).toArray();
  }

  /** rating − prediction, which is mean + both biases + q·U, within the bounds. */
  private int error(IrBuilder f, int rating) {
    int[] item = columns(f, Role.DESTINATION, 0, rank);
    int[] user = columns(f, Role.SOURCE, rank, rank);
    int product = f.multiply(item[0], user[0]);
    for (int i = 1; i < rank; i++) {
      product = f.add(product, f.multiply(item[i], user[i]));
    }
    int biases =
        f.add(
            f.add(capture(f, MEAN), f.parameter(Role.SOURCE, bias(), Kind.DOUBLE)),
            f.parameter(Role.DESTINATION, bias(), Kind.DOUBLE));
    int prediction = f.add(biases, product);
    prediction = f.call(Intrinsic.MAX, prediction, capture(f, LEAST));
    prediction = f.call(Intrinsic.MIN, prediction, capture(f, MOST));
    return f.subtract(rating, prediction);
  }

  private static List<Integer> message(int[] vector, int first, int second) {
    List<Integer> message = new ArrayList<>(Arrays.stream(vector).boxed().toList());
    message.add(first);
    message.add(second);
    return message;
  }

  private IrFunction merge() {
    IrBuilder f = new IrBuilder("mergeMessage", SVDPlusPlus.class);
    int[] left = columns(f, Role.LEFT, 0, rank + 2);
    int[] right = columns(f, Role.RIGHT, 0, rank + 2);
    List<Integer> sums = new ArrayList<>();
    for (int i = 0; i < left.length; i++) {
      sums.add(f.add(left[i], right[i]));
    }
    f.leave(sums);
    return f.build(Collections.nCopies(left.length, Kind.DOUBLE));
  }
}
