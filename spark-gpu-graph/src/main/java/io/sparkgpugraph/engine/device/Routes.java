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
        Route route = wanted == DeviceExchange.HUB ? Route.HUB : direct(devices, b, a, wanted);
        routes[a][b] = route;
        routes[b][a] = route;
      }
    }
    return new Routes(routes);
  }

  private static Route direct(List<DeviceHoldings> devices, int a, int b, DeviceExchange wanted) {
    PeerPath path = devices.get(a).path(devices.get(b));
    boolean taken = wanted == DeviceExchange.AUTO ? path.faster() : path.reaches();
    if (!taken) {
      return Route.HUB;
    }
    return wanted == DeviceExchange.PEER_READ ? Route.READ : Route.WRITE;
  }

  /** The route from a home's device to a reader's. */
  Route between(int home, int reader) {
    return routes[home][reader];
  }
}
