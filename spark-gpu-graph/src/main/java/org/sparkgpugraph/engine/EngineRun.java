package org.sparkgpugraph.engine;

import java.util.List;
import java.util.Optional;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.run.SuperstepStats;

/**
 * One program on one executor graph, superstep by superstep. Not thread-safe; the engine uses
 * threads inside a superstep. Closing it frees everything that it holds beside the graph.
 */
public interface EngineRun extends AutoCloseable {
  /**
   * Runs superstep 0: the vertex program on every vertex (ghosts too) with the initial message.
   * Under everyVertex without an initial message it only starts the values.
   */
  SuperstepStats initialise();

  /**
   * Runs the next superstep: gather the messages that the values and activity of the last one send,
   * merge them, run the vertex program on the receivers, exchange refined boundary updates.
   *
   * @param aggregates values of the aggregates of the superstep before
   */
  SuperstepStats step(double[] aggregates);

  /**
   * Says that from now on nothing is asked for between two steps of this run, so that it may do
   * several at a time; values, activity and results are asked for only when the run has converged,
   * done all iterations, or come to what its {@link org.sparkgpugraph.run.AggregateAtMost} says.
   */
  default void runAhead() {}

  /**
   * Says that of a run in place nothing but steps is asked for until so many more are done, so that
   * it may do several at a time. It may have done more of them than were asked for: {@link
   * #isAhead} says so, and they have to be asked for before anything else. Holds for the next step.
   *
   * @param supersteps at least 1, which is what holds unless it is said
   * @param work edges and vertices that may be walked, about, beside those of one superstep, where
   *     values are relaxed without supersteps: what is left then is active; 0 unless it is said
   */
  default void mayRunAhead(int supersteps, long work) {}

  /** Whether a step was done that was not asked for. */
  default boolean isAhead() {
    return false;
  }

  /**
   * What readers in other executor graphs are told: entry k is what changed of {@code
   * graph.exports().get(k)} since this was last asked for (since {@link #initialise}, which needs
   * no exchange; after {@link #restore} all of the list). Asking changes what the next call says,
   * so a caller that may need it again keeps it.
   *
   * <p>With exports, it must be asked for after every step (before the next one) and every restore;
   * only a run in place ({@link KernelShape#inPlace}) may do several steps before. A program has
   * converged when no vertex is active in any executor graph; after several steps in place also
   * none may have anything to tell, since what changed in the first of them may still wake its
   * reader.
   *
   * <p>Under {@link org.sparkgpugraph.exchange.ExchangeMode#ALL} positions are local indexes at
   * home.
   *
   * @return valid until the next step
   */
  List<RefinedUpdates> outgoing();

  /**
   * Takes what another executor graph says, between two supersteps: ghosts get their values, active
   * ones are active in the next step. A list may come in several parts, at once or one after the
   * other.
   *
   * @param list which of {@code graphs.imports()}
   * @param parts no vertex is in two of them; in any order
   */
  void incoming(int list, List<RefinedUpdates> parts);

  /**
   * How this run tells hubs partial messages, where {@link RunSettings#hubs} are asked for and it
   * can; empty: it cannot, so no run of the program may.
   */
  default Optional<PartialExchange> partialExchange() {
    return Optional.empty();
  }

  /**
   * Which held vertices of a partition are active for the next superstep.
   *
   * @return a bitmap of {@code stored} bits, a copy; null when every vertex always runs
   */
  long[] activity(int partition);

  /**
   * Continues behind a superstep, instead of {@link #initialise} or after other supersteps. Behind
   * superstep 0, and in place, the next step evaluates all edges. The ghosts of the partitions here
   * are right afterwards, those of other executor graphs once all {@link #incoming} updates that
   * their homes then send have come.
   *
   * @param superstep the last superstep that was done
   * @param values state columns of each partition, {@code stored} rows
   * @param activity see {@link #activity}, one for each partition
   */
  void restore(int superstep, List<Columns> values, List<long[]> activity);

  /**
   * The state columns of a partition's vertices, hidden ones too, {@code stored} rows; valid until
   * the next step or close.
   */
  Columns values(int partition);

  /**
   * The final aggregates over the vertices of all partitions here, computed now from the values as
   * they are; one per {@link org.sparkgpugraph.program.LiftedProgram#finalAggregates()}.
   */
  double[] finalAggregates();

  /**
   * The columns of the result function of a partition's vertices, {@code stored} rows, computed
   * now; the state's first columns when the program has no result function. Rows of vertices that
   * do not exist are zero. A table with a result function's columns is the caller's to keep; state
   * columns are valid until the next step or close.
   *
   * @param finalAggregates final aggregates over the whole graph
   */
  Columns results(int partition, double[] finalAggregates);

  /** Where the time of a run on devices went so far; empty on the CPU. */
  default Optional<DeviceTimings> deviceTimings() {
    return Optional.empty();
  }

  /**
   * Which ways the run has taken where it had a choice, and the figures that decided, a line each;
   * complete once it has ended.
   */
  default List<String> notes() {
    return List.of();
  }

  /**
   * The note of a run some of whose rows stopped early.
   *
   * @param supersteps in which they did
   */
  static String stopNote(long supersteps) {
    return "rows stopped at the first message that said as much as any could in "
        + supersteps
        + (supersteps == 1 ? " superstep" : " supersteps");
  }

  @Override
  void close();
}
