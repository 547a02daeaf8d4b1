package org.sparkgpugraph.adapter.data;

import java.util.Iterator;

/** A Scala iterator seen from Java: the converters' names differ between Scala 2.12 and 2.13. */
final class JavaIterator<T> implements Iterator<T> {
  private final scala.collection.Iterator<T> iterator;

  JavaIterator(scala.collection.Iterator<T> iterator) {
    this.iterator = iterator;
  }

  @Override
  public boolean hasNext() {
    return iterator.hasNext();
  }

  @Override
  public T next() {
    return iterator.next();
  }
}
