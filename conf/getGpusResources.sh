#!/usr/bin/env bash
# Prints the GPUs of this host, or those that a container sees, for Spark, one JSON object:
#   {"name": "gpu", "addresses": ["0", "1"]}
# Set it as spark.executor.resource.gpu.discoveryScript (YARN, Kubernetes) or
# spark.worker.resource.gpu.discoveryScript (standalone). Without an NVIDIA driver the list of
# addresses is empty, and Spark says that it found fewer GPUs than were asked for; what the driver
# said stands on standard error, so in the log of the executor or worker. A GPU that is split (MIG) is
# one address, of which CUDA shows a process one part.
set -u
addresses=""
if ! command -v nvidia-smi > /dev/null 2>&1; then
  echo "getGpusResources.sh: no nvidia-smi on the PATH: no GPU" >&2
elif ! indexes=$(nvidia-smi --query-gpu=index --format=csv,noheader); then
  echo "getGpusResources.sh: nvidia-smi failed: no GPU" >&2
else
  # Lines that are not an index ("No devices were found", a warning, a part of a GPU) are left out.
  addresses=$(printf '%s\n' "$indexes" | tr -d ' \r' | grep -E '^[0-9]+$' | sed 's/.*/"&"/' | paste -sd, -)
fi
printf '{"name": "gpu", "addresses": [%s]}\n' "$addresses"
