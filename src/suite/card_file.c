/* Extracts cards from the files that contain them. */
#include "suite/card.h"
#include "text/base64.h"
#include "text/png.h"
#include "text/unzip.h"

static enum status read_json(const struct card_desk *desk, struct str text, struct card *out,
                             struct err *e)
{
    AUTO(json_freep) json_t *j = NULL;

    if (text.n > CARD_JSON_MAX)
        return err_set(e, E_INPUT, "the card has %zu bytes of JSON (at most %d)", text.n,
                       CARD_JSON_MAX);
    if (json_read(str_unmarked(text), &j, e) != OK)
        return e->code;
    return card_from_json(desk, j, out, e);
}

/* `ccv3` takes precedence over `chara`, which tools add for programs that only know version 2. */
static const struct png_text *find_text(const struct png_texts *texts)
{
    static const char *const words[] = {"ccv3", "chara"};

    for (size_t w = 0; w < COUNT(words); w++)
        for (size_t i = 0; i < texts->n; i++)
            if (str_is_nocase(texts->v[i].keyword, words[w]))
                return &texts->v[i];
    return NULL;
}

static enum status read_png(const struct card_desk *desk, struct str file, struct card *out,
                            struct err *e)
{
    const struct png_text *found;
    struct png_texts texts;
    struct str text, json;

    if (png_read(desk->a, file, &texts, e) != OK)
        return e->code;
    found = find_text(&texts);
    if (!found)
        return err_set(e, E_INPUT,
                       "the image contains no character card (no text 'ccv3' or 'chara'); sites "
                       "and editors that convert images remove it");
    if (png_unpack(desk->a, found, &text, e) != OK)
        return e->code;
    json = str_trim(text);
    /* Some tools omit the base64 encoding. */
    if ((!str_starts(json, STR("{")) && base64_read(desk->a, text, &json, e) != OK) ||
        read_json(desk, json, out, e) != OK)
        return err_wrap(e, "the text '%.*s' at byte %zu of the PNG", STR_ARG(found->keyword),
                        found->at);
    return OK;
}

static enum status read_charx(const struct card_desk *desk, struct str file, struct card *out,
                              struct err *e)
{
    const struct unzip_file *f;
    struct unzip zip;
    struct str json;

    if (unzip_open(desk->a, file, &zip, e) != OK)
        return e->code;
    f = unzip_find(&zip, "card.json");
    if (!f)
        return err_set(e, E_INPUT, "the archive has no 'card.json' at its root: not a CHARX file");
    if (unzip_read(desk->a, &zip, f, CARD_JSON_MAX, &json, e) != OK)
        return e->code;
    if (read_json(desk, json, out, e) != OK)
        return err_wrap(e, "card.json");
    return OK;
}

enum status card_read(const struct card_desk *desk, struct str file, struct card *out,
                      struct err *e)
{
    if (str_trim(file).n == 0)
        return err_set(e, E_INPUT, "the file is empty");
    if (png_is(file))
        return read_png(desk, file, out, e);
    if (unzip_is(file))
        return read_charx(desk, file, out, e);
    if (str_starts(file, STR("\xFF\xD8\xFF")) || str_starts(file, STR("RIFF")))
        return err_set(e, E_INPUT, "a JPEG or WebP image; only PNG images can hold a card");
    if (read_json(desk, file, out, e) != OK)
        return str_starts(str_trim(str_unmarked(file)), STR("{"))
                   ? e->code
                   : err_wrap(e, "neither a PNG image nor CHARX nor a JSON object");
    return OK;
}
