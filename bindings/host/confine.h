#pragma once

#include <lua.h>

/// host.confined(words, options): runs a program that reads and writes only where it may, within limits.
/// words: its path and arguments. options: read (folders), write (a folder, where it runs too), output (a file that takes
/// what it prints), memory_mib, seconds (of the processor, and twice as many in all), file_mib.
/// Gives 'exit' and its code, 'signal' and its number, 'time', or nil and a message when it could not be started.
int confine_run(lua_State *L);

/// host.confines(): can the kernel (Landlock) keep it inside its folders?
int confine_available(lua_State *L);
