package io.sparkgpugraph.engine.device;

import io.sparkgpugraph.engine.KernelChoice;
import io.sparkgpugraph.engine.KernelShape;
import io.sparkgpugraph.exchange.RefinedUpdates;
import io.sparkgpugraph.graph.BoundaryList;
import io.sparkgpugraph.graph.RemoteBoundary;
import io.sparkgpugraph.program.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * What a run tells other executor graphs, and takes from them, between two supersteps. Devices keep
 * a bitmap of what changed since their readers were told last; an outbox is collected from it when
 * somebody asks.
 */
final class RemoteExchange implements AutoCloseable {
  private final List<RemoteBoundary> imports;
  private final ExchangeLists lists;
  private final List<Kind> kinds;
  private final DeviceTeam team;
  private final List<StagedUpdates> staged = new ArrayList<>();
  private final List<RefinedUpdates> told = new ArrayList<>();
  private final ActiveWork activeWork;
  private final boolean shipsActivity;
  private final boolean inPlace;
  private boolean waiting;
  private boolean tellsAll;
  private long work;

  RemoteExchange(RunSpec spec, DeviceTeam team) {
    this.team = team;
    imports = spec.graph().imports();
    lists = spec.lists();
    kinds = spec.shippedKinds();
    KernelShape shape = spec.kernels().shape();
    shipsActivity = shape.activityTravels(spec.settings().kernel());
    inPlace = shape.inPlace();
    activeWork =
        shape.everyVertex() || spec.settings().kernel() != KernelChoice.AUTO
            ? null
            : ActiveWork.of(shape, spec.settings().activeDirection());
    for (int p = 0; p < lists.placement().partitions(); p++) {
      staged.add(new StagedUpdates(team.share(p).device(), kinds));
    }
    for (int k = 0; k < spec.graph().exports().size(); k++) {
      told.add(new RefinedUpdates(kinds));
    }
  }

  /** A superstep has been done, of which readers elsewhere know nothing. */
  void stepped() {
    waiting = !told.isEmpty();
  }

  /**
   * Checks that another superstep may follow.
   *
   * @throws IllegalStateException when readers elsewhere must be told first
   */
  void checkTold() {
    if (waiting && (tellsAll || !inPlace)) {
      throw new IllegalStateException(
          "other executor graphs have not been told what the last superstep changed");
    }
  }

  /** See {@link io.sparkgpugraph.engine.EngineRun#outgoing}. */
  List<RefinedUpdates> outgoing() {
    told.forEach(RefinedUpdates::clear);
    for (int p = 0; waiting && p < staged.size(); p++) {
      List<Integer> own = lists.exports(p);
      for (int i = 0; i < own.size(); i++) {
        collect(p, i, own.get(i));
      }
      if (!own.isEmpty()) {
        team.partition(p).forgetChanges();
      }
    }
    waiting = false;
    tellsAll = false;
    return List.copyOf(told);
  }

  private void collect(int p, int number, int export) {
    RefinedUpdates updates = told.get(export);
    boolean all = tellsAll || !lists.refined();
    int size = lists.export(export).size();
    DeviceShare share = team.share(p);
    StagedUpdates host = staged.get(p);
    share.on(
        () -> {
          DeviceOutbox outbox = team.partition(p).collectExport(number, all, shipsActivity);
          int[] counts = new int[2];
          share.stream().synchronize();
          share.device().download(outbox.counts(), 0, counts, 0, 2);
          host.download(share.stream(), outbox, counts[0], size);
          share.stream().synchronize();
          return null;
        });
    host.addTo(updates, size);
  }

  /** See {@link io.sparkgpugraph.engine.EngineRun#incoming}. */
  void incoming(int number, RefinedUpdates updates) {
    BoundaryList list = imports.get(number).list();
    if (updates.count() == 0) {
      return;
    }
    if (!updates.kinds().equals(kinds)) {
      throw new IllegalArgumentException(
          "updates of columns " + updates.kinds() + " for a program that ships " + kinds);
    }
    DevicePartition reader = team.partition(list.reader());
    DeviceShare share = team.share(list.reader());
    StagedUpdates host = staged.get(list.reader());
    host.set(updates, lists.positions(list, updates));
    for (int i = 0; activeWork != null && i < host.count(); i++) {
      if (host.isActive(i)) {
        work += 1 + activeWork.of(reader.graph(), list.firstGhost() + host.position(i));
      }
    }
    if (host.count() == 0) {
      return;
    }
    share.on(
        () -> {
          host.upload(share.stream(), reader.staging());
          reader.receive(reader.staging(), list, null, host.count());
          // The host memory is written again by the next one.
          share.stream().synchronize();
          return null;
        });
  }

  /** Active ghosts that have come since this was last asked, and their edges here. */
  long takeWork() {
    long taken = work;
    work = 0;
    return taken;
  }

  /** The state is another one: readers elsewhere know nothing of it. */
  void restored() {
    tellsAll = true;
    work = 0;
    waiting = !told.isEmpty();
  }

  @Override
  public void close() {
    Closing.all(staged);
  }
}
