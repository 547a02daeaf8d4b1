package org.sparkgpugraph.runtime.load;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.memory.TableRows;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.graphs.build.ExecutorGraphBuilder;
import org.sparkgpugraph.graphs.build.ShardPlace;
import org.sparkgpugraph.graphs.build.ShardRows;
import org.sparkgpugraph.graphs.memory.BuildMemory;
import org.sparkgpugraph.graphs.model.DeviceEdgeBlock;
import org.sparkgpugraph.graphs.model.DeviceTable;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.RowsMade;
import org.sparkgpugraph.runtime.cluster.TaskGpus;
import org.sparkgpugraph.runtime.device.Selection;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.rapids.GpuTurn;
import org.sparkgpugraph.runtime.rapids.Rapids;

/** Makes a graph of edges that are on a GPU there, where its programs will run. */
final class TableLoading {
  private TableLoading() {}

  /** Why rows are not made there. */
  static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedException(String why) {
      super(why);
    }
  }

  /**
   * Makes it.
   *
   * @param blocks all of them on a device
   * @throws RefusedException where the host has to
   */
  static ExecutorGraph graph(LoadTask task, List<EdgeBlock> blocks) throws RefusedException {
    check(task, blocks);
    int threads = task.how().threads();
    BuildMemory memory = ExecutorRegistry.memory(task.key(), null);
    return onDevice(
        task,
        task.key(),
        engine -> {
          TableRows.Made made =
              engine.rowsOf(tables(blocks), task.wanted().edgeValues(), threads, memory);
          return ExecutorGraphBuilder.of(made.ids(), made.edges(), options(task, memory));
        });
  }

  /**
   * Makes a shard.
   *
   * @param blocks all of them on a device: edges with an end in the shard
   * @throws RefusedException where the host has to
   * @throws MisroutedEdgesException when edges belong to other shards
   */
  static ExecutorGraph shard(LoadTask task, int shard, List<EdgeBlock> blocks)
      throws RefusedException {
    check(task, blocks);
    String key = task.key(shard);
    BuildMemory memory = ExecutorRegistry.memory(key, null);
    ShardPlace place = new ShardPlace(shard, task.owners(), task.routesOutEdges());
    return onDevice(
        task,
        key,
        engine -> {
          try {
            ShardRows rows =
                engine.rowsOf(tables(blocks), place, task.wanted().edgeValues(), memory);
            return ExecutorGraphBuilder.of(place, rows, options(task, memory));
          } catch (IllegalArgumentException e) {
            throw new MisroutedEdgesException("shard " + shard + ": " + e.getMessage(), e);
          }
        });
  }

  private static void check(LoadTask task, List<EdgeBlock> blocks) throws RefusedException {
    long edges = blocks.stream().mapToLong(EdgeBlock::size).sum();
    if (edges > GraphPartition.MAX_EDGES || task.partitionsHere() > 1) {
      throw new RefusedException("they are to be in several partitions");
    }
    if (task.source().hasVertices()) {
      throw new RefusedException("there are vertices beside their ends");
    }
  }

  private static List<DeviceTable> tables(List<EdgeBlock> blocks) {
    List<DeviceTable> tables = new ArrayList<>();
    blocks.forEach(block -> tables.add(((DeviceEdgeBlock) block).table()));
    return tables;
  }

  private static ExecutorGraphBuilder.Options options(LoadTask task, BuildMemory memory) {
    return new ExecutorGraphBuilder.Options(
        1, task.how().threads(), task.edgeValues(), RowsMade.LATER_OF_OWN, memory);
  }

  /**
   * Has the device that programs will run on make a graph.
   *
   * @param key of what is made
   */
  private static ExecutorGraph onDevice(
      LoadTask task, String key, Function<DeviceEngine, ExecutorGraph> made)
      throws RefusedException {
    try (GpuTurn turn = Rapids.turn();
        Selection selection =
            ExecutorRegistry.engines()
                .select(task.how().engine(), task.how().device(), TaskGpus.addresses(), 1)) {
      if (!(selection.engine() instanceof DeviceEngine engine)) {
        throw new RefusedException(selection.reason());
      }
      ExecutorGraph graph = made.apply(engine);
      ExecutorRegistry.reserve(key, graph.bytes());
      return graph;
    } catch (DeviceException e) {
      throw new RefusedException(e.getMessage());
    }
  }
}
