package io.sparkgpugraph.engine.cpu;

import io.sparkgpugraph.exchange.BoundaryIndex;
import io.sparkgpugraph.exchange.RefinedUpdates;
import io.sparkgpugraph.exchange.UpdateCollector;
import io.sparkgpugraph.graph.BoundaryList;
import io.sparkgpugraph.graph.ExecutorGraph;
import io.sparkgpugraph.program.LiftedProgram;
import java.util.ArrayList;
import java.util.List;

/** Brings what a superstep changed to the ghosts of other partitions. */
final class GhostExchange {
  private final KernelFrame[] frames;
  private final int[] shipped;
  private final List<UpdateCollector> lists = new ArrayList<>();
  private long updates;
  private long bytes;

  GhostExchange(
      ExecutorGraph graph, LiftedProgram program, CompiledKernel compiled, KernelFrame[] frames) {
    this.frames = frames;
    shipped = compiled.shipped();
    if (compiled.shape().tracksChanges()) {
      for (BoundaryList list : graph.boundaries()) {
        lists.add(
            new UpdateCollector(
                new BoundaryIndex(list, graph.partitions().get(list.home()).stored()),
                shipped,
                program.state().columns()));
      }
    }
  }

  /**
   * Exchanges the changes of one superstep.
   *
   * @param activity sends which vertices are active too
   */
  void run(boolean activity) {
    updates = 0;
    bytes = 0;
    for (UpdateCollector list : lists) {
      KernelFrame home = frames[list.list().home()];
      RefinedUpdates said =
          list.collect(home.changed, activity ? home.nextActive : null, home.current);
      updates += said.count();
      bytes += said.bytes();
    }
    for (UpdateCollector list : lists) {
      KernelFrame reader = frames[list.list().reader()];
      list.updates()
          .apply(
              reader.current,
              shipped,
              list.list().firstGhost(),
              activity ? reader.nextActive : null);
    }
  }

  /** Ghosts that the last exchange updated. */
  long updates() {
    return updates;
  }

  /** Size of the last exchange. */
  long bytes() {
    return bytes;
  }
}
