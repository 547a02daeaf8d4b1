package io.sparkgpugraph.engine.device;

import io.sparkgpugraph.engine.KernelChoice;
import io.sparkgpugraph.exchange.RefinedUpdates;
import io.sparkgpugraph.graph.BoundaryList;
import io.sparkgpugraph.graph.RemoteBoundary;
import io.sparkgpugraph.program.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * What a run tells other executor graphs, and takes from them, between two supersteps. Devices keep
 * a bitmap of what changed since their readers were told last; an outbox is collected from it when
 * somebody asks.
 */
final class RemoteExchange implements AutoCloseable {
  private final List<RemoteBoundary> exports;
  private final List<RemoteBoundary> imports;
  private final ExchangeLists lists;
  private final List<Kind> kinds;
  private final IntFunction<DevicePartition> partitions;
  private final IntFunction<DeviceShare> shares;
  private final List<StagedUpdates> staged = new ArrayList<>();
  private final List<RefinedUpdates> told = new ArrayList<>();
  private final ActiveWork activeWork;
  private boolean tellsAll;
  private long work;

  /**
   * @param partitions the run's partitions, by index
   * @param shares the device of a partition, by the partition's index
   */
  RemoteExchange(
      RunSpec spec, IntFunction<DevicePartition> partitions, IntFunction<DeviceShare> shares) {
    exports = spec.graph().exports();
    imports = spec.graph().imports();
    lists = spec.lists();
    kinds = spec.shippedKinds();
    boolean counts =
        !spec.kernels().shape().everyVertex() && spec.settings().kernel() == KernelChoice.AUTO;
    activeWork =
        counts
            ? ActiveWork.of(spec.kernels().shape(), spec.settings().activeDirection())
            : new ActiveWork(false, false);
    this.partitions = partitions;
    this.shares = shares;
    for (int p = 0; p < lists.placement().partitions(); p++) {
      staged.add(new StagedUpdates(shares.apply(p).device(), kinds));
    }
    for (int k = 0; k < exports.size(); k++) {
      told.add(new RefinedUpdates(kinds));
    }
  }

  /** See {@link io.sparkgpugraph.engine.EngineRun#outgoing}. */
  List<RefinedUpdates> outgoing(boolean shipsActivity, boolean everything) {
    for (int p = 0; p < staged.size(); p++) {
      List<Integer> own = lists.exports(p);
      for (int i = 0; i < own.size(); i++) {
        collect(p, i, own.get(i), shipsActivity, everything || tellsAll);
      }
      if (!own.isEmpty()) {
        partitions.apply(p).forgetChanges();
      }
    }
    tellsAll = false;
    return List.copyOf(told);
  }

  private void collect(int p, int number, int export, boolean shipsActivity, boolean all) {
    RefinedUpdates updates = told.get(export);
    updates.clear();
    int size = exports.get(export).list().size();
    DeviceShare share = shares.apply(p);
    StagedUpdates host = staged.get(p);
    share.on(
        () -> {
          DeviceOutbox outbox = partitions.apply(p).collectExport(number, all, shipsActivity);
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
    int last = updates.position(updates.count() - 1);
    if (last >= list.size()) {
      throw new IllegalArgumentException(
          "an update of position " + last + " of a boundary list of " + list.size());
    }
    DevicePartition reader = partitions.apply(list.reader());
    DeviceShare share = shares.apply(list.reader());
    for (int i = 0; i < updates.count(); i++) {
      if (updates.isActive(i)) {
        work += activeWork.held(reader.graph(), list.firstGhost() + updates.position(i));
      }
    }
    StagedUpdates host = staged.get(list.reader());
    host.set(updates, list.size());
    share.on(
        () -> {
          host.upload(share.stream(), reader.staging());
          reader.receive(reader.staging(), list, updates.count());
          // The host memory is written again by the next one.
          share.stream().synchronize();
          return null;
        });
  }

  /** Edges here of the active ghosts that have come since this was last asked. */
  long takeWork() {
    long taken = work;
    work = 0;
    return taken;
  }

  /** The state is another one: readers elsewhere know nothing of it. */
  void restored() {
    tellsAll = true;
    work = 0;
  }

  @Override
  public void close() {
    Closing.all(staged);
  }
}
