package org.sparkgpugraph.engine.device.kernels;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sparkgpugraph.engine.device.settings.DeviceShape;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.hoist.SuperstepKind;
import org.sparkgpugraph.program.hoist.UniformBranches;

/**
 * Kernels for each kind of superstep of a {@linkplain LiftedProgram#phased phased} program: a kind
 * is a way that its {@link UniformBranches} go. What a kernel does not do it needs no registers
 * for, and no messages, and where nothing is sent it walks no edges.
 */
public final class KernelsByKind {
  /** Kinds that have kernels; the compiler takes a second or more for those of one. */
  private static final int MOST = 16;

  private record Key(List<Boolean> send, List<Boolean> vertexProgram) {}

  private final LiftedProgram program;
  private final ProgramKernels whole;
  private final DeviceShape shape;
  private final Object[] captures;
  private final UniformBranches send;
  private final UniformBranches vertexProgram;
  private final boolean divides;
  private final Map<Key, SuperstepKernels> kinds = new HashMap<>();

  /**
   * @param whole the kernels for all supersteps
   * @param captures the boxes of the captured values
   */
  public KernelsByKind(
      LiftedProgram program, ProgramKernels whole, DeviceShape shape, Object[] captures) {
    this.program = program;
    this.whole = whole;
    this.shape = shape;
    this.captures = captures;
    send = new UniformBranches(program.send());
    vertexProgram = new UniformBranches(program.vertexProgram());
    divides =
        program.phased()
            && whole.shape().everyVertex()
            && !shape.virtualWarps()
            && !whole.permissive()
            && !program.mergesByMode();
  }

  /** The kernels of a superstep; null: those for all supersteps. */
  public SuperstepKernels of(int superstep) {
    if (!divides) {
      return null;
    }
    Key key = new Key(send.decide(superstep, captures), vertexProgram.decide(superstep, captures));
    if (!kinds.containsKey(key) && kinds.size() == MOST) {
      return null;
    }
    return kinds.computeIfAbsent(
        key,
        k ->
            whole.of(
                SuperstepKind.of(
                    program, send.decided(k.send), vertexProgram.decided(k.vertexProgram)),
                program,
                shape));
  }
}
