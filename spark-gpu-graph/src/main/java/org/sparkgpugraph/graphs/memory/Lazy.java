package org.sparkgpugraph.graphs.memory;

import java.util.function.Supplier;

/**
 * What is made when somebody first asks for it, by one of those who ask, and then kept.
 * Thread-safe.
 */
public final class Lazy<T> {
  private final Supplier<T> maker;
  private volatile T made;

  public Lazy(Supplier<T> maker) {
    this.maker = maker;
  }

  /** Makes it if nobody has; those who ask meanwhile wait. */
  public T get() {
    T found = made;
    if (found == null) {
      synchronized (this) {
        found = made;
        if (found == null) {
          found = maker.get();
          made = found;
        }
      }
    }
    return found;
  }

  /** What was made; null: nobody has asked yet. Never waits. */
  public T ifMade() {
    return made;
  }

  /** Puts something in its place; null: it is made again. */
  public synchronized void set(T value) {
    made = value;
  }
}
