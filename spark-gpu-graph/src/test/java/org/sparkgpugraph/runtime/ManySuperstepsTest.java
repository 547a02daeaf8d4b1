package org.sparkgpugraph.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.testing.JobProcess;

/** Lineage, files and what the driver remembers stay short. */
@Tag("any-spark")
class ManySuperstepsTest {
  @TempDir Path scratch;

  @Test
  void aThousandSuperstepsFitASmallHeap() throws Exception {
    JobProcess.Ended ended =
        JobProcess.run("96m", ManySuperstepsJob.class, "1000", scratch.toString());
    assertThat(ended.status()).as(ended.output()).isZero();
    assertThat(ended.output()).contains("1000 supersteps: done");
  }
}
