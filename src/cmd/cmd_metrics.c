/* BLEU, GLEU, ROUGE, Distinct and chrF of a file of pairs. */
#include <math.h>

#include "base/message.h"
#include "cmd/cmd.h"
#include "cmd/records.h"
#include "text/metrics.h"

struct metrics_options {
    const char *hypothesis, *reference, *by;
};

static const char *const by_words[] = {"char", "word"}; /* as enum metrics_by */

/* Both lists begin with the most specific names: {"prediction", "answer"} is a prediction of the
 * answer, {"answer", "reference"} an answer with its reference. */
static const char *const hypothesis_keys[] = {
    "hypothesis", "candidate", "hyp",      "prediction", "pred",   "generated",
    "gen",        "output",    "response", "reply",      "answer", "text",
};
static const char *const reference_keys[] = {
    "reference", "ref", "target",     "label",      "gold",   "expected", "ground_truth",
    "original",  "ori", "answer_ref", "ref_answer", "answer", "text",
};

struct job {
    struct app *app;
    const char *path, *hyp, *ref; /* file; keys */
    bool usual;                   /* tokens as usual for the language of the first pair */
    struct metrics metrics;
    struct record_faults faults;
};

/* Find the keys of both texts in the first object, unless options name them. Texts may be empty: a
 * model may have answered nothing. */
static enum status choose_keys(struct job *j, const struct record *r, struct err *e)
{
    if (!j->hyp)
        j->hyp = record_key(r, hypothesis_keys, COUNT(hypothesis_keys), j->ref, false);
    if (!j->hyp)
        return err_set(e, E_INPUT, "%s:%lld: which text is the hypothesis? (--hypothesis-key K)",
                       j->path, (long long)r->line);
    if (!j->ref)
        j->ref = record_key(r, reference_keys, COUNT(reference_keys), j->hyp, false);
    if (!j->ref)
        return err_set(e, E_INPUT, "%s:%lld: which text is the reference? (--reference-key K)",
                       j->path, (long long)r->line);
    return OK;
}

static enum status add_record(void *user, struct arena *scratch, const struct record *r,
                              struct err *e)
{
    struct job *j = user;
    struct err refused = {0};
    struct str hyp, ref;

    if (r->fault || !r->object) {
        record_fault(&j->faults, r->line, r->fault ? r->fault : N_("not an object"));
        return OK;
    }
    if ((!j->hyp || !j->ref) && choose_keys(j, r, e) != OK)
        return e->code;
    if (!record_text(r, &j->hyp, 1, &hyp) || !record_text(r, &j->ref, 1, &ref)) {
        record_fault(&j->faults, r->line,
                     arena_printf(scratch, N_("no text \"%s\" or \"%s\""), j->hyp, j->ref));
        return OK;
    }
    if (j->usual && j->metrics.pairs == 0)
        metrics_init(&j->metrics, j->app->arena, metrics_usual(scratch, ref));
    if (metrics_add(scratch, &j->metrics, hyp, ref, &refused) != OK)
        record_fault(&j->faults, r->line, refused.msg);
    return OK;
}

static enum status read_pairs(struct job *j, struct err *e)
{
    AUTO(records_close) struct records in = {0};

    if (records_open(&in, j->path, e) != OK)
        return e->code;
    if (in.form == RECORDS_PLAIN)
        return err_set(e, E_INPUT, "%s: neither JSON Lines nor a JSON array", j->path);
    if (records_each(&in, add_record, j, e) != OK)
        return e->code;
    record_faults_close(&j->faults);
    return j->metrics.pairs ? OK : err_set(e, E_INPUT, "%s contains no pairs", j->path);
}

static void print_json(const struct job *j, const struct metrics_values *v, const double *x,
                       const char *const *names, size_t n)
{
    AUTO(json_freep) json_t *out = json_object();

    json_put_int(out, "pairs", (int64_t)v->pairs);
    for (size_t i = 0; i < n; i++)
        json_put(out, names[i], isnan(x[i]) ? json_null() : json_real(x[i] * 100));
    json_put_text(out, "by", by_words[j->metrics.by]);
    json_put_int(out, "rouge_pairs", (int64_t)v->rouge_pairs);
    json_put_int(out, "skipped", j->faults.n);
    json_put_text(out, "hypothesis_key", j->hyp);
    json_put_text(out, "reference_key", j->ref);
    fprintf(j->app->out, "%s\n", json_text(j->app->arena, out));
}

static void print_values(const struct job *j)
{
    static const char *const names[] = {"bleu_1",     "bleu_2",     "bleu_3",  "bleu_4",
                                        "gleu",       "rouge_1",    "rouge_2", "rouge_l",
                                        "distinct_1", "distinct_2", "chrf"};
    static const char *const titles[] = {"BLEU-1",     "BLEU-2",     "BLEU-3",  "BLEU-4",
                                         "GLEU",       "ROUGE-1",    "ROUGE-2", "ROUGE-L",
                                         "Distinct-1", "Distinct-2", "chrF"};
    const struct metrics_values v = metrics_values(&j->metrics);
    const double x[] = {v.bleu[0], v.bleu[1], v.bleu[2],     v.bleu[3],     v.gleu, v.rouge_1,
                        v.rouge_2, v.rouge_l, v.distinct[0], v.distinct[1], v.chrf};

    if (j->app->common.json) {
        print_json(j, &v, x, names, COUNT(names));
        return;
    }
    fprintf(j->app->out, _("%zu pair%s: \"%s\" against \"%s\", by %s\n"), v.pairs,
            message_s(v.pairs), j->hyp, j->ref, by_words[j->metrics.by]);
    for (size_t i = 0; i < COUNT(x); i++) {
        if (isnan(x[i]))
            fprintf(j->app->out, "%-10s  %6s\n", titles[i], "-");
        else
            fprintf(j->app->out, "%-10s  %6.2f\n", titles[i], x[i] * 100);
    }
    if (v.rouge_pairs < v.pairs)
        fprintf(j->app->out, _("ROUGE leaves out %zu pair%s in which a text is empty\n"),
                v.pairs - v.rouge_pairs, message_s(v.pairs - v.rouge_pairs));
}

static enum status metrics(struct app *app, struct err *e)
{
    const struct metrics_options *o = app->values;
    struct job j = {.app = app,
                    .path = app->args.v[0],
                    .hyp = o->hypothesis,
                    .ref = o->reference,
                    .usual = !o->by,
                    .faults = {app->err, app->args.v[0], 0}};
    size_t by = METRICS_CHAR;

    if (o->by && opt_choose(&OPT_WORDS("--by", by_words), o->by, &by, e) != OK)
        return e->code;
    metrics_init(&j.metrics, app->arena, (enum metrics_by)by);
    if (read_pairs(&j, e) != OK)
        return e->code;
    print_values(&j);
    if (j.faults.n)
        app->exit = EXIT_LEFT;
    return OK;
}

#define AT(member) offsetof(struct metrics_options, member)

const struct command cmd_metrics_command = {
    .name = "metrics",
    .need = NO_STORE,
    .args = "FILE",
    .summary = "compute BLEU, GLEU, ROUGE, Distinct and chrF for a file of pairs",
    /* clang-format off */
    .opts = OPTS(
        {"hypothesis-key", 0, OPT_TEXT, AT(hypothesis), "NAME", "key of the text to measure [hypothesis, candidate, prediction, gen, output, ...]", 0, 0},
        {"reference-key",  0, OPT_TEXT, AT(reference),  "NAME", "key of the reference text [reference, target, label, ori, ...]", 0, 0},
        {"by",             0, OPT_TEXT, AT(by),         "WHAT", "char or word [char for languages written without spaces, else word]", 0, 0}),
    /* clang-format on */
    .size = sizeof(struct metrics_options),
    .nargs = {1, 1},
    .run = metrics,
};
