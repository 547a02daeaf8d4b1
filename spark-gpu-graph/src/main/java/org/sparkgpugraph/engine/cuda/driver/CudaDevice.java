package org.sparkgpugraph.engine.cuda.driver;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.cuda.CudaGpu;
import org.sparkgpugraph.engine.cuda.KernelImages;
import org.sparkgpugraph.engine.cuda.SharedPool;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceModule;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.HostMemory;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.MemoryInfo;
import org.sparkgpugraph.engine.device.PinnedMemory;
import org.sparkgpugraph.engine.device.Reclaimable;

/**
 * A GPU. Copies from and to Java arrays first wait until the whole device is idle, so that they see
 * what the streams have been told to do; copies through page-locked memory are ordered by their
 * stream alone.
 */
final class CudaDevice implements Device {
  private static final Logger LOG = LoggerFactory.getLogger(CudaDevice.class);

  private final CudaContext context;
  private final KernelImages images;

  /** Null: memory comes from the driver. */
  private final SharedPool pool;

  private final HeapCopies heapCopies;
  private final boolean readsHost;
  private boolean closed;

  /**
   * @param pool where memory comes from; null: from the driver
   */
  CudaDevice(CudaGpu gpu, KernelImages images, SharedPool pool) {
    this.images = images;
    this.pool = pool;
    context = new CudaContext(gpu);
    heapCopies = new HeapCopies(context);
    // What the driver places beside a pool is in no bound of its library.
    readsHost = pool == null && SplitMemory.isPossible(context);
  }

  @Override
  public DeviceProperties properties() {
    return context.gpu().properties();
  }

  @Override
  public MemoryInfo memory() {
    return pool == null ? context.memory() : pool.memory(context.memory());
  }

  @Override
  public DeviceMemory allocate(long bytes, String purpose) {
    if (bytes < 0) {
      throw new IllegalArgumentException(bytes + " bytes for " + purpose);
    }
    String operation = "allocation for " + purpose;
    context.enter(operation);
    if (pool != null && bytes > 0) {
      return pooled(bytes, purpose);
    }
    CudaMemory.Address address = new CudaMemory.Address();
    if (bytes > 0) {
      int code = JCudaDriver.cuMemAlloc(address, bytes);
      if (code == CUresult.CUDA_ERROR_OUT_OF_MEMORY) {
        throw new DeviceOutOfMemoryException(
            context.gpu().describe(),
            purpose,
            bytes,
            memory().free(),
            CudaErrors.name(code),
            "other processes on the GPU hold memory too");
      }
      context.check(code, operation);
    }
    CudaMemory memory = new CudaMemory(context, address, bytes, bytes, purpose);
    context.resources().add(memory);
    return memory;
  }

  private CudaMemory pooled(long bytes, String purpose) {
    SharedPool.Buffer buffer;
    try {
      buffer = pool.allocate(bytes);
    } catch (SharedPool.RefusedException e) {
      DeviceOutOfMemoryException refused =
          new DeviceOutOfMemoryException(
              context.gpu().describe(),
              purpose,
              bytes,
              memory().free(),
              e.getMessage(),
              pool.describe());
      refused.initCause(e);
      throw refused;
    }
    CudaMemory memory = new CudaMemory(context, buffer, bytes, purpose);
    context.resources().add(memory);
    return memory;
  }

  @Override
  public void reclaimFrom(Reclaimable reclaimable) {
    if (pool != null) {
      pool.reclaimFrom(reclaimable);
    }
  }

  @Override
  public Optional<HostRoom> hostRoom() {
    return readsHost
        ? Optional.of(new HostRoom(HostMemory::available, SplitMemory.PAGE))
        : Optional.empty();
  }

  @Override
  public DeviceMemory allocateSplit(long bytes, long own, String purpose) {
    return SplitMemory.allocate(context, bytes, own, purpose);
  }

  @Override
  public PinnedMemory allocatePinned(int bytes) {
    return new CudaPinned(context, bytes);
  }

  @Override
  public DeviceStream newStream() {
    return new CudaStream(context);
  }

  @Override
  public DeviceModule load(KernelSource source) {
    context.enter("loading " + source.name());
    return new CudaModule(context, source, images.image(source, properties().architecture()));
  }

  @Override
  public Optional<Path> folder() {
    return images.folder();
  }

  @Override
  public boolean canAccess(Device peer) {
    if (!(peer instanceof CudaDevice other)) {
      return false;
    }
    if (other.properties().ordinal() == properties().ordinal()) {
      return true;
    }
    context.enter("query of peer access");
    int[] can = new int[1];
    context.check(
        JCudaDriver.cuDeviceCanAccessPeer(can, context.device(), other.context.device()),
        "query of peer access");
    return can[0] != 0;
  }

  @Override
  public void enableAccess(Device peer) {
    CudaDevice other = (CudaDevice) peer;
    if (other.properties().ordinal() == properties().ordinal()) {
      return;
    }
    String operation = "access to the memory of " + other.context.gpu().describe();
    context.enter(operation);
    int code = JCudaDriver.cuCtxEnablePeerAccess(other.context.handle(), 0);
    if (code != CUresult.CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED) {
      context.check(code, operation);
    }
  }

  @Override
  public void upload(Object array, int from, int count, DeviceMemory to, long offset) {
    idle("upload to " + to);
    heapCopies.upload(array, from, count, (CudaMemory) to, offset);
  }

  @Override
  public void download(DeviceMemory from, long offset, Object array, int to, int count) {
    idle("download from " + from);
    heapCopies.download((CudaMemory) from, offset, array, to, count);
  }

  private void idle(String operation) {
    context.enter(operation);
    context.check(JCudaDriver.cuCtxSynchronize(), operation);
  }

  @Override
  public long allocatedBytes() {
    return memories().stream().mapToLong(CudaMemory::ownBytes).sum();
  }

  private List<CudaMemory> memories() {
    return context.resources().stream()
        .filter(CudaMemory.class::isInstance)
        .map(CudaMemory.class::cast)
        .toList();
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    heapCopies.close();
    List<CudaMemory> leaked = memories();
    if (!leaked.isEmpty()) {
      LOG.warn(
          "{} bytes of {} were not freed before it was closed: {}",
          allocatedBytes(),
          context.gpu().describe(),
          leaked);
    }
    try {
      if (!context.isLost()) {
        idle("closing"); // streams may still work on what is freed now
      }
      List.copyOf(context.resources()).forEach(CudaResource::close);
    } finally {
      context.release();
    }
  }

  @Override
  public String toString() {
    return context.gpu().describe();
  }
}
