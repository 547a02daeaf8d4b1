package org.sparkgpugraph.testing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.operator.GraphOperator;
import org.sparkgpugraph.engine.operator.GraphOperator.Parcel;
import org.sparkgpugraph.engine.operator.GraphOperator.Round;
import org.sparkgpugraph.engine.operator.OperatorInput;
import org.sparkgpugraph.engine.operator.OperatorRun;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;

/** An operator on shards side by side, as executors run it; on a graph in one piece too. */
public final class OperatorTrial {
  /** Hears of a round of a shard. */
  @FunctionalInterface
  public interface Observer {
    void ended(int shard, Round round);
  }

  private OperatorTrial() {}

  /**
   * Runs rounds until no shard has more to do or to say.
   *
   * @param observer hears of every round
   * @param results takes the results of each shard
   */
  public static void run(
      List<? extends ExecutorGraph> shards,
      GraphOperator operator,
      Engine engine,
      int threads,
      Observer observer,
      BiConsumer<ExecutorGraph, Columns> results) {
    List<OperatorRun> runs = new ArrayList<>();
    try {
      for (int s = 0; s < shards.size(); s++) {
        runs.add(
            operator.open(
                new OperatorInput(shards.get(s), null, engine, threads, s, shards.size())));
      }
      List<List<Parcel>> mail = new ArrayList<>(Collections.nCopies(shards.size(), List.of()));
      boolean more = true;
      for (int number = 0; more; number++) {
        more = false;
        List<List<Parcel>> next = new ArrayList<>();
        shards.forEach(s -> next.add(new ArrayList<>()));
        for (int s = 0; s < shards.size(); s++) {
          Round round = runs.get(s).round(number, mail.get(s));
          more |= round.more() || !round.parcels().isEmpty();
          for (Parcel parcel : round.parcels()) {
            next.get(parcel.peer()).add(new Parcel(s, parcel.bytes()));
          }
          observer.ended(s, round);
        }
        mail = next;
      }
      for (int s = 0; s < shards.size(); s++) {
        results.accept(shards.get(s), runs.get(s).results());
      }
    } finally {
      runs.forEach(OperatorRun::close);
    }
  }
}
