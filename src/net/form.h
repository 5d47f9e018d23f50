/* form.h - other ways to ask for a form than a JSON schema, for servers that do not take one.
 *
 * A judge's reply has a form that is known beforehand: a schema made from the rubric
 * (reply/reply_form.h), sent as response_format. Where a server refuses that, a tool that must be
 * called says the same, and where it knows no tools either, a grammar, as llama.cpp takes it.
 * Pure. */
#ifndef NET_FORM_H
#define NET_FORM_H

#include "net/dialect.h"

#define FORM_NAME "verdict" /* of the schema and of the tool: what is called so is ours */

/* Put the schema of `format`, a response_format of that name, into a body in the way that `avoid`
 * leaves. What the dialect cannot say is left out. */
void form_put(json_t *body, enum dialect d, const json_t *format, unsigned avoid);

/* The way that is tried after those of `avoid`; 0: there is none. */
unsigned form_next(enum dialect d, unsigned avoid);

/* GBNF of a schema of objects, lists, texts, numbers and enums, in arena a. */
const char *form_grammar(struct arena *a, const json_t *schema);

/* What a reply says by calling the tool; empty where it does not. `message` is that of a chat
 * completion. */
struct str form_called(const struct node *message);

#endif
