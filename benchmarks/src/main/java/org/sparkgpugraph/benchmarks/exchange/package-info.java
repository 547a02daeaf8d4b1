/**
 * What executors tell each other between supersteps: its bytes ({@link
 * org.sparkgpugraph.benchmarks.exchange.ExchangeBytes}; of arrays: {@link
 * org.sparkgpugraph.benchmarks.exchange.LandmarkBytes}), packing them ({@link
 * org.sparkgpugraph.benchmarks.exchange.CodecRates}), what they cost from one executor to the next
 * ({@link org.sparkgpugraph.benchmarks.exchange.ExchangeRates}) and what a superstep takes that has
 * none ({@link org.sparkgpugraph.benchmarks.exchange.SuperstepOverhead}).
 */
package org.sparkgpugraph.benchmarks.exchange;
