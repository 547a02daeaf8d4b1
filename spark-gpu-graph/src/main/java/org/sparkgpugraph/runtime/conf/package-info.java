/**
 * The configuration: every key with its type, default and documentation, and what they say
 * together. Begin with {@link org.sparkgpugraph.runtime.conf.GpuGraphConf}. May use: {@code run},
 * {@code exchange} and {@code engine.device.settings}, for the types of settings; nothing else of
 * the runtime.
 */
package org.sparkgpugraph.runtime.conf;
