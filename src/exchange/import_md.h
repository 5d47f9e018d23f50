/* import_md.h - test sets that people keep as Markdown.
 *
 *     ### Live chat
 *
 *     1. input: a prompt
 *     target: a good answer
 *
 *     2. input: another prompt | its answer on the same line
 *
 * Headings separate the tests. Numbers, the case of the two words, the width of the colon and space
 * at the ends do not matter. An answer goes on until a blank line, and after one while lines are
 * indented; all other text (prose, tables, rubrics) is passed over.
 *
 * Worked examples are rows of tables that have a column of prompts, one of answers and one of
 * scores; columns of reasons and of references may be there too. */
#ifndef EXCHANGE_IMPORT_MD_H
#define EXCHANGE_IMPORT_MD_H

#include "base/err.h"
#include "base/mem.h"

struct import_md_pair {
    struct str prompt;
    struct str reference; /* empty when there is none */
    struct str heading;   /* the nearest above; empty when there is none */
    int64_t line;         /* where it begins, from 1 */
};

struct import_md_pairs {
    struct import_md_pair *v;
    size_t n;
};

/* Results live in arena a. E_INPUT with the line: a target without an input, an input without
 * words, text that is not UTF-8, no pair at all. */
CHECKED enum status import_md_read(struct arena *a, struct str text, struct import_md_pairs *out,
                                   struct err *e);

/* One row of a table of worked examples. */
struct import_md_example {
    struct str prompt, answer;
    struct str reference, reason; /* may be empty */
    struct str heading;           /* as above */
    double score;
    int64_t line;
};

struct import_md_examples {
    struct import_md_example *v;
    size_t n;
};

/* Likewise. E_INPUT with the line: a row without a prompt, an answer or a number for a score; text
 * that is not UTF-8; no example at all. Tables with other columns are passed over. */
CHECKED enum status import_md_examples(struct arena *a, struct str text,
                                       struct import_md_examples *out, struct err *e);

/* "## words ##": the words. */
bool import_md_heading(struct str line, struct str *words);

#endif
