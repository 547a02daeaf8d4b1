package org.sparkgpugraph.runtime.serial;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.SerializerInstance;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.ExchangeVolume;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;
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
            List.of(
                new SuperstepStats(0, KernelChoice.DENSE, 1, 2, 3, 6, new double[] {7})
                    .exchanging(4, 5, ExchangeVolume.NONE)),
            RunSummary.Stopped.CONVERGED,
            99);
    RunSummary back = TaskResult.unpack(throughKryo(TaskResult.pack(summary)), RunSummary.class);
    assertThat(back.engine()).isEqualTo("cpu");
    assertThat(back.nanos()).isEqualTo(99);
    assertThat(back.supersteps()).hasSize(1);
    assertThat(back.supersteps().get(0).aggregates()).containsExactly(7);
  }

  @Test
  void partsOfResultsTravel() {
    Columns values = Columns.allocate(List.of(Kind.LONG), 2);
    values.longs(0)[0] = 7;
    values.longs(0)[1] = 8;
    SlotPart some = throughKryo(new SlotPart(4, new int[] {3, 0}, values));
    SlotPart none = throughKryo(new SlotPart(0, null, Columns.allocate(List.of(Kind.LONG), 0)));
    Object array = SlotPart.assemble(ValueType.of(Long.class), List.of(some, none).iterator());
    assertThat(array).isEqualTo(new long[] {8, 0, 0, 7});
  }

  @Test
  void capacitiesTravel() {
    VertexCapacity capacity = throughKryo(new VertexCapacity(3, 64));
    assertThat(capacity.partition()).isEqualTo(3);
    assertThat(capacity.slots()).isEqualTo(64);
  }
}
