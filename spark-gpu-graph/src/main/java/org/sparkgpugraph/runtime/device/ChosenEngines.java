package org.sparkgpugraph.runtime.device;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/** The engines that the shards of a graph run on; executors may differ. */
public final class ChosenEngines {
  /** An engine that a shard runs on, and why. */
  public record Chosen(String engine, String reason) {}

  private List<Chosen> byShard = List.of();

  /** Replaces what was known. */
  public void set(List<Chosen> chosen) {
    byShard = List.copyOf(chosen);
  }

  /** The names of the engines of all shards. */
  public String names() {
    return byShard.stream().map(Chosen::engine).distinct().collect(Collectors.joining("+"));
  }

  /**
   * Why these engines, one line; where executors differ each is named.
   *
   * @param places a shard's executor, for users
   */
  public String reason(IntFunction<String> places) {
    Map<Chosen, List<String>> of = new LinkedHashMap<>();
    for (int shard = 0; shard < byShard.size(); shard++) {
      of.computeIfAbsent(byShard.get(shard), c -> new ArrayList<>()).add(places.apply(shard));
    }
    if (of.size() == 1) {
      return byShard.get(0).reason();
    }
    return of.entrySet().stream()
        .map(
            e ->
                "on %s %s: %s"
                    .formatted(
                        e.getValue().stream().distinct().collect(Collectors.joining(", ")),
                        e.getKey().engine(),
                        e.getKey().reason()))
        .collect(Collectors.joining("; "));
  }
}
