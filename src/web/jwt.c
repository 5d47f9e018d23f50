#include "web/jwt.h"

#include "base/signature.h"
#include "text/base64.h"

enum { KEYS_MAX = 100 };

struct parts {
    struct str head, claims, signature; /* as written */
    struct str signed_text;             /* the first two, with the dot */
};

static enum status split(struct str token, struct parts *p, struct err *e)
{
    struct str rest;

    if (token.n > JWT_MAX)
        return err_set(e, E_INPUT, "the token is too long");
    if (!str_cut(token, '.', &p->head, &rest) || !str_cut(rest, '.', &p->claims, &p->signature) ||
        memchr(p->signature.p, '.', p->signature.n))
        return err_set(e, E_INPUT, "a token has three parts");
    p->signed_text = (struct str){token.p, p->head.n + 1 + p->claims.n};
    return OK;
}

static enum status read_part(struct arena *a, struct str part, json_t **out, struct err *e)
{
    struct str text = {0};

    if (base64_read(a, part, &text, e) != OK || json_read(text, out, e) != OK)
        return err_wrap(e, "the token");
    if (json_is_object(*out))
        return OK;
    return err_set(e, E_INPUT, "the token contains no object");
}

/* `none` and shared secrets (HS256) are not accepted as signatures. Neither are extensions that
 * must be understood (`crit`). */
static enum status read_head(const json_t *head, enum signature_kind *kind, struct err *e)
{
    struct str alg = json_str_at(head, "alg", STR("")), type = json_str_at(head, "typ", STR("JWT"));

    if (str_is(alg, "RS256"))
        *kind = SIGNATURE_RS256;
    else if (str_is(alg, "ES256"))
        *kind = SIGNATURE_ES256;
    else
        return err_set(e, E_INPUT, "the token is signed with '%.*s', not RS256 or ES256",
                       STR_ARG(utf8_head(alg, 20)));
    if (json_object_get(head, "crit") || !str_is_nocase(type, "JWT"))
        return err_set(e, E_INPUT, "the token is of an unknown kind");
    return OK;
}

/* Is this a key for such signatures, by its own description? */
static bool read_key(struct arena *a, const json_t *j, enum signature_kind kind,
                     struct signature_key *out)
{
    bool rsa = kind == SIGNATURE_RS256;
    struct err e;

    *out = (struct signature_key){.kind = kind};
    return str_is(json_str_at(j, "kty", STR("")), rsa ? "RSA" : "EC") &&
           str_is(json_str_at(j, "use", STR("sig")), "sig") &&
           str_is(json_str_at(j, "alg", rsa ? STR("RS256") : STR("ES256")),
                  rsa ? "RS256" : "ES256") &&
           (rsa || str_is(json_str_at(j, "crv", STR("")), "P-256")) &&
           base64_read(a, json_str_at(j, rsa ? "n" : "x", STR("")), &out->first, &e) == OK &&
           base64_read(a, json_str_at(j, rsa ? "e" : "y", STR("")), &out->second, &e) == OK;
}

static enum status check(struct arena *a, const struct parts *p, const json_t *head,
                         const json_t *keys, struct err *e)
{
    struct str id = json_str_at(head, "kid", STR("")), signature;
    const json_t *list = json_object_get(keys, "keys");
    enum signature_kind kind = SIGNATURE_RS256;
    struct signature_key key;
    bool known = false;

    if (read_head(head, &kind, e) != OK || base64_read(a, p->signature, &signature, e) != OK)
        return e->code;
    for (size_t i = 0; i < json_array_size(list) && i < KEYS_MAX; i++) {
        const json_t *j = json_array_get(list, i);
        if ((id.n && !str_eq(json_str_at(j, "kid", STR("")), id)) || !read_key(a, j, kind, &key))
            continue;
        known = true;
        if (signature_fits(&key, p->signed_text, signature))
            return OK;
    }
    if (!known)
        return err_set(e, E_ABSENT, "the provider has no key of that name");
    return err_set(e, E_INPUT, "the signature of the token is wrong");
}

enum status jwt_read(struct arena *a, struct str token, const json_t *keys, json_t **claims,
                     struct err *e)
{
    AUTO(json_freep) json_t *head = NULL;
    struct parts p = {0};

    *claims = NULL;
    if (split(token, &p, e) != OK || read_part(a, p.head, &head, e) != OK ||
        check(a, &p, head, keys, e) != OK)
        return e->code;
    return read_part(a, p.claims, claims, e);
}
