package org.sparkgpugraph.engine.device.kernels;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.engine.device.settings.LaunchSize;

/** The CUDA C++ headers of the kernels module, as resources. */
public final class KernelHeaders {
  private static final String FOLDER = "/org/sparkgpugraph/kernels/sgg/";

  private static final List<String> BASE = List.of("policy.cuh", "base.cuh", "loads.cuh");

  private KernelHeaders() {}

  /** What every translation unit begins with: constants, policy, and the helpers over them. */
  public static String base(DenseTuning tuning) {
    return SharedWords.macros(LaunchSize.BLOCK) + tuning.macros() + hot(false) + texts(BASE);
  }

  /** The same of a unit whose kernels read hot vertices first. */
  static String hotBase(DenseTuning tuning) {
    return SharedWords.macros(tuning.hot().threads()) + tuning.macros() + hot(true) + texts(BASE);
  }

  private static String hot(boolean first) {
    StringBuilder out = new StringBuilder();
    SharedWords.define(out, "HOT", first);
    return out.toString();
  }

  /** Headers behind each other. */
  static String texts(List<String> names) {
    return names.stream().map(KernelHeaders::text).collect(Collectors.joining());
  }

  /** The text of a header, behind a line directive so that compilers name it. */
  static String text(String name) {
    return "#line 1 \"sgg/" + name + "\"\n" + resource(FOLDER + name);
  }

  /**
   * A text of the module kernels.
   *
   * @throws IllegalStateException when the kernels' jar is not on the class path
   */
  public static String resource(String path) {
    try (InputStream in = KernelHeaders.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException(
            "resource "
                + path
                + " is missing: the jar spark-gpu-graph-kernels must be on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read resource " + path, e);
    }
  }
}
