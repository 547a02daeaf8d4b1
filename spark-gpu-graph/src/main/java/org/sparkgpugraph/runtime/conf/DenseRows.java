package org.sparkgpugraph.runtime.conf;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;

/**
 * How dense supersteps divide the rows among the lanes of a GPU.
 *
 * @param lanes of the virtual warp that takes a row; 0: a warp takes 32 rows
 * @param tuning how it takes them
 */
public record DenseRows(int lanes, DenseTuning tuning) implements Serializable {
  /** What runs unless something else is asked for. */
  public static final DenseRows DEFAULT = new DenseRows(0, DenseTuning.DEFAULT);

  /** All that can be asked for, by name. */
  static Map<String, DenseRows> named() {
    Map<String, DenseRows> named = new LinkedHashMap<>();
    named.put("streamed-rows", DEFAULT);
    named.put("warp-segmentation", new DenseRows(0, DenseTuning.SEGMENTATION));
    for (int lanes = 1; lanes <= DeviceProperties.WARP; lanes *= 2) {
      named.put("virtual-warp-" + lanes, new DenseRows(lanes, DenseTuning.DEFAULT));
    }
    return named;
  }

  /** The settings with these rows. */
  DeviceSettings in(DeviceSettings settings) {
    return settings.withVirtualWarp(lanes).withTuning(tuning);
  }
}
