/**
 * A GPU for machines without one: kernels are compiled by g++ against an emulation of CUDA's
 * execution model (the C++ sources among the resources of the kernels module) and called through
 * JNA. For tests and debugging. Begin with {@link
 * org.sparkgpugraph.engine.emulator.EmulatedDevice}. May use: {@code engine.device}; no graph, no
 * program.
 */
package org.sparkgpugraph.engine.emulator;
