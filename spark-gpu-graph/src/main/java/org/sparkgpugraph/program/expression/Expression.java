package org.sparkgpugraph.program.expression;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.SourcePosition;

/**
 * A value as operations over the inputs of a function. Expressions are made by an {@link
 * ExpressionPool}, which keeps one object for equal ones (hash-consing), so that equality is
 * identity. They share parts: {@code x ^= x >>> 33} twenty times is a tree of a million leaves made
 * of forty objects, and as deep as the code is long. So nothing here recurses, and every walk looks
 * at a part once.
 */
public final class Expression {
  private final int id;
  private final Operation operation;
  private final Kind kind;
  private final List<Expression> operands;
  private final SourcePosition where;

  /** The roles of the inputs that it is made of. */
  private final Set<Role> roles;

  /** Whether it is only ever 0 or 1. */
  private final boolean isFlag;

  Expression(
      int id, Operation operation, Kind kind, List<Expression> operands, SourcePosition where) {
    this.id = id;
    this.operation = operation;
    this.kind = kind;
    this.operands = operands;
    this.where = where;
    if (operation instanceof Operation.Input input) {
      roles = Set.of(input.role());
    } else if (operands.size() == 1) {
      roles = operands.get(0).roles;
    } else {
      Set<Role> all = EnumSet.noneOf(Role.class);
      operands.forEach(operand -> all.addAll(operand.roles));
      roles = Collections.unmodifiableSet(all);
    }
    isFlag =
        kind == Kind.BOOLEAN
            || Integer.valueOf(0).equals(constant())
            || Integer.valueOf(1).equals(constant())
            || operation instanceof Operation.Choose
                && operands.get(1).isFlag
                && operands.get(2).isFlag;
  }

  /** Number in its pool: operands have smaller ones. */
  public int id() {
    return id;
  }

  public Operation operation() {
    return operation;
  }

  public Kind kind() {
    return kind;
  }

  /** Kind of a column that holds it: what is only ever 0 or 1 takes a byte. */
  public Kind columnKind() {
    return isFlag ? Kind.BOOLEAN : kind;
  }

  public Expression operand(int index) {
    return operands.get(index);
  }

  public List<Expression> operands() {
    return operands;
  }

  /** Where the user's source computes it first. */
  public SourcePosition where() {
    return where;
  }

  /** Whether it is an input or a constant. */
  public boolean isLeaf() {
    return operands.isEmpty();
  }

  /** The constant's value, or null. */
  public Object constant() {
    return operation instanceof Operation.Constant constant ? constant.value() : null;
  }

  public boolean is(BinaryOp op) {
    return operation instanceof Operation.Binary binary && binary.op() == op;
  }

  public boolean is(Intrinsic function) {
    return operation instanceof Operation.Call call && call.function() == function;
  }

  /** The input that it is, if that is of a role; else null. */
  public Operation.Input input(Role role) {
    return operation instanceof Operation.Input input && input.role() == role ? input : null;
  }

  /** Whether an input that it is made of has a role. */
  public boolean reads(Role role) {
    return roles.contains(role);
  }

  /** Whether all inputs that it is made of have one of these roles. */
  public boolean readsOnly(Set<Role> of) {
    return of.containsAll(roles);
  }

  /** The inputs that it is made of, each once. */
  public List<Operation.Input> inputs() {
    List<Operation.Input> inputs = new ArrayList<>();
    for (Expression part : parts()) {
      if (part.operation instanceof Operation.Input input) {
        inputs.add(input);
      }
    }
    return inputs;
  }

  /** The expressions that it is made of, each once, itself first. */
  public Set<Expression> parts() {
    Set<Expression> seen = new LinkedHashSet<>();
    List<Expression> pending = new ArrayList<>(List.of(this));
    while (!pending.isEmpty()) {
      Expression part = pending.remove(pending.size() - 1);
      if (seen.add(part)) {
        for (int i = part.operands.size() - 1; i >= 0; i--) {
          pending.add(part.operands.get(i));
        }
      }
    }
    return seen;
  }

  /**
   * Computes something of each part, of operands first, and of this last.
   *
   * @param known what is known of some parts, null included, which are not computed again; gets
   *     that of the others
   * @param compute what is to be known of a part; finds that of its operands in {@code known}
   */
  public <T> T fold(Map<Expression, T> known, Function<Expression, T> compute) {
    Deque<Expression> path = new ArrayDeque<>(List.of(this));
    while (!path.isEmpty()) {
      Expression last = path.peek();
      Expression missing =
          last.operands.stream().filter(o -> !known.containsKey(o)).findFirst().orElse(null);
      if (known.containsKey(last)) {
        path.pop();
      } else if (missing == null) {
        known.put(path.pop(), compute.apply(last));
      } else {
        path.push(missing);
      }
    }
    return known.get(this);
  }
}
