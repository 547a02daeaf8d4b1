package org.sparkgpugraph.program.ir;

import java.io.Serializable;

/**
 * A parameter of a function. A function lists only the parameters that it reads.
 *
 * @param role what it stands for
 * @param index column, aggregate or capture index within the role; 0 for roles without one
 * @param variable the variable that holds it on entry
 */
public record Param(Role role, int index, int variable) implements Serializable {}
