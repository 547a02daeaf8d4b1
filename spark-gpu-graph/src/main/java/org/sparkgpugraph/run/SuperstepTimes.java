package org.sparkgpugraph.run;

import java.io.Serializable;

/**
 * Where the time of a superstep went, nanoseconds. Parts that work at the same time (devices,
 * executor graphs) count as the slowest of them, part by part, so that parts need not add up to the
 * whole.
 *
 * @param kernelNanos kernels, by the devices' own clocks; on the CPU the whole superstep
 * @param hubNanos bringing changes from device to device inside an executor, by the same clocks
 * @param codecNanos packing what other executor graphs are told, and unpacking what they say
 * @param stagingNanos taking the first out of the engine, and giving the second to it; from and to
 *     its devices
 * @param shardNanos all that an executor graph did: these and what its host did beside them;
 *     reading the shuffle is not among it
 */
public record SuperstepTimes(
    long kernelNanos, long hubNanos, long codecNanos, long stagingNanos, long shardNanos)
    implements Serializable {
  /** Of a superstep that did nothing. */
  public static final SuperstepTimes NONE = new SuperstepTimes(0, 0, 0, 0, 0);

  /** Of a superstep that is nothing but computing on the CPU. */
  public static SuperstepTimes computing(long nanos) {
    return new SuperstepTimes(nanos, 0, 0, 0, nanos);
  }

  /** One after the other. */
  public SuperstepTimes plus(SuperstepTimes next) {
    return new SuperstepTimes(
        kernelNanos + next.kernelNanos,
        hubNanos + next.hubNanos,
        codecNanos + next.codecNanos,
        stagingNanos + next.stagingNanos,
        shardNanos + next.shardNanos);
  }

  /** Both at the same time. */
  public SuperstepTimes beside(SuperstepTimes other) {
    return new SuperstepTimes(
        Math.max(kernelNanos, other.kernelNanos),
        Math.max(hubNanos, other.hubNanos),
        Math.max(codecNanos, other.codecNanos),
        Math.max(stagingNanos, other.stagingNanos),
        Math.max(shardNanos, other.shardNanos));
  }
}
