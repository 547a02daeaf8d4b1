package io.sparkgpugraph.engine;

import io.sparkgpugraph.SuperstepContext;
import io.sparkgpugraph.program.Aggregate;
import java.util.ArrayList;
import java.util.List;

/** Drives an {@link EngineRun} from superstep 0 to the end (GraphX's Pregel loop). */
public final class SuperstepLoop {
  private SuperstepLoop() {}

  /**
   * Runs to the end.
   *
   * @param engine name of the engine, for the summary
   * @param vertexCount vertices of the whole graph
   * @param aggregates the program's aggregates
   */
  public static RunSummary run(
      String engine,
      EngineRun run,
      RunSettings settings,
      long vertexCount,
      List<Aggregate> aggregates,
      ProgressListener listener) {
    long start = System.nanoTime();
    List<SuperstepStats> supersteps = new ArrayList<>();
    SuperstepStats last = run.initialise();
    supersteps.add(last);
    listener.superstepEnded(last);
    RunSummary.Stopped stopped = null;
    boolean ran = settings.initialMessage() != null;
    while (stopped == null) {
      if (ran && stops(settings, last, vertexCount, aggregates)) {
        stopped = RunSummary.Stopped.STOP_WHEN;
      } else if (last.activeVertices() == 0) {
        stopped = RunSummary.Stopped.CONVERGED;
      } else if (last.superstep() >= settings.maxIterations()) {
        stopped = RunSummary.Stopped.MAX_ITERATIONS;
      } else {
        last = run.step(last.aggregates());
        ran = true;
        supersteps.add(last);
        listener.superstepEnded(last);
      }
    }
    return new RunSummary(engine, supersteps, stopped, System.nanoTime() - start);
  }

  private static boolean stops(
      RunSettings settings, SuperstepStats last, long vertexCount, List<Aggregate> aggregates) {
    if (settings.stopWhen() == null) {
      return false;
    }
    return settings
        .stopWhen()
        .test(
            new SuperstepContext() {
              @Override
              public int superstep() {
                return last.superstep();
              }

              @Override
              public long vertexCount() {
                return vertexCount;
              }

              @Override
              public double aggregate(String name) {
                for (int i = 0; i < aggregates.size(); i++) {
                  if (aggregates.get(i).name().equals(name)) {
                    return last.aggregates()[i];
                  }
                }
                throw new IllegalArgumentException(
                    "no aggregate '"
                        + name
                        + "'; the program has "
                        + aggregates.stream().map(Aggregate::name).toList());
              }
            });
  }
}
