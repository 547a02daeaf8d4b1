package org.sparkgpugraph.program.cuda;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.sparkgpugraph.program.ir.ArrayPlaces;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.ir.SourcePosition;
import org.sparkgpugraph.program.lanes.ContextForm;
import org.sparkgpugraph.program.lanes.LaneForm;
import org.sparkgpugraph.program.lanes.Obstacle;
import org.sparkgpugraph.program.lanes.TaskForm;
import org.sparkgpugraph.program.lanes.TeamForm;

/**
 * Prints the functions of one translation unit as CUDA C, and collects what the host must know of
 * them: the places where they may stop ({@link #sites()}) and where they come from ({@link
 * #origins()}). The text needs {@code java.cuh} (prefix {@code sgg_}) and a function {@code
 * sgg_fail(unsigned long long* fault, int row, int site)} before it, includes nothing and names no
 * type of the user; class, method and line of the user's source stand beside the code as comments.
 *
 * <p>A printed function has the shape
 *
 * <pre>{@code
 * static __device__ __forceinline__ void NAME(
 *     unsigned long long* fault, int row, TYPE p0, ..., TYPE pn, RESULT& result)
 * }</pre>
 *
 * ({@code __noinline__} where it is long) with one parameter by value per {@link
 * IrFunction#parameters()} entry, in the order of that list, of the type {@link CTypes#register}
 * gives for the parameter's variable. Behind these stands a pointer for each of {@link
 * IrFunction#tables()}, in their order: {@code const TYPE* table7}, of the type that {@link
 * CTypes#memory} gives for its kind.
 */
public final class CudaPrinter {
  private final FaultSites sites = new FaultSites();
  private final List<String> origins = new ArrayList<>();

  /**
   * Prints a function that returns columns.
   *
   * @param name its name in C
   * @param function not a send function
   * @param result name of a struct made by {@link CTypes#struct} of {@link IrFunction#results()};
   *     it is assigned when the function returns and left alone when it fails
   * @return the definition, with a line end
   */
  public String function(String name, IrFunction function, String result) {
    origins.add(origin(name, function));
    return text(name, function, null, function.tables(), null).returning(result);
  }

  private FunctionText text(
      String name,
      IrFunction function,
      Side side,
      SortedMap<Integer, Kind> tables,
      LaneForm lanes) {
    List<Insn> code = NeededCode.of(function, side);
    return new FunctionText(name, function, code, tables, sites, lanes);
  }

  /**
   * How lanes can share the arrays of what is printed of a function; empty where they cannot.
   *
   * @param side of a send function; else null
   */
  public static Optional<LaneForm> lanes(IrFunction function, Side side) {
    return LaneForm.of(function.parameters(), function.variables(), NeededCode.of(function, side));
  }

  /**
   * Why lanes cannot share them; empty where they can.
   *
   * @param side of a send function; else null
   */
  public static Optional<Obstacle> obstacle(IrFunction function, Side side) {
    return LaneForm.obstacle(
        function.parameters(), function.variables(), NeededCode.of(function, side));
  }

  /**
   * Prints a function for lanes that share arrays: it has a further parameter behind the row,
   * {@code int part}, which lane this is, and {@code sgg_array<TYPE, SGG_FEATURE_EACH>} for each
   * array; the text needs {@code parts.cuh}.
   *
   * @param function one that has {@link #lanes}
   */
  public String partFunction(String name, IrFunction function, String result) {
    LaneForm lanes = lanes(function, null).orElseThrow();
    return text(name, function, null, function.tables(), lanes).returning(result);
  }

  /** How a team of lanes can run a function together; empty where there is nothing to divide. */
  public static Optional<TeamForm> team(IrFunction function) {
    return TeamForm.of(function.parameters(), function.variables(), NeededCode.of(function, null));
  }

  /** Bytes of memory that a team needs for a function's arrays. */
  public static int teamBytes(IrFunction function, TeamForm form) {
    return teamBytes(function, form.code());
  }

  /** The same of a function whose form is not known. */
  public static int teamBytes(IrFunction function) {
    return teamBytes(function, NeededCode.of(function, null));
  }

  private static int teamBytes(IrFunction function, List<Insn> code) {
    ArrayPlaces places = new ArrayPlaces(function.parameters(), function.variables(), code);
    return new TeamMemory(places, code).bytes();
  }

  /**
   * Prints a function for a team of lanes: it has two further parameters behind the row, {@code int
   * part}, which lane of the team this is, and {@code char* memory}, {@link #teamBytes} that the
   * team shares; pointers for arrays, also in the result: null where one stays as it is. The text
   * needs {@code team.cuh}.
   */
  public String teamFunction(String name, IrFunction function, TeamForm form, String result) {
    origins.add(origin(name, function));
    return FunctionText.of(name, function, form, function.tables(), sites).returning(result);
  }

  /**
   * How all lanes of a warp can share the loops of a send function; empty where they cannot.
   *
   * @param side whose messages are wanted
   */
  public static Optional<TaskForm> tasks(IrFunction function, Side side) {
    return TaskForm.of(needed(function, side));
  }

  /** Why they cannot; empty where they can. */
  public static Optional<Obstacle> tasksObstacle(IrFunction function, Side side) {
    return TaskForm.obstacle(needed(function, side));
  }

  /**
   * How warps can collect contexts of a costly branch of a send function; empty where they cannot.
   *
   * @param side whose messages are wanted
   * @param anyOrder whether messages may be merged in any order
   */
  public static Optional<ContextForm> contexts(IrFunction function, Side side, boolean anyOrder) {
    return ContextForm.of(needed(function, side), side, anyOrder);
  }

  /** Why they cannot; empty where they can. */
  public static Optional<Obstacle> contextsObstacle(
      IrFunction function, Side side, boolean anyOrder) {
    return ContextForm.obstacle(needed(function, side), side, anyOrder);
  }

  private static IrFunction needed(IrFunction function, Side side) {
    return new IrFunction(
        function.name(),
        function.parameters(),
        function.results(),
        function.variables(),
        function.labels(),
        NeededCode.of(function, side));
  }

  /** Prints a send function for lanes that share arrays, as {@link #partFunction}. */
  public String partSend(
      String name,
      IrFunction function,
      Side side,
      SortedMap<Integer, Kind> tables,
      String message,
      UnaryOperator<String> merge) {
    LaneForm lanes = lanes(function, side).orElseThrow();
    return text(name, function, side, tables, lanes).sending(message, merge);
  }

  /** Prints a send function whose messages are merged without tables; as the method below. */
  public String send(
      String name, IrFunction function, Side side, String message, UnaryOperator<String> merge) {
    return send(name, function, side, function.tables(), message, merge);
  }

  /**
   * Prints a send function for the messages to one end of the edge; messages to the other end are
   * left out, with whatever is computed for them only (faults excepted). The last parameters are
   * {@code MESSAGE& message, bool& has}, which only {@code merge} reads or writes.
   *
   * @param name its name in C
   * @param function the send function
   * @param side the end whose messages are wanted
   * @param tables those that it is given: its own, and those that {@code merge} names
   * @param message name of the struct of the message's columns
   * @param merge given the name of a variable of type {@code message} that holds a new message, the
   *     C statement that merges it into {@code message} and {@code has}
   * @return the definition, with a line end
   */
  public String send(
      String name,
      IrFunction function,
      Side side,
      SortedMap<Integer, Kind> tables,
      String message,
      UnaryOperator<String> merge) {
    origins.add(origin(name, function));
    return text(name, function, side, tables, null).sending(message, merge);
  }

  /** The places where the functions printed so far may stop. */
  public FaultSites sites() {
    return sites;
  }

  /** What the functions printed so far are and where they come from, one line each. */
  public List<String> origins() {
    return List.copyOf(origins);
  }

  private static String origin(String name, IrFunction function) {
    Map<String, TreeSet<Integer>> lines = new LinkedHashMap<>();
    for (Insn insn : function.code()) {
      SourcePosition where = insn.where();
      if (!where.className().isEmpty()) {
        String method = new SourcePosition(where.className(), where.method(), -1).toString();
        TreeSet<Integer> of = lines.computeIfAbsent(method, m -> new TreeSet<>());
        if (where.line() >= 0) {
          of.add(where.line());
        }
      }
    }
    List<String> places = new ArrayList<>();
    lines.forEach(
        (method, of) ->
            places.add(
                of.isEmpty()
                    ? method
                    : of.first().equals(of.last())
                        ? method + ":" + of.first()
                        : method + ":" + of.first() + "-" + of.last()));
    return name
        + ": "
        + function.name()
        + (places.isEmpty() ? ", made by the library" : " from " + String.join(", ", places));
  }
}
