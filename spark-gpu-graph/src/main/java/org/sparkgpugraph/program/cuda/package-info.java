/**
 * Prints the intermediate representation as CUDA C text: functions, structs and constants. Touches
 * no CUDA API; the kernels around the functions are the device engine's. Begin with {@link
 * org.sparkgpugraph.program.cuda.CudaPrinter}. May use: {@code program}, {@code program.ir}.
 */
package org.sparkgpugraph.program.cuda;
