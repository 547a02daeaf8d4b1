package io.sparkgpugraph.spark;

import io.sparkgpugraph.EngineChoice;
import io.sparkgpugraph.engine.Engine;
import io.sparkgpugraph.engine.cpu.CpuEngine;
import io.sparkgpugraph.engine.device.CompilerUnavailableException;
import io.sparkgpugraph.engine.device.DeviceException;
import io.sparkgpugraph.engine.device.DeviceLostException;
import io.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import io.sparkgpugraph.engine.device.DeviceUnavailableException;
import io.sparkgpugraph.engine.device.KernelCompilationException;
import io.sparkgpugraph.graph.ExecutorGraph;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engines of an executor's process, and the choice among them. A device is opened when the
 * first run needs it, and kept; the reasons of every choice are told in words that a user can act
 * on. Thread-safe.
 */
final class Engines implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Engines.class);
  private static final String ASKED = "the configuration asks for it";

  private final Engine cpu = new CpuEngine();
  private final Map<EngineChoice, DeviceFinder> finders;
  private final Map<List<Object>, DeviceSlot> slots = new LinkedHashMap<>();
  private final Set<String> said = ConcurrentHashMap.newKeySet();

  /**
   * @param cuda finds GPUs
   * @param emulated makes emulated ones
   */
  Engines(DeviceFinder cuda, DeviceFinder emulated) {
    finders = Map.of(EngineChoice.CUDA, cuda, EngineChoice.EMULATED, emulated);
  }

  /**
   * Checks, without opening a device, that there is one for a choice that needs one.
   *
   * @param addresses of the GPUs that Spark gave the task; empty when it gave none
   * @throws DeviceUnavailableException when there is none
   */
  void check(EngineChoice choice, DeviceConf conf, List<String> addresses) {
    if (choice == EngineChoice.CUDA || choice == EngineChoice.EMULATED) {
      try {
        candidate(choice, conf, addresses).slot().check();
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
  int deviceCount(EngineChoice choice, DeviceConf conf, List<String> addresses) {
    boolean onDevices =
        choice == EngineChoice.EMULATED
            || (choice == EngineChoice.AUTO || choice == EngineChoice.CUDA) && !addresses.isEmpty();
    return onDevices
        ? Math.max(1, finders.get(kind(choice)).find(conf, addresses).devices().size())
        : 1;
  }

  /**
   * Chooses the engine of a run and opens its device.
   *
   * @param addresses of the GPUs that Spark gave the task; empty when it gave none
   * @throws DeviceException when the choice is CUDA or EMULATED and no device can be used
   */
  Selection select(EngineChoice choice, DeviceConf conf, List<String> addresses) {
    if (choice == EngineChoice.CPU) {
      return new Selection(cpu, null, ASKED);
    }
    Selection selection;
    try {
      Candidate candidate = candidate(kind(choice), conf, addresses);
      Engine engine = candidate.slot().beginUse().engine(conf);
      selection = new Selection(engine, candidate.slot(), candidate.reason());
    } catch (DeviceException e) {
      if (choice != EngineChoice.AUTO) {
        throw e instanceof DeviceUnavailableException ? refused(choice, e) : e;
      }
      selection = new Selection(cpu, null, noGpu(e));
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
   * What to do after a run has failed on its device.
   *
   * @return the CPU engine, under AUTO
   * @throws DeviceException the failure itself, when the choice is CUDA or EMULATED
   */
  Selection afterFailure(EngineChoice choice, Selection failed, DeviceException failure) {
    if (failure instanceof DeviceLostException lost) {
      failed.device().lost(lost);
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
  Selection instead(Selection refused, DeviceException why) {
    return new Selection(cpu, null, reason(refused.device(), why));
  }

  /** Frees what the devices hold of a graph. */
  void release(ExecutorGraph graph) {
    slots().forEach(slot -> slot.release(graph));
  }

  /** Bytes that this process holds of its devices. */
  long heldMemory() {
    return slots().stream().mapToLong(DeviceSlot::heldMemory).sum();
  }

  private synchronized List<DeviceSlot> slots() {
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
   * A device that would be taken.
   *
   * @param reason why this one
   */
  private record Candidate(DeviceSlot slot, String reason) {}

  /** The device for a task: the first of those that Spark gave it, or of all. */
  private Candidate candidate(EngineChoice kind, DeviceConf conf, List<String> addresses) {
    DeviceFinder.Found found = finders.get(kind).find(conf, addresses);
    if (found.devices().isEmpty()) {
      throw new DeviceUnavailableException(found.reason(), "");
    }
    DeviceFinder.FoundDevice device = found.devices().get(0);
    String reason = device.describe() + origin(found.devices().size(), addresses.size());
    synchronized (this) {
      return new Candidate(
          slots.computeIfAbsent(List.of(kind, device.key()), key -> new DeviceSlot(device)),
          reason);
    }
  }

  private static String origin(int found, int given) {
    if (given == 0) {
      return found == 1 ? "" : ", the first of " + found + ": Spark gave the task none";
    }
    return given == 1
        ? ", given by Spark"
        : ", the first of " + given + " given by Spark: this version uses one";
  }

  /** What a user is told who has asked for an engine that is not there. */
  private static DeviceUnavailableException refused(EngineChoice choice, DeviceException why) {
    DeviceUnavailableException refused =
        new DeviceUnavailableException(
            "engine "
                + choice.name().toLowerCase(Locale.ROOT)
                + " cannot be used: "
                + why.getMessage()
                + "; engine auto runs on the CPU then",
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
