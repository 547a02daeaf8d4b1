package org.sparkgpugraph.engine.device.settings;

import java.io.Serializable;
import java.util.Objects;
import java.util.Optional;
import org.sparkgpugraph.engine.device.DeviceProperties;

/**
 * When supersteps that walk rows are outlined: many of them in one cooperative launch, where nobody
 * has anything to do between them (iteration outlining, Pai and Pingali, OOPSLA 2016, section 4.1).
 * It pays where a superstep is short beside a launch and the wait for it, and costs where it is
 * long, since a grid whose blocks are all resident is smaller (table 1 there).
 *
 * @param choice whether
 * @param edges under AUTO: of graphs with at most so many edges
 * @param supersteps of a launch at most, at least 1: a run is interrupted between launches
 */
public record OutlineSettings(Choice choice, long edges, int supersteps) implements Serializable {
  /** Whether supersteps that walk rows are outlined. */
  public enum Choice {
    /** Where launches bound them. */
    AUTO,
    /** Wherever it is legal. */
    ON,
    /** Never. */
    OFF
  }

  /**
   * Where launches bound them: up to five million edges, since 20 iterations of PageRank take 1.5
   * ms instead of 2.7 on an R-MAT of 4.2 million (H100), and larger graphs were not measured; 256
   * supersteps.
   */
  public static final OutlineSettings DEFAULT = new OutlineSettings(Choice.AUTO, 5_000_000, 256);

  public OutlineSettings {
    Objects.requireNonNull(choice, "choice");
    if (edges < 0 || supersteps < 1) {
      throw new IllegalArgumentException(
          "edges " + edges + " must not be negative, supersteps " + supersteps + " at least 1");
    }
  }

  /** The same under another choice. */
  public OutlineSettings with(Choice other) {
    return new OutlineSettings(other, edges, supersteps);
  }

  /** The same with other bounds. */
  public OutlineSettings within(long mostEdges, int mostSupersteps) {
    return new OutlineSettings(choice, mostEdges, mostSupersteps);
  }

  /** Why supersteps are not outlined on a device; empty: they may be. */
  public Optional<String> refusal(DeviceProperties device) {
    if (!device.cooperative()) {
      return Optional.of("the device has no cooperative launch");
    }
    return choice == Choice.AUTO && device.emulated()
        ? Optional.of("launches of an emulated device take no time")
        : Optional.empty();
  }

  /** Why those of a graph are not. */
  public Optional<String> refusal(long graphEdges) {
    return choice == Choice.AUTO && graphEdges > edges
        ? Optional.of(
            "the graph has "
                + graphEdges
                + " edges, with more than "
                + edges
                + " launches do not bound")
        : Optional.empty();
  }
}
