package org.sparkgpugraph.engine.device.run;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntUnaryOperator;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.exchange.DeviceOutbox;
import org.sparkgpugraph.engine.device.exchange.ExchangeLists;
import org.sparkgpugraph.engine.device.exchange.StagedUpdates;
import org.sparkgpugraph.engine.device.exchange.StagingPair;
import org.sparkgpugraph.engine.device.memory.Closing;
import org.sparkgpugraph.engine.device.partition.DevicePartition;
import org.sparkgpugraph.engine.device.partition.DeviceShare;
import org.sparkgpugraph.engine.device.partition.DeviceTeam;
import org.sparkgpugraph.engine.device.partition.RunSpec;
import org.sparkgpugraph.engine.device.settings.ActiveWork;
import org.sparkgpugraph.exchange.LastSent;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.RemoteBoundary;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.run.KernelChoice;

/**
 * What a run tells other executor graphs, and takes from them, between two supersteps. Devices keep
 * a bitmap of what changed since their readers were told last; an outbox is collected from it when
 * somebody asks. Which elements of arrays differ from what a reader was last sent is found out on
 * the host, where rows come to whole.
 */
final class RemoteExchange implements AutoCloseable {
  /** Bytes of updates that are taken at once, unless a single record has more. */
  private static final long AT_ONCE = 64L << 20;

  private final List<RemoteBoundary> imports;
  private final ExchangeLists lists;
  private final List<ColumnType> kinds;
  private final DeviceTeam team;
  private final List<StagingPair> staged = new ArrayList<>();
  private final List<RefinedUpdates> told = new ArrayList<>();

  /** By export: what its reader has of arrays; none where nothing is compared. */
  private final List<LastSent> sent = new ArrayList<>();

  private final ActiveWork activeWork;
  private final boolean shipsActivity;
  private final boolean inPlace;
  private boolean waiting;
  private boolean tellsAll;
  private long work;

  /** Who copies between what is page-locked and what is not. */
  private final Workers workers;

  RemoteExchange(RunSpec spec, DeviceTeam team) {
    this.team = team;
    workers = new Workers(spec.settings().threads());
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
      staged.add(new StagingPair(team.share(p).device(), kinds));
    }
    for (int k = 0; k < spec.graph().exports().size(); k++) {
      told.add(new RefinedUpdates(kinds));
      if (lists.refined() && LastSent.isOfUse(kinds)) {
        sent.add(new LastSent(kinds, lists.export(k).size()));
      }
    }
  }

  /** Threads that work on the host between two supersteps. */
  Workers workers() {
    return workers;
  }

  /** The values of superstep 0 are there, which readers have computed themselves. */
  void initialised() {
    if (!sent.isEmpty()) {
      tellsAll = true;
      collect(false);
      tellsAll = false;
      for (int k = 0; k < sent.size(); k++) {
        sent.get(k).start(told.get(k));
        told.get(k).clear();
      }
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

  /** See {@link org.sparkgpugraph.engine.EngineRun#outgoing}. */
  List<RefinedUpdates> outgoing() {
    return outgoing(false);
  }

  /**
   * The same without the vertices that only hubs read, of a run that sends these partial messages:
   * in positions of the lists that are left.
   */
  List<RefinedUpdates> outgoingRead() {
    return outgoing(true);
  }

  private List<RefinedUpdates> outgoing(boolean read) {
    told.forEach(RefinedUpdates::clear);
    if (waiting) {
      collect(read);
      for (int k = 0; k < sent.size(); k++) {
        if (tellsAll) {
          sent.get(k).start(told.get(k));
        } else {
          sent.get(k).refine(told.get(k), workers);
        }
      }
    }
    waiting = false;
    tellsAll = false;
    return List.copyOf(told);
  }

  private void collect(boolean read) {
    team.together(
        device -> {
          for (int p : lists.placement().on(device)) {
            collect(p, read);
          }
        });
  }

  /** Collects the lists of a partition; while one is copied, the host takes the one before. */
  private void collect(int p, boolean read) {
    List<Integer> own = lists.exports(p);
    if (own.isEmpty()) {
      return;
    }
    DeviceShare share = team.share(p);
    List<BoundaryList> collected = lists.collected(p);
    int first = read ? own.size() : 0;
    share.on(
        () -> {
          StagedUpdates before = null;
          for (int i = 0; i < own.size(); i++) {
            StagedUpdates host = collected(p, first + i, collected.get(first + i).size());
            if (before != null) {
              before.moveTo(told.get(own.get(i - 1)), workers);
            }
            before = host;
          }
          share.stream().synchronize();
          before.moveTo(told.get(own.get(own.size() - 1)), workers);
          team.partition(p).forgetChanges();
        });
  }

  /** Collects a list and queues its copy to the host; the one before has been copied then. */
  private StagedUpdates collected(int p, int number, int size) {
    DeviceShare share = team.share(p);
    DeviceOutbox outbox =
        team.partition(p).collectExport(number, tellsAll || !lists.refined(), shipsActivity);
    int[] counts = new int[2];
    share.stream().synchronize();
    share.device().download(outbox.counts(), 0, counts, 0, 2);
    StagedUpdates host = staged.get(p).take();
    host.download(share.stream(), outbox, counts[0], size);
    staged.get(p).queued(share.stream());
    return host;
  }

  /** See {@link org.sparkgpugraph.engine.EngineRun#incoming}. */
  void incoming(int number, List<RefinedUpdates> said) {
    BoundaryList list = imports.get(number).list();
    incoming(list, null, position -> list.firstGhost() + position, said);
  }

  /** The same in positions of what is read for something else than hubs. */
  void incomingRead(int number, List<RefinedUpdates> said) {
    BoundaryList list = lists.read(number);
    int[] ghosts = list.homeVertices();
    DeviceMemory ghostOf = team.partition(list.reader()).readGhosts(number);
    incoming(list, ghostOf, position -> ghosts[position], said);
  }

  /**
   * @param ghostOf local index of each position on the device; null: contiguous
   * @param ghosts the same
   */
  private void incoming(
      BoundaryList list, DeviceMemory ghostOf, IntUnaryOperator ghosts, List<RefinedUpdates> said) {
    List<RefinedUpdates> parts =
        said.stream()
            .filter(part -> part.count() > 0)
            .map(part -> ofList(list, part))
            .filter(part -> part.count() > 0)
            .toList();
    if (parts.isEmpty()) {
      return;
    }
    long count = parts.stream().mapToLong(RefinedUpdates::count).sum();
    if (count > list.size()) {
      throw new IllegalArgumentException(
          "%s updates in boundary list %s to %s of %s vertices"
              .formatted(count, list.home(), list.reader(), list.size()));
    }
    DevicePartition reader = team.partition(list.reader());
    DeviceShare share = team.share(list.reader());
    if (activeWork != null) {
      LongAdder came = new LongAdder();
      workers.run(parts.size(), p -> came.add(workOf(parts.get(p), reader.graph(), ghosts)));
      work += came.sum();
    }
    for (List<RefinedUpdates> group : StagedUpdates.groups(parts, kinds, AT_ONCE)) {
      take(list, ghostOf, reader, share, group);
    }
  }

  /** Takes some updates of a list; the next ones are put into the other buffer meanwhile. */
  private void take(
      BoundaryList list,
      DeviceMemory ghostOf,
      DevicePartition reader,
      DeviceShare share,
      List<RefinedUpdates> parts) {
    share.on(
        () -> {
          StagingPair pair = staged.get(list.reader());
          StagedUpdates host = pair.take();
          host.set(parts, workers);
          host.upload(share.stream(), reader.staging());
          DeviceMemory elements = host.uploadElements(share.stream(), reader.stagedElements());
          pair.queued(share.stream());
          reader.receive(list, ghostOf, host.count(), elements);
        });
  }

  private RefinedUpdates ofList(BoundaryList list, RefinedUpdates said) {
    if (!said.kinds().equals(kinds)) {
      throw new IllegalArgumentException(
          "updates of columns " + said.kinds() + " for a program that ships " + kinds);
    }
    return lists.ofList(list, said);
  }

  /** Active ghosts, and their edges here. */
  private long workOf(RefinedUpdates updates, GraphPartition reader, IntUnaryOperator ghosts) {
    return updates.activeCount() + activeWork.of(reader, ghosts, updates);
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
    workers.close();
    Closing.all(staged);
  }
}
