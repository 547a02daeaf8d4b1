package org.sparkgpugraph.engine.cpu;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.sparkgpugraph.engine.PartialExchange.Outgoing;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.engine.cpu.codegen.CompiledKernel;
import org.sparkgpugraph.engine.cpu.frame.KernelFrame;
import org.sparkgpugraph.engine.cpu.frame.Tally;
import org.sparkgpugraph.exchange.BoundaryInbox;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.exchange.UpdateCollector;
import org.sparkgpugraph.exchange.VertexBitmap;
import org.sparkgpugraph.graphs.hub.HubLayout;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.program.LiftedProgram;

/**
 * Sends other executor graphs' hubs partial messages, and takes those of the hubs here. Nothing of
 * it happens before {@link #outgoing} is first asked for.
 */
final class HubExchange {
  private final HubLayout layout;
  private final List<PartialGather> gathers = new ArrayList<>();
  private final List<HubFrames> hubs = new ArrayList<>();
  private final List<RefinedUpdates> messages = new ArrayList<>();
  private final List<UpdateCollector> exports = new ArrayList<>();
  private final List<BoundaryInbox> imports = new ArrayList<>();
  private final int[] columns;
  private final KernelFrame[] frames;
  private final boolean keeps;
  private final Tally[] tallies;
  private final long oneThread;

  /** Edges that were evaluated for the next step. */
  private long edges;

  HubExchange(
      ExecutorGraph graph,
      HubLayout layout,
      LiftedProgram program,
      CompiledKernel compiled,
      RunSettings settings,
      KernelFrame[] frames,
      Tally[] tallies,
      long oneThread) {
    this.layout = layout;
    this.frames = frames;
    this.tallies = tallies;
    this.oneThread = oneThread;
    keeps = compiled.shape().keepsPartialMessages();
    columns = IntStream.range(0, program.message().columns().size()).toArray();
    for (int p = 0; p < frames.length; p++) {
      GraphPartition partition = graph.partitions().get(p);
      gathers.add(
          new PartialGather(frames[p], partition, layout.partialRows().get(p), program, compiled));
      hubs.add(new HubFrames(frames[p], partition, program, layout, keeps));
    }
    int[] shipped = compiled.columns().shipped();
    for (BoundaryList list : layout.exports()) {
      exports.add(
          new UpdateCollector(
              list,
              graph.partitions().get(list.home()).stored(),
              shipped,
              program.state().columns(),
              settings.exchange()));
    }
    for (int i = 0; i < layout.ghosts().size(); i++) {
      int[] ghosts = layout.ghosts().get(i);
      BoundaryList list = graph.imports().get(i).list();
      // At the reader only the length counts.
      imports.add(
          new BoundaryInbox(
              new BoundaryList(list.home(), list.reader(), ghosts, -1),
              shipped,
              settings.exchange(),
              position -> ghosts[position]));
      messages.add(new RefinedUpdates(program.message().columns()));
    }
  }

  /** Bytes that a run takes for it, the layout counted. */
  static long bytes(HubLayout layout, LiftedProgram program, boolean keeps) {
    return layout.bytes()
        + layout.partialRows().stream()
            .mapToLong(rows -> PartialGather.bytes(program, rows, keeps))
            .sum()
        + layout.hubRows().stream().mapToLong(rows -> HubFrames.bytes(program, rows)).sum();
  }

  /** What others are sent; from the next step on hubs begin with what they were sent. */
  Outgoing outgoing(GhostExchange exchange, WorkerTeam team) {
    for (int p = 0; p < frames.length; p++) {
      VertexBitmap sources = keeps ? exchange.unsent(p) : frames[p].active;
      if (sources != null) {
        edges += gathers.get(p).gather(sources, team, tallies, oneThread);
      }
    }
    team.each(
        messages.size() > 1,
        messages.size(),
        (member, i) -> {
          HubLayout.PartialList list = layout.partialLists().get(i);
          gathers.get(list.partition()).collect(list.first(), list.size(), messages.get(i));
        });
    hubs.forEach(HubFrames::begin);
    return new Outgoing(exchange.outgoing(exports), messages);
  }

  /** Edges that were evaluated since this was last asked. */
  long takeEdges() {
    long taken = edges;
    edges = 0;
    return taken;
  }

  /** See {@link GhostExchange#incoming}. */
  BoundaryInbox imports(int list) {
    return imports.get(list);
  }

  /** Takes what the reader of an export sends hubs. */
  void incoming(int list, List<RefinedUpdates> parts) {
    int[] slots = layout.slots().get(list);
    HubFrames home = hubs.get(layout.exports().get(list).home());
    for (RefinedUpdates part : parts) {
      int last = part.count() == 0 ? -1 : part.position(part.count() - 1);
      if (last >= slots.length) {
        throw new IllegalArgumentException(
            "a message to position %s of %s hubs".formatted(last, slots.length));
      }
      part.applyValues(home.messages(), columns, position -> slots[position]);
      for (int i = 0; i < part.count(); i++) {
        home.sent(slots[part.position(i)], part.isValued(i));
      }
    }
  }

  /** Makes those candidates that were sent something since the last step. */
  void mark() {
    hubs.forEach(HubFrames::mark);
  }

  /** Tells a tally what hubs were sent since the last step. */
  void listen(Tally tally) {
    hubs.forEach(frame -> frame.listen(tally));
  }

  /** A step has taken what hubs were sent. */
  void taken() {
    hubs.forEach(HubFrames::taken);
  }

  /** Begins anew, of a state that was restored. */
  void restored() {
    gathers.forEach(PartialGather::restart);
    hubs.forEach(HubFrames::end);
  }
}
