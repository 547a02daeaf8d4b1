package org.sparkgpugraph.engine.device.plan;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.kernels.ProgramKernels;
import org.sparkgpugraph.engine.device.memory.DerivedArrays;
import org.sparkgpugraph.engine.device.memory.DeviceHoldings;
import org.sparkgpugraph.engine.device.settings.DevicePartitioning;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.DeviceShape;
import org.sparkgpugraph.exchange.ExchangeMode;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.VertexRange;
import org.sparkgpugraph.graphs.overlap.Overlap;
import org.sparkgpugraph.graphs.overlap.OverlappingGraph;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.run.KernelChoice;

/**
 * What a run with {@linkplain DevicePartitioning#PERMISSIVE borders that move} is made of. Each
 * device has one partition, of a range that overlaps those of its neighbours, and the kernels of a
 * superstep compute the rows between the device's borders; all others that it holds are kept up to
 * date by those who compute them, over the same boundary lists as ghosts are.
 */
public final class Permissive {
  /** Shares of the neighbours' edges that are tried as overlap: the largest that fits. */
  public static final List<Double> SHARES = List.of(1.0, 0.5, 0.25, 0.125, 0.0625);

  /**
   * What tests choose.
   *
   * @param rows rows of a section, a multiple of 32
   * @param least edges of the busiest device below which nothing is counted
   * @param choice where borders lie; null: by what was counted
   */
  public record Trial(int rows, long least, MovingBorders.Choice choice) {}

  private final ExecutorGraph graph;
  private final RunSettings run;
  private final DeviceSettings settings;
  private final List<DeviceHoldings> holdings;
  private final Trial trial;
  private final ProgramKernels kernels;
  private final Sections sections;

  /**
   * @param graph as it is cut without overlap; {@link #refusal} has nothing against it
   * @param holdings of the devices, at least as many as partitions
   * @param trial null: sections of {@link Sections#ROWS}, borders by what was counted where there
   *     is an edge for each thread
   */
  public Permissive(
      ExecutorGraph graph,
      ProgramInstance program,
      RunSettings run,
      DeviceSettings settings,
      List<DeviceHoldings> holdings,
      Trial trial) {
    this.graph = graph;
    this.run = run;
    this.settings = settings;
    this.holdings = holdings;
    this.trial =
        trial == null ? new Trial(Sections.ROWS, threads(holdings.get(0).device()), null) : trial;
    boolean missing = graph.partitions().stream().anyMatch(p -> p.present() != null);
    kernels = kernels(program.program(), run, settings, missing);
    KernelShape shape = kernels.shape();
    sections = Sections.of(graph, this.trial.rows(), shape.inRows(), shape.outRows());
  }

  /** Threads that a device holds: with fewer edges than these it waits for memory and launches. */
  private static long threads(Device device) {
    DeviceProperties properties = device.properties();
    return (long) properties.multiprocessors() * properties.threadsPerMultiprocessor();
  }

  /** Why borders cannot move on a graph; empty: they can. */
  public static Optional<String> refusal(ExecutorGraph graph, RunSettings run, int devices) {
    int partitions = graph.partitions().size();
    if (devices == 1 || partitions == 1) {
      return Optional.of("the run has one device");
    }
    if (partitions > devices) {
      return Optional.of(partitions + " partitions are on " + devices + " devices");
    }
    if (!graph.imports().isEmpty() || !graph.exports().isEmpty() || graph.firstHeld() != 0) {
      return Optional.of("other executors hold parts of the graph");
    }
    if (run.exchange() != ExchangeMode.REFINED) {
      return Optional.of("updates are not refined: the exchange is " + run.exchange());
    }
    return Optional.empty();
  }

  /** Why borders need not move for a program; empty: they pay. */
  public static Optional<String> refusal(LiftedProgram program, RunSettings run) {
    if (program.mergesByMode()) {
      return Optional.of("tables of the most frequent message belong to fixed rows");
    }
    KernelShape shape = KernelShape.of(program, run, false, true);
    if (shape.everyVertex()) {
      return Optional.of("the program runs every vertex in every superstep");
    }
    if (run.kernel() == KernelChoice.DENSE) {
      return Optional.of("all supersteps walk all rows: the dense kernel is forced");
    }
    return Optional.empty();
  }

  /** Kernels that compute the rows between borders. */
  public static ProgramKernels kernels(
      LiftedProgram program, RunSettings run, DeviceSettings settings, boolean missingVertices) {
    return ProgramKernels.of(
        program,
        KernelShape.of(program, run, missingVertices, true),
        new DeviceShape(
            run.activeDirection(),
            settings.virtualWarp() != 0,
            settings.tuning(),
            true,
            false,
            settings.push().schedule(),
            null));
  }

  public ProgramKernels kernels() {
    return kernels;
  }

  private Overlap.Wanted wanted(double share) {
    KernelShape shape = kernels.shape();
    return new Overlap.Wanted(sections.ranges(share), shape.inRows(), shape.outRows());
  }

  private DerivedArrays derived() {
    return holdings.get(0).derived();
  }

  /** Whether it is worth while to make an overlap: a rough check, before the work. */
  public boolean mayFit(double share) {
    List<VertexRange> ranges = sections.ranges(share);
    boolean made = derived().hasOverlap(graph, wanted(share));
    for (int d = 0; d < ranges.size(); d++) {
      VertexRange range = ranges.get(d);
      long edges = sections.edges(range);
      long more = edges - sections.edges(sections.core()[d], sections.core()[d + 1]);
      long free = holdings.get(d).device().memory().free() - settings.reserveBytes();
      if (edges > GraphPartition.MAX_EDGES || !made && more * Integer.BYTES > free) {
        return false;
      }
    }
    return true;
  }

  /** The graph with an overlap. */
  public OverlappingGraph graph(double share) {
    return new OverlappingGraph(graph, derived().overlap(graph, wanted(share), run.threads()));
  }

  /** It does not fit. */
  public void forget(double share) {
    derived().forgetOverlap(graph, wanted(share));
  }

  /** Attributes of all held vertices and ghosts. */
  public List<Columns> attributes(OverlappingGraph overlapping, List<Columns> attributes) {
    return IntStream.range(0, overlapping.partitions().size())
        .mapToObj(p -> overlapping.spread(p, attributes))
        .toList();
  }

  /** Borders between the devices that hold this graph. */
  public MovingBorders borders(OverlappingGraph overlapping, double share) {
    return new MovingBorders(
        overlapping, sections, sections.ranges(share), trial.least(), trial.choice());
  }
}
