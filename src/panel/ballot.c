#include "panel/ballot.h"

#include <math.h>

#include "base/clock.h"
#include "base/hash.h"
#include "gen/queries.h"
#include "panel/leak.h"
#include "store/store_turn.h"
#include "suite/item.h"
#include "suite/suite.h"
#include "talk/voice.h"

/* ---- what is shown ---- */

static void name_slot(const struct campaign *c, const struct assignment *of, struct slot *slot)
{
    char hex[HASH_HEX];
    struct hash h;

    hash_init_keyed(&h, str_of(c->secret));
    hash_int(&h, of->id);
    hash_int(&h, of->rater);
    hash_int(&h, slot->is.sample);
    hash_int(&h, slot->is.other);
    hash_hex(&h, hex);
    (void)snprintf(slot->name, sizeof slot->name, "%.*s", BALLOT_NAME - 1, hex);
}

/* A Feistel network with four rounds: a permutation that only the secret can invert. */
enum { PAGE_ROUNDS = 4 };

static uint32_t page_lot(const char *secret, int64_t rater, int round, uint32_t half)
{
    struct hash h;

    hash_init_keyed(&h, str_of(secret));
    hash_str(&h, STR("page"));
    hash_int(&h, rater);
    hash_int(&h, round);
    hash_int(&h, half);
    return (uint32_t)hash_u64(&h);
}

void ballot_page(const char *secret, int64_t rater, int64_t assignment, char out[BALLOT_NAME])
{
    uint32_t left = (uint32_t)((uint64_t)assignment >> 32), right = (uint32_t)assignment;

    for (int i = 0; i < PAGE_ROUNDS; i++) {
        uint32_t next = left ^ page_lot(secret, rater, i, right);
        left = right;
        right = next;
    }
    (void)snprintf(out, BALLOT_NAME, "%08x%08x", (unsigned)left, (unsigned)right);
}

int64_t ballot_page_of(const char *secret, int64_t rater, struct str name)
{
    uint64_t v = 0;
    uint32_t left, right;

    if (name.n != BALLOT_NAME - 1)
        return 0;
    for (size_t i = 0; i < name.n; i++) {
        int digit = str_hex(name.p[i]);
        if (digit < 0)
            return 0;
        v = v << 4 | (unsigned)digit;
    }
    left = (uint32_t)(v >> 32);
    right = (uint32_t)v;
    for (int i = PAGE_ROUNDS - 1; i >= 0; i--) {
        uint32_t last = right ^ page_lot(secret, rater, i, left);
        right = left;
        left = last;
    }
    return (int64_t)((uint64_t)left << 32 | right);
}

/* Puts an answer into every slot that shows it. */
static void place_text(struct ballot *b, int64_t sample, struct str text)
{
    for (size_t i = 0; i < b->n; i++) {
        if (b->slots[i].is.sample == sample)
            b->slots[i].text = text;
        if (b->slots[i].is.other == sample)
            b->slots[i].other = text;
    }
}

static enum status read_answers(struct arena *a, struct store *s, struct ballot *b, struct err *e)
{
    struct rows *r = db_query(s->db, Q_PASSAGE_TEXTS_OF, ARGS(V_INT(b->of.item)), e);

    while (rows_next(r))
        place_text(b, row_int(r, C_PASSAGE_ANSWER_ID), row_copy(a, r, C_PASSAGE_ANSWER_ANSWER));
    return rows_end(r, e);
}

static enum status open_passage(struct arena *a, struct store *s, struct ballot *b, struct err *e)
{
    struct str body;

    if (store_item_body(a, s, b->of.item, &body, e) != OK ||
        item_thaw(a, body, &b->item, e) != OK || read_answers(a, s, b, e) != OK)
        return e->code;
    place_text(b, 0, b->item.reference);
    return OK;
}

static enum status open_anchor(const struct campaign *c, struct ballot *b, struct err *e)
{
    if (b->of.anchor < 0 || (size_t)b->of.anchor >= c->spec.nanchors)
        return err_set(e, E_STORE, "campaign '%s' has no anchor text %lld", c->name,
                       (long long)b->of.anchor);
    b->anchor = &c->spec.anchors[b->of.anchor];
    b->item = (struct item){.id = "", .prompt = b->anchor->prompt};
    place_text(b, 0, b->anchor->answer);
    for (size_t i = 0; i < c->spec.nanchors; i++)
        place_text(b, ASSIGN_ANCHOR((int64_t)i), c->spec.anchors[i].answer);
    return OK;
}

/* A missing text stays missing. */
static struct str blotted(struct arena *a, const struct leak *leak, const struct item *item,
                          struct str text)
{
    return text.p ? leak_blot(a, leak, item, text) : text;
}

/* Reads the turns; if raters examine, whatever reveals a model is blotted out. */
static enum status read_turns(struct arena *a, struct store *s, const struct campaign *c,
                              struct ballot *b, struct err *e)
{
    struct party_list models;
    const struct leak *leak = NULL;

    if (!vocab_is_talk(&c->suite))
        return OK;
    if (campaign_examines(&c->suite)) {
        if (store_party_list(a, s, PARTY_MODEL, c->run.id, &models, e) != OK)
            return e->code;
        leak = leak_new(a, &c->suite, &models);
    }
    for (size_t i = 0; i < b->n; i++) {
        struct turn_list *t = &b->slots[i].turns;
        if (b->slots[i].is.sample && store_turn_list(a, s, b->slots[i].is.sample, t, e) != OK)
            return e->code;
        voice_keep_said(t);
        for (size_t k = 0; leak && k < t->n; k++)
            t->v[k].text = leak_blot(a, leak, &b->item, t->v[k].text);
        if (leak && b->slots[i].is.other > 0) { /* a pair of talks shows its texts as well */
            b->slots[i].text = blotted(a, leak, &b->item, b->slots[i].text);
            b->slots[i].other = blotted(a, leak, &b->item, b->slots[i].other);
        }
    }
    return OK;
}

bool ballot_waits(const struct ballot *b)
{
    for (size_t i = 0; i < b->n && !b->outline; i++)
        if (b->slots[i].is.sample && !b->slots[i].text.p)
            return true;
    return false;
}

struct ballot ballot_outline(struct arena *a, const struct campaign *c, const struct assignment *of)
{
    struct ballot b = {.of = *of, .n = of->nshown, .outline = true};

    b.slots = NEW_N(a, struct slot, b.n + 1);
    for (size_t i = 0; i < b.n; i++) {
        b.slots[i].is = of->shown[i];
        name_slot(c, of, &b.slots[i]);
    }
    return b;
}

enum status ballot_open(struct arena *a, struct store *s, const struct campaign *c,
                        const struct assignment *of, struct ballot *out, struct err *e)
{
    struct ballot b = ballot_outline(a, c, of);

    b.outline = false;
    if ((of->item ? open_passage(a, s, &b, e) : open_anchor(c, &b, e)) != OK ||
        read_turns(a, s, c, &b, e) != OK)
        return e->code;
    *out = b;
    return OK;
}

const struct slot *ballot_slot(const struct ballot *b, struct str name)
{
    for (size_t i = 0; i < b->n; i++)
        if (str_is(name, b->slots[i].name))
            return &b->slots[i];
    return NULL;
}

/* ---- what was said ---- */

static void read_ballot_mark(struct arena *a, const struct rows *r, void *out)
{
    struct ballot_mark *m = out;

    row_into(a, r, COLUMNS_RATING_MARK(struct ballot_mark), m);
    m->cannot = !m->unmarked && row_null(r, C_RATING_MARK_VALUE);
}

enum status ballot_marks(struct arena *a, struct store *s, int64_t assignment,
                         struct ballot_marks *out, struct err *e)
{
    return db_list(s->db, Q_RATING_LIST, ARGS(V_INT(assignment)), INTO(a, out, read_ballot_mark),
                   e);
}

const struct ballot_mark *ballot_mark_of(const struct ballot_marks *m, const struct shown *is,
                                         const char *dimension)
{
    for (size_t i = 0; i < m->n; i++)
        if (assign_same(&m->v[i].is, is) && strcmp(m->v[i].dimension, dimension) == 0)
            return &m->v[i];
    return NULL;
}

bool ballot_turned(const struct ballot_marks *m, const struct shown *is)
{
    for (size_t i = 0; i < m->n; i++)
        if (assign_same(&m->v[i].is, is) && str_starts(str_of(m->v[i].dimension), STR(BALLOT_TURN)))
            return true;
    return false;
}

/* ---- saving ---- */

/* "turn-3": a vote on one exchange of two talks. */
static bool is_turn(const char *dimension)
{
    struct str number = str_of(dimension);
    int64_t n;

    return str_drop(&number, STR(BALLOT_TURN)) && str_int(number, &n) && n >= 1;
}

enum status ballot_check(const struct instrument *in, const struct ballot_mark *m, struct err *e)
{
    if (in->kind == INSTRUMENT_PAIR) {
        if (strcmp(m->dimension, BALLOT_CHOICE) != 0 && !is_turn(m->dimension))
            return err_set(e, E_INPUT, "no dimension '%s'", m->dimension);
        if (m->unmarked || m->cannot || m->value == 0 || m->value == 1 ||
            (in->ties && (m->value == 0.5 || m->value == BALLOT_BAD)))
            return OK;
        return err_set(e, E_INPUT,
                       "%g is not a choice: use 1 (the first is better) or 0 (the second)%s",
                       m->value, in->ties ? ", 0.5 neither, -1 both bad" : "");
    }
    for (size_t i = 0; i < in->ndimensions; i++) {
        if (strcmp(m->dimension, in->dimensions[i].id) != 0)
            continue;
        return m->unmarked || m->cannot || vocab_allows(&in->dimensions[i], m->value)
                   ? OK
                   : err_set(e, E_INPUT, "%g is not allowed for '%s'", m->value, m->dimension);
    }
    return err_set(e, E_INPUT, "no dimension '%s'", m->dimension);
}

static enum status handed_in(struct err *e)
{
    return err_set(e, E_USAGE, "this has been submitted and cannot be changed");
}

/* Are ratings taken, and is there something to rate? */
static enum status check_open(const struct campaign *c, const struct ballot *b, struct err *e)
{
    if (!campaign_takes(c, clock_utc_ms()))
        return err_set(e, E_USAGE, "the campaign is closed to further ratings");
    return ballot_waits(b) ? err_set(e, E_USAGE, "the interview is not over") : OK;
}

static enum status check_save(const struct campaign *c, const struct ballot *b,
                              const struct ballot_save *save, struct err *e)
{
    if (check_open(c, b, e) != OK)
        return e->code;
    if (b->of.done)
        return handed_in(e);
    if (utf8_count(save->m.comment) > BALLOT_COMMENT_MAX)
        return err_set(e, E_INPUT, "a comment may have at most %d characters", BALLOT_COMMENT_MAX);
    if (utf8_count(save->m.quotes) > BALLOT_QUOTES_MAX)
        return err_set(e, E_INPUT, "quotations may have at most %d characters in all",
                       BALLOT_QUOTES_MAX);
    if (strlen(save->client) > BALLOT_CLIENT_MAX)
        return err_set(e, E_INPUT, "the name of a save may have at most %d bytes",
                       BALLOT_CLIENT_MAX);
    /* Votes on exchanges go through meeting_vote(), which knows how many there were. */
    if (c->suite.instrument.kind == INSTRUMENT_PAIR && is_turn(save->m.dimension))
        return err_set(e, E_INPUT, "no dimension '%s'", save->m.dimension);
    return ballot_check(&c->suite.instrument, &save->m, e);
}

/* The votes whose stored marks are being read back. */
struct standing {
    struct ballot_vote *const *v;
    size_t n;
};

static enum status take_mark(void *user, size_t i, const struct rows *r, struct err *e)
{
    struct standing *all = user;
    struct ballot_vote *v = all->v[i];
    struct ballot_mark *m = &v->now;

    if (!row_int(r, C_RATING_SAVED_OPEN))
        return handed_in(e);
    all->n++;
    *m = v->save.m;
    m->client = "";
    if (!row_null(r, C_RATING_SAVED_VERSION)) {
        m->unmarked = row_int(r, C_RATING_SAVED_MARKED) == 0;
        m->cannot = !m->unmarked && row_null(r, C_RATING_SAVED_VALUE);
        m->value = row_real(r, C_RATING_SAVED_VALUE);
        m->comment = row_copy(v->arena, r, C_RATING_SAVED_COMMENT);
        m->quotes = row_copy(v->arena, r, C_RATING_SAVED_QUOTES);
        m->version = row_int(r, C_RATING_SAVED_VERSION);
        m->client = row_copy(v->arena, r, C_RATING_SAVED_CLIENT).p;
        m->saved_ms = row_int(r, C_RATING_SAVED_SAVED_MS);
    }
    v->result = strcmp(m->client, v->save.client) == 0 ? BALLOT_SAVED : BALLOT_STALE;
    return OK;
}

static enum status read_marks(struct arena *a, struct store *s, struct ballot_vote *const *v,
                              size_t n, struct err *e)
{
    struct standing all = {.v = v};
    struct val *keys = NEW_N(a, struct val, 4 * n);

    for (size_t i = 0; i < n; i++) {
        const struct ballot_mark *m = &v[i]->save.m;
        const struct val key[] = {V_INT(v[i]->ballot.of.id), V_INT(m->is.sample),
                                  V_INT(m->is.other), V_TEXT(m->dimension)};
        memcpy(keys + 4 * i, key, sizeof key);
    }
    if (db_each_of(s->db, Q_RATING_GET, (struct args){keys, 4 * n}, n, take_mark, &all, e) != OK)
        return e->code;
    return all.n == n ? OK : handed_in(e);
}

/* Writes the new marks (`anew`), or changes the others. */
static enum status write_marks(struct arena *a, struct store *s, struct ballot_vote *const *v,
                               size_t n, bool anew, int64_t now, struct err *e)
{
    size_t each = anew ? 10 : 11, k = 0;
    struct val *all = NEW_N(a, struct val, each * n);

    for (size_t i = 0; i < n; i++) {
        const struct ballot_mark *m = &v[i]->save.m;
        const struct val mark[] = {V_INT(v[i]->ballot.of.id),
                                   V_INT(m->is.sample),
                                   V_INT(m->is.other),
                                   V_TEXT(m->dimension),
                                   V_REAL(m->cannot || m->unmarked ? (double)NAN : m->value),
                                   V_STR(m->comment),
                                   V_STR(m->quotes),
                                   V_TEXT(v[i]->save.client),
                                   V_INT(now),
                                   V_INT(m->unmarked ? 0 : 1),
                                   V_INT(m->version)};
        if ((m->version == 0) == anew)
            memcpy(all + each * k++, mark, each * sizeof *mark);
    }
    return db_each_of(s->db, anew ? Q_RATING_ADD : Q_RATING_CHANGE, (struct args){all, each * k}, k,
                      NULL, NULL, e);
}

/* Results depend on every mark, submitted or not, so they are now stale. */
static enum status note_stale(struct store *s, struct ballot_vote *const *v, size_t n,
                              struct err *e)
{
    const struct campaign *last = NULL;

    for (size_t i = 0; i < n; i++) {
        const struct campaign *c = v[i]->campaign;
        if (v[i]->ballot.of.phase == PHASE_PRACTICE || (last && last->id == c->id))
            continue;
        if (db_run(s->db, Q_CAMPAIGN_STALE, ARGS(V_INT(c->id)), NULL, e) != OK)
            return e->code;
        last = c;
    }
    return OK;
}

static enum status save_within(struct store *s, struct ballot_vote *const *v, size_t n,
                               struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct val *seen = NEW_N(a, struct val, 4 * n);
    int64_t at = clock_utc_ms();

    for (size_t i = 0; i < n; i++) {
        int64_t active = v[i]->save.active_ms;
        const struct val one[] = {V_INT(v[i]->ballot.of.id),
                                  V_INT(at + v[i]->campaign->spec.lease_ms), V_INT(at),
                                  V_INT(active > 0 ? active : 0)};
        memcpy(seen + 4 * i, one, sizeof one);
    }
    /* Lock order, as everywhere: campaigns, assignments, marks. Once `seen` is written, nobody
     * can submit the assignment before this is saved. Whether somebody had submitted it before
     * is checked by the last query, to save a round trip; in that case everything is rolled
     * back. */
    if (note_stale(s, v, n, e) != OK ||
        db_each_of(s->db, Q_ASSIGNMENT_SEEN, (struct args){seen, 4 * n}, n, NULL, NULL, e) != OK ||
        write_marks(a, s, v, n, true, at, e) != OK || write_marks(a, s, v, n, false, at, e) != OK)
        return e->code;
    return read_marks(a, s, v, n, e);
}

/* The length of the longest prefix in which each assignment occurs once. */
static size_t different(struct ballot_vote *const *v, size_t n)
{
    for (size_t i = 1; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (v[k]->ballot.of.id == v[i]->ballot.of.id)
                return i;
    return n;
}

enum status ballot_save_all(struct store *s, struct ballot_vote *const *v, size_t n, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct ballot_vote **good = NEW_N(a, struct ballot_vote *, n + 1);
    size_t k = 0, part;

    for (size_t i = 0; i < n; i++)
        if (v[i]->e.code == OK &&
            check_save(v[i]->campaign, &v[i]->ballot, &v[i]->save, &v[i]->e) == OK)
            good[k++] = v[i];
    for (; k; good += part, k -= part) {
        part = different(good, k);
        if (store_atomically(s, e, save_within(s, good, part, e)) != OK)
            return e->code;
    }
    return OK;
}

enum status ballot_save(struct arena *a, struct store *s, const struct campaign *c,
                        const struct ballot *b, const struct ballot_save *save,
                        enum ballot_result *result, struct ballot_mark *now, struct err *e)
{
    struct ballot_vote one = {.arena = a, .campaign = c, .ballot = *b, .save = *save}, *v = &one;

    if (ballot_save_all(s, &v, 1, e) != OK)
        return e->code;
    if (one.e.code != OK) {
        *e = one.e;
        return e->code;
    }
    *result = one.result;
    *now = one.now;
    return OK;
}

/* ---- finding what several are about ---- */

static enum status take_assignment(void *user, size_t i, const struct rows *r, struct err *e)
{
    struct ballot_vote *v = ((const struct standing *)user)->v[i];

    (void)e;
    assign_read(v->arena, r, &v->ballot.of);
    return OK;
}

/* Mostly it is the campaign of an earlier vote. */
static enum status find_campaign(struct store *s, struct shelf *f, struct ballot_vote *const *v,
                                 size_t i, struct err *e)
{
    struct campaign *c;

    for (size_t k = 0; k < i; k++)
        if (v[k]->campaign && v[k]->campaign->id == v[i]->ballot.of.campaign) {
            v[i]->campaign = v[k]->campaign;
            return OK;
        }
    c = NEW(v[i]->arena, struct campaign);
    v[i]->campaign = c;
    return shelf_get(f, v[i]->arena, s, v[i]->ballot.of.campaign, c, e);
}

enum status ballot_find_all(struct store *s, struct shelf *f, struct ballot_vote *const *v,
                            size_t n, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct val *ids = NEW_N(a, struct val, n + 1);

    for (size_t i = 0; i < n; i++)
        ids[i] = V_INT(v[i]->assignment);
    if (db_each_of(s->db, Q_ASSIGNMENT_GET, (struct args){ids, n}, n, take_assignment,
                   &(struct standing){.v = v}, e) != OK)
        return e->code;
    for (size_t i = 0; i < n; i++) {
        const struct assignment *of = &v[i]->ballot.of;
        if (!of->id || of->rater != v[i]->who)
            (void)err_set(&v[i]->e, E_ABSENT, "no such assignment");
        else if (of->gone)
            (void)err_set(&v[i]->e, E_ABSENT, "this was skipped, or left to someone else");
        else if (find_campaign(s, f, v, i, e) != OK)
            return e->code;
    }
    return OK;
}

/* ---- handing in ---- */

static void note_missing(const struct ballot_marks *m, const struct slot *slot,
                         const char *dimension, size_t *missing, const struct slot **first,
                         const char **which)
{
    const struct ballot_mark *mark = ballot_mark_of(m, &slot->is, dimension);

    if (mark && !mark->unmarked)
        return;
    if ((*missing)++ == 0) {
        *first = slot;
        *which = dimension;
    }
}

static enum status count_done(struct store *s, const struct campaign *c, const struct ballot *b,
                              struct err *e)
{
    if (b->of.phase == PHASE_PRACTICE)
        return OK;
    if (db_run(s->db, Q_CAMPAIGN_STALE, ARGS(V_INT(c->id)), NULL, e) != OK)
        return e->code;
    if (b->of.phase != PHASE_MAIN)
        return OK;
    if (db_run(s->db, Q_PASSAGE_DONE, ARGS(V_INT(c->id), V_INT(b->of.item)), NULL, e) != OK)
        return e->code;
    return rater_finish(s, c, b->of.rater, c->spec.passages, e);
}

static enum status submit_within(struct store *s, const struct campaign *c, const struct ballot *b,
                                 struct err *e)
{
    int64_t changed = 0;

    /* Lock order: campaign, assignment, rater; any other order could deadlock. */
    if (db_run(s->db, Q_CAMPAIGN_LOCK, ARGS(V_INT(c->id)), NULL, e) != OK ||
        db_run(s->db, Q_ASSIGNMENT_SUBMIT, ARGS(V_INT(b->of.id), V_INT(clock_utc_ms())), &changed,
               e) != OK)
        return e->code;
    return changed ? count_done(s, c, b, e) : OK; /* submitting twice is the same as once */
}

enum status ballot_submit(struct arena *a, struct store *s, const struct campaign *c,
                          const struct ballot *b, size_t *missing, const struct slot **slot,
                          const char **dimension, struct err *e)
{
    const struct instrument *in = &c->suite.instrument;
    struct ballot_marks marks = {0};

    *missing = 0;
    if (check_open(c, b, e) != OK || ballot_marks(a, s, b->of.id, &marks, e) != OK)
        return e->code;
    for (size_t i = 0; i < b->n; i++) {
        if (in->kind == INSTRUMENT_PAIR && !ballot_turned(&marks, &b->slots[i].is))
            note_missing(&marks, &b->slots[i], BALLOT_CHOICE, missing, slot, dimension);
        for (size_t k = 0; k < in->ndimensions && in->kind == INSTRUMENT_DIMENSIONS; k++)
            note_missing(&marks, &b->slots[i], in->dimensions[k].id, missing, slot, dimension);
    }
    if (*missing)
        return OK;
    return store_atomically(s, e, submit_within(s, c, b, e));
}

/* ---- other things that raters say ---- */

static enum status report_within(struct store *s, const struct campaign *c, const struct ballot *b,
                                 const struct shown *is, struct str why, struct err *e)
{
    const int64_t texts[] = {is->sample, is->other};
    int64_t now = clock_utc_ms();

    for (size_t i = 0; i < COUNT(texts); i++)
        if (texts[i] > 0 && db_run(s->db, Q_WITHHELD_REPORT,
                                   ARGS(V_INT(c->id), V_INT(texts[i]), V_INT(now)), NULL, e) != OK)
            return e->code;
    return db_run(s->db, Q_COMPLAINT_ADD,
                  ARGS(V_INT(c->id), V_INT(b->of.id), V_INT(is->sample), V_STR(why), V_INT(now)),
                  NULL, e);
}

enum status ballot_report(struct store *s, const struct campaign *c, const struct ballot *b,
                          const struct slot *slot, struct str why, struct err *e)
{
    if (utf8_count(why) > BALLOT_COMMENT_MAX)
        return err_set(e, E_INPUT, "a report may have at most %d characters", BALLOT_COMMENT_MAX);
    return store_atomically(s, e, report_within(s, c, b, &slot->is, why, e));
}

static enum status skip_within(struct store *s, const struct campaign *c, const struct ballot *b,
                               struct str why, struct err *e)
{
    int64_t changed = 0;

    if (db_run(s->db, Q_ASSIGNMENT_SKIP, ARGS(V_INT(b->of.id)), &changed, e) != OK)
        return e->code;
    if (!changed)
        return OK;
    return db_run(s->db, Q_COMPLAINT_ADD,
                  ARGS(V_INT(c->id), V_INT(b->of.id), V_INT(-1), V_STR(why), V_INT(clock_utc_ms())),
                  NULL, e);
}

enum status ballot_skip(struct store *s, const struct campaign *c, const struct ballot *b,
                        struct str why, struct err *e)
{
    if (b->of.phase == PHASE_PRACTICE)
        return err_set(e, E_USAGE, "a practice text cannot be skipped");
    if (ballot_waits(b))
        return err_set(e, E_USAGE, "the interview is not over");
    if (utf8_count(why) > BALLOT_COMMENT_MAX)
        return err_set(e, E_INPUT, "a reason may have at most %d characters", BALLOT_COMMENT_MAX);
    return store_atomically(s, e, skip_within(s, c, b, why, e));
}

enum status ballot_read(struct store *s, const struct ballot *b, struct err *e)
{
    return db_run(s->db, Q_ASSIGNMENT_READ, ARGS(V_INT(b->of.id)), NULL, e);
}

enum status ballot_complaints(struct arena *a, struct store *s, const struct campaign *c,
                              struct complaint_list *out, struct err *e)
{
    return db_list(s->db, Q_COMPLAINT_LIST, ARGS(V_INT(c->id)),
                   ROWS_INTO(a, out, COLUMNS_COMPLAINT(struct complaint)), e);
}
