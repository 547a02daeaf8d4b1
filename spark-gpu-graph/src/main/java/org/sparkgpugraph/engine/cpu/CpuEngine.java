package org.sparkgpugraph.engine.cpu;

import java.util.List;
import java.util.Optional;
import org.sparkgpugraph.engine.Contraction;
import org.sparkgpugraph.engine.DegreeSkew;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.FunctionTraits;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.PartitionLines;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.cpu.codegen.CompiledKernel;
import org.sparkgpugraph.engine.cpu.codegen.KernelGenerator;
import org.sparkgpugraph.engine.cpu.codegen.PushMethod;
import org.sparkgpugraph.engine.cpu.components.CpuComponents;
import org.sparkgpugraph.engine.cpu.frame.Interleaving;
import org.sparkgpugraph.exchange.ExchangeMode;
import org.sparkgpugraph.exchange.LastSent;
import org.sparkgpugraph.exchange.VertexBitmap;
import org.sparkgpugraph.graphs.hub.HubLayout;
import org.sparkgpugraph.graphs.hub.HubLayouts;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.rows.PushRows;
import org.sparkgpugraph.graphs.rows.TransposedValues;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.analysis.ResidualProof;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.jvm.CodeGenerationException;
import org.sparkgpugraph.program.jvm.GeneratedClass;
import org.sparkgpugraph.run.KernelChoice;

/**
 * Runs vertex programs on the processor's cores: every program gets loops of its own as a hidden
 * class, and values are primitive columns. Every message is pulled by its receiver, or pushed into
 * its value where that is the only thing that happens to it and rows by source are there.
 */
public final class CpuEngine implements Engine {
  /** Name of the engine. */
  public static final String NAME = "cpu";

  /** Up to this much work, in edges, waking the other threads costs more than it saves. */
  private static final long ONE_THREAD = 24_000;

  /**
   * Up to so many instructions and operands, a program's methods have certainly less than 65536
   * bytes: when loops call the functions there are at most twenty bytes for each (a column of a
   * message).
   */
  private static final int SURELY_FITS = 3_000;

  private static final CompiledKernels KERNELS = new CompiledKernels();

  private final MissedTransposes missed = new MissedTransposes();
  private final EdgeBounds edgeBounds = new EdgeBounds();

  private final TransposedValues transposed = new TransposedValues();

  private final SourceGroups.Cache groups;

  private final PushOrder.Cache orders;

  private final long oneThread;

  private final boolean outlined;

  private final Interleaving interleaving;

  private final PriorityOptions priorities;

  /** An engine as users get it. */
  public CpuEngine() {
    this(ONE_THREAD, false);
  }

  /** For tests, with copies where they pay. */
  CpuEngine(long oneThread, boolean outlined) {
    this(oneThread, outlined, Interleaving.WIDE);
  }

  /**
   * For tests.
   *
   * @param oneThread supersteps of no more work than this, in edges, run on one thread
   * @param outlined loops call the functions even where they could be inlined
   * @param interleaving {@link Interleaving#ALWAYS} also gives supersteps loops of their own
   *     however short they are
   */
  CpuEngine(long oneThread, boolean outlined, Interleaving interleaving) {
    this(
        oneThread,
        outlined,
        interleaving,
        PriorityOptions.DEFAULT,
        new SourceGroups.Cache(),
        new PushOrder.Cache());
  }

  /** For tests of groups, where supersteps have loops of their own however short they are. */
  CpuEngine(long oneThread, SourceGroups.Cache groups) {
    this(
        oneThread,
        false,
        Interleaving.ALWAYS,
        PriorityOptions.DEFAULT,
        groups,
        new PushOrder.Cache());
  }

  /** For tests of orders of those who push. */
  CpuEngine(long oneThread, PushOrder.Cache orders) {
    this(
        oneThread,
        false,
        Interleaving.WIDE,
        PriorityOptions.DEFAULT,
        new SourceGroups.Cache(),
        orders);
  }

  /** For tests of relaxation in order of priority. */
  CpuEngine(long oneThread, PriorityOptions priorities) {
    this(
        oneThread,
        false,
        Interleaving.WIDE,
        priorities,
        new SourceGroups.Cache(),
        new PushOrder.Cache());
  }

  private CpuEngine(
      long oneThread,
      boolean outlined,
      Interleaving interleaving,
      PriorityOptions priorities,
      SourceGroups.Cache groups,
      PushOrder.Cache orders) {
    this.oneThread = oneThread;
    this.outlined = outlined;
    this.interleaving = interleaving;
    this.priorities = priorities;
    this.groups = groups;
    this.orders = orders;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public EngineRun open(
      ExecutorGraph graph,
      ProgramInstance program,
      List<Columns> attributes,
      RunSettings settings) {
    CompiledKernel kernel = kernel(graph, program, settings);
    if (outlined) {
      kernel = KernelGenerator.generateOutlined(program.program(), kernel.shape());
    }
    return new CpuRun(
        graph,
        program,
        attributes,
        settings,
        kernel,
        missed,
        transposed,
        interleaving,
        priorities,
        groups.of(graph, program.program(), kernel.shape(), settings),
        orders,
        edgeBounds,
        oneThread);
  }

  /**
   * Generates the code of a program that is so large that the JVM might not take it, whatever the
   * graph; of others it is known that the JVM does.
   *
   * @throws CodeGenerationException when the JVM does not take it
   */
  public static void check(LiftedProgram program, RunSettings settings) {
    if (KernelGenerator.operands(program) > SURELY_FITS) {
      KernelShape shape = KernelShape.of(program, settings, true, true);
      KERNELS.get(program, settings.hubs() > 0 ? shape.takingPartialMessages() : shape);
      if (EdgeWindows.mayByAddress(program, shape)) {
        // Nobody knows here where edges will be.
        KERNELS.get(program, shape.byAddress());
      }
    }
  }

  private static CompiledKernel kernel(
      ExecutorGraph graph, ProgramInstance program, RunSettings settings) {
    boolean missing = graph.partitions().stream().anyMatch(p -> p.present() != null);
    boolean exchanges = KernelShape.exchanges(graph);
    KernelShape shape = KernelShape.of(program.program(), settings, missing, exchanges);
    if (sendsToHubs(graph, settings)) {
      shape = shape.takingPartialMessages();
    }
    boolean byAddress = EdgeWindows.byAddress(graph, program.program(), shape);
    return KERNELS.get(program.program(), byAddress ? shape.byAddress() : shape);
  }

  /** Whether runs on a graph may send hubs partial messages. */
  private static boolean sendsToHubs(ExecutorGraph graph, RunSettings settings) {
    return settings.hubs() > 0
        && !(graph.exports().isEmpty() && graph.imports().isEmpty())
        && HubLayout.isFor(graph);
  }

  /**
   * Values, bitmaps, original ids, results, captured tables on the heap. Parts of the structure
   * that are made on first use (out-edges, transposes) stay with the graph and count there.
   */
  @Override
  public long estimate(ExecutorGraph graph, ProgramInstance instance, RunSettings settings) {
    LiftedProgram program = instance.program();
    KernelShape shape = KernelShape.of(program, settings, true, KernelShape.exchanges(graph));
    boolean[] stable = FunctionTraits.stableColumns(program);
    long bytes = instance.tableBytes();
    for (GraphPartition partition : graph.partitions()) {
      long locals = (long) partition.stored() + partition.ghosts();
      for (int c = 0; c < stable.length; c++) {
        int buffers = stable[c] || shape.inPlace() ? 1 : 2;
        bytes += locals * program.state().columns().get(c).bytes() * buffers;
      }
      if (!shape.everyVertex()) {
        bytes += 4 * VertexBitmap.bytes(locals);
      }
      if (shape.tracksChanges()) {
        bytes += VertexBitmap.bytes(locals);
      }
      int home = partition.index();
      if (graph.exports().stream().anyMatch(export -> export.list().home() == home)) {
        bytes += VertexBitmap.bytes(partition.stored());
      }
      if (settings.exchange() == ExchangeMode.REFINED) {
        bytes += sentBytes(graph, program, home);
      }
      if (FunctionTraits.readsIds(program)) {
        bytes += 8 * locals;
      }
      long grouped = groups.bytes(graph, program, shape, settings);
      bytes += grouped > 0 ? grouped : locals * interleaving.bytes(program, shape, graph);
      if (graph.partitions().size() == 1 && pushed(program, shape, settings).isPresent()) {
        bytes += orders.bytes(partition, program, shape);
      }
      if (graph.partitions().size() == 1 && mayRelax(program, shape, settings)) {
        bytes += Long.BYTES * DeltaStepping.places(locals, settings.threads());
        if (shape.tracksChanges() && program.send().reads(Role.EDGE)) {
          bytes += graph.edgeCount() * program.edge().bytes();
        }
      }
      if (program.resultFunction() != null) {
        bytes += (long) partition.stored() * program.result().bytes();
      }
    }
    if (sendsToHubs(graph, settings)) {
      HubLayout layout = HubLayouts.of(graph, settings.hubs());
      bytes += HubExchange.bytes(layout, program, shape.keepsPartialMessages());
    }
    return bytes;
  }

  /** How messages are merged where runs of a program may push; empty: they may not. */
  private static Optional<MergeAlgebra> pushed(
      LiftedProgram program, KernelShape shape, RunSettings settings) {
    return PushMethod.merge(program, shape)
        .filter(merge -> ActiveRows.mayPush(settings.kernel(), settings.activeDirection()));
  }

  /** Whether runs of a program may be relaxed in order of priority. */
  private static boolean mayRelax(LiftedProgram program, KernelShape shape, RunSettings settings) {
    return pushed(program, shape, settings).filter(MergeAlgebra::isOrdered).isPresent()
        && ActiveRows.mayRelax(program, settings.kernel());
  }

  /** What is kept of what a partition's readers in other executor graphs were sent. */
  private static long sentBytes(ExecutorGraph graph, LiftedProgram program, int home) {
    int bytes = LastSent.bytes(FunctionTraits.shippedKinds(program));
    return graph.exports().stream()
        .filter(export -> export.list().home() == home)
        .mapToLong(export -> (long) export.list().size() * bytes)
        .sum();
  }

  @Override
  public Contraction components(ExecutorGraph graph, int threads) {
    return CpuComponents.of(graph, threads, NAME);
  }

  @Override
  public String describe(LiftedProgram program, RunSettings settings) {
    KernelShape onePartition = KernelShape.of(program, settings, true, false);
    boolean pushes =
        PushMethod.merge(program, onePartition).isPresent()
            && ActiveRows.mayPush(settings.kernel(), settings.activeDirection());
    return PartitionLines.count(settings.threads(), "thread")
        + ", "
        + KernelShape.of(program, settings, true, true).describe(settings.kernel())
        + (pushes ? "; or pushes over out-edges, where one partition has them at hand" : "")
        + (mayRelax(program, onePartition, settings) ? relaxes(settings.kernel()) : "")
        + (settings.kernel() == KernelChoice.ASYNC && ResidualProof.of(program).isPresent()
            ? ", residuals by supersteps: only a GPU relaxes them without"
            : "");
  }

  @Override
  public List<String> describeChoices(
      ExecutorGraph graph, LiftedProgram program, RunSettings settings) {
    GraphPartition first = graph.partitions().get(0);
    KernelShape shape = KernelShape.of(program, settings, true, false);
    boolean pushes =
        graph.partitions().size() == 1
            && mayRelax(program, shape, settings)
            && PushRows.of(first).areAtHand();
    return pushes
        ? List.of(ActiveRows.order(program, settings.kernel(), SentRows.of(first)).note())
        : List.of();
  }

  private static String relaxes(KernelChoice kernel) {
    return ", in order of priority without supersteps (delta-stepping)"
        + (kernel == KernelChoice.ASYNC
            ? ""
            : " unless edges begin at hubs, in rows of "
                + DegreeSkew.HUBS
                + " times the mean length");
  }

  @Override
  public String describeMemory(ExecutorGraph graph, ProgramInstance program, RunSettings settings) {
    StringBuilder text = new StringBuilder("about ");
    text.append(PartitionLines.count(estimate(graph, program, settings), "byte"))
        .append(" beside the graph");
    CompiledKernel kernel = kernel(graph, program, settings);
    if (kernel.largestMethod() > GeneratedClass.HUGE_METHOD) {
      text.append("; slow: its largest method has ")
          .append(kernel.largestMethod())
          .append(" bytes of code, the JVM interprets more than ")
          .append(GeneratedClass.HUGE_METHOD)
          .append(" (-XX:-DontCompileHugeMethods lifts the limit)");
    }
    return text.toString();
  }
}
