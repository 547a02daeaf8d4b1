package org.sparkgpugraph.runtime.stage;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.util.AccumulatorV2;

/**
 * Brings the {@link ShardReport}s of one map stage, which has no result, to the driver. The value
 * is a map, so a report that comes twice (a task was run again) counts once. Of two that differ the
 * one that does not say DONE stays: its task said nothing to other shards, and which task's output
 * Spark has taken is not known.
 */
final class ShardReports extends AccumulatorV2<ShardReport, Map<ShardReport.Key, ShardReport>> {
  private static final long serialVersionUID = 1L;

  // Guarded by this: heartbeats read it while the task writes.
  private HashMap<ShardReport.Key, ShardReport> reports = new HashMap<>();

  @Override
  public synchronized boolean isZero() {
    return reports.isEmpty();
  }

  @Override
  public synchronized ShardReports copy() {
    ShardReports copy = new ShardReports();
    copy.reports = new HashMap<>(reports);
    return copy;
  }

  @Override
  public synchronized void reset() {
    reports = new HashMap<>();
  }

  @Override
  public synchronized void add(ShardReport report) {
    reports.merge(
        report.key(), report, (old, now) -> old.outcome() == ShardReport.Outcome.DONE ? now : old);
  }

  @Override
  public void merge(AccumulatorV2<ShardReport, Map<ShardReport.Key, ShardReport>> other) {
    other.value().values().forEach(this::add);
  }

  @Override
  public synchronized Map<ShardReport.Key, ShardReport> value() {
    return new HashMap<>(reports);
  }

  private synchronized void writeObject(java.io.ObjectOutputStream out) throws java.io.IOException {
    out.defaultWriteObject();
  }
}
