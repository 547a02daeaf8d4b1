package org.sparkgpugraph.program.hoist;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.SourcePosition;
import org.sparkgpugraph.program.ir.UnaryOp;

/**
 * A value as a tree of operations over inputs, made by a {@link Pool} that keeps one object per
 * tree. Trees share parts, so who walks one remembers where it was. Operands stay in the order of
 * the code: even the bits of a NaN come out as they would have.
 */
final class Value {
  /** What makes a value. */
  sealed interface Operation {
    /** A parameter of a function. */
    record Input(Role role, int index) implements Operation {}

    /** A constant, as a box. */
    record Constant(Object value) implements Operation {}

    /** A unary operation. */
    record Unary(UnaryOp op) implements Operation {}

    /** A binary operation. */
    record Binary(BinaryOp op) implements Operation {}

    /** A library function. */
    record Call(Intrinsic function) implements Operation {}

    /** Whether a condition holds between the two operands; kind BOOLEAN. */
    record Compare(Condition condition) implements Operation {}

    /** The second operand when the first (a {@link Compare}) holds, else the third. */
    record Choose() implements Operation {}
  }

  private final int id;
  private final Operation operation;
  private final Kind kind;
  private final List<Value> operands;
  private final SourcePosition where;

  /** Whether it is only ever 0 or 1. */
  private final boolean isFlag;

  private Value(
      int id, Operation operation, Kind kind, List<Value> operands, SourcePosition where) {
    this.id = id;
    this.operation = operation;
    this.kind = kind;
    this.operands = operands;
    this.where = where;
    isFlag =
        kind == Kind.BOOLEAN
            || Integer.valueOf(0).equals(constant())
            || Integer.valueOf(1).equals(constant())
            || operation instanceof Operation.Choose
                && operands.get(1).isFlag
                && operands.get(2).isFlag;
  }

  Operation operation() {
    return operation;
  }

  Kind kind() {
    return kind;
  }

  List<Value> operands() {
    return operands;
  }

  /** Where the user's source computes it first. */
  SourcePosition where() {
    return where;
  }

  boolean isLeaf() {
    return operands.isEmpty();
  }

  /** Its constant, or null. */
  Object constant() {
    return operation instanceof Operation.Constant constant ? constant.value() : null;
  }

  /** The inputs that it is made of, each once. */
  List<Operation.Input> inputs() {
    return parts().stream()
        .filter(part -> part.operation instanceof Operation.Input)
        .map(part -> (Operation.Input) part.operation)
        .toList();
  }

  /** The values that it is made of, each once, itself first. */
  Set<Value> parts() {
    Set<Value> seen = new LinkedHashSet<>();
    List<Value> pending = new ArrayList<>(List.of(this));
    while (!pending.isEmpty()) {
      Value value = pending.remove(pending.size() - 1);
      if (seen.add(value)) {
        pending.addAll(value.operands);
      }
    }
    return seen;
  }

  /** Kind of a column that holds it: what is only ever 0 or 1 takes a byte. */
  Kind columnKind() {
    return isFlag ? Kind.BOOLEAN : kind;
  }

  /** Makes values, one object each. */
  static final class Pool {
    private record Key(Operation operation, Kind kind, List<Integer> operands) {}

    private final Map<Key, Value> known = new HashMap<>();

    Value make(Operation operation, Kind kind, SourcePosition where, List<Value> operands) {
      Key key = new Key(operation, kind, operands.stream().map(v -> v.id).toList());
      return known.computeIfAbsent(
          key, k -> new Value(known.size(), operation, kind, List.copyOf(operands), where));
    }
  }
}
