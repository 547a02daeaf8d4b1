package org.sparkgpugraph.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ValueCodec;
import org.sparkgpugraph.program.ir.Kind;
import scala.Tuple2;
import scala.collection.immutable.HashMap;
import scala.collection.immutable.Map;
import scala.collection.immutable.Map$;
import scala.collection.immutable.Set;
import scala.collection.immutable.Set$;
import scala.collection.mutable.Builder;

/** Keys of maps and sets are found, and values of them are columns and back. */
@Tag("any-spark-4")
@SuppressWarnings("unchecked")
class KeyedMapsTest {
  private static final ValueType MAP = new ValueType.Opaque("scala.collection.immutable.Map");
  private static final ValueType SET = new ValueType.Opaque("scala.collection.immutable.Set");

  private static Map<Object, Object> map(Object... entries) {
    Map<Object, Object> map = Map$.MODULE$.empty();
    for (int i = 0; i < entries.length; i += 2) {
      map = (Map<Object, Object>) map.updated(entries[i], entries[i + 1]);
    }
    return map;
  }

  private static Map<Object, Object> mapOf(int keys, long from) {
    return map(
        IntStream.range(0, keys)
            .boxed()
            .flatMap(i -> IntStream.of(0, 1).mapToObj(j -> j == 0 ? (Object) (from + i) : i))
            .toArray());
  }

  private static Set<Object> set(Object... elements) {
    Builder<Object, Set<Object>> builder = Set$.MODULE$.newBuilder();
    for (Object element : elements) {
      builder.$plus$eq(element);
    }
    return builder.result();
  }

  private static KeyedMaps see(ValueType type, Object... values) {
    KeyedMaps maps = new KeyedMaps();
    for (Object value : values) {
      KeyedMaps next = new KeyedMaps();
      next.see("the values", type, value);
      maps.join(next);
    }
    return maps;
  }

  private static ValueType found(ValueType type, Object... values) {
    KeyedMaps maps = see(type, values);
    assertThat(maps.problems()).isEmpty();
    return maps.complete("the values", type);
  }

  private static void roundTrip(ValueType type, Object... values) {
    ValueCodec codec = ValueCodec.of(type);
    Columns columns = Columns.allocate(type.columns(), values.length);
    codec.read(values, null, 0, values.length, columns, null, i -> "value " + i);
    Object[] back = new Object[values.length];
    codec.write(columns, null, 0, values.length, back, null);
    assertThat(back).isEqualTo(values);
  }

  @Test
  void keysOfAllValuesAreFoundInAscendingOrder() {
    Object[] values = {map(7L, 1, -3L, 2), map(), map(Long.MIN_VALUE, 5, 7L, 0)};
    ValueType type = found(MAP, values);
    assertThat(type)
        .isEqualTo(new ValueType.Keyed(Kind.LONG, Kind.INT, List.of(Long.MIN_VALUE, -3L, 7L)));
    assertThat(type.columns()).containsExactly(Kind.INT, Kind.INT, Kind.INT, Kind.INT);
    roundTrip(type, values);
  }

  @Test
  void noneOneAndSixteenKeysAreColumns() {
    assertThat(found(MAP, map(), map()).columns()).containsExactly(Kind.INT);
    roundTrip(found(MAP, map()), map(), map());
    assertThat(found(MAP, map(5, 2.5)).columns()).containsExactly(Kind.INT, Kind.DOUBLE);
    Object[] values = {mapOf(16, -8), map(), mapOf(3, 0)};
    assertThat(found(MAP, values).columns()).hasSize(17);
    roundTrip(found(MAP, values), values);
  }

  @Test
  void seventeenKeysAreTooMany() {
    KeyedMaps maps = see(MAP, mapOf(9, 0), mapOf(9, 8));
    assertThat(maps.problems())
        .containsExactly(
            "the Maps or Sets of the values have 17 different keys or more, and at most 16 can be"
                + " columns");
    assertThat(maps.complete("the values", MAP)).isEqualTo(MAP);
    assertThat(maps.areHopeless()).isTrue();
  }

  @Test
  void valuesMayBeOfEveryKind() {
    for (Object value : new Object[] {1, 2L, 0.5f, -0.0, true}) {
      ValueType type = found(MAP, map(1, value), map(-1, value), map());
      assertThat(((ValueType.Keyed) type).value()).isEqualTo(Kind.of(value.getClass()));
      roundTrip(type, map(1, value), map(), map(-1, value, 1, value));
    }
  }

  @Test
  void setsAreBits() {
    Object[] values = {set(1L, -5L), set(), set(0L, 1L, 2L, 3L, 4L, 5L)};
    ValueType type = found(SET, values);
    assertThat(type.columns()).containsExactly(Kind.INT);
    roundTrip(type, values);
  }

  @Test
  void componentsOfTuplesAreLookedAt() {
    Object first = new Tuple2<>(map(3L, 1), "a");
    ValueType type = found(ValueType.like(first), first, new Tuple2<>(map(1L, 2), "b"));
    assertThat(((ValueType.Struct) type).fields().get(0).type())
        .isEqualTo(new ValueType.Keyed(Kind.LONG, Kind.INT, List.of(1L, 3L)));
    Object both = new Tuple2<>(map(3L, 1), map());
    roundTrip(found(ValueType.like(both), both), both, new Tuple2<>(map(), map(3L, 2)));
  }

  @Test
  void otherMapsAreNamed() {
    assertThat(see(MAP, map(1L, 2), ((HashMap<Object, Object>) mapOf(9, 0)).withDefaultValue(1)))
        .extracting(KeyedMaps::problems)
        .asString()
        .contains("default values, but Map.WithDefault");
    assertThat(see(MAP, map("a", 2)).problems().toString()).contains("keys that are String");
    assertThat(see(MAP, map(1L, 2), map(1, 2)).problems().toString()).contains("sometimes Long");
    assertThat(see(MAP, map(1L, 2), map(2L, 2.0)).problems().toString()).contains("one class");
    assertThat(see(MAP, map(1L, 2, 2L, 2.0)).problems().toString())
        .contains("Double beside Integer");
    assertThat(see(MAP, map(1L, "b")).problems().toString()).contains("values that are String");
    assertThat(see(MAP, map(), set()).problems().toString()).contains("sometimes sets");
    assertThat(see(MAP, map(), null).problems().toString()).contains("null");
  }
}
