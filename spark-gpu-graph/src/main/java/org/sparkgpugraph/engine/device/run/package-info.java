/**
 * Runs on one or several devices. Begin with {@link
 * org.sparkgpugraph.engine.device.run.DeviceEngine}, then {@link
 * org.sparkgpugraph.engine.device.run.DeviceRun}. May use: all packages below it.
 */
package org.sparkgpugraph.engine.device.run;
