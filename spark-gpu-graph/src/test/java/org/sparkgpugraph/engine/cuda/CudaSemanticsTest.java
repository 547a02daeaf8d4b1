package org.sparkgpugraph.engine.cuda;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.program.cuda.JavaSemanticsTrial;
import org.sparkgpugraph.program.cuda.TranslationUnit;

/** Every operator and intrinsic on a real GPU, compiled by its own compiler, is Java's. */
@Tag("gpu")
class CudaSemanticsTest {
  /** CUDA documents up to 2 ulp where glibc has 1. */
  private static final int SLACK = 2;

  @Test
  void printedCodeIsJavas(@TempDir Path folder) throws Exception {
    CudaSettings settings = CudaSettings.defaults().withKernelCache(folder, 1 << 20);
    CudaSearch search = CudaDevices.search(settings);
    assumeTrue(search.found(), search::why);
    List<JavaSemanticsTrial.Case> cases = new ArrayList<>();
    TranslationUnit unit = new JavaSemanticsTrial().unit(cases);
    try (Device device = CudaDevices.open(search.gpus().get(0), settings)) {
      JavaSemanticsTrial.check(cases, unit.runOn(device), SLACK);
    }
  }
}
