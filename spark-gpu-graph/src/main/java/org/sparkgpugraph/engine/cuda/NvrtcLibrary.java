package org.sparkgpugraph.engine.cuda;

import com.sun.jna.Library;
import com.sun.jna.Pointer;
import com.sun.jna.StringArray;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;

/**
 * NVRTC's functions, <a href="https://docs.nvidia.com/cuda/nvrtc/">as NVIDIA documents them</a>.
 * Those that return an int return an {@code nvrtcResult}, 0 for success.
 */
interface NvrtcLibrary extends Library {
  int nvrtcVersion(IntByReference major, IntByReference minor);

  String nvrtcGetErrorString(int result);

  int nvrtcGetNumSupportedArchs(IntByReference count);

  int nvrtcGetSupportedArchs(int[] architectures);

  int nvrtcCreateProgram(
      PointerByReference program,
      byte[] source,
      String name,
      int headers,
      Pointer headerTexts,
      Pointer headerNames);

  int nvrtcDestroyProgram(PointerByReference program);

  int nvrtcCompileProgram(Pointer program, int count, StringArray options);

  int nvrtcGetProgramLogSize(Pointer program, LongByReference bytes);

  int nvrtcGetProgramLog(Pointer program, byte[] log);

  int nvrtcGetCUBINSize(Pointer program, LongByReference bytes);

  int nvrtcGetCUBIN(Pointer program, byte[] cubin);

  int nvrtcGetPTXSize(Pointer program, LongByReference bytes);

  int nvrtcGetPTX(Pointer program, byte[] ptx);
}
