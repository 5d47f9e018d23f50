/* base.h - what every file uses.
 *
 * Attributes, the one compiler extension that we use (cleanup), and a list of C library functions
 * that are banned because they cannot be called safely. Includes nothing of ours. */
#ifndef BASE_BASE_H
#define BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The caller must look at the result. */
#define CHECKED __attribute__((warn_unused_result))
/* The format string is argument f, its first value argument a. */
#define PRINTF(f, a) __attribute__((format(printf, f, a)))
/* Release the variable with fn(&variable) when it goes out of scope. */
#define AUTO(fn) __attribute__((cleanup(fn)))
#define NORETURN __attribute__((noreturn))

#define BANNED(name) name##_is_banned_use_str_or_buf
#undef strcpy
#define strcpy(a, b) BANNED(strcpy)
#undef strcat
#define strcat(a, b) BANNED(strcat)
#undef strncpy
#define strncpy(a, b, n) BANNED(strncpy)
#undef strncat
#define strncat(a, b, n) BANNED(strncat)
#undef sprintf
#define sprintf(...) BANNED(sprintf)
#undef vsprintf
#define vsprintf(...) BANNED(vsprintf)
#undef strtok
#define strtok(a, b) BANNED(strtok)

#endif
