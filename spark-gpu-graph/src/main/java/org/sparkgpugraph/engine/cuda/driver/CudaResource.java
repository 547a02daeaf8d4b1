package org.sparkgpugraph.engine.cuda.driver;

import java.util.concurrent.atomic.AtomicBoolean;

/** Something of a context that has to be released, once. */
abstract class CudaResource implements AutoCloseable {
  private final CudaContext context;
  private final AtomicBoolean closed = new AtomicBoolean();

  CudaResource(CudaContext context) {
    this.context = context;
  }

  final CudaContext context() {
    return context;
  }

  /** Releases it in the driver; the context is current. */
  abstract void release();

  /** Fails when it is closed; to be called before the driver sees its handle. */
  final void checkOpen() {
    if (closed.get()) {
      throw new IllegalStateException(this + " is closed");
    }
  }

  @Override
  public final void close() {
    if (closed.compareAndSet(false, true)) {
      context.resources().remove(this);
      // A lost context has released everything already.
      if (!context.isLost()) {
        context.enter("closing " + this);
        release();
      }
    }
  }
}
