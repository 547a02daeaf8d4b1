package org.sparkgpugraph.examples.algorithms;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.sparkgpugraph.lib.Louvain;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;

/**
 * An algorithm's own figure of merit, a line of the summary: what its result comes to, in a number
 * or two that say at a glance whether it can be right.
 *
 * @param counted which values count
 * @param labels whether different values are counted
 * @param text of the line
 * @param warning of a result that still means something
 */
public record Merit(
    ColumnFacts.Counted counted,
    boolean labels,
    Function<Outcome, String> text,
    Function<Outcome, Optional<String>> warning) {
  /**
   * Half of the step between the largest doubles: the shortest path to which a finite length can be
   * added that makes it infinite.
   */
  private static final double TOO_FAR = 0x1p970;

  private static Merit of(ColumnFacts.Counted counted, Function<Outcome, String> text) {
    return new Merit(counted, false, text, o -> Optional.empty());
  }

  private static Merit ofAll(Function<Outcome, String> text) {
    return of(value -> true, text);
  }

  private static String format(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }

  private static String largest(String what, ColumnFacts facts) {
    return facts.largestCount == 0
        ? "no vertices"
        : format("%s %.6g (vertex %d)", what, facts.largest, facts.largestAt);
  }

  /** Whether a run until convergence has got there, where that is known. */
  private static String end(Outcome outcome) {
    RunSummary summary = outcome.report().summary();
    return summary.stopped() == RunSummary.Stopped.MAX_ITERATIONS
        ? format(
            "not converged after %,d supersteps: raise --iterations or --tolerance",
            summary.iterations())
        : "converged";
  }

  /** Ranks. */
  static Merit ranks() {
    return ofAll(
        o ->
            format(
                "ranks add up to %s, %s",
                o.columns().stream()
                    .map(facts -> format("%.6g", facts.sum))
                    .collect(Collectors.joining(", ")),
                largest("largest", o.values())));
  }

  /** Components that are named by one of their members. */
  static Merit components() {
    return ofAll(o -> format("%,d components", o.values().named));
  }

  /** Communities that are named by any vertex. */
  static Merit communities() {
    return new Merit(
        value -> true,
        true,
        o ->
            o.values().labels() > ColumnFacts.MOST_LABELS
                ? format("more than %,d communities", ColumnFacts.MOST_LABELS)
                : format("%,d communities", o.values().labels()),
        o -> Optional.empty());
  }

  /** Communities and how dense they are. */
  static Merit modularity() {
    return ofAll(
        o ->
            format(
                "modularity %.5f, %,d communities, %d levels",
                Louvain.modularity(o.report()),
                Louvain.communities(o.report()),
                Louvain.levels(o.report())));
  }

  /** Depths of a search, −1 or the largest number of their kind where it does not reach. */
  static Merit depths(double unreached) {
    return of(
        value -> value >= 0 && value < unreached,
        o ->
            o.columns().stream()
                .map(
                    facts ->
                        format(
                            "%,d of %,d vertices reached, at most %.0f edges away",
                            facts.count, o.vertices(), Math.max(0, facts.largest)))
                .collect(Collectors.joining("; ")));
  }

  /** Lengths of paths. */
  static Merit lengths() {
    return new Merit(
        value -> value < Double.POSITIVE_INFINITY,
        false,
        o ->
            format(
                "%,d of %,d vertices reached, %s",
                o.values().count, o.vertices(), largest("farthest", o.values())),
        o ->
            o.values().largest >= TOO_FAR && o.values().count < o.vertices()
                ? Optional.of(
                    format(
                        "vertex %d is %s away: longer paths may be too long for a number, and read as"
                            + " no path; multiply all weights by the same small number",
                        o.values().largestAt, o.values().largest))
                : Optional.empty());
  }

  /** Widths of paths; that of the source itself is infinite. */
  static Merit widths() {
    return of(
        value -> value > 0,
        o ->
            format(
                "%,d of %,d vertices reached, narrowest path %.6g",
                o.values().count, o.vertices(), o.values().smallest));
  }

  /** What several sources reach: a bit of each, and sums of distances. */
  static Merit reached() {
    return of(
        // The sign is the bit of the 64th source.
        value -> value != 0,
        o -> format("%,d of %,d vertices reached", o.values().count, o.vertices()));
  }

  /** Triangles by vertex. */
  static Merit triangles() {
    return ofAll(
        o ->
            format(
                "%,.0f triangles, %s",
                o.values().sum / 3, largest("most at a vertex", o.values())));
  }

  /** A mean over all vertices. */
  static Merit mean(String what) {
    return ofAll(o -> format("%s %.6g", what, o.values().sum / Math.max(1, o.vertices())));
  }

  /** The largest value and who has it. */
  static Merit largest(String what) {
    return ofAll(o -> largest(what, o.values()));
  }

  /** The largest value of each column and who has it. */
  static Merit largestOfEach(List<String> names) {
    return ofAll(
        o -> {
          List<String> each =
              names.stream()
                  .map(name -> largest("largest " + name, o.columns().get(names.indexOf(name))))
                  .toList();
          return String.join(", ", each);
        });
  }

  /** The largest core and how many are in it. */
  static Merit cores() {
    return ofAll(
        o ->
            format(
                "largest core %.0f, of %,d vertices",
                Math.max(0, o.values().largest), o.values().largestCount));
  }

  /** Members of something. */
  static Merit members(String of) {
    return of(
        value -> value > 0,
        o -> format("%,d of %,d vertices in %s", o.values().count, o.vertices(), of));
  }

  /** Pairs of vertices that name each other; who has none names itself. */
  static Merit pairs() {
    return ofAll(
        o ->
            format(
                "%,d pairs, %,d of %,d vertices alone",
                (o.vertices() - o.values().named) / 2, o.values().named, o.vertices()));
  }

  /** Colours from 0 on. */
  static Merit colours() {
    return ofAll(o -> format("%.0f colours", Math.max(-1, o.values().largest) + 1));
  }

  /** Trees, named by their roots, and the weights of their edges in the third column. */
  static Merit forest() {
    return ofAll(
        o ->
            format(
                "%,d trees of %,d edges, weight %.9g",
                o.values().named, o.vertices() - o.values().named, o.columns().get(2).sum));
  }

  /** What is computed until nothing changes. */
  static Merit settled(String what) {
    return ofAll(
        o ->
            format(
                "%s from %.6g to %.6g, %s", what, o.values().smallest, o.values().largest, end(o)));
  }

  /** The same of several columns. */
  static Merit settledOfAll(String what) {
    return ofAll(
        o ->
            format(
                "%s from %.6g to %.6g, %s",
                what,
                o.columns().stream().mapToDouble(facts -> facts.smallest).min().orElse(0),
                o.columns().stream().mapToDouble(facts -> facts.largest).max().orElse(0),
                end(o)));
  }

  /** Centralities, and by how much the last superstep still changed one. */
  static Merit residual() {
    return ofAll(
        o -> {
          List<SuperstepStats> supersteps = o.report().summary().supersteps();
          return format(
              "%s, last change %.3g, %s",
              largest("largest", o.values()),
              supersteps.get(supersteps.size() - 1).aggregates()[0],
              end(o));
        });
  }

  /**
   * How far predictions are from ratings.
   *
   * @param error of a run's report
   */
  static Merit errors(ToDoubleFunction<RunReport> error) {
    return ofAll(
        o ->
            format(
                "root of the mean squared error of %,d ratings %.5f",
                o.report().edges(), error.applyAsDouble(o.report())));
  }
}
