// SPDX-License-Identifier: MIT
//
// What every stand of one GPU shares: owners of CUDA's resources, the stopwatch, the L2's flush, the hold.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string>

#include "bench/gpu_kernels.h"
#include "bench/stand.h"
#include "device/cuda_check.h"

namespace tilewright::gpu {

// Device memory, for its owner's life. Throws Error(unsupported) when there is too little of it.
template <class T>
class Memory {
 public:
  Memory(std::int64_t count, const std::string& what) : count_(count) {
    const cudaError_t status = cudaMalloc(reinterpret_cast<void**>(&data_), bytes());
    if (status == cudaErrorMemoryAllocation) {
      cudaGetLastError();
      throw Error(Code::unsupported, what, std::to_string(bytes()) + " bytes",
                  "the GPU has too little free memory");
    }
    check_cuda(status, "allocating " + what);
  }
  ~Memory() { cudaFree(data_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  T* data() const { return data_; }
  std::int64_t count() const { return count_; }
  std::size_t bytes() const { return static_cast<std::size_t>(count_) * sizeof(T); }

 private:
  std::int64_t count_;
  T* data_ = nullptr;
};

class Stream {
 public:
  Stream() { check_cuda(cudaStreamCreate(&stream_), "creating a stream"); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

// A pair of events on one stream.
class Stopwatch {
 public:
  explicit Stopwatch(cudaStream_t stream) : stream_(stream) {
    check_cuda(cudaEventCreate(&start_), "creating an event");
    check_cuda(cudaEventCreate(&stop_), "creating an event");
  }
  ~Stopwatch() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  void start() { check_cuda(cudaEventRecord(start_, stream_), "starting the clock"); }
  void stop() { check_cuda(cudaEventRecord(stop_, stream_), "stopping the clock"); }
  // Waits for the stop.
  double microseconds() const {
    check_cuda(cudaEventSynchronize(stop_), "waiting for the clock");
    float milliseconds = 0;
    check_cuda(cudaEventElapsedTime(&milliseconds, start_, stop_), "reading the clock");
    return static_cast<double>(milliseconds) * 1e3;
  }

 private:
  cudaStream_t stream_;
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

// Keeps a stream waiting while launches are queued behind it. Released by its destructor at the latest, so that an
// exception leaves no kernel waiting.
class Hold {
 public:
  Hold();
  ~Hold();
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

  void begin(cudaStream_t stream);
  void release() { flags_[0] = 1; }
  // Of the last hold, once its stream has been waited for: the host was too slow.
  bool gave_up() const { return flags_[1] != 0; }

 private:
  volatile int* flags_ = nullptr;         // release, gave up: the host's memory
  volatile int* device_flags_ = nullptr;  // the same, as the device names it
};

// Empties the L2 of everything else: no part of it stays set aside for persisting lines, and twice its size is
// written.
class L2Flush {
 public:
  explicit L2Flush(std::int64_t l2_bytes);
  void operator()(cudaStream_t stream);

 private:
  Memory<float4> scratch_;
  float value_ = 0;
};

}  // namespace tilewright::gpu
