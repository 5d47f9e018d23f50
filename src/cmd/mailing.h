/* mailing.h - submits the files that `batch export` wrote to an endpoint that takes files, and
 * fetches the results.
 *
 * POST /v1/files and /v1/batches, GET /v1/batches/ID and /v1/files/ID/content, as OpenAI has them.
 * NAME-0001.batch.json records what became of NAME-0001.jsonl; in the end there is
 * NAME-0001.results.jsonl. After a kill the same command continues: a batch that was submitted is
 * found again by its file, and nothing is submitted twice. */
#ifndef CMD_MAILING_H
#define CMD_MAILING_H

#include "base/json.h"
#include "cmd/cmd.h"

/* Submit every file of the folder that was not yet. What becomes of files is printed or, with
 * --json, added to `files`: {"file", "batch", "state", "done", "total", "failed", "why"}. */
CHECKED enum status mailing_submit(struct app *app, const struct run_row *run, const char *dir,
                                   json_t *files, struct err *e);

/* What a folder holds: paths of results, how many files have none yet, or were never submitted. */
struct mailing_folder {
    const char **found;
    size_t nfound, waiting, unsent;
};
/* Fetch the results that are ready. */
CHECKED enum status mailing_poll(struct app *app, const struct run_row *run, const char *dir,
                                 json_t *files, struct mailing_folder *out, struct err *e);

#endif
