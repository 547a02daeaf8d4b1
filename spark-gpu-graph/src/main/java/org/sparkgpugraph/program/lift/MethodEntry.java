package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.sparkgpugraph.program.bytecode.LibraryCalls;
import org.sparkgpugraph.program.bytecode.MethodBody;

/** Enters methods: a frame each, as calls are inlined. */
final class MethodEntry {
  private static final int MAX_DEPTH = 100;

  private final SymbolicMachine machine;
  private final Boxing boxing;
  private final NewObjects objects;
  private final LiftBudget budget;
  private final Map<Handle, MethodBody> adapters = new HashMap<>();

  MethodEntry(SymbolicMachine machine, Boxing boxing, NewObjects objects, LiftBudget budget) {
    this.machine = machine;
    this.boxing = boxing;
    this.objects = objects;
    this.budget = budget;
  }

  /**
   * Enters a method, or one that it inherits or overrides; its instructions are executed next.
   *
   * @param receiver null for a static method
   * @param constructs id of the object whose constructor it is, or −1
   * @return true: the path goes on
   * @throws RefusedException when the method cannot be lifted
   */
  boolean enter(
      String owner,
      String name,
      String descriptor,
      Sym receiver,
      List<Sym> arguments,
      int constructs) {
    String called = owner.replace('/', '.') + "." + name;
    MethodBody body = machine.classes.find(owner, name, descriptor);
    if (body == null) {
      throw machine.refuse(
          LibraryCalls.isLibrary(owner)
              ? LibraryCalls.unknown(owner, name)
              : "calls "
                  + called
                  + descriptor
                  + ", whose bytecode the class loader of the lambda does not give; put the class"
                  + " on the class path or in a jar (--jars)");
    }
    if (LibraryCalls.isLibrary(body.owner()) && !LibraryCalls.isInlined(body.owner())) {
      throw machine.refuse(LibraryCalls.unknown(body.owner(), name));
    }
    for (Frame frame : machine.state.frames) {
      if (frame.body == body) {
        throw machine.refuse("calls " + called + " recursively; write a loop");
      }
    }
    depthCheck();
    int access = body.method().access;
    if ((access & (Opcodes.ACC_NATIVE | Opcodes.ACC_ABSTRACT)) != 0) {
      throw machine.refuse("calls " + called + ", which has no bytecode");
    }
    budget.enter(body);
    Frame frame = new Frame(body, constructs);
    int slot = 0;
    if (receiver != null) {
      frame.locals[slot++] = receiver;
    }
    for (Sym argument : arguments) {
      frame.locals[slot] = argument;
      slot += argument.wide() ? 2 : 1;
    }
    machine.state.frames.add(frame);
    if ((access & Opcodes.ACC_SYNCHRONIZED) != 0 || body.locks()) {
      throw machine.refuse(SymbolicMachine.SYNCHRONIZED);
    }
    return true;
  }

  /** Enters the method behind a lambda that was made in, or captured by, the lifted code. */
  boolean enterClosure(Handle method, List<Sym> captured, List<Sym> arguments, String calledAs) {
    List<Sym> values = new ArrayList<>(captured);
    values.addAll(arguments);
    MethodBody body = adapters.computeIfAbsent(method, MethodBody::calling);
    Frame adapter = new Frame(body, -1);
    adapter.adapter = true;
    adapter.returns = Type.getReturnType(calledAs);
    depthCheck();
    machine.state.frames.add(adapter);
    pushArguments(adapter, method, values);
    return true;
  }

  /** Pushes the values with which a method is called, as the types that it takes. */
  void pushArguments(Frame frame, Handle method, List<Sym> values) {
    boolean constructs = method.getTag() == Opcodes.H_NEWINVOKESPECIAL;
    if (constructs) {
      Sym fresh = objects.begin(method.getOwner());
      frame.push(fresh);
      frame.push(fresh);
    }
    boolean isStatic = constructs || method.getTag() == Opcodes.H_INVOKESTATIC;
    Type[] types = Type.getArgumentTypes(method.getDesc());
    int expected = types.length + (isStatic ? 0 : 1);
    if (expected != values.size()) {
      throw machine.refuse(
          "a method of "
              + expected
              + " parameters is called with "
              + values.size()
              + " values: "
              + method.getDesc());
    }
    for (int i = 0; i < values.size(); i++) {
      int parameter = isStatic ? i : i - 1;
      frame.push(parameter < 0 ? values.get(i) : boxing.adapt(values.get(i), types[parameter]));
    }
  }

  private void depthCheck() {
    if (machine.state.frames.size() >= MAX_DEPTH) {
      throw machine.refuse("calls nest deeper than " + MAX_DEPTH);
    }
  }
}
