package org.sparkgpugraph.runtime.event;

import java.util.List;
import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * A program does not run on an engine of this library: it falls back to stock GraphX or to Spark's
 * joins, or its caller gets an error.
 *
 * @param calledAt file and line of the caller
 * @param called what was called
 * @param instead {@code graphx}, {@code joins} or {@code error}
 * @param reasons why, one line each
 * @param time milliseconds since 1970
 */
public record GraphProgramRefused(
    String calledAt, String called, String instead, List<String> reasons, long time)
    implements SparkListenerEvent {
  /** Logs of other versions may lack parts. */
  public GraphProgramRefused {
    reasons = reasons == null ? List.of() : List.copyOf(reasons);
  }
}
