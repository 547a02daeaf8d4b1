package org.sparkgpugraph.graphs.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.graphs.model.ValueCodec;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;

/** Values that edges carry, against values that are put to the places of the edges. */
@Tag("any-spark")
class CarriedValuesTest {
  private static final int KNOWN = 3_000;

  @ParameterizedTest
  @EnumSource(Kind.class)
  void areThoseOfThePlaces(Kind kind) {
    ValueCodec codec = ValueCodec.of(new ValueType.Scalar(kind));
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      List<EdgeBlock> blocks = new ArrayList<>();
      for (int b = random.nextInt(5); b >= 0; b--) {
        blocks.add(block(random, kind, random.nextInt(4) == 0 ? 0 : random.nextInt(6_000)));
      }
      List<DenseBlock> dense =
          blocks.stream()
              .map(block -> (IntEdgeBlock) block)
              .map(b -> new DenseBlock(b.size(), b.sources(), b.destinations(), null))
              .toList();
      int from = random.nextInt(3) == 0 ? 0 : random.nextInt(KNOWN / 2);
      int rows = from == 0 ? KNOWN : random.nextInt(KNOWN / 2);
      try (Workers workers = new Workers(1 + random.nextInt(3))) {
        PartitionSlice slice =
            from == 0
                ? PartitionSlice.all(dense, 0)
                : PartitionSlice.of(dense, from, from + rows, workers);
        CarriedValues carried = CarriedValues.of(slice, blocks, codec, workers);
        assertThat(carried == null).isEqualTo(kind == Kind.BOOLEAN);
        if (carried == null) {
          continue;
        }
        RowSort.carrying(slice.blocks(), slice.first(), rows, KNOWN, carried, workers);
        RowBuilder.Made made =
            RowSort.of(slice.blocks(), slice.first(), rows, KNOWN, true, workers);
        Columns expected = EdgeValueLoader.read(codec, slice, blocks, made.places(), workers);
        assertThat(carried.inOrder().array(0)).isEqualTo(expected.array(0));
        assertThat(PartitionRows.of(slice, blocks, KNOWN, rows, codec, workers).values().array(0))
            .isEqualTo(expected.array(0));
      } catch (Throwable e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  /** Boxes may be null, which is told by the edge. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void objectsAreNotCarried(Kind kind) {
    ValueCodec codec = ValueCodec.of(new ValueType.Scalar(kind));
    IntEdgeBlock block =
        new IntEdgeBlock(1, new int[] {1}, new int[] {2}, new Object[] {kind.zero()});
    DenseBlock dense = new DenseBlock(1, block.sources(), block.destinations(), null);
    try (Workers workers = new Workers(1)) {
      PartitionSlice slice = PartitionSlice.all(List.of(dense), 0);
      assertThat(CarriedValues.of(slice, List.of(block), codec, workers)).isNull();
    }
  }

  private static EdgeBlock block(Random random, Kind kind, int size) {
    int[] sources = random.ints(size, 0, KNOWN).toArray();
    int[] destinations = random.ints(size, 0, KNOWN).toArray();
    // Longer than the block, as arrays may be.
    Object values =
        switch (kind) {
          case INT -> random.ints(size + 2).toArray();
          case LONG -> random.longs(size + 2).toArray();
          case DOUBLE -> random.doubles(size + 2).toArray();
          case FLOAT -> {
            float[] floats = new float[size + 2];
            for (int i = 0; i < floats.length; i++) {
              floats[i] = (float) random.nextGaussian();
            }
            yield floats;
          }
          case BOOLEAN -> {
            boolean[] booleans = new boolean[size + 2];
            for (int i = 0; i < booleans.length; i++) {
              booleans[i] = random.nextBoolean();
            }
            yield booleans;
          }
        };
    return new IntEdgeBlock(size, sources, destinations, values);
  }
}
