package org.sparkgpugraph.runtime.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.memory.TableRows;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.graphs.build.ExecutorGraphBuilder;
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
  private static final Logger LOG = LoggerFactory.getLogger(TableLoading.class);

  private TableLoading() {}

  /**
   * Makes it.
   *
   * @param blocks all of them on a device
   * @return empty where the host has to, which is logged with the reason
   */
  static Optional<ExecutorGraph> graph(LoadTask task, List<EdgeBlock> blocks) {
    long edges = blocks.stream().mapToLong(EdgeBlock::size).sum();
    if (edges > GraphPartition.MAX_EDGES || task.partitionsHere() > 1) {
      return refused(edges, "they are to be in several partitions");
    }
    if (task.source().hasVertices()) {
      return refused(edges, "there are vertices beside their ends");
    }
    List<DeviceTable> tables = new ArrayList<>();
    blocks.forEach(block -> tables.add(((DeviceEdgeBlock) block).table()));
    int threads = task.how().threads();
    BuildMemory memory = ExecutorRegistry.memory(task.key(), null);
    try (GpuTurn turn = Rapids.turn();
        Selection selection =
            ExecutorRegistry.engines()
                .select(task.how().engine(), task.how().device(), TaskGpus.addresses(), 1)) {
      if (!(selection.engine() instanceof DeviceEngine engine)) {
        return refused(edges, selection.reason());
      }
      TableRows.Made made = engine.rowsOf(tables, task.wanted().edgeValues(), threads, memory);
      ExecutorGraph graph =
          ExecutorGraphBuilder.of(
              made.ids(),
              made.edges(),
              new ExecutorGraphBuilder.Options(
                  1, threads, task.edgeValues(), RowsMade.LATER_OF_OWN, memory));
      ExecutorRegistry.reserve(task.key(), graph.bytes());
      return Optional.of(graph);
    } catch (DeviceException e) {
      return refused(edges, e.getMessage());
    }
  }

  private static Optional<ExecutorGraph> refused(long edges, String why) {
    LOG.info("{} edges on the GPU go through the host: {}", edges, why);
    return Optional.empty();
  }
}
