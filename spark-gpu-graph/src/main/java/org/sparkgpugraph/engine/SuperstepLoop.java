package org.sparkgpugraph.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.sparkgpugraph.function.SuperstepContext;
import org.sparkgpugraph.program.Aggregate;
import org.sparkgpugraph.run.AggregateAtMost;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;

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
    if (settings.stopWhen() == null || settings.stopWhen() instanceof AggregateAtMost) {
      run.runAhead();
    }
    SuperstepStats last = run.initialise();
    supersteps.add(last);
    listener.superstepEnded(last);
    RunSummary.Stopped stopped;
    boolean ran = settings.initialMessage() != null;
    while (true) {
      stopped = stopped(settings, last, ran, vertexCount, aggregates);
      if (stopped != null) {
        break;
      }
      last = run.step(last.aggregates());
      ran = true;
      supersteps.add(last);
      listener.superstepEnded(last);
    }
    return new RunSummary(engine, supersteps, stopped, System.nanoTime() - start);
  }

  /**
   * Whether a run ends behind a superstep.
   *
   * @param last the superstep
   * @param ran whether the vertex program has run: not behind a superstep 0 without initial message
   * @return why; null: it goes on
   */
  public static RunSummary.Stopped stopped(
      RunSettings settings,
      SuperstepStats last,
      boolean ran,
      long vertexCount,
      List<Aggregate> aggregates) {
    if (ran && stops(settings, last, vertexCount, aggregates)) {
      return RunSummary.Stopped.STOP_WHEN;
    }
    if (last.activeVertices() == 0) {
      return RunSummary.Stopped.CONVERGED;
    }
    return last.superstep() >= settings.maxIterations() ? RunSummary.Stopped.MAX_ITERATIONS : null;
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

              @Override
              public double[] aggregates() {
                return Arrays.copyOf(last.aggregates(), aggregates.size());
              }
            });
  }
}
