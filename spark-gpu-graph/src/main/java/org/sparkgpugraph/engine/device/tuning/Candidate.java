package org.sparkgpugraph.engine.device.tuning;

import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.engine.device.settings.WalkSchedule;

/**
 * One way to do a part of a run.
 *
 * @param title as options of benchmarks have it: {@code nested-warp+fine}, {@code fine/shelf}
 * @param rows how rows are gathered; null where the part is another one
 * @param pushes who walks the edges of active vertices, likewise
 */
public record Candidate(String title, DenseTuning rows, WalkSchedule pushes) {
  static Candidate of(DenseTuning rows) {
    return new Candidate(rows.title(), rows, null);
  }

  static Candidate of(WalkSchedule pushes) {
    return new Candidate(pushes.title(), null, pushes);
  }
}
