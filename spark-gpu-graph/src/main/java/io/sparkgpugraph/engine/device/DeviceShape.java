package io.sparkgpugraph.engine.device;

import io.sparkgpugraph.engine.ActiveDirection;

/**
 * What, besides program and kernel shape, decides the code of a program's kernels.
 *
 * @param direction which edges a superstep evaluates: decides whom active vertices make candidates
 * @param virtualWarps whether the baseline kernels (virtual warps, thread per vertex) are made too
 */
public record DeviceShape(ActiveDirection direction, boolean virtualWarps) {}
