package org.sparkgpugraph.engine.louvain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.memory.Closing;
import org.sparkgpugraph.engine.device.memory.DeviceSession;
import org.sparkgpugraph.engine.device.operators.InEdges;
import org.sparkgpugraph.engine.device.operators.OperatorDevice;
import org.sparkgpugraph.engine.operator.GraphOperator.Parcel;
import org.sparkgpugraph.engine.operator.GraphOperator.Round;
import org.sparkgpugraph.engine.operator.OperatorInput;
import org.sparkgpugraph.engine.operator.OperatorRun;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.program.ir.Kind;

/**
 * {@link LouvainOperator} at work on a graph in one piece, on the first device of an engine: what
 * it finds is what {@link LouvainRun} finds. Rows of levels stay on the device; behind a sweep the
 * host gets a few numbers, and at the end the communities, or the rows of a level that is so small
 * that it is computed in order. Where the device has no room the whole run begins again on the CPU.
 */
final class DeviceLouvain implements OperatorRun {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceLouvain.class);

  /** Numbers that a thread takes at a time. */
  private static final int CHUNK = 1 << 14;

  private final OperatorInput input;
  private final LouvainOperator operator;
  private final ExecutorGraph graph;
  private final OperatorDevice device;
  private final KernelSource source;
  private final WorkerTeam team;
  private final LocalMoving.Tools[] tools;
  private final DeviceSession session;
  private final FrameLayout.Frame frame = LouvainKernels.FRAME.newFrame();
  private Supplier<Round> next = this::start;

  /** Instead, when the device has no room. */
  private OperatorRun onCpu;

  private DeviceMoving moving;
  private DeviceCoarsening coarsening;

  /** Null: communities are not refined. */
  private DeviceParts parts;

  /** Whether the vertices of the level were parts of communities. */
  private boolean ofParts;

  /** The in-edges where they are the rows of the level. */
  private InEdges edges;

  private LevelMemory rows;
  private int levels;
  private int level;
  private double modularity;
  private double levelBegan;
  private long kernelNanos;
  private long transferNanos;

  /** Community of each vertex, and the smallest vertex in each, at the end. */
  private int[] label;

  private int[] smallest;

  DeviceLouvain(OperatorInput input, OperatorDevice device, LouvainOperator operator) {
    this.input = input;
    this.operator = operator;
    this.device = device;
    graph = input.graph();
    source = LouvainKernels.source(operator.tuning());
    session = device.session(source);
    team = new WorkerTeam("louvain", input.threads());
    tools = LocalMoving.Tools.of(input.threads());
  }

  @Override
  public Round round(int number, List<Parcel> arrived) {
    if (onCpu == null) {
      try {
        return next.get();
      } catch (DeviceOutOfMemoryException e) {
        return onCpu(e.getMessage());
      }
    }
    return onCpu.round(number, arrived);
  }

  /** Begins again on the CPU. */
  private Round onCpu(String why) {
    LOG.info("communities are found on the CPU: {}", why);
    closeDevice();
    onCpu = new LouvainRun(input, operator);
    return onCpu.round(0, List.of());
  }

  private Round then(Supplier<Round> step, long lookedAt) {
    next = step;
    return new Round(List.of(), true, lookedAt, told());
  }

  private Round last(long lookedAt) {
    next =
        () -> {
          throw new IllegalStateException("the communities are found");
        };
    return new Round(List.of(), false, lookedAt, told());
  }

  private double[] told() {
    int count = smallest == null ? coarsening.count() : smallest.length;
    return new double[] {modularity, levels, count - missing()};
  }

  /** Numbers that no vertex has. */
  private long missing() {
    return graph.endHeld() - graph.firstHeld() - graph.vertexCount();
  }

  // ---- the graph ------------------------------------------------------------------------------

  private Round start() {
    int size = Math.toIntExact(graph.ids().size());
    long start = System.nanoTime();
    DeviceMemory state = session.allocate(Long.BYTES * LouvainKernels.STATE_WORDS, "status");
    coarsening = new DeviceCoarsening(session, frame, operator.tuning(), size);
    FirstLevel first = new FirstLevel(graph, operator, session, frame, team, tools);
    if (UndirectedRows.canMake(graph, operator.weighted())) {
      edges = device.inEdges(graph, List.of(), "communities of " + size + " vertices");
      first.make(edges, state, coarsening.flags());
      if (!first.areInEdges()) {
        closeEdges();
      }
    } else if (!first.upload(coarsening)) {
      return onCpu("rows have more than 2^31 entries");
    }
    rows = first.rows();
    rows.set(frame);
    moving =
        new DeviceMoving(
            session,
            frame,
            operator.tuning(),
            operator.gamma(),
            state,
            rows.size(),
            rows.entries());
    parts =
        operator.refine() ? new DeviceParts(session, frame, moving, coarsening, rows.size()) : null;
    long[] sums = first.strengths(moving);
    PhaseTimes.ended("louvain: rows on the device", start);
    begin(sums[1], sums[0], null);
    return sweep();
  }

  // ---- levels ---------------------------------------------------------------------------------

  private void begin(long whole, long inside, DeviceMemory together) {
    ofParts = together != null;
    moving.begin(rows, level++, whole, inside, together);
    modularity = moving.modularity();
    levelBegan = modularity;
  }

  private Round sweep() {
    long start = System.nanoTime();
    moving.sweep();
    long lookedAt = moving.lookedAt();
    PhaseTimes.ended("louvain: moving", start);
    double now = moving.modularity();
    double gain = now - modularity;
    if (gain > 0) {
      modularity = now;
      moving.keep();
    }
    if (operator.goesOn(moving.moved() > 0, gain, now - levelBegan)) {
      return then(this::sweep, lookedAt);
    }
    start = System.nanoTime();
    boolean more = endLevel();
    PhaseTimes.ended("louvain: next level", start);
    return more ? then(this::sweep, lookedAt) : last(lookedAt);
  }

  /** Sweeps have ended: makes the next level, if there is one, and begins it. */
  private boolean endLevel() {
    moving.restore();
    LouvainOperator.Next following =
        levels + 1 < operator.maxLevels()
            ? operator.next(modularity - levelBegan, ofParts)
            : LouvainOperator.Next.END;
    boolean merged;
    if (parts == null) {
      merged = coarsening.communities(rows);
    } else if (following == LouvainOperator.Next.PARTS && parts.refine(rows, level)) {
      merged = true;
    } else {
      following =
          following == LouvainOperator.Next.PARTS ? LouvainOperator.Next.COMMUNITIES : following;
      merged = parts.split(rows);
      modularity = moving.modularity();
    }
    if (merged) {
      levels++;
      coarsening.number(rows);
    }
    if (!merged || following == LouvainOperator.Next.END) {
      name();
      return false;
    }
    return beginNext(following == LouvainOperator.Next.PARTS ? parts.together(rows) : null);
  }

  /**
   * Begins the next level.
   *
   * @param together communities that vertices begin in; null: every one alone
   * @return whether there are sweeps to come
   */
  private boolean beginNext(DeviceMemory together) {
    LevelMemory made;
    try (DeviceSession temporary = device.session(source)) {
      made = coarsening.rows(temporary, rows);
      count(temporary);
    }
    free();
    rows = made;
    rows.set(frame);
    if (parts != null) {
      parts.done();
    }
    if (rows.size() <= operator.limits().inOrder()) {
      finishInOrder(together == null ? null : session.ints(together, rows.size()));
      return false;
    }
    begin(moving.whole(), moving.inside(), together);
    return true;
  }

  private void count(DeviceSession of) {
    kernelNanos += of.kernelNanos();
    transferNanos += of.transferNanos();
  }

  private void free() {
    if (edges == null) {
      rows.free(session);
    } else {
      closeEdges();
    }
  }

  private void closeEdges() {
    edges.close();
    edges = null;
  }

  /** Vertices come together one after the other, on the host, to the end. */
  private void finishInOrder(int[] together) {
    long start = System.nanoTime();
    name();
    HostRows host =
        new HostRows(
            session.ints(rows.offsets(), rows.size() + 1),
            session.ints(rows.neighbours(), (int) rows.entries()),
            new long[(int) rows.entries()]);
    session.download(rows.weights(), host.weights(), host.weights().length);
    List<InOrder.Found> found =
        new InOrder(
                operator,
                host.chunked(),
                coarsening.strengths(),
                moving.inside(),
                together,
                team,
                tools)
            .best();
    int taken = Math.min(found.size(), operator.maxLevels() - levels);
    if (taken > 0) {
      levels += taken;
      LevelCommunities communities = found.get(taken - 1).communities();
      label = Arrays.stream(label).map(v -> communities.of()[v]).toArray();
      smallest = communities.of(smallest);
      modularity = found.get(taken - 1).modularity();
    }
    PhaseTimes.ended("louvain: in order", start);
  }

  private void name() {
    label = coarsening.labels();
    smallest = coarsening.smallest();
  }

  // ---- results --------------------------------------------------------------------------------

  @Override
  public Columns results() {
    if (onCpu != null) {
      return onCpu.results();
    }
    long[] names = new long[smallest.length];
    forEach(names.length, c -> names[c] = graph.ids().original(smallest[c]));
    Columns columns = Columns.allocate(List.of(Kind.LONG), label.length);
    long[] values = columns.longs(0);
    forEach(values.length, v -> values[v] = names[label[v]]);
    return columns;
  }

  /** Does something with the numbers below {@code count}, by all threads. */
  private void forEach(int count, IntConsumer each) {
    int chunks = (int) ((count + CHUNK - 1L) / CHUNK);
    team.each(
        chunks > 1,
        chunks,
        (member, i) -> {
          for (int k = i * CHUNK; k < Math.min(count, (i + 1L) * CHUNK); k++) {
            each.accept(k);
          }
        });
  }

  /** Whether the device has had room by now. */
  boolean isOnDevice() {
    return onCpu == null;
  }

  @Override
  public DeviceNanos deviceNanos() {
    return new DeviceNanos(
        kernelNanos + session.kernelNanos(), transferNanos + session.transferNanos());
  }

  private void closeDevice() {
    if (edges != null) {
      closeEdges();
    }
    session.close();
  }

  @Override
  public void close() {
    List<AutoCloseable> resources = new ArrayList<>(List.of(team));
    resources.add(onCpu == null ? this::closeDevice : onCpu);
    Closing.all(resources);
  }
}
