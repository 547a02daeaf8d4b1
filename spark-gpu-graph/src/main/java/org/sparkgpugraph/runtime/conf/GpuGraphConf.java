package org.sparkgpugraph.runtime.conf;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.device.settings.DeviceExchange;
import org.sparkgpugraph.engine.device.settings.DevicePartitioning;
import org.sparkgpugraph.exchange.ExchangeMode;
import org.sparkgpugraph.exchange.Rounding;
import org.sparkgpugraph.exchange.UpdateEncoding;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.ExplainMode;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunOptions.Fallback;
import scala.Tuple2;

/**
 * The configuration of one run, and the registry of every key that exists. A key is looked up in
 * the options of the builder, then in the local properties of the calling thread ({@code
 * SparkContext.setLocalProperty}), then in the SparkConf; else it has its default. The page {@code
 * docs/configuration.md} is generated from here.
 *
 * <p>Immutable and cheap: values are read when an instance is made, so that a wrong value is
 * reported before anything runs.
 */
public final class GpuGraphConf {
  /** What every key starts with. */
  public static final String PREFIX = "spark.gpugraph.";

  private static final Logger LOG = LoggerFactory.getLogger(GpuGraphConf.class);
  private static final Map<String, ConfigEntry<?>> REGISTRY = new LinkedHashMap<>();
  private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

  /** Which engine runs programs. */
  public static final ConfigEntry<EngineChoice> ENGINE =
      register(
          ConfigEntry.key(
                  "engine",
                  "Which engine runs a program that is lifted: `auto` takes the executor's GPU where there is one"
                      + " that can run it and all cores of the executor otherwise, and says which"
                      + " and why; `cuda` the GPU (an error that says why where there is none),"
                      + " `cpu` all cores, `graphx` stock GraphX with the original lambdas, for"
                      + " comparison; `emulated` runs the GPU's kernels on an emulated one, for tests"
                      + " and debugging: slow, and needs g++ on the executors.")
              .oneOf(EngineChoice.class, EngineChoice.AUTO));

  /** What happens to a program that cannot be lifted. */
  public static final ConfigEntry<Fallback> FALLBACK =
      register(
          ConfigEntry.key(
                  "fallback",
                  "What happens to a program that cannot be lifted from its bytecode: `auto` runs it"
                      + " on stock GraphX and logs one line per reason, `never` makes it an error,"
                      + " `always` runs every program on stock GraphX. This alone says so, whichever"
                      + " engine is chosen.")
              .oneOf(Fallback.class, Fallback.AUTO));

  /** How supersteps walk the graph. */
  public static final ConfigEntry<KernelChoice> KERNEL =
      register(
          ConfigEntry.key(
                  "kernel",
                  "How a superstep walks the graph: `dense` gathers all rows, `sparse` only the rows"
                      + " that an active vertex reaches, `push` sends from the active vertices,"
                      + " `outlined` does so on a GPU for many supersteps in one launch (both where"
                      + " the program allows it, on the CPU only in place and in one partition;"
                      + " otherwise they are `sparse`), `async` does without supersteps: it relaxes"
                      + " in order of priority, by one launch on one GPU or by delta-stepping where"
                      + " the CPU pushes, where the value of a monotone program is one number, and on"
                      + " one GPU, first come, first served, where sums are added to values that say on"
                      + " what they grew by above a tolerance, as PageRank until convergence has it"
                      + " (otherwise it is `outlined`), `delegated` has messages"
                      + " merged by thread blocks that own their receivers, on one GPU, whatever the"
                      + " merge function (where it keeps the first of two messages, and for programs"
                      + " with aggregates, it is `outlined`), `auto` chooses, mostly in every"
                      + " superstep by the number of active edges; searches that hundreds of"
                      + " supersteps did not end go on as `async` on one GPU where there are no hubs."
                      + " The results are the same (sums of"
                      + " floating point that are `delegated` up to rounding, those that `async` says"
                      + " on within a bound by the tolerance, docs/compatibility.md); forcing one is"
                      + " for measurements.")
              .oneOf(KernelChoice.class, KernelChoice.AUTO));

  /** Partitions of a graph. */
  public static final ConfigEntry<Integer> PARTITIONS =
      register(
          ConfigEntry.key(
                  "partitions",
                  "Number of partitions into which an executor's part of a graph is cut when it is"
                      + " loaded; there are no more than vertices. 0 makes one per memory (an"
                      + " executor's heap, a GPU), which is the fastest.")
              .intBetween(0, 1 << 16, 0));

  /** Which executor holds which vertices. */
  public static final ConfigEntry<VertexPlacement> PLACEMENT =
      register(
          ConfigEntry.key(
                  "placement",
                  "Which vertices an executor holds of a graph that is spread over several: a range"
                      + " of ids with about as many edges as others have (`ranges`), or such that"
                      + " vertices that talk sit together (`neighbours`), so that fewer values travel."
                      + " The latter pays where ids say nothing of neighbourhood and the graph is used"
                      + " for long: the source is read once more, one task places all vertices (about"
                      + " a million edges a second, 60 bytes of its executor's heap for each, 68 with"
                      + " out-edges), every executor keeps a table of 1 to 8 bits a vertex (8 bytes"
                      + " more where ids are far apart), which the driver holds too, and 12 bytes for"
                      + " each vertex that it knows, and takes 8 bytes an edge more while it builds its"
                      + " part (16 with out-edges). Edges have to be on the heap: off it"
                      + " (`spark.gpugraph.memory.edges`) the load is refused."
                      + " Vertices stay in ranges where that spares less than a tenth of the values,"
                      + " where the task has no room or the driver none for the table (a quarter of its"
                      + " free heap, half of `spark.driver.maxResultSize`, 1 GiB), on more than 64"
                      + " executors and with 2^30 edges or more. Results are the same but for the last bits of what is added up"
                      + " over all vertices and for ties between communities.")
              .oneOf(VertexPlacement.class, VertexPlacement.RANGES));

  /** How uneven a placement may be. */
  public static final ConfigEntry<Double> PLACEMENT_IMBALANCE =
      register(
          ConfigEntry.key(
                  "placement.imbalance",
                  "How many times its share of the edges an executor may hold where vertices are"
                      + " placed by their neighbours. More spares more of what travels, on power laws"
                      + " above all, and the fullest executor works as much longer, which others wait"
                      + " for. Vertices with more edges than a share make exceptions.")
              .numberBetween(1.01, 2, 1.15));

  /** Executors that a graph is spread over. */
  public static final ConfigEntry<Integer> EXECUTORS =
      register(
          ConfigEntry.key(
                  "executors",
                  "Number of executors that a graph is spread over when it is loaded. 0 chooses: one"
                      + " where the graph fits a third of an executor's memory, so that supersteps"
                      + " need no shuffle, otherwise all that are there; where there is none yet the"
                      + " load waits for one, as any job of Spark does. More than there are is an"
                      + " error, after waiting for them as long as"
                      + " `spark.scheduler.maxRegisteredResourcesWaitingTime` says (10 s unless set, 60 s"
                      + " under dynamic allocation, where Spark is asked for them)."
                      + " With a local master a number above 1 makes as many parts in one JVM, for"
                      + " tests.")
              .intBetween(0, 1 << 16, 0));

  /** Part of the heap that graphs may take. */
  public static final ConfigEntry<Double> MEMORY_FRACTION =
      register(
          ConfigEntry.key(
                  "memoryFraction",
                  "Part of an executor's heap (of the driver's with a local master) that graphs and"
                      + " results, and what is needed to load them, may take together: a graph for"
                      + " which that does not suffice is refused. They count against Spark's storage"
                      + " memory too, so that cached blocks make room. Read from the Spark"
                      + " configuration only.")
              .fraction(0.8));

  /** Where arrays with an element for each edge are. */
  public static final ConfigEntry<EdgeHome> MEMORY_EDGES =
      register(
          ConfigEntry.key(
                  "memory.edges",
                  "Where an executor has the edges of its part of a graph: `heap`; `off-heap`, within"
                      + " `spark.memory.offHeap.size` (where `spark.memory.offHeap.enabled` is set;"
                      + " Spark counts them there) or what `spark.executor.memoryOverhead`"
                      + " (`spark.driver.memoryOverhead` with a local master) has above 384 MB;"
                      + " `mapped`, in memory-mapped files in Spark's local directories, of which the"
                      + " system keeps in memory what it has room for. `auto` takes the heap while it"
                      + " has room (`spark.gpugraph.memoryFraction`), then the second, then the third;"
                      + " values of edges go where the edges are. The arrays of a cached GraphX graph"
                      + " stay Spark's. Results are the same to the bit. Read from the Spark"
                      + " configuration only.")
              .oneOf(EdgeHome.class, EdgeHome.AUTO));

  /** What partitions tell each other. */
  public static final ConfigEntry<ExchangeMode> EXCHANGE =
      register(
          ConfigEntry.key(
                  "exchange",
                  "What partitions tell each other after a superstep: `refined` the boundary vertices"
                      + " that changed or are active, `boundary` all boundary vertices, `all` all"
                      + " vertices. The results are the same; the latter are baselines for"
                      + " measurements.")
              .oneOf(ExchangeMode.class, ExchangeMode.REFINED));

  /** How updates are written for the shuffle. */
  public static final ConfigEntry<UpdateEncoding> EXCHANGE_ENCODING =
      register(
          ConfigEntry.key(
                  "exchange.encoding",
                  "How boundary updates are written for the shuffle between executors: `packed`"
                      + " values in as few bytes as they need, and of arrays only the elements that"
                      + " changed where that is less; `raw` in their own size; positions are always"
                      + " written in the shorter of two ways.")
              .oneOf(UpdateEncoding.class, UpdateEncoding.PACKED));

  /** Significant bits of floating-point values that travel between executors. */
  public static final ConfigEntry<Integer> EXCHANGE_SIGNIFICANT_BITS =
      register(
          ConfigEntry.key(
                  "exchange.significantBits",
                  "To how many significant bits floating-point values are rounded that one executor"
                      + " tells another: a relative error of 2^-bits at most for each. 53, those of"
                      + " a double, rounds nothing; 24 are those of a float, with the exponents of a"
                      + " double. Packed values take fewer bytes by as many bits, and a value whose"
                      + " rounded form is what was sent last does not travel. Results then depend on"
                      + " how a graph is cut, and only programs that forgive such errors (ranks,"
                      + " factors, probabilities) should be run so; vertex values themselves are not"
                      + " rounded, nor is anything on a graph that one executor holds.")
              .intBetween(Rounding.FEWEST, Rounding.EXACT, Rounding.EXACT));

  /** From how many in-edges on vertices are told partial messages. */
  public static final ConfigEntry<Integer> EXCHANGE_HUBS =
      register(
          ConfigEntry.key(
                  "exchange.hubs",
                  "Vertices with more in-edges than this are hubs: each executor merges what its"
                      + " vertices tell a hub that another one holds, and sends that one one partial"
                      + " message, while vertices that only hubs read there do not travel. 0: there"
                      + " are none. 64 is what was best on power laws, 8 on web graphs. Edges are then"
                      + " loaded with both of their ends, and those to hubs are kept a second time"
                      + " where a program first needs them (4 bytes each, and their values). For"
                      + " programs over several executors that send to destinations"
                      + " only, read nothing of them that changes in the send function, unless they are"
                      + " updated in place, and merge by minimum, maximum, and, or, or sums of integers:"
                      + " their results are the same to the bit. On GPUs those among them that are not"
                      + " updated in place. All others run as they do without, and `explain()` says"
                      + " why.")
              .intBetween(0, Integer.MAX_VALUE, 0));

  /** Which merges hubs are told partial messages by. */
  public static final ConfigEntry<HubMerges> EXCHANGE_HUB_MERGES =
      register(
          ConfigEntry.key(
                  "exchange.hubMerges",
                  "Which messages to hubs (`exchange.hubs`) may be merged where they come from:"
                      + " `exact`, those whose merged value does not depend on how they are grouped;"
                      + " `grouped`, sums of floating-point numbers, too, and what else is associative"
                      + " and commutative but for rounding. Those are then grouped by executor, in the"
                      + " order of executors: the same in each run on a graph that is cut in the same"
                      + " way, with other last bits than on one that is cut in another.")
              .oneOf(HubMerges.class, HubMerges.EXACT));

  /** Whether Spark compresses updates, too. */
  public static final ConfigEntry<Boolean> EXCHANGE_COMPRESS =
      register(
          ConfigEntry.key(
                  "exchange.compress",
                  "Whether boundary updates between executors go through Spark's compression"
                      + " (`spark.shuffle.compress`), too. They are packed already: it costs a core"
                      + " some 4 ms per MB and hardly takes a byte off, but `raw` ones of few"
                      + " different values. Where shuffles are encrypted, pushed or not Spark's own"
                      + " they go as Spark's settings say in any case.")
              .trueOrFalse(false));

  /** Blocks into which what one executor tells another is divided. */
  public static final ConfigEntry<Integer> EXCHANGE_LANES =
      register(
          ConfigEntry.key(
                  "exchange.lanes",
                  "Into how many blocks of Spark's shuffle what one executor tells another is"
                      + " divided at most, which as many threads of a task read. 0: as many"
                      + " as `spark.gpugraph.threads`. A block has 512 KB at least, so exchanges of few"
                      + " bytes have one in any case, and so have those that Spark compresses"
                      + " (`exchange.compress`). Executors times lanes stay within"
                      + " `spark.shuffle.sort.bypassMergeThreshold`.")
              .intBetween(0, 1 << 10, 0));

  /** How long tasks of a superstep stay. */
  public static final ConfigEntry<Integer> EXCHANGE_STANDING_MILLIS =
      register(
          ConfigEntry.key(
                  "exchange.standingMillis",
                  "How long, in milliseconds, the tasks of a superstep over several executors stay"
                      + " for those that follow: the driver then tells them what to do next and"
                      + " where to read, instead of having Spark make, send and schedule a stage for"
                      + " each superstep. They keep their slots meanwhile, but not while the driver"
                      + " does something else for more than 100 ms. 0: a stage for each superstep, as"
                      + " it is in any case where Spark's own shuffle is not used as it is"
                      + " (`exchange.compress`), or two parts of a graph share an executor.")
              .intBetween(0, 60_000, 2_000));

  /** What needs no block of a shuffle. */
  public static final ConfigEntry<Integer> EXCHANGE_INLINE_BYTES =
      register(
          ConfigEntry.key(
                  "exchange.inlineBytes",
                  "How many bytes an executor may tell others in a superstep by way of the driver,"
                      + " with what it reports of the superstep, instead of in a file that they"
                      + " fetch blocks of; where tasks stay (`exchange.standingMillis`). It is for"
                      + " supersteps of few updates; what is more goes from executor to executor in any"
                      + " case. 0: all does.")
              .intBetween(0, 1 << 16, 1 << 14));

  /** Supersteps between two exchanges. */
  public static final ConfigEntry<Integer> LOCAL_SUPERSTEPS =
      register(
          ConfigEntry.key(
                  "localSupersteps",
                  "How many supersteps an executor may run on its own before executors exchange"
                      + " updates, for monotone programs without maxIterations: their result does not"
                      + " depend on it. 0 chooses: it goes on while few of its vertices are active,"
                      + " so that searches on graphs of large diameter exchange a few times instead of"
                      + " thousands of times, and supersteps that walk much of the graph are not walked"
                      + " with values that an exchange would have improved. 1 exchanges after every"
                      + " superstep. Has no effect on other programs, nor on a graph that one"
                      + " executor holds.")
              .intBetween(0, 1 << 30, 0));

  /** Supersteps between two checkpoints. */
  public static final ConfigEntry<Integer> CHECKPOINT_INTERVAL =
      register(
          ConfigEntry.key(
                  "checkpointInterval",
                  "A run over several executors saves values and activity to Spark's checkpoint"
                      + " directory (`SparkContext.setCheckpointDir`, or `spark.checkpoint.dir`)"
                      + " every so many exchanges, and goes on from there when an executor is lost. 0"
                      + " saves nothing; without a directory a run starts again from superstep 0, and"
                      + " so does always a run on a graph that one executor holds: it is one task,"
                      + " since a task for each superstep would take longer than most supersteps do.")
              .intBetween(0, 1 << 30, 50));

  /** Worker threads of the CPU engine. */
  public static final ConfigEntry<Integer> THREADS =
      register(
          ConfigEntry.key(
                  "threads",
                  "Worker threads of the CPU engine in an executor. 0 takes all of its cores.")
              .intBetween(0, 1 << 12, 0));

  /** What is logged before a run. */
  public static final ConfigEntry<ExplainMode> EXPLAIN =
      register(
          ConfigEntry.key(
                  "explain",
                  "What is logged of a program or an operator before it runs: `none` nothing but the"
                      + " reasons of a fallback, `all` the whole text of `explain()` (level INFO),"
                      + " `source` that text and the CUDA source which is generated from the"
                      + " program. With both the log has at the end of the application a table of"
                      + " all calls: where they are in its source, whether they were lifted or fell"
                      + " back and why, engine, runs and time.")
              .oneOf(ExplainMode.class, ExplainMode.NONE));

  /** Whether values are computed per vertex instead of per edge. */
  public static final ConfigEntry<HoistMode> HOIST =
      register(
          ConfigEntry.key(
                  "hoist",
                  "Whether what `sendMessage` computes of one end of an edge alone, such as"
                      + " `srcAttr.rank / srcAttr.outDegree`, is computed once per vertex and kept"
                      + " beside its value, so that an edge reads one number: `auto` where that saves"
                      + " a read, or a division or mathematical function, per edge, `off` never. The"
                      + " results are the same; a kept number takes memory per vertex. `explain()`"
                      + " tells what is kept.")
              .oneOf(HoistMode.class, HoistMode.AUTO));

  /** How dense supersteps divide rows among the lanes of a GPU. */
  public static final ConfigEntry<DenseRows> DENSE_KERNEL =
      register(
          ConfigEntry.key(
                  "denseKernel",
                  "How a GPU's dense supersteps divide the edges among its lanes:"
                      + " `streamed-rows` lets a warp load the edges of 32 vertices as they lie in"
                      + " memory, and each lane merge those of its vertex; `warp-segmentation` gives"
                      + " these edges to the 32 lanes evenly and merges between lanes;"
                      + " `virtual-warp-N` gives every vertex N lanes (1: a thread per vertex). The"
                      + " results are the same but for the order of floating-point sums; the latter"
                      + " are baselines for measurements.")
              .oneOf(DenseRows.named(), DenseRows.DEFAULT));

  /** Vertices per candidate bit on a GPU; 0: chosen. */
  public static final ConfigEntry<Integer> GROUPING =
      register(
          ConfigEntry.key(
                  "grouping",
                  "Vertex grouping on a GPU: how many vertices share an entry of the lists that"
                      + " sparse supersteps find the rows of active neighbours by. More take less"
                      + " memory and gather more rows than needed; where supersteps push there are none."
                      + " `auto` takes the smallest with which the graph fits.")
              .oneOf(groupings(), 0));

  /** Degree above which the edges of a row are cut into chunks for several warps. */
  public static final ConfigEntry<Integer> HUB_DEGREE =
      register(
          ConfigEntry.key(
                  "hubDegree",
                  "On a GPU the edges of a vertex with more than this are cut into pieces for several"
                      + " warps.")
              .intBetween(32, 1 << 30, 1024));

  /** Device memory that is left to others. */
  public static final ConfigEntry<Long> MEMORY_RESERVE =
      register(
          ConfigEntry.key(
                  "gpu.memoryReserve",
                  "Memory of a GPU that is left free for others, such as RAPIDS in the same executor:"
                      + " a run that would leave less does not fit.")
              .bytes(0, "256m"));

  /** Part of another library's memory pool. */
  public static final ConfigEntry<Double> POOL_FRACTION =
      register(
          ConfigEntry.key(
                  "gpu.poolFraction",
                  "Where RAPIDS is in the same executor (`spark.plugins` has"
                      + " `com.nvidia.spark.SQLPlugin`): the part of its memory pool that graphs and"
                      + " runs may take together. All of their memory comes from there then. 0 takes"
                      + " nothing of it, but what the pool leaves free on the GPU.")
              .numberBetween(0, 1, 0.5));

  /** Device memory that edges may take. */
  public static final ConfigEntry<Long> EDGE_MEMORY =
      register(
          ConfigEntry.key(
                  "gpu.edgeMemory",
                  "Most memory of a GPU that a run's neighbours and edge values may take. What is more"
                      + " than that, or than is free, stays in the host's memory beside the heap, where"
                      + " kernels read it over the bus: so graphs may be larger than a GPU's memory, as"
                      + " long as what there is per vertex fits. Results are the same.")
              .bytes(0, "1p"));

  /** How what changed goes from GPU to GPU of an executor. */
  public static final ConfigEntry<DeviceExchange> GPU_EXCHANGE =
      register(
          ConfigEntry.key(
                  "gpu.exchange",
                  "How what changed goes from one GPU of an executor to another: `hub` over"
                      + " page-locked memory of the host; `peer` directly, the kernels of one GPU"
                      + " write into the memory of the other."
                      + " `auto` times both ways once for each pair of GPUs and takes the faster one."
                      + " GPUs that do not reach each other's memory always take the hub. The"
                      + " results are the same; forcing one is for measurements.")
              .oneOf(DeviceExchange.class, DeviceExchange.AUTO));

  /** Where the rows of a graph are made. */
  public static final ConfigEntry<BuildRows> GPU_BUILD_ROWS =
      register(
          ConfigEntry.key(
                  "gpu.buildRows",
                  "Where the rows of an executor's graph are made when that is one partition: `device`,"
                      + " the GPU gets the edges as they were loaded and sorts them when a program"
                      + " first runs on them; `host`, all cores do while the graph is loaded; `auto`,"
                      + " the GPU, if there is one and the graph has millions of edges. The host makes"
                      + " them after all when the GPU has no room to, or when somebody needs them"
                      + " there. The rows are the same. Beside RAPIDS `host` has edges come and"
                      + " results leave as rows, too, rather than as columns on the GPU; when RAPIDS"
                      + " fails to send the columns of edges to several executors `auto` sends copies"
                      + " of the host, `device` fails.")
              .oneOf(BuildRows.class, BuildRows.AUTO));

  /** Who computes which vertices between the GPUs of an executor. */
  public static final ConfigEntry<DevicePartitioning> GPU_PARTITIONING =
      register(
          ConfigEntry.key(
                  "gpu.partitioning",
                  "How several GPUs of an executor share its graph: `fixed`, each computes the vertices"
                      + " of one range, with about as many edges as the others; `permissive`, each"
                      + " also holds rows and values of its neighbours' ranges as far as its free"
                      + " memory allows, and from superstep to superstep the borders between them move"
                      + " to where the active edges are shared out evenly. The results are the same."
                      + " Borders stay fixed, which the executor's log tells with the reason, where one"
                      + " executor has not the whole graph, where a program runs every vertex, and"
                      + " where there is no memory for more.")
              .oneOf(DevicePartitioning.class, DevicePartitioning.FIXED));

  /** Whether runs try the ways that they may take. */
  public static final ConfigEntry<TuningMode> GPU_TUNING =
      register(
          ConfigEntry.key(
                  "gpu.tuning",
                  "Whether runs on a GPU try all ways in which they may gather rows and walk the edges"
                      + " of active vertices: `on`, launches take them in turn, those that are clearly"
                      + " slower are dropped early, and the quickest by device time per edge is"
                      + " remembered for the program, the class of the graph and the model of the GPU,"
                      + " in the executor and in `kernelCache.dir`; `off`, the defaults are taken. The"
                      + " results are the same, to the bit. The kernels of each way are compiled, in 3"
                      + " to 20 s, so the first run of a program takes a minute or two longer; turn it"
                      + " on once, and leave it on for what was found to be taken.")
              .oneOf(TuningMode.class, TuningMode.OFF));

  /** Where compiled kernels are kept. */
  public static final ConfigEntry<String> KERNEL_CACHE_DIR =
      register(
          ConfigEntry.key(
                  "kernelCache.dir",
                  "Directory in which compiled kernels are kept, safe to share between executors of"
                      + " one user. Empty: `spark-gpu-graph/kernels` in the user's cache directory"
                      + " (`$XDG_CACHE_HOME`, else `~/.cache`). Not used, with a warning, where others"
                      + " may write to it or to a directory above it. Read when an executor first"
                      + " uses its GPU.")
              .absolutePath());

  /** Size of the directory of compiled kernels. */
  public static final ConfigEntry<Long> KERNEL_CACHE_MAX_BYTES =
      register(
          ConfigEntry.key(
                  "kernelCache.maxBytes",
                  "Most bytes of compiled kernels to keep; those that were not used for the longest"
                      + " time are removed. 0 keeps none.")
              .bytes(0, "256m"));

  /** The library that compiles kernels. */
  public static final ConfigEntry<String> NVRTC_PATH =
      register(
          ConfigEntry.key(
                  "nvrtc.path",
                  "File of NVIDIA's run-time compiler (`libnvrtc.so.12`) on the executors. Empty: it"
                      + " is looked for on the loader's path and in the usual places of the CUDA"
                      + " toolkit. Read when an executor first uses its GPU.")
              .absolutePath());

  /** Memory of the emulated device. */
  public static final ConfigEntry<Long> EMULATED_MEMORY =
      register(
          ConfigEntry.key(
                  "emulated.memory",
                  "Memory that the emulated GPU of `engine = emulated` has, outside of the heap.")
              .bytes(1 << 16, "1g"));

  /** Order of the lanes of the emulated device. */
  public static final ConfigEntry<Long> EMULATED_SEED =
      register(
          ConfigEntry.key(
                  "emulated.seed",
                  "Decides the order in which the emulated GPU runs its lanes; another seed may show"
                      + " a missing synchronisation.")
              .anyLong(1));

  /** Number of emulated devices. */
  public static final ConfigEntry<Integer> EMULATED_DEVICES =
      register(
          ConfigEntry.key(
                  "emulated.devices",
                  "Number of emulated GPUs of an executor under `engine = emulated` where Spark gives"
                      + " its tasks none; where Spark gives GPUs, one is emulated for each.")
              .intBetween(1, 64, 1));

  /** Whether the driver shows how a run goes. */
  public static final ConfigEntry<ProgressMode> PROGRESS =
      register(
          ConfigEntry.key(
                  "progress",
                  "Whether the driver shows on standard error how loads and runs go: `auto` where that is a"
                      + " terminal, in one line that is rewritten (in lines of its own where Spark's"
                      + " progress bar is on), `true` always, elsewhere with a line every two"
                      + " seconds. Of a run on one executor of a cluster supersteps are known while it"
                      + " goes on if `spark.plugins` has `org.sparkgpugraph.GpuGraphPlugin`.")
              .oneOf(ProgressMode.class, ProgressMode.AUTO));

  /** Transparent mode. */
  public static final ConfigEntry<Boolean> TRANSPARENT =
      register(
          ConfigEntry.key(
                  "transparent",
                  "Whether calls of GraphX itself run here, so that unchanged jars do: `Pregel`,"
                      + " `graph.pregel`, and the algorithms of `org.apache.spark.graphx.lib` and"
                      + " `graph.ops` that the keys below name. Needs"
                      + " `spark.plugins=org.sparkgpugraph.GpuGraphPlugin` too, from the first"
                      + " SparkContext of the JVM on. What cannot run here runs on GraphX's own code.")
              .trueOrFalse(false));

  /** Whether executors are made ready for their first run. */
  public static final ConfigEntry<Boolean> WARM_UP =
      register(
          ConfigEntry.key(
                  "warmUp",
                  "Whether an executor makes itself ready for its first run when it starts, beside all"
                      + " else: it opens its GPUs, which takes memory there from then on, and runs two"
                      + " small programs on small graphs, so that the JVM has the code of a run loaded"
                      + " and compiled; that takes some seconds of one core. Needs"
                      + " `spark.plugins=org.sparkgpugraph.GpuGraphPlugin`. GPUs are left alone where"
                      + " `engine` wants none, and beside RAPIDS, which opens its own.")
              .trueOrFalse(true));

  /** Whether Pregel is taken over. */
  public static final ConfigEntry<Boolean> TRANSPARENT_PREGEL =
      register(
          ConfigEntry.key(
                  "transparent.pregel",
                  "Whether transparent mode runs `Pregel` and `graph.pregel` here.")
              .trueOrFalse(true));

  /** Whether PageRank is taken over. */
  public static final ConfigEntry<Boolean> TRANSPARENT_PAGE_RANK =
      register(
          ConfigEntry.key(
                  "transparent.pageRank",
                  "Whether transparent mode runs `PageRank` (static, until convergence, "
                      + "personalised for one source, and with earlier ranks) here.")
              .trueOrFalse(true));

  /** Whether personalised PageRank for several sources is taken over. */
  public static final ConfigEntry<Boolean> TRANSPARENT_PARALLEL_PERSONALIZED =
      register(
          ConfigEntry.key(
                  "transparent.parallelPersonalizedPageRank",
                  "Whether transparent mode runs "
                      + "`PageRank.runParallelPersonalizedPageRank` here; off unless set, "
                      + "because GraphX gives other values on most graphs.")
              .trueOrFalse(false));

  /** Whether connected components are taken over. */
  public static final ConfigEntry<Boolean> TRANSPARENT_CONNECTED_COMPONENTS =
      register(
          ConfigEntry.key(
                  "transparent.connectedComponents",
                  "Whether transparent mode runs `ConnectedComponents` here.")
              .trueOrFalse(true));

  /** Whether strongly connected components are taken over. */
  public static final ConfigEntry<Boolean> TRANSPARENT_STRONGLY_CONNECTED_COMPONENTS =
      register(
          ConfigEntry.key(
                  "transparent.stronglyConnectedComponents",
                  "Whether transparent mode runs `StronglyConnectedComponents` here.")
              .trueOrFalse(true));

  /** Whether shortest paths are taken over. */
  public static final ConfigEntry<Boolean> TRANSPARENT_SHORTEST_PATHS =
      register(
          ConfigEntry.key(
                  "transparent.shortestPaths",
                  "Whether transparent mode runs `ShortestPaths` here.")
              .trueOrFalse(true));

  /** Whether label propagation is taken over. */
  public static final ConfigEntry<Boolean> TRANSPARENT_LABEL_PROPAGATION =
      register(
          ConfigEntry.key(
                  "transparent.labelPropagation",
                  "Whether transparent mode runs `LabelPropagation` here; off unless set,"
                      + " because of labels that are equally frequent GraphX takes another.")
              .trueOrFalse(false));

  /** Whether triangle counts are taken over. */
  public static final ConfigEntry<Boolean> TRANSPARENT_TRIANGLE_COUNT =
      register(
          ConfigEntry.key(
                  "transparent.triangleCount",
                  "Whether transparent mode runs `TriangleCount.run` here.")
              .trueOrFalse(true));

  /** Whether SVD++ is taken over. */
  public static final ConfigEntry<Boolean> TRANSPARENT_SVD_PLUS_PLUS =
      register(
          ConfigEntry.key(
                  "transparent.svdPlusPlus",
                  "Whether transparent mode runs `SVDPlusPlus` here; off unless set, "
                      + "because GraphX draws other first vectors.")
              .trueOrFalse(false));

  private final Map<ConfigEntry<?>, Object> values = new LinkedHashMap<>();

  private GpuGraphConf(Map<String, String> settings) {
    for (ConfigEntry<?> entry : REGISTRY.values()) {
      values.put(entry, entry.in(settings));
    }
  }

  private static Map<String, Integer> groupings() {
    Map<String, Integer> groupings = new LinkedHashMap<>();
    groupings.put("auto", 0);
    for (int vertices : new int[] {1, 2, 4, 32, 64}) {
      groupings.put(String.valueOf(vertices), vertices);
    }
    return groupings;
  }

  private static <T> ConfigEntry<T> register(ConfigEntry<T> entry) {
    if (REGISTRY.putIfAbsent(entry.key(), entry) != null) {
      throw new IllegalStateException(entry.key() + " is registered twice");
    }
    return entry;
  }

  /** Every key that exists, in the order of the documentation. */
  public static List<ConfigEntry<?>> entries() {
    return List.copyOf(REGISTRY.values());
  }

  /**
   * The entry of a key.
   *
   * @throws IllegalArgumentException when there is none; the message names the nearest key
   */
  public static ConfigEntry<?> entry(String key) {
    ConfigEntry<?> entry = REGISTRY.get(key);
    if (entry == null) {
      throw new IllegalArgumentException(unknown(key));
    }
    return entry;
  }

  /** The configuration of {@code context} alone. */
  public static GpuGraphConf of(SparkContext context) {
    return of(context, Map.of());
  }

  /**
   * The configuration of one run.
   *
   * @param options full key → value, as given to the builder; they win
   * @throws IllegalArgumentException for a value that is not valid and for an option that does not
   *     exist. A key of the SparkConf that does not exist is logged once: it may belong to another
   *     version of the library in the same cluster.
   */
  public static GpuGraphConf of(SparkContext context, Map<String, String> options) {
    Map<String, String> settings = new LinkedHashMap<>(ownKeys(context.getConf()));
    for (String key : REGISTRY.keySet()) {
      String local = context.getLocalProperty(key);
      if (local != null) {
        settings.put(key, local);
      }
    }
    return of(settings, options);
  }

  /** The configuration of a SparkConf (before there is a context) and options over it. */
  public static GpuGraphConf of(SparkConf conf, Map<String, String> options) {
    return of(ownKeys(conf), options);
  }

  /**
   * The value of one entry in a SparkConf, for those who ask for it often.
   *
   * @throws IllegalArgumentException when it is not valid
   */
  public static <T> T of(SparkConf conf, ConfigEntry<T> entry) {
    String value = conf.get(entry.key(), null);
    return value == null ? entry.defaultValue() : entry.parse(value);
  }

  private static GpuGraphConf of(Map<String, String> base, Map<String, String> options) {
    Map<String, String> settings = new LinkedHashMap<>(base);
    for (String key : base.keySet()) {
      if (!REGISTRY.containsKey(key) && WARNED.add(key)) {
        LOG.warn("{}; it is ignored", unknown(key));
      }
    }
    options.forEach(
        (key, value) -> {
          entry(key);
          settings.put(key, value);
        });
    return new GpuGraphConf(settings);
  }

  private static Map<String, String> ownKeys(SparkConf conf) {
    Map<String, String> own = new LinkedHashMap<>();
    for (Tuple2<String, String> setting : conf.getAllWithPrefix(PREFIX)) {
      own.put(PREFIX + setting._1(), setting._2());
    }
    return own;
  }

  private static String unknown(String key) {
    List<String> keys = new ArrayList<>(REGISTRY.keySet());
    Optional<String> nearest = NearestName.of(key, keys);
    return "unknown configuration key '"
        + key
        + "'; "
        + nearest.map(name -> "did you mean '" + name + "'?").orElse("the keys are " + keys);
  }

  /** The value of an entry. */
  @SuppressWarnings("unchecked") // the map is filled from the entries' own parsers
  public <T> T get(ConfigEntry<T> entry) {
    return (T) values.get(entry);
  }
}
