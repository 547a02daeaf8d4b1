package org.sparkgpugraph.runtime.device;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.spark.SparkEnv;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.engine.device.CompilerUnavailableException;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceLostException;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.DeviceUnavailableException;
import org.sparkgpugraph.engine.device.KernelCompilationException;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.RowsMade;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.runtime.conf.DeviceConf;

/**
 * The engines of an executor's process, and the choice among them. A device is opened when the
 * first run needs it, and kept; the reasons of every choice are told in words that a user can act
 * on. Thread-safe.
 */
public final class Engines implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Engines.class);

  /** What Spark calls the executor that is the driver. */
  private static final String DRIVER = "driver";

  /** Edges of a graph from which on a GPU makes its rows sooner than the host. */
  private static final long LEAST_EDGES = 1 << 21;

  private static final String ASKED = "the configuration asks for it";

  private final Engine cpu = new CpuEngine();
  private final Map<EngineChoice, DeviceFinder> finders;
  private final BooleanSupplier local;
  private final Map<List<Object>, DeviceSlot> slots = new LinkedHashMap<>();
  private final Set<String> said = ConcurrentHashMap.newKeySet();

  /**
   * @param cuda finds GPUs
   * @param emulated makes emulated ones
   */
  public Engines(DeviceFinder cuda, DeviceFinder emulated) {
    this(
        cuda, emulated, () -> SparkEnv.get() != null && SparkEnv.get().executorId().equals(DRIVER));
  }

  /**
   * @param local whether this process is driver and executor, so that all GPUs of the host are its
   *     own
   */
  public Engines(DeviceFinder cuda, DeviceFinder emulated, BooleanSupplier local) {
    this.local = local;
    finders = Map.of(EngineChoice.CUDA, cuda, EngineChoice.EMULATED, emulated);
  }

  /**
   * Checks, without opening a device, that there is one for a choice that needs one.
   *
   * @param addresses of the GPUs that Spark gave the task; empty when it gave none
   * @throws DeviceUnavailableException when there is none
   */
  public void check(EngineChoice choice, DeviceConf conf, List<String> addresses) {
    if (choice == EngineChoice.CUDA || choice == EngineChoice.EMULATED) {
      try {
        Pool pool = pool(choice, conf, addresses);
        DeviceUnavailableException first = null;
        for (DeviceSlot slot : pool.slots()) {
          try {
            slot.check();
            return;
          } catch (DeviceUnavailableException e) {
            first = first == null ? e : first;
          }
        }
        throw first;
      } catch (DeviceUnavailableException e) {
        throw refused(choice, e);
      }
    }
  }

  /**
   * Into how many partitions a graph is cut by default, so that every device of the task has one:
   * the usable GPUs that Spark gave it, or the emulated devices; 1 on the CPU, and where Spark gave
   * none. Opens no device and throws nothing: where there is none, {@link #check} says why.
   *
   * @param addresses of the GPUs that Spark gave the task; empty when it gave none
   */
  public int deviceCount(EngineChoice choice, DeviceConf conf, List<String> addresses) {
    boolean onDevices =
        choice == EngineChoice.EMULATED
            || (choice == EngineChoice.AUTO || choice == EngineChoice.CUDA) && !addresses.isEmpty();
    return onDevices
        ? Math.max(1, finders.get(kind(choice)).find(conf, addresses).devices().size())
        : 1;
  }

  /**
   * Whether the rows of a graph of one partition wait for the device that needs them, or for the
   * program on the host that does, of edges that are not its own. Opens no device and throws
   * nothing.
   *
   * @param addresses of the GPUs that Spark gave the task; empty when it gave none
   * @param edges of the graph
   * @param host whether they may wait for a program on the host
   */
  public RowsMade rowsMade(
      EngineChoice choice, DeviceConf conf, List<String> addresses, long edges, boolean host) {
    RowsMade onHost = host ? RowsMade.LATER_ON_HOST : RowsMade.NOW;
    if (choice == EngineChoice.CPU) {
      return onHost;
    }
    boolean wanted =
        switch (conf.buildRows()) {
          case HOST -> false;
          case DEVICE -> true;
          case AUTO ->
              (choice == EngineChoice.AUTO || choice == EngineChoice.CUDA) && edges >= LEAST_EDGES;
        };
    if (!wanted && !host) {
      return RowsMade.NOW;
    }
    if (finders.get(kind(choice)).find(conf, addresses).devices().isEmpty()) {
      return onHost;
    }
    return wanted ? RowsMade.LATER : RowsMade.NOW;
  }

  /**
   * Chooses the engine of a run and opens its devices: of those that Spark gave the task (in local
   * mode, where it gives none, of all that there are; elsewhere then the first) as many as there
   * are partitions. A device that cannot be opened or was lost is left out while there are others,
   * which then have several partitions each; the reason says so.
   *
   * @param addresses of the GPUs that Spark gave the task; empty when it gave none
   * @param partitions of the graph
   * @throws DeviceException when the choice is CUDA or EMULATED and no device can be used
   */
  public Selection select(
      EngineChoice choice, DeviceConf conf, List<String> addresses, int partitions) {
    if (choice == EngineChoice.CPU) {
      return new Selection(cpu, List.of(), ASKED);
    }
    Selection selection;
    try {
      selection = onDevices(pool(kind(choice), conf, addresses), conf, partitions);
    } catch (DeviceException e) {
      if (choice != EngineChoice.AUTO) {
        throw e instanceof DeviceUnavailableException ? refused(choice, e) : e;
      }
      selection = new Selection(cpu, List.of(), noGpu(e));
    }
    if (said.add(selection.engine().name() + selection.reason())) {
      LOG.info(
          "engine {} on {}: {}",
          choice.name().toLowerCase(Locale.ROOT),
          selection.engine().name(),
          selection.reason());
    }
    return selection;
  }

  /**
   * Opens devices before a run needs them, so that it finds them open. Says nothing.
   *
   * @param addresses of the GPUs that Spark gave this process; empty when it gave none
   * @param count how many, at most
   * @throws DeviceException when none can be opened
   */
  public void open(EngineChoice choice, DeviceConf conf, List<String> addresses, int count) {
    onDevices(pool(kind(choice), conf, addresses), conf, count).close();
  }

  /**
   * What to do after a run has failed on its device.
   *
   * @return the CPU engine, under AUTO
   * @throws DeviceException the failure itself, when the choice is CUDA or EMULATED
   */
  public Selection afterFailure(EngineChoice choice, Selection failed, DeviceException failure) {
    if (failure instanceof DeviceLostException lost) {
      failed.devices().stream()
          .filter(slot -> lost.ordinal() < 0 || slot.ordinal() == lost.ordinal())
          .forEach(slot -> slot.lost(lost));
    }
    if (choice != EngineChoice.AUTO) {
      throw failure;
    }
    Selection instead = instead(failed, failure);
    LOG.warn("the run starts again on the CPU engine: {}", instead.reason());
    if (failure instanceof KernelCompilationException) {
      LOG.debug("what the compiler said, and the whole source", failure);
    }
    return instead;
  }

  /** The CPU engine, because a device has refused or would refuse. */
  public Selection instead(Selection refused, DeviceException why) {
    DeviceSlot slot =
        refused.devices().stream()
            .filter(device -> device.ordinal() == why.ordinal())
            .findFirst()
            .orElse(refused.device());
    return new Selection(cpu, List.of(), reason(slot, why));
  }

  /** Bytes that this process holds on its devices: graphs, and runs that have not ended. */
  public long deviceBytes() {
    return opened().stream().mapToLong(DeviceSlot::heldMemory).sum();
  }

  /** Frees what the devices hold of a graph. */
  public void release(ExecutorGraph graph) {
    opened().forEach(slot -> slot.release(graph));
  }

  private synchronized List<DeviceSlot> opened() {
    return new ArrayList<>(slots.values());
  }

  /**
   * Closes all devices, those in use when the run ends that uses them. The next run opens them
   * again, but for those that were lost.
   */
  @Override
  public void close() {
    List<DeviceSlot> all;
    synchronized (this) {
      all = new ArrayList<>(slots.values());
      slots.values().removeIf(slot -> !slot.isLost());
    }
    all.forEach(DeviceSlot::close);
  }

  private static EngineChoice kind(EngineChoice choice) {
    return choice == EngineChoice.EMULATED ? EngineChoice.EMULATED : EngineChoice.CUDA;
  }

  /**
   * The devices that a task may use, in the order in which they are taken.
   *
   * @param given whether Spark gave them
   * @param others how many more there are, which the task may not use
   * @param unusable why others that Spark gave are not among them; may be empty
   */
  private record Pool(List<DeviceSlot> slots, boolean given, int others, String unusable) {}

  private Pool pool(EngineChoice kind, DeviceConf conf, List<String> addresses) {
    DeviceFinder.Found found = finders.get(kind).find(conf, addresses);
    if (found.devices().isEmpty()) {
      throw new DeviceUnavailableException(found.reason(), "");
    }
    boolean given = !addresses.isEmpty();
    // Emulated ones are made for this process alone.
    boolean all = given || kind == EngineChoice.EMULATED || local.getAsBoolean();
    List<DeviceFinder.FoundDevice> own = all ? found.devices() : found.devices().subList(0, 1);
    synchronized (this) {
      List<DeviceSlot> taken = new ArrayList<>();
      for (DeviceFinder.FoundDevice device : own) {
        taken.add(
            slots.computeIfAbsent(List.of(kind, device.key()), key -> new DeviceSlot(device)));
      }
      return new Pool(
          taken, given, found.devices().size() - own.size(), given ? found.reason() : "");
    }
  }

  /** Opens as many devices as there are partitions, or all. */
  private static Selection onDevices(Pool pool, DeviceConf conf, int partitions) {
    List<DeviceSlot> used = new ArrayList<>();
    List<OpenDevice> open = new ArrayList<>();
    List<String> left = new ArrayList<>();
    DeviceException first = null;
    for (DeviceSlot slot : pool.slots()) {
      if (used.size() == Math.max(1, partitions)) {
        break;
      }
      try {
        open.add(slot.beginUse());
        used.add(slot);
      } catch (DeviceException e) {
        first = first == null ? e : first;
        left.add(slot.describe() + " is left out: " + e.getMessage());
      }
    }
    if (used.isEmpty()) {
      throw first;
    }
    try {
      if (!pool.unusable().isEmpty()) {
        left.add(pool.unusable());
      }
      left.forEach(reason -> LOG.warn("{}", reason));
      Engine engine = open.get(0).engine(conf, open.subList(1, open.size()));
      String which = used.stream().map(DeviceSlot::describe).collect(Collectors.joining(", "));
      String memory = open.get(0).memory();
      String reason =
          which + origin(pool, used.size(), partitions) + (memory.isEmpty() ? "" : ", " + memory);
      return new Selection(
          engine, used, left.isEmpty() ? reason : reason + "; " + String.join("; ", left));
    } catch (RuntimeException | Error e) {
      used.forEach(DeviceSlot::endUse);
      throw e;
    }
  }

  private static String origin(Pool pool, int used, int partitions) {
    String few =
        used < partitions && pool.slots().size() > 1 ? " for " + partitions + " partitions" : "";
    int all = pool.slots().size();
    if (used > 1 || all == 1 && pool.others() == 0) {
      return few + (pool.given() ? ", given by Spark" : "");
    }
    if (pool.others() > 0) {
      return ", the first of " + (all + pool.others()) + ": Spark gave the task none";
    }
    return (partitions > 1 ? few : ", one of " + all + ": the graph has one partition")
        + (pool.given() ? ", given by Spark" : "");
  }

  /** What a user is told who has asked for an engine that is not there. */
  private static DeviceUnavailableException refused(EngineChoice choice, DeviceException why) {
    DeviceUnavailableException refused =
        new DeviceUnavailableException(
            "engine %s cannot be used: %s; engine auto runs on the CPU then"
                .formatted(choice.name().toLowerCase(Locale.ROOT), why.getMessage()),
            why.error());
    refused.initCause(why);
    return refused;
  }

  private static String noGpu(DeviceException e) {
    return "no usable GPU: " + e.getMessage();
  }

  /** One line that says why a run could not go on with a device. */
  private static String reason(DeviceSlot slot, DeviceException e) {
    if (e instanceof DeviceOutOfMemoryException memory) {
      return slot.outOfMemory(memory);
    }
    if (e instanceof KernelCompilationException compilation) {
      return "the generated kernels do not compile: "
          + compilation.log().lines().filter(l -> !l.isBlank()).findFirst().orElse(e.error());
    }
    if (e instanceof CompilerUnavailableException) {
      return "no compiler for the kernels: " + e.getMessage();
    }
    return e.getMessage();
  }
}
