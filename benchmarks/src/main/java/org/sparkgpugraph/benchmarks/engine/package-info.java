/**
 * What an engine takes when its graph is in memory, without Spark. {@link
 * org.sparkgpugraph.benchmarks.engine.DeviceBenchmark} measures whole runs on any engine and checks
 * them; begin there. {@link org.sparkgpugraph.benchmarks.engine.EngineRates} sets the CPU engine
 * beside a hand-written loop, {@link org.sparkgpugraph.benchmarks.engine.DeltaSteppingRates} its
 * shortest paths, {@link org.sparkgpugraph.benchmarks.engine.OperatorBenchmark} counts triangles,
 * {@link org.sparkgpugraph.benchmarks.engine.ContentionBenchmark} merges records that no atomic
 * operation does.
 */
package org.sparkgpugraph.benchmarks.engine;
