package org.sparkgpugraph.engine.cpu.codegen.locals;

import org.sparkgpugraph.program.ir.Insn;

/** Where a program can stop itself. */
public record FaultSite(String function, Insn.Fail fail) {}
