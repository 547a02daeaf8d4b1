package org.sparkgpugraph.runtime.report;

import java.util.List;
import org.sparkgpugraph.run.ExecutorMemory;
import org.sparkgpugraph.runtime.event.GraphRunExecutor;

/** What a run took of the memory of executors, in a table. */
final class MemoryTable {
  private MemoryTable() {}

  /**
   * Writes it; nothing where no executor has told.
   *
   * @param executors the first line first; those of versions that did not tell are left out
   */
  static void write(Markup page, List<GraphRunExecutor> executors) {
    List<GraphRunExecutor> told = executors.stream().filter(e -> e.memory() != null).toList();
    if (told.isEmpty()) {
      return;
    }
    page.element("h4", "Memory of each executor");
    page.open("table", "class", RunsPage.TABLE + " memory").open("thead").open("tr");
    page.element("th", "Part, executor");
    for (String name :
        List.of(
            "Heap while loading",
            "Heap while running",
            "Heap, for graphs",
            "Edges on the heap",
            "Off the heap",
            "In mapped files")) {
      page.element("th", name, "class", "r");
    }
    page.close("tr").close("thead").open("tbody");
    told.forEach(executor -> row(page, executor));
    page.close("tbody").close("table");
    page.element(
        "p",
        "The most that was in use of the heap, by all that the process does, with garbage that was"
            + " not collected yet; how large it may become, and what of it graphs may take. Edges"
            + " of the part when the run ended, against what all graphs may have off the heap, and"
            + " what was free on disk.",
        "class",
        "note");
  }

  private static void row(Markup page, GraphRunExecutor executor) {
    ExecutorMemory memory = executor.memory();
    page.open("tr").element("td", "part " + executor.shard() + ", executor " + executor.executor());
    long load = memory.heap().loadPeak();
    number(page, load == 0 ? "" : Quantity.bytes(load));
    number(page, Quantity.bytes(memory.heap().runPeak()));
    number(
        page,
        "%s, %s"
            .formatted(
                Quantity.bytes(memory.heap().most()), Quantity.bytes(memory.heap().forGraphs())));
    number(page, Quantity.bytes(memory.edges().onHeap()));
    number(
        page,
        "%s of %s"
            .formatted(
                Quantity.bytes(memory.edges().offHeap()), Quantity.bytes(memory.offHeapLimit())));
    number(
        page,
        "%s, %s free"
            .formatted(Quantity.bytes(memory.edges().mapped()), Quantity.bytes(memory.diskFree())));
    page.close("tr");
  }

  private static void number(Markup page, String number) {
    page.element("td", number, "class", "r");
  }
}
