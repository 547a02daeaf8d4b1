package io.sparkgpugraph.engine.device;

import java.util.List;

/** The routes between the devices of a run. */
final class Routes {
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
  static Routes of(List<DeviceHoldings> devices, DeviceExchange wanted) {
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
    return switch (wanted) {
      case HUB -> false;
      case PEER -> a.path(b).reaches();
      case AUTO -> a.path(b).faster();
    };
  }

  /** The route from a home's device to a reader's. */
  Route between(int home, int reader) {
    return routes[home][reader];
  }
}
