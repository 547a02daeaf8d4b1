package org.sparkgpugraph.runtime.stage;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.serializer.Serializer;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * What the driver has a {@link StandingTask} do next.
 *
 * @param number ascending from 1; 1 is the work that the stage was submitted for. The last order
 *     has that of the one that it repeats
 * @param work what to do; of the last order null: there is nothing left to say
 * @param outputs what the shards have written for the order before; empty behind the first one,
 *     which reads the exchange that the stage stands on
 * @param inline what shards have said for it without writing it, {@linkplain InlineRecords packed}
 *     by each; of an order that was sent what is for the shard
 * @param writes whether other shards will read what is said
 * @param last whether what is said is the stage's own output, behind which the task ends
 */
record StandingOrder(
    int number,
    ShardWork work,
    List<ShardOutput> outputs,
    List<byte[]> inline,
    boolean writes,
    boolean last)
    implements Serializable {

  /**
   * What a task answers.
   *
   * @param report what became of the work
   * @param outputs what it has written
   * @param inline what it says without writing it, {@linkplain InlineRecords packed}
   */
  record Answer(ShardReport report, List<ShardOutput> outputs, byte[] inline)
      implements Serializable {}

  /** The last order of a stage of which nobody reads anything any more. */
  static StandingOrder nothing() {
    return new StandingOrder(Integer.MAX_VALUE, null, List.of(), List.of(), true, true);
  }

  /** The last order: to say again what this one has had said, or to do it now. */
  StandingOrder again() {
    return new StandingOrder(number, work, List.of(), List.of(), true, true);
  }

  /**
   * The order as each of the shards is sent it: packed once for all of them, but for the lengths
   * and the records, of which each needs its own.
   *
   * @param serializer Spark's for what tasks are to do
   */
  List<byte[]> forShards(int shards, Serializer serializer) {
    List<ShardOutput> places = outputs.stream().map(output -> output.with(new long[0])).toList();
    byte[] common =
        pack(serializer, new StandingOrder(number, work, places, List.of(), writes, last));
    List<byte[]> records = InlineRecords.byReader(inline, shards);
    List<byte[]> all = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      int reader = shard;
      long[] lengths =
          outputs.stream()
              .flatMapToLong(output -> LongStream.of(output.lengthsFor(reader, shards)))
              .toArray();
      ByteBuffer bytes =
          ByteBuffer.allocate(
              2 * Integer.BYTES
                  + common.length
                  + lengths.length * Long.BYTES
                  + records.get(shard).length);
      bytes.putInt(common.length).put(common).putInt(lengths.length);
      LongStream.of(lengths).forEach(bytes::putLong);
      all.add(bytes.put(records.get(shard)).array());
    }
    return all;
  }

  /** What a shard was sent. */
  static StandingOrder of(byte[] sent) {
    ByteBuffer bytes = ByteBuffer.wrap(sent);
    int common = bytes.getInt();
    StandingOrder order =
        unpack(
            SparkEnv.get().closureSerializer(),
            bytes.slice(Integer.BYTES, common),
            StandingOrder.class);
    int lengths = bytes.position(Integer.BYTES + common).getInt();
    List<ShardOutput> outputs = new ArrayList<>();
    for (ShardOutput output : order.outputs()) {
      long[] own = new long[lengths / order.outputs().size()];
      Arrays.setAll(own, lane -> bytes.getLong());
      outputs.add(output.with(own));
    }
    byte[] records = new byte[bytes.remaining()];
    bytes.get(records);
    return new StandingOrder(
        order.number(),
        order.work(),
        outputs,
        records.length == 0 ? List.of() : List.of(records),
        order.writes(),
        order.last());
  }

  /** What shards say without having written it; of an order that was sent to the shard. */
  List<byte[]> records() {
    return inline.stream()
        .flatMap(packed -> InlineRecords.unpack(ByteBuffer.wrap(packed)).stream())
        .map(ShardWork.Message::record)
        .toList();
  }

  /** An order or an answer, as Spark sends what a task is to do. */
  static byte[] pack(Serializer serializer, Serializable message) {
    ByteBuffer packed = serializer.newInstance().serialize(message, tag(message));
    byte[] bytes = new byte[packed.remaining()];
    packed.get(bytes);
    return bytes;
  }

  /** Unpacks it, with the classes that the calling thread knows: a task's are the user's, too. */
  static <T> T unpack(Serializer serializer, ByteBuffer packed, Class<T> type) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return serializer
        .newInstance()
        .deserialize(
            packed,
            loader == null ? StandingOrder.class.getClassLoader() : loader,
            ClassTag$.MODULE$.<T>apply(type));
  }

  @SuppressWarnings("unchecked")
  private static <T> ClassTag<T> tag(T message) {
    return (ClassTag<T>) ClassTag$.MODULE$.apply(message.getClass());
  }
}
