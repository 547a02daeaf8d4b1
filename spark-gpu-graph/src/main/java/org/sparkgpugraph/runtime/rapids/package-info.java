/**
 * RAPIDS (NVIDIA's SQL plugin, {@code com.nvidia.spark.SQLPlugin}) in the same executor: its memory
 * pool, its spill framework and its GPU semaphore. All of it is found by name, and only where the
 * plugin is at work: nothing here needs its jar. Begin with {@link
 * org.sparkgpugraph.runtime.rapids.Rapids}. May use: {@code engine.cuda}'s pools.
 */
package org.sparkgpugraph.runtime.rapids;
