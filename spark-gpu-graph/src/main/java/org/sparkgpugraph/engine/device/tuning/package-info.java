/**
 * Which of several ways to do a superstep is taken on a device: rules for a program and a graph
 * ({@link org.sparkgpugraph.engine.device.tuning.ChoicePolicy}), and trials, whose winners are
 * remembered ({@link org.sparkgpugraph.engine.device.tuning.Choices}). Begin with {@link
 * org.sparkgpugraph.engine.device.tuning.Candidates}. May use: {@code engine.device.kernels}.
 */
package org.sparkgpugraph.engine.device.tuning;
