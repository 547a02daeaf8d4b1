package org.sparkgpugraph.engine.device.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("any-spark")
class HubTablesTest {
  private static int[] offsets(int... degrees) {
    int[] offsets = new int[degrees.length + 1];
    for (int v = 0; v < degrees.length; v++) {
      offsets[v + 1] = offsets[v] + degrees[v];
    }
    return offsets;
  }

  @Test
  void cutsHubsIntoChunks() {
    int[] in = offsets(0, 5, 33, 32, 2);
    int[] out = offsets(40, 0, 3, 32, 0);
    HubTables hubs = HubTables.of(5, in, out, null, 32, 16);
    // Row 0 has many out-edges, row 2 many in-edges; 32 are not more than 32.
    assertThat(hubs.rows()).containsExactly(0, 2);
    assertThat(hubs.firstChunk()).containsExactly(0, 3, 7);
    assertThat(hubs.chunkHub()).containsExactly(0, 0, 0, 1, 1, 1, 1);
    assertThat(hubs.chunkSide()).containsExactly(1, 1, 1, 0, 0, 0, 1);
    assertThat(hubs.chunkBegin()).containsExactly(0, 16, 32, 5, 21, 37, 40);
    assertThat(hubs.chunkEnd()).containsExactly(16, 32, 40, 21, 37, 38, 43);
  }

  @Test
  void leavesOutVerticesThatDoNotExist() {
    int[] in = offsets(9, 9, 9);
    HubTables hubs = HubTables.of(3, in, null, new long[] {0b101}, 1, 100);
    assertThat(hubs.rows()).containsExactly(0, 2);
    assertThat(hubs.chunks()).isEqualTo(2);
  }

  @Test
  void aGraphWithoutHubsHasEmptyTables() {
    HubTables hubs = HubTables.of(3, offsets(1, 1, 1), null, null, 1, 100);
    assertThat(hubs.hubs()).isZero();
    assertThat(hubs.firstChunk()).containsExactly(0);
    assertThat(HubTables.of(0, offsets(), offsets(), null, 0, 1).hubs()).isZero();
  }

  /** A hub's chunks cover its in-edges, then its out-edges, without a gap; others have none. */
  @Property(tries = 200)
  void chunksCoverTheEdgesOfHubs(
      @ForAll long seed,
      @ForAll @IntRange(max = 60) int rows,
      @ForAll @IntRange(max = 40) int hubDegree,
      @ForAll @IntRange(min = 1, max = 50) int chunkEdges) {
    Random random = new Random(seed);
    int[] in = random.nextInt(4) == 0 ? null : offsets(random.ints(rows, 0, 80).toArray());
    int[] out = random.nextInt(4) == 0 ? null : offsets(random.ints(rows, 0, 80).toArray());
    HubTables hubs = HubTables.of(rows, in, out, null, hubDegree, chunkEdges);
    int hub = 0;
    for (int v = 0; v < rows; v++) {
      int inDegree = in == null ? 0 : in[v + 1] - in[v];
      int outDegree = out == null ? 0 : out[v + 1] - out[v];
      if (Math.max(inDegree, outDegree) <= hubDegree) {
        continue;
      }
      assertThat(hubs.rows()[hub]).isEqualTo(v);
      int chunk = hubs.firstChunk()[hub];
      chunk = covered(hubs, hub, chunk, in, v, 0, chunkEdges);
      chunk = covered(hubs, hub, chunk, out, v, 1, chunkEdges);
      assertThat(hubs.firstChunk()[++hub]).isEqualTo(chunk);
    }
    assertThat(hubs.hubs()).isEqualTo(hub);
    assertThat(hubs.chunks()).isEqualTo(hubs.firstChunk()[hub]);
    assertThat(Arrays.stream(hubs.chunkHub()).allMatch(h -> h < hubs.hubs())).isTrue();
  }

  private static int covered(
      HubTables hubs, int hub, int first, int[] offsets, int v, int side, int chunkEdges) {
    if (offsets == null) {
      return first;
    }
    int chunk = first;
    for (int at = offsets[v]; at < offsets[v + 1]; chunk++) {
      assertThat(hubs.chunkHub()[chunk]).isEqualTo(hub);
      assertThat(hubs.chunkSide()[chunk]).isEqualTo(side);
      assertThat(hubs.chunkBegin()[chunk]).isEqualTo(at);
      at = hubs.chunkEnd()[chunk];
      assertThat(at - hubs.chunkBegin()[chunk]).isBetween(1, chunkEdges);
      assertThat(at).isLessThanOrEqualTo(offsets[v + 1]);
    }
    return chunk;
  }
}
