package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.sparkgpugraph.program.bytecode.MethodBody;
import org.sparkgpugraph.program.ssa.Ssa;

/** The activation of one method during symbolic execution. */
final class Frame {
  final MethodBody body;
  int pc;
  final Sym[] locals;
  final List<Sym> stack;

  /** Id of the object whose constructor this is, or −1. */
  final int constructs;

  /** Whether this stands for the body of a lambda's class, which only calls the real method. */
  boolean adapter;

  /** For an adapter: the type that its caller expects. */
  org.objectweb.asm.Type returns;

  /** Of a frame that stands for a loop of the library over a sequence; else null. */
  SequenceLoops.Loop loop;

  /** Of a loop over a map or set: the block in which the function was called. */
  Ssa.Block calledIn;

  /** Of such a loop: ids of the objects that the function must not change. */
  Set<Integer> objectsBefore;

  Frame(MethodBody body, int constructs) {
    this.body = body;
    this.constructs = constructs;
    this.locals = new Sym[Math.max(body.method().maxLocals, 1)];
    Arrays.fill(locals, Sym.TOP);
    this.stack = new ArrayList<>();
  }

  /**
   * A loop of the library.
   *
   * @param locals how many values it keeps
   */
  Frame(MethodBody caller, SequenceLoops.Loop loop, int locals) {
    this.body = caller;
    this.constructs = -1;
    this.locals = new Sym[locals];
    this.stack = new ArrayList<>();
    this.adapter = true;
    this.loop = loop;
  }

  private Frame(Frame other) {
    this.body = other.body;
    this.pc = other.pc;
    this.constructs = other.constructs;
    this.adapter = other.adapter;
    this.returns = other.returns;
    this.loop = other.loop;
    this.calledIn = other.calledIn;
    this.objectsBefore = other.objectsBefore;
    this.locals = other.locals.clone();
    this.stack = new ArrayList<>(other.stack);
  }

  Frame copy() {
    return new Frame(this);
  }

  void push(Sym value) {
    stack.add(value);
  }

  Sym pop() {
    return stack.remove(stack.size() - 1);
  }
}
