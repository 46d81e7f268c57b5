// What is asked of a token or a node.
#pragma once

#include <cstdint>

namespace laconic {

enum class Pin : uint8_t { none, keep, drop };

}  // namespace laconic
