// Lets Ctrl-C end a long native loop.
#pragma once

#include <cstddef>

namespace laconic {

// Called in every loop that may run for long, with about how many elementary steps were done since the last call. Now and
// then it has Python handle the signals that came in; where a handler raises, as that of Ctrl-C does, its exception is
// thrown. Only in the thread that Python called, with the interpreter lock held or released.
void count_steps(size_t steps = 1);

}  // namespace laconic
