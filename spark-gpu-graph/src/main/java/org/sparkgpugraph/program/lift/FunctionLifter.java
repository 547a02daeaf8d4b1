package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.sparkgpugraph.program.OptionTypes;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.bytecode.ClassFiles;
import org.sparkgpugraph.program.bytecode.FunctionObject;
import org.sparkgpugraph.program.bytecode.MethodBody;
import org.sparkgpugraph.program.bytecode.Reasons;
import org.sparkgpugraph.program.bytecode.RefusedException;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.lift.Signature.Argument;
import org.sparkgpugraph.program.ssa.Linearizer;
import org.sparkgpugraph.program.ssa.SsaOptimizer;

/**
 * Translates one function of a program by symbolic execution of its bytecode.
 *
 * <p>The symbolic machine runs every path once. Primitives become variables of the intermediate
 * representation; all that is not primitive (records, the edge, lambdas, the call stack itself) is
 * part of the machine's state. Where paths meet, those share a block whose states differ in
 * variables only ({@link ExecutionPaths}). Calls are therefore inlined, boxes erased and records
 * replaced by their fields without any further analysis.
 */
final class FunctionLifter {
  private final Signature signature;
  private final LiftBudget budget;
  private final SymbolicMachine machine;
  private final ValueColumns columns;
  private final NewObjects objects;
  private final EdgeCalls edges;
  private final HostValues hosts;
  private final MethodEntry methods;
  private final ExecutionPaths paths;
  private final FunctionResult result;
  private final BytecodeInterpreter interpreter;
  private final Reasons reasons = new Reasons();

  /**
   * Prepares to lift one function.
   *
   * @param captures of the program; gets those of the function
   * @param budget of the program
   * @param options of the program
   */
  FunctionLifter(
      Signature signature,
      ClassFiles classes,
      Captures captures,
      LiftBudget budget,
      OptionTypes options) {
    this.signature = signature;
    this.budget = budget;
    machine = new SymbolicMachine(classes);
    columns = new ValueColumns(machine, options);
    objects = new NewObjects(machine);
    Boxing boxing = new Boxing(machine);
    hosts = new HostValues(machine, boxing, captures);
    methods = new MethodEntry(machine, boxing, objects, budget);
    edges = new EdgeCalls(machine, columns, signature.sending());
    ContextCalls context = new ContextCalls(machine, objects, signature.aggregates());
    Set<Integer> ends =
        signature.arguments().contains(new Argument.OfTriplet()) ? edges.ends() : Set.of();
    paths = new ExecutionPaths(machine, budget, ends);
    CallInliner calls =
        new CallInliner(machine, boxing, objects, hosts, methods, edges, context, paths);
    result = new FunctionResult(machine, columns, edges, signature, !ends.isEmpty());
    interpreter =
        new BytecodeInterpreter(machine, paths, boxing, objects, hosts, calls, result, reasons);
  }

  /** The type of the result, or of a send function's messages, known after {@link #lift}. */
  ValueType result() {
    return signature.sending() == null ? result.type() : edges.messageType();
  }

  /**
   * Lifts.
   *
   * @throws RefusedException with each construct found that has no place in a lifted program
   */
  IrFunction lift(FunctionObject object) {
    budget.begin(signature.name());
    begin(object);
    do {
      look();
    } while (paths.next() && !reasons.areEnough());
    reasons.throwIfAny();
    new SsaOptimizer(machine.ssa).run();
    List<ColumnType> results = result.type() == null ? List.of() : result.type().columns();
    return new Linearizer(machine.ssa).function(signature.name(), results);
  }

  /** Executes a path; one that is refused ends, and others may tell more. */
  private void look() {
    try {
      interpreter.run();
    } catch (RefusedException e) {
      reasons.add(e);
    } catch (RuntimeException | StackOverflowError e) {
      // Behind a refusal there are values that nobody expects.
      if (reasons.isEmpty() || Thread.currentThread().isInterrupted()) {
        throw e;
      }
    }
  }

  /** The state before the call of the function's method. */
  private void begin(FunctionObject object) {
    Frame root = new Frame(MethodBody.calling(object.method()), -1);
    machine.state.frames.add(root);
    for (Argument argument : signature.arguments()) {
      note(argument instanceof Argument.Value value ? value.type() : null);
    }
    if (signature.sending() != null) {
      note(signature.sending().vertex());
      note(signature.sending().message());
    }
    List<Sym> values = new ArrayList<>();
    for (int i = 0; i < object.captured().size(); i++) {
      values.add(hosts.captured(object.captured().get(i), List.of(new Sym.Host(object), i)));
    }
    signature.arguments().forEach(argument -> values.add(argument(argument)));
    methods.pushArguments(root, object.method(), values);
  }

  /** Notes the keys of the maps and sets, and lengths of the arrays, that there are. */
  private void note(ValueType type) {
    if (type instanceof ValueType.Vector vector) {
      machine.knownLengths.add(vector.length());
    } else if (type instanceof ValueType.Keyed keyed) {
      machine.knownKeys.computeIfAbsent(keyed.key(), kind -> new TreeSet<>()).addAll(keyed.keys());
    } else if (type instanceof ValueType.Struct struct) {
      struct.fields().forEach(field -> note(field.type()));
    }
  }

  private Sym argument(Argument argument) {
    if (argument instanceof Argument.Scalar scalar) {
      int variable = machine.ssa.parameter(scalar.role(), 0, scalar.kind());
      return new Sym.Prim(scalar.kind(), variable);
    } else if (argument instanceof Argument.Value value) {
      return columns.parameters(value.role(), value.type());
    } else if (argument instanceof Argument.OfEdge) {
      return new Sym.Edge(false);
    }
    return argument instanceof Argument.OfTriplet ? new Sym.Edge(true) : new Sym.Context();
  }
}
