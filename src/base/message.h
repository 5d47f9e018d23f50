/* message.h - faults, help and output of commands in the language of the reader.
 *
 * Inside the program every message is English: it is logged, stored and put into JSON that way. It
 * is translated where it is shown, by share/words/messages, whose key is the English format itself.
 * So, unlike a new word, a new message does not recompile other files (words.h includes this file).
 * What is printed at once goes through _(). What was made elsewhere, perhaps wrapped twice or read
 * from the database, goes through message_show(), which finds the format that it was made from.
 *
 * The language of the process is set once, by main() before any thread starts, as with setlocale():
 * it is a property of the terminal, and otherwise would have to be passed to every function that
 * prints. */
#ifndef BASE_MESSAGE_H
#define BASE_MESSAGE_H

#include "base/mem.h"

enum language { ENGLISH, CHINESE, JAPANESE, LANGUAGES };
extern const char *const message_languages[LANGUAGES]; /* "en", "zh", "ja" */
/* The language of a code: zh..., ja..., else English. Every function that takes a language takes
 * such codes. */
enum language message_language_of(const char *code);

struct message {
    const char *text[LANGUAGES];
};
extern const struct message message_table[]; /* sorted by the English text */
extern const size_t message_count;

void message_speak(const char *language);
const char *message_language(void); /* one of message_languages */

/* The translation of an English text or format; the same text if it is unknown. */
const char *message_of(const char *english) __attribute__((format_arg(1)));
/* NOLINTNEXTLINE(bugprone-reserved-identifier): the name that gettext has made known for this */
#define _(english) message_of(english)
/* Marks a text that is shown, translated, elsewhere. */
#define N_(english) english

/* For English: "%lld item%s". */
#define message_s(n) ((n) == 1 ? "" : "s")
/* "%lld of %lld item%s asked", and "%lld item%s asked" where both are the same number. */
#define message_were(n, all) ((all) == 1 ? " was" : (n) == 1 ? "s was" : "s were")

/* A finished English text in a language (NULL: that of the process), in arena a; or what a judge
 * was told about its reply (REPLY_...), which may be in any language. Unknown parts are not
 * translated. */
const char *message_show(struct arena *a, const char *language, const char *text);

#endif
