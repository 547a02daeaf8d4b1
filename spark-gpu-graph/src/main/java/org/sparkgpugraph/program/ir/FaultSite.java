package org.sparkgpugraph.program.ir;

import java.io.Serializable;

/**
 * Where a program can stop itself, whichever code it is printed as.
 *
 * @param function name of the function in its program, for example "send"
 * @param fail what is reported, with the position in the user's source
 */
public record FaultSite(String function, Insn.Fail fail) implements Serializable {}
