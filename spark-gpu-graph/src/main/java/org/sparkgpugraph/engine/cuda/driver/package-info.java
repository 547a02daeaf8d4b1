/**
 * NVIDIA's driver, bound by JCuda: contexts, memory, streams, modules, and what its errors mean.
 * Begin with {@link org.sparkgpugraph.engine.cuda.driver.CudaDevice}. May use: {@code engine.cuda}
 * and the interfaces of {@code engine.device}.
 */
package org.sparkgpugraph.engine.cuda.driver;
