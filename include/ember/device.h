// The memory that holds a tensor or the processor that computes it: cpu, cuda, cuda:1, mps, gpu
// (the engine's default GPU), tensorrt, coreml.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "ember/error.h"

namespace ember {

struct Device {
  enum Kind : uint8_t { cpu, cuda, mps, gpu, tensorrt, coreml };
  Kind kind = cpu;
  uint8_t index = 0;
  Device() = default;
  Device(Kind k, uint8_t i = 0) : kind(k), index(i) {}
  EMBER_API Device(std::string_view name);  // DeviceError for an unknown name
  Device(const char* name) : Device(std::string_view(name)) {}
  bool operator==(const Device&) const = default;
};
EMBER_API std::string to_string(Device);

}  // namespace ember
