package org.sparkgpugraph.adapter.fallback;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;

/**
 * The messages of a vertex with their counts, for a merge that looks at all of them: what GraphX's
 * label propagation sends.
 *
 * <p>Public for serializers only.
 *
 * @param <A> message, a Long or an Integer
 */
public final class MessageBag<A> implements Serializable {
  private static final long serialVersionUID = 1L;

  private final HashMap<A, Integer> counts = new HashMap<>();

  /** For Kryo. */
  @SuppressWarnings("unused")
  private MessageBag() {}

  MessageBag(A message) {
    counts.put(message, 1);
  }

  /** Takes the other bag's messages; only its maker has this bag. */
  MessageBag<A> plus(MessageBag<A> other) {
    if (other.counts.size() > counts.size()) {
      return other.plus(this);
    }
    other.counts.forEach((message, count) -> counts.merge(message, count, Integer::sum));
    return this;
  }

  /** The most frequent message, of several the smallest. */
  A mode() {
    A best = null;
    int most = 0;
    for (Map.Entry<A, Integer> entry : counts.entrySet()) {
      int count = entry.getValue();
      if (count > most
          || count == most && ((Number) entry.getKey()).longValue() < ((Number) best).longValue()) {
        most = count;
        best = entry.getKey();
      }
    }
    return best;
  }
}
