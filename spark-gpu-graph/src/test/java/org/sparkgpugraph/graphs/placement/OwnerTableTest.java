package org.sparkgpugraph.graphs.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.IdRanges;
import org.sparkgpugraph.graphs.model.VertexIds;
import org.sparkgpugraph.graphs.rows.VertexIdsBuilder;
import org.sparkgpugraph.runtime.serial.TaskResult;

/** A table gives back what was put in, and for all other ids what the others say. */
@Tag("any-spark")
class OwnerTableTest {
  private static final long[] EXTREMES = {
    Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0, 1, 1L << 40, Long.MAX_VALUE - 1, Long.MAX_VALUE
  };

  private static VertexIds ids(long... some) {
    try (Workers workers = new Workers(1)) {
      return VertexIdsBuilder.of(List.of(), null, List.of(some), workers).ids();
    }
  }

  /** Ids of one kind: close together, negative ones too, scattered, or as far apart as can be. */
  private static long[] draw(Random random, int kind) {
    int size = random.nextInt(80);
    return switch (kind) {
      case 0 -> LongStream.range(0, size).toArray();
      case 1 -> random.longs(size, -200, 200).toArray();
      case 2 -> random.longs(size).toArray();
      case 3 -> random.longs(size, Long.MAX_VALUE - 300, Long.MAX_VALUE).toArray();
      default -> LongStream.concat(LongStream.of(EXTREMES), random.longs(size, -9, 9)).toArray();
    };
  }

  @Test
  void entriesAreGivenBackAndOthersAreAsked() {
    for (int seed = 0; seed < 400; seed++) {
      Random random = new Random(seed);
      int shards = seed % 3 == 0 ? 1 + random.nextInt(4) : 1 + random.nextInt(256);
      IdRanges others = new IdRanges(random.longs(shards - 1L, -100, 100).sorted().toArray());
      VertexIds known = ids(draw(random, seed % 5));
      TreeMap<Long, Integer> expected = new TreeMap<>();
      byte[] shard = new byte[(int) known.size()];
      for (int v = 0; v < shard.length; v++) {
        shard[v] = (byte) random.nextInt(shards);
        expected.put(known.original(v), shard[v] & 0xFF);
      }
      OwnerTable made = OwnerTable.of(known, shard, others);
      OwnerTable read = TaskResult.unpack(TaskResult.pack(made), OwnerTable.class);
      assertThat(read.shards()).isEqualTo(shards);
      long[] asked =
          LongStream.concat(
                  expected.keySet().stream().flatMapToLong(id -> LongStream.of(id - 1, id, id + 1)),
                  LongStream.concat(LongStream.of(EXTREMES), random.longs(20, -300, 300)))
              .toArray();
      for (long id : asked) {
        int shouldBe = expected.getOrDefault(id, others.shardOf(id));
        assertThat(read.shardOf(id)).as("seed %d, id %d, %s", seed, id, made).isEqualTo(shouldBe);
      }
    }
  }

  @Test
  void closeIdsTakeAsManyBitsAsShardsNeed() {
    VertexIds known = ids(LongStream.range(-500, 500).toArray());
    byte[] shard = new byte[1000];
    assertThat(OwnerTable.of(known, shard, new IdRanges(0)).bytes()).isEqualTo(16 * 8);
    assertThat(OwnerTable.of(known, shard, new IdRanges(0, 1, 2)).bytes()).isEqualTo(32 * 8);
    assertThat(OwnerTable.of(known, shard, new IdRanges(new long[15])).bytes()).isEqualTo(63 * 8);
    assertThat(OwnerTable.of(known, shard, new IdRanges(new long[255])).bytes()).isEqualTo(125 * 8);
    assertThatThrownBy(() -> OwnerTable.of(known, shard, new IdRanges(new long[256])))
        .hasMessageContaining("257 shards; a table has at most 256");
  }
}
