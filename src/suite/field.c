#include "suite/field.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/asset.h"
#include "base/file.h"
#include "text/rune.h"

enum { NEIGHBOURS_MAX = 1000, BUILT_IN_MAX = 200 }; /* files considered for a suggestion */

const struct node *field_get(const struct node *map, const char *key)
{
    const struct node *n = node_get(map, key);

    return n && !node_is_null(n) ? n : NULL;
}

bool field_is_id(struct str s)
{
    return str_made_of(s, "-_.") && s.n <= FIELD_ID_MAX;
}

bool field_is_yaml(struct str path)
{
    return str_ends(path, STR(".yaml")) || str_ends(path, STR(".yml"));
}

/* Empty if absent or if there is no text, which is an error. */
static struct str id_text(const struct node *n, struct diags *d)
{
    struct str id = node_text(n, STR(""), d);

    if (n && n->kind == NODE_SCALAR && id.n == 0)
        diags_error(d, n->at, "an id cannot be empty");
    return id;
}

const char *field_id(struct arena *a, const struct node *n, const char *otherwise, struct diags *d)
{
    struct str id = id_text(n, d);

    if (id.n == 0)
        return otherwise;
    if (!field_is_id(id)) {
        diags_error(d, n->at,
                    "expected an id of at most %d letters, digits, '-', '_' and '.'; found '%.*s'",
                    FIELD_ID_MAX, STR_ARG(utf8_head(id, 40)));
        return otherwise;
    }
    return arena_text(a, id);
}

static bool is_name(struct str s)
{
    bool good = utf8_count(s) <= FIELD_ID_MAX;

    while (s.n && good) {
        struct str one = {s.p, 1};
        uint32_t r = utf8_next(&s);
        good = r < 0x80 ? field_is_id(one) : !rune_is_sign(r) && !rune_is_space(r);
    }
    return good;
}

const char *field_name(struct arena *a, const struct node *n, const char *otherwise,
                       struct diags *d)
{
    struct str name = rune_composed(a, id_text(n, d));

    if (name.n == 0)
        return otherwise;
    if (is_name(name))
        return arena_text(a, name);
    diags_error(d, n->at,
                "expected an id of at most %d letters and digits of any script, '-', '_' and '.', "
                "without spaces; found '%.*s'",
                FIELD_ID_MAX, STR_ARG(utf8_head(name, 40)));
    return otherwise;
}

struct str field_plain(struct arena *a, const struct node *n, struct diags *d)
{
    struct str s = node_text(n, STR(""), d);

    if (n && s.n > FIELD_TEXT_MAX)
        diags_error(d, n->at, "the text has %zu bytes; at most %d are allowed", s.n,
                    FIELD_TEXT_MAX);
    while (s.n && (s.p[s.n - 1] == '\n' || s.p[s.n - 1] == '\r'))
        s.n--;
    return s.n ? arena_str(a, s) : STR("");
}

static const struct node *pick_language(const struct node *map, const char *language)
{
    const struct str wanted[] = {str_of(language), {language, strcspn(language, "-_")}, STR("en")};

    for (size_t i = 0; i < COUNT(wanted); i++)
        for (const struct node *m = map->first; m; m = m->next)
            if (str_eq(m->key->text, wanted[i]))
                return m;
    return map->first;
}

struct str field_text(struct arena *a, const struct node *n, const char *language, struct diags *d)
{
    if (!n || n->kind != NODE_MAP)
        return field_plain(a, n, d);
    if (!n->first) {
        diags_error(d, n->at, "expected text, or text by language such as {en: ..., zh: ...}");
        return STR("");
    }
    return field_plain(a, pick_language(n, language), d);
}

const char *field_stem(struct arena *a, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

    return arena_text(a, (struct str){name, strcspn(name, ".")});
}

const char *field_in_language(struct arena *a, const char *folder, const char *name,
                              const char *language)
{
    const char *own = arena_printf(a, "%s.%.*s", name, (int)strcspn(language, "-_"), language);

    return asset_find(arena_printf(a, "%s%s.yaml", folder, own)) ? own
                                                                 : arena_printf(a, "%s.en", name);
}

const char *field_built_in(struct arena *a, const char *folder, struct str written)
{
    const char *names[BUILT_IN_MAX];
    size_t n = 0;

    for (const struct asset *f = NULL; n < BUILT_IN_MAX && (f = asset_next(f, folder)) != NULL;) {
        struct str rest = str_from(str_of(f->name), strlen(folder));
        if (field_is_yaml(rest))
            names[n++] = arena_text(a, (struct str){rest.p, rest.n - strlen(".yaml")});
    }
    return diag_suggest(written, names, n);
}

/* "items/live-chat.yaml" for "items/live-chta.yaml", or NULL. */
static const char *nearest_file(struct arena *a, const char *path, struct str written)
{
    const char *names[NEIGHBOURS_MAX], *near, *slash = strrchr(path, '/');
    const char *dir = slash ? arena_printf(a, "%.*s/", (int)(slash - path), path) : ".";
    size_t n = 0, keep = written.n;
    const struct dirent *entry;
    DIR *listing = opendir(dir);

    if (!listing)
        return NULL;
    /* cppcheck-suppress readdirCalled ; the directory stream is this function's own */
    while (n < NEIGHBOURS_MAX && (entry = readdir(listing)) != NULL)
        if (entry->d_name[0] != '.')
            names[n++] = arena_text(a, str_of(entry->d_name));
    (void)closedir(listing);
    near = diag_suggest(str_of(slash ? slash + 1 : path), names, n);
    while (keep > 0 && written.p[keep - 1] != '/')
        keep--;
    return near ? arena_printf(a, "%.*s%s", (int)keep, written.p, near) : NULL;
}

/* ---- files and access restrictions ---- */

static bool outside_allowed; /* see field_allow_outside() */

void field_allow_outside(void)
{
    outside_allowed = true;
}

/* Normalizes "/a/b/../c/./d" to "/a/c/d", whether it exists or not. */
static const char *plain_path(struct arena *a, const char *path)
{
    char *out = arena_alloc(a, strlen(path) + 2);
    struct str rest = str_of(path), part;
    size_t n = 0;

    while (rest.n) {
        if (!str_part(&rest, '/', &part) || !part.n || str_is(part, "."))
            continue;
        if (str_is(part, "..")) {
            while (n > 0 && out[--n] != '/')
                ;
            continue;
        }
        out[n++] = '/';
        memcpy(out + n, part.p, part.n);
        n += part.n;
    }
    out[n] = '\0';
    return out;
}

/* Resolves symbolic links as far as the path exists. */
static const char *real_path(struct arena *a, const char *path)
{
    char *real = realpath(path, NULL);
    const char *slash = strrchr(path, '/'), *out;

    if (real)
        out = arena_text(a, str_of(real));
    else if (!slash)
        out = strcmp(path, ".") == 0 ? "/" : arena_printf(a, "%s/%s", real_path(a, "."), path);
    else
        out = plain_path(
            a, arena_printf(a, "%s/%s",
                            slash == path
                                ? ""
                                : real_path(a, arena_printf(a, "%.*s", (int)(slash - path), path)),
                            slash + 1));
    free(real);
    return out;
}

/* The directory that the file `beside` may read, with a trailing slash. */
static const char *folder_of(struct arena *a, const char *beside)
{
    const struct str shelf = STR("/suites/");
    const char *slash = strrchr(beside, '/'),
               *dir = real_path(
                   a, slash ? arena_printf(a, "%.*s", (int)(slash - beside + 1), beside) : ".");

    dir = arena_printf(a, "%s/", strcmp(dir, "/") == 0 ? "" : dir);
    for (size_t n = strlen(dir); n >= shelf.n; n--)
        if (memcmp(dir + n - shelf.n, shelf.p, shelf.n) == 0)
            return arena_printf(a, "%.*s", (int)n, dir);
    return dir;
}

bool field_is_outside(struct arena *a, const char *beside, const char *path)
{
    return !outside_allowed && !str_starts(str_of(arena_printf(a, "%s/", real_path(a, path))),
                                           str_of(folder_of(a, beside)));
}

/* True for pipes and devices, which might never end. */
static bool is_endless(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

static const char *find_file(struct arena *a, const struct node *n, const char *beside,
                             const char *what, bool anywhere, struct diags *d)
{
    struct str written = node_text(n, STR(""), d);
    const char *path, *near;

    if (written.n == 0 || memchr(written.p, '\0', written.n) || written.n > 4096) {
        diags_error(d, n->at, "expected a file name");
        return NULL;
    }
    if (!beside) {
        diags_error(d, n->at, "a file cannot be named here");
        return NULL;
    }
    path = file_beside(a, beside, arena_text(a, written));
    if (!anywhere && field_is_outside(a, beside, path)) {
        diags_error(d, n->at,
                    "'%.*s' is outside the folder of this file; --allow-outside lets it be read",
                    STR_ARG(written));
        return NULL;
    }
    if (!anywhere && is_endless(path)) {
        diags_error(d, n->at, "'%.*s' is neither a file nor a folder", STR_ARG(written));
        return NULL;
    }
    if (file_exists(path))
        return path;
    near = nearest_file(a, path, written);
    diags_error(d, n->at, near ? "no %s '%.*s' (did you mean '%s'?)" : "no %s '%.*s'", what,
                STR_ARG(written), near);
    return NULL;
}

const char *field_file(struct arena *a, const struct node *n, const char *beside, const char *what,
                       struct diags *d)
{
    return find_file(a, n, beside, what, false, d);
}

const char *field_any_file(struct arena *a, const struct node *n, const char *beside,
                           const char *what, struct diags *d)
{
    return find_file(a, n, beside, what, true, d);
}

const char *field_parameters(struct arena *a, const struct node *n, struct diags *d)
{
    static const char *const ours[] = {"model", "messages", "stream"};
    AUTO(json_freep) json_t *j = NULL;

    if (!n)
        return "{}";
    if (n->kind != NODE_MAP) {
        diags_error(d, n->at, "expected a map such as {temperature: 0.7, max_tokens: 512}");
        return "{}";
    }
    for (size_t i = 0; i < COUNT(ours); i++) {
        const struct node *m = node_get(n, ours[i]);
        if (m)
            diags_error(d, m->key->at, "'%s' is set by the program and cannot be given here",
                        ours[i]);
    }
    j = doc_to_json(n);
    return json_text(a, j);
}
