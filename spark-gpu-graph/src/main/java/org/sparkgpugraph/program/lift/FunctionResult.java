package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Type;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ssa.Ssa;

/** What a function returns: the columns of its result, or its messages. */
final class FunctionResult {
  private final SymbolicMachine machine;
  private final ValueColumns columns;
  private final EdgeCalls edges;
  private final boolean sends;
  private final boolean returnsMessages;

  /** Null in a send function, and until it is known from the first value that is returned. */
  private ValueType type;

  /**
   * @param signature of the function
   * @param returnsMessages whether a send function returns its messages
   */
  FunctionResult(
      SymbolicMachine machine,
      ValueColumns columns,
      EdgeCalls edges,
      Signature signature,
      boolean returnsMessages) {
    this.machine = machine;
    this.columns = columns;
    this.edges = edges;
    type = signature.result();
    sends = signature.sending() != null;
    this.returnsMessages = returnsMessages;
  }

  /** The result's type, known when the function has been executed. */
  ValueType type() {
    return type;
  }

  /** Leaves the function; the path has ended then. */
  boolean finish(Sym value) {
    List<Integer> returned = new ArrayList<>();
    if (returnsMessages) {
      if (!edges.sendAll(value)) {
        return false;
      }
    } else if (value != null && !sends) {
      Type returns = Type.getReturnType(machine.state.frames.get(0).body.method().desc);
      if (type == null && !(value instanceof Sym.Null)) {
        type = columns.typeOf(value);
      }
      if (type == null) {
        return machine.halt(FaultCode.NULL_VALUE, "null result");
      }
      if (!columns.flatten(
          Boxing.boxed(value, returns), type, Boxing.isPrimitive(returns), returned)) {
        return false;
      }
    }
    machine.end(new Ssa.Leave(returned, machine.where()));
    return false;
  }
}
