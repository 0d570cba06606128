#include "terraway.h"

#include <stddef.h>
#include <stdint.h>

/* Debian's wasi-libc has stack protection but leaves its two symbols to the program. */
uintptr_t __stack_chk_guard = 0xE2DEE396;

_Noreturn void __stack_chk_fail(void) {
    __builtin_trap();
}

/* reactor.mjs writes and reads these structs by their offsets. */
#define AT(type, field, offset) \
    _Static_assert(offsetof(type, field) == (offset), #type "." #field " moved: tell reactor.mjs")
AT(tw_bake_options, threads, 4);
AT(tw_bake_options, recipe_length, 24);
AT(tw_bake_options, recipe, 32);
AT(tw_bake_options, overrides_length, 40);
AT(tw_bake_options, overrides, 48);
AT(tw_bake_options, heights_length, 56);
AT(tw_bake_options, heights, 64);
AT(tw_bake_options, lines_length, 72);
AT(tw_bake_options, lines, 80);
_Static_assert(sizeof(tw_bake_options) == 88, "tw_bake_options grew: tell reactor.mjs");
AT(tw_stage, hash, 8);
AT(tw_stage, name_length, 16);
AT(tw_stage, name, 24);
_Static_assert(sizeof(tw_stage) == 32, "tw_stage grew: tell reactor.mjs");
