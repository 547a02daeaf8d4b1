package org.sparkgpugraph.program.cuda;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sparkgpugraph.program.ir.Insn;

/**
 * The places of one translation unit where a program may stop itself. Device code reports the index
 * of the place; the host looks up here what error to report.
 */
public final class FaultSites {

  /**
   * One place.
   *
   * @param function name of the function in its program, for example "send"
   * @param fail what is reported, with the position in the user's source
   */
  public record Site(String function, Insn.Fail fail) implements Serializable {}

  private final List<Site> sites = new ArrayList<>();
  private final Map<Site, Integer> indexes = new HashMap<>();

  FaultSites() {}

  /** Adds a place, or finds an equal one; the index of either. */
  int indexOf(String function, Insn.Fail fail) {
    return indexes.computeIfAbsent(
        new Site(function, fail),
        site -> {
          sites.add(site);
          return sites.size() - 1;
        });
  }

  /** The places printed so far; position in the list = what {@code sgg_fail} is given. */
  public List<Site> list() {
    return List.copyOf(sites);
  }
}
