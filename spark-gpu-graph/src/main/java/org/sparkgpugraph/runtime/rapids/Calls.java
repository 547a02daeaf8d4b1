package org.sparkgpugraph.runtime.rapids;

/** Calls of method handles, whose methods declare no exception. */
final class Calls {
  private Calls() {}

  /** A call that gives something. */
  interface Giving<T> {
    T call() throws Throwable;
  }

  /** A call that gives nothing. */
  interface Doing {
    void call() throws Throwable;
  }

  static <T> T of(Giving<T> call) {
    try {
      return call.call();
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  static void run(Doing call) {
    try {
      call.call();
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  /** Throws errors; gives what else is to be thrown. */
  static RuntimeException unchecked(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return e instanceof RuntimeException unchecked
        ? unchecked
        : new IllegalStateException("a call of RAPIDS", e);
  }
}
