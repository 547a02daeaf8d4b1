package org.sparkgpugraph.engine;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.program.LiftedProgram;

/** A line for explain() about each partition, the same for every engine. */
public final class PartitionLines {
  private PartitionLines() {}

  /**
   * A partition's share of the graph, and what it sends the others in a superstep in which all of
   * its boundary vertices change.
   */
  public static List<String> of(ExecutorGraph graph, LiftedProgram program) {
    int rowBytes = FunctionTraits.shippedBytes(program);
    List<String> lines = new ArrayList<>();
    for (GraphPartition partition : graph.partitions()) {
      long bytes = 0;
      int readers = 0;
      for (BoundaryList list : graph.boundaries()) {
        if (list.home() == partition.index()) {
          bytes += RefinedUpdates.bytes(list.size(), list.size(), rowBytes);
          readers++;
        }
      }
      lines.add(
          "partition %s: %s, %s, %s; sends at most %s per superstep to %s"
              .formatted(
                  partition.index(),
                  count(partition.stored(), "vertex"),
                  count(partition.ghosts(), "ghost"),
                  count(partition.bytes(), "byte"),
                  count(bytes, "byte"),
                  count(readers, "partition")));
    }
    return lines;
  }

  /** A number with its noun in the singular or plural: {@code 1 vertex}, {@code 2 vertices}. */
  public static String count(long number, String noun) {
    String plural = noun.endsWith("x") ? noun.substring(0, noun.length() - 2) + "ices" : noun + "s";
    return number + " " + (number == 1 ? noun : plural);
  }
}
