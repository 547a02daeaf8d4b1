package org.sparkgpugraph.program.ir;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.function.ToIntFunction;

/**
 * Writes a function instruction by instruction, for programs that no bytecode stands for because
 * their width is known at run time only. Every method that gives a number names a new variable.
 */
public final class IrBuilder {
  /** A parameter that is read, before it has its place. */
  private record Read(Role role, int index) {}

  /** A parameter of inlined code that is one of this function's. */
  public static final int OWN = -1;

  private final String name;
  private final SourcePosition where;
  private final Map<Read, Param> parameters = new LinkedHashMap<>();
  private final List<Kind> variables = new ArrayList<>();
  private final List<Insn> code = new ArrayList<>();
  private int labels;

  /**
   * Begins a function.
   *
   * @param name what it is in its program ("send", "merge", …)
   * @param writer the class that writes it, for messages
   */
  public IrBuilder(String name, Class<?> writer) {
    this.name = name;
    this.where = new SourcePosition(writer.getName(), name, -1);
  }

  /** The parameter of a role without columns. */
  public int parameter(Role role, Kind kind) {
    return parameter(role, 0, kind);
  }

  /** Column, aggregate or captured value {@code index} of a role; the same one every time. */
  public int parameter(Role role, int index, ColumnType type) {
    return parameters
        .computeIfAbsent(
            new Read(role, index),
            read -> new Param(role, index, variable(type.kind()), Param.length(type)))
        .variable();
  }

  /** A variable that {@link #assign} gives its values, one on every path to where it is read. */
  public int variable(Kind kind) {
    variables.add(kind);
    return variables.size() - 1;
  }

  /**
   * A constant.
   *
   * @param value Integer, Long, Float, Double or Boolean
   */
  public int constant(Object value) {
    int target = variable(Kind.of(value.getClass()));
    code.add(new Insn.Constant(target, value, where));
    return target;
  }

  /** Gives a variable a value. */
  public void assign(int variable, int value) {
    code.add(new Insn.Copy(variable, value, where));
  }

  /** {@code left op right}, of the left operand's kind. */
  public int binary(BinaryOp op, int left, int right) {
    int target = variable(variables.get(left));
    code.add(new Insn.Binary(op, target, left, right, where));
    return target;
  }

  /** A sum. */
  public int add(int left, int right) {
    return binary(BinaryOp.ADD, left, right);
  }

  /** A difference. */
  public int subtract(int left, int right) {
    return binary(BinaryOp.SUBTRACT, left, right);
  }

  /** A product. */
  public int multiply(int left, int right) {
    return binary(BinaryOp.MULTIPLY, left, right);
  }

  /** A quotient; of integers only where the divisor cannot be 0. */
  public int divide(int left, int right) {
    return binary(BinaryOp.DIVIDE, left, right);
  }

  /** The value in another kind, as Java's cast gives it. */
  public int convert(int operand, Kind kind) {
    int target = variable(kind);
    code.add(new Insn.Unary(UnaryOp.CONVERT, target, operand, where));
    return target;
  }

  /** A library function whose result has the kind of its first argument. */
  public int call(Intrinsic function, Integer... arguments) {
    int target = variable(variables.get(arguments[0]));
    code.add(new Insn.Call(function, target, List.of(arguments), where));
    return target;
  }

  /** An element of a table; the index is known to be within it. */
  public int load(int table, Kind kind, int index) {
    int target = variable(kind);
    code.add(new Insn.Load(table, kind, target, index, where));
    return target;
  }

  /** An array of so many equal elements. */
  public int filled(int length, int value) {
    int target = variable(variables.get(value));
    code.add(new Insn.Filled(target, length, value, where));
    return target;
  }

  /** An element of an array; the index is known to be within it. */
  public int element(int array, int index) {
    int target = variable(variables.get(array));
    code.add(new Insn.Element(target, array, index, where));
    return target;
  }

  /** An array but for one element; the index is known to be within it. */
  public int with(int array, int index, int value) {
    int target = variable(variables.get(array));
    code.add(new Insn.With(target, array, index, value, where));
    return target;
  }

  /** A label, to be placed once by {@link #place}. */
  public int label() {
    return labels++;
  }

  /** Places a label here. */
  public void place(int label) {
    code.add(new Insn.Label(label, where));
  }

  /** Goes to a label. */
  public void jump(int label) {
    code.add(new Insn.Jump(label, where));
  }

  /** Goes to a label where a condition holds. */
  public void branch(Condition condition, int left, int right, int label) {
    code.add(new Insn.Branch(condition, left, right, label, where));
  }

  /** Sends a message, a variable per column. */
  public void emit(Side side, List<Integer> message) {
    code.add(new Insn.Emit(side, message, where));
  }

  /** Leaves the function, with a variable per result column; none in a send function. */
  public void leave(List<Integer> values) {
    code.add(new Insn.Return(values, where));
  }

  /** Stops the run. */
  public void fail(FaultCode fault, String detail) {
    code.add(new Insn.Fail(fault, detail, where));
  }

  /** What stands in inlined code where it would send or leave. */
  public interface Ends {
    /** A message, a variable per column. */
    default void emit(Side side, List<Integer> message) {
      throw new IllegalArgumentException("a function that sends, where none may");
    }

    /** The results, a variable per column. */
    void leave(List<Integer> results);
  }

  /**
   * Writes the code of another function here.
   *
   * @param given the variable that a parameter of it is; {@link #OWN}: this function's of the same
   *     role and index
   */
  public void inline(IrFunction function, ToIntFunction<Param> given, Ends ends) {
    Map<Integer, Integer> names = new HashMap<>();
    Map<Integer, Integer> places = new HashMap<>();
    Set<Integer> written = new HashSet<>();
    function.code().forEach(insn -> written.add(insn.target()));
    for (Param p : function.parameters()) {
      Kind kind = function.variables().get(p.variable());
      int variable = given.applyAsInt(p);
      if (variable == OWN) {
        variable = parameter(p.role(), p.index(), p.type(kind));
      }
      if (written.contains(p.variable())) {
        int copy = variable(kind);
        assign(copy, variable);
        variable = copy;
      }
      names.put(p.variable(), variable);
    }
    IntUnaryOperator name =
        v -> names.computeIfAbsent(v, old -> variable(function.variables().get(old)));
    IntUnaryOperator place = l -> places.computeIfAbsent(l, old -> label());
    for (Insn insn : function.code()) {
      Insn renamed = insn.renamed(name, name).jumping(place);
      if (renamed instanceof Insn.Emit emit) {
        ends.emit(emit.side(), emit.message());
      } else if (renamed instanceof Insn.Return leave) {
        ends.leave(leave.values());
      } else if (renamed instanceof Insn.Label at) {
        code.add(new Insn.Label(place.applyAsInt(at.label()), at.where()));
      } else {
        code.add(renamed);
      }
    }
  }

  /** The function; parameters that were asked for are its parameters. */
  public IrFunction build(List<? extends ColumnType> results) {
    return new IrFunction(
        name, List.copyOf(parameters.values()), List.copyOf(results), variables, labels, code);
  }
}
