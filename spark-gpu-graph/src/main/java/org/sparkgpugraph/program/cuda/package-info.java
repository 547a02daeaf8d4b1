/**
 * Prints the intermediate representation as CUDA C text: functions, structs and constants. Touches
 * no CUDA API; the kernels around the functions are the device engine's.
 */
package org.sparkgpugraph.program.cuda;
