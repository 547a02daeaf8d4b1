package org.sparkgpugraph.engine.cuda.driver;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import jcuda.driver.CUfunction;
import jcuda.driver.CUfunction_attribute;
import jcuda.driver.JCudaDriver;
import org.sparkgpugraph.engine.device.DeviceKernel;

/** A function of a module. */
final class CudaKernel implements DeviceKernel {
  /** Shared memory that a block may have without being asked for. */
  private static final int UNASKED = 48 << 10;

  /** That it may have now; guarded by this. */
  private int shared = UNASKED;

  private final CudaModule module;
  private final CUfunction handle;
  private final String name;

  /** A block of a launch. */
  private record Block(int threads, int sharedBytes) {}

  /** How many of these a multiprocessor holds: each run asks. */
  private final Map<Block, Integer> occupancy = new ConcurrentHashMap<>();

  CudaKernel(CudaModule module, CUfunction handle, String name) {
    this.module = module;
    this.handle = handle;
    this.name = name;
  }

  CUfunction handle() {
    module.checkOpen();
    return handle;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int registers() {
    return attribute(CUfunction_attribute.CU_FUNC_ATTRIBUTE_NUM_REGS);
  }

  @Override
  public int localBytes() {
    return attribute(CUfunction_attribute.CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  }

  private int attribute(int attribute) {
    String operation = "query of kernel " + name;
    CudaContext context = module.context();
    context.enter(operation);
    int[] value = new int[1];
    context.check(JCudaDriver.cuFuncGetAttribute(value, attribute, handle()), operation);
    return value[0];
  }

  @Override
  public int blocksPerMultiprocessor(int threads, int sharedBytes) {
    handle();
    share(sharedBytes);
    return occupancy.computeIfAbsent(new Block(threads, sharedBytes), this::occupancy);
  }

  private int occupancy(Block block) {
    int threads = block.threads();
    String operation = "query of the occupancy of kernel " + name + " with " + threads + " threads";
    CudaContext context = module.context();
    context.enter(operation);
    int[] blocks = new int[1];
    context.check(
        JCudaDriver.cuOccupancyMaxActiveBlocksPerMultiprocessor(
            blocks, handle(), threads, block.sharedBytes()),
        operation);
    return blocks[0];
  }

  /**
   * Allows blocks of so much shared memory beside what the kernel declares, where it takes that.
   */
  synchronized void share(int bytes) {
    // Never less: launches of other runs, which ask for more, may be on their way.
    if (bytes > shared) {
      module
          .context()
          .check(
              JCudaDriver.cuFuncSetAttribute(
                  handle(),
                  CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                  bytes),
              "setting of kernel " + name + " to " + bytes + " bytes of shared memory");
      shared = bytes;
    }
  }

  @Override
  public String toString() {
    return "kernel " + name;
  }
}
