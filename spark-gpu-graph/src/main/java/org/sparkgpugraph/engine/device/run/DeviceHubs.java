package org.sparkgpugraph.engine.device.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.sparkgpugraph.engine.PartialExchange;
import org.sparkgpugraph.engine.SentMessages;
import org.sparkgpugraph.engine.device.kernels.StatusWord;
import org.sparkgpugraph.engine.device.partition.DevicePartition;
import org.sparkgpugraph.engine.device.partition.DeviceShare;
import org.sparkgpugraph.engine.device.partition.DeviceTeam;
import org.sparkgpugraph.engine.device.partition.RunSpec;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.graphs.hub.HubGraph;
import org.sparkgpugraph.graphs.hub.HubLayout;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.LiftedProgram;

/**
 * Sends other executor graphs' hubs partial messages, and takes those of the hubs here. Devices
 * gather them, and collect the values that are still read; what hubs have already of partial
 * messages is found out on the host, by all threads. Where only active vertices say anything, hubs
 * have nothing already: what they are sent counts once. Until {@link #outgoing} is first asked for,
 * and behind a restore, ghosts have all values, and slots of hubs are filled from these before each
 * superstep.
 */
final class DeviceHubs implements PartialExchange {
  private final HubLayout layout;
  private final DeviceTeam team;
  private final RemoteExchange remote;
  private final List<Side> sides = new ArrayList<>();
  private final List<SentMessages.Collector> collectors = new ArrayList<>();
  private final List<RefinedUpdates> messages = new ArrayList<>();

  /** Whether ghosts that only hubs read have no values any more. */
  private boolean sends;

  /** Whether hubs keep what they were sent; else it counts once, and only active vertices speak. */
  private final boolean keeps;

  /** Partial messages that have come for the next superstep, as work. */
  private long work;

  /** Edges that were evaluated for the next superstep; of active sources the device counts them. */
  private long edges;

  /** What a partition's hubs were sent, and what it sends to others'. */
  private static final class Side {
    private final SlotMessages slots;
    private final boolean[] has;
    private final Columns messages;
    private final SentMessages sent;
    private final int slotEdges;
    private final int partialEdges;

    Side(RunSpec spec, HubGraph.Partition partition, HubLayout layout) {
      LiftedProgram program = spec.program();
      int rows = layout.partialRows().get(partition.index()).size();
      slotEdges = partition.rows().slotRows().sources().length;
      partialEdges = layout.partialRows().get(partition.index()).sources().length;
      int hubs = layout.hubRows().get(partition.index()).hubs().length;
      slots = new SlotMessages(program, spec.kernels().shape(), hubs);
      has = new boolean[rows];
      messages = Columns.allocate(program.message().columns(), rows);
      sent = new SentMessages(program, rows);
    }
  }

  DeviceHubs(RunSpec spec, HubGraph graph, DeviceTeam team, RemoteExchange remote) {
    this.team = team;
    this.remote = remote;
    keeps = spec.kernels().shape().keepsPartialMessages();
    layout = graph.layout();
    graph.partitions().forEach(each -> sides.add(new Side(spec, each, layout)));
    for (HubLayout.PartialList list : layout.partialLists()) {
      SentMessages sent = sides.get(list.partition()).sent;
      collectors.add(sent.new Collector(list.first(), list.size()));
      messages.add(new RefinedUpdates(spec.program().message().columns()));
    }
  }

  /**
   * Queues what hubs have to know before a superstep of a partition.
   *
   * @param all whether all vertices are active
   */
  void before(DevicePartition partition, boolean all) {
    if (sends) {
      sides.get(partition.graph().index()).slots.bring(partition);
    } else {
      partition.fillHubs(all);
    }
  }

  /** Partial messages that have come since this was last asked. */
  long takeWork() {
    long taken = work;
    work = 0;
    return taken;
  }

  /**
   * Edges that were evaluated for the superstep that was done last, beside those that the device
   * has counted.
   *
   * @param all whether all vertices were active in it
   */
  long takeEdges(boolean all) {
    if (!sends) {
      return all || keeps ? sides.stream().mapToLong(side -> side.slotEdges).sum() : 0;
    }
    long taken = edges;
    edges = 0;
    return taken;
  }

  @Override
  public Outgoing outgoing() {
    team.together(device -> gather(team.shares().get(device)));
    sends = true;
    if (!keeps) {
      sides.forEach(side -> side.sent.restart());
    }
    for (int i = 0; i < messages.size(); i++) {
      Side side = sides.get(layout.partialLists().get(i).partition());
      collectors.get(i).collect(side.has, side.messages, messages.get(i), remote.workers());
    }
    edges = keeps ? sides.stream().mapToLong(side -> side.partialEdges).sum() : 0;
    return new Outgoing(remote.outgoingRead(), List.copyOf(messages));
  }

  private void gather(DeviceShare share) {
    share.between(
        each -> {
          if (speaks(each)) {
            each.gatherPartials();
          }
        });
    share.on(
        () ->
            share
                .partitions()
                .forEach(
                    each -> {
                      Side side = sides.get(each.graph().index());
                      if (speaks(each)) {
                        each.partials(side.has, side.messages);
                      } else {
                        Arrays.fill(side.has, false);
                      }
                    }));
  }

  /** Whether a partition has anything to say: where only active vertices speak, some are. */
  private boolean speaks(DevicePartition partition) {
    return keeps || team.word(partition.graph().index(), StatusWord.ACTIVATED) > 0;
  }

  @Override
  public void incomingValues(int list, List<RefinedUpdates> parts) {
    remote.incomingRead(list, parts);
  }

  @Override
  public void incomingMessages(int list, List<RefinedUpdates> parts) {
    int home = layout.exports().get(list).home();
    sides.get(home).slots.take(parts, layout.slots().get(list), remote.workers());
    work += parts.stream().mapToLong(RefinedUpdates::count).sum();
  }

  /** Begins anew, of a state that was restored. */
  void restored() {
    sends = false;
    edges = 0;
    work = 0;
    for (Side side : sides) {
      side.slots.restart();
      side.sent.restart();
    }
  }
}
