package org.sparkgpugraph.program.ir;

import java.io.Serializable;

/**
 * Where in the user's source an instruction comes from. Generated code has no usable stack trace,
 * so every instruction carries its position.
 *
 * @param className binary name of the class
 * @param method method name, for lambdas the synthetic one
 * @param line source line, or −1 when the class has no line numbers
 */
public record SourcePosition(String className, String method, int line) implements Serializable {
  /** For instructions that no source line stands for. */
  public static final SourcePosition NONE = new SourcePosition("", "", -1);

  @Override
  public String toString() {
    return className + (method.isEmpty() ? "" : "." + method) + (line >= 0 ? ":" + line : "");
  }
}
