package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.UnaryOp;

/** Instructions that work on the operand stack alone: constants, shuffles, arithmetic. */
final class StackInstructions {
  private final SymbolicMachine machine;

  StackInstructions(SymbolicMachine machine) {
    this.machine = machine;
  }

  /**
   * Executes an instruction without operands.
   *
   * @return false if it is none of these, and nothing was done
   */
  boolean execute(Frame frame, int opcode) {
    switch (opcode) {
      case Opcodes.NOP -> {}
      case Opcodes.ACONST_NULL -> frame.push(Sym.NULL);
      case Opcodes.ICONST_M1,
          Opcodes.ICONST_0,
          Opcodes.ICONST_1,
          Opcodes.ICONST_2,
          Opcodes.ICONST_3,
          Opcodes.ICONST_4,
          Opcodes.ICONST_5 ->
          frame.push(machine.constantPrim(opcode - Opcodes.ICONST_0));
      case Opcodes.LCONST_0, Opcodes.LCONST_1 ->
          frame.push(machine.constantPrim((long) (opcode - Opcodes.LCONST_0)));
      case Opcodes.FCONST_0, Opcodes.FCONST_1, Opcodes.FCONST_2 ->
          frame.push(machine.constantPrim((float) (opcode - Opcodes.FCONST_0)));
      case Opcodes.DCONST_0, Opcodes.DCONST_1 ->
          frame.push(machine.constantPrim((double) (opcode - Opcodes.DCONST_0)));
      case Opcodes.POP -> pop(frame, 1);
      case Opcodes.POP2 -> pop(frame, 2);
      case Opcodes.DUP -> duplicate(frame, 1, 0);
      case Opcodes.DUP_X1 -> duplicate(frame, 1, 1);
      case Opcodes.DUP_X2 -> duplicate(frame, 1, 2);
      case Opcodes.DUP2 -> duplicate(frame, 2, 0);
      case Opcodes.DUP2_X1 -> duplicate(frame, 2, 1);
      case Opcodes.DUP2_X2 -> duplicate(frame, 2, 2);
      case Opcodes.SWAP ->
          Collections.swap(frame.stack, frame.stack.size() - 1, frame.stack.size() - 2);
      case Opcodes.IADD, Opcodes.LADD, Opcodes.FADD, Opcodes.DADD ->
          arithmetic(frame, BinaryOp.ADD);
      case Opcodes.ISUB, Opcodes.LSUB, Opcodes.FSUB, Opcodes.DSUB ->
          arithmetic(frame, BinaryOp.SUBTRACT);
      case Opcodes.IMUL, Opcodes.LMUL, Opcodes.FMUL, Opcodes.DMUL ->
          arithmetic(frame, BinaryOp.MULTIPLY);
      case Opcodes.IDIV, Opcodes.LDIV, Opcodes.FDIV, Opcodes.DDIV ->
          arithmetic(frame, BinaryOp.DIVIDE);
      case Opcodes.IREM, Opcodes.LREM, Opcodes.FREM, Opcodes.DREM ->
          arithmetic(frame, BinaryOp.REMAINDER);
      case Opcodes.IAND, Opcodes.LAND -> arithmetic(frame, BinaryOp.AND);
      case Opcodes.IOR, Opcodes.LOR -> arithmetic(frame, BinaryOp.OR);
      case Opcodes.IXOR, Opcodes.LXOR -> arithmetic(frame, BinaryOp.XOR);
      case Opcodes.ISHL, Opcodes.LSHL -> arithmetic(frame, BinaryOp.SHIFT_LEFT);
      case Opcodes.ISHR, Opcodes.LSHR -> arithmetic(frame, BinaryOp.SHIFT_RIGHT);
      case Opcodes.IUSHR, Opcodes.LUSHR -> arithmetic(frame, BinaryOp.SHIFT_RIGHT_UNSIGNED);
      case Opcodes.INEG, Opcodes.LNEG, Opcodes.FNEG, Opcodes.DNEG -> {
        Sym.Prim value = machine.prim(frame.pop());
        frame.push(machine.unary(UnaryOp.NEGATE, value.kind(), value.variable()));
      }
      case Opcodes.I2L, Opcodes.F2L, Opcodes.D2L -> convertTop(frame, Kind.LONG);
      case Opcodes.I2F, Opcodes.L2F, Opcodes.D2F -> convertTop(frame, Kind.FLOAT);
      case Opcodes.I2D, Opcodes.L2D, Opcodes.F2D -> convertTop(frame, Kind.DOUBLE);
      case Opcodes.L2I, Opcodes.F2I, Opcodes.D2I -> convertTop(frame, Kind.INT);
      case Opcodes.I2B -> narrowTop(frame, UnaryOp.TO_BYTE);
      case Opcodes.I2C -> narrowTop(frame, UnaryOp.TO_CHAR);
      case Opcodes.I2S -> narrowTop(frame, UnaryOp.TO_SHORT);
      case Opcodes.LCMP, Opcodes.FCMPL, Opcodes.DCMPL -> compare(frame, BinaryOp.COMPARE_L);
      case Opcodes.FCMPG, Opcodes.DCMPG -> compare(frame, BinaryOp.COMPARE_G);
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Pushes the values in the topmost slots again, below those in some more slots. */
  private static void duplicate(Frame frame, int slots, int below) {
    List<Sym> top = pop(frame, slots);
    List<Sym> others = pop(frame, below);
    frame.stack.addAll(top);
    frame.stack.addAll(others);
    frame.stack.addAll(top);
  }

  /** Pops the values in the topmost slots, of which a LONG or DOUBLE takes two. */
  private static List<Sym> pop(Frame frame, int slots) {
    List<Sym> popped = new ArrayList<>();
    for (int left = slots; left > 0; left -= popped.get(0).wide() ? 2 : 1) {
      popped.add(0, frame.pop());
    }
    return popped;
  }

  private void arithmetic(Frame frame, BinaryOp op) {
    Sym.Prim right = machine.prim(frame.pop());
    Sym.Prim left = machine.prim(frame.pop());
    if ((op == BinaryOp.DIVIDE || op == BinaryOp.REMAINDER) && left.kind().isIntegral()) {
      right = new Sym.Prim(right.kind(), machine.checkDivisor(left.kind(), right.variable()));
    }
    frame.push(machine.binary(op, left.kind(), left.variable(), right.variable()));
  }

  private void compare(Frame frame, BinaryOp op) {
    Sym.Prim right = machine.prim(frame.pop());
    Sym.Prim left = machine.prim(frame.pop());
    frame.push(machine.binary(op, Kind.INT, left.variable(), right.variable()));
  }

  private void convertTop(Frame frame, Kind to) {
    Sym.Prim value = machine.prim(frame.pop());
    frame.push(machine.convert(value.variable(), value.kind(), to));
  }

  private void narrowTop(Frame frame, UnaryOp op) {
    frame.push(machine.unary(op, Kind.INT, machine.prim(frame.pop()).variable()));
  }
}
