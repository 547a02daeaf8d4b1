package io.sparkgpugraph.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkgpugraph.exchange.RefinedUpdates;
import io.sparkgpugraph.exchange.UpdateCodec;
import io.sparkgpugraph.exchange.UpdateEncoding;
import io.sparkgpugraph.program.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads change nothing of what is packed. */
class PeerPackerTest {
  private static final long SEED = 20261120;
  private static final List<Kind> KINDS = List.of(Kind.DOUBLE, Kind.INT);
  private static final int PEERS = 9;

  /** Some lists for each peer; some peers are told nothing, one in many. */
  private static List<PeerPacker.Parcel> parcels(Random random, int most) {
    List<PeerPacker.Parcel> parcels = new ArrayList<>();
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
      parcels.add(new PeerPacker.Parcel(new UpdateCodec.Header(5, 7, 0, peer), lists));
    }
    return parcels;
  }

  @ParameterizedTest
  @EnumSource(UpdateEncoding.class)
  void recordsAreTheSameWhateverTheNumberOfThreads(UpdateEncoding encoding) {
    UpdateCodec codec = new UpdateCodec(KINDS, encoding);
    for (int most : new int[] {2, 100, 20_000}) {
      List<PeerPacker.Parcel> parcels = parcels(new Random(SEED + most), most);
      long updates = parcels.stream().mapToLong(PeerPacker.Parcel::updates).sum();
      // The small ones are packed by one thread, the large ones by all.
      assertThat(updates >= PeerPacker.WORTH_WAKING).isEqualTo(most == 20_000);
      for (int threads : new int[] {1, 2, 5, 64}) {
        try (PeerPacker packer = new PeerPacker(codec, PEERS, threads)) {
          for (int again = 0; again < 3; again++) {
            List<List<byte[]>> packed = packer.pack(parcels);
            assertThat(packed).hasSize(PEERS);
            for (int i = 0; i < PEERS; i++) {
              PeerPacker.Parcel parcel = parcels.get(i);
              List<byte[]> expected = codec.encode(parcel.header(), parcel.lists());
              assertThat(packed.get(i).toArray(new byte[0][]))
                  .as("seed %d, most %d, %d threads, peer %d", SEED, most, threads, i + 1)
                  .isDeepEqualTo(expected.toArray(new byte[0][]));
            }
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void whatOneThreadThrowsIsThrown(int threads) {
    UpdateCodec codec = new UpdateCodec(List.of(Kind.LONG), UpdateEncoding.RAW);
    List<PeerPacker.Parcel> parcels = parcels(new Random(SEED), 20_000);
    try (PeerPacker packer = new PeerPacker(codec, PEERS, threads)) {
      // The columns are of other kinds than the codec's.
      assertThatThrownBy(() -> packer.pack(parcels)).isInstanceOf(RuntimeException.class);
    }
  }

  @Test
  void nobodyIsToldWithoutPeers() {
    UpdateCodec codec = new UpdateCodec(KINDS, UpdateEncoding.PACKED);
    try (PeerPacker packer = new PeerPacker(codec, 0, 4)) {
      assertThat(packer.pack(List.of())).isEmpty();
    }
  }
}
