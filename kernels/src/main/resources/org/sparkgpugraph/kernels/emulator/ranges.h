// Which addresses belong to which device's buffers.

#ifndef SGG_EMULATOR_RANGES_H
#define SGG_EMULATOR_RANGES_H

#include <atomic>
#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>
#include <string>

namespace sgg {

struct Device;

/** A buffer. */
struct Range {
  uintptr_t begin;
  uintptr_t end;
  const Device* owner;
  std::string purpose;
};

/** The buffers of all devices of this process. Thread-safe. */
class Ranges {
 public:
  void add(uintptr_t begin, size_t bytes, const Device* owner, const char* purpose) {
    std::lock_guard<std::mutex> guard(lock_);
    ranges_[begin] = {begin, begin + bytes, owner, purpose};
    changed();
  }

  void remove(uintptr_t begin) {
    std::lock_guard<std::mutex> guard(lock_);
    ranges_.erase(begin);
    changed();
  }

  /** Makes every device look up again what it uses. */
  void changed() { changes_.fetch_add(1, std::memory_order_release); }

  /** The last buffer that begins at or before an address: an empty one when there is none. */
  Range before(uintptr_t address) const {
    std::lock_guard<std::mutex> guard(lock_);
    auto next = ranges_.upper_bound(address);
    return next == ranges_.begin() ? Range{0, 0, nullptr, ""} : std::prev(next)->second;
  }

  /** The first buffer that begins after an address: an empty one when there is none. */
  Range after(uintptr_t address) const {
    std::lock_guard<std::mutex> guard(lock_);
    auto next = ranges_.upper_bound(address);
    return next == ranges_.end() ? Range{0, 0, nullptr, ""} : next->second;
  }

  /** Changes whenever a buffer is added or removed. */
  uint64_t changes() const { return changes_.load(std::memory_order_acquire); }

 private:
  mutable std::mutex lock_;
  std::map<uintptr_t, Range> ranges_;
  std::atomic<uint64_t> changes_{1};
};

/** Ranges that a device has looked up lately, by page: most accesses ask for nothing else. */
class RecentRanges {
 public:
  bool contains(uintptr_t address, size_t bytes) const {
    const Entry& entry = entries_[slot(address)];
    return address >= entry.begin && address + bytes <= entry.end;
  }

  void put(uintptr_t address, uintptr_t begin, uintptr_t end) {
    entries_[slot(address)] = {begin, end};
  }

  void clear() {
    for (Entry& entry : entries_) {
      entry = {1, 0};
    }
  }

  /** Changes of the ranges that the entries are as old as. */
  uint64_t changes = 0;

 private:
  struct Entry {
    uintptr_t begin;
    uintptr_t end;
  };

  static constexpr int ENTRIES = 256;

  static size_t slot(uintptr_t address) { return address >> 12 & (ENTRIES - 1); }

  Entry entries_[ENTRIES] = {};
};

}  // namespace sgg

#endif
