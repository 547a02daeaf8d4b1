/**
 * Translation units: the headers of the module kernels, a program's printed functions, and the
 * adapters between both; the structs and words that host and kernels share. Begin with {@link
 * org.sparkgpugraph.engine.device.kernels.ProgramKernels}. May use: {@code settings}.
 */
package org.sparkgpugraph.engine.device.kernels;
