#include "exchange/campaign_file.h"

#include "base/json.h"
#include "base/message.h"

enum { LINE_MAX_BYTES = 1 << 20 };

static const char *const names[COLUMN_FIELDS] = {
    "rater",   "passage",      "system",    "dimension", "value",     "schema",      "phase",
    "stratum", "other_system", "repeat",    "position",  "place",     "comment",     "quotes",
    "created", "saved",        "submitted", "active_ms", "revisions", "rater_state", "excluded",
};

/* Other names that count where a file has no column of the name itself. */
static const struct {
    const char *name;
    enum campaign_field field;
} aliases[] = {{"annotator", COLUMN_RATER},  {"judge", COLUMN_RATER},  {"item", COLUMN_PASSAGE},
               {"question", COLUMN_PASSAGE}, {"model", COLUMN_SYSTEM}, {"score", COLUMN_VALUE},
               {"mark", COLUMN_VALUE},       {"rating", COLUMN_VALUE}};

const char *campaign_file_column(enum campaign_field f)
{
    return names[f];
}

/* ---- CSV ---- */

static enum status read_header(struct campaign_file *f, struct err *e)
{
    bool more = false;

    if (csv_next(&f->csv, &more, e) != OK)
        return e->code;
    if (!more)
        return err_set(e, E_INPUT, "%s: the file is empty", f->path);
    f->width = f->csv.n;
    for (size_t i = 0; i < COLUMN_FIELDS; i++) {
        if (csv_find(&f->csv, names[i], &f->at[i], e) != OK)
            return e->code;
        for (size_t k = 0; k < COUNT(aliases) && f->at[i] == SIZE_MAX; k++)
            if (aliases[k].field == i && csv_find(&f->csv, aliases[k].name, &f->at[i], e) != OK)
                return e->code;
        if (i < COLUMN_NEEDED && f->at[i] == SIZE_MAX)
            return err_set(e, E_INPUT, "%s:%lld: no column '%s'; found: %s", f->path,
                           (long long)f->csv.line, names[i], csv_named(f->line, &f->csv));
    }
    return OK;
}

/* csv_put() has put an apostrophe before what a spreadsheet would take for a formula. */
static struct str without_guard(struct str s)
{
    if (s.n > 1 && s.p[0] == '\'' && strchr("=+-@\t\r", s.p[1]))
        return (struct str){s.p + 1, s.n - 1};
    return s;
}

static enum status next_record(struct campaign_file *f, struct campaign_line *out, bool *more,
                               struct err *e)
{
    if (csv_next(&f->csv, more, e) != OK)
        return e->code;
    if (!*more)
        return OK;
    out->number = f->csv.line;
    arena_reset(f->line);
    if (f->csv.n != f->width)
        out->fault =
            arena_printf(f->line, N_("%zu fields, but the header has %zu"), f->csv.n, f->width);
    for (size_t i = 0; i < COLUMN_FIELDS && !out->fault; i++)
        if (f->at[i] != SIZE_MAX)
            out->v[i] = without_guard(f->csv.fields[f->at[i]]);
    return OK;
}

/* ---- JSON lines ---- */

/* Numbers become text, so that both forms are read alike; null says nothing. Anything else is
 * passed on as it stands, for the reader to refuse. */
static struct str text_of(struct arena *a, const json_t *j)
{
    if (json_is_string(j))
        return arena_str(a, json_str(j));
    if (json_is_number(j))
        return str_of(arena_printf(a, "%.15g", json_number_value(j)));
    if (j && !json_is_null(j))
        return str_of(json_text(a, j));
    return j ? STR("") : (struct str){0};
}

static enum status next_object(struct campaign_file *f, struct campaign_line *out, bool *more,
                               struct err *e)
{
    AUTO(json_freep) json_t *j = NULL;
    struct str line = STR("");
    struct err unread;

    do {
        if (lines_next(&f->lines, &line, more, e) != OK)
            return e->code;
    } while (*more && str_trim(line).n == 0);
    if (!*more)
        return OK;
    out->number = f->lines.number;
    arena_reset(f->line);
    if (json_read(line, &j, &unread) == OK && !json_is_object(j))
        (void)err_set(&unread, E_INPUT, "expected an object");
    if (!json_is_object(j)) {
        out->fault = arena_text(f->line, str_of(unread.msg));
        return OK;
    }
    for (size_t i = 0; i < COLUMN_FIELDS; i++)
        out->v[i] = text_of(f->line, json_object_get(j, names[i]));
    for (size_t k = 0; k < COUNT(aliases); k++)
        if (!out->v[aliases[k].field].p)
            out->v[aliases[k].field] = text_of(f->line, json_object_get(j, aliases[k].name));
    for (size_t i = 0; i < COLUMN_NEEDED && !out->fault; i++)
        if (!out->v[i].p)
            out->fault = arena_printf(f->line, N_("the line has no '%s'"), names[i]);
    return OK;
}

/* ---- either ---- */

enum status campaign_file_open(struct campaign_file *f, const char *path, struct err *e)
{
    *f = (struct campaign_file){.path = path, .is_csv = str_ends(str_of(path), STR(".csv"))};
    if (!f->is_csv && !str_ends(str_of(path), STR(".jsonl")))
        return err_set(e, E_INPUT, "%s: expected a file of ratings, .csv or .jsonl", path);
    f->line = arena_new();
    if (!f->is_csv)
        return lines_open(&f->lines, path, LINE_MAX_BYTES, e);
    if (csv_open(&f->csv, path, LINE_MAX_BYTES, e) != OK)
        return e->code;
    return read_header(f, e);
}

enum status campaign_file_next(struct campaign_file *f, struct campaign_line *out, bool *more,
                               struct err *e)
{
    struct campaign_line line = {0};
    bool any = false;

    if ((f->is_csv ? next_record(f, &line, &any, e) : next_object(f, &line, &any, e)) != OK)
        return e->code;
    *out = line;
    *more = any;
    return OK;
}

void campaign_file_close(struct campaign_file *f)
{
    csv_close(&f->csv);
    lines_close(&f->lines);
    arena_free(f->line);
    *f = (struct campaign_file){0};
}
