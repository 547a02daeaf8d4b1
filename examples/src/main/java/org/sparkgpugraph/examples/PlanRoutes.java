package org.sparkgpugraph.examples;

import java.io.PrintStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.examples.command.EmbeddedSpark;
import org.sparkgpugraph.examples.command.JobRunner;
import org.sparkgpugraph.files.generate.LatticeGraph;
import org.sparkgpugraph.lib.Bfs;
import org.sparkgpugraph.lib.MultiSourceBfs;
import org.sparkgpugraph.lib.ShortestPaths;
import org.sparkgpugraph.lib.Sssp;
import org.sparkgpugraph.lib.WidestPaths;
import org.sparkgpugraph.run.RunOptions;

/** Ways through a city of 50 by 50 crossings, from one corner to the opposite one. */
public final class PlanRoutes {
  private static final int SIDE = 50;
  private static final long FROM = 0;
  private static final long TO = SIDE * SIDE - 1L;

  private PlanRoutes() {}

  /** Prints the lengths of several kinds of shortest ways. */
  public static void main(String[] args) {
    run(System.out);
    EmbeddedSpark.end(JobRunner.DONE);
  }

  static void run(PrintStream out) {
    JavaSparkContext sc =
        JavaSparkContext.fromSparkContext(EmbeddedSpark.session("PlanRoutes").sparkContext());
    RunOptions options = RunOptions.DEFAULT;
    try (ResidentGraph<Object, Double> city =
        GpuPregel.load(
            new LatticeGraph(SIDE, SIDE, 1).edges(sc, 4, true, false), Double.class, options)) {
      out.println("fewest streets: " + at(Bfs.run(city, FROM, options)));
      out.println("shortest way: " + at(Sssp.run(city, FROM, options)));
      out.println("widest way: " + at(WidestPaths.run(city, FROM, options)));
      long[] stations = {FROM, SIDE - 1L, TO};
      // Hops from a crossing to each of the stations, and which stations reach it.
      int[] hops = at(ShortestPaths.run(city, stations, options), 0);
      out.println("to the stations: " + hops[0] + " " + hops[1] + " " + hops[2]);
      out.println(
          "stations that reach: " + at(MultiSourceBfs.run(city, stations, options)).count());
    }
  }

  private static <T> T at(VertexResult<T> values) {
    return at(values, TO);
  }

  private static <T> T at(VertexResult<T> values, long crossing) {
    try (values) {
      return values.collectAsMap().get(crossing);
    }
  }
}
