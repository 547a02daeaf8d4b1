package org.sparkgpugraph.runtime.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.exchange.ExchangeFormatException;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.exchange.UpdateCodec;
import org.sparkgpugraph.exchange.UpdateEncoding;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;

/** Threads change nothing of what is packed and unpacked. */
@Tag("any-spark")
class PeerCodecTest {
  private static final long SEED = 20261120;
  private static final List<ColumnType> KINDS = List.of(Kind.DOUBLE, Kind.INT);
  private static final int PEERS = 9;

  /** Some lists for each peer; some peers are told nothing, one in many. */
  private static List<PeerCodec.Parcel> parcels(UpdateCodec codec, Random random, int most) {
    List<PeerCodec.Parcel> parcels = new ArrayList<>();
    for (int peer = 1; peer <= PEERS; peer++) {
      List<RefinedUpdates> lists = new ArrayList<>();
      for (int list = 0; list < 3; list++) {
        RefinedUpdates updates = new RefinedUpdates(KINDS);
        int count = peer % 4 == 0 ? 0 : random.nextInt(most);
        Object[] state = {new double[count], new int[count]};
        int[] vertices = new int[2 * count];
        for (int i = 0; i < count; i++) {
          ((double[]) state[0])[i] = random.nextInt(50);
          ((int[]) state[1])[i] = random.nextInt();
          int position = 2 * i + random.nextInt(2);
          updates.add(position, random.nextInt(3) > 0, random.nextBoolean());
          vertices[position] = i;
        }
        updates.pack(state, new int[] {0, 1}, vertices);
        lists.add(list == 1 && peer % 3 == 0 ? null : updates);
      }
      parcels.add(new PeerCodec.Parcel(codec, new UpdateCodec.Header(5, 7, 0, peer), lists));
    }
    return parcels;
  }

  @ParameterizedTest
  @EnumSource(UpdateEncoding.class)
  void recordsAreTheSameWhateverTheNumberOfThreads(UpdateEncoding encoding) {
    UpdateCodec codec = new UpdateCodec(KINDS, encoding);
    for (int most : new int[] {2, 100, 20_000, 150_000}) {
      List<PeerCodec.Parcel> parcels = parcels(codec, new Random(SEED + most), most);
      long updates = parcels.stream().mapToLong(PeerCodec.Parcel::updates).sum();
      // The small ones are packed by one thread, the large ones by all.
      assertThat(updates >= PeerCodec.WORTH_WAKING).isEqualTo(most >= 20_000);
      for (int threads : new int[] {1, 2, 5, 64}) {
        try (PeerCodec peers = new PeerCodec(threads)) {
          for (int again = 0; again < 3; again++) {
            List<List<byte[]>> packed = peers.pack(parcels);
            assertThat(packed).hasSize(PEERS);
            for (int i = 0; i < PEERS; i++) {
              PeerCodec.Parcel parcel = parcels.get(i);
              List<byte[]> expected = codec.encode(parcel.header(), parcel.lists());
              assertThat(packed.get(i).toArray(new byte[0][]))
                  .as("seed %d, most %d, %d threads, peer %d", SEED, most, threads, i + 1)
                  .isDeepEqualTo(expected.toArray(new byte[0][]));
            }
            assertUnpacked(peers, parcels, packed);
          }
        }
      }
    }
  }

  /** Every list that says something comes back, in order. */
  private static void assertUnpacked(
      PeerCodec peers, List<PeerCodec.Parcel> parcels, List<List<byte[]>> packed) {
    List<PeerCodec.Received> received = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < parcels.size(); i++) {
      PeerCodec.Parcel parcel = parcels.get(i);
      packed
          .get(i)
          .forEach(r -> received.add(new PeerCodec.Received(parcel.codec(), parcel.header(), r)));
      for (int list = 0; list < parcel.lists().size(); list++) {
        RefinedUpdates updates = parcel.lists().get(list);
        if (updates != null && updates.count() > 0) {
          expected.add(said(parcel.header(), list, List.of(updates)));
        }
      }
    }
    List<String> found = new ArrayList<>();
    List<List<PeerCodec.Told>> unpacked = peers.unpack(received);
    List<RefinedUpdates> parts = new ArrayList<>();
    for (int i = 0; i < received.size(); i++) {
      for (PeerCodec.Told told : unpacked.get(i)) {
        parts.add(told.updates());
        boolean goesOn =
            told == unpacked.get(i).get(unpacked.get(i).size() - 1)
                && i + 1 < received.size()
                && received.get(i + 1).header().equals(received.get(i).header())
                && unpacked.get(i + 1).get(0).list() == told.list();
        if (!goesOn) {
          found.add(said(received.get(i).header(), told.list(), parts));
          parts.clear();
        }
      }
    }
    assertThat(found).isEqualTo(expected);
  }

  /** What is said of a list, in parts one behind the other. */
  private static String said(UpdateCodec.Header header, int list, List<RefinedUpdates> parts) {
    int flags = 0;
    int values = 0;
    int count = 0;
    for (RefinedUpdates updates : parts) {
      count += updates.count();
      for (int i = 0; i < updates.count(); i++) {
        boolean valued = updates.isValued(i);
        flags = Objects.hash(flags, updates.position(i), valued, updates.isActive(i));
      }
      for (int row = 0; row < updates.valuedCount(); row++) {
        double one = updates.values().doubles(0)[row];
        values = Objects.hash(values, one, updates.values().ints(1)[row]);
      }
    }
    return header + ", list " + list + ": " + count + " updates, hash " + flags + ", " + values;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void aRecordThatIsDamagedIsRefused(int threads) {
    UpdateCodec codec = new UpdateCodec(KINDS, UpdateEncoding.PACKED);
    List<PeerCodec.Received> received = new ArrayList<>();
    for (PeerCodec.Parcel parcel : parcels(codec, new Random(SEED), 20_000)) {
      for (byte[] record : codec.encode(parcel.header(), parcel.lists())) {
        received.add(new PeerCodec.Received(codec, parcel.header(), record));
      }
    }
    byte[] last = received.get(received.size() - 1).bytes();
    last[last.length / 2] ^= 1;
    try (PeerCodec peers = new PeerCodec(threads)) {
      assertThatThrownBy(() -> peers.unpack(received)).isInstanceOf(ExchangeFormatException.class);
    }
  }

  @Test
  void nobodyIsToldWithoutPeers() {
    try (PeerCodec peers = new PeerCodec(4)) {
      assertThat(peers.pack(List.of())).isEmpty();
      assertThat(peers.unpack(List.of())).isEmpty();
    }
  }
}
