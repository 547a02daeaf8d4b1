/**
 * What all parts of a generated loop share while it is written: the method itself, and the local
 * variables that hold what it reads of its frame. Begin with {@link
 * org.sparkgpugraph.engine.cpu.codegen.locals.KernelMethod}. May use: {@code frame}.
 */
package org.sparkgpugraph.engine.cpu.codegen.locals;
