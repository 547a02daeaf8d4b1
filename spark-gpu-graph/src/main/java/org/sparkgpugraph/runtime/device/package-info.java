/**
 * The devices of an executor's process, and the choice of the engine for a run, with its reason.
 * Begin with {@link org.sparkgpugraph.runtime.device.Engines}. May use: {@code conf} to {@code
 * cluster}, the engines.
 */
package org.sparkgpugraph.runtime.device;
