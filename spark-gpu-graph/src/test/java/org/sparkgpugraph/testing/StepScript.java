package org.sparkgpugraph.testing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.sparkgpugraph.GraphSteps;
import org.sparkgpugraph.function.EdgeContext;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.VertexMap;
import org.sparkgpugraph.function.VertexProgram;

/**
 * A sequence of edge maps and vertex maps that can be added to a {@link GraphSteps}, and that runs
 * itself: sequentially, one map after the other, written to be obviously right.
 *
 * @param <ED> edge attribute
 * @param <S> vertex value
 */
public final class StepScript<ED, S> {
  /** An edge map. */
  public record Edges<ED, S>(
      SendMessage<S, ED, Object> send, MergeMessage<Object> merge, Object empty) {
    /** An edge map of messages of a type. */
    @SuppressWarnings("unchecked") // only such messages come
    public static <ED, S, A> Edges<ED, S> of(
        SendMessage<S, ED, A> send, MergeMessage<A> merge, A empty) {
      return new Edges<>(
          (SendMessage<S, ED, Object>) (Object) send, (MergeMessage<Object>) (Object) merge, empty);
    }
  }

  /** A vertex map with the edge maps before it, or a loop. */
  private record Item<ED, S>(
      List<Edges<ED, S>> edges, Object function, int times, StepScript<ED, S> body) {}

  private final List<Item<ED, S>> items = new ArrayList<>();

  /** Adds a vertex map. */
  public StepScript<ED, S> vertices(VertexMap<S> function) {
    items.add(new Item<>(List.of(), function, 0, null));
    return this;
  }

  /** Adds an edge map, and the vertex map that gets its messages. */
  @SuppressWarnings("unchecked") // only such messages come
  public <A> StepScript<ED, S> one(Edges<ED, S> edges, VertexProgram<S, A> function) {
    items.add(new Item<>(List.of(edges), function, 0, null));
    return this;
  }

  /** Adds two edge maps, and the vertex map that gets the messages of both. */
  public <A, B> StepScript<ED, S> two(
      Edges<ED, S> first, Edges<ED, S> second, VertexMap.OfTwo<S, A, B> function) {
    items.add(new Item<>(List.of(first, second), function, 0, null));
    return this;
  }

  /** Adds a loop. */
  public StepScript<ED, S> repeat(int times, StepScript<ED, S> body) {
    items.add(new Item<>(List.of(), null, times, body));
    return this;
  }

  /** Number of edge maps and vertex maps that run, each as often as its loops say. */
  public int maps() {
    return items.stream()
        .mapToInt(i -> i.body == null ? i.edges.size() + 1 : i.times * i.body.maps())
        .sum();
  }

  /** Adds the steps to a sequence. */
  @SuppressWarnings("unchecked") // functions get what their edge maps send
  public <VD, R> GraphSteps<VD, ED, S, R> addTo(GraphSteps<VD, ED, S, R> steps) {
    for (Item<ED, S> item : items) {
      if (item.body != null) {
        steps.repeat(item.times, item.body::addTo);
      } else if (item.edges.isEmpty()) {
        steps.vertexMap((VertexMap<S>) item.function);
      } else {
        Edges<ED, S> first = item.edges.get(0);
        var sent = steps.edgeMap(first.send, first.merge, first.empty);
        if (item.edges.size() == 1) {
          sent.vertexMap((VertexProgram<S, Object>) item.function);
        } else {
          Edges<ED, S> second = item.edges.get(1);
          sent.edgeMap(second.send, second.merge, second.empty)
              .vertexMap((VertexMap.OfTwo<S, Object, Object>) item.function);
        }
      }
    }
    return steps;
  }

  /** Runs one map after the other. */
  public Map<Long, S> run(TestGraph<?, ED> graph, Map<Long, S> first) {
    Map<Long, S> values = new TreeMap<>(first);
    for (Item<ED, S> item : items) {
      if (item.body != null) {
        for (int turn = 0; turn < item.times; turn++) {
          values = item.body.run(graph, values);
        }
      } else {
        values = run(graph, values, item);
      }
    }
    return values;
  }

  @SuppressWarnings("unchecked") // functions get what their edge maps send
  private Map<Long, S> run(TestGraph<?, ED> graph, Map<Long, S> values, Item<ED, S> item) {
    List<Map<Long, Object>> sent = item.edges.stream().map(e -> sent(graph, values, e)).toList();
    Map<Long, S> next = new TreeMap<>();
    values.forEach(
        (id, value) -> {
          List<Object> got = new ArrayList<>();
          for (int i = 0; i < sent.size(); i++) {
            got.add(sent.get(i).getOrDefault(id, item.edges.get(i).empty));
          }
          next.put(
              id,
              switch (sent.size()) {
                case 0 -> ((VertexMap<S>) item.function).apply(id, value);
                case 1 -> ((VertexProgram<S, Object>) item.function).apply(id, value, got.get(0));
                default ->
                    ((VertexMap.OfTwo<S, Object, Object>) item.function)
                        .apply(id, value, got.get(0), got.get(1));
              });
        });
    return next;
  }

  private Map<Long, Object> sent(TestGraph<?, ED> graph, Map<Long, S> values, Edges<ED, S> map) {
    Map<Long, Object> sent = new HashMap<>();
    for (int e = 0; e < graph.sources().length; e++) {
      int edge = e;
      long source = graph.sources()[e];
      long destination = graph.destinations()[e];
      map.send.send(
          new EdgeContext<S, ED, Object>() {
            @Override
            public long srcId() {
              return source;
            }

            @Override
            public long dstId() {
              return destination;
            }

            @Override
            public S srcAttr() {
              return values.get(source);
            }

            @Override
            public S dstAttr() {
              return values.get(destination);
            }

            @Override
            public ED attr() {
              return graph.edgeAttributes().get(edge);
            }

            @Override
            public void sendToSrc(Object message) {
              sent.merge(source, message, map.merge::merge);
            }

            @Override
            public void sendToDst(Object message) {
              sent.merge(destination, message, map.merge::merge);
            }
          });
    }
    return sent;
  }
}
