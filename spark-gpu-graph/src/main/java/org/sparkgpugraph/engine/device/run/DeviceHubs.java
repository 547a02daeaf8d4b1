package org.sparkgpugraph.engine.device.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.sparkgpugraph.engine.PartialExchange;
import org.sparkgpugraph.engine.SentMessages;
import org.sparkgpugraph.engine.device.partition.DevicePartition;
import org.sparkgpugraph.engine.device.partition.DeviceShare;
import org.sparkgpugraph.engine.device.partition.DeviceTeam;
import org.sparkgpugraph.engine.device.partition.RunSpec;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.graphs.hub.HubGraph;
import org.sparkgpugraph.graphs.hub.HubLayout;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.graphs.model.RemoteBoundary;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.ColumnType;

/**
 * Tells other executor graphs' hubs partial messages, and takes those of the hubs here, of a run
 * whose vertices all run in every superstep. Devices gather them; what hubs have already, and which
 * values are read for something else than hubs, is found out on the host. Until {@link #outgoing}
 * is first asked for, and behind a restore, ghosts have all values, and slots of hubs are filled
 * from these before each superstep.
 */
final class DeviceHubs implements PartialExchange {
  private final HubLayout layout;
  private final List<RemoteBoundary> imports;
  private final DeviceTeam team;
  private final RemoteExchange remote;
  private final int[] messageColumns;
  private final List<Side> sides = new ArrayList<>();
  private final List<RefinedUpdates> values = new ArrayList<>();
  private final List<RefinedUpdates> messages = new ArrayList<>();

  /** By export, by position in the boundary list: the position in what is still read; −1: none. */
  private final List<int[]> readAt = new ArrayList<>();

  private boolean tells;

  /** Edges that were evaluated for the next superstep. */
  private long edges;

  /** What a partition's hubs were told, and what it says to others'. */
  private static final class Side {
    private final boolean[] told;
    private final Columns toldMessages;
    private final boolean[] has;
    private final Columns messages;
    private final SentMessages sent;
    private final int slotEdges;
    private final int partialEdges;

    /** Whether the device does not know of all that was told. */
    private boolean waits = true;

    Side(LiftedProgram program, HubGraph.Partition partition, HubLayout layout) {
      int rows = layout.partialRows().get(partition.index()).size();
      slotEdges = partition.rows().told().sources().length;
      partialEdges = layout.partialRows().get(partition.index()).sources().length;
      told = new boolean[layout.hubRows().get(partition.index()).hubs().length];
      toldMessages = Columns.allocate(program.message().columns(), told.length);
      has = new boolean[rows];
      messages = Columns.allocate(program.message().columns(), rows);
      sent = new SentMessages(program, rows);
    }
  }

  DeviceHubs(RunSpec spec, HubGraph graph, DeviceTeam team, RemoteExchange remote) {
    this.team = team;
    this.remote = remote;
    layout = graph.layout();
    imports = graph.imports();
    List<ColumnType> shipped = kinds(spec);
    List<ColumnType> message = spec.program().message().columns();
    messageColumns = IntStream.range(0, message.size()).toArray();
    graph.partitions().forEach(each -> sides.add(new Side(spec.program(), each, layout)));
    imports.forEach(each -> messages.add(new RefinedUpdates(message)));
    for (int k = 0; k < graph.exports().size(); k++) {
      readAt.add(
          positions(
              graph.exports().get(k).list().homeVertices(),
              layout.exports().get(k).homeVertices()));
      values.add(new RefinedUpdates(shipped));
    }
  }

  private static List<ColumnType> kinds(RunSpec spec) {
    return spec.kernels().shipped().stream().map(spec.program().state().columns()::get).toList();
  }

  /** Where the elements of an ascending list stand in a part of it; −1: nowhere. */
  private static int[] positions(int[] all, int[] some) {
    int[] at = new int[all.length];
    int next = 0;
    for (int i = 0; i < all.length; i++) {
      boolean isThere = next < some.length && some[next] == all[i];
      at[i] = isThere ? next++ : -1;
    }
    return at;
  }

  /** Queues what hubs have to know before a superstep of a partition. */
  void before(DevicePartition partition) {
    Side side = sides.get(partition.graph().index());
    if (!tells) {
      partition.fillHubs();
    } else if (side.waits) {
      partition.tellHubs(side.told, side.toldMessages);
      side.waits = false;
    }
  }

  /** Edges that were evaluated for the superstep that was done last, beside those of its rows. */
  long takeEdges() {
    if (!tells) {
      return sides.stream().mapToLong(side -> side.slotEdges).sum();
    }
    long taken = edges;
    edges = 0;
    return taken;
  }

  @Override
  public Outgoing outgoing() {
    team.together(device -> gather(team.shares().get(device)));
    tells = true;
    messages.forEach(RefinedUpdates::clear);
    for (int i = 0; i < messages.size(); i++) {
      HubLayout.PartialList list = layout.partialLists().get(i);
      Side side = sides.get(list.partition());
      for (int position = 0; position < list.size(); position++) {
        int row = list.first() + position;
        side.sent.tell(row, position, side.has[row], side.messages, messages.get(i));
      }
      side.sent.pack(list.first(), side.messages, messages.get(i));
    }
    List<RefinedUpdates> all = remote.outgoing();
    for (int k = 0; k < all.size(); k++) {
      take(all.get(k), readAt.get(k), values.get(k));
    }
    edges = sides.stream().mapToLong(side -> side.partialEdges).sum();
    return new Outgoing(List.copyOf(values), List.copyOf(messages));
  }

  private void gather(DeviceShare share) {
    share.between(DevicePartition::gatherPartials);
    share.on(
        () ->
            share
                .partitions()
                .forEach(
                    each -> {
                      Side side = sides.get(each.graph().index());
                      each.partials(side.has, side.messages);
                    }));
  }

  /**
   * Copies some of the updates of a list, in other positions.
   *
   * @param at by position, where it is in the copy; −1: nowhere
   */
  private static void take(RefinedUpdates from, int[] at, RefinedUpdates into) {
    into.clear();
    int[] rows = new int[from.valuedCount()];
    int row = 0;
    int count = 0;
    for (int i = 0; i < from.count(); i++) {
      int position = at[from.position(i)];
      if (position >= 0) {
        into.add(position, from.isValued(i), from.isActive(i));
        if (from.isValued(i)) {
          rows[count++] = row;
        }
      }
      row += from.isValued(i) ? 1 : 0;
    }
    into.values().copyFrom(from.values(), rows, 0, count, null);
  }

  @Override
  public void incomingValues(int list, List<RefinedUpdates> parts) {
    BoundaryList boundary = imports.get(list).list();
    int[] ghosts = layout.ghosts().get(list);
    int[] at = IntStream.of(ghosts).map(ghost -> ghost - boundary.firstGhost()).toArray();
    List<RefinedUpdates> mapped = new ArrayList<>();
    for (RefinedUpdates part : parts) {
      check(part, at.length);
      RefinedUpdates updates = new RefinedUpdates(part.kinds());
      take(part, at, updates);
      mapped.add(updates);
    }
    remote.incoming(list, mapped);
  }

  @Override
  public void incomingMessages(int list, List<RefinedUpdates> parts) {
    int[] slots = layout.slots().get(list);
    Side home = sides.get(layout.exports().get(list).home());
    for (RefinedUpdates part : parts) {
      check(part, slots.length);
      part.applyValues(home.toldMessages.arrays(), messageColumns, position -> slots[position]);
      for (int i = 0; i < part.count(); i++) {
        home.told[slots[part.position(i)]] = part.isValued(i);
      }
      home.waits |= part.count() > 0;
    }
  }

  private static void check(RefinedUpdates part, int size) {
    int last = part.count() == 0 ? -1 : part.position(part.count() - 1);
    if (last >= size) {
      throw new IllegalArgumentException(
          "an update of position %s of a list of %s".formatted(last, size));
    }
  }

  /** Begins anew, of a state that was restored. */
  void restored() {
    tells = false;
    edges = 0;
    for (Side side : sides) {
      Arrays.fill(side.told, false);
      side.sent.restart();
      side.waits = true;
    }
  }
}
