#include "web/sso.h"

#include <stdlib.h>

#include "suite/field.h"
#include "web/account.h"
#include "web/address.h"

bool sso_url_ok(struct str url)
{
    struct str rest;

    for (size_t i = 0; i < url.n; i++)
        if ((unsigned char)url.p[i] <= ' ' || (unsigned char)url.p[i] >= 0x7F ||
            strchr("\"<>\\^`{|}@#", url.p[i]))
            return false;
    if (str_starts(url, STR("https://")))
        return url.n > strlen("https://");
    if (!str_drop(&url, STR("http://")))
        return false;
    (void)str_cut(url, '/', &url, &rest);
    (void)str_cut(url, '?', &url, &rest);
    return address_names_loopback(url);
}

/* ---- the file ---- */

static void read_secret(const struct node *n, struct sso *s, struct diags *d)
{
    const char *c = s->secret_var;

    if (!*c)
        return;
    for (; *c; c++) {
        if ((*c < 'A' || *c > 'Z') && *c != '_' && (*c < '0' || *c > '9')) {
            diags_error(d, n ? n->key->at : (struct place){0},
                        "'secret' is the NAME of an environment variable that holds it, such as "
                        "AUDITION_SSO_SECRET");
            return;
        }
    }
    s->secret = getenv(s->secret_var);
    if (!s->secret || !*s->secret)
        diags_error(d, n ? n->at : (struct place){0},
                    "%s is not set; put %s=... in the environment or in .env", s->secret_var,
                    s->secret_var);
}

static void read_rules(const struct node *list, struct sso *s, struct diags *d)
{
    const struct node *n = list && list->kind == NODE_LIST ? list->first : NULL;

    for (size_t i = 0; i < s->nrules; i++, n = n ? n->next : NULL) {
        struct sso_rule *r = &s->rules[i];
        if (!*r->claim)
            r->claim = "groups";
        if (*r->team && !account_name_ok(str_of(r->team)))
            diags_error(d, n ? n->at : (struct place){0},
                        "a team needs a name of letters, digits and . _ - @");
    }
    if (!s->nrules && s->otherwise == SSO_NOBODY)
        diags_error(d, list ? list->at : (struct place){0},
                    "nobody would get in: write 'roles', or 'otherwise: member'");
}

static void defaults(struct arena *a, struct sso *s)
{
    static const struct str scopes[] = {{"openid", 6}, {"profile", 7}, {"email", 5}},
                            strong[] = {{"mfa", 3}};

    if (!s->nscopes) {
        s->scopes = arena_copy(a, scopes, COUNT(scopes), sizeof *scopes);
        s->nscopes = COUNT(scopes);
    }
    if (!s->nstrong) {
        s->strong = arena_copy(a, strong, COUNT(strong), sizeof *strong);
        s->nstrong = COUNT(strong);
    }
    if (!*s->name_claim)
        s->name_claim = "preferred_username";
    if (!*s->title)
        s->title = s->issuer;
}

void sso_load(struct arena *a, const char *path, struct sso *out, struct diags *d)
{
    const struct node *root = doc_load(a, path, (struct place){0}, d);
    const struct shape_reading r = {.a = a, .d = d, .language = "en"};
    const struct node *issuer;

    *out = (struct sso){0};
    if (!root || !shape_read(&r, &sso_shape, root, out))
        return;
    issuer = field_get(root, "issuer");
    if (issuer && !sso_url_ok(str_of(out->issuer)))
        diags_error(d, issuer->at, "expected https://..., or http:// on this machine");
    read_secret(field_get(root, "secret"), out, d);
    read_rules(field_get(root, "roles"), out, d);
    defaults(a, out);
}

/* ---- what claims mean ---- */

static const json_t *claim_of(const json_t *claims, struct str name)
{
    struct str head, rest;
    const json_t *whole = json_object_getn(claims, name.p, name.n);

    if (whole || !str_cut(name, '.', &head, &rest)) /* "https://example.org/roles" is one name */
        return whole;
    return claim_of(json_object_getn(claims, head.p, head.n), rest);
}

/* Numbers and truths as they are written. */
static bool is_text(const json_t *j, struct str value)
{
    int64_t n;

    if (json_is_boolean(j))
        return str_is(value, json_is_true(j) ? "true" : "false");
    if (json_is_integer(j))
        return str_int(value, &n) && n == json_integer_value(j);
    return json_is_string(j) && str_eq(json_str(j), value);
}

bool sso_claims(const json_t *claims, const char *name, struct str value)
{
    const json_t *j = claim_of(claims, str_of(name)), *one;
    size_t i;

    json_array_foreach(j, i, one)
    {
        if (is_text(one, value))
            return true;
    }
    return is_text(j, value);
}

enum sso_role sso_role_of(const struct sso *s, const json_t *claims)
{
    for (size_t i = 0; i < s->nrules; i++)
        if (sso_claims(claims, s->rules[i].claim, str_of(s->rules[i].value)))
            return s->rules[i].role;
    return s->otherwise;
}

bool sso_is_strong(const struct sso *s, const json_t *claims)
{
    for (size_t i = 0; i < s->nstrong; i++)
        if (sso_claims(claims, "amr", s->strong[i]))
            return true;
    return false;
}
