/**
 * Operators on devices: connected components. Begin with {@link
 * org.sparkgpugraph.engine.device.operators.DeviceComponents}. May use: {@code settings} to {@code
 * partition}.
 */
package org.sparkgpugraph.engine.device.operators;
