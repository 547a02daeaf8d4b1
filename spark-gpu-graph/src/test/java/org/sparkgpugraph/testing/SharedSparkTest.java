package org.sparkgpugraph.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedSpark.class)
class SharedSparkTest {
  @Test
  void aContextWhoseBlocksAreForgottenIsReplaced() {
    JavaSparkContext first = SharedSpark.context();
    assertThat(SharedSpark.stopIfForgotten()).isFalse();
    first.env().blockManager().master().removeExecutor("driver");
    assertThat(SharedSpark.stopIfForgotten()).isTrue();
    JavaSparkContext second = SharedSpark.context();
    assertThat(second).isNotSameAs(first);
    // Too large for a message: its way is the block manager.
    List<byte[]> large = second.parallelize(List.of(1), 1).map(i -> new byte[2 << 20]).collect();
    assertThat(large.get(0)).hasSize(2 << 20);
  }
}
