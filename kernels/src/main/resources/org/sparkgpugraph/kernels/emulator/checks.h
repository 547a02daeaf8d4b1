// Checks of accesses to memory: every address lies in a buffer of the device, in shared memory or in
// the lane's own stack; and of two accesses of different lanes to the same byte of shared memory, one
// of them a write, one happens before the other: a __syncthreads lies between, or __syncwarp calls
// that lead from one lane to the other (vector clocks per warp). Other collectives order no memory.

#ifndef SGG_EMULATOR_CHECKS_H
#define SGG_EMULATOR_CHECKS_H

#include <dlfcn.h>
#include <link.h>

#include "scheduler.h"

namespace sgg {
namespace {

Ranges& allRanges() {
  static Ranges ranges;
  return ranges;
}

uint32_t codeOffset(const Device& device, const void* pc) {
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(pc) - device.libraryBase - 1);
}

/** "line 12", once the host has looked the offset up in the library. */
std::string codePlace(uint32_t offset) { return format("@0x%x@", offset); }

/** Segments of the library that an address of code belongs to. */
struct Segments {
  uintptr_t base;
  uintptr_t address;
  uintptr_t begin;
  uintptr_t end;
};

int findSegment(dl_phdr_info* info, size_t, void* opaque) {
  Segments& wanted = *static_cast<Segments*>(opaque);
  if (info->dlpi_addr != wanted.base) {
    return 0;
  }
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const auto& header = info->dlpi_phdr[i];
    const uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_LOAD && wanted.address >= begin && wanted.address < begin + header.p_memsz) {
      wanted.begin = begin;
      wanted.end = begin + header.p_memsz;
    }
  }
  return 1;
}

[[noreturn]] void outside(
    Lane& lane, uintptr_t address, size_t bytes, const char* what, const void* pc) {
  Device& device = *lane.warp->device;
  std::string near;
  const Range before = allRanges().before(address);
  const Range after = allRanges().after(address);
  if (before.owner != nullptr && address < before.end && before.owner != device.self &&
      address + bytes <= before.end) {
    near = ": it belongs to " + before.purpose + " of another device, to which access is not enabled";
  } else if (before.owner != nullptr && address < before.end + 4096) {
    near = format(": %lu bytes from the begin of ", static_cast<unsigned long>(address - before.begin)) +
           before.purpose + format(" (%lu bytes)", static_cast<unsigned long>(before.end - before.begin));
  } else if (after.owner != nullptr && address + 4096 > after.begin) {
    near = format(": %lu bytes before ", static_cast<unsigned long>(after.begin - address)) + after.purpose;
  }
  fail(*lane.warp, format("%s of %zu bytes at %s, outside every buffer of the device, at address 0x%lx", what,
                          bytes, codePlace(codeOffset(device, pc)).c_str(),
                          static_cast<unsigned long>(address)) +
                       near);
}

/** An address that is not among the recent ones. */
void lookUp(Lane& lane, uintptr_t address, size_t bytes, const char* what, const void* pc) {
  Device& device = *lane.warp->device;
  const uint64_t changes = allRanges().changes();
  if (device.recent.changes != changes) {
    device.recent.clear();
    device.recent.changes = changes;
  }
  const Range range = allRanges().before(address);
  if (address >= range.begin && address + bytes <= range.end &&
      (range.owner == device.self ||
       std::find(device.peers.begin(), device.peers.end(), range.owner) != device.peers.end())) {
    device.recent.put(address, range.begin, range.end);
    return;
  }
  Segments segments = {device.libraryBase, address, 0, 0};
  dl_iterate_phdr(findSegment, &segments);
  if (address >= segments.begin && address + bytes <= segments.end) {
    device.recent.put(address, segments.begin, segments.end);
    return;
  }
  outside(lane, address, bytes, what, pc);
}

std::string describe(const Access& access, bool write) {
  return format("warp %d, lane %d %s at %s", access.thread / WARP, access.thread % WARP,
                access.atomic ? "did an atomic operation" : write ? "wrote" : "read",
                codePlace(access.pc).c_str());
}

/** Whether what lane `other` of a warp did at a time of its clock is known to lane `lane`. */
inline bool ordered(const Warp& warp, int lane, int other, uint32_t time) {
  return lane == other || warp.fullTime > time || warp.seen[lane][other] > time;
}

inline bool ordered(const Warp& warp, int lane, const Access& earlier) {
  return earlier.thread / WARP == warp.number && ordered(warp, lane, earlier.thread % WARP, earlier.time);
}

[[noreturn]] void race(Lane& lane, uintptr_t address, const Access& earlier, bool earlierWrites,
                       const Access& now, bool writes) {
  Device& device = *lane.warp->device;
  const unsigned long offset = address - reinterpret_cast<uintptr_t>(device.shared);
  std::string where = "shared memory";
  for (const SharedArray& array : device.sharedArrays) {
    if (offset >= array.offset && offset < array.offset + array.bytes) {
      where = format("byte %lu of shared array %s", offset - array.offset, array.name);
    }
  }
  fail(*lane.warp, "race on " + where + ": " + describe(earlier, earlierWrites) + ", then " +
                       describe(now, writes) + ", and no __syncwarp or __syncthreads of both lies between");
}

void checkShared(Lane& lane, uintptr_t address, size_t bytes, bool write, bool atomic, const void* pc) {
  Warp& warp = *lane.warp;
  Device& device = *warp.device;
  const unsigned long offset = address - reinterpret_cast<uintptr_t>(device.shared);
  bool inside = false;
  for (const SharedArray& array : device.sharedArrays) {
    if (offset >= array.offset && offset + bytes <= array.offset + array.bytes) {
      inside = true;
      break;
    }
  }
  if (!inside) {
    std::string near;
    for (const SharedArray& array : device.sharedArrays) {
      if (offset + 32 >= array.offset && offset < array.offset + array.bytes + 32) {
        near = format(": byte %ld of %s, which has %lu", static_cast<long>(offset - array.offset), array.name,
                      array.bytes);
        if (offset >= array.offset) {
          break;
        }
      }
    }
    fail(warp, format("%s of %zu bytes at %s, outside every shared array", write ? "write" : "read", bytes,
                      codePlace(codeOffset(device, pc)).c_str()) +
                   near);
  }
  const uint16_t thread = static_cast<uint16_t>(warp.number * WARP + lane.number);
  const unsigned bit = 1u << lane.number;
  for (unsigned long done = 0; done < bytes;) {
    const unsigned long in = (offset + done) & 3;
    const unsigned long part = std::min(4 - in, bytes - done);
    const uint8_t mask = static_cast<uint8_t>(((1u << part) - 1) << in);
    Shadow& shadow = device.shadow[(offset + done) / 4];
    const Access now = {device.epoch, warp.time, codeOffset(device, pc), thread, mask, atomic};
    const Access& last = shadow.write;
    if (last.epoch == device.epoch && (last.bytes & mask) != 0 && !(last.atomic && atomic) &&
        !ordered(warp, lane.number, last)) {
      race(lane, address + done, last, true, now, write);
    }
    Access& read = shadow.read;
    if (write) {
      if (read.epoch == device.epoch && (read.bytes & mask) != 0) {
        bool safe = !shadow.severalWarps && read.thread / WARP == warp.number;
        unsigned unsafe = safe ? 0 : shadow.readers;
        for (unsigned rest = safe ? shadow.readers & ~bit : 0; rest != 0; rest &= rest - 1) {
          const int reader = __builtin_ctz(rest);
          if (!ordered(warp, lane.number, reader, read.time)) {
            unsafe |= 1u << reader;
          }
        }
        if (unsafe != 0) {
          Access earlier = read;
          earlier.thread = static_cast<uint16_t>(read.thread / WARP * WARP + __builtin_ctz(unsafe));
          race(lane, address + done, earlier, false, now, true);
        }
      }
      shadow.write = now;
    } else if (read.epoch == device.epoch && read.thread / WARP != warp.number) {
      shadow.severalWarps = true;
      shadow.readers = bit;
      read = now;
    } else if (read.epoch == device.epoch && read.time == warp.time && read.bytes == mask) {
      shadow.readers |= bit;
      read = now;
    } else {
      if (read.epoch != device.epoch) {
        shadow.severalWarps = false;
      }
      shadow.readers = bit;
      read = now;
    }
    done += part;
  }
}

inline void checkAddress(
    Lane& lane, uintptr_t address, size_t bytes, bool write, bool atomic, const void* pc) {
  Device& device = *lane.warp->device;
  if (address - reinterpret_cast<uintptr_t>(device.shared) < ARENA_BYTES) {
    checkShared(lane, address, bytes, write, atomic, pc);
  } else if (write ||
             address - reinterpret_cast<uintptr_t>(device.frame) >= device.frameBytes ||
             address + bytes - reinterpret_cast<uintptr_t>(device.frame) > device.frameBytes) {
    if (__builtin_expect(
            device.recent.changes != allRanges().changes() || !device.recent.contains(address, bytes), 0)) {
      lookUp(lane, address, bytes, atomic ? "atomic operation" : write ? "write" : "read", pc);
    }
  }
}

/** What a kernel compiled with checks calls before every access to memory. */
inline void beforeAccess(const volatile void* pointer, size_t bytes, bool write, const void* pc) {
  Lane& lane = currentLane();
  const uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
  if ((address & ~(SGG_STACK_BYTES - 1)) == reinterpret_cast<uintptr_t>(&lane)) {
    return;
  }
  pause(*lane.warp->device, lane, 1);
  checkAddress(lane, address, bytes, write, false, pc);
}

inline void beforeAtomic(Lane& lane, void* pointer, size_t bytes, const void* pc) {
  Device& device = *lane.warp->device;
  pause(device, lane, ATOMIC_SHARE);
  const uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
  if (__builtin_expect(address % bytes != 0, 0)) {
    fail(*lane.warp, format("atomic operation on %zu bytes at address 0x%lx, which is not aligned", bytes,
                            static_cast<unsigned long>(address)));
  }
  if (device.settings.checks) {
    checkAddress(lane, address, bytes, true, true, pc);
  }
}

}  // namespace
}  // namespace sgg

#endif
