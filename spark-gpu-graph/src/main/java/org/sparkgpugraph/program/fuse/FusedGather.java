package org.sparkgpugraph.program.fuse;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ir.ArrayType;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.OneMessage;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;

/**
 * Send and merge where no array of a message is ever made: the send function delivers elements,
 * each of which is merged into the row's at once. Possible where arrays are merged element by
 * element from a neutral one on; what a send function reads never depends on what was merged.
 *
 * @param sends the send function of the messages to each end
 * @param merge the merge function by pieces
 * @param identities the neutral element of each column
 * @param inLocals whether each element of the merged message is a local variable: the JVM keeps
 *     them in registers, and a loop for each edge costs as much as some elements
 */
public record FusedGather(
    Map<Side, IrFunction> sends, ElementMerge merge, Object[] identities, boolean inLocals) {
  /** Longer arrays have no registers left. */
  private static final int MOST = 16;

  /** Of all arrays of a message. */
  private static final int MOST_OF_ALL = 32;

  /**
   * Instructions of the send functions to both ends with a round of its own for each element: the
   * JVM compiles no method of more than 8000 bytes.
   */
  private static final int MOST_UNROLLED = 400;

  /** The form of a program; null where it has none. */
  public static FusedGather of(LiftedProgram program) {
    List<ColumnType> message = program.message().columns();
    List<MergeAlgebra> algebra = program.traits().merge();
    if (program.mergesByMode()
        || algebra.size() != message.size()
        || message.stream().noneMatch(ColumnType::isArray)) {
      return null;
    }
    Object[] identities = new Object[message.size()];
    for (int c = 0; c < identities.length; c++) {
      identities[c] = algebra.get(c).identity(message.get(c).kind());
      if (identities[c] == null) {
        return null;
      }
    }
    Optional<ElementMerge> merge = ElementMerge.of(program.merge());
    if (merge.isEmpty()) {
      return null;
    }
    Map<Side, IrFunction> looped = new EnumMap<>(Side.class);
    Map<Side, IrFunction> unrolled = new EnumMap<>(Side.class);
    boolean inLocals = isShort(message);
    for (Side side : Side.values()) {
      IrFunction send = ElementMessages.of(program.send(), side, message);
      looped.put(side, send);
      unrolled.put(side, ElementMessages.unrolled(send, side, message, MOST_UNROLLED));
      inLocals &= indexes(unrolled.get(side)) != null;
    }
    inLocals &= unrolled.values().stream().mapToInt(f -> f.code().size()).sum() <= MOST_UNROLLED;
    return new FusedGather(inLocals ? unrolled : looped, merge.get(), identities, inLocals);
  }

  /** Whether arrays of messages are so short that each element may be a local variable. */
  public static boolean isShort(List<ColumnType> message) {
    int all = 0;
    for (ColumnType type : message) {
      if (type.isArray() && type.width() > MOST) {
        return false;
      }
      all += type.isArray() ? type.width() : 0;
    }
    return all <= MOST_OF_ALL;
  }

  /** The constants that indexes of delivered elements are, by variable; null: not all are one. */
  public static Map<Integer, Integer> indexes(IrFunction send) {
    Map<Integer, Integer> constants = new HashMap<>();
    Set<Integer> others = new HashSet<>();
    for (Insn insn : send.code()) {
      if (insn instanceof Insn.Constant c
          && c.value() instanceof Integer value
          && constants.getOrDefault(c.target(), value).equals(value)) {
        constants.put(c.target(), value);
      } else if (insn.target() >= 0) {
        others.add(insn.target());
      }
    }
    constants.keySet().removeAll(others);
    for (Insn insn : send.code()) {
      if (insn instanceof Insn.EmitElement e && !constants.containsKey(e.index())) {
        return null;
      }
    }
    return constants;
  }

  /** All functions, each once. */
  public List<IrFunction> functions() {
    List<IrFunction> functions = new ArrayList<>(sends.values());
    functions.addAll(merge.elements());
    functions.add(merge.ofNumbers());
    return functions;
  }

  /**
   * The arrays of edges and their ends that are copied before a send function runs. Loops over
   * arrays that all begin with their first element are those that the JVM turns into vector
   * instructions; it is worth the copy where every edge sends, and where nothing in the code stands
   * in the way.
   */
  public List<Param> copied(Side side) {
    IrFunction send = sends.get(side);
    boolean isStraight =
        !inLocals
            && OneMessage.sides(send).contains(side)
            && send.code().stream().noneMatch(insn -> insn instanceof Insn.Call);
    return isStraight
        ? send.parameters().stream()
            .filter(p -> p.length() > MOST && (p.role() == Role.EDGE || isEnd(p)))
            .toList()
        : List.of();
  }

  private static boolean isEnd(Param p) {
    return p.role() == Role.SOURCE || p.role() == Role.DESTINATION;
  }

  /** The type of an array that is copied. */
  public ArrayType type(Side side, Param p) {
    return new ArrayType(sends.get(side).variables().get(p.variable()), p.length());
  }
}
