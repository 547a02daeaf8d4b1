package org.sparkgpugraph.runtime.conf;

/** Where an executor has arrays with an element for each edge. */
public enum EdgeHome {
  /** On the heap while there is room, else off it within what is told, else in mapped files. */
  AUTO,
  /** On the heap: a graph that does not fit is refused. */
  HEAP,
  /** Off the heap, within what is told. */
  OFF_HEAP,
  /** In memory-mapped files. */
  MAPPED
}
