package org.sparkgpugraph.graphs.memory;

/**
 * The heap that graphs are built in: what a build is about to allocate it reserves here first, so
 * that a graph that does not fit is refused before memory ends. Thread-safe.
 */
@FunctionalInterface
public interface BuildMemory {
  /** Memory without a bound. */
  BuildMemory UNBOUNDED = () -> Reservation.NONE;

  /** Begins a reservation, of nothing yet. */
  Reservation begin();

  /** Where arrays go that have an element for each edge; null: they are on the heap. */
  default EdgeMemory edges() {
    return null;
  }

  /** What one build has reserved. Thread-safe. */
  interface Reservation extends AutoCloseable {
    /** Of memory without a bound. */
    Reservation NONE =
        new Reservation() {
          @Override
          public void acquire(long bytes) {}

          @Override
          public boolean hasRoom(long bytes) {
            return true;
          }

          @Override
          public void release(long bytes) {}

          @Override
          public void close() {}
        };

    /**
     * Reserves more.
     *
     * @throws RuntimeException that names the bytes needed and those there are, when there is not
     *     that much; nothing more is reserved then
     */
    void acquire(long bytes);

    /** Whether so many bytes more could be reserved now. */
    boolean hasRoom(long bytes);

    /** Gives some of it back. */
    void release(long bytes);

    /** Gives all of it back; doing it twice is harmless. */
    @Override
    void close();
  }
}
