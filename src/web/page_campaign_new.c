/* A form for a new campaign: a list of runs, six fields, and the rest of the campaign file under
 * "Advanced". The fields become the first lines of the file, one line each, so that the line of a
 * fault tells at which field to show it. */
#include "base/json.h"
#include "base/message.h"
#include "store/store.h"
#include "suite/suite.h"
#include "web/campaign_frame.h"
#include "web/explore.h"
#include "web/page_campaign.h"
#include "web/pages.h"
#include "web/widget.h"

enum { RUNS_MAX = 200, FAULTS_MAX = 64 << 10, FILE_MAX = 1 << 20 };

static const struct field {
    const char *key;
    enum word label, hint;
    const char *type, *usual;
    bool text, optional; /* text: quoted, else as it is */
} fields[] = {
    {"campaign", PHRASE_NEW_NAME, PHRASE_NEW_NAME_HINT, NULL, "", true, false},
    {"title", PHRASE_NEW_TITLE, PHRASE_NEW_TITLE_HINT, NULL, "", true, true},
    {"contact", PHRASE_NEW_CONTACT, PHRASE_NEW_CONTACT_HINT, NULL, "", true, true},
    {"passages_per_rater", PHRASE_NEW_PASSAGES, PHRASE_NEW_PASSAGES_HINT, "number", "5", false,
     false},
    {"overlap", PHRASE_NEW_OVERLAP, PHRASE_NEW_OVERLAP_HINT, "number", "3", false, false},
    {"deadline", PHRASE_DEADLINE, PHRASE_NEW_DEADLINE_HINT, NULL, "", true, true},
};

/* Faults by field; rest: under "Advanced"; run: of the list of runs; all: of the whole. */
struct faults {
    const char *of[COUNT(fields)], *rest, *run, *all;
    bool any;
};

/* ---- the page ---- */

static void run_field(struct page *p, const struct run_list *runs, const char *fault)
{
    struct str sent = request_form(p->q, "run");
    struct str chosen = sent.n ? sent : request_query(p->q, "run");
    struct html *h = &p->h;

    html_open(h, "div", "class", "field");
    html_say(h, "label", page_phrase(p, PHRASE_RUN), "for", "run");
    html_open(h, "select", "id", "run", "name", "run", "aria-invalid", fault ? "true" : NULL,
              "aria-describedby", fault ? "run-error" : NULL);
    for (size_t i = 0; i < runs->n && i < RUNS_MAX; i++) {
        const struct run_row *r = &runs->v[i];
        html_say(h, "option", arena_printf(h->scratch, "%s · %s", r->name, explore_title(p->q, r)),
                 "value", r->name, "selected", chosen.p && str_is(chosen, r->name) ? "" : NULL);
    }
    html_close(h);
    if (fault)
        html_say(h, "small", fault, "id", "run-error", "class", "error");
    html_close(h);
}

static void advanced(struct page *p, const char *fault)
{
    struct str sent = request_form(p->q, "file");
    struct html *h = &p->h;

    html_open(h, "details", "open", fault || sent.n ? "" : NULL);
    page_say(p, "summary", NULL, PHRASE_NEW_ADVANCED);
    html_open(h, "div", "class", "field");
    html_say(h, "label", page_phrase(p, PHRASE_CAMPAIGN_FILE), "for", "file");
    html_say(h, "textarea", sent.p ? sent.p : "", "id", "file", "name", "file", "rows", "10",
             "spellcheck", "false", "aria-invalid", fault ? "true" : NULL, "aria-describedby",
             "file-hint");
    html_say(h, "small", page_phrase(p, PHRASE_CAMPAIGN_FILE_HINT), "id", "file-hint");
    if (fault)
        html_say(h, "pre", fault, "class", "error", "tabindex", "0");
    html_close_n(h, 2);
}

static void form(struct page *p, const struct run_list *runs, const struct faults *bad)
{
    page_form(p, "/campaigns");
    if (bad->all)
        page_alert(p, bad->all);
    run_field(p, runs, bad->run);
    for (size_t i = 0; i < COUNT(fields); i++) {
        struct str sent = request_form(p->q, fields[i].key);
        page_ask(p, .label = fields[i].label, .name = fields[i].key, .type = fields[i].type,
                 .value = sent.p ? sent.p : fields[i].usual, .hint = page_phrase(p, fields[i].hint),
                 .error = bad->of[i], .optional = fields[i].optional);
    }
    advanced(p, bad->rest);
    widget_button(p, "filled", PHRASE_CAMPAIGN_MAKE, NULL, NULL);
    html_close(&p->h);
}

static enum status new_page(struct request *q, struct response *r, const struct faults *bad,
                            struct err *e)
{
    struct run_list runs;
    struct page p;

    if (store_run_list(q->arena, q->store, &runs, e) != OK)
        return e->code;
    widget_open_below(&p, q, r, "/campaigns", PHRASE_CAMPAIGNS,
                      words_of(q->language, PHRASE_CAMPAIGN_NEW));
    if (runs.n)
        form(&p, &runs, bad);
    else
        widget_empty(&p, PHRASE_NO_RUNS);
    return page_close(&p);
}

enum status page_campaign_new(struct request *q, struct response *r, struct err *e)
{
    return new_page(q, r, &(struct faults){0}, e);
}

/* ---- what was sent ---- */

/* The typed value as YAML on one line. */
static const char *value_of(struct request *q, const struct field *f, struct str typed)
{
    AUTO(json_freep) json_t *j = NULL;
    struct str line;

    typed = str_trim(typed);
    if (!str_line(&typed, &line))
        return "";
    if (!f->text)
        return arena_text(q->arena, line);
    j = json_from_str(line);
    return json_text(q->arena, j);
}

/* The campaign file that the form amounts to. A request without fields has a whole file (as
 * programs send it). */
static struct str file_of(struct request *q, int *lines)
{
    AUTO(buf_done) struct buf b = BUF_MAX(FILE_MAX);
    struct str rest = request_form(q, "file");

    *lines = 0;
    if (!request_form(q, "campaign").p)
        return rest;
    *lines = COUNT(fields);
    for (size_t i = 0; i < COUNT(fields); i++) {
        struct str typed = request_form(q, fields[i].key);
        if (typed.p && str_trim(typed).n)
            buf_fmt(&b, "%s: %s\n", fields[i].key, value_of(q, &fields[i], typed));
        else
            buf_fmt(&b, "# %s\n", fields[i].key);
    }
    buf_add(&b, rest.p ? rest : STR(""));
    return str_of(arena_text(q->arena, buf_str(&b)));
}

/* Assign each fault to its field; those of the file read as `campaign new` shows them. */
static void sort_faults(struct request *q, const struct diags *d, int lines, struct faults *out)
{
    AUTO(buf_done) struct buf b = BUF_MAX(FAULTS_MAX);

    for (const struct diag *one = d->first; one; one = one->next) {
        const char *msg = message_show(q->arena, q->language, one->msg);
        if (one->level != DIAG_ERROR)
            continue;
        out->any = true;
        if (lines && one->at.line >= 1 && one->at.line <= lines) {
            out->of[one->at.line - 1] = msg;
        } else if (one->at.line && lines) {
            buf_fmt(&b, "%d:%d: %s\n", one->at.line - lines, one->at.column, msg);
        } else if (one->at.line) {
            diag_show(one, q->language, &b);
        } else {
            out->all = msg;
        }
    }
    if (b.n)
        out->rest = arena_text(q->arena, buf_str(&b));
}

static enum status make(struct request *q, const char *run_name, struct str file,
                        struct campaign *c, struct diags *d, struct err *e)
{
    struct run_row run;
    struct suite suite;
    struct spec spec;
    const char *frozen;

    if (store_run_get(q->arena, q->store, run_name, &run, e) != OK ||
        suite_thaw(q->arena, run.frozen, &suite, e) != OK)
        return e->code;
    spec_read(q->arena, file, &suite, &spec, &frozen, d);
    if (d->errors)
        return OK;
    return campaign_add(q->arena, q->store,
                        &(struct campaign_new){&run, &suite, frozen, q->session->name}, c, e);
}

enum status page_campaign_make(struct request *q, const char *run_name, struct str file,
                               struct campaign *c, const char **faults, struct err *e)
{
    AUTO(buf_done) struct buf b = BUF_MAX(FAULTS_MAX);
    struct diags d;

    diags_init(&d, q->arena);
    *faults = NULL;
    if (make(q, run_name, file, c, &d, e) != OK)
        return e->code;
    if (d.errors) {
        diags_show(&d, q->language, &b);
        *faults = arena_text(q->arena, buf_str(&b));
    }
    return OK;
}

/* Assign what the store refused: no such run, a name in use, fewer passages than are wanted. */
static void sort_refusal(struct request *q, const struct err *e, struct faults *out)
{
    const char *msg = message_show(q->arena, q->language, arena_text(q->arena, str_of(e->msg)));
    struct str said = str_of(e->msg);

    out->any = true;
    if (e->code == E_ABSENT || str_holds(said, STR("has no answers")))
        out->run = msg;
    else if (str_holds(said, STR("already exists")))
        out->of[0] = msg;
    else if (str_holds(said, STR("passages_per_rater")))
        out->of[3] = msg;
    else
        out->all = msg;
}

enum status page_campaign_add(struct request *q, struct response *r, struct err *e)
{
    struct str run = request_form(q, "run");
    struct faults bad = {0};
    struct campaign c = {0};
    struct diags d;
    enum status st;
    int lines;
    struct str file = file_of(q, &lines);

    diags_init(&d, q->arena);
    st = make(q, run.p ? run.p : "latest", file, &c, &d, e);
    if (st == E_USAGE || st == E_ABSENT)
        sort_refusal(q, e, &bad);
    else if (st != OK)
        return st;
    sort_faults(q, &d, lines, &bad);
    if (bad.any) {
        r->status = 422;
        return new_page(q, r, &bad, e);
    }
    return response_redirect(r, campaign_frame_below(q, &c, ""));
}
