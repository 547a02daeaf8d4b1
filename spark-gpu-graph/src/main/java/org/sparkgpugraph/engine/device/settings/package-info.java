/**
 * How the device engine may walk a graph and what it may take, and what follows for a program.
 * Begin with {@link org.sparkgpugraph.engine.device.settings.DeviceSettings}. May use: {@code
 * engine.device}.
 */
package org.sparkgpugraph.engine.device.settings;
