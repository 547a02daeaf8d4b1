package org.sparkgpugraph.engine.cpu;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.PartialExchange;
import org.sparkgpugraph.engine.ProgramFault;
import org.sparkgpugraph.engine.RunGuard;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.UnrefinedExchange;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.engine.cpu.codegen.CompiledKernel;
import org.sparkgpugraph.engine.cpu.frame.CpuKernel;
import org.sparkgpugraph.engine.cpu.frame.Interleaving;
import org.sparkgpugraph.engine.cpu.frame.KernelFrame;
import org.sparkgpugraph.engine.cpu.frame.RowBlocks;
import org.sparkgpugraph.engine.cpu.frame.Tally;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.exchange.VertexBitmap;
import org.sparkgpugraph.graphs.hub.HubLayouts;
import org.sparkgpugraph.graphs.memory.ColdCode;
import org.sparkgpugraph.graphs.memory.ColumnCopy;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.rows.TransposedValues;
import org.sparkgpugraph.program.Aggregate;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.analysis.ImprovingSends;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.FaultSite;
import org.sparkgpugraph.program.jvm.CodeFault;
import org.sparkgpugraph.run.ExchangeVolume;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.SuperstepStats;

/**
 * A program on an executor graph. A superstep is: (sparse) mark candidates; gather and apply, one
 * block of rows after the other on all threads; make the new values current; exchange refined
 * boundary updates. Its result does not depend on the number of threads.
 */
final class CpuRun implements EngineRun {
  /**
   * Supersteps from few vertices on in which a search of a graph without long paths has reached
   * many. Behind so many others all vertices are active once: in place, each passes on what those
   * before it have just said, so that rows that lie beside their neighbours', as in road networks,
   * do the work of many supersteps.
   */
  private static final int MOST_LEVELS = 16;

  /** Summary words of a bitmap, of 4096 vertices each, that a thread takes at a time. */
  private static final int SUMMARY_RANGE = 32;

  private final List<? extends GraphPartition> partitions;
  private final LiftedProgram program;
  private final RunSettings settings;
  private final CompiledKernel compiled;
  private final KernelShape shape;
  private final CpuKernel kernel;
  private final Object[] captures;
  private final Interleaving interleaving;

  /** Null where edges read sources where they are. */
  private final SourceGroups groups;

  /** The kernel of the superstep, for its fault sites. */
  private CompiledKernel running;

  /** Whether all supersteps push; then there is one partition. */
  private final boolean pushes;

  private final List<String> notes;

  /** How it pushes in order of priority; null: it does not. */
  private final PriorityOptions priorities;

  /** What an edge adds to a priority, by mean degree. */
  private final double unitOfPriority;

  /** Up to so much work, in edges, is done by the caller without the team. */
  private final long oneThread;

  /** Null where nobody asks. */
  private final Speakers speakers;

  /** Null where rows never stop early. */
  private final StoppingRows stopping;

  private final EdgeBounds edgeBounds;

  /** Vertices and edges. */
  private final long size;

  private final WorkerTeam team;
  private final CandidateRows candidates;
  private final Tally[] tallies;
  private final KernelFrame[] frames;
  private final EdgeWindows windows;
  private final RowBlocks blocks = new RowBlocks();

  /** Null where nothing is pushed. */
  private final LongRows longRows;

  /** Null where values are by vertex in all supersteps. */
  private final PlacedValues placed;

  private final KernelChooser chooser;
  private final GhostExchange exchange;

  /** Null where hubs are not sent partial messages. */
  private final HubExchange hubs;

  /** What a thread takes at a time in a sparse superstep. */
  private final List<Unit> units = new ArrayList<>();

  private final AggregatePartials aggregates;
  private final ExchangeVolume fullBytes;
  private Walk chosen = Walk.EVERY_EDGE;
  private Walk lastUsed = Walk.EVERY_EDGE;
  private boolean allSelected = true;

  /** Vertices that are active in the next superstep: held ones, and ghosts of other executors. */
  private long active;

  private int superstep;

  /** Supersteps that are left to a search that began with few vertices; 0: none. */
  private int levels;

  /** What may be walked in order of priority, beside what one superstep walks. */
  private long local;

  private final RunGuard guard = new RunGuard(() -> superstep);

  CpuRun(
      ExecutorGraph graph,
      ProgramInstance instance,
      List<Columns> attributes,
      RunSettings settings,
      CompiledKernel compiled,
      MissedTransposes missed,
      TransposedValues transposed,
      Interleaving interleaving,
      PriorityOptions options,
      SourceGroups groups,
      PushOrder.Cache orders,
      EdgeBounds edgeBounds,
      long oneThread) {
    this.oneThread = oneThread;
    this.edgeBounds = edgeBounds;
    this.settings = settings;
    this.compiled = compiled;
    partitions = graph.partitions();
    program = instance.program();
    shape = compiled.shape();
    kernel = compiled.kernel();
    captures = instance.captureArray();
    this.groups = groups;
    this.interleaving =
        groups != null ? interleaving.ofGroups() : interleaving.on(graph, program, shape);
    running = compiled;
    if (settings.maxIterations() < 1) {
      throw new IllegalArgumentException(
          "maxIterations must be greater than 0, but got " + settings.maxIterations());
    }
    SentRows rows = partitions.size() == 1 ? pushed(graph, missed, transposed) : null;
    pushes = rows != null;
    ActiveRows.Order order =
        pushes
            ? ActiveRows.order(compiled, program, settings.kernel(), rows)
            : new ActiveRows.Order(false, "");
    PushOrder places =
        pushes && !order.byPriority() && !mayStop()
            ? orders.of(graph, rows, program, shape, settings)
            : null;
    String pushing = places == null ? order.note() : order.note() + PushOrder.NOTE;
    priorities = order.byPriority() ? options : null;
    unitOfPriority = priorities == null ? 0 : ActiveRows.unitOfPriority(program, rows);
    frames = new KernelFrame[partitions.size()];
    FrameBuilder builder =
        new FrameBuilder(
            instance,
            compiled,
            settings,
            places == null ? rows : places.of(rows),
            graph.vertexCount());
    for (int p = 0; p < frames.length; p++) {
      int partition = p;
      KernelFrame frame = builder.build(partitions.get(p), attributes.get(p));
      int stored = partitions.get(p).stored();
      frames[p] = frame;
      blocks.add(p, stored, frame.inOffsets, frame.outOffsets);
      IntStream.range(0, VertexBitmap.summaryWords(stored))
          .forEach(word -> units.add(new Unit(frame, partition, word)));
    }
    windows =
        pushes
            ? new EdgeWindows()
            : new EdgeWindows(
                partitions, frames, program, shape.edgesByAddress(), settings.threads());
    notes =
        pushes ? List.of(pushing) : groups != null ? List.of(SourceGroups.NOTE) : windows.notes();
    blocks.order();
    longRows = pushes ? new LongRows(frames[0].outOffsets, blocks) : null;
    aggregates =
        new AggregatePartials(program.aggregates(), Math.max(units.size(), blocks.count()));
    exchange = new GhostExchange(graph, program, compiled, settings, frames);
    fullBytes = UnrefinedExchange.inside(graph, program);
    chooser =
        new KernelChooser(
            missed,
            shape.everyVertex() ? KernelChoice.DENSE : settings.kernel(),
            shape,
            settings.activeDirection(),
            graph.edgeCount(),
            graph.heldVertices(),
            exchange.hasImports());
    // Threads last: nothing before may leave them behind.
    team = new WorkerTeam("cpu", settings.threads());
    placed =
        places == null
            ? null
            : new PlacedValues(places, frames[0], team, program.state().columns());
    candidates = new CandidateRows(partitions, frames, shape, settings.activeDirection(), team);
    tallies = new Tally[team.size()];
    for (int i = 0; i < tallies.length; i++) {
      tallies[i] = tally(program.aggregates().size());
    }
    hubs =
        compiled.shape().partialMessages() && !pushes
            ? new HubExchange(
                graph,
                HubLayouts.of(graph, settings.hubs()),
                program,
                compiled,
                settings,
                frames,
                IntStream.range(0, team.size()).mapToObj(i -> tally(0)).toArray(Tally[]::new),
                oneThread)
            : null;
    size = graph.edgeCount() + graph.heldVertices();
    boolean stops = mayStop() && (!pushes || frames[0].inSources != null);
    boolean listens =
        pushes
            && priorities == null
            && compiled.sends() != null
            && settings.kernel() == KernelChoice.AUTO
            && !shape.tracksChanges();
    speakers = stops || listens ? new Speakers(kernel, frames, tallies, team) : null;
    stopping =
        stops
            ? new StoppingRows(frames, tallies, speakers, hubs == null ? tally -> {} : hubs::listen)
            : null;
  }

  /** Whether rows may stop early, where there are rows to do so. */
  private boolean mayStop() {
    return compiled.stops() && settings.kernel() == KernelChoice.AUTO;
  }

  /** Over which rows the only partition pushes in all supersteps; null: it pulls. */
  private SentRows pushed(
      ExecutorGraph graph, MissedTransposes missed, TransposedValues transposed) {
    GraphPartition partition = graph.partitions().get(0);
    if (shape.tracksChanges()) {
      return ActiveRows.ofPart(compiled, program, settings, partition, transposed);
    }
    boolean pushed =
        graph.hasOutEdges()
            && ActiveRows.pushes(
                compiled, missed, settings.kernel(), settings.activeDirection(), partition);
    return pushed ? SentRows.of(partition) : null;
  }

  private Tally tally(int width) {
    int columns =
        Math.max(
            Math.max(program.state().columns().size(), program.message().columns().size()),
            Math.max(program.result().columns().size(), 1));
    return new Tally(width, columns);
  }

  /** The rows under one summary word of a bitmap. */
  private record Unit(KernelFrame frame, int partition, int word) {}

  // ---- supersteps -----------------------------------------------------------------------------

  @Override
  public SuperstepStats initialise() {
    return guard.run(
        () -> {
          long start = System.nanoTime();
          begin(aggregates.neutral());
          blocks(
              cold(Code.INITIALISE),
              (frame, tally, block) -> kernel.initialise(frame, tally, block.from(), block.to()));
          double[] sums = aggregates.combine(blocks.count());
          long ran = total(t -> t.ran);
          active = total(t -> t.activated);
          ghosts();
          exchange.initialised();
          return new SuperstepStats(
              0, KernelChoice.DENSE, ran, active, 0, System.nanoTime() - start, sums);
        });
  }

  /** Ghosts get their first value here, without an exchange: they start from the same inputs. */
  private void ghosts() {
    team.each(
        frames.length > 1,
        frames.length,
        (member, p) -> {
          Tally unused = tally(program.aggregates().size());
          int stored = partitions.get(p).stored();
          int end = stored + partitions.get(p).ghosts();
          call(frames[p], unused, (frame, tally) -> kernel.initialise(frame, tally, stored, end));
        });
  }

  @Override
  public void mayRunAhead(int supersteps, long work) {
    local = work;
  }

  @Override
  public SuperstepStats step(double[] previous) {
    try {
      return guard.run(() -> advance(previous));
    } finally {
      windows.keep();
    }
  }

  private SuperstepStats advance(double[] previous) {
    exchange.checkSent();
    if (placed != null) {
      placed.place(!allSelected);
    }
    long start = System.nanoTime();
    superstep++;
    begin(previous);
    boolean few = allSelected && pushes && speakers != null && beginsWithFew();
    boolean all = !few && (allSelected || shape.everyVertex() || isLong());
    if (!all && !pushes && exchange.hasImports()) {
      chosen = chooser.choose(lastUsed, active, partitions, activity(f -> f.active));
    }
    long walk = shape.tracksChanges() ? local : Long.MAX_VALUE;
    local = 0;
    Walk used =
        priorities != null && walk > 0
            ? Walk.PRIORITY
            : pushes ? Walk.PUSH : all ? Walk.EVERY_EDGE : chosen;
    if (!all && !pushes) {
      chooser.runs(partitions);
    }
    if (stopping != null && !all && mayStop(used)) {
      if (!few) {
        stopping.listen(active > oneThread);
      }
      used = stopping.now() ? Walk.STOPPING : used;
    }
    double[] sums;
    if (used == Walk.STOPPING) {
      dense(used);
      sums = aggregates.neutral();
    } else if (pushes) {
      if (all) {
        ActiveRows.all(frames[0]);
      }
      if (used == Walk.PRIORITY) {
        relax(walk);
      } else {
        push();
      }
      sums = aggregates.neutral();
    } else if (used == Walk.CANDIDATES) {
      sparse();
      sums = aggregates.combine(units.size());
    } else {
      dense(used);
      sums = aggregates.combine(blocks.count());
    }
    allSelected = false;
    lastUsed = used;
    long walked = active;
    active =
        pushes && used != Walk.STOPPING ? frames[0].nextActive.members() : total(t -> t.activated);
    if (!pushes && !shape.everyVertex() && !exchange.hasImports()) {
      chosen = chooser.choose(used, active, partitions, activity(f -> f.nextActive));
    }
    long mostUpdates =
        Math.min(shape.everyVertex() ? Long.MAX_VALUE : active, exchange.insideVertices());
    exchange.run(activityTravels(), team, mostUpdates > oneThread);
    rotate(walked);
    long told = 0;
    if (hubs != null) {
      hubs.taken();
      told = hubs.takeEdges();
    }
    return new SuperstepStats(
            superstep,
            used.choice(),
            used == Walk.PUSH ? active : total(t -> t.ran),
            active,
            total(t -> t.edges) + told,
            System.nanoTime() - start,
            sums)
        .exchanging(exchange.updates(), exchange.bytes(), fullBytes);
  }

  /** Whether the next superstep may read the activity of ghosts. */
  private boolean activityTravels() {
    if (exchange.hasImports()) {
      // It chooses its kernel when all imports have come.
      return shape.activityTravels(settings.kernel());
    }
    return !shape.everyVertex()
        && (chosen == Walk.CANDIDATES
            || chosen == Walk.ACTIVE_EDGES && shape.filters()
            || stopping != null);
  }

  private void begin(double[] previous) {
    for (KernelFrame frame : frames) {
      frame.superstep = superstep;
      frame.aggregates = previous;
    }
    for (Tally tally : tallies) {
      tally.reset();
    }
  }

  /** Whether only the few vertices that have something to say are made active, not all. */
  private boolean beginsWithFew() {
    boolean least = program.traits().merge().get(0) == MergeAlgebra.MIN;
    boolean together = blocks.total() > oneThread;
    if (!findEdgeBounds(together) || !speakers.keepsFew(least, together)) {
      return false;
    }
    active = speakers.count();
    levels = stopping == null ? 0 : MOST_LEVELS;
    return true;
  }

  /** Finds what the values are between of the edges on which messages depend, if there is that. */
  private boolean findEdgeBounds(boolean together) {
    ImprovingSends sends = compiled.sends();
    if (!sends.readsEdge()) {
      return true;
    }
    Object values = frames[0].outEdges[sends.edgeColumn()];
    frames[0].edgeBounds = new Object[] {edgeBounds.of(values, team, together)};
    return frames[0].edgeBounds[0] != null;
  }

  /** Whether a search from few vertices on has reached no more than few. */
  private boolean isLong() {
    levels -= levels > 0 ? 1 : 0;
    return levels == 1 && stopping.supersteps() == 0;
  }

  /** Whether a superstep that walks so much would rather let rows stop early. */
  private boolean mayStop(Walk used) {
    return switch (used) {
      case EVERY_EDGE, ACTIVE_EDGES -> true;
      case PUSH ->
          ActiveRows.exceed(frames[0], StoppingRows.mostPushed(size, lastUsed == Walk.STOPPING));
      default -> false;
    };
  }

  private void dense(Walk walk) {
    boolean all = walk == Walk.EVERY_EDGE;
    int[] sources = frames[0].inSources;
    if (all) {
      running = compiled.special().of(compiled, superstep, captures, interleaving);
      if (groups != null && running.columns().inWide().length > 0) {
        frames[0].inPlaces = groups.places();
        frames[0].inSources = groups.sources();
      }
      Interleaving.fill(running.columns(), frames, team, oneThread);
    }
    CpuKernel special = running.kernel();
    edgeBlocks(
        ColdCode.of(special.getClass(), walk),
        (frame, tally, block) -> {
          if (all) {
            special.denseAll(frame, tally, block.from(), block.to());
          } else if (walk == Walk.STOPPING) {
            kernel.stopping(frame, tally, block.from(), block.to());
          } else {
            kernel.dense(frame, tally, block.from(), block.to());
          }
        });
    frames[0].inPlaces = null;
    frames[0].inSources = sources;
    boolean[] unwritten = running.columns().stable();
    running = compiled;
    for (KernelFrame frame : frames) {
      if (!shape.inPlace()) {
        swap(frame, unwritten);
      }
      if (!shape.everyVertex()) {
        VertexBitmap next = frame.nextActive;
        inRanges(next, true, next::summarise);
      }
      if (frame.changed != null) {
        frame.changed.summarise();
      }
    }
  }

  /** Something done with a range of summary words. */
  @FunctionalInterface
  private interface SummaryRange {
    void of(int from, int to);
  }

  /**
   * Does something with a whole bitmap, which lies in the caches of all threads where they have
   * written it.
   */
  private void inRanges(VertexBitmap bitmap, boolean together, SummaryRange work) {
    int words = bitmap.summary.length;
    team.each(
        together && words > SUMMARY_RANGE,
        (words + SUMMARY_RANGE - 1) / SUMMARY_RANGE,
        (member, r) -> work.of(r * SUMMARY_RANGE, Math.min(words, (r + 1) * SUMMARY_RANGE)));
  }

  /** Makes the columns that were written current; the others stay. */
  private void swap(KernelFrame frame, boolean[] unwritten) {
    int stored = frame.partition.stored();
    int ghosts = frame.partition.ghosts();
    for (int c = 0; c < unwritten.length; c++) {
      if (!unwritten[c]) {
        Object written = frame.next[c];
        int width = program.state().columns().get(c).width();
        System.arraycopy(frame.current[c], stored * width, written, stored * width, ghosts * width);
        frame.next[c] = frame.current[c];
        frame.current[c] = written;
      }
    }
  }

  /** Pushes from the active vertices. */
  private void push() {
    KernelFrame frame = frames[0];
    if (team.size() == 1 || !ActiveRows.exceed(frame, oneThread)) {
      team.runAlone(
          member -> call(frame, tallies[0], (f, t) -> ActiveRows.push(kernel, f, t, team)));
    } else if (shape.tracksChanges()) {
      // Ghosts push, too, which are in no block.
      team.each(
          cold(Walk.PUSH),
          true,
          frame.active.summary.length,
          (member, s) -> call(frame, tallies[member], (f, t) -> ActiveRows.push(kernel, f, t, s)));
    } else {
      List<LongRows.Part> parts = longRows.takeFrom(frame.active);
      team.each(
          cold(Walk.PUSH),
          true,
          parts.size() + blocks.count(),
          (member, i) -> {
            if (i < parts.size()) {
              push(tallies[member], parts.get(i));
            } else {
              RowBlocks.Block block = blocks.block(i - parts.size());
              int end = (block.to() + 63) >>> 6;
              call(frame, tallies[member], (f, t) -> kernel.push(f, t, block.from() >>> 6, end));
            }
          });
    }
  }

  private void push(Tally tally, LongRows.Part part) {
    tally.row = part.row();
    call(frames[0], tally, (f, t) -> kernel.pushPart(f, t, part.from(), part.to()));
  }

  /**
   * Goes on from the active vertices, in order of priority, until there are none, or about so much
   * is walked. Who was active at first pushes at least once by then, so that it is never less than
   * a superstep.
   */
  private void relax(long walk) {
    KernelFrame frame = frames[0];
    long[] begun = walk < Long.MAX_VALUE ? frame.active.words.clone() : null;
    Tally[] used = blocks.total() > oneThread ? tallies : new Tally[] {tallies[0]};
    DeltaStepping stepping =
        new DeltaStepping(kernel, frame, team, used, priorities, unitOfPriority, walk);
    team.run(used.length > 1, m -> call(frame, used[m], (f, t) -> stepping.run(m)));
    stepping.tell();
    if (begun != null && ActiveRows.keepWaiting(frame, begun)) {
      push();
    }
  }

  private void sparse() {
    boolean together = team.size() > 1 && chooser.activeEdges() >= oneThread;
    candidates.mark(together);
    if (hubs != null) {
      hubs.mark();
    }
    team.each(
        cold(Walk.CANDIDATES),
        together,
        units.size(),
        (member, unit) -> {
          KernelFrame frame = units.get(unit).frame();
          int word = units.get(unit).word();
          if (frame.candidates.summary[word] != 0) {
            KernelFrame window =
                windows.candidates(member, units.get(unit).partition(), frame, word);
            windows.walk(
                () -> call(window, tallies[member], (f, t) -> kernel.sparse(f, t, word, word + 1)));
            aggregates.keep(unit, tallies[member]);
          } else {
            aggregates.keepNeutral(unit);
          }
        });
    for (KernelFrame frame : frames) {
      frame.candidates.clear();
    }
    if (!shape.inPlace()) {
      commit(together);
    }
  }

  /** Makes the values that a sparse superstep wrote current. */
  private void commit(boolean together) {
    team.each(
        together,
        units.size(),
        (member, unit) -> {
          KernelFrame frame = units.get(unit).frame();
          int word = units.get(unit).word();
          int[] rows = frame.ran.members(word);
          for (int c = 0; c < frame.next.length; c++) {
            if (frame.next[c] != frame.current[c]) {
              int width = program.state().columns().get(c).width();
              ColumnCopy.copy(frame.next[c], width, rows, 0, rows.length, frame.current[c], rows);
            }
          }
        });
    for (KernelFrame frame : frames) {
      if (frame.ran != frame.nextActive) {
        frame.ran.clear();
      }
    }
  }

  private VertexBitmap[] activity(Function<KernelFrame, VertexBitmap> of) {
    return Arrays.stream(frames).map(of).toArray(VertexBitmap[]::new);
  }

  /**
   * Next activity becomes activity.
   *
   * @param walked about how many vertices were active
   */
  private void rotate(long walked) {
    for (KernelFrame frame : frames) {
      if (!shape.everyVertex()) {
        VertexBitmap old = frame.active;
        inRanges(old, walked > oneThread, old::clear);
        boolean shared = frame.ran == frame.nextActive;
        frame.active = frame.nextActive;
        frame.nextActive = old;
        if (shared) {
          frame.ran = old;
        }
      }
      if (frame.changed != null) {
        frame.changed.clear();
      }
    }
  }

  // ---- threads --------------------------------------------------------------------------------

  /** Loops of a kernel, beside its {@link Walk}s, that the JVM compiles each for itself. */
  private enum Code {
    INITIALISE,
    RESULT,
    FINAL_AGGREGATES
  }

  /**
   * A loop of the kernel.
   *
   * @param loop a {@link Walk} or {@link Code}
   */
  private ColdCode cold(Enum<?> loop) {
    return ColdCode.of(kernel.getClass(), loop);
  }

  /** Work on one block. */
  @FunctionalInterface
  private interface BlockWork {
    void run(KernelFrame frame, Tally tally, RowBlocks.Block block);
  }

  private void blocks(ColdCode code, BlockWork work) {
    blocks(code, blocks.total() > oneThread, work);
  }

  private void blocks(ColdCode code, boolean together, BlockWork work) {
    blocks(code, together, (member, block) -> frames[block.partition()], work);
  }

  /** Work that walks the edges of a block's rows. */
  private void edgeBlocks(ColdCode code, BlockWork work) {
    blocks(
        code,
        blocks.total() > oneThread,
        (member, block) -> {
          int p = block.partition();
          return windows.rows(member, p, frames[p], block.from(), block.to());
        },
        (frame, tally, block) -> windows.walk(() -> work.run(frame, tally, block)));
  }

  /** The frame that a thread has for a block. */
  @FunctionalInterface
  private interface BlockFrame {
    KernelFrame of(int member, RowBlocks.Block block);
  }

  private void blocks(ColdCode code, boolean together, BlockFrame frame, BlockWork work) {
    team.each(
        code,
        together,
        blocks.count(),
        (member, i) -> {
          RowBlocks.Block block = blocks.block(i);
          Tally tally = tallies[member];
          call(frame.of(member, block), tally, (f, t) -> work.run(f, t, block));
          aggregates.keep(block.number(), tally);
        });
  }

  /** A call into generated code. */
  private void call(KernelFrame frame, Tally tally, BiConsumer<KernelFrame, Tally> call) {
    try {
      call.accept(frame, tally);
    } catch (CodeFault fault) {
      FaultSite site = running.sites().get(fault.site());
      ProgramFault located =
          new ProgramFault(
              site.fail().code(),
              site.fail().detail(),
              site.fail().where(),
              site.function(),
              frame.partition.originalId(
                  placed == null ? fault.row() : placed.vertex(fault.row())));
      located.initCause(fault);
      throw located;
    }
  }

  private long total(ToLongFunction<Tally> count) {
    return Arrays.stream(tallies).mapToLong(count).sum();
  }

  // ---- other executor graphs ------------------------------------------------------------------

  @Override
  public List<RefinedUpdates> outgoing() {
    return guard.run(exchange::outgoing);
  }

  @Override
  public void incoming(int list, List<RefinedUpdates> parts) {
    guard.run(
        () -> {
          active += exchange.incoming(list, parts, team);
          return null;
        });
  }

  @Override
  public Optional<PartialExchange> partialExchange() {
    return hubs == null ? Optional.empty() : Optional.of(new Sending());
  }

  /** The exchange of a run that sends hubs partial messages. */
  private final class Sending implements PartialExchange {
    @Override
    public Outgoing outgoing() {
      return guard.run(() -> hubs.outgoing(exchange, team));
    }

    @Override
    public void incomingValues(int list, List<RefinedUpdates> parts) {
      guard.run(
          () -> {
            active += exchange.incoming(hubs.imports(list), parts, team);
            return null;
          });
    }

    @Override
    public void incomingMessages(int list, List<RefinedUpdates> parts) {
      guard.run(
          () -> {
            hubs.incoming(list, parts);
            return null;
          });
    }
  }

  @Override
  public long[] activity(int partition) {
    guard.checkOpen();
    takeBack();
    if (shape.everyVertex()) {
      return null;
    }
    KernelFrame frame = frames[partition];
    int stored = partitions.get(partition).stored();
    long[] words = new long[(int) ((stored + 63L) >>> 6)];
    if (allSelected) {
      // Behind superstep 0 every vertex is active, without a bit for it.
      VertexBitmap all = new VertexBitmap(stored);
      all.addRange(0, stored);
      System.arraycopy(all.words, 0, words, 0, words.length);
      for (int w = 0; w < words.length && frame.present != null; w++) {
        words[w] &= frame.present[w];
      }
    } else {
      System.arraycopy(frame.active.words, 0, words, 0, words.length);
      clearBehind(words, stored);
    }
    return words;
  }

  @Override
  public void restore(int superstep, List<Columns> values, List<long[]> activity) {
    guard.run(
        () -> {
          this.superstep = superstep;
          active = 0;
          if (placed != null) {
            placed.written();
          }
          for (int p = 0; p < frames.length; p++) {
            restore(frames[p], values.get(p), shape.everyVertex() ? null : activity.get(p));
          }
          // In place, what was changed some supersteps before the snapshot may not have been sent
          // yet.
          allSelected = superstep == 0 || shape.inPlace();
          lastUsed = Walk.EVERY_EDGE;
          if (!pushes && !shape.everyVertex() && !exchange.hasImports()) {
            chosen = chooser.choose(lastUsed, active, partitions, activity(f -> f.active));
          }
          exchange.restored(activityTravels(), team);
          if (hubs != null) {
            hubs.restored();
          }
          return null;
        });
  }

  private void restore(KernelFrame frame, Columns values, long[] activity) {
    int stored = frame.partition.stored();
    for (int c = 0; c < frame.current.length; c++) {
      int numbers = stored * values.kinds().get(c).width();
      System.arraycopy(values.array(c), 0, frame.current[c], 0, numbers);
      if (program.missingState() != null) {
        // No superstep writes the rows of vertices that do not exist, which need not be zero.
        System.arraycopy(values.array(c), 0, frame.next[c], 0, numbers);
      }
    }
    if (frame.changed != null) {
      frame.changed.clearAll();
    }
    if (activity != null) {
      frame.active.clearAll();
      frame.nextActive.clearAll();
      if (frame.candidates != null) {
        frame.candidates.clearAll();
      }
      frame.ran.clearAll();
      System.arraycopy(activity, 0, frame.active.words, 0, (int) ((stored + 63L) >>> 6));
      clearBehind(frame.active.words, stored);
      frame.active.summarise();
      active += frame.active.count();
    }
  }

  /** Clears the bits of ghosts in the last word of held vertices. */
  private static void clearBehind(long[] words, int stored) {
    if ((stored & 63) != 0) {
      words[stored >>> 6] &= (1L << stored) - 1;
    }
  }

  // ---- results --------------------------------------------------------------------------------

  /** Values and activity are by vertex again, where they were not. */
  private void takeBack() {
    if (placed != null) {
      placed.takeBack();
    }
  }

  @Override
  public Columns values(int partition) {
    return state(partition, program.state().columns());
  }

  /** The first columns of the state. */
  private Columns state(int partition, List<ColumnType> kinds) {
    guard.checkOpen();
    takeBack();
    Object[] arrays = Arrays.copyOf(frames[partition].current, kinds.size());
    return new Columns(kinds, arrays, partitions.get(partition).stored());
  }

  @Override
  public double[] finalAggregates() {
    guard.checkOpen();
    takeBack();
    List<Aggregate> last = program.finalAggregates();
    AggregatePartials parts = new AggregatePartials(last, blocks.count());
    if (last.isEmpty()) {
      return parts.neutral();
    }
    blocks(
        cold(Code.FINAL_AGGREGATES),
        (frame, tally, block) -> {
          Tally own = tally(last.size());
          kernel.finalAggregates(frame, own, block.from(), block.to());
          parts.keep(block.number(), own);
        });
    return parts.combine(blocks.count());
  }

  @Override
  public Columns results(int partition, double[] finalAggregates) {
    if (program.resultFunction() == null) {
      return state(partition, program.result().columns());
    }
    guard.checkOpen();
    takeBack();
    Columns results =
        Columns.allocate(program.result().columns(), partitions.get(partition).stored());
    KernelFrame frame = frames[partition];
    frame.results = results.arrays();
    frame.aggregates = finalAggregates;
    frame.superstep = superstep;
    try {
      int rows = results.length();
      team.each(
          cold(Code.RESULT),
          rows > oneThread,
          (rows + RowBlocks.TARGET - 1) / RowBlocks.TARGET,
          (member, i) -> {
            int from = i * RowBlocks.TARGET;
            int to = Math.min(rows, from + RowBlocks.TARGET);
            call(frame, tallies[member], (f, t) -> kernel.result(f, t, from, to));
          });
    } finally {
      frame.results = null;
    }
    return results;
  }

  @Override
  public List<String> notes() {
    if (stopping == null || stopping.supersteps() == 0) {
      return notes;
    }
    List<String> all = new ArrayList<>(notes);
    all.add(EngineRun.stopNote(stopping.supersteps()));
    return all;
  }

  @Override
  public void close() {
    if (guard.close()) {
      team.close();
    }
  }
}
