package org.sparkgpugraph.runtime.device;

import java.io.Serializable;

/**
 * A device that a run uses, as it is at the moment.
 *
 * @param name for users, with its number
 * @param totalBytes of its memory, all of it
 * @param heldBytes of it that this process holds: graphs, and runs that have not ended
 */
public record DeviceUse(String name, long totalBytes, long heldBytes) implements Serializable {}
