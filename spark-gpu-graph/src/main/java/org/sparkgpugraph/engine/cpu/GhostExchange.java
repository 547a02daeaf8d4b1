package org.sparkgpugraph.engine.cpu;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.engine.cpu.codegen.CompiledKernel;
import org.sparkgpugraph.engine.cpu.frame.KernelFrame;
import org.sparkgpugraph.exchange.BoundaryInbox;
import org.sparkgpugraph.exchange.ExchangeMode;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.exchange.VertexBitmap;
import org.sparkgpugraph.graph.model.BoundaryList;
import org.sparkgpugraph.graph.model.ExecutorGraph;
import org.sparkgpugraph.graph.model.RemoteBoundary;
import org.sparkgpugraph.program.LiftedProgram;

/**
 * Brings what a superstep changed to the ghosts of other partitions: at once to those here, and for
 * those of other executor graphs it is kept until somebody carries it.
 */
final class GhostExchange {
  private final KernelFrame[] frames;
  private final boolean inPlace;
  private final boolean activityTravels;

  /** Boundary lists inside, what is said of each, and who takes it. */
  private final List<HomeOutbox> outboxes = new ArrayList<>();

  private final List<BoundaryInbox> inboxes = new ArrayList<>();

  private final List<HomeOutbox> exports = new ArrayList<>();
  private final List<BoundaryInbox> imports = new ArrayList<>();

  /** By partition: vertices that changed and that no reader elsewhere was told of; or null. */
  private final VertexBitmap[] untold;

  private boolean tellAll;
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
    untold = new VertexBitmap[frames.length];
    int[] shipped = compiled.columns().shipped();
    HomeOutbox.Maker maker =
        new HomeOutbox.Maker(
            graph.partitions(), shipped, program.state().columns(), settings.exchange());
    for (BoundaryList list : graph.boundaries()) {
      outboxes.add(maker.make(list));
      inboxes.add(new BoundaryInbox(list, shipped, settings.exchange()));
    }
    for (RemoteBoundary export : graph.exports()) {
      exports.add(maker.make(export.list()));
      int home = export.list().home();
      if (untold[home] == null && (settings.exchange() == ExchangeMode.REFINED || inPlace)) {
        untold[home] = new VertexBitmap(graph.partitions().get(home).stored());
      }
    }
    for (RemoteBoundary each : graph.imports()) {
      imports.add(new BoundaryInbox(each.list(), shipped, settings.exchange()));
    }
  }

  /** Whether other executor graphs tell this one anything. */
  boolean hasImports() {
    return !imports.isEmpty();
  }

  /**
   * Exchanges the changes of one superstep inside, and keeps what others must be told.
   *
   * @param activity sends which vertices are active too, inside
   * @param team runs it, on all threads or alone
   */
  void run(boolean activity, WorkerTeam team, boolean together) {
    inside(false, activity, team, together);
    for (int p = 0; p < untold.length; p++) {
      if (untold[p] != null) {
        untold[p].addAll(frames[p].changed);
      }
    }
    waiting = !exports.isEmpty();
  }

  /**
   * Tells all readers here everything, and readers elsewhere at the next {@link #outgoing}.
   *
   * @param activity sends which vertices are active too, inside
   */
  void restored(boolean activity, WorkerTeam team) {
    inside(true, activity, team, true);
    tellAll = true;
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
          for (HomeOutbox outbox : outboxes) {
            if (outbox.list().home() == home) {
              outbox.fill(all ? null : frame.changed, active, frame.current);
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
    for (HomeOutbox outbox : outboxes) {
      updates += outbox.updates().count();
      bytes += outbox.updates().bytes();
    }
  }

  /** Does something for every partition. */
  private void forEach(WorkerTeam team, boolean together, IntConsumer work) {
    if (outboxes.isEmpty()) {
      return;
    }
    AtomicInteger taken = new AtomicInteger();
    team.run(
        together && frames.length > 1,
        member -> {
          for (int p; (p = taken.getAndIncrement()) < frames.length && !team.stopped(); ) {
            work.accept(p);
          }
        });
  }

  /** Most vertices that an exchange inside looks at. */
  long insideVertices() {
    return inboxes.stream().mapToLong(inbox -> inbox.list().size()).sum();
  }

  /** What readers elsewhere have not been told yet, by export. */
  List<RefinedUpdates> outgoing() {
    for (HomeOutbox export : exports) {
      int home = export.list().home();
      KernelFrame frame = frames[home];
      if (waiting) {
        // In place a vertex may have changed several supersteps ago: its readers must still wake.
        VertexBitmap active = inPlace && !tellAll ? untold[home] : frame.active;
        export.fill(tellAll ? null : untold[home], activityTravels ? active : null, frame.current);
      } else {
        export.clear();
      }
    }
    for (VertexBitmap bitmap : untold) {
      if (bitmap != null) {
        bitmap.clear();
      }
    }
    tellAll = false;
    waiting = false;
    return exports.stream().map(HomeOutbox::updates).toList();
  }

  /**
   * Checks that the values of other executor graphs may be used by a superstep.
   *
   * @throws IllegalStateException when their readers wait for what this one has to say
   */
  void checkTold() {
    if (waiting && (tellAll || !inPlace)) {
      throw new IllegalStateException(
          "other executor graphs have not been told what the last superstep changed");
    }
  }

  /** Takes the updates of an import; returns how many of its ghosts became active. */
  int incoming(int list, RefinedUpdates said) {
    BoundaryInbox inbox = imports.get(list);
    KernelFrame reader = frames[inbox.list().reader()];
    return inbox.apply(said, reader.current, reader.active);
  }

  /** Updates that the last exchange inside told. */
  long updates() {
    return updates;
  }

  /** Size of the last exchange inside. */
  long bytes() {
    return bytes;
  }
}
