/**
 * Operators on devices: connected components, and what operators elsewhere stand on. Begin with
 * {@link org.sparkgpugraph.engine.device.operators.DeviceComponents}. May use: {@code settings} to
 * {@code partition}.
 */
package org.sparkgpugraph.engine.device.operators;
