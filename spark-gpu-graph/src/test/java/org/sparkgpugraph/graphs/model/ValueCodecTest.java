package org.sparkgpugraph.graphs.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.ArrayType;
import org.sparkgpugraph.program.ir.Kind;
import scala.None$;
import scala.Some;
import scala.Tuple2;
import scala.runtime.BoxedUnit;

@Tag("any-spark")
class ValueCodecTest {
  /** Components of every kind, primitive and boxed. */
  record Inner(int i, Long l, boolean b) {}

  record Outer(double d, Inner inner, Float f) {}

  private static final Object[][] SAMPLES = {
    {true, false, true},
    {1, Integer.MIN_VALUE, -7},
    {1L, Long.MIN_VALUE, 1L << 40},
    {1.5f, -0.0f, Float.NaN},
    {1.5, -0.0, Double.NaN}
  };

  /** Primitive arrays, box arrays and Object arrays hold the same values. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void scalarsInEveryArrayForm(Kind kind) {
    Object[] sample = SAMPLES[kind.ordinal()];
    ValueCodec codec = ValueCodec.of(new ValueType.Scalar(kind));
    for (Class<?> component : List.of(kind.primitive(), kind.box(), Object.class)) {
      Object array = ValueCodec.newArray(component, 3);
      for (int i = 0; i < 3; i++) {
        Array.set(array, i, sample[i]);
      }
      Columns columns = Columns.allocate(codec.kinds(), 5);
      codec.read(
          array, new int[] {2, 0, 1}, 0, 3, columns, new int[] {4, -1, 1}, i -> "value " + i);
      assertThat(columns.get(0, 4)).isEqualTo(sample[2]);
      assertThat(columns.get(0, 1)).isEqualTo(sample[1]);
      assertThat(columns.get(0, 0)).as("row -1 is skipped").isNotEqualTo(sample[0]);
      for (Class<?> made : List.of(kind.primitive(), kind.box(), Object.class)) {
        Object back = ValueCodec.newArray(made, 2);
        codec.write(columns, new int[] {4, -1, 1}, 0, 3, back, new int[] {1, 0, 0});
        assertThat(Array.get(back, 0)).isEqualTo(sample[1]);
        assertThat(Array.get(back, 1)).isEqualTo(sample[2]);
      }
    }
  }

  @Test
  void nestedRecordsRoundTrip() {
    ValueCodec codec = ValueCodec.of(ValueType.of(Outer.class));
    assertThat(codec.kinds())
        .containsExactly(Kind.DOUBLE, Kind.INT, Kind.LONG, Kind.BOOLEAN, Kind.FLOAT);
    Outer[] values = {
      new Outer(1.5, new Inner(2, 3L, true), 4f), new Outer(-0.0, new Inner(-2, -3L, false), -4f)
    };
    Columns columns = Columns.allocate(codec.kinds(), 2);
    codec.read(values, null, 0, 2, columns, null, i -> "value " + i);
    assertThat(columns.doubles(0)).containsExactly(1.5, -0.0);
    assertThat(columns.longs(2)).containsExactly(3, -3);
    for (Class<?> component : List.of(Outer.class, Object.class, Record.class)) {
      Object[] back = (Object[]) ValueCodec.newArray(component, 2);
      codec.write(columns, null, 0, 2, back, null);
      assertThat(back).containsExactly((Object[]) values);
    }
    codec.put(values[1], columns, 0);
    assertThat(codec.get(columns, 0)).isEqualTo(values[1]);
  }

  /** What the Scala front end describes: fields are erased to Object in the class. */
  @Test
  void scalaTuplesRoundTrip() {
    ValueType pair =
        new ValueType.Struct(
            "scala.Tuple2",
            List.of(
                new ValueType.Field("_1", new ValueType.Scalar(Kind.DOUBLE)),
                new ValueType.Field("_2", new ValueType.Scalar(Kind.INT))));
    ValueCodec codec = ValueCodec.of(pair);
    Tuple2<?, ?>[] values = {new Tuple2<>(1.5, 2), new Tuple2<>(2.5, 3)};
    Columns columns = Columns.allocate(codec.kinds(), 2);
    codec.read(values, null, 0, 2, columns, null, i -> "value " + i);
    assertThat(columns.ints(1)).containsExactly(2, 3);
    assertThat(codec.get(columns, 1)).isEqualTo(values[1]);
  }

  /** Arrays of one length, alone and in a tuple, as programs that are not lifted ask for them. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void vectorsRoundTrip(Kind kind) {
    ValueType vector = new ValueType.Vector(kind, 3);
    ValueType pair =
        new ValueType.Struct(
            "scala.Tuple2",
            List.of(
                new ValueType.Field("_1", vector),
                new ValueType.Field("_2", new ValueType.Scalar(Kind.LONG))));
    ValueCodec codec = ValueCodec.of(pair);
    assertThat(codec.kinds()).containsExactly(new ArrayType(kind, 3), Kind.LONG);
    Object sample = vector(kind, 3);
    Columns columns = Columns.allocate(codec.kinds(), 3);
    codec.read(
        new Object[] {new Tuple2<>(vector(kind, 3), 8L), new Tuple2<>(sample, 9L)},
        new int[] {1},
        0,
        1,
        columns,
        new int[] {2},
        i -> "value " + i);
    assertThat(columns.get(0, 2)).isEqualTo(sample);
    assertThat(columns.get(0, 0)).as("row 0 is not written").isNotEqualTo(sample);
    assertThat(columns.longs(1)).containsExactly(0, 0, 9);
    Tuple2<?, ?> back = (Tuple2<?, ?>) codec.get(columns, 2);
    assertThat(back._1()).isEqualTo(sample).isNotSameAs(sample).hasSameClassAs(sample);
    assertThat(back._2()).isEqualTo(9L);

    ValueCodec alone = ValueCodec.of(vector);
    Columns flat = Columns.allocate(alone.kinds(), 1);
    Object values = Array.newInstance(sample.getClass(), 1);
    Array.set(values, 0, sample);
    alone.read(values, null, 0, 1, flat, null, i -> "value " + i);
    Object written = ValueCodec.newArray(sample.getClass(), 1);
    alone.write(flat, null, 0, 1, written, null);
    assertThat(Array.get(written, 0)).isEqualTo(sample);
  }

  private static Object vector(Kind kind, int length) {
    Object vector = Array.newInstance(kind.primitive(), length);
    for (int i = 0; i < length; i++) {
      Array.set(vector, i, SAMPLES[kind.ordinal()][i % 3]);
    }
    return vector;
  }

  @Test
  void vectorsThatDoNotFitAreRefused() {
    ValueCodec codec = ValueCodec.of(new ValueType.Vector(Kind.DOUBLE, 3));
    Columns columns = Columns.allocate(codec.kinds(), 1);
    assertThatThrownBy(() -> read(codec, columns, new double[2]))
        .hasMessageContaining("vertex 17 is an array of 2 elements, but all have 3");
    assertThatThrownBy(() -> read(codec, columns, new float[3]))
        .hasMessageContaining("vertex 17 is a float[], the program was given double[]");
    assertThatThrownBy(() -> read(codec, columns, (Object) null))
        .isInstanceOf(NullValueException.class)
        .hasMessageContaining("vertex 17 is null");
  }

  private static void read(ValueCodec codec, Columns columns, Object value) {
    codec.read(new Object[] {value}, null, 0, 1, columns, null, i -> "vertex 17");
  }

  @Test
  void flatColumnsAreTakenAsTheyAre() {
    ValueCodec codec = ValueCodec.of(ValueType.of(Inner.class));
    Columns flat = Columns.allocate(codec.kinds(), 2);
    codec.put(new Inner(1, 2L, true), flat, 1);
    Columns columns = Columns.allocate(codec.kinds(), 1);
    codec.read(flat, null, 1, 2, columns, new int[] {9, 0}, i -> "value " + i);
    assertThat(codec.get(columns, 0)).isEqualTo(new Inner(1, 2L, true));
    Columns other = Columns.allocate(List.of(Kind.INT), 2);
    assertThatThrownBy(() -> codec.read(other, null, 0, 1, columns, null, i -> "value"))
        .hasMessageContaining("columns of [INT]");
  }

  @Test
  void nullsAreRefusedWithTheirPlace() {
    ValueCodec codec = ValueCodec.of(ValueType.of(Outer.class));
    Columns columns = Columns.allocate(codec.kinds(), 2);
    assertThatThrownBy(() -> codec.read(new Outer[1], null, 0, 1, columns, null, i -> "vertex 17"))
        .isInstanceOf(NullValueException.class)
        .hasMessageContaining("vertex 17 is null");
    Object[] nested = {new Outer(1, null, 1f)};
    assertThatThrownBy(() -> codec.read(nested, null, 0, 1, columns, null, i -> "vertex 17"))
        .hasMessageContaining("component 'inner'");
    Object[] box = {new Outer(1, new Inner(1, null, true), 1f)};
    assertThatThrownBy(() -> codec.read(box, null, 0, 1, columns, null, i -> "vertex 17"))
        .hasMessageContaining("component 'inner.l'");
    assertThatThrownBy(() -> codec.read(null, null, 0, 1, columns, null, i -> "vertex 17"))
        .isInstanceOf(NullValueException.class);
  }

  @Test
  void otherClassesAreRefused() {
    ValueCodec codec = ValueCodec.of(new ValueType.Scalar(Kind.DOUBLE));
    Columns columns = Columns.allocate(codec.kinds(), 1);
    assertThatThrownBy(() -> codec.read(new int[1], null, 0, 1, columns, null, i -> "edge 1→2"))
        .hasMessageContaining("values are int,")
        .hasMessageContaining("java.lang.Double");
    assertThatThrownBy(
            () -> codec.read(new Object[] {1}, null, 0, 1, columns, null, i -> "edge 1→2"))
        .hasMessageContaining("edge 1→2 is a java.lang.Integer");
    assertThatThrownBy(() -> codec.write(columns, null, 0, 1, new long[1], null))
        .hasMessageContaining("java.lang.Double");
    assertThatThrownBy(
            () ->
                ValueCodec.of(
                    new ValueType.Struct(
                        "no.such.Record",
                        List.of(new ValueType.Field("x", new ValueType.Scalar(Kind.INT))))))
        .hasMessageContaining("no.such.Record")
        .hasMessageContaining("--jars");
  }

  @Test
  void opaqueValuesHaveNoColumns() {
    ValueCodec codec = ValueCodec.of(ValueType.of(String.class));
    Columns columns = Columns.allocate(codec.kinds(), 1);
    codec.read(new String[] {null}, null, 0, 1, columns, null, i -> "vertex 1");
    assertThatThrownBy(() -> codec.write(columns, null, 0, 1, new String[1], null))
        .hasMessageContaining("java.lang.String");
  }

  /** Compiled code reads and makes what the step-by-step one does. */
  @Test
  void optionsUnitsAndSmallNumbersRoundTrip() {
    Tuple2<?, ?>[] values = {
      new Tuple2<>(new Some<>(new Tuple2<>((byte) -3, 'x')), BoxedUnit.UNIT),
      new Tuple2<>(None$.MODULE$, BoxedUnit.UNIT),
      new Tuple2<>(new Some<>(new Tuple2<>((byte) 7, '\uffff')), BoxedUnit.UNIT)
    };
    ValueCodec codec = ValueCodec.of(ValueType.like(values[0]));
    assertThat(codec.kinds()).containsExactly(Kind.BOOLEAN, Kind.INT, Kind.INT, Kind.BOOLEAN);
    Columns columns = Columns.allocate(codec.kinds(), 3);
    columns.fill(0, 3, new Object[] {true, 99, 99, true});
    codec.read(values, null, 0, 3, columns, null, i -> "value " + i);
    assertThat(columns.ints(1)).containsExactly(-3, 0, 7);
    assertThat(columns.booleans(3)).containsExactly(false, false, false);
    Object[] back = new Object[3];
    codec.write(columns, null, 0, 3, back, null);
    assertThat(back).containsExactly((Object[]) values);
    Columns slow = Columns.allocate(codec.kinds(), 1);
    for (int i = 0; i < 3; i++) {
      codec.put(values[i], slow, 0);
      assertThat(codec.get(slow, 0)).isEqualTo(values[i]);
      for (int column = 0; column < 4; column++) {
        assertThat(slow.get(column, 0)).isEqualTo(columns.get(column, i));
      }
    }
  }

  @Test
  void smallNumbersInTheirOwnArrays() {
    for (Object array : List.of(new byte[] {1, -2}, new short[] {1, -2}, new char[] {'a', 'z'})) {
      Class<?> component = array.getClass().getComponentType();
      ValueCodec codec = ValueCodec.of(ValueType.of(component));
      Columns columns = Columns.allocate(codec.kinds(), 2);
      codec.read(array, new int[] {1, 0}, 0, 2, columns, null, i -> "value " + i);
      Object back = ValueCodec.newArray(component, 2);
      codec.write(columns, null, 0, 2, back, new int[] {1, 0});
      assertThat(back).isEqualTo(array);
      Object[] boxes = {Array.get(array, 0), Array.get(array, 1)};
      codec.read(boxes, null, 0, 2, columns, null, i -> "value " + i);
      Object[] boxed = new Object[2];
      codec.write(columns, null, 0, 2, boxed, null);
      assertThat(boxed).containsExactly(boxes);
    }
  }

  /** A tuple of numbers may be of the general class or of a special one. */
  @Test
  void tuplesOfBothFormsAndOddOnesAmongThem() {
    Object general = new Tuple2<>(1.5, 2);
    Object special = new scala.Tuple2$mcDI$sp(2.5, 3);
    ValueCodec codec = ValueCodec.of(ValueType.like(special));
    Columns columns = Columns.allocate(codec.kinds(), 4);
    Object[] values = {general, special, special, general};
    codec.read(values, null, 0, 4, columns, null, i -> "value " + i);
    assertThat(columns.doubles(0)).containsExactly(1.5, 2.5, 2.5, 1.5);
    assertThat(columns.ints(1)).containsExactly(2, 3, 3, 2);
    for (Object odd :
        Arrays.asList(null, new scala.Tuple2$mcJJ$sp(1, 2), new Tuple2<>(1.5, 2L), 1.5)) {
      values[2] = odd;
      assertThatThrownBy(() -> codec.read(values, null, 0, 4, columns, null, i -> "value " + i))
          .isInstanceOf(ValueMismatchException.class)
          .hasMessageContaining("value 2");
    }
  }

  @Test
  void componentsWithoutColumnsComeFromTheValueBefore() {
    Object name = new StringBuilder("a name");
    Tuple2<?, ?> before = new Tuple2<>(new Tuple2<>(name, 1), 2L);
    ValueCodec codec = ValueCodec.of(ValueType.like(before));
    assertThat(codec.kinds()).containsExactly(Kind.INT, Kind.LONG);
    Columns columns = new Columns(codec.kinds(), new Object[] {new int[] {5}, new long[] {6}}, 1);
    Object[] made = new Object[2];
    codec.write(columns, null, 0, 1, made, new int[] {1}, new Object[] {null, before});
    Tuple2<?, ?> after = (Tuple2<?, ?>) made[1];
    assertThat(after).isEqualTo(new Tuple2<>(new Tuple2<>(name, 5), 6L));
    assertThat(((Tuple2<?, ?>) after._1())._1()).isSameAs(name);
    assertThatThrownBy(() -> codec.write(columns, null, 0, 1, made, null))
        .hasMessageContaining("nothing has them");
  }
}
