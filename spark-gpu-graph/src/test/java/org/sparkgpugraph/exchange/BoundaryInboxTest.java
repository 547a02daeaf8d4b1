package org.sparkgpugraph.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.program.ir.Kind;

/** A reader that is sent all vertices of a home takes its ghosts out of them. */
@Tag("any-spark")
class BoundaryInboxTest {
  private static final List<Kind> STATE = List.of(Kind.INT, Kind.DOUBLE);

  @Test
  void ghostsAreTakenOutOfAllVertices() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      String what = "seed " + seed;
      int stored = 1 + random.nextInt(500);
      int[] members =
          random.ints(0, stored).limit(1 + random.nextInt(stored)).distinct().sorted().toArray();
      int firstGhost = random.nextInt(10);
      Columns home = Columns.allocate(STATE, stored);
      VertexBitmap active = new VertexBitmap(stored);
      for (int v = 0; v < stored; v++) {
        home.ints(0)[v] = random.nextInt();
        home.doubles(1)[v] = random.nextDouble();
        if (random.nextInt(3) == 0) {
          active.add(v);
        }
      }
      boolean travels = random.nextBoolean();
      int[] shipped = {1};
      RefinedUpdates all = new RefinedUpdates(List.of(Kind.DOUBLE));
      all.all(stored, travels ? active : null, home.arrays(), shipped);
      // In parts, as records below a limit bring them.
      UpdateCodec codec =
          new UpdateCodec(all.kinds(), UpdateEncoding.PACKED, 100 + random.nextInt(2000));
      UpdateCodec.Header header = new UpdateCodec.Header(1, 2, 3, 4);
      Columns reader = Columns.allocate(STATE, firstGhost + members.length);
      VertexBitmap ghosts = new VertexBitmap(reader.length());
      BoundaryInbox inbox =
          new BoundaryInbox(new BoundaryList(0, 1, members, firstGhost), shipped, ExchangeMode.ALL);
      int[] woken = {0};
      for (byte[] record : codec.encode(header, List.of(all))) {
        codec.decode(
            record,
            header,
            (list, updates) -> woken[0] += inbox.apply(updates, reader.arrays(), ghosts));
      }
      int expected = 0;
      for (int i = 0; i < members.length; i++) {
        boolean isActive = travels && active.contains(members[i]);
        expected += isActive ? 1 : 0;
        assertThat(reader.doubles(1)[firstGhost + i])
            .as(what)
            .isEqualTo(home.doubles(1)[members[i]]);
        assertThat(reader.ints(0)[firstGhost + i]).as(what).isZero();
        assertThat(ghosts.contains(firstGhost + i)).as(what).isEqualTo(isActive);
      }
      assertThat(woken[0]).as(what).isEqualTo(expected).isEqualTo(ghosts.count());
    }
  }
}
