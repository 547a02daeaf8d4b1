package org.sparkgpugraph.engine.cuda.driver;

import jcuda.driver.CUevent;
import jcuda.driver.CUevent_flags;
import jcuda.driver.JCudaDriver;
import org.sparkgpugraph.engine.device.DeviceEvent;

/** An event, recorded in a stream. */
final class CudaEvent extends CudaResource implements DeviceEvent {
  private static final double NANOS_PER_MILLI = 1e6;

  private final CUevent handle = new CUevent();

  /** The context must be current. */
  CudaEvent(CudaContext context) {
    super(context);
    context.check(
        JCudaDriver.cuEventCreate(handle, CUevent_flags.CU_EVENT_DEFAULT), "making an event");
    context.resources().add(this);
  }

  CUevent handle() {
    checkOpen();
    return handle;
  }

  @Override
  public void synchronize() {
    context().enter("waiting for an event");
    context().check(JCudaDriver.cuEventSynchronize(handle()), "waiting for an event");
  }

  @Override
  public long nanosSince(DeviceEvent earlier) {
    context().enter("timing between events");
    float[] millis = new float[1];
    context()
        .check(
            JCudaDriver.cuEventElapsedTime(millis, ((CudaEvent) earlier).handle(), handle()),
            "timing between events");
    return Math.round(millis[0] * NANOS_PER_MILLI);
  }

  @Override
  void release() {
    context().check(JCudaDriver.cuEventDestroy(handle), "closing an event");
  }

  @Override
  public String toString() {
    return "event";
  }
}
