package org.sparkgpugraph.program.lanes;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.sparkgpugraph.program.ir.ArrayPlaces;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.CodeCleaner;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.CountedLoops;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.SourcePosition;

/**
 * A send function with a loop of as many rounds as data say, cut in three, so that all lanes of a
 * warp can share the loops of all of them (collaborative task engagement, Khorasani 2016, section
 * 4.2; {@code sgg/tasks.cuh}): what is done before the loop and behind it, a lane per edge as ever;
 * and one round, which any lane can do for any other. That is legal where rounds have nothing to do
 * with each other but what they add up, or join otherwise in any order ({@link Reduction.Fold}).
 *
 * <p>Columns that {@link #before} returns: where the code goes on (0: with the loop), the first
 * number of the loop's rounds, the number behind the last one, and what rounds and {@link #after}
 * read of the lane's variables, which they know as {@link Role#VALUE} by the same indexes.
 *
 * @param before the code up to the loop; the parameters of the send function
 * @param round one round: {@link Role#VALUE}, its number as {@link Role#MESSAGE}, and parameters
 *     that are the same for all vertices; returns what {@code folds} join
 * @param after the code behind the loop, or that without it: the parameters of the send function,
 *     {@link Role#VALUE}, and the joined results of the rounds as {@link Role#MESSAGE}
 * @param folds what the rounds hand on
 */
public record TaskForm(
    IrFunction before, IrFunction round, IrFunction after, List<TaskForm.Fold> folds) {
  /** Column of {@link #before}: which way the code goes on. */
  public static final int WAY = 0;

  /** … the number of the first round. */
  public static final int FIRST = 1;

  /** … and the one behind the last. */
  public static final int END = 2;

  private static final int HELD = 3;

  /**
   * A result of rounds.
   *
   * @param kind of its values
   * @param operator that joins two of them
   * @param held the column of {@code before} with the value when the loop begins, where a lane has
   *     to begin with that; −1: it begins with the operator's identity
   */
  public record Fold(Kind kind, Reduction.Operator operator, int held) {}

  public TaskForm {
    folds = List.copyOf(folds);
  }

  /**
   * The form of a send function; empty where it has none.
   *
   * @param function with messages to one side at most
   */
  public static Optional<TaskForm> of(IrFunction function) {
    try {
      return Optional.of(new Search(function).form());
    } catch (ObstacleException e) {
      return Optional.empty();
    }
  }

  /** Why it has no such form; empty where it has one. */
  public static Optional<Obstacle> obstacle(IrFunction function) {
    try {
      Objects.requireNonNull(new Search(function).form());
      return Optional.empty();
    } catch (ObstacleException e) {
      return Optional.of(e.obstacle());
    }
  }

  /** Cuts a function. */
  private static final class Search {
    private static final SourcePosition NOWHERE = SourcePosition.NONE;

    private final IrFunction function;
    private List<Insn> code;
    private CountedLoops.Loop loop;
    private CodeFlow flow;
    private CodeCut cut;
    private final List<Integer> held = new ArrayList<>();

    Search(IrFunction function) {
      this.function = function;
      this.code = function.code();
    }

    TaskForm form() throws ObstacleException {
      List<Kind> kinds = function.variables();
      if (!new ArrayPlaces(function.parameters(), kinds, code).places().isEmpty()) {
        throw new ObstacleException("has arrays", NOWHERE);
      }
      ObstacleException why =
          new ObstacleException("has no loop of as many rounds as data say", NOWHERE);
      for (int n = 0; n < TaskLoops.of(code, kinds).size(); n++) {
        code = LoopExits.moved(function.code(), TaskLoops.of(function.code(), kinds).get(n));
        loop = TaskLoops.of(code, kinds).get(n);
        try {
          return cut();
        } catch (ObstacleException e) {
          why = e;
          code = function.code();
        }
      }
      throw why;
    }

    private TaskForm cut() throws ObstacleException {
      held.clear();
      flow = new CodeFlow(code);
      cut = new CodeCut(function, code, loop.label(), "a loop");
      List<Reduction.Fold> folds = folds();
      if (folds.isEmpty()) {
        throw new ObstacleException("has a loop that adds nothing up", where());
      }
      BitSet inRound = roundReads(folds);
      BitSet behind = behind();
      hold(folds, inRound, behind);
      List<Fold> told = new ArrayList<>();
      for (Reduction.Fold fold : folds) {
        boolean begins = fold.operator().isIdempotent();
        told.add(
            new Fold(
                kind(fold.variable()), fold.operator(), begins ? column(fold.variable()) : -1));
      }
      return new TaskForm(before(), round(folds, inRound), after(folds), told);
    }

    // ---- what is legal ------------------------------------------------------------------------

    private Kind kind(int variable) {
      return cut.kinds().get(variable);
    }

    private List<Reduction.Fold> folds() throws ObstacleException {
      BitSet exit = cut.live(flow.at(loop.exit()));
      BitSet begin = cut.live(loop.label());
      BitSet written = new BitSet();
      for (int i = loop.guard() + 1; i < loop.jump(); i++) {
        check(code.get(i), i);
        if (code.get(i).target() >= 0) {
          written.set(code.get(i).target());
        }
      }
      written.clear(loop.variable());
      BitSet left = (BitSet) written.clone();
      left.and(exit);
      left.andNot(begin);
      if (!left.isEmpty()) {
        throw new ObstacleException("reads behind a loop what its last round has left", where());
      }
      written.and(begin);
      List<Reduction.Fold> folds = new ArrayList<>();
      if (!written.isEmpty()) {
        for (Reduction reduction :
            CarriedNumbers.of(loop, code, cut.kinds(), written, new BitSet())) {
          if (!(reduction instanceof Reduction.Fold fold)) {
            throw new ObstacleException("hands on what is no sum, minimum or the like", where());
          }
          folds.add(fold);
        }
      }
      return folds;
    }

    private SourcePosition where() {
      return code.get(loop.guard()).where();
    }

    private void check(Insn insn, int at) throws ObstacleException {
      if (insn instanceof Insn.Emit) {
        throw new ObstacleException("sends a message in each round of a loop", insn.where());
      } else if (insn instanceof Insn.Switch || insn instanceof Insn.Return) {
        throw new ObstacleException("has a switch or an end in a loop", insn.where());
      }
      for (int label : insn.jumps()) {
        int to = flow.at(label);
        if (to > loop.guard() && to < at) {
          throw new ObstacleException("has a loop in a loop", insn.where());
        } else if ((to <= loop.guard() || to > loop.jump()) && flow.failure(to) == null) {
          throw new ObstacleException("may end a loop before its last round", insn.where());
        }
      }
    }

    // ---- the cut --------------------------------------------------------------------------------

    /** Variables of the lane that a round reads. */
    private BitSet roundReads(List<Reduction.Fold> folds) {
      BitSet reads = new BitSet();
      for (int i = loop.guard() + 1; i < loop.jump(); i++) {
        code.get(i).read().forEach(reads::set);
      }
      reads.and(cut.live(loop.guard() + 1));
      reads.clear(loop.variable());
      folds.forEach(fold -> reads.clear(fold.variable()));
      cut.constants().keySet().forEach(reads::clear);
      cut.uniform().forEach(param -> reads.clear(param.variable()));
      // Where lanes begin with what the loop began with.
      folds.stream()
          .filter(fold -> fold.operator().isIdempotent())
          .forEach(fold -> reads.set(fold.variable()));
      return reads;
    }

    /** Variables that the code behind the loop, or without it, reads. */
    private BitSet behind() {
      BitSet reads = cut.withoutGiven(cut.live(flow.at(loop.exit())));
      reads.or(cut.readOnOtherWays());
      return reads;
    }

    private void hold(List<Reduction.Fold> folds, BitSet inRound, BitSet behind) {
      TreeSet<Integer> all = new TreeSet<>();
      inRound.stream().forEach(all::add);
      behind.stream().forEach(all::add);
      folds.forEach(fold -> all.add(fold.variable()));
      // Behind the loop that is known from its bounds.
      if (cut.ways().keySet().stream().noneMatch(at -> cut.live(at).get(loop.variable()))) {
        all.remove(loop.variable());
      }
      held.addAll(all);
    }

    private int column(int variable) {
      return HELD + held.indexOf(variable);
    }

    // ---- the parts ------------------------------------------------------------------------------

    private IrFunction before() {
      int enters = cut.label();
      Map<Integer, Integer> leaves = cut.leaves();
      List<Insn> out = cut.before(enters, leaves);
      int way = cut.variable(Kind.INT);
      int none = cut.variable(Kind.INT);
      out.add(new Insn.Label(enters, where()));
      out.addAll(code.subList(loop.label() + 1, loop.guard()));
      out.add(new Insn.Constant(way, 0, where()));
      Insn.Branch guard = (Insn.Branch) code.get(loop.guard());
      out.add(returned(way, loop.variable(), guard.right()));
      leaves.forEach(
          (number, label) -> {
            out.add(new Insn.Label(label, where()));
            out.add(new Insn.Constant(way, number, where()));
            out.add(new Insn.Constant(none, 0, where()));
            out.add(returned(way, none, none));
          });
      List<ColumnType> results = new ArrayList<>(List.of(Kind.INT, Kind.INT, Kind.INT));
      held.forEach(variable -> results.add(kind(variable)));
      return CodeCleaner.tidied(
          new IrFunction(
              function.name() + ", before its loop",
              function.parameters(),
              results,
              cut.kinds(),
              cut.labels(),
              out));
    }

    private Insn returned(int way, int first, int end) {
      List<Integer> values = new ArrayList<>(List.of(way, first, end));
      values.addAll(held);
      return new Insn.Return(values, where());
    }

    private IrFunction round(List<Reduction.Fold> folds, BitSet inRound) {
      List<Param> parameters = new ArrayList<>(cut.uniform());
      inRound.stream().forEach(v -> parameters.add(new Param(Role.VALUE, column(v), v)));
      parameters.add(new Param(Role.MESSAGE, 0, loop.variable()));
      List<Insn> out = new ArrayList<>(cut.constants().values());
      out.addAll(code.subList(loop.label() + 1, loop.guard()));
      for (Reduction.Fold fold : folds) {
        if (!fold.operator().isIdempotent()) {
          Object identity = fold.operator().identity(kind(fold.variable()));
          out.add(new Insn.Constant(fold.variable(), identity, where()));
        }
      }
      TreeSet<Integer> failing = new TreeSet<>();
      for (int i = loop.guard() + 1; i < loop.jump(); i++) {
        if (i != loop.step()) {
          out.add(code.get(i));
        }
        for (int label : code.get(i).jumps()) {
          int to = flow.at(label);
          if (to <= loop.guard() || to > loop.jump()) {
            failing.add(label);
          }
        }
      }
      out.add(new Insn.Return(folds.stream().map(Reduction.Fold::variable).toList(), where()));
      for (int label : failing) {
        out.add(new Insn.Label(label, where()));
        out.addAll(flow.failure(flow.at(label)));
      }
      return CodeCleaner.tidied(
          new IrFunction(
              function.name() + ", a round of its loop",
              parameters,
              folds.stream().map(fold -> (ColumnType) kind(fold.variable())).toList(),
              cut.kinds(),
              cut.labels(),
              out));
    }

    private IrFunction after(List<Reduction.Fold> folds) {
      List<Param> parameters = new ArrayList<>();
      function.parameters().stream()
          .filter(p -> !cut.isWritten(p.variable()))
          .forEach(parameters::add);
      for (int v : held) {
        if (cut.isWritten(v)) {
          parameters.add(new Param(Role.VALUE, column(v), v));
        }
      }
      int way = cut.variable(Kind.INT);
      parameters.add(new Param(Role.VALUE, WAY, way));
      List<Insn> out = new ArrayList<>(cut.constants().values());
      Map<Integer, Integer> inserted = new HashMap<>();
      out.addAll(cut.dispatch(way, inserted));
      out.addAll(code.subList(loop.label() + 1, loop.guard()));
      for (int r = 0; r < folds.size(); r++) {
        int sum = cut.variable(kind(folds.get(r).variable()));
        parameters.add(new Param(Role.MESSAGE, r, sum));
        out.add(joined(folds.get(r), sum));
      }
      if (cut.live(flow.at(loop.exit())).get(loop.variable())) {
        int first = cut.variable(Kind.INT);
        int end = cut.variable(Kind.INT);
        parameters.add(new Param(Role.VALUE, FIRST, first));
        parameters.add(new Param(Role.VALUE, END, end));
        out.add(new Insn.Call(Intrinsic.MAX, loop.variable(), List.of(first, end), where()));
      }
      out.add(new Insn.Jump(loop.exit(), where()));
      BitSet ofLoop = new BitSet();
      ofLoop.set(loop.label(), loop.jump() + 1);
      out.addAll(cut.rest(ofLoop, inserted));
      return CodeCleaner.tidied(
          new IrFunction(
              function.name() + ", behind its loop",
              parameters,
              List.of(),
              cut.kinds(),
              cut.labels(),
              out));
    }

    private Insn joined(Reduction.Fold fold, int sum) {
      int to = fold.variable();
      return switch (fold.operator()) {
        case SUM -> new Insn.Binary(BinaryOp.ADD, to, to, sum, where());
        case PRODUCT -> new Insn.Binary(BinaryOp.MULTIPLY, to, to, sum, where());
        case AND -> new Insn.Binary(BinaryOp.AND, to, to, sum, where());
        case OR -> new Insn.Binary(BinaryOp.OR, to, to, sum, where());
        case XOR -> new Insn.Binary(BinaryOp.XOR, to, to, sum, where());
        case MIN -> new Insn.Call(Intrinsic.MIN, to, List.of(to, sum), where());
        case MAX -> new Insn.Call(Intrinsic.MAX, to, List.of(to, sum), where());
        case LEAST -> new Insn.Call(Intrinsic.LEAST, to, List.of(to, sum), where());
      };
    }
  }
}
