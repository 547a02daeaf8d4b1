package org.sparkgpugraph.engine.device.settings;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.analysis.AtomicMerge;
import org.sparkgpugraph.program.analysis.ImprovingSends;
import org.sparkgpugraph.program.analysis.ResidualProof;
import org.sparkgpugraph.program.analysis.Residuals;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.run.ActiveDirection;

/**
 * How supersteps of a program push: active vertices stand in a queue, and messages are merged by
 * atomic operations, or by the program's own function ({@code sgg/push.cuh}).
 *
 * @param mode how messages are merged
 * @param merge by which operation each message column is merged; empty: by the program's function
 * @param out whether active vertices walk their out-edges
 * @param in whether they walk their in-edges
 * @param both whether an edge counts only when both of its ends are active
 * @param senders how a vertex's own value shows that none of its messages can improve a receiver:
 *     the first superstep then leaves such vertices out; null: it does not
 * @param buckets whether vertices with large values are put off until those with small ones are
 *     done: values are sums of edge values, probably
 * @param singleSuperstep whether a launch runs one superstep only: functions read the superstep
 *     number or aggregates, which the host sets before each
 * @param order in which a row's edges say the best first; null: in none that is known
 */
public record Pushing(
    MergeMode mode,
    List<MergeAlgebra> merge,
    boolean out,
    boolean in,
    boolean both,
    ImprovingSends senders,
    boolean buckets,
    boolean singleSuperstep,
    EdgeOrder order) {
  /**
   * How a program pushes; empty: it does not. Where values are told to other partitions only those
   * are pushed that messages merge straight into; what feeds aggregates never is.
   *
   * @param direction which edges are evaluated
   */
  public static Optional<Pushing> of(
      LiftedProgram program, KernelShape shape, ActiveDirection direction) {
    if (shape.everyVertex() || shape.gatherAll()) {
      return Optional.empty();
    }
    boolean outSide = KernelShape.neighbourRowsAreCandidates(direction, true);
    boolean inSide = KernelShape.neighbourRowsAreCandidates(direction, false);
    boolean reaches = (!shape.inRows() || outSide) && (!shape.outRows() || inSide);
    Optional<MergeAlgebra> intoValue =
        shape.inPlace() && reaches ? AtomicMerge.intoValue(program) : Optional.empty();
    if (intoValue.isPresent()) {
      return Optional.of(
          new Pushing(
              MergeMode.VALUES,
              List.of(intoValue.get()),
              shape.inRows(),
              shape.outRows(),
              false,
              ImprovingSends.of(program).orElse(null),
              intoValue.get() == MergeAlgebra.MIN && program.send().reads(Role.EDGE),
              false,
              EdgeOrder.of(program, shape, intoValue.get()).orElse(null)));
    }
    List<MergeAlgebra> merge = AtomicMerge.intoSlots(program);
    if (merge.isEmpty() || !program.aggregates().isEmpty() || shape.tracksChanges()) {
      return Optional.empty();
    }
    ImprovingSends senders = reaches ? ImprovingSends.of(program).orElse(null) : null;
    return Optional.of(slots(program, direction, MergeMode.SLOTS, merge, senders));
  }

  /**
   * How a program pushes where its own merge function merges, on one partition; empty: it does not.
   * The function has to be commutative and associative, as Pregel's contract has it; what is found
   * to keep the first of two messages is refused.
   *
   * @param direction which edges are evaluated
   * @param mode {@link MergeMode#DELEGATED} or {@link MergeMode#LOCKED}
   */
  public static Optional<Pushing> byProgram(
      LiftedProgram program, KernelShape shape, ActiveDirection direction, MergeMode mode) {
    boolean refused =
        shape.everyVertex()
            || shape.gatherAll()
            || shape.tracksChanges()
            || program.mergesByMode()
            || !program.aggregates().isEmpty()
            || program.traits().merge().contains(MergeAlgebra.FIRST)
            || !DelegateLayout.fits(program.message().columns());
    return refused
        ? Optional.empty()
        : Optional.of(slots(program, direction, mode, List.of(), null));
  }

  /**
   * How a program pushes in a way that is asked for; empty: it does not in that way.
   *
   * @param mode one that is {@link MergeMode#isAskedFor}
   * @param direction which edges are evaluated
   */
  public static Optional<Pushing> askedFor(
      MergeMode mode, LiftedProgram program, KernelShape shape, ActiveDirection direction) {
    return mode == MergeMode.RESIDUALS
        ? residuals(program, shape, direction)
        : byProgram(program, shape, direction, mode);
  }

  /**
   * How a program pushes residuals: whoever got something says on what its value grew by, on a
   * graph of one partition.
   */
  private static Optional<Pushing> residuals(
      LiftedProgram program, KernelShape shape, ActiveDirection direction) {
    if (shape.everyVertex() || shape.gatherAll() || shape.tracksChanges()) {
      return Optional.empty();
    }
    return ResidualProof.of(program)
        .filter(residuals -> direction == sending(residuals))
        .map(
            residuals ->
                slots(program, direction, MergeMode.RESIDUALS, List.of(MergeAlgebra.SUM), null));
  }

  /** The direction in which senders alone are active. */
  public static ActiveDirection sending(Residuals residuals) {
    return residuals.receivers() == Side.DESTINATION ? ActiveDirection.OUT : ActiveDirection.IN;
  }

  private static Pushing slots(
      LiftedProgram program,
      ActiveDirection direction,
      MergeMode mode,
      List<MergeAlgebra> merge,
      ImprovingSends senders) {
    return new Pushing(
        mode,
        merge,
        direction != ActiveDirection.IN,
        direction == ActiveDirection.IN || direction == ActiveDirection.EITHER,
        direction == ActiveDirection.BOTH,
        senders,
        false,
        readsContext(program),
        null);
  }

  /** Whether the first superstep leaves out vertices that send nothing. */
  public boolean prunesSenders() {
    return senders != null;
  }

  /**
   * Whether a row may stop at the first message that says as much as any of a superstep can:
   * messages merge into values, the least or the largest wins, and what is sent depends on the
   * sender's value alone, and is sent only where it improves the receiver. Where it depends on an
   * edge value, too, rows may stop whose edges are {@linkplain #sortsRows in the order} of these.
   */
  public boolean stopsEarly() {
    return intoValue() && senders != null && (!senders.readsEdge() || sortsRows());
  }

  /**
   * Whether supersteps that push and those whose rows stop early may follow each other in one
   * launch: nothing is put off, and no rows are sorted.
   */
  public boolean searches() {
    return stopsEarly() && !sortsRows() && !buckets;
  }

  /** Whether only rows stop early whose edges are sorted by {@link #order}. */
  public boolean sortsRows() {
    return order != null;
  }

  /** Whether messages are merged straight into the receivers' values. */
  public boolean intoValue() {
    return mode == MergeMode.VALUES;
  }

  /**
   * How many evaluations of the send function there are of an edge both of whose ends are active:
   * where messages merge straight into values each end evaluates its own messages.
   */
  public int evaluations() {
    return intoValue() && out && in ? 2 : 1;
  }

  /**
   * Whether values may be relaxed without supersteps, in order of priority: they are numbers of
   * which the least or the largest wins, or residuals. (They are merged in place only where the
   * program is monotone.)
   */
  public boolean asynchronous() {
    return intoValue() && merge.get(0).isOrdered() || spreadsResiduals();
  }

  /** Whether messages are residuals, which are added up until somebody takes them. */
  public boolean spreadsResiduals() {
    return mode == MergeMode.RESIDUALS;
  }

  private static boolean readsContext(LiftedProgram program) {
    return Stream.of(program.send(), program.merge(), program.vertexProgram(), program.activeWhen())
        .anyMatch(Pushing::readsContext);
  }

  private static boolean readsContext(IrFunction function) {
    return function != null && (function.reads(Role.SUPERSTEP) || function.reads(Role.AGGREGATE));
  }
}
