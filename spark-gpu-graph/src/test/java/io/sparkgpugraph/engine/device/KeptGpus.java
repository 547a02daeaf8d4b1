package io.sparkgpugraph.engine.device;

import io.sparkgpugraph.engine.cuda.CudaDevices;
import io.sparkgpugraph.engine.cuda.CudaSettings;
import io.sparkgpugraph.engine.cuda.OpenDevices;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Keeps the GPUs open while a class's tests run. Each of these opens and closes devices of its own,
 * as users do; but the driver makes a GPU's context anew when nobody else has it open, which takes
 * long beside a small test.
 */
final class KeptGpus implements BeforeAllCallback, AfterAllCallback {
  private OpenDevices kept;

  @Override
  public void beforeAll(ExtensionContext context) {
    kept = CudaDevices.open(CudaSettings.defaults());
  }

  @Override
  public void afterAll(ExtensionContext context) {
    kept.close();
  }
}
