/* form.h - ways to request a form for replies from servers that do not take a JSON schema.
 *
 * The form of a judge's reply is known beforehand: a schema made from the rubric
 * (reply/reply_form.h), sent as response_format. If a server refuses that, a tool that must be
 * called says the same; if it knows no tools either, a grammar as used by llama.cpp. Pure. */
#ifndef NET_FORM_H
#define NET_FORM_H

#include "net/dialect.h"

#define FORM_NAME "verdict" /* name of the schema and of the tool; only ours have it */

/* Puts the schema of `format`, a response_format of that name, into a body in the way that `avoid`
 * leaves. What the dialect cannot express is left out. */
void form_put(json_t *body, enum dialect d, const json_t *format, unsigned avoid);

/* The next way to avoid, after those in `avoid`; 0: there is none. */
unsigned form_next(enum dialect d, unsigned avoid);

/* A GBNF grammar for a schema of objects, lists, texts, numbers and enums, in arena a. */
const char *form_grammar(struct arena *a, const json_t *schema);

/* The arguments with which a reply calls the tool; empty if it does not. `message` is that of a
 * chat completion. */
struct str form_called(const struct node *message);

#endif
