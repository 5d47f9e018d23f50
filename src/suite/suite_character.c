/* Reads role cards, from their own files or inside the suite. */
#include "suite/role.h"
#include "suite/suite_read.h"

/* "lingxi" for "characters/lingxi.yaml". */
static struct str stem(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');

    return (struct str){name, dot && dot > name ? (size_t)(dot - name) : strlen(name)};
}

/* The description, under any of its three names; more than one is an error. */
static const struct node *find_text(struct suite_reading *r, const struct node *n)
{
    static const char *const names[] = {"text", "description", "card"};
    const struct node *found = NULL;

    for (size_t i = 0; i < COUNT(names); i++) {
        const struct node *one = field_get(n, names[i]);
        if (one && found)
            diags_error(r->d, one->key->at, "'%s' is another name for '%.*s': use one of them",
                        names[i], STR_ARG(found->key->text));
        else if (one)
            found = one;
    }
    return found;
}

/* A card in another language than the suite is allowed, but hardly ever intended. */
static void check_language(struct suite_reading *r, const struct node *n)
{
    struct str own = node_text(n, STR(""), r->d);

    if (own.n && r->s->language && strncmp(arena_text(r->a, own), r->s->language, 2) != 0)
        diags_warn(r->d, n->at, "the character's language is '%.*s', the suite's '%s'",
                   STR_ARG(own), r->s->language);
}

static void read_card(struct suite_reading *r, const struct node *n, const char *id,
                      struct character *out)
{
    out->id = id;
    if (!suite_read_shape(r, &suite_character_shape, n, out))
        return;
    out->text = field_text(r->a, find_text(r, n), r->s->language, r->d);
    if (out->text.n == 0)
        diags_error(r->d, n->at, "the character has no 'text' that describes it");
    out->lorebook = role_lorebook(r->a, field_get(n, "lorebook"), r->d);
    check_language(r, field_get(n, "language"));
}

static void read_character(struct suite_reading *r, const struct node *n, size_t position)
{
    struct character *out = &r->s->characters[position];
    const struct node *root = n;
    const char *id = position ? arena_printf(r->a, "character-%zu", position + 1) : "character";

    *out = (struct character){.id = id, .name = STR(""), .text = STR(""), .greeting = STR("")};
    if (n->kind == NODE_SCALAR) {
        struct str name;
        root = suite_read_file(r, n, "character file");
        if (!root)
            return;
        name = stem(root->at.source->path);
        if (field_is_id(name))
            id = arena_text(r->a, name);
    }
    read_card(r, root, id, out);
    for (size_t i = 0; i < position; i++)
        if (strcmp(r->s->characters[i].id, out->id) == 0)
            diags_error(r->d, n->at, "two characters share the id '%s'", out->id);
}

void suite_read_characters(struct suite_reading *r, const struct node *root)
{
    const struct node *one = field_get(root, "character"), *list = field_get(root, "characters");
    size_t n = one ? 1 : list ? list->n : 0;

    if (one && list) {
        diags_error(r->d, one->key->at, "give either 'character' or 'characters', not both");
    } else if (list && (list->kind != NODE_LIST || n == 0 || n > CHARACTERS_MAX)) {
        diags_error(r->d, list->at, "expected a list of 1 to %d characters", CHARACTERS_MAX);
        return;
    }
    r->s->characters = NEW_N(r->a, struct character, n);
    r->s->ncharacters = n;
    if (one)
        read_character(r, one, 0);
    else if (list)
        for (const struct node *m = list->first; m; m = m->next)
            read_character(r, m, r->s->ncharacters - n--);
}
