package org.sparkgpugraph.engine.device;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.sparkgpugraph.engine.cuda.CudaDevices;
import org.sparkgpugraph.engine.cuda.CudaSearch;
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

  /**
   * Opens up to four GPUs, or skips the tests with the reason.
   *
   * @param least how many are needed
   */
  public static List<Device> open(int least) {
    CudaSettings settings = CudaSettings.defaults();
    CudaSearch search = CudaDevices.search(settings);
    assumeTrue(
        search.gpus().size() >= least,
        () ->
            "skipped: "
                + least
                + " GPUs are needed, found "
                + search.gpus().size()
                + " "
                + search.why());
    return search.gpus().stream().limit(4).map(gpu -> CudaDevices.open(gpu, settings)).toList();
  }
}
