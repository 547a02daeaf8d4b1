package org.sparkgpugraph.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.spark.HashPartitioner;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.shuffle.FetchFailedException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/** What one class does to the shared context is nothing that the next one meets. */
@Tag("any-spark")
class SharedSparkTest {
  /** More than a task sends itself: it is fetched from the block manager. */
  private static final int RESULT = 2 << 20;

  @Test
  void aContextThatLostItsBlockManagerIsReplaced() {
    SharedSpark.renewIfBroken();
    JavaSparkContext broken = SharedSpark.context();
    JavaPairRDD<Integer, Integer> shuffled =
        broken
            .parallelize(List.of(1, 2, 3, 4), 2)
            .mapToPair(i -> new Tuple2<>(i, i))
            .partitionBy(new HashPartitioner(2));
    int shuffle = ((ShuffleDependency<?, ?, ?>) shuffled.rdd().dependencies().head()).shuffleId();
    assertThat(shuffled.keys().map(key -> afterFailedFetch(key, shuffle)).collect())
        .containsExactlyInAnyOrder(1, 2, 3, 4);
    SharedSpark.renewIfBroken();
    JavaSparkContext next = SharedSpark.context();
    assertThat(next).isNotSameAs(broken);
    assertThat(broken.sc().isStopped()).isTrue();
    assertThat(next.parallelize(List.of(RESULT), 1).map(byte[]::new).first()).hasSize(RESULT);
  }

  @Test
  void aContextThatWorksIsKept() {
    SharedSpark.renewIfBroken();
    JavaSparkContext context = SharedSpark.context();
    SharedSpark.renewIfBroken();
    assertThat(SharedSpark.context()).isSameAs(context);
  }

  /** Fails in the first attempt, as if another task's output could not be fetched. */
  private static int afterFailedFetch(int key, int shuffle) throws FetchFailedException {
    TaskContext task = TaskContext.get();
    if (task.stageAttemptNumber() == 0) {
      throw new FetchFailedException(
          SparkEnv.get().blockManager().blockManagerId(),
          shuffle,
          0,
          0,
          task.partitionId(),
          "planted",
          null);
    }
    return key;
  }
}
