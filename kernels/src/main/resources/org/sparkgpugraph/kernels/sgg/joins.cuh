// What puts together results of loops that lanes share, each of which has some of the rounds (Reduction.Operator): as Java computes it, in any
// order.

struct JoinSum {
  SGG_DEVICE_MEMBER int operator()(int a, int b) const { return sgg_add(a, b); }
  SGG_DEVICE_MEMBER long long operator()(long long a, long long b) const { return sgg_add(a, b); }
  SGG_DEVICE_MEMBER float operator()(float a, float b) const { return a + b; }
  SGG_DEVICE_MEMBER double operator()(double a, double b) const { return a + b; }
};

struct JoinProduct {
  SGG_DEVICE_MEMBER int operator()(int a, int b) const { return sgg_multiply(a, b); }
  SGG_DEVICE_MEMBER long long operator()(long long a, long long b) const { return sgg_multiply(a, b); }
  SGG_DEVICE_MEMBER float operator()(float a, float b) const { return a * b; }
  SGG_DEVICE_MEMBER double operator()(double a, double b) const { return a * b; }
};

struct JoinAnd {
  template <class T>
  SGG_DEVICE_MEMBER T operator()(T a, T b) const {
    return a & b;
  }
};

struct JoinOr {
  template <class T>
  SGG_DEVICE_MEMBER T operator()(T a, T b) const {
    return a | b;
  }
};

struct JoinXor {
  template <class T>
  SGG_DEVICE_MEMBER T operator()(T a, T b) const {
    return a ^ b;
  }
};

struct JoinMin {
  template <class T>
  SGG_DEVICE_MEMBER T operator()(T a, T b) const {
    return sgg_min(a, b);
  }
};

struct JoinMax {
  template <class T>
  SGG_DEVICE_MEMBER T operator()(T a, T b) const {
    return sgg_max(a, b);
  }
};

struct JoinLeast {
  template <class T>
  SGG_DEVICE_MEMBER T operator()(T a, T b) const {
    return sgg_least(a, b);
  }
};
