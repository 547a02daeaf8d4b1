/**
 * Every allocation of a run, exactly, before anything is allocated; and where borders between
 * devices lie. Begin with {@link org.sparkgpugraph.engine.device.plan.DevicePlanner}. May use:
 * {@code settings} to {@code exchange}.
 */
package org.sparkgpugraph.engine.device.plan;
