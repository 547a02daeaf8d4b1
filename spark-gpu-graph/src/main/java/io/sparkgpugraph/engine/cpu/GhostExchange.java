package io.sparkgpugraph.engine.cpu;

import io.sparkgpugraph.exchange.BoundaryIndex;
import io.sparkgpugraph.exchange.BoundaryUpdates;
import io.sparkgpugraph.graph.BoundaryList;
import io.sparkgpugraph.graph.ExecutorGraph;
import io.sparkgpugraph.program.LiftedProgram;
import java.util.ArrayList;
import java.util.List;

/** Brings what a superstep changed to the ghosts of other partitions. */
final class GhostExchange {
  private final KernelFrame[] frames;
  private final List<BoundaryUpdates> lists = new ArrayList<>();
  private long updates;
  private long bytes;

  GhostExchange(
      ExecutorGraph graph, LiftedProgram program, CompiledKernel compiled, KernelFrame[] frames) {
    this.frames = frames;
    if (compiled.shape().tracksChanges()) {
      for (BoundaryList list : graph.boundaries()) {
        lists.add(
            new BoundaryUpdates(
                new BoundaryIndex(list, graph.partitions().get(list.home()).stored()),
                compiled.shipped(),
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
    for (BoundaryUpdates list : lists) {
      KernelFrame home = frames[list.list().home()];
      list.collect(home.changed, activity ? home.nextActive : null, home.current);
      updates += list.count();
      bytes += list.bytes();
    }
    for (BoundaryUpdates list : lists) {
      KernelFrame reader = frames[list.list().reader()];
      list.apply(reader.current, activity ? reader.nextActive : null);
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
