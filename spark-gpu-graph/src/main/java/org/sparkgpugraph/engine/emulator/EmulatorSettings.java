package org.sparkgpugraph.engine.emulator;

/**
 * How an {@link EmulatedDevice} behaves.
 *
 * @param seed decides the order of blocks and lanes; the same seed and the same launches give the
 *     same order
 * @param memoryBytes capacity, for {@code DeviceOutOfMemoryException}s
 * @param multiprocessors as many as the device says it has
 * @param checks whether kernels are compiled so that every access to memory is checked: races of
 *     lanes in shared memory, addresses outside every buffer, endless loops. Off with sanitizers:
 *     the compiler knows one or the other
 * @param sanitizers whether kernels are compiled with AddressSanitizer and
 *     UndefinedBehaviorSanitizer; the JVM must run under {@code LD_PRELOAD=libasan.so}
 * @param warningsFail whether a warning of the compiler is an error
 * @param peers whether kernels can reach the memory of other emulated devices that allow it too
 * @param patience after how many memory operations (atomic ones and fences, and with {@code checks}
 *     all) a block hangs in which no lane reaches a collective or its end
 */
public record EmulatorSettings(
    long seed,
    long memoryBytes,
    int multiprocessors,
    boolean checks,
    boolean sanitizers,
    boolean warningsFail,
    boolean peers,
    long patience) {
  /**
   * System property that makes sanitizers the default: a whole test suite runs under them when its
   * JVM is started so, and with {@code LD_PRELOAD=libasan.so}.
   */
  public static final String SANITIZERS_KEY = "gpugraph.emulator.sanitizers";

  /** System property that turns {@code checks} off by default when it is false. */
  public static final String CHECKS_KEY = "gpugraph.emulator.checks";

  public EmulatorSettings {
    if (memoryBytes < 0 || multiprocessors < 1 || patience < 1) {
      throw new IllegalArgumentException(
          "memoryBytes "
              + memoryBytes
              + ", multiprocessors "
              + multiprocessors
              + " and patience "
              + patience
              + " must be positive");
    }
    checks = checks && !sanitizers;
  }

  /**
   * 1 GiB, 2 multiprocessors, seed 0, a peer of others, with checks unless the system property
   * {@value #CHECKS_KEY} is false, or with sanitizers if {@value #SANITIZERS_KEY} is true.
   */
  public static EmulatorSettings defaults() {
    return new EmulatorSettings(
        0,
        1L << 30,
        2,
        !"false".equals(System.getProperty(CHECKS_KEY)),
        Boolean.getBoolean(SANITIZERS_KEY),
        false,
        true,
        1L << 28);
  }

  /** The same with another seed. */
  public EmulatorSettings withSeed(long seed) {
    return new EmulatorSettings(
        seed, memoryBytes, multiprocessors, checks, sanitizers, warningsFail, peers, patience);
  }

  /** The same with another capacity. */
  public EmulatorSettings withMemoryBytes(long memoryBytes) {
    return new EmulatorSettings(
        seed, memoryBytes, multiprocessors, checks, sanitizers, warningsFail, peers, patience);
  }

  /** The same with another number of multiprocessors. */
  public EmulatorSettings withMultiprocessors(int multiprocessors) {
    return new EmulatorSettings(
        seed, memoryBytes, multiprocessors, checks, sanitizers, warningsFail, peers, patience);
  }

  /** The same with every access to memory checked, or not. */
  public EmulatorSettings withChecks(boolean checks) {
    return new EmulatorSettings(
        seed, memoryBytes, multiprocessors, checks, sanitizers, warningsFail, peers, patience);
  }

  /** The same with sanitizers, or without. */
  public EmulatorSettings withSanitizers(boolean sanitizers) {
    return new EmulatorSettings(
        seed, memoryBytes, multiprocessors, checks, sanitizers, warningsFail, peers, patience);
  }

  /** The same with warnings as errors, or not. */
  public EmulatorSettings withWarningsFail(boolean warningsFail) {
    return new EmulatorSettings(
        seed, memoryBytes, multiprocessors, checks, sanitizers, warningsFail, peers, patience);
  }

  /** The same within reach of other devices, or not. */
  public EmulatorSettings withPeers(boolean peers) {
    return new EmulatorSettings(
        seed, memoryBytes, multiprocessors, checks, sanitizers, warningsFail, peers, patience);
  }

  /** The same with another patience. */
  public EmulatorSettings withPatience(long patience) {
    return new EmulatorSettings(
        seed, memoryBytes, multiprocessors, checks, sanitizers, warningsFail, peers, patience);
  }
}
