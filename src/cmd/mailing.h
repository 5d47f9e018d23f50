/* mailing.h - requests that `batch export` wrote, handed to an endpoint that takes files, and
 * their results fetched.
 *
 * POST /v1/files and /v1/batches, GET /v1/batches/ID and /v1/files/ID/content, as OpenAI has them.
 * Beside NAME-0001.jsonl stands NAME-0001.batch.json, which says what became of it, and in the end
 * NAME-0001.results.jsonl. Whoever is killed on the way goes on with the same command: what was
 * handed in is found again by its file, and is not handed in twice. */
#ifndef CMD_MAILING_H
#define CMD_MAILING_H

#include "cmd/cmd.h"

/* Hand in every file of the folder that is not. */
CHECKED enum status mailing_submit(struct app *app, const struct run_row *run, const char *dir,
                                   struct err *e);

/* What a folder holds: paths of results, and how many files have none yet, or were never handed in.
 */
struct mailing_folder {
    const char **found;
    size_t nfound, waiting, unsent;
};
/* Fetch what is there. */
CHECKED enum status mailing_poll(struct app *app, const struct run_row *run, const char *dir,
                                 struct mailing_folder *out, struct err *e);

#endif
