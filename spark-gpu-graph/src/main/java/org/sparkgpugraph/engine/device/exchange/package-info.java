/**
 * The ways of boundary updates between partitions, on one device, between devices, and over the
 * host. Begin with {@link org.sparkgpugraph.engine.device.exchange.ExchangeLists}. May use: {@code
 * settings} to {@code memory}.
 */
package org.sparkgpugraph.engine.device.exchange;
