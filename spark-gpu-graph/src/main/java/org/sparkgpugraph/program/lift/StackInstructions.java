package org.sparkgpugraph.program.lift;

import java.util.Collections;
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
      case Opcodes.POP,
          Opcodes.POP2,
          Opcodes.DUP,
          Opcodes.DUP_X1,
          Opcodes.DUP_X2,
          Opcodes.DUP2,
          Opcodes.DUP2_X1,
          Opcodes.DUP2_X2,
          Opcodes.SWAP ->
          shuffle(frame, opcode);
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

  private void shuffle(Frame frame, int opcode) {
    Sym a = frame.pop();
    switch (opcode) {
      case Opcodes.POP -> {}
      case Opcodes.POP2 -> {
        if (!a.wide()) {
          frame.pop();
        }
      }
      case Opcodes.DUP -> pushAll(frame, a, a);
      case Opcodes.DUP_X1 -> {
        Sym b = frame.pop();
        pushAll(frame, a, b, a);
      }
      case Opcodes.DUP_X2 -> {
        Sym b = frame.pop();
        if (b.wide()) {
          pushAll(frame, a, b, a);
        } else {
          Sym c = frame.pop();
          pushAll(frame, a, c, b, a);
        }
      }
      case Opcodes.DUP2 -> {
        if (a.wide()) {
          pushAll(frame, a, a);
        } else {
          Sym b = frame.pop();
          pushAll(frame, b, a, b, a);
        }
      }
      case Opcodes.DUP2_X1 -> {
        Sym b = frame.pop();
        if (a.wide()) {
          pushAll(frame, a, b, a);
        } else {
          Sym c = frame.pop();
          pushAll(frame, b, a, c, b, a);
        }
      }
      case Opcodes.DUP2_X2 -> {
        Sym b = frame.pop();
        if (a.wide() && b.wide()) {
          pushAll(frame, a, b, a);
        } else if (a.wide()) {
          Sym c = frame.pop();
          pushAll(frame, a, c, b, a);
        } else {
          Sym c = frame.pop();
          if (c.wide()) {
            pushAll(frame, b, a, c, b, a);
          } else {
            Sym d = frame.pop();
            pushAll(frame, b, a, d, c, b, a);
          }
        }
      }
      default -> {
        Sym b = frame.pop();
        pushAll(frame, a, b);
      }
    }
  }

  private static void pushAll(Frame frame, Sym... values) {
    Collections.addAll(frame.stack, values);
  }

  private void arithmetic(Frame frame, BinaryOp op) {
    Sym.Prim right = machine.prim(frame.pop());
    Sym.Prim left = machine.prim(frame.pop());
    if ((op == BinaryOp.DIVIDE || op == BinaryOp.REMAINDER) && left.kind().isIntegral()) {
      machine.checkDivisor(left.kind(), right.variable());
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
