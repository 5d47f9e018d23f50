#include "panel/erase.h"

#include "base/clock.h"
#include "gen/queries.h"
#include "suite/sitting.h"

enum { REWRITE_MAX = 256 << 20 }; /* bytes; a file of this size takes a second or two */

/* Runs queries about one row, one after another. */
static enum status run_each(struct store *s, const int *queries, size_t n, int64_t id,
                            struct err *e)
{
    for (size_t i = 0; i < n; i++)
        if (db_run(s->db, queries[i], ARGS(V_INT(id)), NULL, e) != OK)
            return e->code;
    return OK;
}

/* ---- a rater's own words in interviews ---- */

struct said {
    int64_t sample, turn;
    struct str transcript;
};

static void read_said(struct arena *a, const struct rows *r, void *out)
{
    *(struct said *)out =
        (struct said){row_int(r, C_ERASE_SAID_SAMPLE), row_int(r, C_ERASE_SAID_POSITION),
                      row_copy(a, r, C_ERASE_SAID_ANSWER)};
}

/* Replaces the text of one turn. The same words said by others stay. */
static struct str without(struct arena *a, struct str transcript, int64_t turn)
{
    struct sitting_said said;
    struct str parts[3];

    if (!sitting_said(transcript, turn, &said))
        return transcript;
    parts[0] = (struct str){transcript.p, (size_t)(said.text.p - transcript.p)};
    parts[1] = STR("…");
    parts[2] = str_from(transcript, parts[0].n + said.text.n);
    return arena_join(a, parts, COUNT(parts));
}

/* Removes the words from the transcript, from every request and reply that contains them, and
 * from what judges, other raters and reasoning models made of them. What the model said stays:
 * it belongs to the run. */
static enum status unsay(struct store *s, const struct rater *r, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    static const int each[] = {Q_ERASE_SEAL_WORDS,  Q_ERASE_SEAL_CALLS, Q_ERASE_SEAL_VERDICTS,
                               Q_ERASE_SEAL_QUOTES, Q_ERASE_AUDITS,     Q_ERASE_TRIALS,
                               Q_ERASE_EVIDENCE,    Q_ERASE_STALE,      Q_ERASE_CALLS,
                               Q_ERASE_WORDS,       Q_ERASE_REPLIES,    Q_ERASE_ANALYSES,
                               Q_ERASE_QUOTES,      Q_ERASE_WITHHELD,   Q_ERASE_ASKERS};
    struct str left = STR("");
    struct said *v;
    size_t n;

    if (db_list(s->db, Q_ERASE_SAID, ARGS(V_INT(r->id)), INTO_ARRAY(a, &v, &n, read_said), e) != OK)
        return e->code;
    /* Askers come first, before anything of the run is locked: their rows are locked until they
     * commit. They are removed once more at the end, in case one began meanwhile. */
    for (size_t i = 0; i < n; i++)
        if (db_run(s->db, Q_ERASE_ASKERS, ARGS(V_INT(v[i].sample)), NULL, e) != OK)
            return e->code;
    for (size_t i = 0; i < n; i++) {
        bool first = i == 0 || v[i].sample != v[i - 1].sample;
        bool last = i + 1 == n || v[i].sample != v[i + 1].sample;
        left = without(a, first ? v[i].transcript : left, v[i].turn);
        if (last &&
            (run_each(s, each, COUNT(each), v[i].sample, e) != OK ||
             db_run(s->db, Q_ERASE_ANSWER, ARGS(V_INT(v[i].sample), V_STR(left)), NULL, e) != OK))
            return e->code;
    }
    return OK;
}

/* After unsay(), before the turns of abandoned sittings are deleted. */
static enum status forget_strays(struct store *s, const struct rater *r, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    static const int each[] = {Q_ERASE_STRAY_SEAL, Q_ERASE_STRAY_STALE, Q_ERASE_STRAY_CALL};
    int64_t *v, run = 0;
    size_t n;

    if (db_int(s->db, Q_ERASE_RUN, ARGS(V_INT(r->id)), &run, NULL, e) != OK ||
        db_list(s->db, Q_ERASE_STRAY, ARGS(V_INT(r->id), V_INT(run)),
                INTO_ARRAY(a, &v, &n, row_first_int), e) != OK)
        return e->code;
    for (size_t i = 0; i < n; i++)
        if (run_each(s, each, COUNT(each), v[i], e) != OK)
            return e->code;
    return OK;
}

/* ---- one rater ---- */

/* Lock order: campaign, assignments, rater. Without `leaves` the rater keeps counting. */
static enum status erase(struct store *s, const struct rater *r, bool leaves, bool ratings,
                         struct err *e)
{
    static const int always[] = {Q_ERASE_SITTING, Q_ERASE_ASKING, Q_ERASE_PAGES, Q_ERASE_KIND,
                                 Q_ERASE_KINDS,   Q_ERASE_PERSON, Q_ERASE_LABEL, Q_ERASE_SESSIONS};
    static const int too[] = {Q_ERASE_RATINGS, Q_ERASE_TURNS,    Q_ERASE_CALIBRATION,
                              Q_ERASE_REPORTS, Q_ERASE_OUTCOMES, Q_ERASE_WHY,
                              Q_ERASE_NAME,    Q_ERASE_MUTE,     Q_ERASE_RATER_STALE};

    if (db_run(s->db, Q_CAMPAIGN_LOCK, ARGS(V_INT(r->campaign)), NULL, e) != OK ||
        (ratings &&
         (unsay(s, r, e) != OK || forget_strays(s, r, e) != OK ||
          db_run(s->db, Q_ERASE_COUNTS, ARGS(V_INT(r->id), V_INT(r->campaign)), NULL, e) != OK ||
          db_run(s->db, Q_ERASE_DONE, ARGS(V_INT(r->id)), NULL, e) != OK)) ||
        run_each(s, always, COUNT(always), r->id, e) != OK ||
        (leaves && db_run(s->db, Q_ERASE_WITHDRAWN, ARGS(V_INT(r->id)), NULL, e) != OK) ||
        (ratings && run_each(s, too, COUNT(too), r->id, e) != OK))
        return e->code;
    return db_run(s->db, Q_CAMPAIGN_STALE, ARGS(V_INT(r->campaign)), NULL, e);
}

enum status erase_rater(struct store *s, const struct rater *r, bool ratings, struct err *e)
{
    return erase(s, r, true, ratings, e);
}

/* ---- when its time is over ---- */

static bool is_due(const struct campaign *c, int64_t now_ms)
{
    int64_t ended = c->closed_ms ? c->closed_ms : c->spec.deadline_ms;

    return c->spec.retention_days && ended &&
           ended + c->spec.retention_days * CLOCK_DAY_MS <= now_ms;
}

static enum status carry_out(struct arena *a, struct store *s, const struct campaign *c,
                             int64_t now_ms, struct err *e)
{
    struct rater_list l;

    if (rater_list(a, s, c->id, &l, e) != OK)
        return e->code;
    for (size_t i = 0; i < l.n; i++)
        if (store_atomically(
                s, e, erase(s, &l.v[i], c->spec.retention_ratings, c->spec.retention_ratings, e)) !=
            OK)
            return e->code;
    if (db_run(s->db, Q_ERASE_LABELS, ARGS(V_INT(c->id)), NULL, e) != OK ||
        db_run(s->db, Q_AUDIT_ADD,
               ARGS(V_INT(now_ms), V_TEXT("-"), V_TEXT("campaign.retention"), V_TEXT(c->name),
                    V_TEXT(c->spec.retention_ratings ? "everything" : "personal")),
               NULL, e) != OK)
        return e->code;
    return db_run(s->db, Q_ERASE_CARRIED_OUT, ARGS(V_INT(c->id), V_INT(now_ms)), NULL, e);
}

enum status erase_due(struct store *s, int64_t now_ms, size_t *n, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct campaign_list l;

    *n = 0;
    if (campaign_list(a, s, &l, e) != OK)
        return e->code;
    for (size_t i = 0; i < l.n; i++) {
        struct campaign c;
        if (l.v[i].erased_ms)
            continue;
        if (campaign_by_id(a, s, l.v[i].id, &c, e) != OK)
            return e->code;
        if (!is_due(&c, now_ms))
            continue;
        if (carry_out(a, s, &c, now_ms, e) != OK)
            return e->code;
        ++*n;
    }
    return OK;
}

/* ---- what no row stands for ---- */

enum status erase_traces(struct store *s, int64_t *last, bool *large, struct err *e)
{
    int64_t newest = 0, bytes, unused;

    *large = false;
    if (db_is_postgres(s->db))
        return OK;
    if (db_int(s->db, Q_ERASE_NEWEST, NO_ARGS, &newest, NULL, e) != OK ||
        db_space(s->db, &bytes, &unused, e) != OK)
        return e->code;
    *large = newest > *last && bytes > REWRITE_MAX;
    if (newest > *last && !*large && db_vacuum(s->db, e) != OK)
        return e->code;
    *last = newest;
    return db_drain(s->db, e);
}
