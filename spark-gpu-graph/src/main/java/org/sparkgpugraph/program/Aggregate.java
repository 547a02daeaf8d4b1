package org.sparkgpugraph.program;

import java.io.Serializable;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.program.ir.IrFunction;

/**
 * A value summed (or minimised, maximised) over the vertices that ran in a superstep.
 *
 * @param name how the program asks for it
 * @param operation how values of two vertices combine
 * @param function ID, BEFORE and AFTER columns → one DOUBLE
 */
public record Aggregate(String name, AggregateOperation operation, IrFunction function)
    implements Serializable {}
