package org.sparkgpugraph.adapter.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.SparkEnv;
import org.apache.spark.graphx.Graph;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;

class CachedPartitionsTest {
  private static final int PARTITIONS = 3;

  private static BlockManager blocks() {
    return SparkEnv.get().blockManager();
  }

  private static Graph<Object, Object> cached(long seed) {
    Graph<Object, Object> graph = GraphXGraphs.random(seed, 50, 200, PARTITIONS).cache();
    graph.vertices().count();
    graph.edges().count();
    return graph;
  }

  @Test
  void takesTheArraysOfAllPartitionsInTheirOrder() {
    Graph<Object, Object> graph = cached(1);
    List<List<EdgeBlock>> edges = CachedPartitions.edges(graph);
    List<EdgeBlock> expected = GraphXReader.edgeBlocks(graph).collect();
    assertThat(edges).hasSize(PARTITIONS).allMatch(partition -> partition.size() == 1);
    for (int p = 0; p < PARTITIONS; p++) {
      EdgeBlock block = edges.get(p).get(0);
      assertThat(block.size()).isEqualTo(expected.get(p).size());
      for (int e = 0; e < block.size(); e++) {
        assertThat(block.describe(e)).isEqualTo(expected.get(p).describe(e));
      }
    }
    List<VertexBlock> vertices =
        CachedPartitions.vertices(graph).stream().map(Supplier::get).toList();
    assertThat(vertices.stream().map(VertexBlock::ids).toList())
        .usingRecursiveComparison()
        .isEqualTo(GraphXReader.vertexBlocks(graph).map(VertexBlock::ids).collect());
    assertThat(CachedPartitions.blocks(graph))
        .hasSize(2 * PARTITIONS + 1)
        .contains(
            block(graph.edges().partitionsRDD(), PARTITIONS - 1),
            block(graph.vertices().partitionsRDD(), PARTITIONS));
    // What was taken is not locked: this waits until nobody reads it.
    graph.unpersist(true);
    assertThat(blocks().memoryStore())
        .matches(store -> !store.contains(block(graph.edges().partitionsRDD(), 0)))
        .matches(store -> !store.contains(block(graph.vertices().partitionsRDD(), 0)));
    assertThat(CachedPartitions.edges(graph)).isNull();
    assertThat(CachedPartitions.vertices(graph)).isNull();
    assertThat(CachedPartitions.blocks(graph)).isNull();
  }

  private static RDDBlockId block(RDD<?> rdd, int partition) {
    return new RDDBlockId(rdd.id(), partition);
  }

  @Test
  void takesNothingWhereAPartitionIsNotInMemory() {
    Graph<Object, Object> graph = cached(2);
    blocks().removeBlock(block(graph.edges().partitionsRDD(), 1), true);
    assertThat(CachedPartitions.edges(graph)).isNull();
    assertThat(CachedPartitions.vertices(graph)).isNotNull();
    assertThat(CachedPartitions.blocks(graph)).isNull();
    graph.edges().count();
    assertThat(CachedPartitions.edges(graph)).isNotNull();
    blocks().removeBlock(block(graph.vertices().partitionsRDD(), 0), true);
    assertThat(CachedPartitions.vertices(graph)).isNull();
    assertThat(CachedPartitions.blocks(graph)).isNull();
    graph.unpersist(true);
  }

  /** Whoever takes these makes arrays of bytes, one after the other. */
  @Test
  void leavesSerialisedPartitionsToTasks() {
    Graph<Object, Object> input = GraphXGraphs.random(3, 50, 200, PARTITIONS);
    Graph<Object, Object> graph =
        Graph.apply(
            input.vertices(),
            input.edges(),
            -1.0,
            StorageLevel.MEMORY_ONLY_SER(),
            StorageLevel.MEMORY_ONLY_SER(),
            GraphXGraphs.doubles(),
            GraphXGraphs.doubles());
    graph.cache();
    graph.vertices().count();
    graph.edges().count();
    assertThat(blocks().memoryStore().contains(block(graph.edges().partitionsRDD(), 0))).isTrue();
    assertThat(CachedPartitions.edges(graph)).isNull();
    assertThat(CachedPartitions.vertices(graph)).isNull();
    graph.unpersist(true);
  }
}
