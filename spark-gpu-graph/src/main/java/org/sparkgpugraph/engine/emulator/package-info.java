/**
 * A GPU for machines without one, for tests and debugging: kernels are compiled by g++ against an
 * emulation of CUDA's execution model (the C++ sources among the resources of the kernels module)
 * and called through JNA. Lanes and the blocks of a cooperative launch take turns in an order that
 * a seed decides; stores by which blocks tell each other things are kept back until they are
 * released. Begin with {@link org.sparkgpugraph.engine.emulator.EmulatedDevice}. May use: the
 * interfaces of {@code engine.device}.
 */
package org.sparkgpugraph.engine.emulator;
