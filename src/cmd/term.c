#include "cmd/term.h"
#include "base/message.h"
#include "text/rune.h"

#include <sys/ioctl.h>
#include <unistd.h>

enum { COLUMNS = 80, COLUMNS_LEAST = 20 };

int term_columns(FILE *to)
{
    struct winsize w;

    if (ioctl(fileno(to), TIOCGWINSZ, &w) != 0 || w.ws_col == 0)
        return COLUMNS;
    return w.ws_col < COLUMNS_LEAST ? COLUMNS_LEAST : w.ws_col;
}

struct render_terminal term_board(const struct app *app, bool full)
{
    return (struct render_terminal){
        .columns = term_columns(app->out),
        .colour = !app->common.plain && isatty(fileno(app->out)),
        .unicode = !app->common.plain,
        .full = full,
    };
}

void term_difference(void *user, const char *difference)
{
    struct term_differences *d = user;
    struct arena *a = d->app->arena;

    if (d->n++ < TERM_DIFFERENCES)
        fprintf(d->app->err, "%s\n", rune_clean(a, str_of(message_show(a, NULL, difference))).p);
}
