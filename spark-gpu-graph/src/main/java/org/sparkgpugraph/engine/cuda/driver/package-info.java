/**
 * NVIDIA's driver, bound by JCuda: contexts, memory, streams, modules, and what its errors mean.
 */
package org.sparkgpugraph.engine.cuda.driver;
