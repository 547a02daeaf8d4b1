package org.sparkgpugraph.runtime.report;

import org.sparkgpugraph.runtime.event.GraphProgramRefused;

/**
 * A program that no engine of the library ran.
 *
 * @param id number of it, from 0
 */
public record Refusal(long id, GraphProgramRefused event) {
  /** What became of it. */
  public String became() {
    return switch (event.instead()) {
      case "graphx" -> "runs on stock GraphX";
      case "joins" -> "runs on Spark's joins";
      default -> "error";
    };
  }
}
