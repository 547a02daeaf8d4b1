package org.sparkgpugraph.program;

import java.io.Serializable;
import org.sparkgpugraph.program.ir.SourcePosition;

/**
 * Why a function cannot be lifted.
 *
 * @param function which function of the program ("sendMessage")
 * @param where class, method and line
 * @param reason what stands there that has no place in a lifted program, and what to write instead
 * @param file source file of that class ("Job.scala"); empty where it is not known
 */
public record Refusal(String function, SourcePosition where, String reason, String file)
    implements Serializable {
  /** As above, of code whose file is not known. */
  public Refusal(String function, SourcePosition where, String reason) {
    this(function, where, reason, "");
  }

  /**
   * The same in the words of who wrote the file, as Java is or as Scala is.
   *
   * @param source file of the class where it is; null: not known
   */
  public Refusal in(String source) {
    boolean isScala = isScala(source);
    return new Refusal(
        function, where, SourceWords.reason(reason, isScala), source == null ? "" : source);
  }

  /** Files of Scala, and its shell, which has none. */
  private static boolean isScala(String source) {
    return source != null && !source.isEmpty() && !source.endsWith(".java");
  }

  /** Which function, and where: "sendMsg at Job.scala:31". */
  public String subject() {
    String name = SourceWords.function(function, isScala(file));
    if (where.line() < 0 && (!file.isEmpty() || where.method().isEmpty())) {
      return name;
    } else if (file.isEmpty()) {
      return name + " at " + where;
    }
    String method = SourceWords.method(where.method());
    return name + " at " + file + ":" + where.line() + (method.isEmpty() ? "" : " in " + method);
  }

  @Override
  public String toString() {
    return subject() + ": " + reason;
  }
}
