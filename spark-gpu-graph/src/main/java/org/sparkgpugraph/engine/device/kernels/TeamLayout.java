package org.sparkgpugraph.engine.device.kernels;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.sparkgpugraph.program.cuda.CudaPrinter;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.lanes.TeamForm;

/**
 * How teams of lanes run vertices ({@code sgg/team.cuh}).
 *
 * @param form the vertex program; null where it does not fit
 * @param lanes of a team, a power of two from 8 to 32
 * @param bytes of the arrays that the program makes
 */
record TeamLayout(TeamForm form, int lanes, int bytes) {
  private static final int WARP = 32;
  private static final int LEAST_LANES = 8;

  /** Bytes that the teams of a warp have together: {@code Policy::SELECTED_BYTES}. */
  static final int MOST_BYTES = 6080;

  /** Functions whose layout is remembered. */
  private static final int RECENT = 32;

  /** Finding one takes up to a second, and is asked for by every run of a program. */
  private static final Map<IrFunction, Optional<TeamLayout>> KNOWN =
      Collections.synchronizedMap(
          new LinkedHashMap<>(RECENT, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(
                Map.Entry<IrFunction, Optional<TeamLayout>> eldest) {
              return size() > RECENT;
            }
          });

  /** The layout for a vertex program; empty where there is none. It may not fit. */
  static Optional<TeamLayout> of(IrFunction vertexProgram) {
    Optional<TeamLayout> layout = KNOWN.get(vertexProgram);
    if (layout == null) {
      layout = find(vertexProgram);
      KNOWN.put(vertexProgram, layout);
    }
    return layout;
  }

  private static Optional<TeamLayout> find(IrFunction vertexProgram) {
    int most = CudaPrinter.teamBytes(vertexProgram);
    if (most > MOST_BYTES) {
      return Optional.of(new TeamLayout(null, WARP, most));
    }
    return CudaPrinter.team(vertexProgram).map(form -> of(vertexProgram, form));
  }

  private static TeamLayout of(IrFunction vertexProgram, TeamForm form) {
    int bytes = Math.max(Long.BYTES, CudaPrinter.teamBytes(vertexProgram, form));
    int lanes = LEAST_LANES;
    while (lanes < WARP && (lanes < form.rounds() || WARP / lanes * bytes > MOST_BYTES)) {
      lanes *= 2;
    }
    return new TeamLayout(form, lanes, bytes);
  }

  /** Whether there is room for the arrays. */
  boolean fits() {
    return WARP / lanes * bytes <= MOST_BYTES;
  }
}
