/* log.h - one line per event, key=value, to stderr.
 *
 * For operators, not for results. Never log prompts, answers, keys or names of raters. Only levels
 * up to the chosen one are printed; safe from any thread. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include "base/base.h"

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

void log_set_level(enum log_level level); /* once, by main(), before threads start */
void log_line(enum log_level level, const char *module, const char *fmt, ...) PRINTF(3, 4);

#define log_warn(module, ...) log_line(LOG_WARN, module, __VA_ARGS__)
#define log_info(module, ...) log_line(LOG_INFO, module, __VA_ARGS__)

#endif
