package org.sparkgpugraph.program;

import java.io.Serializable;
import org.sparkgpugraph.program.ir.Kind;

/**
 * A table of a program: an array that its functions read by index. Its contents, and how long it
 * is, belong to the {@link ProgramInstance}, so that programs that differ in them share generated
 * code.
 *
 * @param kind of its elements
 * @param length index of the captured value that is its length
 */
public record TableShape(Kind kind, int length) implements Serializable {}
