package org.sparkgpugraph.runtime.stage;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * What a shard says to others, as it travels with a call: for each record the number of its reader
 * and of its bytes (32 bits each), then these.
 */
final class InlineRecords {
  /** Of a shard that says nothing so. */
  static final byte[] NONE = new byte[0];

  private static final int HEAD = 2 * Integer.BYTES;

  private InlineRecords() {}

  static byte[] pack(List<ShardWork.Message> messages) {
    int size = messages.stream().mapToInt(message -> HEAD + message.record().length).sum();
    ByteBuffer bytes = ByteBuffer.allocate(size);
    for (ShardWork.Message message : messages) {
      bytes.putInt(message.reader()).putInt(message.record().length).put(message.record());
    }
    return bytes.array();
  }

  /**
   * Divides what shards say among its readers, packed as before.
   *
   * @param packed of each shard
   * @param readers how many there are
   */
  static List<byte[]> byReader(Collection<byte[]> packed, int readers) {
    List<List<ShardWork.Message>> messages = new ArrayList<>();
    for (int reader = 0; reader < readers; reader++) {
      messages.add(new ArrayList<>());
    }
    for (byte[] one : packed) {
      unpack(ByteBuffer.wrap(one)).forEach(message -> messages.get(message.reader()).add(message));
    }
    return messages.stream().map(InlineRecords::pack).toList();
  }

  static List<ShardWork.Message> unpack(ByteBuffer packed) {
    List<ShardWork.Message> messages = new ArrayList<>();
    while (packed.hasRemaining()) {
      int reader = packed.getInt();
      byte[] record = new byte[packed.getInt()];
      packed.get(record);
      messages.add(new ShardWork.Message(reader, record));
    }
    return messages;
  }
}
