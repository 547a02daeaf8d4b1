package org.sparkgpugraph.engine.device;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.sparkgpugraph.engine.cuda.CudaSettings;
import org.sparkgpugraph.engine.cuda.OpenDevices;

/**
 * Keeps the GPUs open while a class's tests run. Each of these opens and closes devices of its own,
 * as users do; but the driver makes a GPU's context anew when nobody else has it open, which takes
 * long beside a small test.
 */
public final class KeptGpus implements BeforeAllCallback, AfterAllCallback {
  private OpenDevices kept;

  @Override
  public void beforeAll(ExtensionContext context) {
    kept = OpenDevices.of(CudaSettings.defaults());
  }

  @Override
  public void afterAll(ExtensionContext context) {
    kept.close();
  }
}
