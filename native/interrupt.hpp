// Lets Ctrl-C end a long native loop.
#pragma once

#include <cstddef>

namespace laconic {

// To be called in every loop that may run for long, with the approximate number of elementary steps since the last call.
// From time to time, it lets Python handle pending signals; if a handler raises an exception, as that of Ctrl-C does, it
// is thrown. To be called only in the thread that Python called, with the interpreter lock held or released.
void count_steps(size_t steps = 1);

}  // namespace laconic
