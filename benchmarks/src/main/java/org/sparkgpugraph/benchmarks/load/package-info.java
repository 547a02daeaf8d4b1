/**
 * How files become edges ({@link org.sparkgpugraph.benchmarks.load.TextRates}, {@link
 * org.sparkgpugraph.benchmarks.load.ParquetRates}) and edges executor graphs: {@link
 * org.sparkgpugraph.benchmarks.load.LoadBenchmark} from a cached GraphX graph to one executor,
 * {@link org.sparkgpugraph.benchmarks.load.ShardLoadBenchmark} to the shards of several, without
 * Spark.
 */
package org.sparkgpugraph.benchmarks.load;
