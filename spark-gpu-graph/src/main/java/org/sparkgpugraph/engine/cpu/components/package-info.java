/**
 * Connected components on the processor's cores. Begin with {@link
 * org.sparkgpugraph.engine.cpu.components.CpuComponents}. May use: {@code frame}, and what {@code
 * engine} may use.
 */
package org.sparkgpugraph.engine.cpu.components;
