package org.sparkgpugraph.engine.device.tuning;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What trials have found, and those that go on, as long as the process holds the device; what was
 * found also in a file, where there is a folder for it. Thread-safe.
 */
public final class Choices {
  /** A trial is one of a key and of those ways: other settings allow other ways. */
  private record TrialKey(ChoiceKey key, List<String> titles) {}

  private final Optional<ChoiceFile> file;
  private final Map<ChoiceKey, Choice> found = new HashMap<>();
  private final Map<TrialKey, Trial> trials = new HashMap<>();

  /**
   * @param folder where the file is; empty: what is found is forgotten with the process
   */
  public Choices(Optional<Path> folder) {
    file = folder.map(ChoiceFile::new);
  }

  /** What was found for a key, here or by another process. */
  public synchronized Optional<Choice> find(ChoiceKey key) {
    if (!found.containsKey(key)) {
      file.ifPresent(from -> from.read().forEach(found::putIfAbsent));
    }
    return Optional.ofNullable(found.get(key));
  }

  /** The trial that goes on for a key, or a new one. */
  public synchronized Trial trial(ChoiceKey key, List<String> titles) {
    return trials.computeIfAbsent(new TrialKey(key, titles), k -> new Trial(titles));
  }

  /**
   * Remembers what was found.
   *
   * @param durably whether other processes should know, too
   */
  public synchronized void keep(ChoiceKey key, Choice choice, boolean durably) {
    found.put(key, choice);
    if (durably) {
      file.ifPresent(to -> to.add(key, choice));
    }
  }
}
