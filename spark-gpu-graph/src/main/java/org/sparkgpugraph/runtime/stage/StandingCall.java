package org.sparkgpugraph.runtime.stage;

import java.nio.ByteBuffer;
import org.apache.spark.SparkEnv;

/**
 * What a {@link StandingTask} tells the driver when it asks for its next order. It is bytes, since
 * Spark unpacks what it is told in threads that do not know the classes of an application's jars;
 * the driver looks at the head in one of these, and has the rest unpacked by the thread that runs
 * the program.
 *
 * @param kind what has happened
 * @param shard number of the shard
 * @param number of the order that was carried out
 * @param answer the packed {@link StandingOrder.Answer}; empty unless it is done
 */
record StandingCall(Kind kind, int shard, int number, ByteBuffer answer) {
  private static final int HEAD = 3 * Integer.BYTES;

  /** What has happened. */
  enum Kind {
    /** The task is there, and has done nothing yet. */
    JOINED,
    /** An order is carried out. */
    DONE,
    /**
     * Something was thrown that is Spark's to handle, such as a block that cannot be read; the task
     * may have ended by it.
     */
    FAILED
  }

  static StandingCall of(Kind kind, int shard, int number) {
    return new StandingCall(kind, shard, number, ByteBuffer.allocate(0));
  }

  static StandingCall done(int shard, int number, StandingOrder.Answer answer) {
    return new StandingCall(
        Kind.DONE,
        shard,
        number,
        ByteBuffer.wrap(StandingOrder.pack(SparkEnv.get().closureSerializer(), answer)));
  }

  byte[] bytes() {
    ByteBuffer bytes = ByteBuffer.allocate(HEAD + answer.remaining());
    bytes.putInt(kind.ordinal()).putInt(shard).putInt(number).put(answer.duplicate());
    return bytes.array();
  }

  static StandingCall of(byte[] bytes) {
    ByteBuffer read = ByteBuffer.wrap(bytes);
    Kind kind = Kind.values()[read.getInt()];
    return new StandingCall(kind, read.getInt(), read.getInt(), read.slice());
  }
}
