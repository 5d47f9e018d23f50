#include "panel/rater.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/json.h"
#include "gen/queries.h"

static const char *const state_names[] = {"invited",  "consented", "practising", "rating",
                                          "finished", "rejected",  "withdrawn"};

const char *rater_state_name(enum rater_state s)
{
    return state_names[s];
}

bool rater_state_read(struct str name, enum rater_state *out)
{
    for (size_t i = 0; i < COUNT(state_names); i++)
        if (str_is(name, state_names[i])) {
            *out = (enum rater_state)i;
            return true;
        }
    return false;
}

enum rater_state rater_state_of(struct str name)
{
    enum rater_state s = RATER_WITHDRAWN;

    (void)rater_state_read(name, &s);
    return s;
}

/* ---- secrets that people carry ---- */

enum {
    INVITE_LETTERS = 52, /* 260 bits: a link may be forwarded and pasted */
    WORDS_LETTERS = 32,  /* 160 bits: the words have to be typed */
};

/* A token of so many letters in groups of four, without letters that look alike. */
static void make_token(size_t letters, char out[RATER_TOKEN])
{
    static const char alphabet[] = "abcdefghijkmnpqrstuvwxyz23456789"; /* 32: five bits each */
    unsigned char bytes[INVITE_LETTERS];
    size_t n = 0;

    hash_random(bytes, sizeof bytes);
    for (size_t i = 0; i < letters; i++) {
        if (i && i % 4 == 0)
            out[n++] = '-';
        out[n++] = alphabet[bytes[i] & 31];
    }
    out[n] = '\0';
}

/* Ignores spaces, capitals and dashes, which people type differently. */
static const char *hash_token(struct arena *a, struct str token)
{
    AUTO(buf_done) struct buf b = BUF_MAX(RATER_TOKEN);
    char hex[HASH_HEX];

    for (size_t i = 0; i < token.n; i++) {
        char c = str_lower(token.p[i]);
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            buf_char(&b, c);
    }
    hash_hex_of(buf_str(&b), hex);
    return arena_text(a, str_of(hex));
}

/* ---- reading ---- */

static void read_rater(struct arena *a, const struct rows *r, void *out)
{
    row_into(a, r, COLUMNS_RATER(struct rater), out);
    ((struct rater *)out)->state = rater_state_of(row_str(r, C_RATER_STATE));
}

enum status rater_get(struct arena *a, struct store *s, int64_t id, struct rater *out,
                      struct err *e)
{
    struct rater found = {0};
    struct rows *r = db_query(s->db, Q_RATER_GET, ARGS(V_INT(id)), e);

    if (rows_next(r))
        read_rater(a, r, &found);
    if (rows_end(r, e) != OK)
        return e->code;
    if (!found.id)
        return err_set(e, E_ABSENT, "no such rater");
    *out = found;
    return OK;
}

enum status rater_named(struct arena *a, struct store *s, const struct campaign *c,
                        const char *pseudonym, struct rater *out, struct err *e)
{
    int64_t id = 0;
    bool found = false;

    if (db_int(s->db, Q_RATER_NAMED, ARGS(V_INT(c->id), V_TEXT(pseudonym)), &id, &found, e) != OK)
        return e->code;
    return found ? rater_get(a, s, id, out, e)
                 : err_set(e, E_ABSENT, "campaign '%s' has no rater '%s'", c->name, pseudonym);
}

const char *rater_logged(struct arena *a, const struct rater *r)
{
    return r->consent_ms ? r->pseudonym : arena_printf(a, "rater/%lld", (long long)r->id);
}

enum status rater_list(struct arena *a, struct store *s, int64_t campaign, struct rater_list *out,
                       struct err *e)
{
    return rater_page(a, s, campaign, 0, INT64_MAX, out, e);
}

enum status rater_page(struct arena *a, struct store *s, int64_t campaign, int64_t after, int64_t n,
                       struct rater_list *out, struct err *e)
{
    return db_list(s->db, Q_RATER_LIST, ARGS(V_INT(campaign), V_INT(after), V_INT(n)),
                   INTO(a, out, read_rater), e);
}

/* ---- invitations ---- */

enum status invite_add(struct store *s, const struct campaign *c, const char *label,
                       int64_t expires_ms, char token[RATER_TOKEN], struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    int64_t id;

    if (c->state == CAMPAIGN_CLOSED || c->state == CAMPAIGN_UNMASKED)
        return err_set(e, E_USAGE, "campaign '%s' is %s: nobody could rate in it", c->name,
                       campaign_state_name(c->state));
    if (c->spec.deadline_ms && c->spec.deadline_ms < clock_utc_ms())
        return err_set(e, E_USAGE, "the deadline of campaign '%s' has passed", c->name);
    make_token(INVITE_LETTERS, token);
    return db_int(s->db, Q_INVITE_ADD,
                  ARGS(V_INT(c->id), V_TEXT(hash_token(a, str_of(token))), V_TEXT(label),
                       V_INT(clock_utc_ms()), V_INT(expires_ms)),
                  &id, NULL, e);
}

enum status invite_page(struct arena *a, struct store *s, int64_t campaign, int64_t after,
                        int64_t n, struct invite_list *out, struct err *e)
{
    return db_list(s->db, Q_INVITE_LIST, ARGS(V_INT(campaign), V_INT(after), V_INT(n)),
                   ROWS_INTO(a, out, COLUMNS_INVITE(struct invite)), e);
}

enum status invite_revoke(struct store *s, const struct campaign *c, int64_t id, struct err *e)
{
    int64_t changed = 0;

    if (db_run(s->db, Q_INVITE_REVOKE, ARGS(V_INT(c->id), V_INT(id), V_INT(clock_utc_ms())),
               &changed, e) != OK)
        return e->code;
    return changed ? OK
                   : err_set(e, E_USAGE, "invitation %lld has already been used or revoked",
                             (long long)id);
}

enum status invite_look(struct arena *a, struct store *s, struct str token, struct invite *out,
                        struct err *e)
{
    struct invite i = {0};

    if (db_row(s->db, Q_INVITE_FIND, ARGS(V_TEXT(hash_token(a, token))), a,
               COLUMNS_INVITE_FIND(struct invite), &i, NULL, e) != OK)
        return e->code;
    if (!i.id)
        return err_set(e, E_ABSENT, "no such invitation");
    if (i.used_ms)
        return err_set(e, E_USAGE, "this invitation has been used");
    if (i.revoked_ms)
        return err_set(e, E_USAGE, "this invitation has been revoked");
    if (i.expires_ms < clock_utc_ms())
        return err_set(e, E_USAGE, "this invitation has expired");
    *out = i;
    return OK;
}

/* ---- becoming a rater ---- */

/* Random, because consecutive numbers would tell who came first. */
static const char *new_pseudonym(struct arena *a)
{
    unsigned char b[4];

    hash_random(b, sizeof b);
    return arena_printf(a, "r%02x%02x%02x%02x", b[0], b[1], b[2], b[3]);
}

static enum status add_rater(struct arena *a, struct store *s, int64_t campaign,
                             const char *language, struct rater *out, char words[RATER_TOKEN],
                             struct err *e)
{
    int64_t id = 0;

    make_token(WORDS_LETTERS, words);
    if (db_int(s->db, Q_RATER_ADD,
               ARGS(V_INT(campaign), V_TEXT(new_pseudonym(a)), V_TEXT(language),
                    V_TEXT(hash_token(a, str_of(words))), V_INT(clock_utc_ms())),
               &id, NULL, e) != OK)
        return e->code;
    return rater_get(a, s, id, out, e);
}

static enum status use_invite(struct arena *a, struct store *s, const struct invite *i,
                              const char *language, struct rater *out, char words[RATER_TOKEN],
                              struct err *e)
{
    int64_t used = 0;

    if (add_rater(a, s, i->campaign, language, out, words, e) != OK ||
        db_run(s->db, Q_INVITE_USE, ARGS(V_INT(i->id), V_INT(clock_utc_ms()), V_INT(out->id)),
               &used, e) != OK)
        return e->code;
    /* the second of two concurrent requests finds it used */
    return used ? OK : err_set(e, E_USAGE, "this invitation has been used");
}

enum status rater_accept(struct arena *a, struct store *s, struct str token, const char *language,
                         struct rater *out, char words[RATER_TOKEN], struct err *e)
{
    struct invite i = {0};
    struct rater r;

    if (invite_look(a, s, token, &i, e) != OK)
        return e->code;
    if (store_atomically(s, e, use_invite(a, s, &i, language, &r, words, e)) != OK)
        return e->code;
    *out = r;
    return OK;
}

enum status rater_join(struct arena *a, struct store *s, const struct campaign *c, struct str code,
                       const char *language, struct rater *out, char words[RATER_TOKEN],
                       struct err *e)
{
    if (!c->spec.code && !c->spec.open)
        return err_set(e, E_USAGE, "this campaign is by invitation only");
    if (c->spec.code &&
        !str_is_nocase(str_trim(code), c->spec.code)) /* phones capitalise the first letter */
        return err_set(e, E_USAGE, "this is not the code of this campaign");
    return add_rater(a, s, c->id, language, out, words, e);
}

/* Keyed with the campaign's secret: it shows whether two raters share a network, but not which. */
static const char *network_of(struct arena *a, const struct campaign *c, const char *network)
{
    char hex[HASH_HEX];
    struct hash h;

    hash_init_keyed(&h, str_of(c->secret));
    hash_str(&h, STR("network"));
    hash_str(&h, str_of(network));
    hash_hex(&h, hex);
    return arena_printf(a, "%.16s", hex);
}

enum status rater_look(struct arena *a, struct store *s, const struct campaign *c,
                       const struct rater_from *from, bool *known, bool *crowded, struct err *e)
{
    int64_t same = 0, near = 0, since = clock_utc_ms() - CLOCK_DAY_MS;

    if (((from->panel.n || c->spec.open) &&
         db_run(s->db, Q_CAMPAIGN_LOCK, ARGS(V_INT(c->id)), NULL, e) != OK) ||
        (from->panel.n && db_int(s->db, Q_RATER_PANEL, ARGS(V_INT(c->id), V_STR(from->panel)),
                                 &same, NULL, e) != OK) ||
        (c->spec.open &&
         db_int(s->db, Q_RATER_NETWORK,
                ARGS(V_INT(c->id), V_TEXT(network_of(a, c, from->network)), V_INT(since)), &near,
                NULL, e) != OK))
        return e->code;
    *known = same > 0;
    *crowded = c->spec.open && near >= c->spec.per_network;
    return OK;
}

enum status rater_came(struct arena *a, struct store *s, const struct campaign *c, int64_t id,
                       const struct rater_from *from, struct err *e)
{
    return db_run(s->db, Q_RATER_FROM,
                  ARGS(V_INT(id), from->panel.n ? V_STR(from->panel) : V_NULL,
                       c->spec.open ? V_TEXT(network_of(a, c, from->network)) : V_NULL),
                  NULL, e);
}

enum status rater_back(struct arena *a, struct store *s, struct str words, struct rater *out,
                       struct err *e)
{
    int64_t id = 0;
    bool found = false;

    if (db_int(s->db, Q_RATER_RETURN, ARGS(V_TEXT(hash_token(a, words))), &id, &found, e) != OK)
        return e->code;
    if (!found)
        return err_set(e, E_ABSENT, "we don't recognise this code");
    return rater_get(a, s, id, out, e);
}

enum status rater_new_words(struct store *s, int64_t id, char words[RATER_TOKEN], struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();

    make_token(WORDS_LETTERS, words);
    return db_run(s->db, Q_RATER_NEW_RETURN, ARGS(V_INT(id), V_TEXT(hash_token(a, str_of(words)))),
                  NULL, e);
}

/* ---- on the way ---- */

enum status rater_consent(struct store *s, const struct campaign *c, const struct rater *r,
                          const char *version, const char *language, struct err *e)
{
    if (strcmp(version, c->spec.consent_version) != 0)
        return err_set(e, E_USAGE, "the text has changed: read it again");
    return db_run(s->db, Q_RATER_CONSENT,
                  ARGS(V_INT(r->id), V_TEXT(version), V_INT(clock_utc_ms()), V_TEXT(language),
                       V_STR(spec_wording(&c->spec.consent, language))),
                  NULL, e);
}

/* Stores options by number, independent of the language they were read in. */
static const char *about_json(struct arena *a, const struct spec *spec, const int *answers,
                              const char **stratum)
{
    AUTO(json_freep) json_t *j = json_object();
    AUTO(buf_done) struct buf b = BUF_MAX(1024);

    for (size_t i = 0; i < spec->nabout; i++) {
        const struct question *q = &spec->about[i];
        bool said = answers[i] >= 0 && (size_t)answers[i] < q->noptions;
        if (said)
            (void)json_object_set_new(j, q->id, json_from_str(q->options[answers[i]].en));
        buf_fmt(&b, "%s%d", i ? "." : "", said ? answers[i] : -1);
    }
    *stratum = arena_text(a, buf_str(&b));
    return json_text(a, j);
}

enum status rater_about(struct store *s, const struct campaign *c, const struct rater *r,
                        const int *answers, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const char *stratum, *about = about_json(a, &c->spec, answers, &stratum);
    const char *next = state_names[c->spec.practice.on ? RATER_PRACTISING : RATER_RATING];

    return store_atomically(
        s, e,
        db_run(s->db, Q_RATER_ABOUT, ARGS(V_INT(r->id), V_TEXT(about), V_TEXT(stratum)), NULL, e) !=
                    OK ||
                db_run(s->db, Q_RATER_STATE,
                       ARGS(V_INT(r->id), V_TEXT(state_names[RATER_CONSENTED]), V_TEXT(next)), NULL,
                       e) != OK
            ? e->code
            : OK);
}

bool rater_must_practise(const struct campaign *c, const struct rater *r, int64_t now_ms)
{
    const struct practice *p = &c->spec.practice;

    if (!p->on || r->state != RATER_RATING || r->rounds == 0)
        return false;
    if (p->again_items && r->done - r->passed_done >= p->again_items)
        return true;
    return p->again_days && now_ms - r->passed_ms >= p->again_days * CLOCK_DAY_MS;
}

/* Completion code, for raters who are paid elsewhere. */
static const char *new_code(struct arena *a)
{
    unsigned char b[5];

    hash_random(b, sizeof b);
    return arena_printf(a, "%02X%02X%02X%02X%02X", b[0], b[1], b[2], b[3], b[4]);
}

enum status rater_finish(struct store *s, const struct campaign *c, int64_t id, int64_t least,
                         struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const char *code = c->spec.completion_code ? c->spec.completion_code : new_code(a);

    return db_run(s->db, Q_RATER_FINISH,
                  ARGS(V_INT(id), V_TEXT(code), V_INT(clock_utc_ms()), V_INT(least)), NULL, e);
}

enum status rater_exclude(struct store *s, const struct campaign *c, const char *pseudonym,
                          const char *who, const char *why, struct err *e)
{
    int64_t changed = 0;

    if (!*why)
        return err_set(e, E_USAGE, "give a reason: an exclusion without one cannot be justified");
    if (c->state == CAMPAIGN_UNMASKED)
        return err_set(e, E_USAGE,
                       "campaign '%s' is unmasked: a rater cannot be excluded once the results "
                       "have been seen",
                       c->name);
    if (db_run(
            s->db, Q_RATER_EXCLUDE,
            ARGS(V_INT(c->id), V_TEXT(pseudonym), V_TEXT(who), V_TEXT(why), V_INT(clock_utc_ms())),
            &changed, e) != OK)
        return e->code;
    if (!changed)
        return err_set(e, E_ABSENT, "campaign '%s' has no rater '%s'", c->name, pseudonym);
    return db_run(s->db, Q_CAMPAIGN_STALE, ARGS(V_INT(c->id)), NULL, e);
}
