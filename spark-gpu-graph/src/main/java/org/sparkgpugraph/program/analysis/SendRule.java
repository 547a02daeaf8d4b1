package org.sparkgpugraph.program.analysis;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.sparkgpugraph.program.Interruption;
import org.sparkgpugraph.program.expression.Comparison;
import org.sparkgpugraph.program.expression.Expression;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;

/**
 * A message that a send function sends, and when.
 *
 * @param side whose end of the edge gets it
 * @param message its columns
 * @param conditions all of which must hold
 */
record SendRule(Side side, List<Expression> message, Set<Comparison> conditions) {
  /** Conditions to compare when rules are joined: a second. */
  private static final long EFFORT = 10_000_000;

  /** The role of the end that sends. */
  Role sender() {
    return side == Side.DESTINATION ? Role.SOURCE : Role.DESTINATION;
  }

  /** The role of the end that gets it. */
  Role receiver() {
    return side == Side.DESTINATION ? Role.DESTINATION : Role.SOURCE;
  }

  /**
   * What a function sends on these paths.
   *
   * @return null when joining its rules would take too long
   */
  static List<SendRule> of(List<Path> paths) {
    return simplified(rules(paths));
  }

  private static Set<SendRule> rules(List<Path> paths) {
    Set<SendRule> rules = new LinkedHashSet<>();
    for (Path path : paths) {
      for (Path.Sent sent : path.sent()) {
        rules.add(
            new SendRule(
                sent.side(),
                sent.message(),
                Set.copyOf(path.conditions().subList(0, sent.conditions()))));
      }
    }
    return rules;
  }

  /**
   * Joins rules that differ in one condition which one has and the other has negated.
   *
   * @return null when that would take too long
   */
  private static List<SendRule> simplified(Set<SendRule> rules) {
    List<SendRule> list = new ArrayList<>(rules);
    long effort = 0;
    boolean changed = true;
    while (changed) {
      changed = false;
      Interruption.check("a program is examined");
      search:
      for (SendRule a : list) {
        for (SendRule b : list) {
          if (a != b && a.side == b.side && a.message.equals(b.message)) {
            effort += a.conditions.size() + b.conditions.size();
            if (effort > EFFORT) {
              return null;
            }
            if (b.conditions.containsAll(a.conditions)) {
              list.remove(b);
              changed = true;
              break search;
            }
            SendRule joined = joined(a, b);
            if (joined != null) {
              list.remove(a);
              list.remove(b);
              list.add(joined);
              changed = true;
              break search;
            }
          }
        }
      }
    }
    return list;
  }

  /** {@code a or b} as one rule: b's extra conditions hold already where a's negated one does. */
  private static SendRule joined(SendRule a, SendRule b) {
    Set<Comparison> onlyA = new HashSet<>(a.conditions);
    onlyA.removeAll(b.conditions);
    Set<Comparison> onlyB = new HashSet<>(b.conditions);
    onlyB.removeAll(a.conditions);
    if (onlyA.size() != 1 || onlyB.size() != 1) {
      return null;
    }
    if (!onlyA.iterator().next().negate().equals(onlyB.iterator().next())) {
      return null;
    }
    Set<Comparison> common = new HashSet<>(a.conditions);
    common.retainAll(b.conditions);
    return new SendRule(a.side, a.message, common);
  }
}
