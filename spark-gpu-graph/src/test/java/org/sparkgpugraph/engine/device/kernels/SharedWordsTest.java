package org.sparkgpugraph.engine.device.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.cores.PeelingOperator;
import org.sparkgpugraph.engine.device.GeneratedKernels;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.partition.RecordPrograms;
import org.sparkgpugraph.engine.device.settings.DelegateSettings;
import org.sparkgpugraph.engine.intersect.SortedIntersection;
import org.sparkgpugraph.engine.louvain.LouvainOperator;
import org.sparkgpugraph.engine.strong.StrongComponentsOperator;
import org.sparkgpugraph.testing.RandomPrograms;

/** What host and kernels share is defined by Java, and by Java alone. */
@Tag("any-spark")
class SharedWordsTest {
  private static final Pattern PART = Pattern.compile("(?m)^#line 1 \"([^\"]+)\"$");
  private static final Pattern MACRO = Pattern.compile("(?m)^ *# *define +(\\w+)");
  private static final Pattern CONSTANT =
      Pattern.compile(
          "(?m)\\b(?:constexpr|const) +[\\w ]+?\\b(\\w+) *=|^  (SGG_\\w+),? *(?://.*)?$");

  private static List<KernelSource> sources() {
    List<KernelSource> sources = new ArrayList<>();
    for (long seed = 0; seed < 30; seed++) {
      sources.add(GeneratedKernels.of(seed, false).source());
      sources.add(GeneratedKernels.of(seed, true).source());
    }
    sources.add(RecordPrograms.routes(DelegateSettings.DEFAULT));
    sources.add(RecordPrograms.routes(DelegateSettings.DEFAULT.withLocks()));
    for (long seed = 0; seed < 15; seed++) {
      sources.add(GeneratedKernels.outlined(RandomPrograms.plain(seed)));
      sources.add(GeneratedKernels.outlined(RandomPrograms.extended(seed)));
      sources.add(GeneratedKernels.outlined(RandomPrograms.mode(seed)));
    }
    sources.add(ComponentKernels.source());
    sources.add(RowKernels.source());
    sources.add(SortedIntersection.kernels());
    sources.add(PeelingOperator.kernels());
    sources.add(StrongComponentsOperator.kernels());
    sources.add(LouvainOperator.kernels());
    return sources;
  }

  /** Macros of the parts that are no headers: those that Java prints. */
  private static Set<String> printed(String text) {
    Set<String> names = new TreeSet<>();
    Matcher part = PART.matcher(text);
    int from = 0;
    boolean header = false;
    while (from < text.length()) {
      boolean more = part.find(from);
      int to = more ? part.start() : text.length();
      Matcher macro = MACRO.matcher(text.substring(from, to));
      while (!header && macro.find()) {
        names.add(macro.group(1));
      }
      header = more && part.group(1).startsWith("sgg/");
      from = more ? part.end() : text.length();
    }
    return names;
  }

  /** Constants, enumerators and macros of the headers. */
  private static Set<String> ofHeaders(String text) {
    Set<String> names = new TreeSet<>();
    Matcher part = PART.matcher(text);
    List<Integer> ends = new ArrayList<>();
    while (part.find()) {
      ends.add(part.start());
    }
    ends.add(text.length());
    part.reset();
    for (int i = 0; part.find(); i++) {
      if (part.group(1).startsWith("sgg/")) {
        String header = text.substring(part.end(), ends.get(i + 1));
        MACRO.matcher(header).results().forEach(m -> names.add(m.group(1)));
        CONSTANT
            .matcher(header)
            .results()
            .forEach(m -> names.add(m.group(1) == null ? m.group(2) : m.group(1)));
      }
    }
    return names;
  }

  @Test
  void noHeaderDefinesWhatJavaPrints() {
    Set<String> printed = new TreeSet<>();
    Set<String> defined = new TreeSet<>();
    for (KernelSource source : sources()) {
      printed.addAll(printed(source.text()));
      defined.addAll(ofHeaders(source.text()));
    }
    assertThat(printed)
        .contains(
            "SGG_WARP",
            "SGG_STATUS_FAULT",
            "SGG_RING_WORDS",
            "SGG_PUSH_PART",
            "SGG_UPDATE_ACTIVE",
            "SGG_FILTER_ROW",
            "SGG_MODE_WARP_SLOTS",
            "SGG_ROWS_KEYS",
            "SGG_COMPONENTS_LARGEST",
            "SGG_MAP_WORDS");
    assertThat(defined).contains("SGG_KERNEL", "SGG_BITS_OWN", "SCAN_WORDS", "SGG_INFINITY");
    assertThat(defined).doesNotContainAnyElementsOf(printed);
  }

  /** Nothing is asked for that nobody says: an #if of a missing macro is silently false. */
  @Test
  void everyMacroThatHeadersAskForIsDefined() {
    for (KernelSource source : sources()) {
      Set<String> known = new TreeSet<>(ofHeaders(source.text()));
      known.addAll(printed(source.text()));
      Set<String> asked = new TreeSet<>();
      Pattern.compile("(?m)^ *#(?:el)?if (.*)$")
          .matcher(source.text())
          .results()
          .flatMap(line -> Pattern.compile("SGG_\\w+").matcher(line.group(1)).results())
          .forEach(name -> asked.add(name.group()));
      assertThat(known).as(source.name()).containsAll(asked);
    }
  }
}
