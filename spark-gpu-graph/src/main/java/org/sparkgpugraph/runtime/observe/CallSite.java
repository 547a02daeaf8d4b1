package org.sparkgpugraph.runtime.observe;

import java.security.CodeSource;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where the user's code called Spark or this library.
 *
 * @param place file and line ("Job.scala:31")
 * @param called class and method that was called ("PageRank.run"), or the class alone
 */
record CallSite(String place, String called) {
  static final CallSite NONE = new CallSite("(unknown)", "");

  private static final List<String> LIBRARIES =
      List.of("java.", "javax.", "jdk.", "sun.", "scala.", "org.apache.spark.");

  private static final CodeSource OURS = source(CallSite.class);

  /** Of this thread: the innermost code that is neither ours nor a library's. */
  static CallSite here() {
    return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
        .walk(CallSite::outermost);
  }

  private static CallSite outermost(Stream<StackWalker.StackFrame> frames) {
    StackWalker.StackFrame inner = null;
    for (Iterator<StackWalker.StackFrame> all = frames.iterator(); all.hasNext(); ) {
      StackWalker.StackFrame frame = all.next();
      if (!isLibrary(frame.getDeclaringClass())) {
        String file = frame.getFileName() == null ? frame.getClassName() : frame.getFileName();
        return new CallSite(
            frame.getLineNumber() < 0 ? file : file + ":" + frame.getLineNumber(), called(inner));
      }
      // Scala's default arguments and forwarders have no name of their own.
      inner = frame;
    }
    return NONE;
  }

  private static boolean isLibrary(Class<?> type) {
    return LIBRARIES.stream().anyMatch(type.getName()::startsWith)
        || source(type) != null && OURS != null && source(type).equals(OURS);
  }

  private static CodeSource source(Class<?> type) {
    return type.getProtectionDomain().getCodeSource();
  }

  private static String called(StackWalker.StackFrame frame) {
    if (frame == null) {
      return "";
    }
    String type = frame.getDeclaringClass().getSimpleName().replace("$", "");
    String method = frame.getMethodName();
    return method.equals("apply") ? type : type + "." + method;
  }
}
