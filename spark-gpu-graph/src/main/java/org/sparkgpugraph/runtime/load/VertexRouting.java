package org.sparkgpugraph.runtime.load;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.graphs.model.VertexOwners;
import scala.Tuple2;

/** Sends values of vertices to the shards that hold them. */
final class VertexRouting {
  private VertexRouting() {}

  static JavaPairRDD<Integer, VertexBlock> byShard(
      JavaRDD<VertexBlock> values, VertexOwners owners) {
    return values.flatMapToPair(block -> split(block, owners));
  }

  private static Iterator<Tuple2<Integer, VertexBlock>> split(
      VertexBlock block, VertexOwners owners) {
    if (owners.shards() == 1) {
      return List.of(new Tuple2<>(0, block)).iterator();
    }
    int[] shards = new int[block.size()];
    int[] counts = new int[owners.shards()];
    for (int i = 0; i < shards.length; i++) {
      shards[i] = owners.shardOf(block.ids()[i]);
      counts[shards[i]]++;
    }
    long[][] ids = new long[counts.length][];
    Object[] parts = new Object[counts.length];
    for (int shard = 0; shard < counts.length; shard++) {
      ids[shard] = new long[counts[shard]];
      parts[shard] =
          block.values() instanceof Columns columns
              ? Columns.allocate(columns.kinds(), counts[shard])
              : Array.newInstance(block.values().getClass().getComponentType(), counts[shard]);
    }
    int[] next = new int[counts.length];
    for (int i = 0; i < shards.length; i++) {
      int shard = shards[i];
      int place = next[shard]++;
      ids[shard][place] = block.ids()[i];
      if (block.values() instanceof Columns columns) {
        ((Columns) parts[shard]).copyFrom(columns, block.slot(i), place, 1);
      } else {
        System.arraycopy(block.values(), block.slot(i), parts[shard], place, 1);
      }
    }
    List<Tuple2<Integer, VertexBlock>> all = new ArrayList<>();
    for (int shard = 0; shard < counts.length; shard++) {
      if (counts[shard] > 0) {
        all.add(new Tuple2<>(shard, new VertexBlock(ids[shard], parts[shard])));
      }
    }
    return all.iterator();
  }
}
