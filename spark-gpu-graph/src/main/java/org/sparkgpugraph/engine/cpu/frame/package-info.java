/**
 * What generated loops read and write, and what they call. Begin with {@link
 * org.sparkgpugraph.engine.cpu.frame.KernelFrame}. May use: nothing else of the CPU engine.
 */
package org.sparkgpugraph.engine.cpu.frame;
