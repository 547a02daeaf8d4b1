package org.sparkgpugraph.engine.device.exchange;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.memory.DeviceHoldings;
import org.sparkgpugraph.engine.device.settings.DeviceExchange;

/** The routes between the devices of a run. */
public final class Routes {
  private static final Logger LOG = LoggerFactory.getLogger(Routes.class);

  private final Route[][] routes;

  private Routes(Route[][] routes) {
    this.routes = routes;
  }

  /**
   * Chooses, and lets the devices reach each other's memory where the choice needs it.
   *
   * @param devices what the run's devices hold
   * @param wanted how they should exchange
   */
  public static Routes of(List<DeviceHoldings> devices, DeviceExchange wanted) {
    int count = devices.size();
    Route[][] routes = new Route[count][count];
    for (int a = 0; a < count; a++) {
      routes[a][a] = Route.HERE;
      for (int b = 0; b < a; b++) {
        Route route = direct(devices.get(b), devices.get(a), wanted) ? Route.PEER : Route.HUB;
        routes[a][b] = route;
        routes[b][a] = route;
      }
    }
    return new Routes(routes);
  }

  private static boolean direct(DeviceHoldings a, DeviceHoldings b, DeviceExchange wanted) {
    try {
      return switch (wanted) {
        case HUB -> false;
        case PEER -> a.path(b).reaches();
        case AUTO -> a.path(b).faster();
      };
    } catch (DeviceOutOfMemoryException e) {
      // Not remembered: a later run may find the memory that this one does not.
      LOG.info("this run exchanges over the host's memory: no room to try another way", e);
      return false;
    }
  }

  /** The route from a home's device to a reader's. */
  public Route between(int home, int reader) {
    return routes[home][reader];
  }
}
