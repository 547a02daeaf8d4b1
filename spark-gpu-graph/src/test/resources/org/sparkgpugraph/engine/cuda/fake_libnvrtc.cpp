// A libnvrtc.so for tests. An "image" is the line "FAKE " + architecture, and the source. Every
// compilation is a line in the file FAKE_NVRTC_LOG. FAKE_NVRTC_VERSION is the version: 12, or 11.8. With
// FAKE_NVRTC_BUILTINS it compiles only if it can open its builtins by their bare name, as NVIDIA's does.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#define API extern "C" __attribute__((visibility("default"))) int

struct Program { std::string source, image, log; };

API nvrtcVersion(int* major, int* minor) {
  const char* text = std::getenv("FAKE_NVRTC_VERSION");
  *major = text ? std::atoi(text) : 13;
  const char* point = text ? std::strchr(text, '.') : nullptr;
  *minor = point ? std::atoi(point + 1) : 0;
  return 0;
}
extern "C" __attribute__((visibility("default"))) const char* nvrtcGetErrorString(int result) {
  return result == 5   ? "NVRTC_ERROR_INVALID_OPTION"
         : result == 7 ? "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE"
                       : "NVRTC_ERROR_OTHER";
}
API nvrtcGetNumSupportedArchs(int* count) { *count = 3; return 0; }
API nvrtcGetSupportedArchs(int* architectures) {
  architectures[0] = 75;
  architectures[1] = 80;
  architectures[2] = 90;
  return 0;
}
API nvrtcCreateProgram(Program** program, const char* source, const char*, int headers,
                       const char* const*, const char* const*) {
  if (headers) return 3;
  *program = new Program{source, "", ""};
  return 0;
}
API nvrtcDestroyProgram(Program** program) {
  delete *program;
  *program = nullptr;
  return 0;
}
API nvrtcCompileProgram(Program* program, int count, const char* const* options) {
  std::string architecture;
  bool noFma = false;
  bool lines = false;
  int major, minor;
  nvrtcVersion(&major, &minor);
  for (int i = 0; i < count; ++i) {
    std::string option = options[i];
    if (option.rfind("--gpu-architecture=", 0) == 0) architecture = option.substr(19);
    noFma |= option == "--fmad=false";
    lines |= option == "--generate-line-info";
  }
  if (architecture.empty() || !noFma) return 5;
  // NVIDIA's 11.8 does not say so, but crashes.
  if (major == 11 && lines && architecture == "sm_90") return 5;
  if (std::getenv("FAKE_NVRTC_BUILTINS")) {
    std::string name = "libnvrtc-builtins.so." + std::to_string(major) + "." + std::to_string(minor);
    void* builtins = dlopen(name.c_str(), RTLD_LAZY);
    if (!builtins) {
      program->log = "nvrtc: error: failed to open " + name;
      return 7;
    }
    dlclose(builtins);
  }
  if (const char* log = std::getenv("FAKE_NVRTC_LOG")) {
    FILE* file = std::fopen(log, "a");
    std::fprintf(file, "%s\n", architecture.c_str());
    std::fclose(file);
  }
  size_t error = program->source.find("#error ");
  if (error != std::string::npos) {
    size_t end = program->source.find('\n', error);
    program->log = "kernels.cu(1): error: " + program->source.substr(error, end - error) + " \u2192\n";
    return 6;
  }
  program->image = "FAKE " + architecture + "\n" + program->source;
  return 0;
}
API nvrtcGetProgramLogSize(Program* program, size_t* bytes) {
  *bytes = program->log.size() + 1;
  return 0;
}
API nvrtcGetProgramLog(Program* program, char* log) {
  std::strcpy(log, program->log.c_str());
  return 0;
}
API nvrtcGetCUBINSize(Program* program, size_t* bytes) {
  *bytes = program->image.size() + 1;
  return 0;
}
API nvrtcGetCUBIN(Program* program, char* image) {
  std::memcpy(image, program->image.c_str(), program->image.size() + 1);
  return 0;
}
API nvrtcGetPTXSize(Program* program, size_t* bytes) { return nvrtcGetCUBINSize(program, bytes); }
API nvrtcGetPTX(Program* program, char* ptx) { return nvrtcGetCUBIN(program, ptx); }
