package org.sparkgpugraph.program.ir;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The basic blocks of a function, in the order of its code. Block 0 is the entry. */
public class BasicBlocks {
  private final List<Insn> code;

  /** Where each block begins, and the end of the code. */
  private final List<Integer> begins = new ArrayList<>();

  private final List<List<Integer>> successors = new ArrayList<>();

  /** Finds the blocks. */
  public BasicBlocks(IrFunction function) {
    code = function.code();
    Map<Integer, Integer> labeled = new HashMap<>();
    for (int i = 0; i < code.size(); i++) {
      if (i == 0 || code.get(i) instanceof Insn.Label || ends(code.get(i - 1))) {
        begins.add(i);
      }
      if (code.get(i) instanceof Insn.Label label) {
        labeled.put(label.label(), begins.size() - 1);
      }
    }
    begins.add(code.size());
    for (int b = 0; b < count(); b++) {
      Insn last = code.get(end(b) - 1);
      Set<Integer> next = new LinkedHashSet<>();
      last.jumps().forEach(label -> next.add(labeled.get(label)));
      if (!last.leaves()) {
        next.add(b + 1);
      }
      successors.add(List.copyOf(next));
    }
  }

  private static boolean ends(Insn insn) {
    return insn.leaves() || !insn.jumps().isEmpty();
  }

  /** Number of blocks. */
  public final int count() {
    return begins.size() - 1;
  }

  /** The first instruction of a block. */
  public final int begin(int block) {
    return begins.get(block);
  }

  /** Behind the last instruction of a block. */
  public final int end(int block) {
    return begins.get(block + 1);
  }

  /** The instructions of a block. */
  public final List<Insn> body(int block) {
    return code.subList(begin(block), end(block));
  }

  /** The block that an instruction is in. */
  public final int blockOf(int instruction) {
    int at = Collections.binarySearch(begins, instruction);
    return at >= 0 ? at : -at - 2;
  }

  /** Where control goes from a block: jumped to first, then fallen into, each once. */
  public final List<Integer> successors(int block) {
    return successors.get(block);
  }
}
