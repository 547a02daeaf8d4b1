package org.sparkgpugraph.engine.device.tuning;

import java.nio.charset.StandardCharsets;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.Digests;
import org.sparkgpugraph.engine.device.KernelSource;

/**
 * What a choice holds for: nothing that was found for one is believed of another (IrGL, section 6:
 * the best choice does not carry across classes of graphs, nor generations of GPUs).
 *
 * @param program digest of the kernels that the program has by default, so also of their headers
 * @param part which part of a run
 * @param graph key of the {@link GraphClass}
 * @param gpu name of the device
 */
public record ChoiceKey(String program, TunedPart part, String graph, String gpu) {
  /** Of a program on rows of some class. */
  public static ChoiceKey of(
      KernelSource program, TunedPart part, GraphClass graph, DeviceProperties device) {
    byte[] digest = Digests.sha256().digest(program.text().getBytes(StandardCharsets.UTF_8));
    return new ChoiceKey(
        Digests.hex(digest), part, graph.key(), device.name().replaceAll("\\s+", " "));
  }
}
