package org.sparkgpugraph.benchmarks.scaling;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/**
 * What a graph over many executors would take, on paper: {@code benchmarks/run ScalingModel} prints
 * the tables of {@code docs/scaling.md}, which explains the model. Everything is bytes, seconds and
 * counts; nothing is run.
 *
 * @param graph what is computed on
 * @param constants what was measured or assumed
 */
public record ScalingModel(Graph graph, Constants constants) {
  /** Updates in a record of a superstep of few, and bytes of each. */
  private static final int UPDATES = 20;

  private static final int BFS_BYTES = 2;

  /**
   * A graph.
   *
   * @param vertices number of vertices
   * @param edges number of edges
   * @param crossing share of the edges whose ends lie in different executors' id ranges, were there
   *     infinitely many executors: 1 for random ids, far less for ids in the order of URLs
   */
  public record Graph(double vertices, double edges, double crossing) {
    /** A web graph: 100 G edges, 3.5 G vertices, ids in the order of URLs. */
    public static final Graph WEB = new Graph(3.5e9, 100e9, 0.10);

    /** The same with ids that tell nothing. */
    public static final Graph SCRAMBLED = new Graph(3.5e9, 100e9, 1);
  }

  /**
   * What the hardware and Spark do. Those of {@link #MEASURED} are kept here and in the table on
   * top of docs/scaling.md.
   *
   * @param denseEdgesPerSecond edges that one GPU evaluates per second when all are evaluated
   * @param stageSeconds of an empty superstep, whatever the number of executors
   * @param taskSeconds more for each executor: the driver starts its tasks one after the other
   * @param fileSeconds more where executors write and fetch anything
   * @param fetchSeconds more for each other executor that something is fetched from
   * @param inlineBytes what an executor tells all others in a superstep goes by way of the driver
   *     where it is no more than that, and nothing is fetched
   * @param inlineSeconds more for each record that the driver passes on so
   * @param networkBytesPerSecond of an executor, in each direction, through Spark's shuffle
   * @param codecBytesPerSecond that one core packs or unpacks; all cores of an executor do
   * @param hubBytesPerSecond between the host and one GPU
   * @param recordBytes of the header of a record, and of what Spark keeps for a shuffle block
   * @param loadEdgesPerSecond edges that one core reads, routes and builds per second
   * @param coresPerGpu cores of an executor for each of its GPUs
   * @param loadBytesPerEdge that are shuffled while loading
   */
  public record Constants(
      double denseEdgesPerSecond,
      double stageSeconds,
      double taskSeconds,
      double fileSeconds,
      double fetchSeconds,
      double inlineBytes,
      double inlineSeconds,
      double networkBytesPerSecond,
      double codecBytesPerSecond,
      double hubBytesPerSecond,
      double recordBytes,
      double loadEdgesPerSecond,
      int coresPerGpu,
      double loadBytesPerEdge) {
    /** See the table in docs/scaling.md for where each comes from. */
    public static final Constants MEASURED =
        new Constants(
            106e9, 0.0015, 0.0001, 0.0013, 0.00015, 16384, 0.2e-6, 1.8e9, 0.38e9, 8.0e9, 200, 1.9e6,
            8, 8);
  }

  /**
   * An algorithm.
   *
   * @param name for the table
   * @param supersteps of a run on the web graph
   * @param sweeps edges evaluated over the run, as a multiple of the graph's
   * @param changes how often a vertex is told to those who read it, over the run
   * @param valueBytes of a value on the wire
   * @param positionBytes of a position on the wire: an eighth when nearly all are told
   * @param stateBytes of a vertex's columns in memory, buffers counted
   * @param edgeBytes in memory: structure, its transpose where sparse supersteps need it, values
   * @param relativeRate of the GPU's dense rate
   */
  public record Algorithm(
      String name,
      int supersteps,
      double sweeps,
      double changes,
      double valueBytes,
      double positionBytes,
      double stateBytes,
      double edgeBytes,
      double relativeRate) {
    /** The four of the library. */
    public static final List<Algorithm> ALL =
        List.of(
            new Algorithm("PageRank f32, 50 iterations", 50, 50, 50, 3.125, 0.125, 16, 4, 1),
            new Algorithm("BFS", 40, 1, 1, 1, 1, 4, 8, 0.5),
            new Algorithm("connected components", 30, 4, 3, 4, 1, 8, 16, 0.5),
            new Algorithm("SSSP f32", 60, 4, 4, 4, 1, 8, 12, 0.4));
  }

  /**
   * A number of executors.
   *
   * @param executors how many
   * @param gpus in each
   */
  public record Cluster(int executors, int gpus) {}

  /**
   * Bytes and times of one algorithm on one cluster; times of a superstep are means over the run.
   *
   * @param boundary entries of all boundary lists between executors: (vertex, executor that reads
   *     it) pairs
   * @param ghosts of them in one executor
   * @param heapBytes of an executor: structure of all its GPUs, values, ghosts
   * @param gpuBytes of a GPU
   * @param bytesPerSuperstep shuffled by all executors
   * @param kernelSeconds on the GPUs
   * @param hubSeconds between GPUs and host
   * @param codecSeconds packing and unpacking
   * @param networkSeconds moving, with what each block, or record by way of the driver, costs
   * @param sparkSeconds starting tasks
   */
  public record Estimate(
      double boundary,
      double ghosts,
      double heapBytes,
      double gpuBytes,
      double bytesPerSuperstep,
      double kernelSeconds,
      double hubSeconds,
      double codecSeconds,
      double networkSeconds,
      double sparkSeconds) {
    /** Seconds of a superstep; nothing overlaps. */
    public double superstepSeconds() {
      return kernelSeconds + hubSeconds + codecSeconds + networkSeconds + sparkSeconds;
    }
  }

  /**
   * Pairs of a vertex and another executor that reads it. A vertex's crossing edges go to executors
   * at random, so that this is an upper bound: real links gather at few of them.
   */
  public double boundary(int executors) {
    double crossing = graph.edges() / graph.vertices() * graph.crossing();
    return graph.vertices() * (executors - 1) * (1 - Math.pow(1 - 1.0 / executors, crossing));
  }

  /** Whether local ids of 32 bits number what an executor knows. */
  public boolean fits(Cluster cluster) {
    return (graph.vertices() + boundary(cluster.executors())) / cluster.executors() < 1L << 31
        && graph.edges() / cluster.executors() / cluster.gpus() < 1L << 31;
  }

  /** Bytes and times of an algorithm. */
  public Estimate estimate(Cluster cluster, Algorithm algorithm) {
    int n = cluster.executors();
    int gpus = n * cluster.gpus();
    double boundary = boundary(n);
    double known = (graph.vertices() + boundary) / n;
    // Original ids, 8 bytes each; row offsets, 4; boundary lists on both sides, 4.
    double heap =
        graph.edges() / n * algorithm.edgeBytes()
            + known * (8 + 4 + algorithm.stateBytes())
            + 2 * boundary / n * 4;
    double gpu =
        graph.edges() / gpus * algorithm.edgeBytes()
            + known / cluster.gpus() * (4 + algorithm.stateBytes())
            + 2 * boundary / gpus * 4;
    double told = boundary * algorithm.changes() / algorithm.supersteps();
    double records = Math.min((double) n * (n - 1), told);
    double bytes =
        told * (algorithm.valueBytes() + algorithm.positionBytes())
            + records * constants.recordBytes();
    double edges = graph.edges() * algorithm.sweeps() / algorithm.supersteps();
    return new Estimate(
        boundary,
        boundary / n,
        heap,
        gpu,
        bytes,
        edges / gpus / (constants.denseEdgesPerSecond() * algorithm.relativeRate()),
        2 * bytes / gpus / constants.hubBytesPerSecond(),
        2 * bytes / gpus / constants.coresPerGpu() / constants.codecBytesPerSecond(),
        exchangeSeconds(n, records, bytes),
        constants.stageSeconds() + n * constants.taskSeconds());
  }

  /**
   * Seconds from all has been packed until all has come.
   *
   * @param records of all executors together, each of what one tells another
   * @param bytes of these
   */
  public double exchangeSeconds(int executors, double records, double bytes) {
    double told = bytes / executors;
    return isInline(told)
        ? told / constants.networkBytesPerSecond() + records * constants.inlineSeconds()
        : blocksSeconds(executors, records, bytes);
  }

  /** The same where each record is a block that is written and fetched. */
  private double blocksSeconds(int executors, double records, double bytes) {
    return bytes / executors / constants.networkBytesPerSecond()
        + constants.fileSeconds()
        + records / executors * constants.fetchSeconds();
  }

  /** Whether it goes by way of the driver. */
  private boolean isInline(double bytesOfAnExecutor) {
    return bytesOfAnExecutor <= constants.inlineBytes();
  }

  /** Seconds to load the graph: reading and building on all cores, one shuffle of all edges. */
  public double loadSeconds(Cluster cluster) {
    double cores = (double) cluster.executors() * cluster.gpus() * constants.coresPerGpu();
    return graph.edges() / cores / constants.loadEdgesPerSecond()
        + graph.edges()
            * constants.loadBytesPerEdge()
            / cluster.executors()
            / constants.networkBytesPerSecond();
  }

  /** Prints the tables as Markdown. */
  public static void main(String[] arguments) {
    System.out.print(tables());
  }

  /** The tables of docs/scaling.md. */
  public static String tables() {
    ScalingModel web = new ScalingModel(Graph.WEB, Constants.MEASURED);
    ScalingModel scrambled = new ScalingModel(Graph.SCRAMBLED, Constants.MEASURED);
    StringBuilder text = new StringBuilder();
    text.append("### Structure, memory and loading (ids in the order of URLs)\n\n");
    text.append(web.structure());
    for (Algorithm algorithm : Algorithm.ALL) {
      text.append("\n### ").append(algorithm.name()).append("\n\n");
      text.append(web.times(algorithm));
    }
    text.append("\n### PageRank with ids that tell nothing\n\n");
    text.append(scrambled.times(Algorithm.ALL.get(0)));
    text.append("\n### A superstep of few updates\n\n");
    text.append(web.fewUpdates());
    return text.toString();
  }

  /** Of what a search's first and last supersteps tell: some updates from each executor. */
  private String fewUpdates() {
    StringBuilder text =
        new StringBuilder(
            "| executors | others that each tells something | KB of each | by way of | superstep |"
                + " by blocks |\n|---|---|---|---|---|---|\n");
    for (int executors = 2; executors <= 1024; executors *= 2) {
      for (int others : new TreeSet<>(List.of(Math.min(16, executors - 1), executors - 1))) {
        double records = (double) executors * others;
        double bytes = records * (constants.recordBytes() + UPDATES * BFS_BYTES);
        double spark = constants.stageSeconds() + executors * constants.taskSeconds();
        text.append(
            String.format(
                Locale.ROOT,
                "| %d | %d | %.1f | %s | %s | %s |\n",
                executors,
                others,
                bytes / executors / 1e3,
                isInline(bytes / executors) ? "the driver" : "blocks",
                seconds(spark + exchangeSeconds(executors, records, bytes)),
                seconds(spark + blocksSeconds(executors, records, bytes))));
      }
    }
    return text.toString();
  }

  private static List<Cluster> clusters() {
    List<Cluster> clusters = new ArrayList<>();
    for (int executors = 8; executors <= 1024; executors *= 2) {
      clusters.add(new Cluster(executors, 1));
      if (executors <= 128) {
        clusters.add(new Cluster(executors, 8));
      }
    }
    return clusters;
  }

  private String structure() {
    StringBuilder text =
        new StringBuilder(
            "| executors × GPUs | edges per GPU | held vertices | ghosts | heap of an executor,"
                + " PageRank | … SSSP | memory of a GPU, PageRank | … SSSP | load |\n"
                + "|---|---|---|---|---|---|---|---|---|\n");
    for (Cluster cluster : clusters()) {
      Estimate rank = estimate(cluster, Algorithm.ALL.get(0));
      Estimate sssp = estimate(cluster, Algorithm.ALL.get(3));
      text.append(
          String.format(
              Locale.ROOT,
              "| %d × %d%s | %s | %s | %s | %s | %s | %s | %s | %s |\n",
              cluster.executors(),
              cluster.gpus(),
              fits(cluster) ? "" : " (does not fit)",
              count(graph.edges() / cluster.executors() / cluster.gpus()),
              count(graph.vertices() / cluster.executors()),
              count(rank.ghosts()),
              bytes(rank.heapBytes()),
              bytes(sssp.heapBytes()),
              bytes(rank.gpuBytes()),
              bytes(sssp.gpuBytes()),
              seconds(loadSeconds(cluster))));
    }
    return text.toString();
  }

  private String times(Algorithm algorithm) {
    StringBuilder text =
        new StringBuilder(
            "| executors × GPUs | shuffled per superstep | kernels | hub | codec | network | Spark"
                + " | superstep | run | GPUs used for kernels |\n"
                + "|---|---|---|---|---|---|---|---|---|---|\n");
    for (Cluster cluster : clusters()) {
      Estimate e = estimate(cluster, algorithm);
      if (!fits(cluster)) {
        text.append(
            String.format(
                Locale.ROOT,
                "| %d × %d | does not fit: local ids of 32 bits | | | | | | | | |\n",
                cluster.executors(),
                cluster.gpus()));
        continue;
      }
      text.append(
          String.format(
              Locale.ROOT,
              "| %d × %d | %s | %s | %s | %s | %s | %s | **%s** | %s | %.0f %% |\n",
              cluster.executors(),
              cluster.gpus(),
              bytes(e.bytesPerSuperstep()),
              seconds(e.kernelSeconds()),
              seconds(e.hubSeconds()),
              seconds(e.codecSeconds()),
              seconds(e.networkSeconds()),
              seconds(e.sparkSeconds()),
              seconds(e.superstepSeconds()),
              seconds(e.superstepSeconds() * algorithm.supersteps()),
              100 * e.kernelSeconds() / e.superstepSeconds()));
    }
    return text.toString();
  }

  private static String count(double number) {
    return number >= 1e9
        ? String.format(Locale.ROOT, "%.2f G", number / 1e9)
        : String.format(Locale.ROOT, "%.1f M", number / 1e6);
  }

  private static String bytes(double bytes) {
    return bytes >= 1e9
        ? String.format(Locale.ROOT, "%.1f GB", bytes / 1e9)
        : String.format(Locale.ROOT, "%.0f MB", bytes / 1e6);
  }

  private static String seconds(double seconds) {
    return seconds >= 100
        ? String.format(Locale.ROOT, "%.0f s", seconds)
        : seconds >= 1
            ? String.format(Locale.ROOT, "%.1f s", seconds)
            : String.format(Locale.ROOT, "%.1f ms", seconds * 1000);
  }
}
