package org.sparkgpugraph.program.lift;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Serializable;
import java.util.List;
import java.util.function.IntBinaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.function.ActiveWhen;
import org.sparkgpugraph.function.AggregateFunction;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.StateFunction;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.Aggregate;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ProgramSource;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrOracle;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;

/** One construct of Java at a time. */
@Tag("any-spark")
class ConstructsTest {
  record Point(double x, double y) {
    static final Point ORIGIN = new Point(0, 0);

    Point {
      if (x == 123.25) {
        throw new IllegalArgumentException("x is wrong");
      }
    }

    Point(double both) {
      this(both, both);
    }

    double norm() {
      return Math.sqrt(x * x + y * y);
    }

    Point plus(Point other) {
      return new Point(x + other.x, y + other.y);
    }

    static Point closer(Point a, Point b) {
      return a.norm() <= b.norm() ? a : b;
    }
  }

  record Boxed(Integer count, Boolean flag, Long wide) {}

  record Outer(int tag, Point point, Boxed boxed) {}

  enum Mode {
    FIRST,
    LARGEST,
    SUM
  }

  private static <A> void check(Class<A> type, MergeMessage<A> merge) throws Exception {
    ValueType value = ValueType.of(type);
    FunctionTrial.Lifted lifted = FunctionTrial.lift(merge, "merge", false, value, value, value);
    FunctionTrial.compare(
        "merge", lifted, (a, b) -> merge.merge(type.cast(a), type.cast(b)), type, type, 0, 7, 400);
  }

  private static int divided(int a, int b) {
    int tries = 0;
    while (true) {
      try {
        tries++;
        return tries > 1 && b == 0 ? -1 : Math.multiplyExact(a / b, a) + tries;
      } catch (ArithmeticException e) {
        if (tries == 2) {
          throw e;
        }
      } finally {
        b += 1;
        a = b == 6 ? -a : a;
      }
    }
  }

  @Test
  void exceptionsThatAreCaught() throws Exception {
    check(Integer.class, (a, b) -> divided(a & 0xffff, b & 3));
    check(Integer.class, (a, b) -> divided(a, b));
    check(
        Point.class,
        (a, b) -> {
          Point last = a;
          try {
            last = new Point(b.x() > 0 ? 123.25 : b.y(), 1);
            return a.plus(last);
          } catch (IllegalArgumentException e) {
            return last;
          }
        });
  }

  @Test
  void methodReferences() throws Exception {
    check(Double.class, Math::min);
    check(Float.class, Math::max);
    check(Integer.class, Integer::sum);
    check(Long.class, Long::sum);
    check(Long.class, Math::floorMod);
    check(Integer.class, Math::multiplyExact);
    check(Double.class, StrictMath::max);
    check(Boolean.class, Boolean::logicalXor);
    check(Integer.class, Integer::compareTo);
    check(Point.class, Point::plus);
    check(Point.class, Point::closer);
    Adder adder = new Adder(5);
    check(Integer.class, adder::add);
  }

  static final class Adder implements Serializable {
    private final int base;

    Adder(int base) {
      this.base = base;
    }

    int add(int a, int b) {
      return base + times(a) * b;
    }

    private int times(int a) {
      return a * base;
    }
  }

  static class Weighted implements MergeMessage<Double> {
    protected final double weight;
    private final Boxed boxed = new Boxed(3, true, 7L);

    Weighted(double weight) {
      this.weight = weight;
    }

    double scale(double a) {
      return a * weight;
    }

    @Override
    public Double merge(Double left, Double right) {
      return boxed.flag() ? scale(left) + right / boxed.count() : -1.0;
    }
  }

  static final class Negated extends Weighted {
    Negated(double weight) {
      super(weight);
    }

    @Override
    double scale(double a) {
      return -super.scale(a);
    }
  }

  @Test
  void objectsOfClasses() throws Exception {
    check(Double.class, new Weighted(2.5));
    check(Double.class, new Negated(2.5));
    check(
        Integer.class,
        new MergeMessage<Integer>() {
          private final int k = 3;

          @Override
          public Integer merge(Integer left, Integer right) {
            return left * k - right;
          }
        });
  }

  @Test
  void nanPolarity() throws Exception {
    check(Double.class, (a, b) -> a < b ? 1.0 : 2.0);
    check(Double.class, (a, b) -> a <= b ? 1.0 : 2.0);
    check(Double.class, (a, b) -> a > b ? 1.0 : 2.0);
    check(Double.class, (a, b) -> a >= b ? 1.0 : 2.0);
    check(Double.class, (a, b) -> !(a < b) ? 1.0 : 2.0);
    check(Double.class, (a, b) -> !(a >= b) ? 1.0 : 2.0);
    check(Double.class, (a, b) -> a.doubleValue() == b ? 1.0 : 2.0);
    check(Float.class, (a, b) -> a.floatValue() != b ? 1f : 2f);
    check(Float.class, (a, b) -> a < b || b < a ? 1f : 2f);
    check(Float.class, (a, b) -> a <= b && b <= a ? 1f : 2f);
  }

  @Test
  void equalsAndCompareToOfBoxesAreBitExact() throws Exception {
    check(Double.class, (a, b) -> a.equals(b) ? 1.0 : 0.0);
    check(Double.class, (a, b) -> a.equals(-b) ? 1.0 : 0.0);
    check(Double.class, (a, b) -> (double) a.compareTo(b));
    check(Float.class, (a, b) -> (float) a.compareTo(b));
    check(Integer.class, (a, b) -> a.equals(b) ? a.hashCode() : b.compareTo(a));
    check(Long.class, (a, b) -> a.equals(5) ? 1L : (long) a.hashCode());
    check(Boolean.class, (a, b) -> a.equals(b));
    check(Boolean.class, (a, b) -> a.compareTo(b) < 0);
    check(Double.class, (a, b) -> a.isNaN() ? (double) a.intValue() : b.longValue());
  }

  @Test
  void recordsNestedAndBoxed() throws Exception {
    check(
        Outer.class,
        (a, b) ->
            a.tag() < b.tag()
                ? new Outer(a.tag() + 1, a.point(), b.boxed())
                : new Outer(
                    -b.tag(),
                    new Point(1.5),
                    new Boxed(a.boxed().count() + 1, !b.boxed().flag(), a.boxed().wide())));
    check(Outer.class, (a, b) -> a.equals(b) ? a : b);
    check(Point.class, (a, b) -> new Point(a.x() / b.y(), a.y() % b.x()));
    check(Point.class, (a, b) -> a.equals(Point.ORIGIN) ? b : Point.ORIGIN);
    check(Point.class, (a, b) -> (Object) b instanceof Point p && p.x() > 3 ? p : a);
  }

  @Test
  void loops() throws Exception {
    check(
        Integer.class,
        (a, b) -> {
          int sum = 0;
          for (int i = 0; i < (a & 15); i++) {
            for (int j = i; j < (b & 7); j++) {
              if ((i ^ j) == 5) {
                continue;
              }
              sum += i * j;
            }
          }
          return sum;
        });
    check(
        Long.class,
        (a, b) -> {
          long x = a & 0xffff;
          long y = (b & 0xffff) | 1;
          while (y != 0) {
            long t = x % y;
            x = y;
            y = t;
          }
          return x;
        });
    check(
        Point.class,
        (a, b) -> {
          // A record that changes in a loop, and a swap that needs a temporary.
          Point p = new Point(1, 2);
          int n = 0;
          do {
            p = new Point(p.y(), p.x());
            n++;
          } while (n < 5 && a.y() > n);
          return p;
        });
  }

  @Test
  void switches() throws Exception {
    check(
        Integer.class,
        (a, b) ->
            switch (a & 3) {
              case 0 -> b;
              case 1 -> b + 1;
              default -> b * 2;
            });
    check(
        Integer.class,
        (a, b) -> {
          int r = 0;
          switch (a) {
            case 31:
              r = 1;
            case Integer.MAX_VALUE:
              r += 2;
              break;
            case -1:
              return 9;
            default:
          }
          return r;
        });
  }

  @Test
  void integerDivisionStopsOnZero() throws Exception {
    check(Integer.class, (a, b) -> a / b);
    check(Integer.class, (a, b) -> a % b);
    check(Long.class, (a, b) -> a / b);
    check(Long.class, (a, b) -> Math.floorDiv(a, b));
    check(Integer.class, (a, b) -> b == 0 ? 0 : a / b);
    check(Integer.class, (a, b) -> a / 7 + b % 10);
  }

  @Test
  void exceptionsStopTheRun() throws Exception {
    check(
        Integer.class,
        (a, b) -> {
          if (a < 0) {
            throw new IllegalStateException("negative");
          }
          return a + b;
        });
    check(Integer.class, Math::addExact);
    check(Long.class, (a, b) -> Math.subtractExact(a, b));
    FunctionTrial.Lifted lifted =
        FunctionTrial.lift(
            (MergeMessage<Integer>)
                (a, b) -> {
                  throw new IllegalStateException("value " + a + " of " + b);
                },
            "merge",
            false,
            ValueType.of(Integer.class),
            ValueType.of(Integer.class),
            ValueType.of(Integer.class));
    assertThat(lifted.function().code())
        .anyMatch(
            insn ->
                insn instanceof Insn.Fail fail
                    && fail.code() == FaultCode.THROWN
                    && fail.detail().equals("java.lang.IllegalStateException: value … of …"));
  }

  @Test
  void constructorsMayRefuse() throws Exception {
    check(Point.class, (a, b) -> new Point(a.x() > b.x() ? 123.25 : 1, b.y()));
    check(Point.class, (a, b) -> new Point(a.x() > b.x() ? 123.25 : b.y()));
  }

  @Test
  void assertionsAreOff() {
    // Not compared with the original: the JVM of the tests has assertions on.
    MergeMessage<Integer> merge =
        (a, b) -> {
          assert List.of(a, b).size() == 3 : "never looked at " + a;
          return a + b;
        };
    ValueType type = ValueType.of(Integer.class);
    FunctionTrial.Lifted lifted = FunctionTrial.lift(merge, "merge", false, type, type, type);
    assertThat(IrOracle.run(lifted.function(), (role, index) -> role == Role.LEFT ? 1 : 2).values())
        .containsExactly(3);
  }

  @Test
  void enumsAndStringsAsConstants() throws Exception {
    for (Mode mode : Mode.values()) {
      String name = mode.name();
      check(
          Integer.class,
          (a, b) ->
              switch (mode) {
                case FIRST -> a;
                case LARGEST -> Math.max(a, b);
                case SUM -> a + b;
              });
      check(Integer.class, (a, b) -> mode == Mode.SUM ? a + b : name.equals("FIRST") ? a : b);
    }
  }

  @Test
  void nullTests() throws Exception {
    check(Integer.class, (a, b) -> a == null ? b : b != null ? a + b : 0);
    Integer nothing = null;
    check(Integer.class, (a, b) -> nothing == null ? a : b);
  }

  private interface Operator extends IntBinaryOperator, Serializable {}

  private static int apply(IntBinaryOperator operator, int a, int b) {
    return operator.applyAsInt(a, b);
  }

  @Test
  void lambdasInsideAndCaptured() throws Exception {
    int k = 3;
    check(Integer.class, (a, b) -> apply((x, y) -> x * k - y, a, b));
    check(Integer.class, (a, b) -> apply(Math::max, a, b));
    Operator captured = (x, y) -> x - y * k;
    check(Integer.class, (a, b) -> apply(captured, a, b) + captured.applyAsInt(b, a));
  }

  @Test
  void capturedValues() throws Exception {
    byte small = -3;
    char letter = 'x';
    boolean flag = true;
    long wide = 1L << 40;
    Float single = 2.5f;
    Outer outer = new Outer(4, new Point(1, 2), new Boxed(5, false, 6L));
    MergeMessage<Double> merge =
        (a, b) ->
            flag
                ? a * small + letter - wide * single
                : outer.point().norm() + b * outer.boxed().count() + outer.tag();
    check(Double.class, merge);
    MergeMessage<Double> other =
        (a, b) -> outer.boxed().flag() ? a : outer.point().x() * b + outer.point().norm();
    ValueType type = ValueType.of(Double.class);
    assertThat(FunctionTrial.lift(other, "merge", false, type, type, type).captures())
        .containsExactly(4, 1.0, 2.0, 5, false, 6L);
    check(Double.class, other);
  }

  private static final int FINAL = 12;
  private static final Double FINAL_BOX = 0.5;
  private static final Outer FINAL_RECORD = new Outer(2, new Point(3, 4), new Boxed(1, true, 2L));
  private final long field = 77;

  @Test
  void staticFinalsAreConstantsAndFieldsAreCaptured() throws Exception {
    check(Double.class, (a, b) -> a * FINAL + b * FINAL_BOX - FINAL_RECORD.point().norm());
    MergeMessage<Long> merge = (a, b) -> a + b * this.field;
    check(Long.class, merge);
    ValueType type = ValueType.of(Long.class);
    FunctionTrial.Lifted lifted = FunctionTrial.lift(merge, "merge", false, type, type, type);
    // javac copies constant fields into the code, so the one below is not captured...
    assertThat(lifted.captures()).isEmpty();
    // ...but one that is set in the constructor is.
    Adder adder = new Adder(9);
    MergeMessage<Integer> uses = (a, b) -> adder.add(a, b) + adder.add(b, a);
    ValueType integer = ValueType.of(Integer.class);
    assertThat(FunctionTrial.lift(uses, "merge", false, integer, integer, integer).captures())
        .as("one field, read twice and more")
        .containsExactly(9);
  }

  @Test
  void superstepContextAndAggregates() {
    ValueType type = ValueType.of(Double.class);
    VertexProgram.WithContext<Double, Double> vertexProgram =
        (id, value, message, context) ->
            value + context.superstep() + context.vertexCount() * context.aggregate("error");
    SendMessage.WithContext<Double, Double, Double> send =
        (edge, context) -> {
          if (context.superstep() < 3) {
            edge.sendToSrc((double) edge.srcId());
            edge.sendToDst((double) edge.dstId());
            edge.sendToDst(edge.srcAttr());
          }
        };
    AggregateFunction<Double> error = (id, before, after) -> Math.abs(after - before);
    ActiveWhen<Double> activeWhen = (id, before, after) -> Math.abs(after - before) > 1e-3;
    MergeMessage<Double> merge = Double::sum;
    LiftedProgram program =
        ProgramLifter.lift(
                new SourceBuilder()
                    .attribute(type)
                    .edge(type)
                    .message(type)
                    .vertexProgram(vertexProgram)
                    .send(send)
                    .merge(merge)
                    .activeWhen(activeWhen)
                    .aggregates(
                        List.of(
                            new ProgramSource.AggregateSource(
                                "other", AggregateOperation.MAX, error),
                            new ProgramSource.AggregateSource(
                                "error", AggregateOperation.SUM, error)))
                    .build())
            .program();
    assertThat(program.vertexProgram().reads(Role.AGGREGATE, 1)).isTrue();
    assertThat(program.vertexProgram().reads(Role.AGGREGATE, 0)).isFalse();
    assertThat(program.vertexProgram().reads(Role.MESSAGE)).isFalse();
    assertThat(program.aggregates()).extracting(Aggregate::name).containsExactly("other", "error");
    assertThat(program.activeWhen().results()).containsExactly(Kind.BOOLEAN);
    IrOracle.Inputs inputs =
        (role, index) ->
            switch (role) {
              case SUPERSTEP -> 2;
              case VERTEX_COUNT -> 10L;
              case AGGREGATE -> 0.5;
              case VALUE -> 100.0;
              case SOURCE_ID -> 7L;
              case DESTINATION_ID -> 8L;
              case SOURCE -> 9.0;
              default -> throw new AssertionError(role);
            };
    assertThat(IrOracle.run(program.vertexProgram(), inputs).values()).containsExactly(107.0);
    assertThat(IrOracle.run(program.send(), inputs).sent())
        .containsExactly(
            new IrOracle.Sent(Side.SOURCE, List.of(7.0)),
            new IrOracle.Sent(Side.DESTINATION, List.of(8.0)),
            new IrOracle.Sent(Side.DESTINATION, List.of(9.0)));
  }

  @Test
  void stateTypeIsInferred() {
    ValueType opaque = new ValueType.Opaque("java.lang.String");
    StateFunction<String, Point> state = (id, attribute, in, out) -> new Point(in, out);
    ProgramInstance instance =
        ProgramLifter.lift(
            new SourceBuilder()
                .attribute(opaque)
                .edge(opaque)
                .initialState(state)
                .vertexProgram((VertexProgram<Point, Integer>) (id, value, message) -> value)
                .send((SendMessage<Point, String, Integer>) edge -> edge.sendToDst(1))
                .merge((MergeMessage<Integer>) Integer::sum)
                .build());
    assertThat(instance.program().state()).isEqualTo(ValueType.of(Point.class));
    assertThat(instance.program().message()).isEqualTo(ValueType.of(Integer.class));
    assertThat(instance.program().result()).isEqualTo(instance.program().state());
    assertThat(instance.program().initialState().reads(Role.IN_DEGREE)).isTrue();
    assertThat(instance.program().initialState().reads(Role.ATTRIBUTE)).isFalse();
  }
}
