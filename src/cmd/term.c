#include "cmd/term.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/message.h"
#include "cmd/help.h"
#include "text/rune.h"

enum { COLUMNS = 80, COLUMNS_LEAST = 20, COLUMNS_WIDE = 10000, FAULTS_MAX = 4 << 20 };

int term_columns(FILE *to)
{
    const char *wish = getenv("COLUMNS");
    struct winsize w;
    int64_t n;

    if (!wish || !str_int(str_of(wish), &n) || n <= 0 || n > COLUMNS_WIDE)
        n = ioctl(fileno(to), TIOCGWINSZ, &w) == 0 && w.ws_col > 0 ? w.ws_col : COLUMNS;
    return n < COLUMNS_LEAST ? COLUMNS_LEAST : (int)n;
}

size_t term_help_columns(FILE *to)
{
    int columns = term_columns(to);

    return columns < HELP_COLUMNS ? (size_t)columns : HELP_COLUMNS;
}

struct render_terminal term_board(const struct app *app, bool full)
{
    return (struct render_terminal){
        .columns = term_columns(app->out),
        .window = isatty(fileno(app->out)),
        .colour = !app->common.plain && isatty(fileno(app->out)),
        .unicode = !app->common.plain,
        .full = full,
    };
}

enum status term_put(struct app *app, const struct buf *out, struct err *e)
{
    if (out->full)
        return err_set(e, E_INPUT, "the output is over %zu MB", out->max >> 20);
    (void)fwrite(out->p, 1, out->n, app->out);
    return OK;
}

enum status term_draw(struct app *app, const struct table *t, bool list, struct err *e)
{
    AUTO(buf_done) struct buf out = BUF_MAX(TERM_MAX);
    struct render_terminal how = term_board(app, true);

    if (list && !isatty(fileno(app->out)))
        how.columns = COLUMNS_WIDE;
    if (list)
        table_terminal_list(t, &how, &out);
    else
        (void)table_terminal(t, &how, &out);
    return term_put(app, &out, e);
}

enum status term_table(struct app *app, const struct table *t, bool list, struct err *e)
{
    json_t *rows;

    if (!app->common.json)
        return term_draw(app, t, list, e);
    rows = json_array();
    table_json(t, rows);
    return term_json(app, rows);
}

enum status term_json(struct app *app, json_t *json)
{
    fprintf(app->out, "%s\n", json_text(app->arena, json));
    json_decref(json);
    return OK;
}

json_t *term_text(struct app *app, const char *text)
{
    struct str s = str_of(text);

    return json_from_str(utf8_check(s) == s.n ? s : rune_clean(app->arena, s));
}

enum status term_wrote(struct app *app, const char *path)
{
    if (app->common.json)
        return term_json(app, json_pack("{s:o}", "file", term_text(app, path)));
    fprintf(app->out, _("wrote %s\n"), path);
    return OK;
}

void term_faults(struct app *app, const struct diags *d)
{
    AUTO(buf_done) struct buf text = BUF_MAX(FAULTS_MAX);

    diags_show(d, NULL, &text);
    if (text.n)
        fputs(text.p, app->err);
}

void term_difference(void *user, const char *difference)
{
    struct term_differences *d = user;
    struct arena *a = d->app->arena;

    if (d->n++ < TERM_DIFFERENCES)
        fprintf(d->app->err, "%s\n", rune_clean(a, str_of(message_show(a, NULL, difference))).p);
}
