/**
 * NVIDIA's driver, bound by JCuda: contexts, memory, streams, modules, and what its errors mean.
 * Begin with {@link org.sparkgpugraph.engine.cuda.driver.CudaDevice}. May use: {@code engine}, and
 * {@code engine.cuda}, whose interfaces it implements; nothing else may use JCuda.
 */
package org.sparkgpugraph.engine.cuda.driver;
