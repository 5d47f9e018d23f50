/* Finds replies that are in the training set, word for word or nearly. Works on files alone. */
#include <stdlib.h>
#include <unistd.h>

#include "base/message.h"
#include "cmd/cmd.h"
#include "cmd/records.h"
#include "suite/training.h"
#include "text/corpus.h"

enum {
    REPLIES_BYTES_MAX = 256 << 20,
    EVIDENCE_MAX = 1 << 26, /* |reply| * |line| above which no common part is searched */
    PART_MAX = 200,         /* code points shown of each: before, in and after the common part */
};

struct overlap_values {
    const char *corpus;
    double threshold;
    struct opt_list keys;
};

/* A text and its place in the file. */
struct found_at {
    int64_t line, record;
    struct str text;
};

/* One reply, and the best match found for it. */
struct reply {
    struct found_at at;
    struct corpus_match match;
    struct found_at training;
    char *kept;    /* its text; malloc */
    int64_t found; /* matching lines */
};

struct job {
    struct app *app;
    const struct overlap_values *values;
    const char *path;
    const char *const *keys;
    size_t nkeys;
    struct reply *replies;
    struct folded *folded;
    size_t n, cap, folded_cap, bytes;
    struct corpus *corpus;
    int64_t lines, pairs;
    struct record_faults faults[2]; /* replies, corpus */
};

static const char *const tier_names[] = {
    [CORPUS_NEAR] = "near", [CORPUS_PARTICLES] = "particles", [CORPUS_EXACT] = "exact"};

/* ---- reading ---- */

/* The text of a record; false if there is none, which is reported. */
static bool usable(struct job *j, struct record_faults *f, const struct record *r, struct str *text)
{
    if (r->fault)
        record_fault(f, r->line, r->fault);
    else if (!record_text(r, j->keys, j->nkeys, text))
        record_fault(f, r->line, N_("no text under a known key (see --key)"));
    else
        return true;
    return false;
}

static void add_reply(struct job *j, const struct record *r, struct str text)
{
    struct arena *a = j->app->arena;
    struct str kept = arena_str(a, text);
    struct folded folded = fold_both(a, kept);

    if (folded.text.n > CORPUS_RUNES_MAX) {
        record_fault(&j->faults[0], r->line, N_("too long to compare"));
        return;
    }
    j->replies = mem_grow(j->replies, &j->cap, j->n + 1, sizeof *j->replies);
    j->folded = mem_grow(j->folded, &j->folded_cap, j->n + 1, sizeof *j->folded);
    j->replies[j->n] = (struct reply){.at = {r->line, r->number, kept}};
    j->folded[j->n++] = folded;
}

static enum status read_reply(void *user, struct arena *scratch, const struct record *r,
                              struct err *e)
{
    struct job *j = user;
    struct str text;

    (void)scratch;
    if (!usable(j, &j->faults[0], r, &text))
        return OK;
    j->bytes += text.n;
    if (j->bytes > REPLIES_BYTES_MAX)
        return err_set(e, E_INPUT, "%s: over %d MB of replies; split the file", j->path,
                       REPLIES_BYTES_MAX >> 20);
    add_reply(j, r, text);
    return OK;
}

static enum status read_replies(struct job *j, struct err *e)
{
    if (records_read(j->path, read_reply, j, e) != OK)
        return e->code;
    record_faults_close(&j->faults[0]);
    return j->n ? OK : err_set(e, E_INPUT, "%s: no reply could be read", j->path);
}

/* ---- one match ---- */

/* The longest common part as it is written in each. */
struct evidence {
    struct str in_reply, in_line;
};

static struct evidence evidence_of(struct arena *a, struct str reply, struct str line)
{
    struct runes x = fold_text(a, reply), y = fold_text(a, line);
    struct evidence v = {{reply.p, 0}, {line.p, 0}};
    struct similar_overlap o;

    if (y.n == 0 || x.n > EVIDENCE_MAX / y.n)
        return v;
    o = similar_overlap(a, x, y);
    if (o.n) {
        v.in_reply = str_trim(fold_source(reply, x, o.at[0], o.n));
        v.in_line = str_trim(fold_source(line, y, o.at[1], o.n));
    }
    return v;
}

/* {"line": ..., "record": ..., "text": ..., "common": ..., "common_at": code points before it} */
static void put_place(struct buf *b, const struct found_at *p, struct str common)
{
    size_t before = utf8_count((struct str){p->text.p, (size_t)(common.p - p->text.p)});

    buf_fmt(b, "{\"line\":%lld,\"record\":%lld,\"text\":", (long long)p->line,
            (long long)p->record);
    json_quote(b, p->text);
    buf_text(b, ",\"common\":");
    json_quote(b, common);
    buf_fmt(b, ",\"common_at\":%zu}", before);
}

/* Programs get every match in full. It is written at once, because a corpus may repeat a reply ten
 * thousand times. */
static void print_json(struct arena *scratch, struct job *j, const struct reply *r,
                       const struct corpus_match *m, const struct found_at *training)
{
    AUTO(buf_done) struct buf b = BUF_MAX(16 * RECORD_MAX);
    struct evidence v = evidence_of(scratch, r->at.text, training->text);
    const struct similar *s = &m->similar;

    buf_text(&b, j->pairs ? ",\n{\"reply\":" : "\n{\"reply\":");
    put_place(&b, &r->at, v.in_reply);
    buf_text(&b, ",\"training\":");
    put_place(&b, training, v.in_line);
    buf_fmt(&b,
            ",\"tier\":\"%s\",\"score\":%.15g,\"indel\":%.15g,\"containment\":%.15g,"
            "\"containment_counts\":%s,\"gram\":%zu,\"lcs\":%zu}",
            tier_names[m->tier], s->score, s->indel, s->containment, s->contains ? "true" : "false",
            s->gram, s->lcs);
    (void)fwrite(b.p, 1, b.n, j->app->out);
}

static void keep_best(struct reply *r, const struct corpus_match *m,
                      const struct found_at *training)
{
    if (r->found++ && !corpus_is_better(m, &r->match))
        return;
    r->match = *m;
    r->training = *training;
    r->kept = mem_resize(r->kept, training->text.n);
    memcpy(r->kept, training->text.p, training->text.n);
    r->training.text.p = r->kept;
}

static void search(struct job *j, struct arena *scratch, const struct record *r, struct str text)
{
    struct corpus_matches found;

    j->lines++;
    found = corpus_search(scratch, j->corpus, fold_both(scratch, text));
    for (size_t i = 0; i < found.n; i++, j->pairs++) {
        struct reply *reply = &j->replies[found.v[i].text];
        struct found_at here = {r->line, r->number, text};
        if (j->app->common.json)
            print_json(scratch, j, reply, &found.v[i], &here);
        keep_best(reply, &found.v[i], &here);
    }
}

/* Of a chat, every turn of the assistant is a line, as for the rule `training`. */
static enum status read_line(void *user, struct arena *scratch, const struct record *r,
                             struct err *e)
{
    struct job *j = user;
    struct str text;
    size_t turn = 0;
    bool chat = false;

    (void)e;
    if (!r->fault && r->object && !record_text(r, j->keys, j->nkeys, &text))
        while (training_turn(r->object, &turn, &text)) {
            search(j, scratch, r, text);
            chat = true;
        }
    if (!chat && usable(j, &j->faults[1], r, &text))
        search(j, scratch, r, text);
    return OK;
}

/* ---- results ---- */

/* Foreign text on one line, made harmless and cut to PART_MAX. */
static struct str shown(struct arena *a, struct str text, const char *more)
{
    struct str s = rune_clean(a, text), head = utf8_head(s, PART_MAX);
    char *line = arena_copy(a, head.p, head.n, 1);

    for (size_t i = 0; i < head.n; i++)
        if (line[i] == '\n' || line[i] == '\t')
            line[i] = ' ';
    return str_of(arena_printf(a, "%.*s%s", (int)head.n, line, head.n < s.n ? more : ""));
}

/* The common part in bold, or between brackets. */
static void print_marked(struct arena *a, const struct job *j, const char *what, struct str text,
                         struct str common)
{
    bool colour = !j->app->common.plain && isatty(fileno(j->app->out));
    const char *more = j->app->common.plain ? "..." : "…";
    size_t before = (size_t)(common.p - text.p);
    struct str parts[] = {{text.p, before}, common, str_from(text, before + common.n)};

    for (size_t i = 0; i < COUNT(parts); i++)
        parts[i] = shown(a, parts[i], more);
    fprintf(j->app->out, "  %s%*s%.*s%s%.*s%s%.*s\n", what, rune_gap(what, 12), "",
            STR_ARG(parts[0]), colour ? "\033[1m" : "[", STR_ARG(parts[1]),
            colour ? "\033[0m" : "]", STR_ARG(parts[2]));
}

static void print_reply(struct job *j, const struct reply *r)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const struct similar *s = &r->match.similar;
    struct evidence v = evidence_of(a, r->at.text, r->training.text);
    FILE *out = j->app->out;

    fprintf(out, "%s:%lld  %s  %s:%lld  S %.2f (indel %.2f", j->path, (long long)r->at.line,
            tier_names[r->match.tier], j->values->corpus, (long long)r->training.line, s->score,
            s->indel);
    if (s->contains)
        fprintf(out, _(", %zu-grams contained %.2f"), s->gram, s->containment);
    fprintf(out, ")");
    if (r->found > 1)
        fprintf(out, _(", and %lld more"), (long long)r->found - 1);
    fprintf(out, "\n");
    print_marked(a, j, _("reply"), r->at.text, v.in_reply);
    print_marked(a, j, _("training"), r->training.text, v.in_line);
}

static void print_counts(const struct job *j)
{
    long long tiers[COUNT(tier_names)] = {0}, clean = 0;
    FILE *out = j->app->out;

    for (size_t i = 0; i < j->n; i++) {
        if (j->replies[i].found)
            tiers[j->replies[i].match.tier]++;
        else
            clean++;
    }
    if (j->app->common.json)
        fprintf(out,
                "],\n\"counts\":{\"replies\":%zu,\"lines\":%lld,\"pairs\":%lld,\"exact\":%lld,"
                "\"particles\":%lld,\"near\":%lld,\"none\":%lld,\"skipped_replies\":%lld,"
                "\"skipped_lines\":%lld}}\n",
                j->n, (long long)j->lines, (long long)j->pairs, tiers[CORPUS_EXACT],
                tiers[CORPUS_PARTICLES], tiers[CORPUS_NEAR], clean, (long long)j->faults[0].n,
                (long long)j->faults[1].n);
    else
        fprintf(out,
                _("%zu repl%s, %lld training line%s: %lld exact, %lld but for particles, %lld near "
                  "(S >= %g), %lld without a match\n"),
                j->n, j->n == 1 ? "y" : "ies", (long long)j->lines, message_s(j->lines),
                tiers[CORPUS_EXACT], tiers[CORPUS_PARTICLES], tiers[CORPUS_NEAR],
                j->values->threshold, clean);
}

static enum status compare(struct job *j, struct err *e)
{
    AUTO(records_close) struct records in = {0};
    struct app *app = j->app;

    if (read_replies(j, e) != OK || records_open(&in, j->values->corpus, e) != OK)
        return e->code;
    if (app->common.json)
        fprintf(app->out, "{\"threshold\":%.15g,\"matches\":[", j->values->threshold);
    j->corpus = corpus_new(app->arena, j->folded, j->n, j->values->threshold);
    if (records_each(&in, read_line, j, e) != OK)
        return e->code;
    record_faults_close(&j->faults[1]);
    for (size_t i = 0; !app->common.json && i < j->n; i++)
        if (j->replies[i].found)
            print_reply(j, &j->replies[i]);
    print_counts(j);
    if (j->faults[0].n + j->faults[1].n)
        app->exit = EXIT_LEFT;
    return OK;
}

static void job_done(struct job *j)
{
    for (size_t i = 0; i < j->n; i++)
        free(j->replies[i].kept);
    free(j->replies);
    free(j->folded);
}

static enum status overlap(struct app *app, struct err *e)
{
    static const char *const keys[] = {"answer", "text", "reply", "output", "response", "content"};
    const struct overlap_values *v = app->values;
    AUTO(job_done)
    struct job j = {.app = app,
                    .values = v,
                    .path = app->args.v[0],
                    .keys = v->keys.n ? v->keys.v : keys,
                    .nkeys = v->keys.n ? v->keys.n : COUNT(keys),
                    .faults = {{app->err, app->args.v[0], 0}, {app->err, v->corpus, 0}}};

    if (!v->corpus)
        return err_set(e, E_USAGE, "--corpus FILE is missing: the training data");
    if (!(v->threshold > 0 && v->threshold <= 1))
        return err_set(e, E_USAGE, "--threshold must be above 0 and at most 1");
    if (strcmp(j.path, "-") == 0 && strcmp(v->corpus, "-") == 0)
        return err_set(e, E_USAGE, "only one of the two files can be standard input");
    return compare(&j, e);
}

#define AT(member) offsetof(struct overlap_values, member)

const struct command cmd_overlap_command = {
    .name = "overlap",
    .need = NO_STORE,
    .args = "REPLIES --corpus FILE",
    .summary = "find replies copied from the training set, exactly or nearly",
    /* clang-format off */
    .opts = OPTS(
        {"corpus",    0, OPT_TEXT,   AT(corpus),    "FILE", "the training data, of any size", 0, 0},
        {"threshold", 0, OPT_NUMBER, AT(threshold), "S",    "similarity that counts as near [0.8]", 0, 0},
        {"key",       0, OPT_LIST,   AT(keys),      "NAME", "key of the text in JSON records [answer, text, reply, output, response, content]", 0, 0}),
    /* clang-format on */
    .size = sizeof(struct overlap_values),
    .defaults = &(const struct overlap_values){.threshold = 0.8},
    .nargs = {1, 1},
    .run = overlap,
};
