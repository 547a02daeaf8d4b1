package org.sparkgpugraph.graphs.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.graphs.model.LocalEdgeBlock;
import org.sparkgpugraph.testing.BoundedMemory;

/** Blocks that are joined: the same edges in the same order. */
@Tag("any-spark")
class JoinedBlocksTest {
  private static EdgeBlock block(Random random, int size, int form, int values) {
    int[] ends = random.ints(size + random.nextInt(3), 0, 1000).toArray();
    long[] wide = random.longs(ends.length).toArray();
    Object of =
        switch (values) {
          case 0 -> null;
          case 1 -> random.doubles(ends.length).toArray();
          case 2 -> random.ints(ends.length).toArray();
          default -> random.ints(ends.length).boxed().toArray(Integer[]::new);
        };
    return switch (form) {
      case 0 -> new IntEdgeBlock(size, ends, ends.clone(), of);
      case 1 -> new GlobalEdgeBlock(size, wide, wide.clone(), of);
      default -> new LocalEdgeBlock(size, ends, ends.clone(), random.longs(1000).toArray(), of);
    };
  }

  private static List<String> edges(List<EdgeBlock> blocks) {
    return blocks.stream()
        .flatMap(
            block ->
                IntStream.range(0, block.size())
                    .mapToObj(
                        i ->
                            block.describe(i)
                                + (block.values() == null ? "" : Array.get(block.values(), i))))
        .toList();
  }

  private static List<EdgeBlock> joined(List<EdgeBlock> blocks, int most, BoundedMemory memory) {
    List<EdgeBlock> all = new ArrayList<>();
    Iterator<EdgeBlock> joined = new JoinedBlocks(blocks.iterator(), most, memory);
    joined.forEachRemaining(
        block -> {
          boolean made = blocks.stream().noneMatch(one -> one == block);
          assertThat(memory.reserved() > 0).isEqualTo(made && block.bytes() > 0);
          all.add(block);
        });
    assertThat(memory.reserved()).isZero();
    return all;
  }

  @Test
  void edgesAndTheirOrderStay() {
    int fewer = 0;
    for (int seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      int forms = 1 + random.nextInt(3);
      int values = 1 + random.nextInt(4);
      List<EdgeBlock> blocks = new ArrayList<>();
      for (int b = random.nextInt(12); b > 0; b--) {
        blocks.add(
            block(random, random.nextInt(40), random.nextInt(forms), random.nextInt(values)));
      }
      int most = random.nextInt(120);
      try {
        List<EdgeBlock> found = joined(blocks, most, new BoundedMemory(Long.MAX_VALUE));
        assertThat(edges(found)).isEqualTo(edges(blocks));
        assertThat(found.stream().filter(block -> !blocks.contains(block)))
            .allMatch(block -> block.size() <= most);
        fewer += found.size() < blocks.size() ? 1 : 0;
        assertThat(joined(blocks, most, new BoundedMemory(0))).isEqualTo(blocks);
      } catch (Throwable e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
    assertThat(fewer).isGreaterThan(100);
  }

  @Test
  void asManyAsFitAreJoined() {
    List<EdgeBlock> blocks = new ArrayList<>();
    for (int b = 0; b < 10; b++) {
      blocks.add(block(new Random(b), 10, 0, 1));
    }
    List<EdgeBlock> found = joined(blocks, 35, new BoundedMemory(Long.MAX_VALUE));
    assertThat(found.stream().map(EdgeBlock::size)).containsExactly(30, 30, 30, 10);
    blocks.add(1, block(new Random(7), 10, 0, 2));
    assertThat(
            joined(blocks, 1000, new BoundedMemory(Long.MAX_VALUE)).stream().map(EdgeBlock::size))
        .as("values of another class stand in between")
        .containsExactly(10, 10, 90);
  }
}
