package org.sparkgpugraph.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.testing.JobProcess;

/** Retries, a second SparkContext in one JVM, and memory that is short. */
@Tag("any-spark-4")
class ContextsTest {
  @Test
  void aContextThatStopsEndsARunOverSeveralShards(@TempDir Path scratch) throws Exception {
    JobProcess.Ended ended = JobProcess.run(StoppedContextJob.class, scratch.toString());
    assertThat(ended.status()).as(ended.output()).isZero();
    assertThat(ended.output()).contains("stopped: done");
  }

  @Test
  void contextsLeaveNothingToTheNext() throws Exception {
    JobProcess.Ended ended = JobProcess.run(ContextsJob.class);
    assertThat(ended.status()).as(ended.output()).isZero();
    assertThat(ended.output()).contains("retries and restart: done", "eviction: done");
  }
}
