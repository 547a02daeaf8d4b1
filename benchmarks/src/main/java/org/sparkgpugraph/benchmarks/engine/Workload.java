package org.sparkgpugraph.benchmarks.engine;

import java.util.Locale;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.StateFunction;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.run.ActiveDirection;

/** The programs of {@link DeviceBenchmark}, as a user writes them. */
public enum Workload {
  /** PageRank in floats, as one writes it first: rank times weight at every edge. */
  PAGERANK(ActiveDirection.OUT, null, 0f) {
    @Override
    ProgramInstance program(long source) {
      StateFunction<Object, FloatPage> state =
          (id, attribute, in, out) -> new FloatPage(1, out == 0 ? 0 : 1f / out);
      VertexProgram<FloatPage, Float> program =
          (id, page, sum) -> new FloatPage(0.15f + 0.85f * sum, page.weight());
      SendMessage<FloatPage, Object, Float> send =
          edge -> edge.sendToDst(edge.srcAttr().rank() * edge.srcAttr().weight());
      return lift(Object.class, state, program, send, (MergeMessage<Float>) Float::sum);
    }
  },
  /** PageRank in doubles, as {@code org.sparkgpugraph.lib.PageRank} runs it. */
  PAGERANK_F64(ActiveDirection.OUT, null, 0.0) {
    @Override
    ProgramInstance program(long source) {
      StateFunction<Object, Page> state =
          (id, attribute, in, out) -> new Page(1, out == 0 ? 0 : 1.0 / out);
      VertexProgram<Page, Double> program =
          (id, page, sum) -> new Page(0.15 + 0.85 * sum, page.weight());
      SendMessage<Page, Object, Double> send =
          edge -> edge.sendToDst(edge.srcAttr().rank() * edge.srcAttr().weight());
      return lift(Object.class, state, program, send, (MergeMessage<Double>) Double::sum);
    }
  },
  /** PageRank by residuals until none is above the tolerance, as GraphX writes it. */
  PAGERANK_CONVERGING(ActiveDirection.OUT, 0.15 / 0.85, null) {
    @Override
    ProgramInstance program(long source) {
      StateFunction<Object, Growing> state =
          (id, attribute, in, out) -> new Growing(0, 0, out == 0 ? 0 : 1.0 / out);
      VertexProgram<Growing, Double> program =
          (id, page, sum) -> {
            double rank = page.rank() + 0.85 * sum;
            return new Growing(rank, rank - page.rank(), page.weight());
          };
      SendMessage<Growing, Object, Double> send =
          edge -> {
            if (edge.srcAttr().delta() > TOLERANCE) {
              edge.sendToDst(edge.srcAttr().delta() * edge.srcAttr().weight());
            }
          };
      return lift(Object.class, state, program, send, (MergeMessage<Double>) Double::sum);
    }
  },
  /** Hops from the source. */
  BFS(ActiveDirection.OUT, Workload.UNREACHED, null) {
    @Override
    ProgramInstance program(long source) {
      StateFunction<Object, Integer> state =
          (id, attribute, in, out) -> id == source ? 0 : UNREACHED;
      VertexProgram<Integer, Integer> program = (id, level, message) -> Math.min(level, message);
      SendMessage<Integer, Object, Integer> send =
          edge -> {
            if (edge.srcAttr() + 1 < edge.dstAttr()) {
              edge.sendToDst(edge.srcAttr() + 1);
            }
          };
      return lift(Object.class, state, program, send, (MergeMessage<Integer>) Math::min);
    }
  },
  /** Shortest paths from the source over integer weights. */
  SSSP(ActiveDirection.OUT, Workload.UNREACHED, null) {
    @Override
    ProgramInstance program(long source) {
      StateFunction<Object, Integer> state =
          (id, attribute, in, out) -> id == source ? 0 : UNREACHED;
      VertexProgram<Integer, Integer> program =
          (id, distance, message) -> Math.min(distance, message);
      SendMessage<Integer, Integer, Integer> send =
          edge -> {
            if (edge.srcAttr() + edge.attr() < edge.dstAttr()) {
              edge.sendToDst(edge.srcAttr() + edge.attr());
            }
          };
      return lift(Integer.class, state, program, send, (MergeMessage<Integer>) Math::min);
    }
  },
  /** Connected components by the smallest label, labels of 32 bits. */
  CC(ActiveDirection.EITHER, Integer.MAX_VALUE, null) {
    @Override
    ProgramInstance program(long source) {
      StateFunction<Object, Integer> state = (id, attribute, in, out) -> (int) id;
      VertexProgram<Integer, Integer> program =
          (id, component, message) -> Math.min(component, message);
      SendMessage<Integer, Object, Integer> send =
          edge -> {
            if (edge.srcAttr() < edge.dstAttr()) {
              edge.sendToDst(edge.srcAttr());
            } else if (edge.srcAttr() > edge.dstAttr()) {
              edge.sendToSrc(edge.dstAttr());
            }
          };
      return lift(Object.class, state, program, send, (MergeMessage<Integer>) Math::min);
    }
  },
  /** Connected components as GraphX and {@code org.sparkgpugraph.lib} have them: labels are ids. */
  CC_LONG(ActiveDirection.EITHER, Long.MAX_VALUE, null) {
    @Override
    ProgramInstance program(long source) {
      StateFunction<Object, Long> state = (id, attribute, in, out) -> id;
      VertexProgram<Long, Long> program = (id, component, message) -> Math.min(component, message);
      SendMessage<Long, Object, Long> send =
          edge -> {
            if (edge.srcAttr() < edge.dstAttr()) {
              edge.sendToDst(edge.srcAttr());
            } else if (edge.srcAttr() > edge.dstAttr()) {
              edge.sendToSrc(edge.dstAttr());
            }
          };
      return lift(Object.class, state, program, send, (MergeMessage<Long>) Math::min);
    }
  },
  /** Label propagation as LDBC Graphalytics prescribes it; labels are ids. */
  CDLP(ActiveDirection.EITHER, null, Long.MIN_VALUE) {
    @Override
    ProgramInstance program(long source) {
      StateFunction<Object, Long> state = (id, attribute, in, out) -> id;
      VertexProgram<Long, Long> program =
          (id, label, message) -> message == Long.MIN_VALUE ? label : message;
      SendMessage<Long, Object, Long> send =
          edge -> {
            edge.sendToDst(edge.srcAttr());
            edge.sendToSrc(edge.dstAttr());
          };
      return BenchmarkPrograms.liftMode(Long.class, state, program, send);
    }
  },
  /**
   * Work of its own for each vertex at each of its edges: as many rounds as the source has
   * out-edges, up to {@link #MOST_ROUNDS}, of which none depends on one end alone.
   */
  LOOPS(ActiveDirection.OUT, null, 0) {
    @Override
    ProgramInstance program(long source) {
      StateFunction<Object, Rounds> state =
          (id, attribute, in, out) -> new Rounds(Math.min(out, MOST_ROUNDS), (int) id);
      VertexProgram<Rounds, Integer> program =
          (id, rounds, message) -> new Rounds(rounds.count(), rounds.value() + message);
      SendMessage<Rounds, Object, Integer> send =
          edge -> {
            int sum = 0;
            for (int i = 0; i < edge.srcAttr().count(); i++) {
              sum += mixed(edge.srcAttr().value() + i, edge.dstAttr().value());
            }
            edge.sendToDst(sum);
          };
      return lift(Object.class, state, program, send, (MergeMessage<Integer>) Integer::sum);
    }
  },
  /** A costly branch of 64 rounds that one of two edges takes, whichever. */
  BRANCHES_2(2, 64),
  /** One of eight. */
  BRANCHES_8(8, 64),
  /** One of 32: in a warp, which has 32 edges at a time, about one lane. */
  BRANCHES_32(32, 64),
  /** One of two, of 4 rounds: branches of other costs tell from which one on contexts pay. */
  BRANCHES_2X4(2, 4),
  /** The same of 16 rounds. */
  BRANCHES_2X16(2, 16),
  /** The same of 256 rounds. */
  BRANCHES_2X256(2, 256),
  /** One of eight, of 4 rounds. */
  BRANCHES_8X4(8, 4),
  /** The same of 16 rounds. */
  BRANCHES_8X16(8, 16),
  /** The same of 256 rounds. */
  BRANCHES_8X256(8, 256);

  /** Most rounds at an edge of {@link #LOOPS}. */
  static final int MOST_ROUNDS = 256;

  /** What a round of {@link #LOOPS} adds. */
  static int mixed(int from, int to) {
    int x = (from ^ to) * 0x9e3779b9;
    x ^= x >>> 15;
    x *= 0x85ebca6b;
    return x ^ x >>> 13;
  }

  /**
   * What an edge of {@link #BRANCHES_2} and its like says.
   *
   * @param every one of so many edges takes the costly branch
   * @param rounds of the branch
   */
  static int branched(int every, int rounds, int from, int to) {
    int x = mixed(from, to);
    if ((x >>> 8) % every == 0) {
      for (int i = 0; i < rounds; i++) {
        x = mixed(x, to + i);
      }
    }
    return x;
  }

  private static ProgramInstance branches(int every, int rounds) {
    StateFunction<Object, Integer> state = (id, attribute, in, out) -> (int) id;
    VertexProgram<Integer, Integer> program = (id, value, message) -> value + message;
    // Rounds stand in the code, so that an estimate can count them.
    SendMessage<Integer, Object, Integer> send =
        switch (rounds) {
          case 4 -> edge -> edge.sendToDst(branched(every, 4, edge.srcAttr(), edge.dstAttr()));
          case 16 -> edge -> edge.sendToDst(branched(every, 16, edge.srcAttr(), edge.dstAttr()));
          case 64 -> edge -> edge.sendToDst(branched(every, 64, edge.srcAttr(), edge.dstAttr()));
          case 256 -> edge -> edge.sendToDst(branched(every, 256, edge.srcAttr(), edge.dstAttr()));
          default -> throw new IllegalStateException("no branch of " + rounds + " rounds");
        };
    return lift(Object.class, state, program, send, (MergeMessage<Integer>) Integer::sum);
  }

  /** Distance where there is no path: adding a weight to it does not overflow. */
  public static final int UNREACHED = 1 << 30;

  /** What {@link #PAGERANK_CONVERGING} does not say on. */
  public static final double TOLERANCE = 1e-3;

  private final ActiveDirection direction;
  private final Object initialMessage;
  private final Object emptyMessage;
  private final int every;
  private final int rounds;

  Workload(ActiveDirection direction, Object initialMessage, Object emptyMessage) {
    this(direction, initialMessage, emptyMessage, 0, 0);
  }

  /** Sums of what edges say of which some take a costly branch. */
  Workload(int every, int rounds) {
    this(ActiveDirection.OUT, null, 0, every, rounds);
  }

  Workload(
      ActiveDirection direction,
      Object initialMessage,
      Object emptyMessage,
      int every,
      int rounds) {
    this.direction = direction;
    this.initialMessage = initialMessage;
    this.emptyMessage = emptyMessage;
    this.every = every;
    this.rounds = rounds;
  }

  /** A page of PageRank in floats: its rank and 1 / outDegree. */
  record FloatPage(float rank, float weight) {}

  /** The same with what its rank grew by last. */
  record Growing(double rank, double delta, double weight) {}

  /** How many rounds each out-edge takes, and what they begin with. */
  record Rounds(int count, int value) {}

  /** A page of PageRank in doubles: its rank and 1 / outDegree. */
  record Page(double rank, double weight) {}

  /**
   * The lifted program.
   *
   * @param source original id of the vertex that BFS and SSSP start from
   */
  ProgramInstance program(long source) {
    return branches(every, rounds);
  }

  /** Its name as an option and in the report: {@code pagerank-f64}. */
  String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Which edges are evaluated. */
  ActiveDirection direction() {
    return direction;
  }

  /** The message of superstep 0, or null. */
  Object[] initialMessage() {
    return initialMessage == null ? null : new Object[] {initialMessage};
  }

  /** The message where none came, or null when only receivers run. */
  Object[] emptyMessage() {
    return emptyMessage == null ? null : new Object[] {emptyMessage};
  }

  /** Whether it runs a number of iterations that the caller chooses, not to convergence. */
  boolean iterates() {
    return emptyMessage != null;
  }

  /** Whether values only get better, so that they may be updated in place. */
  boolean isMonotone() {
    return !iterates() && this != PAGERANK_CONVERGING;
  }

  /** One of so many edges takes the costly branch; 0: there is none. */
  int every() {
    return every;
  }

  /** Rounds of that branch. */
  int rounds() {
    return rounds;
  }

  /** Whether it is made up, for a technique that no other workload tells anything of. */
  boolean isMadeUp() {
    return this == LOOPS || every() > 0;
  }

  private static <S, E, A> ProgramInstance lift(
      Class<E> edge,
      StateFunction<Object, S> state,
      VertexProgram<S, A> program,
      SendMessage<S, E, A> send,
      MergeMessage<A> merge) {
    return BenchmarkPrograms.lift(Object.class, edge, state, program, send, merge);
  }
}
