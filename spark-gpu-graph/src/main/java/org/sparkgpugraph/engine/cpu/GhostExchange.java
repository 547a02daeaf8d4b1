package org.sparkgpugraph.engine.cpu;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.engine.cpu.codegen.CompiledKernel;
import org.sparkgpugraph.engine.cpu.frame.KernelFrame;
import org.sparkgpugraph.exchange.BoundaryInbox;
import org.sparkgpugraph.exchange.ExchangeMode;
import org.sparkgpugraph.exchange.LastSent;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.exchange.UpdateCollector;
import org.sparkgpugraph.exchange.VertexBitmap;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.RemoteBoundary;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.ColumnType;

/**
 * Brings what a superstep changed to the ghosts of other partitions: at once to those of the same
 * executor graph, while updates for other executor graphs are kept until they are {@linkplain
 * #outgoing fetched}.
 */
final class GhostExchange {
  private final KernelFrame[] frames;
  private final boolean inPlace;
  private final boolean activityTravels;

  /** Of each boundary list inside the executor graph: its outbox and its inbox. */
  private final List<UpdateCollector> outboxes = new ArrayList<>();

  private final List<BoundaryInbox> inboxes = new ArrayList<>();

  private final List<UpdateCollector> exports = new ArrayList<>();
  private final List<BoundaryInbox> imports = new ArrayList<>();

  /** By export: what its reader has of arrays; none where nothing is compared. */
  private final List<LastSent> sent = new ArrayList<>();

  /** By partition: changed vertices whose updates other executors have not got yet; or null. */
  private final VertexBitmap[] unsent;

  private boolean sendAll;
  private boolean waiting;
  private long updates;
  private long bytes;

  GhostExchange(
      ExecutorGraph graph,
      LiftedProgram program,
      CompiledKernel compiled,
      RunSettings settings,
      KernelFrame[] frames) {
    this.frames = frames;
    KernelShape shape = compiled.shape();
    inPlace = shape.inPlace();
    activityTravels = shape.activityTravels(settings.kernel());
    unsent = new VertexBitmap[frames.length];
    int[] shipped = compiled.columns().shipped();
    Function<BoundaryList, UpdateCollector> outbox =
        list ->
            new UpdateCollector(
                list,
                graph.partitions().get(list.home()).stored(),
                shipped,
                program.state().columns(),
                settings.exchange());
    for (BoundaryList list : graph.boundaries()) {
      outboxes.add(outbox.apply(list));
      inboxes.add(new BoundaryInbox(list, shipped, settings.exchange()));
    }
    for (RemoteBoundary export : graph.exports()) {
      exports.add(outbox.apply(export.list()));
      int home = export.list().home();
      if (unsent[home] == null && (settings.exchange() == ExchangeMode.REFINED || inPlace)) {
        unsent[home] = new VertexBitmap(graph.partitions().get(home).stored());
      }
    }
    List<ColumnType> kinds =
        Arrays.stream(shipped).mapToObj(program.state().columns()::get).toList();
    if (settings.exchange() == ExchangeMode.REFINED && LastSent.isOfUse(kinds)) {
      exports.forEach(export -> sent.add(new LastSent(kinds, export.list().size())));
    }
    for (RemoteBoundary each : graph.imports()) {
      imports.add(new BoundaryInbox(each.list(), shipped, settings.exchange()));
    }
  }

  /** Whether there are ghosts of vertices in other executor graphs. */
  boolean hasImports() {
    return !imports.isEmpty();
  }

  /** The values of superstep 0 are there, which readers have computed themselves. */
  void initialised() {
    for (int k = 0; k < sent.size(); k++) {
      KernelFrame frame = frames[exports.get(k).list().home()];
      sent.get(k).start(exports.get(k).collect(null, null, frame.current));
      exports.get(k).updates().clear();
    }
  }

  /**
   * Exchanges the changes of one superstep inside the executor graph, and keeps the updates for
   * others.
   *
   * @param activity whether updates inside say which vertices are active
   * @param together whether on all threads of the team, else on the caller's
   */
  void run(boolean activity, WorkerTeam team, boolean together) {
    inside(false, activity, team, together);
    for (int p = 0; p < unsent.length; p++) {
      if (unsent[p] != null) {
        unsent[p].addAll(frames[p].changed);
      }
    }
    waiting = !exports.isEmpty();
  }

  /**
   * Sends all boundary vertices to all readers: inside at once, in other executor graphs at the
   * next {@link #outgoing}.
   *
   * @param activity whether updates inside say which vertices are active
   */
  void restored(boolean activity, WorkerTeam team) {
    inside(true, activity, team, true);
    sendAll = true;
    waiting = !exports.isEmpty();
  }

  /**
   * @param all everything, of a state that was restored, instead of what changed
   */
  private void inside(boolean all, boolean activity, WorkerTeam team, boolean together) {
    forEach(
        team,
        together,
        home -> {
          KernelFrame frame = frames[home];
          VertexBitmap active = !activity ? null : all ? frame.active : frame.nextActive;
          for (UpdateCollector outbox : outboxes) {
            if (outbox.list().home() == home) {
              outbox.collect(all ? null : frame.changed, active, frame.current);
            }
          }
        });
    // Inboxes of a reader write the same bitmap, so a reader at a time.
    forEach(
        team,
        together,
        reader -> {
          KernelFrame frame = frames[reader];
          VertexBitmap active = !activity ? null : all ? frame.active : frame.nextActive;
          for (int i = 0; i < inboxes.size(); i++) {
            if (inboxes.get(i).list().reader() == reader) {
              inboxes.get(i).apply(outboxes.get(i).updates(), frame.current, active);
            }
          }
        });
    updates = 0;
    bytes = 0;
    for (UpdateCollector outbox : outboxes) {
      updates += outbox.updates().count();
      bytes += outbox.updates().bytes();
    }
  }

  /** Does something for every partition. */
  private void forEach(WorkerTeam team, boolean together, IntConsumer work) {
    if (outboxes.isEmpty()) {
      return;
    }
    team.each(together && frames.length > 1, frames.length, (member, p) -> work.accept(p));
  }

  /** Most vertices that an exchange inside looks at. */
  long insideVertices() {
    return inboxes.stream().mapToLong(inbox -> inbox.list().size()).sum();
  }

  /** The updates that readers in other executor graphs have not got yet, by export. */
  List<RefinedUpdates> outgoing() {
    return outgoing(exports, sent);
  }

  /**
   * The same of other lists of the same homes.
   *
   * @param exports collects what is told
   * @param sent by export, what its reader has of arrays; none where nothing is compared
   */
  private List<RefinedUpdates> outgoing(List<UpdateCollector> exports, List<LastSent> sent) {
    for (int k = 0; k < exports.size(); k++) {
      UpdateCollector export = exports.get(k);
      int home = export.list().home();
      KernelFrame frame = frames[home];
      if (waiting) {
        // In place a vertex may have changed several supersteps ago: its readers must still wake.
        VertexBitmap active = inPlace && !sendAll ? unsent[home] : frame.active;
        export.collect(
            sendAll ? null : unsent[home], activityTravels ? active : null, frame.current);
        if (!sent.isEmpty() && sendAll) {
          sent.get(k).start(export.updates());
        } else if (!sent.isEmpty()) {
          sent.get(k).refine(export.updates());
        }
      } else {
        export.updates().clear();
      }
    }
    for (VertexBitmap bitmap : unsent) {
      if (bitmap != null) {
        bitmap.clear();
      }
    }
    sendAll = false;
    waiting = false;
    return exports.stream().map(UpdateCollector::updates).toList();
  }

  /** The updates of those of the boundary vertices that are in these lists, by export. */
  List<RefinedUpdates> outgoing(List<UpdateCollector> some) {
    return outgoing(some, List.of());
  }

  /**
   * Vertices of a partition whose updates other executors have not got yet; null: none are read.
   */
  VertexBitmap unsent(int partition) {
    return unsent[partition];
  }

  /**
   * Checks that a superstep may begin: other executor graphs have the updates of the one before.
   *
   * @throws IllegalStateException when they were not fetched
   */
  void checkSent() {
    if (waiting && (sendAll || !inPlace)) {
      throw new IllegalStateException(
          "other executor graphs have not been told what the last superstep changed");
    }
  }

  /**
   * Takes the updates of an import, a part on each core.
   *
   * @return how many of its ghosts became active
   */
  int incoming(int list, List<RefinedUpdates> parts, WorkerTeam team) {
    return incoming(imports.get(list), parts, team);
  }

  /** The same of another list of the same reader. */
  int incoming(BoundaryInbox inbox, List<RefinedUpdates> parts, WorkerTeam team) {
    KernelFrame reader = frames[inbox.list().reader()];
    RefinedUpdates[] own = new RefinedUpdates[parts.size()];
    team.each(
        parts.size() > 1,
        own.length,
        (member, p) -> own[p] = inbox.applyValues(parts.get(p), reader.current));
    int active = 0;
    for (RefinedUpdates part : own) {
      // Ghosts of different parts have bits in one word.
      active += inbox.activate(part, reader.active);
    }
    return active;
  }

  /** Number of updates of the last exchange inside. */
  long updates() {
    return updates;
  }

  /** Size of the last exchange inside. */
  long bytes() {
    return bytes;
  }
}
