package org.sparkgpugraph.program.cuda;

import java.util.List;
import java.util.Map;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.lanes.TeamForm;
import org.sparkgpugraph.program.lanes.TeamLoop;

/**
 * What is printed of code that a team of {@code SGG_TEAM} lanes runs together ({@code
 * sgg/team.cuh}): each lane takes every so-many-th round of the loops that are divided. The round
 * that comes first of those that end a loop ends it for all.
 */
final class TeamText {
  /** All lanes of the team have come here, and see what the others have written. */
  static final String SYNC = "sgg_team_sync();";

  private final TeamForm form;
  private final Map<Integer, Integer> labels;

  TeamText(TeamForm form) {
    this.form = form;
    labels = Insn.Label.positions(form.code());
  }

  /** The variables that the loops need beside those of the code; each line with its end. */
  String declarations() {
    StringBuilder out = new StringBuilder();
    for (int n = 0; n < form.loops().size(); n++) {
      if (!form.loops().get(n).exits().isEmpty()) {
        out.append("  int x%d = SGG_NO_ROUND, b%1$d = 0;\n".formatted(n));
      }
    }
    return out.toString();
  }

  /** Whether an instruction is in a loop that is divided. */
  boolean isInLoop(int at) {
    return form.loops().stream().anyMatch(loop -> loop.has(at));
  }

  /** What an instruction is to such a loop, with line ends; null: it is no such thing. */
  String ofLoop(int at, Faults faults) {
    for (int n = 0; n < form.loops().size(); n++) {
      TeamLoop loop = form.loops().get(n);
      String variable = "v" + loop.variable();
      if (at == loop.label()) {
        String begins = loop.exits().isEmpty() ? "" : "x%d = SGG_NO_ROUND; b%1$d = %s; ";
        return ("  " + SYNC + " " + begins + "%2$s += part * %3$d;\nL%4$d:;\n")
            .formatted(n, variable, loop.by(), label(loop.label()));
      } else if (at == loop.guard()) {
        Insn.Branch branch = (Insn.Branch) form.code().get(at);
        return "  if (%s) goto Q%d;\n".formatted(condition(branch), n);
      } else if (at == loop.step()) {
        Insn.Copy copy = (Insn.Copy) form.code().get(at);
        return "  %s = v%d + (SGG_TEAM - 1) * %d;\n".formatted(variable, copy.source(), loop.by());
      } else if (at == loop.jump()) {
        return end(n, loop, faults);
      } else if (loop.exits().contains(at)) {
        return leaving(n, loop, at);
      }
    }
    return null;
  }

  /** The statement of a fault. */
  interface Faults {
    String of(Insn.Fail fail);
  }

  private String leaving(int n, TeamLoop loop, int at) {
    Insn insn = form.code().get(at);
    String leaves =
        "{ x%d = (v%d - b%1$d) / %d * %d + %d; goto Q%1$d; }"
            .formatted(
                n, loop.variable(), loop.by(), loop.exits().size(), loop.exits().indexOf(at));
    return "  "
        + (insn instanceof Insn.Branch branch ? "if (" + condition(branch) + ") " : "")
        + leaves
        + "\n";
  }

  private String end(int n, TeamLoop loop, Faults faults) {
    StringBuilder out = new StringBuilder();
    out.append("  goto L%d;\nQ%d:;\n  %s\n".formatted(label(loop.label()), n, SYNC));
    List<Integer> exits = loop.exits();
    if (!exits.isEmpty()) {
      out.append("  x%d = sgg_team_least(x%1$d);\n".formatted(n));
    }
    for (int e = 0; e < exits.size(); e++) {
      Insn insn = form.code().get(exits.get(e));
      String then =
          insn instanceof Insn.Fail fail
              ? "{ " + faults.of(fail) + " return; }"
              : "goto L" + insn.jumps().get(0) + ";";
      out.append(
          "  if (x%d != SGG_NO_ROUND && x%1$d %% %d == %d) %s\n"
              .formatted(n, exits.size(), e, then));
    }
    Insn.Branch guard = (Insn.Branch) form.code().get(loop.guard());
    return out.append("  goto L").append(guard.label()).append(";\n").toString();
  }

  private static String condition(Insn.Branch branch) {
    return OperationText.condition(branch.condition(), "v" + branch.left(), "v" + branch.right());
  }

  private int label(int at) {
    if (labels.get(((Insn.Label) form.code().get(at)).label()) != at) {
      throw new IllegalStateException("instruction " + at + " is no label");
    }
    return ((Insn.Label) form.code().get(at)).label();
  }
}
