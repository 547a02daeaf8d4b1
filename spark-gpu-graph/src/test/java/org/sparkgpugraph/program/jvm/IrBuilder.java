package org.sparkgpugraph.program.jvm;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.sparkgpugraph.program.ir.ArrayType;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.ir.SourcePosition;
import org.sparkgpugraph.program.ir.UnaryOp;

/** Writes IR by hand, for tests that must not depend on the lifter. */
public final class IrBuilder {
  private final String name;
  private final List<Param> parameters = new ArrayList<>();
  private final List<Kind> variables = new ArrayList<>();
  private final List<Insn> code = new ArrayList<>();
  private int labels;

  public IrBuilder(String name) {
    this.name = name;
  }

  private SourcePosition here() {
    return new SourcePosition("Test", name, code.size() + 1);
  }

  public int variable(Kind kind) {
    variables.add(kind);
    return variables.size() - 1;
  }

  public Kind kind(int variable) {
    return variables.get(variable);
  }

  public int parameter(Role role, int index, Kind kind) {
    for (Param p : parameters) {
      if (p.role() == role && p.index() == index) {
        return p.variable();
      }
    }
    int v = variable(kind);
    parameters.add(new Param(role, index, v));
    return v;
  }

  /** A parameter that is an array. */
  public int parameter(Role role, int index, ArrayType type) {
    int v = variable(type.kind());
    parameters.add(new Param(role, index, v, type.length()));
    return v;
  }

  public int constant(Kind kind, Object value) {
    int v = variable(kind);
    code.add(new Insn.Constant(v, value, here()));
    return v;
  }

  public IrBuilder copy(int target, int source) {
    code.add(new Insn.Copy(target, source, here()));
    return this;
  }

  public int unary(UnaryOp op, Kind result, int operand) {
    int v = variable(result);
    code.add(new Insn.Unary(op, v, operand, here()));
    return v;
  }

  public int binary(BinaryOp op, int left, int right) {
    boolean compares = op == BinaryOp.COMPARE_L || op == BinaryOp.COMPARE_G;
    int v = variable(compares ? Kind.INT : kind(left));
    code.add(new Insn.Binary(op, v, left, right, here()));
    return v;
  }

  public int call(Intrinsic function, Kind result, Integer... arguments) {
    int v = variable(result);
    code.add(new Insn.Call(function, v, List.of(arguments), here()));
    return v;
  }

  public int load(int table, Kind kind, int index) {
    int v = variable(kind);
    code.add(new Insn.Load(table, kind, v, index, here()));
    return v;
  }

  /** Assigns an array of equal elements. */
  public IrBuilder filled(int target, int length, int value) {
    code.add(new Insn.Filled(target, length, value, here()));
    return this;
  }

  public int element(int array, int index) {
    int v = variable(kind(array));
    code.add(new Insn.Element(v, array, index, here()));
    return v;
  }

  /** Assigns an array with another element. */
  public IrBuilder with(int target, int array, int index, int value) {
    code.add(new Insn.With(target, array, index, value, here()));
    return this;
  }

  public int newLabel() {
    return labels++;
  }

  public IrBuilder label(int label) {
    code.add(new Insn.Label(label, here()));
    return this;
  }

  public IrBuilder branch(Condition condition, int left, int right, int label) {
    code.add(new Insn.Branch(condition, left, right, label, here()));
    return this;
  }

  /** Keys are 0, 1, …, times {@code step}. */
  public IrBuilder choose(int value, int step, List<Integer> to, int otherwise) {
    List<Integer> keys = IntStream.range(0, to.size()).mapToObj(i -> i * step).toList();
    code.add(new Insn.Switch(value, keys, to, otherwise, here()));
    return this;
  }

  public IrBuilder jump(int label) {
    code.add(new Insn.Jump(label, here()));
    return this;
  }

  public IrBuilder emit(Side side, Integer... message) {
    code.add(new Insn.Emit(side, List.of(message), here()));
    return this;
  }

  public IrBuilder fail(FaultCode fault, String detail) {
    code.add(new Insn.Fail(fault, detail, here()));
    return this;
  }

  public IrBuilder returns(Integer... values) {
    code.add(new Insn.Return(List.of(values), here()));
    return this;
  }

  public IrFunction build(Kind... results) {
    return new IrFunction(name, parameters, List.of(results), variables, labels, code);
  }
}
