package org.sparkgpugraph.engine.device.settings;

/** How what changed goes from one device to another of the same run. */
public enum DeviceExchange {
  /**
   * Directly where devices reach each other's memory and a measurement, once per pair of devices,
   * finds that faster; over the hub elsewhere.
   */
  AUTO,
  /** Over the hub, which is page-locked host memory. */
  HUB,
  /**
   * The kernels that compute updates write them into memory of the device that reads them; over the
   * hub between devices that do not reach each other.
   */
  PEER
}
