/**
 * What executors tell each other between supersteps: its bytes ({@link
 * org.sparkgpugraph.benchmarks.exchange.ExchangeBytes}; of arrays: {@link
 * org.sparkgpugraph.benchmarks.exchange.LandmarkBytes}), packing them ({@link
 * org.sparkgpugraph.benchmarks.exchange.CodecRates}) and what a superstep takes that has none
 * ({@link org.sparkgpugraph.benchmarks.exchange.SuperstepOverhead}).
 */
package org.sparkgpugraph.benchmarks.exchange;
