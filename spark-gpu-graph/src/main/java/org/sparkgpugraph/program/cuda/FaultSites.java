package org.sparkgpugraph.program.cuda;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sparkgpugraph.program.ir.FaultSite;
import org.sparkgpugraph.program.ir.Insn;

/**
 * The places of one translation unit where a program may stop itself. Device code reports the index
 * of the place; the host looks up here what error to report.
 */
public final class FaultSites {
  private final List<FaultSite> sites = new ArrayList<>();
  private final Map<FaultSite, Integer> indexes = new HashMap<>();

  FaultSites() {}

  /** Adds a place, or finds an equal one; the index of either. */
  int indexOf(String function, Insn.Fail fail) {
    return indexes.computeIfAbsent(
        new FaultSite(function, fail),
        site -> {
          sites.add(site);
          return sites.size() - 1;
        });
  }

  /** The places printed so far; position in the list = what {@code sgg_fail} is given. */
  public List<FaultSite> list() {
    return List.copyOf(sites);
  }
}
