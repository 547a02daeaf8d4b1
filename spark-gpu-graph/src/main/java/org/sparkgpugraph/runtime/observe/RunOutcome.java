package org.sparkgpugraph.runtime.observe;

import java.io.Serializable;
import java.util.List;
import org.sparkgpugraph.run.ExecutorMemory;
import org.sparkgpugraph.run.RunSummary;

/**
 * What executors tell the driver of a run that has ended.
 *
 * @param summary the supersteps
 * @param reason why this engine
 * @param shards what each executor tells, in the order of their parts of the graph
 */
public record RunOutcome(RunSummary summary, String reason, List<ShardAccount> shards)
    implements Serializable {
  public RunOutcome {
    shards = List.copyOf(shards);
  }

  /** What engines have chosen, and by which figures; what several say is told once. */
  public List<String> notes() {
    return shards.stream().flatMap(shard -> shard.notes().stream()).distinct().toList();
  }

  /** What was taken of each executor's memory. */
  public List<ExecutorMemory> memory() {
    return shards.stream().map(ShardAccount::memory).toList();
  }

  /** What engines spent, the longest of each part. */
  public EngineSeconds seconds() {
    return EngineSeconds.longest(shards.stream().map(ShardAccount::seconds).toList());
  }
}
