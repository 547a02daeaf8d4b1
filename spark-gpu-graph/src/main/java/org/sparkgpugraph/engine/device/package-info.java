/**
 * What a device is, a GPU or an emulated one: memory, streams, kernels, and how they fail. {@code
 * engine.cuda} and {@code engine.emulator} implement {@link
 * org.sparkgpugraph.engine.device.Device}; its subpackages stand on it and know neither. In their
 * order: {@code settings}, {@code kernels} (translation units), {@code memory}, {@code exchange},
 * {@code plan}, {@code partition}, {@code operators}, {@code run}. Begin with {@link
 * org.sparkgpugraph.engine.device.run.DeviceEngine}. May use: {@code engine}.
 */
package org.sparkgpugraph.engine.device;
