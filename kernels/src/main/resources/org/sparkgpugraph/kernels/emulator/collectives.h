// Collectives of a warp: a rendezvous completes when all lanes of its mask have reached it, and fails
// when one of them has reached something else, or the end.

#ifndef SGG_EMULATOR_COLLECTIVES_H
#define SGG_EMULATOR_COLLECTIVES_H

#include "scheduler.h"

namespace sgg {
namespace {

/** What a shuffle reads from a lane that takes no part. */
uint64_t garbage(Device& device) {
  return 0xdeadbeef00000000ull ^ (static_cast<uint64_t>(device.next()) << 32) ^ 0x7ff8a5a5u;
}

/** Lane that a shuffle reads from; the own one beyond the segment. */
inline int shuffleSource(unsigned operation, int lane, unsigned delta, int width) {
  const int first = lane & ~(width - 1);
  const int last = lane | (width - 1);
  int source;
  switch (operation) {
    case SGG_SHFL:
      return first | static_cast<int>(delta & static_cast<unsigned>(width - 1));
    case SGG_SHFL_UP:
      source = lane - static_cast<int>(std::min(delta, 32u));
      return source < first ? lane : source;
    case SGG_SHFL_DOWN:
      source = lane + static_cast<int>(std::min(delta, 32u));
      return source > last ? lane : source;
    default:
      source = lane ^ static_cast<int>(delta);
      return source > last || source < 0 ? lane : source;
  }
}

template <class Combine>
inline void reduce(Warp& warp, unsigned mask, Combine combine) {
  const int first = __builtin_ctz(mask);
  unsigned total = static_cast<unsigned>(warp.value[first]);
  for (unsigned rest = mask & (mask - 1); rest != 0; rest &= rest - 1) {
    total = combine(total, static_cast<unsigned>(warp.value[__builtin_ctz(rest)]));
  }
  for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
    warp.result[__builtin_ctz(rest)] = total;
  }
}

/** What the lanes of a mask did before a __syncwarp happened before what they do after it. */
void synchronize(Warp& warp, unsigned mask) {
  warp.time++;
  if (mask == FULL) {
    warp.fullTime = warp.time;
    return;
  }
  uint32_t joined[WARP] = {};
  for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
    const uint32_t* seen = warp.seen[__builtin_ctz(rest)];
    for (int lane = 0; lane < WARP; lane++) {
      joined[lane] = std::max(joined[lane], seen[lane]);
    }
  }
  for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
    joined[__builtin_ctz(rest)] = warp.time;
  }
  for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
    std::copy(joined, joined + WARP, warp.seen[__builtin_ctz(rest)]);
  }
}

/** Results of a collective that all its lanes have reached. */
void complete(Warp& warp, unsigned operation, unsigned mask) {
  switch (operation) {
    case SGG_SYNCWARP:
      return synchronize(warp, mask);
    case SGG_SHFL:
    case SGG_SHFL_UP:
    case SGG_SHFL_DOWN:
    case SGG_SHFL_XOR:
      for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        const uint64_t argument = warp.argument[lane];
        const int source = shuffleSource(operation, lane, static_cast<unsigned>(argument),
                                         static_cast<int>(argument >> 32));
        warp.result[lane] = (mask >> source & 1) != 0 ? warp.value[source] : garbage(*warp.device);
      }
      return;
    case SGG_BALLOT:
    case SGG_ANY:
    case SGG_ALL: {
      unsigned votes = 0;
      for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        votes |= (warp.value[lane] != 0 ? 1u : 0u) << lane;
      }
      const uint64_t result = operation == SGG_BALLOT ? votes
                              : operation == SGG_ANY  ? votes != 0
                                                      : votes == mask;
      for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
        warp.result[__builtin_ctz(rest)] = result;
      }
      return;
    }
    case SGG_MATCH_ANY:
      for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        unsigned same = 0;
        for (unsigned others = mask; others != 0; others &= others - 1) {
          const int other = __builtin_ctz(others);
          same |= (warp.value[lane] == warp.value[other] ? 1u : 0u) << other;
        }
        warp.result[lane] = same;
      }
      return;
    case SGG_REDUCE_ADD:
      return reduce(warp, mask, [](unsigned a, unsigned b) { return a + b; });
    case SGG_REDUCE_AND:
      return reduce(warp, mask, [](unsigned a, unsigned b) { return a & b; });
    case SGG_REDUCE_OR:
      return reduce(warp, mask, [](unsigned a, unsigned b) { return a | b; });
    case SGG_REDUCE_XOR:
      return reduce(warp, mask, [](unsigned a, unsigned b) { return a ^ b; });
    case SGG_REDUCE_MIN_SIGNED:
      return reduce(warp, mask, [](unsigned a, unsigned b) {
        return static_cast<int>(a) < static_cast<int>(b) ? a : b;
      });
    case SGG_REDUCE_MAX_SIGNED:
      return reduce(warp, mask, [](unsigned a, unsigned b) {
        return static_cast<int>(a) > static_cast<int>(b) ? a : b;
      });
    case SGG_REDUCE_MIN_UNSIGNED:
      return reduce(warp, mask, [](unsigned a, unsigned b) { return std::min(a, b); });
    default:
      return reduce(warp, mask, [](unsigned a, unsigned b) { return std::max(a, b); });
  }
}

[[noreturn]] void divergent(Warp& warp, unsigned operation, unsigned mask, int line) {
  fail(warp, format("reached %s of line %d with mask 0x%08x, which the lanes of the mask do not all do",
                    warpOperation(operation), line, mask) +
                 whereabouts(warp));
}

/**
 * The meeting that this call belongs to; opens one when there is none. Masks of open meetings may
 * overlap: some lanes can wait for the whole warp while the others still meet among themselves. But
 * two lanes must not wait for each other in different meetings.
 */
inline Rendezvous& join(Warp& warp, unsigned operation, unsigned mask, unsigned bit, int line) {
  if (__builtin_expect((mask & bit) == 0, 0)) {
    fail(warp, format("called %s of line %d with mask 0x%08x, in which it is not", warpOperation(operation),
                      line, mask));
  }
  Rendezvous* found = nullptr;
  for (int i = 0; i < warp.meetings; i++) {
    Rendezvous& meeting = warp.meeting[i];
    if (__builtin_expect(meeting.mask == mask, 1)) {
      if (__builtin_expect(meeting.operation != operation || meeting.line != line, 0)) {
        divergent(warp, operation, mask, line);
      }
      found = &meeting;
    } else if ((meeting.mask & bit) != 0 && (meeting.arrived & mask) != 0) {
      divergent(warp, operation, mask, line);
    }
  }
  if (found != nullptr) {
    return *found;
  }
  if (__builtin_expect((mask & (warp.exited | warp.atBarrier)) != 0, 0)) {
    divergent(warp, operation, mask, line);
  }
  Rendezvous& meeting = warp.meeting[warp.meetings++];
  meeting = {mask, 0, operation, line};
  return meeting;
}

void checkWidth(Warp& warp, unsigned operation, unsigned long long argument, int line) {
  const unsigned width = static_cast<unsigned>(argument >> 32);
  if (width == 0 || width > WARP || (width & (width - 1)) != 0) {
    fail(warp, format("called %s of line %d with width %d: a power of two up to 32 is needed",
                      warpOperation(operation), line, static_cast<int>(width)));
  }
}

}  // namespace
}  // namespace sgg

#endif
