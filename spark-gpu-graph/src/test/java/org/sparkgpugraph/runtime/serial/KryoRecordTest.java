package org.sparkgpugraph.runtime.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.KryoRegistrator;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.SerializerInstance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.GpuGraphKryoRegistrator;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.ir.ArrayType;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.testing.RandomPrograms.Bounds;
import org.sparkgpugraph.testing.RandomPrograms.Hop;
import org.sparkgpugraph.testing.RandomPrograms.Seen;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

class KryoRecordTest {
  private record Everything(
      boolean a, byte b, short c, char d, int e, long f, float g, double h, String i, Hop j) {}

  /** What a user writes under registrationRequired. */
  public static final class OwnRecords implements KryoRegistrator {
    @Override
    public void registerClasses(Kryo kryo) {
      for (Class<?> type :
          List.of(Hop.class, Seen.class, Bounds.class, Nothing.class, Everything.class)) {
        kryo.register(type);
      }
    }
  }

  private record Nothing() {}

  private record Picky(int positive) {
    Picky {
      if (positive < 0) {
        throw new IllegalArgumentException("negative");
      }
    }
  }

  private static SparkConf kryo(boolean required) {
    return new SparkConf(false)
        .set("spark.serializer", KryoSerializer.class.getName())
        .set("spark.kryo.registrationRequired", Boolean.toString(required))
        .set("spark.kryo.registrator", GpuGraphKryoRegistrator.class.getName());
  }

  private static <T> T roundTrip(SparkConf conf, T value) {
    SerializerInstance serializer = new KryoSerializer(conf).newInstance();
    ClassTag<T> tag = ClassTag$.MODULE$.apply(Object.class);
    return serializer.deserialize(serializer.serialize(value, tag), tag);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void recordsGoThrough(boolean required) {
    SparkConf conf =
        kryo(required)
            .set(
                "spark.kryo.registrator",
                GpuGraphKryoRegistrator.class.getName() + "," + OwnRecords.class.getName());
    Hop hop = new Hop(Double.NaN, Long.MIN_VALUE, -1);
    assertThat(roundTrip(conf, hop)).isEqualTo(hop);
    Seen seen = new Seen(new Bounds(3, 4), true, -0.0f);
    assertThat(roundTrip(conf, seen)).isEqualTo(seen);
    assertThat(roundTrip(conf, new Nothing())).isEqualTo(new Nothing());
    Everything all = new Everything(true, (byte) -1, (short) 2, 'x', 3, 4L, 5f, 6d, "seven", hop);
    assertThat(roundTrip(conf, all)).isEqualTo(all);
    Everything nulls = new Everything(false, (byte) 0, (short) 0, ' ', 0, 0, 0, 0, null, null);
    assertThat(roundTrip(conf, nulls)).isEqualTo(nulls);
  }

  @Test
  void sharedAndRepeatedRecordsGoThrough() {
    Hop hop = new Hop(1, 2, 3);
    List<Object> list =
        new ArrayList<>(Arrays.asList(hop, new Seen(new Bounds(1, 2), false, 0), hop, null, hop));
    assertThat(roundTrip(kryo(false), list)).isEqualTo(list);
    List<Hop> many = new ArrayList<>(Collections.nCopies(1000, hop));
    assertThat(roundTrip(kryo(false), many)).isEqualTo(many);
  }

  @Test
  void ownClassesAreRegistered() {
    SparkConf conf = kryo(true);
    for (Class<?> type : GpuGraphKryoRegistrator.OWN_CLASSES) {
      assertThatCode(() -> new KryoSerializer(conf).newKryo().getRegistration(type))
          .doesNotThrowAnyException();
    }
  }

  /** Also those that no run of a test sends. */
  @Test
  void valuesOfAlgorithmsAreRegistered() {
    List<JavaClass> records =
        new ClassFileImporter()
            .importPackages("org.sparkgpugraph.algorithm").stream()
                .filter(c -> c.isAssignableTo(Record.class) && c.isAssignableTo(Serializable.class))
                .toList();
    assertThat(records).isNotEmpty();
    assertThat(GpuGraphKryoRegistrator.OWN_CLASSES.stream().map(Class::getName))
        .containsAll(records.stream().map(JavaClass::getName).toList());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void columnsGoThrough(boolean required) {
    ColumnType pair = new ArrayType(Kind.DOUBLE, 2);
    Columns columns = Columns.allocate(List.of(Kind.LONG, Kind.BOOLEAN, pair), 3);
    columns.set(0, 2, Long.MIN_VALUE);
    columns.doubles(2)[5] = 7;
    VertexBlock block = new VertexBlock(new long[] {1, 2, 3}, columns);
    Columns read = (Columns) roundTrip(kryo(required), block).values();
    assertThat(read.kinds()).isEqualTo(columns.kinds());
    assertThat(read.longs(0)).containsExactly(0, 0, Long.MIN_VALUE);
    assertThat(read.doubles(2)).containsExactly(0, 0, 0, 0, 0, 7);
  }

  @Test
  void theConstructorsOwnRefusalIsKept() {
    Kryo kryo = new KryoSerializer(kryo(false)).newKryo();
    Output output = new Output(64);
    output.writeInt(-1);
    assertThatThrownBy(
            () ->
                new RecordSerializer<>(Picky.class)
                    .read(kryo, new Input(output.toBytes()), Picky.class))
        .hasMessageContaining("Picky")
        .hasRootCauseMessage("negative");
  }

  @Test
  void withoutTheRegistratorRecordsAreRefusedWithTheKey() {
    SparkConf conf = new SparkConf(false).set("spark.serializer", KryoSerializer.class.getName());
    assertThatThrownBy(() -> RecordSerialization.check(conf, Double.class, Hop.class))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(Hop.class.getName())
        .hasMessageContaining("spark.kryo.registrator=org.sparkgpugraph.GpuGraphKryoRegistrator");
    // And it is true that they cannot be serialised.
    assertThatThrownBy(() -> roundTrip(conf, new Hop(1, 2, 3))).isNotNull();
  }

  @Test
  void recordsAmongTheClassesToRegisterAreRefused() {
    assertThatThrownBy(
            () ->
                RecordSerialization.check(
                    kryo(false).set("spark.kryo.classesToRegister", Hop.class.getName()),
                    Hop.class))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("not in spark.kryo.classesToRegister");
  }

  @Test
  void withTheRegistratorRecordsAreAccepted() {
    assertThatCode(() -> RecordSerialization.check(kryo(false), Hop.class, Seen.class, Long.class))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> RecordSerialization.check(kryo(true), Hop.class))
        .hasMessageContaining("registrationRequired");
  }

  @Test
  void javaSerializationNeedsSerializableRecords() {
    assertThatCode(() -> RecordSerialization.check(new SparkConf(false), Hop.class))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> RecordSerialization.check(new SparkConf(false), Nothing.class))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("implements java.io.Serializable");
  }
}
