#include "net/classify.h"

#include "base/message.h"

#include <math.h>

enum { LABELS_SHOWN = 12, LABEL_POINTS = 40 };

/* Servers round to 32 bits, so 1 means "above what can be represented"; about +-27.6 as log
 * odds. */
static const double nearly_none = 1e-12;

const char *classify_url(struct arena *a, enum classify_dialect dialect, const char *base_url,
                         const char **why)
{
    static const struct chat_path paths[] = {
        [CLASSIFY_PREDICT] = {"", "/predict"},
        [CLASSIFY_MODERATION] = {"/v1", "/moderations"},
    };

    return chat_url_to(a, base_url, &paths[dialect], why);
}

struct str classify_body(struct arena *a, const struct classify_request *req)
{
    AUTO(buf_done) struct buf b = BUF_MAX(SIZE_MAX / 2); /* the text is bounded */
    bool predict = req->dialect == CLASSIFY_PREDICT;

    buf_char(&b, '{');
    if (!predict && req->model && *req->model) {
        buf_text(&b, "\"model\":");
        json_quote(&b, str_of(req->model));
        buf_char(&b, ',');
    }
    buf_text(&b, predict ? "\"inputs\":" : "\"input\":");
    json_quote(&b, req->text);
    buf_text(&b, predict ? ",\"truncate\":true}" : "}");
    return arena_str(a, buf_str(&b));
}

static void fault(struct classify_reply *out, enum chat_fault f, const char *why)
{
    *out = (struct classify_reply){.fault = f, .why = why, .logit = NAN};
}

static void list_name(struct arena *a, struct buf *names, size_t i, struct str name)
{
    if (i < LABELS_SHOWN)
        buf_fmt(names, "%s\"%s\"", i ? ", " : "", chat_line(a, name, LABEL_POINTS));
}

/* The label does not exist: asking again cannot help, naming another label can. */
static void no_label(struct arena *a, const char *label, const struct buf *names,
                     struct classify_reply *out)
{
    fault(out, CHAT_REJECTED,
          arena_printf(a, N_("the classifier knows no label \"%s\"; it has %s"), label,
                       names->n ? names->p : "none"));
}

static void take_score(struct arena *a, const json_t *score, struct classify_reply *out)
{
    double p = json_is_number(score) ? json_number_value(score) : NAN;

    if (!(p >= 0 && p <= 1)) {
        fault(out, CHAT_GARBLED,
              json_is_number(score) ? arena_printf(a, N_("a score of %g is no probability"), p)
                                    : N_("the label has no score"));
        return;
    }
    p = fmin(fmax(p, nearly_none), 1 - nearly_none);
    *out = (struct classify_reply){.why = "", .logit = log(p) - log1p(-p)};
}

/* [{"label", "score"}, ...], or a list of such lists, one for each text; we send one text. */
static void read_predict(struct arena *a, const json_t *root, const char *label,
                         struct classify_reply *out)
{
    AUTO(buf_done) struct buf names = BUF_MAX(4096);
    const json_t *list = json_is_array(json_array_get(root, 0)) ? json_array_get(root, 0) : root;
    const json_t *one;
    size_t i;

    if (!json_is_array(list) || json_array_size(list) == 0) {
        fault(out, CHAT_GARBLED, N_("the reply is JSON, but no list of labels with scores"));
        return;
    }
    json_array_foreach(list, i, one)
    {
        struct str name = json_str_at(one, "label", STR(""));
        if (str_is(name, label)) {
            take_score(a, json_object_get(one, "score"), out);
            return;
        }
        list_name(a, &names, i, name);
    }
    no_label(a, label, &names, out);
}

static void read_moderation(struct arena *a, const json_t *root, const char *label,
                            struct classify_reply *out)
{
    AUTO(buf_done) struct buf names = BUF_MAX(4096);
    const json_t *result = json_array_get(json_object_get(root, "results"), 0);
    json_t *scores = json_object_get(result, "category_scores");
    const json_t *score;
    size_t i = 0;

    if (!json_is_object(scores)) {
        fault(out, CHAT_GARBLED,
              N_("the reply is JSON, but it has no results with category_scores"));
        return;
    }
    score = json_object_get(scores, label);
    if (score) {
        take_score(a, score, out);
        return;
    }
    for (void *at = json_object_iter(scores); at; at = json_object_iter_next(scores, at))
        list_name(a, &names, i++, str_of(json_object_iter_key(at)));
    no_label(a, label, &names, out);
}

void classify_read(struct arena *a, const struct http_reply *raw, enum classify_dialect dialect,
                   const char *label, struct classify_reply *out)
{
    AUTO(json_freep) json_t *root = NULL;
    struct chat_reply chat;
    struct err e = {0};
    bool mended;

    if (raw->end != HTTP_DONE || raw->status < 200 || raw->status >= 300) {
        chat_read(a, raw, &chat); /* failures look the same whatever was asked */
        fault(out, chat.fault, chat.why);
    } else if (json_read_mended(raw->body, &root, &mended, &e) != OK) {
        fault(out, CHAT_GARBLED, N_("the reply is not JSON"));
    } else if (dialect == CLASSIFY_PREDICT) {
        read_predict(a, root, label, out);
    } else {
        read_moderation(a, root, label, out);
    }
}
