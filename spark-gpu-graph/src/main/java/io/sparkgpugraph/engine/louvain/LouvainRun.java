package io.sparkgpugraph.engine.louvain;

import io.sparkgpugraph.engine.WorkerTeam;
import io.sparkgpugraph.engine.operator.GraphOperator.Parcel;
import io.sparkgpugraph.engine.operator.GraphOperator.Round;
import io.sparkgpugraph.engine.operator.OperatorInput;
import io.sparkgpugraph.engine.operator.OperatorRun;
import io.sparkgpugraph.graph.Columns;
import io.sparkgpugraph.graph.ExecutorGraph;
import io.sparkgpugraph.graph.PhaseTimes;
import io.sparkgpugraph.program.Kind;
import java.util.Arrays;
import java.util.List;

/**
 * {@link LouvainOperator} at work on one executor graph. Vertices of the whole graph are numbered
 * through, those of shard 0 first, in the order of their ids. What is decided about the whole graph
 * every shard decides for itself, of the same numbers.
 */
final class LouvainRun implements OperatorRun {
  /** A level's sweeps end when one adds less than this share of what all of them have added. */
  private static final double LITTLE = 0.02;

  private final LouvainOperator operator;
  private final ExecutorGraph graph;
  private final int shard;
  private final int shards;
  private final WorkerTeam team;
  private final LocalMoving.Tools[] tools;
  private final GraphRows graphRows;
  private final Messages messages;

  /** What the next round does. */
  private Step next = this::start;

  /** What is held here. */
  private Messages.Part part;

  /** Vertex of this level that each vertex of the graph that is held here is in. */
  private int[] label;

  /** The smallest vertex of the graph in each vertex of this level. */
  private int[] smallest;

  /** Original ids of these, at the end. */
  private long[] names;

  private int levels;
  private int level;
  private double modularity;
  private long missing;

  // The level.
  private LevelRows rows;
  private LevelState state;
  private LocalMoving moving;
  private int[] best;
  private long bestInside;
  private double levelBegan;
  private boolean moved;

  // A class of several executors.
  private int ofClass;
  private long[] ownMoves;
  private CoarseRows sums;
  private boolean alone;

  /** Part of the work between two exchanges. */
  private interface Step {
    Round run(List<Parcel> arrived);
  }

  LouvainRun(OperatorInput input, LouvainOperator operator) {
    this.operator = operator;
    graph = input.graph();
    shard = input.shard();
    shards = input.shards();
    team = new WorkerTeam("louvain", input.threads());
    tools = LocalMoving.Tools.of(input.threads());
    graphRows = new GraphRows(graph, operator.weighted(), team);
    messages = new Messages(graph, shard, shards);
  }

  @Override
  public Round round(int number, List<Parcel> arrived) {
    return next.run(arrived);
  }

  /** Goes on with another step when all parcels are there. */
  private Round then(Step step, List<Parcel> parcels) {
    next = step;
    return new Round(parcels, true, entries(), told());
  }

  private Round last() {
    next =
        arrived -> {
          throw new IllegalStateException("the communities are found");
        };
    return new Round(List.of(), false, entries(), told());
  }

  private long entries() {
    return moving == null ? 0 : moving.entries();
  }

  private double[] told() {
    return new double[] {modularity, levels, smallest == null ? 0 : smallest.length - missing};
  }

  // ---- the graph ------------------------------------------------------------------------------

  private Round start(List<Parcel> arrived) {
    long start = System.nanoTime();
    part =
        new Messages.Part(
            graph.endHeld() - graph.firstHeld(),
            graph.edgeCount(),
            graphRows.largest(),
            graphRows.isSymmetric());
    PhaseTimes.ended("louvain: weights", start);
    if (shards > 1) {
      return then(this::place, messages.toAll(part.bytes()));
    }
    messages.parts(List.of(part));
    measure();
    return beginFirst();
  }

  private Round place(List<Parcel> arrived) {
    messages.takeParts(arrived, part);
    graphRows.place(messages.first(shard));
    measure();
    return then(this::takeStrengths, messages.strengthsAndExports());
  }

  private void measure() {
    Messages.Part whole = messages.whole();
    long start = System.nanoTime();
    graphRows.scale(whole.largest(), whole.edges(), whole.symmetric());
    messages.own(graphRows.strengths(messages.strengths()));
    missing = whole.vertices() - graph.vertexCount();
    PhaseTimes.ended("louvain: strengths", start);
  }

  private Round takeStrengths(List<Parcel> arrived) {
    messages.takeStrengths(arrived, graphRows);
    return beginFirst();
  }

  private Round beginFirst() {
    smallest = new int[messages.strengths().length];
    for (int v = 0; v < smallest.length; v++) {
      smallest[v] = v;
    }
    label = new int[graphRows.end() - graphRows.first()];
    for (int v = 0; v < label.length; v++) {
      label[v] = graphRows.first() + v;
    }
    if (shards > 1
        && smallest.length <= operator.alone()
        && messages.whole().edges() <= operator.aloneEntries() / 2) {
      // As if every vertex had been found to be a community.
      return share(graphRows, smallest, messages.strengths(), messages.loops());
    }
    begin(graphRows, messages.strengths(), messages.loops());
    return shards == 1 ? sweep() : decide();
  }

  // ---- levels ---------------------------------------------------------------------------------

  private void begin(LevelRows ofLevel, long[] strengths, long inside) {
    rows = ofLevel;
    state = new LevelState(strengths, inside, operator.gamma());
    moving = new LocalMoving(rows, state, level++, team, tools);
    best = state.community.clone();
    bestInside = inside;
    modularity = state.modularity();
    levelBegan = modularity;
    moved = false;
    ofClass = 0;
  }

  /**
   * A sweep has ended.
   *
   * @return whether another one is worth while
   */
  private boolean goesOn() {
    double now = state.modularity();
    double gain = now - modularity;
    if (gain > 0) {
      modularity = now;
      System.arraycopy(state.community, 0, best, 0, best.length);
      bestInside = state.inside;
    }
    boolean any = moved;
    moved = false;
    return any && gain > 0 && gain >= operator.minGain() && gain >= (now - levelBegan) * LITTLE;
  }

  /**
   * The level has ended: goes back to its best state, and numbers communities.
   *
   * @return whether another level is worth while
   */
  private boolean endLevel() {
    state.restore(best, bestInside);
    int[] members = state.number();
    boolean merged = members.length < state.size;
    if (merged) {
      levels++;
      for (int v = 0; v < label.length; v++) {
        label[v] = state.community[label[v]];
      }
      for (int c = 0; c < members.length; c++) {
        members[c] = smallest[members[c]];
      }
      smallest = members;
    }
    return merged && levels < operator.maxLevels() && modularity - levelBegan >= operator.minGain();
  }

  // ---- one executor ---------------------------------------------------------------------------

  /** A sweep; the round's end lets others see how far it is. */
  private Round sweep() {
    if (sweepAlone()) {
      return then(arrived -> sweep(), List.of());
    }
    return last();
  }

  /** A sweep; what comes behind a level when it was its last. False: it was the last of all. */
  private boolean sweepAlone() {
    long start = System.nanoTime();
    for (int c = 0; c < LocalMoving.CLASSES; c++) {
      long[] moves = moving.decide(c);
      start = PhaseTimes.ended("louvain: deciding", start);
      moving.move(moves);
      state.inside += moving.change(moves, true);
      moving.settle(moves);
      moved |= moves.length > 0;
      start = PhaseTimes.ended("louvain: moving", start);
    }
    if (goesOn()) {
      return true;
    }
    if (!endLevel()) {
      return false;
    }
    long[] strengths = state.strengths(smallest.length);
    CoarseRows coarse = new Coarsening(team, tools).sums(rows, state.community, smallest.length);
    long inside = state.inside;
    begin(coarse, strengths, inside);
    PhaseTimes.ended("louvain: next level", start);
    return true;
  }

  // ---- several executors ----------------------------------------------------------------------

  private Round decide() {
    ownMoves = moving.decide(ofClass);
    moving.activate(ownMoves);
    return then(this::move, messages.moves(ownMoves, moving));
  }

  private Round move(List<Parcel> arrived) {
    long[] others = messages.takeMoves(arrived, moving);
    moving.move(ownMoves);
    moving.move(others);
    messages.changed(moving.change(ownMoves, false));
    moving.settle(ownMoves);
    moving.settle(others);
    moved |= ownMoves.length + others.length > 0;
    ofClass++;
    return ofClass < LocalMoving.CLASSES
        ? decide()
        : then(this::endSweep, messages.toAll(messages.change()));
  }

  private Round endSweep(List<Parcel> arrived) {
    state.inside += messages.takeChanges(arrived);
    ofClass = 0;
    if (goesOn()) {
      return decide();
    }
    if (!endLevel()) {
      return nameCommunities();
    }
    return share(rows, state.community, state.strengths(smallest.length), state.inside);
  }

  /**
   * Ends a level of several executors, each of which tells the holders of communities what it knows
   * of them.
   *
   * @param strengths of the communities
   */
  private Round share(LevelRows ofLevel, int[] communities, long[] strengths, long inside) {
    sums = new Coarsening(team, tools).sums(ofLevel, communities, strengths.length);
    if (strengths.length > operator.alone()) {
      return hold(false, strengths, inside);
    }
    return then(
        arrived ->
            hold(
                messages.sum(arrived, sums.entries()) <= operator.aloneEntries(),
                strengths,
                inside),
        messages.toAll(Messages.number(sums.entries())));
  }

  /**
   * Sends rows to those who hold them from now on.
   *
   * @param byOne whether that is shard 0 alone
   */
  private Round hold(boolean byOne, long[] strengths, long inside) {
    alone = byOne;
    messages.hold(strengths.length, alone);
    return then(arrived -> coarsen(arrived, strengths, inside), messages.rows(sums));
  }

  private Round coarsen(List<Parcel> arrived, long[] strengths, long inside) {
    int from = messages.first(shard);
    int to = messages.first(shard + 1);
    CoarseRows coarse = new Coarsening(team, tools).joined(sums, arrived, from, to);
    sums = null;
    begin(coarse, strengths, inside);
    if (!alone) {
      return decide();
    }
    if (shard == 0) {
      return finishAlone();
    }
    next = this::takeEnd;
    return new Round(List.of(), false, 0, told());
  }

  /** Shard 0 has all rows of the level, and computes the rest. */
  private Round finishAlone() {
    int[] ofVertex = label;
    label = new int[state.size];
    for (int v = 0; v < label.length; v++) {
      label[v] = v;
    }
    boolean more = true;
    while (more) {
      more = sweepAlone();
    }
    int[] end = label;
    label = ofVertex;
    relabel(end);
    byte[] bytes = messages.end(end, modularity, levels);
    return then(arrived -> nameCommunities(), messages.toAll(bytes));
  }

  private void relabel(int[] end) {
    for (int v = 0; v < label.length; v++) {
      label[v] = end[label[v]];
    }
  }

  private Round takeEnd(List<Parcel> arrived) {
    int[] end = messages.takeEnd(arrived, state.size);
    modularity = messages.endModularity();
    levels = messages.endLevels();
    relabel(end);
    int count = 0;
    for (int v = 0; v < end.length; v++) {
      // Numbers ascend with the smallest members.
      if (end[v] == count) {
        smallest[count++] = smallest[v];
      }
    }
    smallest = Arrays.copyOf(smallest, count);
    return nameCommunities();
  }

  /** Tells the others what the communities are called whose smallest member is held here. */
  private Round nameCommunities() {
    return then(this::takeNames, messages.toAll(messages.names(smallest, graphRows)));
  }

  private Round takeNames(List<Parcel> arrived) {
    names = messages.takeNames(arrived, smallest, graphRows);
    return last();
  }

  // ---- results --------------------------------------------------------------------------------

  @Override
  public Columns results() {
    if (names == null) {
      names = new long[smallest.length];
      for (int c = 0; c < names.length; c++) {
        names[c] = graph.ids().original(smallest[c]);
      }
    }
    Columns columns = Columns.allocate(List.of(Kind.LONG), Math.toIntExact(graph.ids().size()));
    long[] values = columns.longs(0);
    int first = (int) graph.firstHeld();
    for (int v = 0; v < label.length; v++) {
      values[first + v] = names[label[v]];
    }
    return columns;
  }

  @Override
  public void close() {
    team.close();
  }
}
