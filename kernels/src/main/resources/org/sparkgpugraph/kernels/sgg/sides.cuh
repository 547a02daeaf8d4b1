// What a program does not gather. The adapters that Java prints behind this define In and Out: for each side of a row what the send function
// reads of the row's own end (Row) and of an edge with its other end (Edge), and how both are loaded. A side without messages is this one,
// so that templates may name both; SGG_IN_ROWS and SGG_OUT_ROWS say which exist.

struct NoSide {
  static constexpr bool TASKS = false;
  static constexpr bool CONTEXTS = false;
  struct Row {};
  struct Edge {};
  typedef int SentEdge;
  SGG_DEVICE_STATIC int begin(const Frame&, int) { return 0; }
  SGG_DEVICE_STATIC const int* neighbours(const Frame&) { return nullptr; }
  SGG_DEVICE_STATIC int neighbour(const Frame&, int) { return 0; }
  SGG_DEVICE_STATIC Row row(const Frame&, int, bool) { return Row{}; }
  SGG_DEVICE_STATIC Row shfl(const Row& row, int) { return row; }
  SGG_DEVICE_STATIC Edge edge(const Frame&, int, int) { return Edge{}; }
  SGG_DEVICE_STATIC Edge pushed(const Frame&, int, int) { return Edge{}; }
  SGG_DEVICE_STATIC Edge told(const Frame&, int, int, const State&) { return Edge{}; }
  SGG_DEVICE_STATIC void send(const Frame&, int, const Row&, const Edge&, Message&, bool&) {}
  SGG_DEVICE_STATIC const int* sentEdges(const Frame&) { return nullptr; }
  SGG_DEVICE_STATIC bool noEdges(int&, int&) { return false; }
  SGG_DEVICE_STATIC void says(const Frame&, int, const State&, Message&, bool&) {}
  SGG_DEVICE_STATIC Edge sorted(const Frame&, int, int) { return Edge{}; }
  SGG_DEVICE_STATIC int sortedNeighbour(const Frame&, int) { return 0; }
  SGG_DEVICE_STATIC int sortedValue(const Frame&, int) { return 0; }
  SGG_DEVICE_STATIC bool overflows(const State&, int) { return false; }
  SGG_DEVICE_STATIC void saysOver(const Frame&, int, const State&, int, Message&, bool&) {}
  SGG_DEVICE_STATIC bool sends(const Frame&, int, const State&, const State&) { return false; }
};
