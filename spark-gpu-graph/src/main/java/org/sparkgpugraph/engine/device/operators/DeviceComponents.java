package org.sparkgpugraph.engine.device.operators;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.engine.Contraction;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.exchange.DevicePlacement;
import org.sparkgpugraph.engine.device.exchange.Route;
import org.sparkgpugraph.engine.device.exchange.Routes;
import org.sparkgpugraph.engine.device.kernels.ComponentKernels;
import org.sparkgpugraph.engine.device.memory.Closing;
import org.sparkgpugraph.engine.device.memory.DeviceHoldings;
import org.sparkgpugraph.engine.device.memory.DevicePlan;
import org.sparkgpugraph.engine.device.memory.MemoryFit;
import org.sparkgpugraph.engine.device.memory.ModuleCache;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.ExecutorGraph;

/**
 * Connected components on one or several devices: each finds the trees of its partitions' edges,
 * over all dense ids, then the first joins those of the others, of which each vertex brings one
 * link. So four bytes per vertex and device travel, once, whatever the graph's diameter.
 */
public final class DeviceComponents {
  private final String name;
  private final List<DeviceHoldings> used;
  private final DeviceSettings settings;
  private final ExecutorGraph graph;
  private final DevicePlacement placement;

  /**
   * @param holdings of all devices that may be used
   */
  public DeviceComponents(
      String name, List<DeviceHoldings> holdings, DeviceSettings settings, ExecutorGraph graph) {
    this.name = name;
    this.settings = settings;
    this.graph = graph;
    placement = DevicePlacement.of(holdings.size(), graph.partitions().size());
    used = holdings.subList(0, placement.devices());
  }

  /**
   * Finds them.
   *
   * @throws DeviceOutOfMemoryException when a device has no room for it
   */
  public Contraction contract() {
    int size = Math.toIntExact(graph.ids().size());
    if (size == 0) {
      return new Contraction(new int[0], name, 0, 0);
    }
    List<ModuleCache.Use> modules = new ArrayList<>();
    List<ComponentShare> shares = new ArrayList<>();
    List<AutoCloseable> resources = new ArrayList<>();
    Contraction found;
    try {
      for (DeviceHoldings on : used) {
        ModuleCache.Use use = on.use(ComponentKernels.source());
        modules.add(use);
        resources.add(use);
      }
      DeviceHoldings.locked(
          used,
          () -> {
            for (int d = 0; d < used.size(); d++) {
              shares.add(open(d, modules.get(d)));
              resources.add(shares.get(d));
            }
            return null;
          });
      found = contract(shares);
    } catch (RuntimeException | Error e) {
      Closing.after(e, resources);
      throw e;
    }
    Closing.all(resources);
    return found;
  }

  private ComponentShare open(int d, ModuleCache.Use module) {
    DeviceHoldings on = used.get(d);
    List<Integer> partitions = placement.on(d);
    for (int p : partitions) {
      Csr rows = graph.partitions().get(p).inEdges();
      if (4L * rows.edges() <= settings.edgeBytes()) {
        on.rows().ready(rows, settings.reserveBytes());
      }
    }
    DevicePlan plan = ComponentShare.plan(graph, partitions, d == 0 && used.size() > 1);
    return on.telling(
        () -> {
          DevicePlan fitting =
              new MemoryFit(on, settings, 0)
                  .take(plan, "connected components of " + graph.ids().size() + " vertices");
          on.remember(graph, fitting);
          return new ComponentShare(graph, partitions, on, module.module(), fitting);
        });
  }

  private Contraction contract(List<ComponentShare> shares) {
    for (int d = 0; d < shares.size(); d++) {
      ComponentShare share = shares.get(d);
      used.get(d).telling(share::contract);
    }
    long slowest = 0;
    for (int d = 0; d < shares.size(); d++) {
      slowest = Math.max(slowest, used.get(d).telling(shares.get(d)::finish));
    }
    long nanos = Math.max(slowest, used.get(0).telling(() -> join(shares)));
    return used.get(0).telling(() -> found(shares, nanos));
  }

  /** Lets the first device join what the others have found; its time from its begin on. */
  private long join(List<ComponentShare> shares) {
    ComponentShare first = shares.get(0);
    if (shares.size() > 1) {
      Routes routes = Routes.of(used, settings.exchange());
      for (int d = 1; d < shares.size(); d++) {
        first.join(shares.get(d), routes.between(d, 0) == Route.PEER);
      }
      first.flatten();
    }
    return first.finish();
  }

  private Contraction found(List<ComponentShare> shares, long kernelNanos) {
    long start = System.nanoTime();
    int[] roots = shares.get(0).roots();
    long transfers = System.nanoTime() - start;
    for (ComponentShare share : shares) {
      transfers += share.uploadNanos();
    }
    return new Contraction(roots, name, kernelNanos, transfers);
  }
}
