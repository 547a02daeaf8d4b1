package org.sparkgpugraph.program.lanes;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Param;

/** Which variables of a send function may differ from edge to edge of a superstep. */
final class Varying {
  private Varying() {}

  /** Those that are made of an edge or its ends, or depend on a test of such ones. */
  static BitSet of(IrFunction function) {
    BitSet varying = new BitSet();
    Map<Integer, Integer> writes = new HashMap<>();
    for (Param p : function.parameters()) {
      writes.merge(p.variable(), 1, Integer::sum);
      if (!p.role().isOfAll()) {
        varying.set(p.variable());
      }
    }
    function.code().forEach(insn -> writes.merge(insn.target(), 1, Integer::sum));
    int before;
    do {
      before = varying.cardinality();
      // What is written at several places may be as tests say.
      boolean tested =
          function.code().stream()
              .anyMatch(insn -> !insn.jumps().isEmpty() && reads(insn, varying));
      for (Insn insn : function.code()) {
        if (insn.target() >= 0
            && (reads(insn, varying) || tested && writes.get(insn.target()) > 1)) {
          varying.set(insn.target());
        }
      }
    } while (varying.cardinality() > before);
    return varying;
  }

  private static boolean reads(Insn insn, BitSet varying) {
    return insn.read().stream().anyMatch(varying::get);
  }
}
