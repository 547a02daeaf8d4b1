// Fibers: a context switch that saves what the calling convention asks to be kept, and nothing else.
// (swapcontext makes a system call per switch for the signal mask: 16 times as slow.)

#ifndef SGG_EMULATOR_FIBER_H
#define SGG_EMULATOR_FIBER_H

#include <cstddef>
#include <cstdint>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#if !defined(__x86_64__) && !defined(__aarch64__)
#define SGG_UCONTEXT 1
#include <ucontext.h>
#endif

namespace sgg {

/** Where a suspended fiber goes on. */
struct Context {
#ifdef SGG_UCONTEXT
  ucontext_t registers;
#else
  void* stackPointer;
#endif
};

#if defined(__x86_64__)

// The jump at the end rather than a ret: the processor predicts a ret by the call it believes to
// return from, and would be wrong every time.
__asm__(
    ".text\n"
    ".type sggSwitchStacks,@function\n"
    ".local sggSwitchStacks\n"
    ".p2align 4\n"
    "sggSwitchStacks:\n"
    "  pushq %rbp\n"
    "  pushq %rbx\n"
    "  pushq %r12\n"
    "  pushq %r13\n"
    "  pushq %r14\n"
    "  pushq %r15\n"
    "  movq %rsp, (%rdi)\n"
    "  movq %rsi, %rsp\n"
    "  popq %r15\n"
    "  popq %r14\n"
    "  popq %r13\n"
    "  popq %r12\n"
    "  popq %rbx\n"
    "  popq %rbp\n"
    "  popq %rcx\n"
    "  jmpq *%rcx\n"
    ".size sggSwitchStacks,.-sggSwitchStacks\n");
extern "C" __attribute__((visibility("hidden"))) void sggSwitchStacks(void** from, void* to);

static inline void prepare(Context& context, void* bottom, size_t bytes, void (*entry)()) {
  (void)bottom;
  uintptr_t top = (reinterpret_cast<uintptr_t>(bottom) + bytes) & ~uintptr_t{15};
  // On entry of a function the stack is 8 off a multiple of 16; it never returns.
  void** stack = reinterpret_cast<void**>(top) - 8;
  for (int i = 0; i < 6; i++) {
    stack[i] = nullptr;
  }
  stack[6] = reinterpret_cast<void*>(entry);
  stack[7] = nullptr;
  context.stackPointer = stack;
}

static inline void switchStacks(Context& from, Context& to) {
  sggSwitchStacks(&from.stackPointer, to.stackPointer);
}

#elif defined(__aarch64__)

__asm__(
    ".text\n"
    ".type sggSwitchStacks,%function\n"
    ".local sggSwitchStacks\n"
    ".p2align 4\n"
    "sggSwitchStacks:\n"
    "  sub sp, sp, #160\n"
    "  stp x19, x20, [sp, #0]\n"
    "  stp x21, x22, [sp, #16]\n"
    "  stp x23, x24, [sp, #32]\n"
    "  stp x25, x26, [sp, #48]\n"
    "  stp x27, x28, [sp, #64]\n"
    "  stp x29, x30, [sp, #80]\n"
    "  stp d8, d9, [sp, #96]\n"
    "  stp d10, d11, [sp, #112]\n"
    "  stp d12, d13, [sp, #128]\n"
    "  stp d14, d15, [sp, #144]\n"
    "  mov x2, sp\n"
    "  str x2, [x0]\n"
    "  mov sp, x1\n"
    "  ldp x19, x20, [sp, #0]\n"
    "  ldp x21, x22, [sp, #16]\n"
    "  ldp x23, x24, [sp, #32]\n"
    "  ldp x25, x26, [sp, #48]\n"
    "  ldp x27, x28, [sp, #64]\n"
    "  ldp x29, x30, [sp, #80]\n"
    "  ldp d8, d9, [sp, #96]\n"
    "  ldp d10, d11, [sp, #112]\n"
    "  ldp d12, d13, [sp, #128]\n"
    "  ldp d14, d15, [sp, #144]\n"
    "  add sp, sp, #160\n"
    "  br x30\n"
    ".size sggSwitchStacks,.-sggSwitchStacks\n");
extern "C" __attribute__((visibility("hidden"))) void sggSwitchStacks(void** from, void* to);

static inline void prepare(Context& context, void* bottom, size_t bytes, void (*entry)()) {
  uintptr_t top = (reinterpret_cast<uintptr_t>(bottom) + bytes) & ~uintptr_t{15};
  void** stack = reinterpret_cast<void**>(top - 160);
  for (int i = 0; i < 20; i++) {
    stack[i] = nullptr;
  }
  stack[11] = reinterpret_cast<void*>(entry);
  context.stackPointer = stack;
}

static inline void switchStacks(Context& from, Context& to) {
  sggSwitchStacks(&from.stackPointer, to.stackPointer);
}

#else

static inline void prepare(Context& context, void* bottom, size_t bytes, void (*entry)()) {
  getcontext(&context.registers);
  context.registers.uc_stack.ss_sp = bottom;
  context.registers.uc_stack.ss_size = bytes;
  context.registers.uc_link = nullptr;
  makecontext(&context.registers, entry, 0);
}

static inline void switchStacks(Context& from, Context& to) {
  swapcontext(&from.registers, &to.registers);
}

#endif

}  // namespace sgg

#endif
