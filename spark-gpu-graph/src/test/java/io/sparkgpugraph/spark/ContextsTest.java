package io.sparkgpugraph.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkgpugraph.testing.ForkedJvm;
import org.junit.jupiter.api.Test;

/** Retries, a second SparkContext in one JVM, and memory that is short. */
class ContextsTest {
  @Test
  void contextsLeaveNothingToTheNext() throws Exception {
    ForkedJvm.Ended ended = ForkedJvm.run(ContextsJob.class);
    assertThat(ended.status()).as(ended.output()).isZero();
    assertThat(ended.output()).contains("retries and restart: done", "eviction: done");
  }
}
