package org.sparkgpugraph.program.cuda;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.sparkgpugraph.program.ir.CountedLoops;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.UnreadCode;
import org.sparkgpugraph.program.lanes.LaneForm;
import org.sparkgpugraph.program.lanes.LaneLoop;
import org.sparkgpugraph.program.lanes.Reduction;

/**
 * What is printed of loops that lanes share: each lane takes the rounds of the elements that it
 * has, in their order, and the collectives of {@code parts.cuh} put together what these leave.
 */
final class LaneText {
  private static final int LANES = 32;

  /** Elements that a lane loads at once. */
  private static final int LEAST_ROUNDS = 4;

  private final LaneForm form;
  private final List<Kind> kinds;

  /** The instructions, each by its identity. */
  private final Set<Insn> needed = Collections.newSetFromMap(new IdentityHashMap<>());

  LaneText(LaneForm form, List<Kind> kinds) {
    this.form = form;
    this.kinds = kinds;
    List<Insn> printed = new ArrayList<>(form.code());
    for (LaneLoop shared : form.loops()) {
      // What counts is printed in another way.
      printed.set(shared.loop().guard(), form.code().get(shared.loop().label()));
      printed.set(shared.loop().step(), form.code().get(shared.loop().label()));
    }
    needed.addAll(UnreadCode.removed(printed));
  }

  /** Whether an instruction has to be printed for what lanes do with it. */
  boolean isNeeded(Insn insn) {
    return needed.contains(insn);
  }

  /** The variables that loops read. */
  BitSet variables() {
    BitSet variables = new BitSet();
    for (LaneLoop shared : form.loops()) {
      variables.set(shared.loop().variable());
    }
    return variables;
  }

  /** Most elements that a lane has of an array. */
  int rounds() {
    return Math.max(LEAST_ROUNDS, form.length() / LANES);
  }

  /** The variables that the loops need beside those of the code; each line with its end. */
  String declarations() {
    StringBuilder out = new StringBuilder();
    for (int n = 0; n < form.loops().size(); n++) {
      LaneLoop loop = form.loops().get(n);
      for (int r = 0; r < loop.reductions().size(); r++) {
        Reduction reduction = loop.reductions().get(r);
        if (reduction instanceof Reduction.Fold fold && !fold.operator().isIdempotent()) {
          Kind kind = kinds.get(fold.variable());
          out.append("  ").append(CTypes.register(kind)).append(' ').append(first(n, r));
          out.append(" = 0;\n");
        } else if (reduction instanceof Reduction.Selection) {
          out.append("  int ").append(round(n, r)).append(" = 0;\n");
        }
      }
      if (!loop.exits().isEmpty()) {
        out.append("  int ").append(exit(n)).append(" = 0;\n");
      }
    }
    return out.toString();
  }

  /** Whether an instruction is in the body of a loop that lanes share. */
  boolean isInLoop(int at) {
    return form.loops().stream().anyMatch(shared -> shared.loop().hasInBody(at));
  }

  /** What an instruction is to such a loop, with line ends; null: it is no such thing. */
  String ofLoop(int at) {
    for (int n = 0; n < form.loops().size(); n++) {
      CountedLoops.Loop loop = form.loops().get(n).loop();
      if (at == loop.guard()) {
        return begin(n);
      } else if (at == loop.jump()) {
        return end(n);
      } else if (at == loop.label() || at == loop.step()) {
        return "";
      }
    }
    return null;
  }

  /**
   * The statement that ends a loop for this lane and tells the others; null: it is no such jump.
   */
  String leaving(int at, int label) {
    for (int n = 0; n < form.loops().size(); n++) {
      LaneLoop shared = form.loops().get(n);
      int number = shared.exits().indexOf(label);
      if (shared.loop().hasInBody(at) && number >= 0) {
        int exits = shared.exits().size();
        String round = v(shared.loop().variable());
        return "{ %s = %s; goto X%d; }"
            .formatted(exit(n), exits == 1 ? round : round + " * " + exits + " + " + number, n);
      }
    }
    return null;
  }

  /** What is to be noted behind an instruction that sets a number which is chosen. */
  String noted(int at) {
    StringBuilder out = new StringBuilder();
    for (int n = 0; n < form.loops().size(); n++) {
      LaneLoop shared = form.loops().get(n);
      for (int r = 0; r < shared.reductions().size(); r++) {
        if (shared.reductions().get(r) instanceof Reduction.Selection selection
            && selection.sets().contains(at)) {
          out.append(' ').append(round(n, r)).append(" = ");
          out.append(v(shared.loop().variable())).append(';');
        }
      }
    }
    return out.toString();
  }

  private String begin(int n) {
    LaneLoop shared = form.loops().get(n);
    CountedLoops.Loop loop = shared.loop();
    StringBuilder out = new StringBuilder();
    for (int r = 0; r < shared.reductions().size(); r++) {
      Reduction reduction = shared.reductions().get(r);
      if (reduction instanceof Reduction.Fold fold && !fold.operator().isIdempotent()) {
        String identity = CTypes.literal(fold.operator().identity(kinds.get(fold.variable())));
        out.append("  %s = %s; ".formatted(first(n, r), v(fold.variable())));
        out.append("%s = %s;\n".formatted(v(fold.variable()), identity));
      } else if (reduction instanceof Reduction.Selection) {
        out.append("  ").append(round(n, r)).append(" = -1;\n");
      }
    }
    if (!shared.exits().isEmpty()) {
      out.append("  ").append(exit(n)).append(" = SGG_NO_ROUND;\n");
    }
    String index = v(loop.variable());
    List<String> conditions = new ArrayList<>();
    if (loop.from() > 0) {
      conditions.add(index + " >= " + loop.from());
    }
    conditions.add(
        loop.limit() == form.length()
            ? "sgg_is_feature(" + index + ")"
            : index + " < " + loop.limit());
    out.append("  SGG_UNROLL for (int j = 0; j < SGG_FEATURE_EACH; j++) {\n");
    out.append("  ").append(index).append(" = sgg_feature(part, j);\n");
    out.append("  if (").append(String.join(" && ", conditions)).append(") {\n");
    return out.toString();
  }

  private String end(int n) {
    LaneLoop shared = form.loops().get(n);
    CountedLoops.Loop loop = shared.loop();
    StringBuilder out = new StringBuilder("  } }\n");
    if (!shared.exits().isEmpty()) {
      out.append("X%d:;\n  %s = sgg_group_join(%2$s, part, JoinMin());\n".formatted(n, exit(n)));
    }
    int exits = shared.exits().size();
    for (int e = 0; e < exits; e++) {
      String which = exits == 1 ? "" : " && %s %% %d == %d".formatted(exit(n), exits, e);
      out.append(
          "  if (%s != SGG_NO_ROUND%s) goto L%d;\n"
              .formatted(exit(n), which, shared.exits().get(e)));
    }
    for (int r = 0; r < shared.reductions().size(); r++) {
      out.append(joined(n, r, shared.reductions().get(r)));
    }
    if (shared.countsOn()) {
      int last = Math.max(loop.from(), loop.limit());
      out.append("  ").append(v(loop.variable())).append(" = ").append(last).append(";\n");
    }
    return out.append("  goto L").append(loop.exit()).append(";\n").toString();
  }

  private String joined(int n, int r, Reduction reduction) {
    if (reduction instanceof Reduction.Flag flag) {
      return "  if (sgg_group_any(%s == %s)) %1$s = %2$s;\n"
          .formatted(v(flag.variable()), CTypes.literal(flag.constant()));
    } else if (reduction instanceof Reduction.Fold fold) {
      String all =
          "sgg_group_join(%s, part, %s())"
              .formatted(v(fold.variable()), CTypes.join(fold.operator()));
      return "  %s = %s;\n"
          .formatted(
              v(fold.variable()),
              fold.operator().isIdempotent()
                  ? all
                  : "%s()(%s, %s)".formatted(CTypes.join(fold.operator()), first(n, r), all));
    }
    return chosen(n, r, (Reduction.Selection) reduction);
  }

  private String chosen(int n, int r, Reduction.Selection selection) {
    StringBuilder read = new StringBuilder();
    StringBuilder taken = new StringBuilder();
    for (int variable : selection.variables()) {
      String type = CTypes.register(kinds.get(variable));
      read.append(" %s o%d = sgg_group_xor(%s, d);".formatted(type, variable, v(variable)));
      taken.append(" %s = o%d;".formatted(v(variable), variable));
    }
    String round = round(n, r);
    String replaces =
        selection.key() < 0
            ? "true"
            : "%s > %s ? %s : %s"
                .formatted(
                    "o",
                    round,
                    replaces(selection, "o" + selection.key(), v(selection.key())),
                    "!" + replaces(selection, v(selection.key()), "o" + selection.key()));
    String is =
        selection.key() < 0
            ? "o > %s".formatted(round)
            : "o >= 0 && (%s < 0 || (%s))".formatted(round, replaces);
    return "  SGG_UNROLL for (int d = 1; d < SGG_FEATURE_GROUP; d *= 2) {\n    int o = sgg_group_xor("
        + round
        + ", d);"
        + read
        + "\n    if ("
        + is
        + ") { "
        + round
        + " = o;"
        + taken
        + " }\n  }\n";
  }

  private static String replaces(Reduction.Selection selection, String fresh, String old) {
    return "sgg_replaces<%d>(%s, %s)".formatted(selection.replaces(), fresh, old);
  }

  private static String first(int loop, int reduction) {
    return "f" + loop + "_" + reduction;
  }

  private static String round(int loop, int reduction) {
    return "r" + loop + "_" + reduction;
  }

  private static String exit(int loop) {
    return "x" + loop;
  }

  private static String v(int variable) {
    return "v" + variable;
  }

  /** Whether an instruction reads or writes an element that one of the lanes has, for all. */
  boolean isOfOneLane(Insn insn, int at) {
    return (insn instanceof Insn.Element || insn instanceof Insn.With) && !isInLoop(at);
  }
}
