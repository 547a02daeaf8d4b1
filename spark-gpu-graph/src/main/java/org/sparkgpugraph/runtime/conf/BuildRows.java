package org.sparkgpugraph.runtime.conf;

/** Where the rows of a graph are made that is one partition. */
public enum BuildRows {
  /** On the GPU, if there is one and the graph is large enough to gain. */
  AUTO,
  /** On the host, while the graph is loaded. */
  HOST,
  /** On the GPU, or the emulated one, if there is one. */
  DEVICE
}
