package org.sparkgpugraph.runtime.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.spark.serializer.SerializationStream;
import org.junit.jupiter.api.Test;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** What a shuffle writes of the records between executors. */
class ShardSerializerTest {
  private static final ClassTag<Object> ANY = ClassTag$.MODULE$.Object();

  private static byte[] write(List<Tuple2<Integer, byte[]>> records) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    SerializationStream out = new ShardSerializer().newInstance().serializeStream(bytes);
    for (Tuple2<Integer, byte[]> record : records) {
      out.<Object>writeKey(record._1(), ANY);
      out.<Object>writeValue(record._2(), ANY);
    }
    out.close();
    return bytes.toByteArray();
  }

  private static List<Tuple2<Integer, byte[]>> read(byte[] bytes) {
    Iterator<Tuple2<Object, Object>> all =
        new ShardSerializer()
            .newInstance()
            .deserializeStream(new ByteArrayInputStream(bytes))
            .asKeyValueIterator();
    List<Tuple2<Integer, byte[]>> records = new ArrayList<>();
    while (all.hasNext()) {
      Tuple2<Object, Object> record = all.next();
      records.add(new Tuple2<>((Integer) record._1(), (byte[]) record._2()));
    }
    return records;
  }

  private static List<Tuple2<Integer, byte[]>> random(Random random, int count) {
    List<Tuple2<Integer, byte[]>> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] record = new byte[random.nextInt(5) == 0 ? random.nextInt(70000) : random.nextInt(9)];
      random.nextBytes(record);
      records.add(new Tuple2<>(random.nextInt() >>> random.nextInt(32) & ~(1 << 31), record));
    }
    return records;
  }

  private static void assertSame(
      List<Tuple2<Integer, byte[]>> expected, List<Tuple2<Integer, byte[]>> actual, String how) {
    assertThat(actual).as(how).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      assertThat(actual.get(i)._1()).as(how).isEqualTo(expected.get(i)._1());
      assertThat(actual.get(i)._2()).as(how).isEqualTo(expected.get(i)._2());
    }
  }

  @Test
  void recordsComeBackAndStreamsMayBeConcatenated() throws IOException {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      List<Tuple2<Integer, byte[]>> first = random(random, random.nextInt(5));
      List<Tuple2<Integer, byte[]>> second = random(random, random.nextInt(5));
      ByteArrayOutputStream both = new ByteArrayOutputStream();
      both.write(write(first));
      both.write(write(second));
      List<Tuple2<Integer, byte[]>> all = new ArrayList<>(first);
      all.addAll(second);
      assertSame(all, read(both.toByteArray()), "seed " + seed);
    }
    assertThat(new ShardSerializer().supportsRelocationOfSerializedObjects()).isTrue();
  }

  @Test
  void aRecordTakesItsBytesAndAFewMore() {
    assertThat(write(List.of(new Tuple2<>(3, new byte[100])))).hasSize(106);
    assertThat(write(List.of(new Tuple2<>(300, new byte[1000])))).hasSize(1008);
  }

  @Test
  void aCutStreamIsNotTakenForItsEnd() {
    byte[] bytes = write(List.of(new Tuple2<>(300, new byte[1000])));
    for (int length : new int[] {1, 2, 3, 4, 1003, 1004, 1007}) {
      assertThatThrownBy(() -> read(Arrays.copyOf(bytes, length)))
          .as("%d bytes", length)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("damaged");
    }
  }

  @Test
  void aRecordThatIsNotTheOneThatWasWrittenIsRefused() {
    byte[] record = new byte[300];
    new Random(1).nextBytes(record);
    byte[] bytes = write(List.of(new Tuple2<>(1, record)));
    // Behind the reader's number: length, record, checksum.
    for (int at = 1; at < bytes.length; at++) {
      byte[] damaged = bytes.clone();
      damaged[at] ^= (byte) (1 << at % 8);
      assertThatThrownBy(() -> read(damaged))
          .as("byte %d", at)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("damaged");
    }
  }
}
