package org.sparkgpugraph.engine.device.partition;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.exchange.DeviceOutbox;
import org.sparkgpugraph.engine.device.kernels.FrameField;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.settings.PeerLayout;
import org.sparkgpugraph.engine.device.settings.PeerLayout.Entry;
import org.sparkgpugraph.graphs.model.BoundaryList;

/**
 * What a partition's kernels know of the other devices of a run, each of which has one partition,
 * so that supersteps that push tell each other who changed, and decide together how to go on,
 * without the host ({@code sgg/peers.cuh}). All of them have to be launched at the same time.
 */
public final class Meeting {
  /** Even an emulated device with all checks is quicker. */
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

  private final FrameLayout.Frame frame;
  private final int others;
  private final int multiprocessors;
  private long meetings;

  private Meeting(FrameLayout.Frame frame, int others, int multiprocessors) {
    this.frame = frame;
    this.others = others;
    this.multiprocessors = multiprocessors;
    frame.set(FrameField.PEER_PATIENCE, PATIENCE);
  }

  /**
   * Lets the partitions of a run meet from now on, where all have the memory for it.
   *
   * @param lists all lists between them
   * @param inboxes how a reader's kernels know what it is told over a list, behind even and odd
   *     supersteps
   * @return whether they do
   */
  public static boolean join(
      DeviceTeam team, List<BoundaryList> lists, Map<BoundaryList, List<DeviceOutbox>> inboxes) {
    List<DevicePartition> partitions = new ArrayList<>();
    team.shares().forEach(share -> partitions.addAll(share.partitions()));
    if (!partitions.stream().allMatch(DevicePartition::mayMeet)) {
      return false;
    }
    int multiprocessors =
        team.shares().stream()
            .mapToInt(share -> share.device().properties().multiprocessors())
            .min()
            .orElseThrow();
    for (int p = 0; p < partitions.size(); p++) {
      DevicePartition home = partitions.get(p);
      long[] table = table(p, partitions, lists, inboxes);
      team.share(p)
          .on(
              () ->
                  home.meet(
                      table, frame -> new Meeting(frame, partitions.size() - 1, multiprocessors)));
    }
    return true;
  }

  private static long[] table(
      int home,
      List<DevicePartition> partitions,
      List<BoundaryList> lists,
      Map<BoundaryList, List<DeviceOutbox>> inboxes) {
    int others = partitions.size() - 1;
    long[] table = new long[PeerLayout.table(others)];
    DevicePartition place = partitions.get(home);
    for (int parity = 0; parity < PeerLayout.OTHERS; parity++) {
      List<DeviceOutbox> outboxes = place.outboxes(parity);
      table[parity] = outboxes.isEmpty() ? 0 : outboxes.get(0).struct();
    }
    for (int i = 0; i < others; i++) {
      int at = PeerLayout.OTHERS + i * PeerLayout.ENTRIES;
      int other = i < home ? i : i + 1;
      DeviceMemory there = partitions.get(other).peerWords();
      table[at + Entry.THERE.ordinal()] = address(there, home < other ? home : home - 1);
      table[at + Entry.HERE.ordinal()] = address(place.peerWords(), i);
      table[at + Entry.OUTBOX.ordinal()] = -1;
      int told = 0;
      for (BoundaryList list : lists) {
        if (list.home() == home) {
          if (list.reader() == other) {
            table[at + Entry.OUTBOX.ordinal()] = told;
          }
          told++;
        } else if (list.home() == other && list.reader() == home) {
          DeviceMemory ghostOf = place.ghostOf(other);
          table[at + Entry.INBOX.ordinal()] = inboxes.get(list).get(0).struct();
          table[at + Entry.INBOX_ODD.ordinal()] = inboxes.get(list).get(1).struct();
          table[at + Entry.FIRST_GHOST.ordinal()] = list.firstGhost();
          table[at + Entry.GHOST_OF.ordinal()] = ghostOf == null ? 0 : ghostOf.address();
        }
      }
    }
    return table;
  }

  private static long address(DeviceMemory words, int slot) {
    return words.address() + (long) Long.BYTES * PeerLayout.TOLD * slot;
  }

  /** Of the device that has least: all have to decide alike. */
  int multiprocessors() {
    return multiprocessors;
  }

  /** The next launch meets the others. */
  void begin() {
    frame.set(FrameField.PEER_COUNT, others);
    frame.set(FrameField.PEER_MEETINGS, meetings);
  }

  /**
   * It is done.
   *
   * @param supersteps how many it did
   * @param alone whether another device did not come
   */
  void end(int supersteps, boolean alone) {
    meetings += supersteps;
    frame.set(FrameField.PEER_COUNT, 0);
    if (alone) {
      throw new DeviceException(
          "a superstep of several devices",
          "another device did not come to it within "
              + TimeUnit.NANOSECONDS.toSeconds(PATIENCE)
              + " s",
          "look at what the log says of the other devices");
    }
  }
}
