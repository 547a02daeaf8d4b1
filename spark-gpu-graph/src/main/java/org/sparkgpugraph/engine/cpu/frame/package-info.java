/**
 * What generated loops read and write, what they call, and the blocks of rows that they are given.
 * Begin with {@link org.sparkgpugraph.engine.cpu.frame.KernelFrame}. May use: nothing else of the
 * CPU engine.
 */
package org.sparkgpugraph.engine.cpu.frame;
