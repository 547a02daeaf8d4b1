package org.sparkgpugraph.runtime.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sparkgpugraph.graphs.shard.EdgeParcel;

/** Parcels take all lanes of their shard about equally often. */
@Tag("any-spark")
class ParcelLanesTest {
  @ParameterizedTest
  @CsvSource({"1,1,3,4", "14,2,256,1", "14,2,3,50", "7,3,1,64", "4,1,16,2", "5,4,19,7"})
  void aboutAsManyByEachLane(int lanes, int shards, int partitions, int parcels) {
    ParcelLanes choice = new ParcelLanes(lanes, shards, partitions);
    int[] taken = new int[lanes * shards];
    for (int partition = 0; partition < partitions; partition++) {
      int sequence = 0;
      for (int parcel = 0; parcel < parcels; parcel++) {
        for (int shard = 0; shard < shards; shard++) {
          int lane = choice.of(new EdgeParcel(shard, partition, sequence++, new byte[0]));
          assertThat(lane / lanes).isEqualTo(shard);
          taken[lane]++;
        }
      }
    }
    int mean = partitions * parcels / lanes;
    for (int lane : taken) {
      assertThat(lane).isBetween(mean * 3 / 4, mean * 4 / 3 + 1);
    }
  }
}
