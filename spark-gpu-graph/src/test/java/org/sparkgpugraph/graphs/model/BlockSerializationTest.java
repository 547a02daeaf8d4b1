package org.sparkgpugraph.graphs.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.SerializerInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.sparkgpugraph.graphs.memory.Columns;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Blocks travel through Spark's shuffle on a cluster, with either serializer. */
class BlockSerializationTest {
  static Stream<Arguments> serializers() {
    return Stream.of(
        Arguments.of("Java", new JavaSerializer(new SparkConf(false)).newInstance()),
        Arguments.of("Kryo", new KryoSerializer(new SparkConf(false)).newInstance()));
  }

  private static <T> T copy(SerializerInstance serializer, T object) {
    ClassTag<T> tag = ClassTag$.MODULE$.apply(object.getClass());
    return serializer.deserialize(serializer.serialize(object, tag), tag);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("serializers")
  void edgeBlocks(String name, SerializerInstance serializer) {
    List<EdgeBlock> blocks =
        List.of(
            new LocalEdgeBlock(
                2, new int[] {0, 1}, new int[] {1, 2}, new long[] {-5, 7, 1L << 60}, null),
            new IntEdgeBlock(2, new int[] {0, 1}, new int[] {1, 2}, new double[] {1, 2}),
            new GlobalEdgeBlock(2, new long[] {-5, 7}, new long[] {7, 9}, new Object[] {1.0, 2L}));
    for (EdgeBlock block : blocks) {
      EdgeBlock copy = copy(serializer, block);
      assertThat(copy).isNotSameAs(block).hasSameClassAs(block);
      assertThat(copy.size()).isEqualTo(block.size());
      for (int i = 0; i < block.size(); i++) {
        assertThat(copy.describe(i)).isEqualTo(block.describe(i));
      }
      assertThat(copy.values()).isEqualTo(block.values());
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("serializers")
  void vertexBlocks(String name, SerializerInstance serializer) {
    VertexBlock block = new VertexBlock(2, new long[] {3, 4}, new int[] {5, 1}, 8, new float[8]);
    VertexBlock copy = copy(serializer, block);
    assertThat(copy.ids()).isEqualTo(block.ids());
    assertThat(copy.slot(0)).isEqualTo(5);
    assertThat(copy.capacity()).isEqualTo(8);
    assertThat(copy.values()).isEqualTo(block.values());
    assertThat(copy(serializer, new VertexBlock(new long[] {1}, null)).slots()).isNull();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("serializers")
  void columns(String name, SerializerInstance serializer) {
    Columns columns =
        Columns.allocate(
            List.of(
                org.sparkgpugraph.program.ir.Kind.INT, org.sparkgpugraph.program.ir.Kind.BOOLEAN),
            3);
    columns.ints(0)[2] = 9;
    Columns copy = copy(serializer, columns);
    assertThat(copy.kinds()).isEqualTo(columns.kinds());
    assertThat(copy.ints(0)).containsExactly(0, 0, 9);
    assertThat(copy.length()).isEqualTo(3);
  }
}
