#!/usr/bin/env python3
"""The measurements of spmv_baseline.cu through CuPy, where cuSPARSE's headers are not installed.

    spmv_baseline.py GRAPH [REPETITIONS]

CuPy's matrix-vector product calls cuSPARSE's SpMV with its default algorithm; its own overhead per
call is on the host and not between the events. GRAPH and the output are those of spmv_baseline.cu.
"""
import sys

import cupy
import cupyx.scipy.sparse
import numpy

WARM_UPS = 5


def median_ms(repetitions, work):
    times = []
    for i in range(WARM_UPS + repetitions):
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        # Something for the device to do while the host gets the real work ready.
        cupy.cuda.runtime.memsetAsync(scratch.data.ptr, 0, scratch.nbytes, 0)
        begin.record()
        work()
        end.record()
        end.synchronize()
        if i >= WARM_UPS:
            times.append(cupy.cuda.get_elapsed_time(begin, end))
    return float(numpy.median(times))


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    repetitions = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    with open(sys.argv[1], "rb") as file:
        if file.read(8) != b"SGGCSR1\0":
            sys.exit(f"{sys.argv[1]}: not a graph written by DeviceBenchmark")
        rows, edges = numpy.fromfile(file, "<i8", 2)
        offsets = numpy.fromfile(file, "<i4", rows + 1)
        degrees = numpy.fromfile(file, "<i4", rows)
        sources = numpy.fromfile(file, "<i4", edges)
    if len(sources) != edges:
        sys.exit(f"{sys.argv[1]}: the file is too short")

    size = 1 << 31
    source, target = cupy.full(size, 0x5A, cupy.uint8), cupy.empty(size, cupy.uint8)
    ms = median_ms(repetitions, lambda: cupy.copyto(target, source))
    print(f"result name=copy-memcpy ms={ms:.6f} gbs={2 * size / ms / 1e6:.1f}")
    del source, target

    values = (1.0 / numpy.maximum(degrees, 1)).astype(numpy.float32)[sources]
    # As spmv_baseline.cu has them.
    hashed = numpy.arange(rows, dtype=numpy.uint32) * numpy.uint32(2654435769) >> numpy.uint32(8)
    x = (0.5 + hashed / 16777216.0).astype(numpy.float32)
    products = values.astype(numpy.float64) * x[sources]
    ends = numpy.concatenate(([0.0], numpy.cumsum(products)))
    expected = ends[offsets[1:]] - ends[offsets[:-1]]
    matrix = cupyx.scipy.sparse.csr_matrix(
        (cupy.asarray(values), cupy.asarray(sources), cupy.asarray(offsets)), (int(rows), int(rows))
    )
    vector = cupy.asarray(x)
    ms = median_ms(repetitions, lambda: matrix @ vector)
    y = cupy.asnumpy(matrix @ vector).astype(numpy.float64)
    # The expected sums are differences of running sums: exact to about 1e-9 of the whole sum.
    difference = numpy.abs(y - expected).max() / max(1.0, numpy.abs(expected).max())
    check = "ok" if difference < 1e-3 else "DIFFERS"
    print(
        f"result name=cusparse-cupy ms={ms:.6f} gteps={edges / ms / 1e6:.3f} "
        f"sum={y.sum():.6f} difference={difference:.3g} check={check}"
    )


scratch = cupy.empty(1 << 28, cupy.uint8)
main()
