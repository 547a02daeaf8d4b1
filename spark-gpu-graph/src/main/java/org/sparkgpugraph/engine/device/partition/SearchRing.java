package org.sparkgpugraph.engine.device.partition;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.PinnedMemory;
import org.sparkgpugraph.engine.device.kernels.PushLayout;
import org.sparkgpugraph.engine.device.kernels.RingWord;
import org.sparkgpugraph.engine.device.kernels.StatusWord;

/**
 * What a search tells the host, whose supersteps push or let rows stop early in one launch: an
 * entry for each ({@link PushLayout#SEARCH_ENTRY}).
 */
public final class SearchRing implements AutoCloseable {
  /** Most supersteps of a search. */
  public static final int MOST = PushLayout.MOST_SEARCHED;

  /**
   * What a superstep did.
   *
   * @param stopped whether its rows stopped early; else it pushed
   * @param fault as {@link StatusWord#FAULT}; not 0: it is the launch's last one, and not done
   */
  public record Step(boolean stopped, long fault, PushQueue.Step counts) {}

  private final DeviceMemory entries;
  private final PinnedMemory told;

  SearchRing(Device device, DeviceMemory entries) {
    this.entries = entries;
    told = device.allocatePinned((int) entries.bytes());
  }

  /** Where the entry of a superstep begins, and those before it end, in bytes. */
  private static int entry(int round) {
    return Long.BYTES * (PushLayout.SEARCH_WORDS + PushLayout.SEARCH_ENTRY * round);
  }

  /** Queues that all is 0 that so many supersteps tell. */
  void clear(DeviceStream stream, int rounds) {
    stream.fill(entries, 0, entry(rounds), (byte) 0);
  }

  /** Queues that the host is told what so many supersteps did. */
  void download(DeviceStream stream, int rounds) {
    stream.download(entries, 0, told, 0, entry(rounds));
  }

  private int rounds() {
    return (int) told.buffer().getLong(Long.BYTES * PushLayout.SEARCH_ROUNDS);
  }

  /** What the supersteps took by the device's clock; 0: there were none. */
  long nanos() {
    ByteBuffer words = told.buffer();
    if (rounds() == 0) {
      return 0;
    }
    long began = words.getLong(Long.BYTES * PushLayout.SEARCH_BEGAN);
    return words.getLong(pushedAt(rounds() - 1) + RingWord.NANOS.offset()) - began;
  }

  private static int pushedAt(int round) {
    return entry(round) + Long.BYTES * PushLayout.SEARCH_RING;
  }

  /**
   * What the supersteps did.
   *
   * @param evaluations of an edge, of one direction each, where both of its ends are active
   */
  List<Step> steps(int evaluations) {
    ByteBuffer words = told.buffer();
    List<Step> steps = new ArrayList<>();
    for (int round = 0; round < rounds(); round++) {
      int at = entry(round);
      boolean stopped = words.getLong(at + Long.BYTES * PushLayout.SEARCH_STOPPED) != 0;
      long nanos = words.getLong(pushedAt(round) + RingWord.NANOS.offset());
      steps.add(
          new Step(
              stopped,
              words.getLong(at + StatusWord.FAULT.offset()),
              stopped
                  ? PushQueue.Step.of(words, at, nanos)
                  : PushQueue.Step.pushed(words, pushedAt(round), evaluations)));
    }
    return steps;
  }

  @Override
  public void close() {
    told.close();
  }
}
