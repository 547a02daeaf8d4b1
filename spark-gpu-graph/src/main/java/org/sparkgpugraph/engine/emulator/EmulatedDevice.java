package org.sparkgpugraph.engine.emulator;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.device.ArrayBytes;
import org.sparkgpugraph.engine.device.CompilerUnavailableException;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceModule;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.MemoryInfo;
import org.sparkgpugraph.engine.device.PinnedMemory;

/**
 * A device without a GPU: kernels run on the calling thread, each lane as a fiber, in an order that
 * a seed decides, and every warp and block collective is checked (the head comment of runtime.cpp
 * says how). Memory is one {@code malloc} per buffer, so that AddressSanitizer sees the ends of
 * buffers, and full of garbage at first, as on a GPU.
 *
 * <p>Commands of a stream are executed at once. As on a GPU, what a kernel did wrong is thrown by a
 * later call: the next command of any stream or copy of this device, {@link
 * DeviceStream#synchronize()} at the latest; after that the device is usable again. Several devices
 * of one process run side by side when several threads use them; launches on one device are one
 * after the other.
 */
public final class EmulatedDevice implements Device {
  private static final Logger LOG = LoggerFactory.getLogger(EmulatedDevice.class);

  private static final int THREADS_PER_MULTIPROCESSOR = 2048;

  /** Of 48 KB the rest is for what kernels declare. */
  private static final int SHARED_BYTES = 44 << 10;

  /** Elements that are copied at a time: a buffer has less than 2 GiB. */
  private static final int CHUNK = 1 << 24;

  /** A page of arrays of which a part is on the host: small, as are the graphs of tests. */
  private static final long SPLIT_PAGE = 256;

  /** What new memory is full of. */
  static final int GARBAGE = 0xa5;

  private final EmulatorSettings settings;
  private final DeviceProperties properties;
  private final EmulatorCompiler compiler;
  private final EmulatorLibrary library;
  private final Map<Long, EmulatedMemory> allocations = new TreeMap<>();

  private Pointer handle;
  private long allocatedBytes;
  private DeviceException pending;

  /**
   * Opens device 0.
   *
   * @throws CompilerUnavailableException when there is no C++ compiler
   */
  public EmulatedDevice(EmulatorSettings settings) {
    this(settings, 0);
  }

  /**
   * Opens a device of a number: several of one process are peers.
   *
   * @throws CompilerUnavailableException when there is no C++ compiler
   * @throws IllegalStateException when the settings want sanitizers and the process was started
   *     without their library
   */
  public EmulatedDevice(EmulatorSettings settings, int ordinal) {
    if (settings.sanitizers() && !EmulatorCompiler.sanitizersLoaded()) {
      throw new IllegalStateException(
          "an emulated device with sanitizers needs a JVM that was started with"
              + " LD_PRELOAD=<path of libasan.so> (g++ -print-file-name=libasan.so) and"
              + " ASAN_OPTIONS=detect_leaks=0");
    }
    this.settings = settings;
    this.properties =
        new DeviceProperties(
            "emulated",
            ordinal,
            9,
            0,
            settings.multiprocessors(),
            THREADS_PER_MULTIPROCESSOR,
            SHARED_BYTES,
            settings.memoryBytes(),
            true,
            true);
    this.compiler = EmulatorCompiler.find(settings);
    Path runtime = compiler.runtime();
    this.library = Native.load(runtime.toString(), EmulatorLibrary.class);
    this.handle =
        library.sggOpenDevice(settings.seed(), settings.patience(), settings.checks() ? 1 : 0);
  }

  /** Whether there is a C++ compiler, so that a device can be opened; tests skip without one. */
  public static boolean isAvailable() {
    return !EmulatorCompiler.version(EmulatorCompiler.command()).isEmpty();
  }

  /** How it behaves. */
  public EmulatorSettings settings() {
    return settings;
  }

  @Override
  public DeviceProperties properties() {
    return properties;
  }

  @Override
  public synchronized MemoryInfo memory() {
    handle();
    return new MemoryInfo(settings.memoryBytes() - allocatedBytes, settings.memoryBytes());
  }

  @Override
  public DeviceMemory allocate(long bytes, String purpose) {
    return allocate(bytes, bytes, purpose);
  }

  @Override
  public Optional<HostRoom> hostRoom() {
    return Optional.of(new HostRoom(() -> Long.MAX_VALUE, SPLIT_PAGE));
  }

  @Override
  public DeviceMemory allocateSplit(long bytes, long own, String purpose) {
    return allocate(bytes, Math.min(bytes, own), purpose);
  }

  /**
   * @param own bytes that count for the device; the emulated one has no bus, so nothing else tells
   *     them from the others
   */
  private synchronized DeviceMemory allocate(long bytes, long own, String purpose) {
    handle();
    if (bytes < 0 || own < 0) {
      throw new IllegalArgumentException(bytes + " bytes wanted for " + purpose);
    }
    long free = settings.memoryBytes() - allocatedBytes;
    long address = bytes == 0 || own > free ? 0 : Native.malloc(bytes);
    if (bytes > 0 && address == 0) {
      throw new DeviceOutOfMemoryException(
          toString(), purpose, own, free, "EMULATOR_OUT_OF_MEMORY", "");
    }
    EmulatedMemory memory = new EmulatedMemory(this, address, bytes, own, purpose);
    if (bytes > 0) {
      library.sggFill(new Pointer(address), GARBAGE, bytes);
      library.sggAllocated(handle, new Pointer(address), bytes, purpose);
      allocations.put(address, memory);
      allocatedBytes += own;
    }
    return memory;
  }

  @Override
  public PinnedMemory allocatePinned(int bytes) {
    handle();
    if (bytes < 0) {
      throw new IllegalArgumentException(bytes + " bytes of pinned memory wanted");
    }
    return new EmulatedPinnedMemory(this, bytes);
  }

  @Override
  public DeviceStream newStream() {
    handle();
    return new EmulatedStream(this);
  }

  @Override
  public DeviceModule load(KernelSource source) {
    handle();
    return new EmulatedModule(this, source, compiler.compile(source));
  }

  @Override
  public boolean canAccess(Device peer) {
    handle();
    return peer instanceof EmulatedDevice other
        && other != this
        && settings.peers()
        && other.settings.peers();
  }

  @Override
  public void enableAccess(Device peer) {
    if (!canAccess(peer)) {
      throw new DeviceException(
          "access of " + this + " to " + peer, "EMULATOR_PEER_ACCESS_UNSUPPORTED", "");
    }
    library.sggEnableAccess(handle(), ((EmulatedDevice) peer).handle());
  }

  @Override
  public void upload(Object array, int from, int count, DeviceMemory to, long offset) {
    throwPending();
    Pointer target = own(to).at(offset, ArrayBytes.bytes(array, from, count));
    for (int done = 0; done < count; ) {
      int part = Math.min(CHUNK, count - done);
      ArrayBytes.put(array, from + done, part, chunk(target, array, done, part));
      done += part;
    }
  }

  @Override
  public void download(DeviceMemory from, long offset, Object array, int to, int count) {
    throwPending();
    Pointer source = own(from).at(offset, ArrayBytes.bytes(array, to, count));
    for (int done = 0; done < count; ) {
      int part = Math.min(CHUNK, count - done);
      ArrayBytes.get(chunk(source, array, done, part), array, to + done, part);
      done += part;
    }
  }

  /** Native memory of some elements. */
  private static ByteBuffer chunk(Pointer memory, Object array, long first, long count) {
    long each = ArrayBytes.elementBytes(array);
    return memory.getByteBuffer(each * first, each * count).order(ByteOrder.nativeOrder());
  }

  @Override
  public synchronized long allocatedBytes() {
    return allocatedBytes;
  }

  /** Memory that is allocated and not closed: bytes and purpose of each buffer. */
  public synchronized List<String> allocations() {
    List<String> list = new ArrayList<>();
    for (EmulatedMemory memory : allocations.values()) {
      list.add(memory.bytes() + " bytes for " + memory.purpose());
    }
    return list;
  }

  @Override
  public synchronized void close() {
    if (handle == null) {
      return;
    }
    if (!allocations.isEmpty()) {
      LOG.warn(
          "{} is closed while {} bytes are allocated: {}", this, allocatedBytes, allocations());
      for (EmulatedMemory memory : List.copyOf(allocations.values())) {
        memory.close();
      }
    }
    library.sggCloseDevice(handle);
    handle = null;
  }

  @Override
  public String toString() {
    return "emulated device " + properties.ordinal();
  }

  /** The runtime; fails when the device is closed. */
  EmulatorLibrary library() {
    handle();
    return library;
  }

  /** Frees a buffer. */
  synchronized void free(EmulatedMemory memory) {
    if (memory.bytes() > 0 && allocations.remove(memory.address()) != null) {
      allocatedBytes -= memory.ownBytes();
      library.sggFreed(new Pointer(memory.address()));
      Native.free(memory.address());
    }
  }

  /** Releases what a module has loaded. */
  void unload(Pointer module) {
    library.sggCloseModule(module);
  }

  /** Runs a kernel to its end; its fault is thrown by a later call. */
  synchronized void launch(
      EmulatedKernel kernel, int blocks, int threads, byte[] arguments, boolean cooperative) {
    // As large as the struct and no larger: a kernel that reads beyond it is caught by sanitizers.
    long frame = Native.malloc(Math.max(1, arguments.length));
    try {
      Pointer pointer = new Pointer(frame);
      pointer.write(0, arguments, 0, arguments.length);
      Pointer message =
          library.sggLaunch(
              handle(),
              kernel.function(),
              kernel.toString(),
              blocks,
              threads,
              pointer,
              arguments.length,
              cooperative ? 1 : 0);
      if (message != null) {
        pending =
            new DeviceException(
                "launch of " + kernel.name() + " on " + this,
                kernel.module().explain(message.getString(0)),
                "");
      }
    } finally {
      Native.free(frame);
    }
  }

  /** Throws what an earlier kernel did wrong. */
  synchronized void throwPending() {
    handle();
    if (pending != null) {
      DeviceException fault = pending;
      pending = null;
      fault.addSuppressed(new Throwable("noticed here"));
      throw fault;
    }
  }

  /** As memory of this device; fails when it is another's. */
  EmulatedMemory own(DeviceMemory memory) {
    EmulatedMemory emulated = EmulatedMemory.of(memory);
    if (emulated.device() != this) {
      throw new IllegalArgumentException(memory + " is not on " + this);
    }
    return emulated;
  }

  private synchronized Pointer handle() {
    if (handle == null) {
      throw new IllegalStateException(this + " is closed");
    }
    return handle;
  }
}
