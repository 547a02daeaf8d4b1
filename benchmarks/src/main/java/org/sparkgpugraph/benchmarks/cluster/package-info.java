/**
 * The library over several executors of one host, each a JVM with GPUs of its own. Begin with
 * {@link org.sparkgpugraph.benchmarks.cluster.ClusterBenchmark}.
 */
package org.sparkgpugraph.benchmarks.cluster;
