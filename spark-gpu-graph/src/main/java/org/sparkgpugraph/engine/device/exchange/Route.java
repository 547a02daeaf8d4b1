package org.sparkgpugraph.engine.device.exchange;

/** How the updates of one boundary list come from its home to its reader. */
public enum Route {
  /** Both are on one device: the reader's kernel reads the home's outbox. */
  HERE,
  /** Copied to page-locked host memory and from there to the reader's device. */
  HUB,
  /** The home's kernels write them into memory of the reader's device. */
  PEER
}
