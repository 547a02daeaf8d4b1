package org.sparkgpugraph.runtime.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.testing.JobProcess;

/** What the tab shows, of an application that runs and in the history server. */
class GraphUiTest {
  @Test
  void runsAreShown(@TempDir Path folder) throws Exception {
    JobProcess.Ended ended = JobProcess.run(GraphUiJob.class, folder.toString());
    assertThat(ended.status()).as(ended.output()).isZero();
    assertThat(ended.output()).contains("application: done", "history server: done");
    for (String page : new String[] {"live", "history"}) {
      assertThat(Files.readString(folder.resolve(page + "-runs.html"))).contains("PageRank");
    }
  }
}
