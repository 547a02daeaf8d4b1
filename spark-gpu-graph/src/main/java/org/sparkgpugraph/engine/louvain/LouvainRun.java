package org.sparkgpugraph.engine.louvain;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.engine.operator.GraphOperator.Parcel;
import org.sparkgpugraph.engine.operator.GraphOperator.Round;
import org.sparkgpugraph.engine.operator.OperatorInput;
import org.sparkgpugraph.engine.operator.OperatorRun;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.program.ir.Kind;

/**
 * {@link LouvainOperator} at work on one executor graph. Vertices of the whole graph are numbered
 * through, those of shard 0 first, in the order of their ids. What is decided about the whole graph
 * every shard decides for itself, of the same numbers.
 */
final class LouvainRun implements OperatorRun {
  private final LouvainOperator operator;
  private final ExecutorGraph graph;
  private final int shard;
  private final int shards;
  private final WorkerTeam team;
  private final LocalMoving.Tools[] tools;
  private final GraphRows graphRows;
  private final LouvainMessages messages;

  /** What the next round does with what has arrived. */
  private Function<List<Parcel>, Round> next = this::start;

  /** What is held here. */
  private LouvainMessages.Part part;

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

  /** Whether the vertices of the level were parts of communities. */
  private boolean ofParts;

  /** What follows the level. */
  private LouvainOperator.Next following;

  /** Parts of its communities while they are put together, and who does that. */
  private LevelState refined;

  private LocalMoving merging;

  /** What is connected inside of communities or parts. */
  private ConnectedParts connected;

  // A class of several executors.
  private int ofClass;
  private long[] ownMoves;
  private CoarseRows sums;
  private boolean alone;

  LouvainRun(OperatorInput input, LouvainOperator operator) {
    this.operator = operator;
    graph = input.graph();
    shard = input.shard();
    shards = input.shards();
    team = new WorkerTeam("louvain", input.threads());
    tools = LocalMoving.Tools.of(input.threads());
    graphRows = new GraphRows(graph, operator.weighted(), team);
    messages = new LouvainMessages(graph, shard, shards);
  }

  @Override
  public Round round(int number, List<Parcel> arrived) {
    return next.apply(arrived);
  }

  /** Goes on with another step when all parcels are there. */
  private Round then(Function<List<Parcel>, Round> step, List<Parcel> parcels) {
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
    return LocalMoving.Tools.entries(tools);
  }

  private double[] told() {
    return new double[] {modularity, levels, smallest == null ? 0 : smallest.length - missing};
  }

  // ---- the graph ------------------------------------------------------------------------------

  private Round start(List<Parcel> arrived) {
    long start = System.nanoTime();
    part =
        new LouvainMessages.Part(
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
    LouvainMessages.Part whole = messages.whole();
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
    smallest = LevelCommunities.alone(messages.strengths().length).of();
    label = IntStream.range(graphRows.first(), graphRows.end()).toArray();
    LouvainOperator.Limits limits = operator.limits();
    boolean small = isSmall(smallest.length);
    long loops = messages.loops();
    if (shards > 1
        && (small
            || smallest.length <= limits.alone()
                && messages.whole().edges() <= limits.aloneEntries() / 2)) {
      // As if every vertex had been found to be a community.
      LevelCommunities vertices = LevelCommunities.alone(smallest.length);
      return share(graphRows, vertices, messages.strengths(), loops, null);
    }
    if (small) {
      int[] vertices = LevelCommunities.alone(smallest.length).of();
      CoarseRows sums = new Coarsening(team, tools).sums(graphRows, vertices, vertices.length);
      finishInOrder(sums, messages.strengths(), loops, null);
      return last();
    }
    begin(graphRows, messages.strengths(), loops, null);
    return shards == 1 ? sweep() : decide();
  }

  private boolean isSmall(int vertices) {
    return vertices <= operator.limits().inOrder();
  }

  // ---- levels ---------------------------------------------------------------------------------

  /**
   * Begins a level.
   *
   * @param together communities that vertices begin in; null: every one alone
   */
  private void begin(LevelRows ofLevel, long[] strengths, long inside, int[] together) {
    rows = ofLevel;
    ofParts = together != null;
    state = new LevelState(strengths, inside, operator.gamma(), together);
    moving = new LocalMoving(rows, state, level++, team, tools, null);
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
    return operator.goesOn(any, gain, now - levelBegan);
  }

  /** Sweeps have ended: goes back to the best state, and says what follows. */
  private void endSweeps() {
    state.restore(best, bestInside);
    following =
        levels + 1 < operator.maxLevels()
            ? operator.next(modularity - levelBegan, ofParts)
            : LouvainOperator.Next.END;
  }

  /** Vertices of the graph are in these communities, or parts, of the level's vertices. */
  private void relabel(LevelCommunities communities) {
    relabel(communities.of());
    smallest = communities.of(smallest);
  }

  /** Vertices come together one after the other, to the end. */
  private void finishInOrder(CoarseRows all, long[] strengths, long inside, int[] together) {
    long start = System.nanoTime();
    LevelState began = new LevelState(strengths, inside, operator.gamma(), together);
    modularity = began.modularity();
    List<InOrder.Found> found =
        new InOrder(operator, all, strengths, inside, together, team, tools).best();
    int taken = Math.min(found.size(), operator.maxLevels() - levels);
    if (taken > 0) {
      levels += taken;
      relabel(found.get(taken - 1).communities());
      modularity = found.get(taken - 1).modularity();
    }
    PhaseTimes.ended("louvain: in order", start);
  }

  // ---- refining -------------------------------------------------------------------------------

  /** The communities of a level are put together again, of parts. */
  private void beginRefining() {
    refined = new LevelState(state.strengths, 0, operator.gamma(), null);
    CommunityBounds bounds = new CommunityBounds(state.community, state.strengths);
    merging = new LocalMoving(rows, refined, level, team, tools, bounds);
    ofClass = 0;
  }

  /** The communities that are to be split into what is connected. */
  private int[] unsplit() {
    return refined == null ? state.community : refined.community;
  }

  /** Finds what is connected here inside of communities or parts. */
  private void connect() {
    connected = new ConnectedParts(state.size);
    connected.join(rows, unsplit(), team, tools);
  }

  /**
   * All is known that is connected.
   *
   * @return vertices of the next level, or communities at the end; null: parts that nobody joins
   *     are none, communities themselves are to be split
   */
  private LevelCommunities split() {
    int[] parts = connected.smallest();
    connected = null;
    LevelCommunities found = LevelCommunities.number(parts);
    if (refined != null) {
      refined = null;
      merging = null;
      return found.merge() ? found : null;
    }
    state.become(parts);
    modularity = state.modularity();
    return found;
  }

  /** Communities that each vertex of the next level begins in; null: every one alone. */
  private int[] together(LevelCommunities parts) {
    return following == LouvainOperator.Next.PARTS ? parts.within(state.community) : null;
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
    endSweeps();
    LevelCommunities vertices =
        operator.refine() ? refineAlone() : LevelCommunities.number(state.community);
    if (!endLevel(vertices)) {
      return false;
    }
    int[] together = together(vertices);
    long[] strengths = vertices.sums(state.strengths);
    CoarseRows coarse = new Coarsening(team, tools).sums(rows, vertices.of(), vertices.count());
    PhaseTimes.ended("louvain: next level", start);
    return beginAlone(coarse, strengths, state.inside, together);
  }

  /** Begins a level whose rows are all here; false: it was the last of all, and is done. */
  private boolean beginAlone(CoarseRows all, long[] strengths, long inside, int[] together) {
    if (isSmall(strengths.length)) {
      finishInOrder(all, strengths, inside, together);
      return false;
    }
    begin(all, strengths, inside, together);
    return true;
  }

  private LevelCommunities refineAlone() {
    LevelCommunities parts = null;
    if (following == LouvainOperator.Next.PARTS) {
      beginRefining();
      for (int c = 0; c < LocalMoving.CLASSES; c++) {
        long[] moves = merging.decide(c);
        merging.move(moves);
        merging.settle(moves);
      }
      connect();
      parts = split();
    }
    if (parts == null) {
      noParts();
      connect();
      parts = split();
    }
    return parts;
  }

  /** Communities themselves are the vertices of the next level, if there is one. */
  private void noParts() {
    if (following == LouvainOperator.Next.PARTS) {
      following = LouvainOperator.Next.COMMUNITIES;
    }
  }

  /**
   * The level has ended.
   *
   * @param vertices of the next level, or communities at the end
   * @return whether there is a next level
   */
  private boolean endLevel(LevelCommunities vertices) {
    if (!vertices.merge()) {
      return false;
    }
    levels++;
    relabel(vertices);
    return following != LouvainOperator.Next.END;
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
    endSweeps();
    if (!operator.refine()) {
      return endLevelOfAll(LevelCommunities.number(state.community));
    }
    if (following == LouvainOperator.Next.PARTS) {
      beginRefining();
      return decideMerging();
    }
    return connectAll();
  }

  private Round endLevelOfAll(LevelCommunities vertices) {
    if (!endLevel(vertices)) {
      return nameCommunities();
    }
    return share(rows, vertices, vertices.sums(state.strengths), state.inside, together(vertices));
  }

  private Round decideMerging() {
    ownMoves = merging.decide(ofClass);
    return then(this::merge, messages.moves(ownMoves, merging));
  }

  private Round merge(List<Parcel> arrived) {
    long[] others = messages.takeMoves(arrived, merging);
    merging.move(ownMoves);
    merging.move(others);
    merging.settle(ownMoves);
    merging.settle(others);
    ofClass++;
    if (ofClass < LocalMoving.CLASSES) {
      return decideMerging();
    }
    ofClass = 0;
    return connectAll();
  }

  private Round connectAll() {
    connect();
    return then(this::splitAll, messages.toAll(LouvainMessages.links(connected)));
  }

  private Round splitAll(List<Parcel> arrived) {
    messages.takeLinks(arrived, connected);
    LevelCommunities vertices = split();
    if (vertices == null) {
      noParts();
      return connectAll();
    }
    return endLevelOfAll(vertices);
  }

  /**
   * Ends a level of several executors, each of which tells the holders of communities what it knows
   * of them.
   *
   * @param communities vertices of the next level
   * @param strengths of these
   * @param together communities that they begin in; null: every one alone
   */
  private Round share(
      LevelRows ofLevel,
      LevelCommunities communities,
      long[] strengths,
      long inside,
      int[] together) {
    sums = new Coarsening(team, tools).sums(ofLevel, communities.of(), strengths.length);
    boolean small = isSmall(strengths.length);
    LouvainOperator.Limits limits = operator.limits();
    if (small || strengths.length > limits.alone()) {
      return hold(small, strengths, inside, together);
    }
    return then(
        arrived ->
            hold(
                messages.sum(arrived, sums.entries()) <= limits.aloneEntries(),
                strengths,
                inside,
                together),
        messages.toAll(LouvainMessages.number(sums.entries())));
  }

  /**
   * Sends rows to those who hold them from now on.
   *
   * @param byOne whether that is shard 0 alone
   */
  private Round hold(boolean byOne, long[] strengths, long inside, int[] together) {
    alone = byOne;
    messages.hold(strengths.length, alone);
    return then(arrived -> coarsen(arrived, strengths, inside, together), messages.rows(sums));
  }

  private Round coarsen(List<Parcel> arrived, long[] strengths, long inside, int[] together) {
    int from = messages.first(shard);
    int to = messages.first(shard + 1);
    CoarseRows coarse = new Coarsening(team, tools).joined(sums, arrived, from, to);
    sums = null;
    if (!alone) {
      begin(coarse, strengths, inside, together);
      return decide();
    }
    if (shard == 0) {
      return finishAlone(coarse, strengths, inside, together);
    }
    next = others -> takeEnd(others, strengths.length);
    return new Round(List.of(), false, 0, told());
  }

  /** Shard 0 has all rows of the level, and computes the rest. */
  private Round finishAlone(CoarseRows all, long[] strengths, long inside, int[] together) {
    int[] ofVertex = label;
    label = LevelCommunities.alone(strengths.length).of();
    boolean more = beginAlone(all, strengths, inside, together);
    while (more) {
      more = sweepAlone();
    }
    int[] end = label;
    label = ofVertex;
    relabel(end);
    byte[] bytes = new LouvainMessages.End(end, modularity, levels).bytes();
    return then(arrived -> nameCommunities(), messages.toAll(bytes));
  }

  private void relabel(int[] end) {
    Arrays.setAll(label, v -> end[label[v]]);
  }

  private Round takeEnd(List<Parcel> arrived, int vertices) {
    LouvainMessages.End told = messages.takeEnd(arrived, vertices);
    modularity = told.modularity();
    levels = told.levels();
    int[] end = told.community();
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

  /** Tells the others what the communities are called, as far as it is known here. */
  private Round nameCommunities() {
    return then(this::takeNames, messages.toAll(messages.names(smallest, label, graphRows)));
  }

  private Round takeNames(List<Parcel> arrived) {
    names = messages.takeNames(arrived, smallest, label, graphRows);
    return last();
  }

  // ---- results --------------------------------------------------------------------------------

  @Override
  public Columns results() {
    if (names == null) {
      names = Arrays.stream(smallest).mapToLong(v -> graph.ids().original(v)).toArray();
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
