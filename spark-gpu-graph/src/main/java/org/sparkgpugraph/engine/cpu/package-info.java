/**
 * The CPU engine: runs generated loops over primitive columns on all cores, and decides superstep
 * by superstep how the graph is walked. Begin with {@link org.sparkgpugraph.engine.cpu.CpuEngine},
 * then {@link org.sparkgpugraph.engine.cpu.CpuRun}. May use: {@code frame}, {@code codegen}, {@code
 * components}, and what {@code engine} may use.
 */
package org.sparkgpugraph.engine.cpu;
