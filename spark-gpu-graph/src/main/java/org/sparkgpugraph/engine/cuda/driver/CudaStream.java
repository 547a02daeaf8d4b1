package org.sparkgpugraph.engine.cuda.driver;

import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUfunction;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;
import org.sparkgpugraph.engine.device.DeviceEvent;
import org.sparkgpugraph.engine.device.DeviceKernel;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.PinnedMemory;

/** A stream that does not wait for the default streams of other libraries. */
final class CudaStream extends CudaResource implements DeviceStream {
  private static final int MAX_THREADS = 1024;

  private final CUstream handle = new CUstream();

  CudaStream(CudaContext context) {
    super(context);
    context.enter("making a stream");
    context.check(
        JCudaDriver.cuStreamCreate(handle, CUstream_flags.CU_STREAM_NON_BLOCKING),
        "making a stream");
    context.resources().add(this);
  }

  @Override
  public void launch(
      DeviceKernel kernel, int blocks, int threads, int sharedBytes, byte[] arguments) {
    launch(kernel, blocks, threads, sharedBytes, arguments, false);
  }

  @Override
  public void launchCooperative(
      DeviceKernel kernel, int blocks, int threads, int sharedBytes, byte[] arguments) {
    launch(kernel, blocks, threads, sharedBytes, arguments, true);
  }

  private void launch(
      DeviceKernel kernel,
      int blocks,
      int threads,
      int sharedBytes,
      byte[] arguments,
      boolean cooperative) {
    if (blocks < 1
        || threads < 1
        || threads > MAX_THREADS
        || threads % DeviceProperties.WARP != 0) {
      throw new IllegalArgumentException(
          kernel + " launched with " + blocks + " blocks of " + threads + " threads");
    }
    enter("launch");
    // The driver copies the parameters before it returns.
    Pointer parameters = Pointer.to(Pointer.to(arguments));
    CUfunction function = ((CudaKernel) kernel).handle();
    ((CudaKernel) kernel).share(sharedBytes);
    int code =
        cooperative
            ? JCudaDriver.cuLaunchCooperativeKernel(
                function, blocks, 1, 1, threads, 1, 1, sharedBytes, handle, parameters)
            : JCudaDriver.cuLaunchKernel(
                function, blocks, 1, 1, threads, 1, 1, sharedBytes, handle, parameters, null);
    if (code != CUresult.CUDA_SUCCESS) {
      throw context()
          .failure(
              code,
              "launch of " + kernel + " with " + blocks + " blocks of " + threads + " threads",
              "");
    }
  }

  @Override
  public void fill(DeviceMemory memory, long offset, long bytes, byte value) {
    CUdeviceptr to = ((CudaMemory) memory).at(offset, bytes);
    if (bytes > 0) {
      enter("fill");
      check(JCudaDriver.cuMemsetD8Async(to, value, bytes, handle), "fill", bytes, memory);
    }
  }

  @Override
  public void copy(DeviceMemory from, long fromOffset, DeviceMemory to, long toOffset, long bytes) {
    CudaMemory source = (CudaMemory) from;
    CudaMemory target = (CudaMemory) to;
    CUdeviceptr sourceAt = source.at(fromOffset, bytes);
    CUdeviceptr targetAt = target.at(toOffset, bytes);
    if (bytes == 0) {
      return;
    }
    enter("copy");
    int code =
        source.context() == target.context()
            ? JCudaDriver.cuMemcpyDtoDAsync(targetAt, sourceAt, bytes, handle)
            : JCudaDriver.cuMemcpyPeerAsync(
                targetAt,
                target.context().handle(),
                sourceAt,
                source.context().handle(),
                bytes,
                handle);
    check(code, "copy of " + source + " to", bytes, to);
  }

  @Override
  public void upload(PinnedMemory from, int fromOffset, DeviceMemory to, long toOffset, int bytes) {
    Pointer source = ((CudaPinned) from).at(fromOffset, bytes);
    CUdeviceptr target = ((CudaMemory) to).at(toOffset, bytes);
    if (bytes > 0) {
      enter("upload");
      check(JCudaDriver.cuMemcpyHtoDAsync(target, source, bytes, handle), "upload to", bytes, to);
    }
  }

  @Override
  public void download(
      DeviceMemory from, long fromOffset, PinnedMemory to, int toOffset, int bytes) {
    CUdeviceptr source = ((CudaMemory) from).at(fromOffset, bytes);
    Pointer target = ((CudaPinned) to).at(toOffset, bytes);
    if (bytes > 0) {
      enter("download");
      check(
          JCudaDriver.cuMemcpyDtoHAsync(target, source, bytes, handle),
          "download from",
          bytes,
          from);
    }
  }

  @Override
  public DeviceEvent record() {
    enter("recording an event");
    CudaEvent event = new CudaEvent(context());
    context().check(JCudaDriver.cuEventRecord(event.handle(), handle), "recording an event");
    return event;
  }

  @Override
  public void waitFor(DeviceEvent event) {
    enter("waiting for an event");
    context()
        .check(
            JCudaDriver.cuStreamWaitEvent(handle, ((CudaEvent) event).handle(), 0),
            "waiting for an event");
  }

  @Override
  public void synchronize() {
    enter("waiting for a stream");
    context().check(JCudaDriver.cuStreamSynchronize(handle), "waiting for a stream");
  }

  private void enter(String operation) {
    checkOpen();
    context().enter(operation);
  }

  private void check(int code, String operation, long bytes, DeviceMemory memory) {
    if (code != CUresult.CUDA_SUCCESS) {
      throw context().failure(code, operation + " " + memory + ", " + bytes + " bytes,", "");
    }
  }

  @Override
  void release() {
    // Copies of a run that failed may be under way, and page-locked memory is given to others next.
    // What that run has done wrong was told already.
    JCudaDriver.cuStreamSynchronize(handle);
    context().check(JCudaDriver.cuStreamDestroy(handle), "closing a stream");
  }

  @Override
  public String toString() {
    return "stream";
  }
}
