// The emulator without a JVM: kernels that are sound, and one mistake per case for the sanitizers to
// find. Compiled with the prelude before it, linked with the runtime. Usage: self-test CASE.

extern "C" {
void* sggOpenDevice(unsigned long long seed, unsigned long long patience, int checks);
void sggCloseDevice(void* device);
const char* sggLaunch(void* device, void* kernel, const char* name, int blocks, int threads,
                      const void* frame, unsigned long frameBytes);
void* malloc(unsigned long bytes);
void free(void* memory);
int printf(const char* format, ...);
int strcmp(const char* left, const char* right);
char* strstr(const char* text, const char* part);
}

typedef long long Long;

struct Frame {
  Long* out;
  const Long* in;
  Long n;
};

constexpr int THREADS = 96;

SGG_KERNEL(sound) {
  SGG_SHARED(Long, box, THREADS);
  const int thread = threadIdx.x;
  box[thread] = f.in[thread];
  __syncthreads();
  Long local[4];
  for (int i = 0; i < 4; i++) {
    local[i] = __shfl_xor_sync(0xffffffffu, box[thread], 1 << i);
  }
  __syncwarp();
  Long sum = 0;
  for (int i = 0; i < 4; i++) {
    sum += local[(i + thread) & 3];
  }
  atomicAdd(reinterpret_cast<unsigned long long*>(f.out), static_cast<unsigned long long>(sum));
}

SGG_KERNEL(divergent) {
  Long local[8];
  for (int i = 0; i < 8; i++) {
    local[i] = f.in[i];
  }
  if (threadIdx.x < 32 || local[threadIdx.x & 7] > 1000000) {
    __syncthreads();
  }
}

SGG_KERNEL(write) {
  if (threadIdx.x == 3) {
    f.out[f.n] = 1;
  }
}

SGG_KERNEL(read) { f.out[0] = f.in[f.n]; }

SGG_KERNEL(atomic) { atomicAdd(reinterpret_cast<int*>(f.out + f.n), 1); }

SGG_KERNEL(shared) {
  SGG_SHARED(int, box, THREADS);
  int* elements = box;
  elements[threadIdx.x + 1] = 1;
  f.out[threadIdx.x] = elements[threadIdx.x];
}

SGG_KERNEL(local) {
  int box[8];
  int* elements = box;
  for (int i = 0; i < 8; i++) {
    elements[i] = static_cast<int>(f.in[i]);
  }
  f.out[0] = elements[f.n / 12];
}

SGG_KERNEL(parameters) { f.out[0] = reinterpret_cast<const Long*>(&f)[f.n / 32]; }

SGG_KERNEL(overflow) { f.out[0] = static_cast<int>(f.n) * 1000000000; }

SGG_KERNEL(shift) { f.out[0] = static_cast<int>(f.n) << static_cast<int>(f.n); }

SGG_KERNEL(unaligned) {
  f.out[0] = *reinterpret_cast<const int*>(reinterpret_cast<const char*>(f.in) + 1);
}

struct Case {
  const char* name;
  void (*kernel)(const void*);
};

static const Case CASES[] = {
    {"write", write},     {"read", read},     {"atomic", atomic},   {"shared", shared},
    {"local", local},     {"parameters", parameters}, {"overflow", overflow}, {"shift", shift},
    {"unaligned", unaligned}};

/** The struct is the size that the device copies, so that reading beyond it is seen. */
static const char* launch(void* device, void (*kernel)(const void*), Long* out, const Long* in, Long n) {
  Frame* frame = static_cast<Frame*>(malloc(sizeof(Frame)));
  *frame = {out, in, n};
  const char* message = sggLaunch(
      device, reinterpret_cast<void*>(kernel), "self-test", 4, THREADS, frame, sizeof(Frame));
  free(frame);
  return message;
}

/** Sound kernels and failed launches, by turns: fibers that were left behind are no trouble. */
static int soundCase(Long* out, const Long* in) {
  for (int seed = 0; seed < 20; seed++) {
    void* device = sggOpenDevice(static_cast<unsigned long long>(seed), 1ull << 28, 0);
    for (int i = 0; i < 3; i++) {
      out[0] = 0;
      const char* message = launch(device, sound, out, in, THREADS);
      if (message != nullptr || out[0] != 16 * (THREADS * (THREADS - 1) / 2)) {
        printf("seed %d: sum %lld, %s\n", seed, out[0], message == nullptr ? "no error" : message);
        return 1;
      }
      message = launch(device, divergent, out, in, THREADS);
      if (message == nullptr || strstr(message, "__syncthreads") == nullptr) {
        printf("seed %d: a divergent barrier was not found\n", seed);
        return 1;
      }
    }
    sggCloseDevice(device);
  }
  return 0;
}

int main(int count, char** arguments) {
  if (count != 2) {
    printf("usage: self-test CASE\n");
    return 2;
  }
  Long* out = static_cast<Long*>(malloc(sizeof(Long) * THREADS));
  Long* in = static_cast<Long*>(malloc(sizeof(Long) * THREADS));
  for (int i = 0; i < THREADS; i++) {
    in[i] = i;
    out[i] = 0;
  }
  int status = 2;
  if (strcmp(arguments[1], "sound") == 0) {
    status = soundCase(out, in);
  } else {
    void* device = sggOpenDevice(1, 1ull << 28, 0);
    if (strcmp(arguments[1], "freed") == 0) {
      Long* freed = static_cast<Long*>(malloc(sizeof(Long) * THREADS));
      const unsigned long address = reinterpret_cast<unsigned long>(freed);
      free(freed);
      launch(device, write, reinterpret_cast<Long*>(address), in, 5);
      status = 0;
    }
    for (const Case& planted : CASES) {
      if (strcmp(arguments[1], planted.name) == 0) {
        launch(device, planted.kernel, out, in, THREADS);
        status = 0;
      }
    }
    sggCloseDevice(device);
  }
  free(out);
  free(in);
  printf(status == 2 ? "no such case\n" : "survived\n");
  return status;
}
