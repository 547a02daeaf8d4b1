package org.sparkgpugraph.engine.louvain;

import java.io.Serializable;
import java.util.Optional;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.ProgramUnsupportedException;
import org.sparkgpugraph.engine.device.operators.OperatorDevice;
import org.sparkgpugraph.engine.operator.GraphOperator;
import org.sparkgpugraph.engine.operator.OperatorInput;
import org.sparkgpugraph.engine.operator.OperatorRun;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Communities of high modularity (Blondel, Guillaume, Lambiotte, Lefebvre 2008, "Fast unfolding of
 * communities in large networks"), the smallest member's id for each vertex; edge directions are
 * left out. See {@link LocalMoving} for how.
 *
 * <p>Where one executor holds the graph a round is a sweep over a level's vertices, by its cores or
 * a device ({@link DeviceLouvain}). Where several do, a round is one class of them: each tells all
 * others which of its vertices move, so that all know every community's total. Every executor keeps
 * 33 bytes for each vertex of the whole graph. A level of few vertices and connections goes to
 * shard 0, which computes it and what comes behind it. See {@link InOrder} for levels of very few.
 *
 * <p>When communities are refined (Traag, Waltman, van Eck 2019, "From Louvain to Leiden:
 * guaranteeing well-connected communities"), the vertices of the next level are parts of the
 * communities ({@link CommunityBounds}), and begin together where the communities say so. Parts are
 * connected ({@link ConnectedParts}), and what is given back as communities too.
 *
 * @param weighted whether edge values are the weights, doubles; otherwise each is 1
 * @param gamma resolution; larger: smaller communities
 * @param maxLevels levels at most, at least 1
 * @param minGain a level's sweeps, and the levels, end when modularity grows by less; sweeps also
 *     when one adds little of what the level has added
 * @param refine whether communities are refined, so that each is connected
 * @param limits which levels are computed how
 * @param tuning constants of the kernels
 */
public record LouvainOperator(
    boolean weighted,
    double gamma,
    int maxLevels,
    double minGain,
    boolean refine,
    Limits limits,
    LouvainTuning tuning)
    implements GraphOperator {
  /**
   * Which levels are computed how; only tests use others than {@link #USUAL}.
   *
   * @param inOrder in a level of at most so many vertices they decide one after the other
   * @param alone of several executors one computes a level of at most so many vertices,
   * @param aloneEntries in whose rows there are, together, at most so many neighbours; the
   *     executors' sums, some of which are of the same two vertices, count each
   * @param little a level's sweeps end when one adds less than this share of what all of them have
   *     added
   */
  public record Limits(int inOrder, int alone, long aloneEntries, double little)
      implements Serializable {
    /**
     * In order where a sweep takes a moment; alone where it takes less time than rounds would, with
     * 2^24 connections at both ends: as many as there can be of what is computed in order.
     */
    public static final Limits USUAL = new Limits(1 << 12, 1 << 17, 1 << 25, LITTLE);

    /** With the usual share. */
    public Limits(int inOrder, int alone, long aloneEntries) {
      this(inOrder, alone, aloneEntries, LITTLE);
    }

    /** The same with another share. */
    public Limits withLittle(double share) {
      return new Limits(inOrder, alone, aloneEntries, share);
    }
  }

  /** With kernels as they are used. */
  public LouvainOperator(
      boolean weighted,
      double gamma,
      int maxLevels,
      double minGain,
      boolean refine,
      Limits limits) {
    this(weighted, gamma, maxLevels, minGain, refine, limits, LouvainTuning.DEFAULT);
  }

  /** The kernels that a device engine runs it with, to be compiled ahead. */
  public static KernelSource kernels() {
    return LouvainKernels.source(LouvainTuning.DEFAULT);
  }

  /** The vertices of the next level. */
  enum Next {
    /** There is none. */
    END,
    /** Communities. */
    COMMUNITIES,
    /** Connected parts of them, which begin together. */
    PARTS
  }

  /**
   * For an entry that shard 0 gets: 12 bytes as it was read, 12 added up, and about 8 of a parcel.
   */
  private static final long ENTRY_BYTES = 32;

  /**
   * For a vertex while its community is refined: communities, before, and total of the parts; total
   * of the community; tree of what is connected, twice.
   */
  private static final long REFINED_BYTES = 32;

  /** A level's sweeps end when one adds less than this share of what all of them have added. */
  private static final double LITTLE = 0.002;

  /** Among the values that a round tells ({@link Round#aggregates}): modularity by now. */
  public static final int MODULARITY = 0;

  /** Levels that have ended. */
  public static final int LEVELS = 1;

  /** Communities behind the last of them. */
  public static final int COMMUNITIES = 2;

  /**
   * Whether another sweep is worth while.
   *
   * @param moved whether any vertex has moved in the last one
   * @param gain what that has added to the modularity
   * @param ofLevel what all of the level have added
   */
  boolean goesOn(boolean moved, double gain, double ofLevel) {
    return moved && gain > 0 && gain >= minGain && gain >= ofLevel * limits.little();
  }

  /**
   * What follows a level in which vertices have come together, but for the bound on the levels.
   *
   * @param gain what it has added to the modularity
   * @param ofParts whether its vertices were parts of communities
   */
  Next next(double gain, boolean ofParts) {
    if (gain >= minGain) {
      return refine ? Next.PARTS : Next.COMMUNITIES;
    }
    // Parts have nowhere to go; whole communities may.
    return ofParts ? Next.COMMUNITIES : Next.END;
  }

  @Override
  public String name() {
    return "Louvain";
  }

  @Override
  public ValueType result() {
    return new ValueType.Scalar(Kind.LONG);
  }

  @Override
  public boolean readsOutEdges() {
    return true;
  }

  @Override
  public boolean readsEdgeValues() {
    return weighted;
  }

  /**
   * Of each vertex, of whatever executor: community now, before, and in the best state; strength
   * and total; a bit. Of each that is known here: community by now, number of a ghost. Behind a
   * level an entry for every edge, at worst, at both ends. Of several executors the first may get
   * the rows of all others, who are taken to have as many edges as it has. On a device as much: it
   * may turn out to have no room.
   */
  @Override
  public long heapBytes(OperatorInput input) {
    ExecutorGraph graph = input.graph();
    long vertices = Math.max(graph.ids().size(), graph.vertexCount());
    long gathered =
        input.shards() > 1 && input.shard() == 0
            ? Math.min(limits.aloneEntries(), 2 * graph.edgeCount() * input.shards())
            : 0;
    return (refine ? 33 + REFINED_BYTES : 33) * vertices
        + 12 * graph.ids().size()
        + 24 * graph.edgeCount()
        + ENTRY_BYTES * gathered;
  }

  @Override
  public void check(Engine engine, int shards) {
    if (engine.deviceCount() > 0 && shards > 1) {
      throw new ProgramUnsupportedException(
          "over several executors Louvain has no kernels for GPUs, it runs on the CPU's cores: use"
              + " one executor, or set spark.gpugraph.engine to auto or cpu");
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>A graph that is computed in order from the begin on needs no device.
   */
  @Override
  public OperatorRun open(OperatorInput input) {
    check(input.engine(), input.shards());
    Optional<OperatorDevice> device = input.device();
    return device.isEmpty() || input.graph().ids().size() <= limits.inOrder()
        ? new LouvainRun(input, this)
        : new DeviceLouvain(input, device.get(), this);
  }
}
