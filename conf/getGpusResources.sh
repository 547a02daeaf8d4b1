#!/usr/bin/env bash
# Prints the GPUs of this host for Spark, one JSON object:
#   {"name": "gpu", "addresses": ["0", "1"]}
# Set it as spark.executor.resource.gpu.discoveryScript (YARN, Kubernetes) or
# spark.worker.resource.gpu.discoveryScript (standalone). Without an NVIDIA driver the list of
# addresses is empty, and Spark says that it found fewer GPUs than were asked for.
set -u
addresses=""
if command -v nvidia-smi >/dev/null 2>&1; then
  if indexes=$(nvidia-smi --query-gpu=index --format=csv,noheader 2>/dev/null); then
    # Lines that are not an index ("No devices were found") are left out.
    addresses=$(printf '%s\n' "$indexes" | tr -d ' \r' | grep -E '^[0-9]+$' | sed 's/.*/"&"/' | paste -sd, -)
  fi
fi
printf '{"name": "gpu", "addresses": [%s]}\n' "$addresses"
