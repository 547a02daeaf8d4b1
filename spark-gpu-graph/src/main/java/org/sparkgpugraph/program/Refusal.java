package org.sparkgpugraph.program;

import java.io.Serializable;
import org.sparkgpugraph.program.ir.SourcePosition;

/**
 * Why a function cannot be lifted.
 *
 * @param function which function of the program ("sendMessage")
 * @param where class, method and line
 * @param reason what stands there that has no place in a lifted program, and what to write instead
 */
public record Refusal(String function, SourcePosition where, String reason)
    implements Serializable {
  @Override
  public String toString() {
    return function + " at " + where + ": " + reason;
  }
}
