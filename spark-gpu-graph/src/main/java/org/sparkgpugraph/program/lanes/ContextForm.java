package org.sparkgpugraph.program.lanes;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.sparkgpugraph.program.ir.ArrayPlaces;
import org.sparkgpugraph.program.ir.CodeCleaner;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.InsnCost;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.ir.SourcePosition;

/**
 * A send function with a branch that costs much and that some edges take and others do not, cut so
 * that a warp can collect what those that take it need (their contexts), and run it once there are
 * enough for all lanes (collaborative context collection, Khorasani 2016, section 4.1; {@code
 * sgg/contexts.cuh}): what is done before the branch, a lane per edge as ever; the costly side with
 * all that comes behind it, which any lane can do for any edge of the warp's rows; and the way
 * without it.
 *
 * <p>What comes behind the branch is in both parts: the paper's body of a loop would end there, as
 * nothing may be handed on to it but by atomic operations. Here that is the message alone, which is
 * merged into the edge's row whenever it is known.
 *
 * <p><b>Order.</b> Messages of the costly side come later than those of the other one. Where that
 * one sends messages, too, the merge function has to allow any order, as the kernels have it that
 * let lanes merge what they have (floating sums differ by rounding, as they do there, and are the
 * same in each run: which edges wait follows from the data alone). Where only the costly side sends
 * messages they are merged in the order of the edges, as by {@code sgg/gather.cuh}: contexts wait
 * in a queue, not on a stack as the paper's, so that any associative function gives the same
 * result.
 *
 * <p><b>What is not cut</b>: a branch in a loop, one behind a message, functions with arrays, and
 * contexts of more than {@value #MOST_BYTES} bytes, which cost too much shared memory.
 *
 * <p>Columns that {@link #before} returns: where the code goes on ({@link #WAITS}: on the costly
 * side; 0: nowhere, it failed; others by number), and what the other parts read of the lane's
 * variables, which they know as {@link Role#VALUE} by the same indexes.
 *
 * @param before the code up to the branch; the parameters of the send function
 * @param costly the code from there on: {@link Role#VALUE}, parameters of the row's own end, and
 *     those that are the same for all vertices
 * @param otherwise the code without the costly side: the parameters of the send function, and
 *     {@link Role#VALUE}
 * @param branch the test
 * @param estimate what it may gain
 */
public record ContextForm(
    IrFunction before,
    IrFunction costly,
    IrFunction otherwise,
    SourcePosition branch,
    ContextForm.Estimate estimate) {
  /** Column of {@link #before}: which way the code goes on. */
  public static final int WAY = 0;

  /** The way of the costly side. */
  public static final int WAITS = -1;

  /** Bytes of the largest context: a block's queues of them are 32 KiB. */
  static final int MOST_BYTES = 64;

  private static final int HELD = 1;

  /**
   * What may be gained, by weights of instructions ({@link InsnCost}) and by the guess that each
   * test on the way to the costly side is passed by half of the edges.
   *
   * @param instructions of the costly side, that nobody else runs; rounds of a loop count as
   *     {@value Search#ROUNDS} where it is not known how many there are
   * @param tests on the way to it
   * @param price instructions to keep a context, take it up and merge its message, about
   */
  public record Estimate(long instructions, int tests, int price) {
    /**
     * Instructions saved for 32 edges: without contexts all lanes wait for the costly side, with
     * them it is run for as many edges as take it.
     */
    public long saved() {
      return instructions - (instructions >>> Math.min(tests, Long.SIZE - 1));
    }

    /** Whether it should pay. */
    public boolean pays() {
      return saved() > price;
    }

    /** As {@code explain()} has it. */
    @Override
    public String toString() {
      return "estimated to save %d of %d instructions for %d"
          .formatted(saved(), instructions, price);
    }
  }

  /**
   * The form of a send function; empty where it has none.
   *
   * @param function with messages to one side at most
   * @param side whose messages these are: the row's own end
   * @param anyOrder whether the order of messages does not matter to their merging
   */
  public static Optional<ContextForm> of(IrFunction function, Side side, boolean anyOrder) {
    try {
      return Optional.of(new Search(function, side, anyOrder).form());
    } catch (ObstacleException e) {
      return Optional.empty();
    }
  }

  /** Why it has no such form; empty where it has one. */
  public static Optional<Obstacle> obstacle(IrFunction function, Side side, boolean anyOrder) {
    try {
      Objects.requireNonNull(new Search(function, side, anyOrder).form());
      return Optional.empty();
    } catch (ObstacleException e) {
      return Optional.of(e.obstacle());
    }
  }

  /** Bytes of a context. */
  public int bytes() {
    return costly.parameters().stream()
        .filter(p -> p.role() == Role.VALUE)
        .mapToInt(p -> Search.bytes((Kind) before.results().get(p.index())))
        .sum();
  }

  /**
   * A place where the costly side may begin.
   *
   * @param branch index of the instruction that tests
   * @param begin where control comes to
   */
  private record Candidate(int branch, int begin, Estimate estimate) {}

  /** Cuts a function. */
  private static final class Search {
    private static final SourcePosition NOWHERE = SourcePosition.NONE;

    /** Rounds of a loop of which it is not known how many there are. */
    private static final int ROUNDS = 8;

    /** Fewer instructions are not costly: two divisions, or a loop of a few. */
    private static final int LEAST = 2 * InsnCost.EXPENSIVE;

    /**
     * Two votes, places, the search for the row's messages and the steps of the reduction; and for
     * each column of a context a store and a load.
     */
    private static final int PRICE = 60;

    private static final int COLUMN_PRICE = 2;

    private final IrFunction function;
    private final Side side;
    private final boolean anyOrder;
    private final List<Insn> code;
    private final CodeFlow flow;
    private final long[] weights;
    private CodeCut cut;

    Search(IrFunction function, Side side, boolean anyOrder) {
      this.function = function;
      this.side = side;
      this.anyOrder = anyOrder;
      code = function.code();
      flow = new CodeFlow(code);
      weights = new CodeWeights(function.parameters(), function.variables(), code).weights(ROUNDS);
    }

    static int bytes(Kind kind) {
      return Math.max(Kind.INT.bytes(), kind.bytes());
    }

    ContextForm form() throws ObstacleException {
      if (!new ArrayPlaces(function.parameters(), function.variables(), code).places().isEmpty()) {
        throw new ObstacleException("has arrays", NOWHERE);
      }
      ObstacleException why = null;
      for (Candidate candidate : candidates()) {
        try {
          return cut(candidate);
        } catch (ObstacleException e) {
          why = why == null ? e : why;
        }
      }
      throw why != null
          ? why
          : new ObstacleException("has no costly branch that depends on the edge", NOWHERE);
    }

    // ---- where --------------------------------------------------------------------------------

    /** Those that should gain most come first. */
    private List<Candidate> candidates() {
      BitSet varying = Varying.of(function);
      List<Candidate> found = new ArrayList<>();
      for (int i = 0; i < code.size(); i++) {
        Insn insn = code.get(i);
        boolean tests = insn instanceof Insn.Branch || insn instanceof Insn.Switch;
        if (tests && insn.read().stream().anyMatch(varying::get)) {
          for (int begin : new TreeSet<>(flow.next(i))) {
            long weight = weight(begin);
            if (weight >= LEAST) {
              found.add(new Candidate(i, begin, new Estimate(weight, tests(begin), 0)));
            }
          }
        }
      }
      found.sort(Comparator.comparingLong((Candidate c) -> c.estimate().saved()).reversed());
      return found;
    }

    /** What is run only behind an instruction. */
    private long weight(int begin) {
      BitSet own = flow.reached(begin, -1);
      own.andNot(flow.reached(0, begin));
      return own.stream().mapToLong(i -> weights[i]).sum();
    }

    /** Tests that decide whether control comes to an instruction, faults left out. */
    private int tests(int begin) {
      BitSet leading = flow.leadingTo(begin);
      BitSet asked = (BitSet) leading.clone();
      asked.andNot(flow.reached(begin, -1));
      int tests = 0;
      for (int i = asked.nextSetBit(0); i >= 0; i = asked.nextSetBit(i + 1)) {
        boolean isPast =
            flow.next(i).stream().anyMatch(to -> !leading.get(to) && flow.failure(to) == null);
        tests += isPast ? 1 : 0;
      }
      return tests;
    }

    // ---- the cut ------------------------------------------------------------------------------

    private ContextForm cut(Candidate candidate) throws ObstacleException {
      SourcePosition where = code.get(candidate.branch()).where();
      if (flow.reached(candidate.begin(), -1).get(candidate.branch())) {
        throw new ObstacleException("has its costly branch in a loop", where);
      }
      cut = new CodeCut(function, code, candidate.begin(), "its costly branch");
      if (!anyOrder && sendsOtherwise()) {
        throw new ObstacleException(
            "sends messages beside its costly branch, too, whose order may matter", where);
      }
      List<Insn> recomputed = new ArrayList<>();
      BitSet context = context(candidate.begin(), recomputed);
      TreeSet<Integer> held = new TreeSet<>();
      context.stream().forEach(held::add);
      cut.readOnOtherWays().stream().forEach(held::add);
      List<Integer> columns = new ArrayList<>(held);
      int bytes = context.stream().map(v -> bytes(kind(v))).sum();
      if (bytes > MOST_BYTES) {
        throw new ObstacleException(
            "has a context of " + bytes + " bytes at its costly branch, more than " + MOST_BYTES,
            where);
      }
      Estimate found = candidate.estimate();
      return new ContextForm(
          before(columns, where),
          costly(candidate.begin(), columns, context, recomputed),
          otherwise(columns, where),
          where,
          new Estimate(
              found.instructions(), found.tests(), PRICE + COLUMN_PRICE * context.cardinality()));
    }

    /** Whether there are messages on ways that the costly side is not on. */
    private boolean sendsOtherwise() {
      return cut.ways().keySet().stream()
          .anyMatch(
              at -> flow.reached(at, -1).stream().anyMatch(i -> code.get(i) instanceof Insn.Emit));
    }

    private Kind kind(int variable) {
      return cut.kinds().get(variable);
    }

    /**
     * What the costly side reads of an edge. Not what a lane has, or can have cheaply, without it
     * (the paper's context compression): constants, what is the same for all vertices, what the
     * lane of the row has, and what a cheap instruction makes of these and of the context.
     *
     * @param recomputed gets the cheap instructions, in their order
     */
    private BitSet context(int begin, List<Insn> recomputed) {
      BitSet context = (BitSet) cut.live(begin).clone();
      BitSet had = new BitSet();
      cut.constants().keySet().forEach(had::set);
      cut.uniform().forEach(p -> had.set(p.variable()));
      ownRow().forEach(p -> had.set(p.variable()));
      context.andNot(had);
      InsnCost cost = new InsnCost(function.parameters(), function.variables(), code);
      for (int i = code.size() - 1; i >= 0; i--) {
        Insn insn = code.get(i);
        boolean drops =
            insn.target() >= 0
                && context.get(insn.target())
                && (insn instanceof Insn.Unary || insn instanceof Insn.Binary)
                && !cost.isExpensive(insn)
                && isOnlyWrite(insn)
                && !isRepeated(i)
                && insn.read().stream()
                    .allMatch(v -> (context.get(v) || had.get(v)) && isWrittenOnce(v));
        if (drops) {
          context.clear(insn.target());
          recomputed.add(0, insn);
        }
      }
      return context;
    }

    /** Whether an instruction is in a loop: what it read may have changed since. */
    private boolean isRepeated(int at) {
      return flow.next(at).stream().anyMatch(next -> flow.reached(next, -1).get(at));
    }

    private boolean isOnlyWrite(Insn insn) {
      return writes(insn.target()) == 1
          && function.parameters().stream().noneMatch(p -> p.variable() == insn.target());
    }

    /** Whether a variable is the same wherever it is read. */
    private boolean isWrittenOnce(int variable) {
      boolean given = function.parameters().stream().anyMatch(p -> p.variable() == variable);
      return writes(variable) + (given ? 1 : 0) == 1;
    }

    private long writes(int variable) {
      return code.stream().filter(insn -> insn.target() == variable).count();
    }

    /** Parameters of the row's own end, that nothing writes. */
    private List<Param> ownRow() {
      Role value = side == Side.DESTINATION ? Role.DESTINATION : Role.SOURCE;
      Role id = side == Side.DESTINATION ? Role.DESTINATION_ID : Role.SOURCE_ID;
      return function.parameters().stream()
          .filter(p -> p.role() == value || p.role() == id)
          .filter(p -> !cut.isWritten(p.variable()))
          .toList();
    }

    // ---- the parts ----------------------------------------------------------------------------

    private IrFunction before(List<Integer> columns, SourcePosition where) {
      int waits = cut.label();
      Map<Integer, Integer> leaves = cut.leaves();
      List<Insn> out = cut.before(waits, leaves);
      int way = cut.variable(Kind.INT);
      List<Integer> values = new ArrayList<>(List.of(way));
      values.addAll(columns);
      Map<Integer, Integer> ends = new HashMap<>(leaves);
      ends.put(WAITS, waits);
      ends.forEach(
          (number, label) -> {
            out.add(new Insn.Label(label, where));
            out.add(new Insn.Constant(way, number, where));
            out.add(new Insn.Return(values, where));
          });
      List<ColumnType> results = new ArrayList<>(List.of(Kind.INT));
      columns.forEach(variable -> results.add(kind(variable)));
      return part("before its costly branch", function.parameters(), results, out);
    }

    private IrFunction costly(
        int begin, List<Integer> columns, BitSet context, List<Insn> recomputed) {
      List<Param> parameters = new ArrayList<>(cut.uniform());
      parameters.addAll(ownRow());
      context.stream()
          .forEach(v -> parameters.add(new Param(Role.VALUE, HELD + columns.indexOf(v), v)));
      int label = cut.label();
      List<Insn> out = new ArrayList<>(cut.constants().values());
      out.addAll(recomputed);
      out.add(new Insn.Jump(label, code.get(begin).where()));
      out.addAll(cut.rest(new BitSet(), Map.of(begin, label)));
      return part("on its costly branch", parameters, List.of(), out);
    }

    private IrFunction otherwise(List<Integer> columns, SourcePosition where) {
      List<Param> parameters = new ArrayList<>();
      function.parameters().stream()
          .filter(p -> !cut.isWritten(p.variable()))
          .forEach(parameters::add);
      for (int c = 0; c < columns.size(); c++) {
        if (cut.isWritten(columns.get(c))) {
          parameters.add(new Param(Role.VALUE, HELD + c, columns.get(c)));
        }
      }
      int way = cut.variable(Kind.INT);
      parameters.add(new Param(Role.VALUE, WAY, way));
      List<Insn> out = new ArrayList<>(cut.constants().values());
      Map<Integer, Integer> inserted = new HashMap<>();
      out.addAll(cut.dispatch(way, inserted));
      out.add(new Insn.Return(List.of(), where));
      out.addAll(cut.rest(new BitSet(), inserted));
      return part("without its costly branch", parameters, List.of(), out);
    }

    private IrFunction part(
        String what, List<Param> parameters, List<ColumnType> results, List<Insn> out) {
      return CodeCleaner.tidied(
          new IrFunction(
              function.name() + ", " + what, parameters, results, cut.kinds(), cut.labels(), out));
    }
  }
}
