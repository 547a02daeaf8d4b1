package org.sparkgpugraph.engine.cuda;

import java.nio.file.Path;
import java.util.List;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.memory.PinnedArray;

/**
 * What needs a process of its own: a fault, several processes at once, another driver. Arguments:
 * the scenario, and a folder for compiled kernels (without it they are kept where the user's are by
 * default).
 */
final class DeviceScenariosJob {
  private DeviceScenariosJob() {}

  public static void main(String[] arguments) {
    CudaSettings settings = CudaSettings.defaults();
    if (arguments.length > 1) {
      settings = settings.withKernelCache(Path.of(arguments[1], "kernels"), 1 << 20);
    }
    if (arguments[0].equals("open")) {
      open(settings);
      return;
    }
    CudaSearch search = CudaDevices.search(settings);
    if (!search.found()) {
      throw new AssertionError(search.why());
    }
    CudaGpu gpu = search.gpus().get(0);
    try (Device device = CudaDevices.open(gpu, settings)) {
      switch (arguments[0]) {
        case "everything" -> everything(device);
        case "hostMemoryIsRefused" -> hostMemoryIsRefused(device);
        case "faultsAreFatal" -> DeviceChecks.faultsAreFatal(device, gpu, settings);
        case "compile" -> device.load(DeviceChecks.source()).close();
        case "compileAgain" -> compileAgain(device);
        case "addresses" -> {
          for (String address : List.of("0", "2")) {
            CudaSearch found = CudaDevices.search(settings.withAddresses(List.of(address)));
            System.out.print(address + " is " + found.gpus().get(0).properties().ordinal() + ", ");
          }
        }
        case "pool" -> pool(device, gpu, settings);
        case "peers" -> {
          try (Device peer = CudaDevices.open(search.gpus().get(1), settings)) {
            DeviceChecks.peersCopy(device, peer);
          }
        }
        default -> throw new IllegalArgumentException(arguments[0]);
      }
    }
  }

  /** Opening what cannot be used gives reasons, and no exception. */
  private static void open(CudaSettings settings) {
    try (OpenDevices open = OpenDevices.of(settings)) {
      if (!open.devices().isEmpty()) {
        throw new AssertionError(open);
      }
      System.out.println(open.reasons());
    }
  }

  /** What the host has no memory for is refused, and takes nothing from what has its own. */
  private static void hostMemoryIsRefused(Device device) {
    long page = device.hostRoom().orElseThrow().page();
    for (int i = 0; i < 3; i++) {
      try (DeviceMemory split = device.allocateSplit(3 * page, page, "neighbours")) {
        throw new AssertionError(split);
      } catch (DeviceException e) {
        System.out.println(e.getMessage());
      }
      try (PinnedArray pinned = new PinnedArray(device)) {
        pinned.reserve(1000, 1000);
        System.out.println("locked");
      } catch (DeviceException e) {
        System.out.println(e.getMessage());
      }
      if (device.allocatedBytes() != 0) {
        throw new AssertionError(device.allocatedBytes() + " bytes are left");
      }
    }
    device.allocate(page, "what has room").close();
  }

  /** A device that takes its memory from a pool that is full but for that, beside another one. */
  private static void pool(Device owner, CudaGpu gpu, CudaSettings settings) {
    try (DeviceMemory arena = owner.allocate(48 << 20, "arena")) {
      ArenaPool pool = new ArenaPool(arena);
      CudaSettings little = settings.withMinimumFreeBytes(1 << 20);
      try (Device device = CudaDevices.open(gpu, little, pool)) {
        long before = owner.memory().free();
        DeviceChecks.memoryOfAPool(device, pool);
        DeviceChecks.arraysGoThereAndBack(device);
        DeviceChecks.rangesAreChecked(device);
        DeviceChecks.kernelsRun(device);
        DeviceChecks.streamsKeepTheirOrder(device);
        DeviceChecks.heapCopiesWaitForStreams(device);
        if (pool.taken() != 0 || owner.memory().free() != before) {
          throw new AssertionError(pool.taken() + " bytes are left");
        }
        device.allocate(1000, "what is left to the device");
      }
      if (pool.taken() != 0) {
        throw new AssertionError(pool.taken() + " bytes are left of a closed device");
      }
      try (Device none = CudaDevices.open(gpu, settings, pool)) {
        throw new AssertionError(none);
      } catch (DeviceException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  /** The compiler works as long as it is there, whatever the collector clears away meanwhile. */
  private static void compileAgain(Device device) {
    KernelSource source = DeviceChecks.source();
    device.load(source).close();
    for (int i = 0; i < 5; i++) {
      System.gc();
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    KernelSource other =
        new KernelSource("again", source.text() + "// again\n", source.kernels(), source.origins());
    device.load(other).close();
  }

  private static void everything(Device device) {
    DeviceChecks.memoryIsCounted(device);
    DeviceChecks.splitArraysAreOne(device);
    DeviceChecks.arraysGoThereAndBack(device);
    DeviceChecks.rangesAreChecked(device);
    DeviceChecks.kernelsRun(device);
    DeviceChecks.streamsKeepTheirOrder(device);
    DeviceChecks.heapCopiesWaitForStreams(device);
    DeviceChecks.uploadsAreDoneOnReturn(device);
    DeviceChecks.pageLockedMemoryIsKept(device);
    DeviceChecks.eventsTellTime(device);
    DeviceChecks.compileErrorsAreShown(device);
    DeviceChecks.closedDevicesRefuse(device);
  }
}
