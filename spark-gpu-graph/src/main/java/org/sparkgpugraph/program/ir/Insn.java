package org.sparkgpugraph.program.ir;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * One instruction of the three-address code. Variables are numbers into {@link
 * IrFunction#variables()}; labels are numbers below {@link IrFunction#labels()}. BOOLEAN variables
 * hold 0 or 1 and are computed with as INT is; an INT variable that is 0 or 1 may stand wherever a
 * BOOLEAN is wanted (operand, message, result), and the other way round.
 *
 * <p>The code knows nothing of the JVM: no objects, no stack, no exceptions. It prints as C with
 * labels and goto as directly as it prints as bytecode.
 */
public sealed interface Insn extends Serializable {

  /** Position in the user's source. */
  SourcePosition where();

  /** The variable that the instruction assigns, or −1. */
  default int target() {
    return -1;
  }

  /** The variables that the instruction reads, in the order of its operands. */
  default List<Integer> read() {
    return List.of();
  }

  /** The instruction with other names for the variables that it reads. */
  default Insn reading(IntUnaryOperator name) {
    return renamed(variable -> variable, name);
  }

  /** The instruction with other names for the variable that it assigns and those that it reads. */
  default Insn renamed(IntUnaryOperator written, IntUnaryOperator read) {
    return this;
  }

  /** The labels that control may go to from here; one may come several times. */
  default List<Integer> jumps() {
    return List.of();
  }

  /** The instruction with other names for the labels that it jumps to. */
  default Insn jumping(IntUnaryOperator name) {
    return this;
  }

  /** Whether control never goes on with the next instruction. */
  default boolean leaves() {
    return this instanceof Jump
        || this instanceof Switch
        || this instanceof Return
        || this instanceof Fail;
  }

  private static List<Integer> names(List<Integer> variables, IntUnaryOperator name) {
    return variables.stream().map(name::applyAsInt).toList();
  }

  /** {@code target = value}; the value's class is the box of the target's kind. */
  record Constant(int target, Object value, SourcePosition where) implements Insn {
    @Override
    public Insn renamed(IntUnaryOperator written, IntUnaryOperator read) {
      return new Constant(written.applyAsInt(target), value, where);
    }
  }

  /** {@code target = source}; same kind. */
  record Copy(int target, int source, SourcePosition where) implements Insn {
    @Override
    public List<Integer> read() {
      return List.of(source);
    }

    @Override
    public Insn renamed(IntUnaryOperator written, IntUnaryOperator read) {
      return new Copy(written.applyAsInt(target), read.applyAsInt(source), where);
    }
  }

  /** {@code target = op operand}. */
  record Unary(UnaryOp op, int target, int operand, SourcePosition where) implements Insn {
    @Override
    public List<Integer> read() {
      return List.of(operand);
    }

    @Override
    public Insn renamed(IntUnaryOperator written, IntUnaryOperator read) {
      return new Unary(op, written.applyAsInt(target), read.applyAsInt(operand), where);
    }
  }

  /** {@code target = left op right}; operands of one kind (shift counts are INT). */
  record Binary(BinaryOp op, int target, int left, int right, SourcePosition where)
      implements Insn {
    @Override
    public List<Integer> read() {
      return List.of(left, right);
    }

    @Override
    public Insn renamed(IntUnaryOperator written, IntUnaryOperator read) {
      return new Binary(
          op, written.applyAsInt(target), read.applyAsInt(left), read.applyAsInt(right), where);
    }
  }

  /** {@code target = function(arguments)}. */
  record Call(Intrinsic function, int target, List<Integer> arguments, SourcePosition where)
      implements Insn {
    public Call {
      arguments = List.copyOf(arguments);
    }

    @Override
    public List<Integer> read() {
      return arguments;
    }

    @Override
    public Insn renamed(IntUnaryOperator written, IntUnaryOperator read) {
      return new Call(function, written.applyAsInt(target), names(arguments, read), where);
    }
  }

  /**
   * {@code target = table[index]}: an element of an array that travels beside the program and never
   * changes. Nothing checks the index: who makes the instruction puts a {@link Branch} before it
   * that only an index within the table passes.
   *
   * @param table its number among those of the program
   * @param kind of its elements
   * @param index an INT
   */
  record Load(int table, Kind kind, int target, int index, SourcePosition where) implements Insn {
    @Override
    public List<Integer> read() {
      return List.of(index);
    }

    @Override
    public Insn renamed(IntUnaryOperator written, IntUnaryOperator read) {
      return new Load(table, kind, written.applyAsInt(target), read.applyAsInt(index), where);
    }
  }

  /**
   * {@code target = [value, value, …]}: an array of so many equal elements. Arrays are values: what
   * stands in a variable never changes, and {@link With} makes another one of it. Their kind is
   * that of the elements; {@link ArrayPlaces} says which variables hold one, and where.
   */
  record Filled(int target, int length, int value, SourcePosition where) implements Insn {
    @Override
    public List<Integer> read() {
      return List.of(value);
    }

    @Override
    public Insn renamed(IntUnaryOperator written, IntUnaryOperator read) {
      return new Filled(written.applyAsInt(target), length, read.applyAsInt(value), where);
    }
  }

  /** {@code target = array[index]}; as with {@link Load} nothing checks the index. */
  record Element(int target, int array, int index, SourcePosition where) implements Insn {
    @Override
    public List<Integer> read() {
      return List.of(array, index);
    }

    @Override
    public Insn renamed(IntUnaryOperator written, IntUnaryOperator read) {
      return new Element(
          written.applyAsInt(target), read.applyAsInt(array), read.applyAsInt(index), where);
    }
  }

  /** {@code target = array}, but for {@code target[index] = value}. Nothing checks the index. */
  record With(int target, int array, int index, int value, SourcePosition where) implements Insn {
    @Override
    public List<Integer> read() {
      return List.of(array, index, value);
    }

    @Override
    public Insn renamed(IntUnaryOperator written, IntUnaryOperator read) {
      return new With(
          written.applyAsInt(target),
          read.applyAsInt(array),
          read.applyAsInt(index),
          read.applyAsInt(value),
          where);
    }
  }

  /** {@code if (left condition right) goto label}. */
  record Branch(Condition condition, int left, int right, int label, SourcePosition where)
      implements Insn {
    @Override
    public List<Integer> read() {
      return List.of(left, right);
    }

    @Override
    public Insn renamed(IntUnaryOperator written, IntUnaryOperator read) {
      return new Branch(condition, read.applyAsInt(left), read.applyAsInt(right), label, where);
    }

    @Override
    public List<Integer> jumps() {
      return List.of(label);
    }

    @Override
    public Insn jumping(IntUnaryOperator name) {
      return new Branch(condition, left, right, name.applyAsInt(label), where);
    }
  }

  /**
   * {@code switch (value)}: goes to the label beside the key that the INT value is, or to {@code
   * otherwise}.
   *
   * @param keys ascending, each once
   * @param labels one per key
   */
  record Switch(
      int value, List<Integer> keys, List<Integer> labels, int otherwise, SourcePosition where)
      implements Insn {
    public Switch {
      keys = List.copyOf(keys);
      labels = List.copyOf(labels);
      if (keys.size() != labels.size()) {
        throw new IllegalArgumentException(
            keys.size() + " keys of a switch, but " + labels.size() + " labels");
      }
    }

    @Override
    public List<Integer> read() {
      return List.of(value);
    }

    @Override
    public Insn renamed(IntUnaryOperator written, IntUnaryOperator read) {
      return new Switch(read.applyAsInt(value), keys, labels, otherwise, where);
    }

    @Override
    public List<Integer> jumps() {
      List<Integer> all = new ArrayList<>(labels);
      all.add(otherwise);
      return all;
    }

    @Override
    public Insn jumping(IntUnaryOperator name) {
      return new Switch(value, keys, names(labels, name), name.applyAsInt(otherwise), where);
    }
  }

  /** {@code goto label}. */
  record Jump(int label, SourcePosition where) implements Insn {
    @Override
    public List<Integer> jumps() {
      return List.of(label);
    }

    @Override
    public Insn jumping(IntUnaryOperator name) {
      return new Jump(name.applyAsInt(label), where);
    }
  }

  /** {@code label:}. */
  record Label(int label, SourcePosition where) implements Insn {
    /** Where the labels of code stand in it. */
    public static Map<Integer, Integer> positions(List<? extends Insn> code) {
      Map<Integer, Integer> positions = new HashMap<>();
      for (int i = 0; i < code.size(); i++) {
        if (code.get(i) instanceof Label label) {
          positions.put(label.label, i);
        }
      }
      return positions;
    }
  }

  /** Delivers a message to one end of the edge; send functions only. One variable per column. */
  record Emit(Side side, List<Integer> message, SourcePosition where) implements Insn {
    public Emit {
      message = List.copyOf(message);
    }

    @Override
    public List<Integer> read() {
      return message;
    }

    @Override
    public Insn renamed(IntUnaryOperator written, IntUnaryOperator read) {
      return new Emit(side, names(message, read), where);
    }
  }

  /**
   * Delivers {@code message[column][index] = value} before the {@link Emit} that delivers the rest
   * of the same message, where in the place of the array stands a number that nobody looks at. Only
   * in code that an engine makes of a send function for itself.
   *
   * @param index an INT
   */
  record EmitElement(Side side, int column, int index, int value, SourcePosition where)
      implements Insn {
    @Override
    public List<Integer> read() {
      return List.of(index, value);
    }

    @Override
    public Insn renamed(IntUnaryOperator written, IntUnaryOperator read) {
      return new EmitElement(side, column, read.applyAsInt(index), read.applyAsInt(value), where);
    }
  }

  /** Leaves the function; one variable per result column (none in a send function). */
  record Return(List<Integer> values, SourcePosition where) implements Insn {
    public Return {
      values = List.copyOf(values);
    }

    @Override
    public List<Integer> read() {
      return values;
    }

    @Override
    public Insn renamed(IntUnaryOperator written, IntUnaryOperator read) {
      return new Return(names(values, read), where);
    }
  }

  /** Stops the run with an error that names the fault, the position and the vertex. */
  record Fail(FaultCode code, String detail, SourcePosition where) implements Insn {}
}
