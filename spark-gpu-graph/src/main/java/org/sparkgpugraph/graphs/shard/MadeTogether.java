package org.sparkgpugraph.graphs.shard;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.function.Supplier;
import org.sparkgpugraph.graphs.build.CsrExecutorGraph;

/**
 * Messages of a shard that are made when they are asked for, by all threads of its graph: as many
 * at a time as there are threads, so that no more than these are in memory.
 */
final class MadeTogether<T> implements Iterator<T> {
  private final CsrExecutorGraph graph;
  private final List<Supplier<T>> messages;
  private final Queue<T> made = new ArrayDeque<>();
  private int next;

  /**
   * @param messages how each is made, by one of several threads
   */
  MadeTogether(CsrExecutorGraph graph, List<Supplier<T>> messages) {
    this.graph = graph;
    this.messages = messages;
  }

  @Override
  public boolean hasNext() {
    return next < messages.size() || !made.isEmpty();
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException("no more messages");
    }
    if (made.isEmpty()) {
      make();
    }
    return made.remove();
  }

  private void make() {
    List<T> some =
        graph.withWorkers(
            workers -> {
              int count = Math.min(workers.threads(), messages.size() - next);
              List<T> together = new ArrayList<>(Collections.nCopies(count, null));
              // Threads set different elements.
              workers.run(count, i -> together.set(i, messages.get(next + i).get()));
              return together;
            });
    next += some.size();
    made.addAll(some);
  }
}
