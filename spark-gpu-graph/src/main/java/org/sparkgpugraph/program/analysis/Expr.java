package org.sparkgpugraph.program.analysis;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.UnaryOp;

/**
 * A value as a tree over the inputs of a function. Trees are made by a {@link Pool}, which keeps
 * one object per tree, so that equality is identity. Trees share parts: {@code x ^= x >>> 33}
 * twenty times is a million leaves of forty objects, and as deep as the code is long. Who walks one
 * remembers where it was, and does not recurse.
 */
final class Expr {
  /** What makes a value. */
  sealed interface Operation {
    /** A column of a parameter. */
    record Input(Role role, int index) implements Operation {}

    /** A constant, as a box; booleans are 0 and 1. */
    record Constant(Object value) implements Operation {}

    /** A unary operation. */
    record Unary(UnaryOp op) implements Operation {}

    /** A binary operation. */
    record Binary(BinaryOp op) implements Operation {}

    /** A library function. */
    record Call(Intrinsic function) implements Operation {}
  }

  private static final Set<Object> COMMUTATIVE =
      Set.of(
          BinaryOp.ADD,
          BinaryOp.MULTIPLY,
          BinaryOp.AND,
          BinaryOp.OR,
          BinaryOp.XOR,
          Intrinsic.MIN,
          Intrinsic.MAX);

  private final int id;
  private final Operation operation;
  private final Kind kind;
  private final List<Expr> operands;

  /** The roles of the inputs in the tree. */
  private final Set<Role> roles;

  private Expr(int id, Operation operation, Kind kind, List<Expr> operands) {
    this.id = id;
    this.operation = operation;
    this.kind = kind;
    this.operands = operands;
    if (operation instanceof Operation.Input input) {
      roles = Set.of(input.role());
    } else if (operands.size() == 1) {
      roles = operands.get(0).roles;
    } else {
      Set<Role> all = EnumSet.noneOf(Role.class);
      operands.forEach(operand -> all.addAll(operand.roles));
      roles = Collections.unmodifiableSet(all);
    }
  }

  int id() {
    return id;
  }

  Operation operation() {
    return operation;
  }

  /** Kind of the value; BOOLEAN only for inputs. */
  Kind kind() {
    return kind;
  }

  Expr operand(int index) {
    return operands.get(index);
  }

  List<Expr> operands() {
    return operands;
  }

  /** The constant's value, or null. */
  Object constant() {
    return operation instanceof Operation.Constant constant ? constant.value() : null;
  }

  boolean is(BinaryOp op) {
    return operation instanceof Operation.Binary binary && binary.op() == op;
  }

  boolean is(Intrinsic function) {
    return operation instanceof Operation.Call call && call.function() == function;
  }

  /** Whether this is a column of a role. */
  boolean isInput(Role role) {
    return operation instanceof Operation.Input input && input.role() == role;
  }

  /** Whether some input in the tree fulfils a condition. */
  boolean reads(Predicate<Operation.Input> condition) {
    Set<Expr> seen = new HashSet<>();
    Deque<Expr> pending = new ArrayDeque<>(List.of(this));
    while (!pending.isEmpty()) {
      Expr expr = pending.pop();
      if (expr.operation instanceof Operation.Input input) {
        if (condition.test(input)) {
          return true;
        }
      } else {
        expr.operands.stream().filter(seen::add).forEach(pending::push);
      }
    }
    return false;
  }

  /** Whether an input in the tree has a role. */
  boolean reads(Role role) {
    return roles.contains(role);
  }

  /** Whether all inputs in the tree have one of these roles. */
  boolean readsOnly(Set<Role> of) {
    return of.containsAll(roles);
  }

  /** Makes trees, one object each. */
  static final class Pool {
    private record Key(Operation operation, Kind kind, List<Integer> operands) {}

    private final Map<Key, Expr> known = new HashMap<>();

    Expr make(Operation operation, Kind kind, Expr... operands) {
      List<Expr> ordered = new ArrayList<>(List.of(operands));
      Object function =
          operation instanceof Operation.Binary binary
              ? binary.op()
              : operation instanceof Operation.Call call ? call.function() : "";
      if (COMMUTATIVE.contains(function)) {
        ordered.sort((a, b) -> Integer.compare(a.id, b.id));
      }
      Key key = new Key(operation, kind, ordered.stream().map(Expr::id).toList());
      return known.computeIfAbsent(
          key, k -> new Expr(known.size(), operation, kind, List.copyOf(ordered)));
    }

    Expr input(Role role, int index, Kind kind) {
      return make(new Operation.Input(role, index), kind);
    }

    Expr constant(Object value) {
      return make(new Operation.Constant(value), Kind.of(value.getClass()));
    }
  }
}
