/**
 * Translates the bytecode of a user's functions: executes it symbolically, inlines calls, takes
 * records apart. What cannot be translated is refused with class, method, line and reason. Begin
 * with {@link org.sparkgpugraph.program.lift.ProgramLifter}. May use: {@code program}, {@code
 * program.ir}, {@code program.analysis}, ASM.
 */
package org.sparkgpugraph.program.lift;
