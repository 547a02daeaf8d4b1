package io.sparkgpugraph.spark;

import io.sparkgpugraph.engine.WorkerTeam;
import io.sparkgpugraph.exchange.RefinedUpdates;
import io.sparkgpugraph.exchange.UpdateCodec;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Packs what a shard tells the others, several of them at the same time: with many executors
 * packing is the largest part of a superstep that tells everything, and its cores are idle then.
 * The records are the same whatever the number of threads. One caller at a time.
 */
final class PeerPacker implements AutoCloseable {
  /** Updates that are worth waking other threads for: some tens of microseconds of packing. */
  static final long WORTH_WAKING = 1 << 14;

  private final UpdateCodec codec;
  private final WorkerTeam team;

  /**
   * What one peer is told.
   *
   * @param header where its records belong
   * @param lists of the pair, see {@link UpdateCodec#encode}
   */
  record Parcel(UpdateCodec.Header header, List<RefinedUpdates> lists) {
    /** Number of updates. */
    long updates() {
      long count = 0;
      for (RefinedUpdates updates : lists) {
        count += updates == null ? 0 : updates.count();
      }
      return count;
    }
  }

  /**
   * @param peers that are told something at most
   * @param threads that may pack, the caller's among them; at least 1
   */
  PeerPacker(UpdateCodec codec, int peers, int threads) {
    this.codec = codec;
    team = new WorkerTeam("pack", Math.max(1, Math.min(peers, threads)));
  }

  /** The records of each parcel, in the order of the parcels. */
  List<List<byte[]>> pack(List<Parcel> parcels) {
    @SuppressWarnings({"unchecked", "rawtypes"})
    List<byte[]>[] records = new List[parcels.size()];
    AtomicInteger taken = new AtomicInteger();
    long updates = parcels.stream().mapToLong(Parcel::updates).sum();
    team.run(
        parcels.size() > 1 && updates >= WORTH_WAKING,
        member -> {
          for (int i; (i = taken.getAndIncrement()) < records.length && !team.stopped(); ) {
            Parcel parcel = parcels.get(i);
            records[i] = codec.encode(parcel.header(), parcel.lists());
          }
        });
    return List.of(records);
  }

  /** Ends the threads. */
  @Override
  public void close() {
    team.close();
  }
}
