package org.sparkgpugraph.program;

/** Lets an interrupt end what may compute for a while before a run begins. */
public final class Interruption {
  private Interruption() {}

  /**
   * Goes on unless this thread is interrupted.
   *
   * @param what is going on, for the message
   * @throws IllegalStateException when it is; the thread's flag stays set
   */
  public static void check(String what) {
    if (Thread.currentThread().isInterrupted()) {
      throw new IllegalStateException("interrupted while " + what);
    }
  }
}
