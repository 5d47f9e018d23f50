/* Every key of the file of single sign-on. What they mean is in share/keys/sso.yaml. */
#include "web/sso.h"

#define AT(type, member) .at = offsetof(struct type, member)

static const char *const roles[] = {[SSO_NOBODY] = "nobody",
                                    [SSO_ADMIN] = "admin",
                                    [SSO_COORDINATOR] = "coordinator",
                                    [SSO_ANALYST] = "analyst",
                                    [SSO_MEMBER] = "member"};

static const struct shape_key rule_keys[] = {
    {"claim", SHAPE_WORD, AT(sso_rule, claim)},
    {"value", SHAPE_WORD, SHAPE_NEEDED, AT(sso_rule, value)},
    {"role", SHAPE_CHOICE, SHAPE_NEEDED, AT(sso_rule, role), SHAPE_WORDS(roles)},
    {"team", SHAPE_WORD, AT(sso_rule, team)},
};
static const struct shape rule = {SHAPE_OF("rule", rule_keys, struct sso_rule)};

static const struct shape_key sso_keys[] = {
    {"issuer", SHAPE_WORD, SHAPE_NEEDED, AT(sso, issuer)},
    {"client_id", SHAPE_WORD, SHAPE_NEEDED, AT(sso, client_id)},
    {"secret", SHAPE_WORD, AT(sso, secret_var)},
    {"title", SHAPE_WORD, AT(sso, title)},
    {"name", SHAPE_WORD, AT(sso, name_claim)},
    {"scopes", SHAPE_TEXTS, AT(sso, scopes), .count = offsetof(struct sso, nscopes),
     .max = SSO_SCOPES},
    {"roles", SHAPE_LIST, AT(sso, rules), .count = offsetof(struct sso, nrules), .of = &rule,
     .max = SSO_RULES},
    {"otherwise", SHAPE_CHOICE, AT(sso, otherwise), SHAPE_WORDS(roles)},
    {"second_factor", SHAPE_TEXTS, AT(sso, strong), .count = offsetof(struct sso, nstrong),
     .max = SSO_SCOPES},
};
const struct shape sso_shape = {SHAPE_OF("sso", sso_keys, struct sso)};

const char *sso_role_word(enum sso_role role)
{
    return roles[role];
}
