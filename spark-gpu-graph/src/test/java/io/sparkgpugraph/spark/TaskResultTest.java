package io.sparkgpugraph.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkgpugraph.engine.KernelChoice;
import io.sparkgpugraph.engine.RunSummary;
import io.sparkgpugraph.engine.SuperstepStats;
import io.sparkgpugraph.graph.IntEdgeBlock;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.SerializerInstance;
import org.junit.jupiter.api.Test;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * What jobs send is readable under {@code spark.serializer = KryoSerializer} without a registrator:
 * a graph of doubles needs none in stock GraphX either.
 */
class TaskResultTest {
  private static final SerializerInstance KRYO =
      new KryoSerializer(new SparkConf(false)).newInstance();

  private static <T> T throughKryo(T object) {
    ClassTag<T> tag = ClassTag$.MODULE$.apply(object.getClass());
    return KRYO.deserialize(KRYO.serialize(object, tag), tag);
  }

  @Test
  void summariesComeBack() {
    RunSummary summary =
        new RunSummary(
            "cpu",
            List.of(new SuperstepStats(0, KernelChoice.DENSE, 1, 2, 3, 4, 5, 6, new double[] {7})),
            RunSummary.Stopped.CONVERGED,
            99);
    RunSummary back = TaskResult.unpack(throughKryo(TaskResult.pack(summary)), RunSummary.class);
    assertThat(back.engine()).isEqualTo("cpu");
    assertThat(back.nanos()).isEqualTo(99);
    assertThat(back.supersteps()).hasSize(1);
    assertThat(back.supersteps().get(0).aggregates()).containsExactly(7);
  }

  @Test
  void parcelsTravel() {
    LoadTask.Parcel parcel =
        throughKryo(
            new LoadTask.Parcel(
                3, 1, new IntEdgeBlock(1, new int[] {5}, new int[] {6}, null), null));
    assertThat(parcel.partition()).isEqualTo(3);
    assertThat(parcel.sequence()).isEqualTo(1);
    assertThat(parcel.edges().destination(0)).isEqualTo(6);
    assertThat(parcel.vertices()).isNull();
  }
}
