package org.sparkgpugraph.engine.cpu.codegen;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.cpu.frame.Interleaving;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.analysis.TraitRecognizer;
import org.sparkgpugraph.program.hoist.SuperstepKind;
import org.sparkgpugraph.program.hoist.UniformBranches;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.jvm.CodeGenerationException;

/**
 * Kernels for supersteps of a program in which every vertex runs: one per way that its {@link
 * UniformBranches} go, where its loops are long enough for that to pay or where nothing is sent
 * that way, so that no edge is walked; and where wide states are {@linkplain Interleaving
 * interleaved}. Each is generated when a superstep first needs it.
 */
public final class DenseKernels {
  /** Bytes of code of a loop that the JVM compiles at once; longer ones are worth dividing. */
  private static final int LONG = 1_500;

  /** Ways for which there are kernels; a program with more is not divided any further. */
  private static final int MOST = 16;

  private static final Logger LOG = LoggerFactory.getLogger(DenseKernels.class);

  private record Key(Interleaving interleaving, List<Boolean> send, List<Boolean> vertexProgram) {}

  private final LiftedProgram program;
  private final KernelShape shape;
  private final boolean outlined;
  private final UniformBranches send;
  private final UniformBranches vertexProgram;
  private final Map<Key, CompiledKernel> kernels = new HashMap<>();

  /** Whether decisions leave out the messages to an end. */
  private final Map<List<Boolean>, Boolean> quiet = new HashMap<>();

  /**
   * @param outlined whether loops call the functions, whatever their size
   */
  public DenseKernels(LiftedProgram program, KernelShape shape, boolean outlined) {
    this.program = program;
    this.shape = shape;
    this.outlined = outlined;
    send = new UniformBranches(program.send());
    vertexProgram = new UniformBranches(program.vertexProgram());
  }

  /**
   * The kernel of a superstep.
   *
   * @param whole the kernel for all supersteps
   * @param captures the boxes of the captured values
   */
  public synchronized CompiledKernel of(
      CompiledKernel whole, int superstep, Object[] captures, Interleaving interleaving) {
    boolean divided =
        shape.everyVertex()
            && !(send.isEmpty() && vertexProgram.isEmpty())
            && (whole.largestMethod() > LONG
                || interleaving == Interleaving.ALWAYS
                || isQuiet(send.decide(superstep, captures)));
    if (!divided && interleaving == Interleaving.NONE) {
      return whole;
    }
    Key key =
        divided
            ? new Key(
                interleaving,
                send.decide(superstep, captures),
                vertexProgram.decide(superstep, captures))
            : new Key(interleaving, null, null);
    boolean more = kernels.size() < MOST || kernels.containsKey(key);
    if (!more && interleaving == Interleaving.NONE) {
      return whole;
    }
    return kernels.computeIfAbsent(
        more ? key : new Key(interleaving, null, null), k -> generate(k, whole));
  }

  private boolean isQuiet(List<Boolean> decisions) {
    return quiet.computeIfAbsent(
        decisions,
        way -> {
          IrFunction decided = send.decided(way);
          return shape.inRows() && !TraitRecognizer.sends(decided, Side.DESTINATION)
              || shape.outRows() && !TraitRecognizer.sends(decided, Side.SOURCE);
        });
  }

  private CompiledKernel generate(Key key, CompiledKernel whole) {
    try {
      return generate(key);
    } catch (CodeGenerationException e) {
      LOG.debug("the supersteps {} run as all others do", key, e);
      return whole;
    }
  }

  private CompiledKernel generate(Key key) {
    SuperstepKind part =
        key.send == null
            ? SuperstepKind.whole(program)
            : SuperstepKind.of(
                program, send.decided(key.send), vertexProgram.decided(key.vertexProgram));
    KernelShape walks =
        shape.walking(
            shape.inRows() && TraitRecognizer.sends(part.program().send(), Side.DESTINATION),
            shape.outRows() && TraitRecognizer.sends(part.program().send(), Side.SOURCE));
    return KernelGenerator.generateDense(part, program, walks, key.interleaving, outlined);
  }
}
