package org.sparkgpugraph.runtime.stage;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.exchange.RoundedUpdates;
import org.sparkgpugraph.exchange.UpdateCodec;

/**
 * Packs what a shard tells the others, rounded where that is asked for, and unpacks what they tell
 * it, a record on each core: this is a large part of a superstep that tells everything, and the
 * cores are idle then. The result is the same whatever the number of threads. One caller at a time.
 */
public final class PeerCodec implements AutoCloseable {
  /** Updates that are worth waking other threads for: some tens of microseconds of packing. */
  static final long WORTH_WAKING = 1 << 14;

  /** Bytes of records that are worth it. */
  static final long BYTES_WORTH_WAKING = 1 << 16;

  /** Updates that a thread rounds at a time; a multiple of 64. */
  private static final int ROUNDED = 1 << 14;

  private final WorkerTeam team;

  /**
   * What one peer is told.
   *
   * @param codec how it is written
   * @param header where its records belong
   * @param lists of the pair, see {@link UpdateCodec#encode}
   */
  public record Parcel(UpdateCodec codec, UpdateCodec.Header header, List<RefinedUpdates> lists) {
    /** Number of updates. */
    public long updates() {
      long count = 0;
      for (RefinedUpdates updates : lists) {
        count += updates == null ? 0 : updates.count();
      }
      return count;
    }
  }

  /**
   * A record that has come.
   *
   * @param codec how it is written
   * @param header what it has to be
   */
  public record Received(UpdateCodec codec, UpdateCodec.Header header, byte[] bytes) {}

  /**
   * Updates of a boundary list.
   *
   * @param list its number among those of the pair
   */
  public record Told(int list, RefinedUpdates updates) {}

  /**
   * @param threads that may work, the caller's among them; at least 1
   */
  public PeerCodec(int threads) {
    team = new WorkerTeam("exchange", threads);
  }

  /** Updates of one list. */
  private record Slice(int list, int from, int to) {}

  /**
   * Rounds updates.
   *
   * @param rounded one for each list
   * @param lists what the engine says of each list
   * @return what travels of each
   */
  public List<RefinedUpdates> round(List<RoundedUpdates> rounded, List<RefinedUpdates> lists) {
    List<Slice> slices = new ArrayList<>();
    long updates = 0;
    for (int k = 0; k < lists.size(); k++) {
      rounded.get(k).begin(lists.get(k));
      int count = lists.get(k).count();
      updates += count;
      for (int from = 0; from < count; from += ROUNDED) {
        slices.add(new Slice(k, from, Math.min(count, from + ROUNDED)));
      }
    }
    boolean together = updates >= WORTH_WAKING;
    each(
        slices,
        together,
        slice -> {
          int k = slice.list();
          rounded.get(k).round(lists.get(k), slice.from(), slice.to());
          return slice;
        });
    List<Integer> numbers = IntStream.range(0, lists.size()).boxed().toList();
    return each(numbers, together, k -> rounded.get(k).told(lists.get(k)));
  }

  /** A record to be. */
  private record Piece(int parcel, Parcel of, UpdateCodec.Part part) {}

  /** The records of each parcel, in the order of the parcels. */
  public List<List<byte[]>> pack(List<Parcel> parcels) {
    List<Piece> pieces = new ArrayList<>();
    List<List<byte[]>> packed = new ArrayList<>();
    long updates = 0;
    for (int i = 0; i < parcels.size(); i++) {
      Parcel parcel = parcels.get(i);
      updates += parcel.updates();
      for (UpdateCodec.Part part : parcel.codec().cut(parcel.lists())) {
        pieces.add(new Piece(i, parcel, part));
      }
      packed.add(new ArrayList<>());
    }
    List<byte[]> records =
        each(
            pieces,
            updates >= WORTH_WAKING,
            one -> one.of().codec().encode(one.of().header(), one.part()));
    for (int i = 0; i < pieces.size(); i++) {
      packed.get(pieces.get(i).parcel()).add(records.get(i));
    }
    return packed;
  }

  /**
   * What each record says, in the order of the records.
   *
   * @throws org.sparkgpugraph.exchange.ExchangeFormatException when one is not what it has to be
   */
  public List<List<Told>> unpack(List<Received> records) {
    long bytes = records.stream().mapToLong(record -> record.bytes().length).sum();
    return each(
        records,
        bytes >= BYTES_WORTH_WAKING,
        record -> {
          List<Told> told = new ArrayList<>();
          record
              .codec()
              .decode(
                  record.bytes(),
                  record.header(),
                  (list, updates) -> told.add(new Told(list, updates)));
          return told;
        });
  }

  private <T, R> List<R> each(List<T> from, boolean together, Function<T, R> work) {
    List<R> done = new ArrayList<>(Collections.nCopies(from.size(), null));
    // Members set different elements.
    team.each(
        together && from.size() > 1,
        from.size(),
        (member, i) -> done.set(i, work.apply(from.get(i))));
    return done;
  }

  /** Ends the threads. */
  @Override
  public void close() {
    team.close();
  }
}
