/**
 * RAPIDS (NVIDIA's SQL plugin, {@code com.nvidia.spark.SQLPlugin}) in the same executor: its memory
 * pool, its spill framework, its GPU semaphore, tables that it has on the GPU and columns that it
 * gets there. All of it is found by name, and only where the plugin is at work: nothing here needs
 * its jar. Begin with {@link org.sparkgpugraph.runtime.rapids.Rapids}. May use: {@code
 * engine.cuda}'s pools.
 */
package org.sparkgpugraph.runtime.rapids;
