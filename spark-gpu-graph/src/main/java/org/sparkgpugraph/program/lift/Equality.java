package org.sparkgpugraph.program.lift;

import java.util.List;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Kind;

/** Java's equals between values. */
final class Equality {
  private final SymbolicMachine machine;

  Equality(SymbolicMachine machine) {
    this.machine = machine;
  }

  /** Java's equals between values, as an INT variable that is 0 or 1. */
  int test(Sym left, Sym right) {
    for (Sym side : List.of(left, right)) {
      if (side instanceof Sym.Carried || side instanceof Sym.Maybe) {
        throw machine.refuse("reads " + side.describe());
      }
    }
    if (left instanceof Sym.Box a && right instanceof Sym.Box b && a.type() == b.type()) {
      return machine.same(a.variable(), b.variable());
    } else if (left instanceof Sym.Rec a
        && right instanceof Sym.Rec b
        && a.layout().equals(b.layout())) {
      int all = machine.constant(1);
      for (int i = 0; i < a.fields().size(); i++) {
        int equal = test(a.fields().get(i), b.fields().get(i));
        all = machine.binary(BinaryOp.AND, Kind.INT, all, equal).variable();
      }
      return all;
    } else if (left instanceof Sym.Text a
        && right instanceof Sym.Text b
        && a.isKnown()
        && b.isKnown()) {
      return machine.constant(a.value().equals(b.value()) ? 1 : 0);
    } else if (left instanceof Sym.Null || right instanceof Sym.Null) {
      boolean same = machine.isNull(left) && machine.isNull(right);
      return machine.constant(same ? 1 : 0);
    } else if (!isTakenApart(left)
        || !isTakenApart(right)
        || left.getClass() == right.getClass()
            && !(left instanceof Sym.Box)
            && !(left instanceof Sym.Rec)) {
      throw machine.refuse("compares " + left.describe() + " with " + right.describe());
    }
    return machine.constant(0);
  }

  /** Whether a value differs from all values of other kinds; an object may equal anything. */
  private static boolean isTakenApart(Sym value) {
    return value instanceof Sym.Box || value instanceof Sym.Rec || value instanceof Sym.Text;
  }
}
