package org.sparkgpugraph.program.jvm;

/**
 * Thrown by generated code for an {@link org.sparkgpugraph.program.ir.Insn.Fail}: which of the
 * class's fault sites was reached, and where in the data. Whoever called the code turns it into an
 * error for people; frames of hidden classes are of no use, so there is no stack trace.
 */
public final class CodeFault extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int site;
  private final int row;

  private CodeFault(int site, int row) {
    super("fault site " + site + ", row " + row, null, false, false);
    this.site = site;
    this.row = row;
  }

  /** Called by generated code. */
  public static CodeFault at(int site, int row) {
    return new CodeFault(site, row);
  }

  /** Index into the fault sites of the generated class. */
  public int site() {
    return site;
  }

  /** The row (local vertex index) that ran, or −1. */
  public int row() {
    return row;
  }
}
