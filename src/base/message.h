/* message.h - faults, help and what commands print, in the language of whoever reads them.
 *
 * Inside the program every message is English: it is logged, stored and put into JSON that way. It
 * is translated where it is shown, by share/words/messages, whose key is the English format itself.
 * A new message compiles no other file again, as a new word does (words.h includes this file).
 * What is printed at once goes through _(). What was made elsewhere, perhaps wrapped twice or read
 * from the database, goes through message_show(), which finds the format that it was made from.
 *
 * The language of the process is set once, by main() before any thread begins, as setlocale() would
 * do it: it is a property of the terminal, and an argument for it would go through every function
 * that prints. */
#ifndef BASE_MESSAGE_H
#define BASE_MESSAGE_H

#include "base/mem.h"

enum language { ENGLISH, CHINESE, JAPANESE, LANGUAGES };
/* Of a code: zh..., ja..., else English; every function that takes a language takes such codes. */
enum language message_language_of(const char *code);

struct message {
    const char *text[LANGUAGES];
};
extern const struct message message_table[]; /* sorted by the English text */
extern const size_t message_count;

void message_speak(const char *language);
const char *message_language(void); /* "en", "zh", "ja" */

/* What is said for an English text or format; itself when it is not known. */
const char *message_of(const char *english) __attribute__((format_arg(1)));
/* NOLINTNEXTLINE(bugprone-reserved-identifier): the name that gettext has made known for this */
#define _(english) message_of(english)
/* Marks a text that is made here and shown, translated, elsewhere. */
#define N_(english) english

/* For English: "%lld item%s". */
#define message_s(n) ((n) == 1 ? "" : "s")

/* A finished English text in a language (NULL: that of the process), in arena a; or what a judge
 * was told of its reply (REPLY_...), which is in any of them. Parts that are not known stay as they
 * are. */
const char *message_show(struct arena *a, const char *language, const char *text);

#endif
