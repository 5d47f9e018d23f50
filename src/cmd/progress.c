#include "cmd/progress.h"

#include <math.h>
#include <unistd.h>

#include "base/message.h"
#include "base/words.h"
#include "cmd/term.h"
#include "report/grid.h"
#include "text/rune.h"

enum { LINE_BYTES = 4096, LINES_MS = 5000, BAR_MOST = 20, BAR_LEAST = 5, GUESS_ROWS = 5 };

void progress_init(struct progress *p, const struct app *app, const char *what,
                   const volatile sig_atomic_t *stop)
{
    bool live = isatty(fileno(app->err)) && !app->common.verbose;

    *p = (struct progress){
        .to = app->err,
        .unicode = !app->common.plain,
        .what = what,
        .stop = stop,
        .mode = app->common.quiet || app->common.json ? PROGRESS_NONE
                : live                                ? PROGRESS_LIVE
                                                      : PROGRESS_LINES,
        .seconds = -1,
        .counted = -1,
        .last = BUF_MAX(LINE_BYTES),
    };
}

/* ---- numbers ---- */

static int64_t finished(const struct run_progress *r)
{
    return r->samples.done + r->samples.failed + r->verdicts.done + r->verdicts.unscored +
           r->verdicts.failed;
}

/* Seconds left at the pace so far; -1 while that would be a wild guess. A countdown that goes up is
 * worse than one that stands still, so the time shown stays until it is true. */
static int64_t seconds_left(struct progress *p, const struct run_progress *now)
{
    int64_t done = finished(now) - p->done_before, left;
    int64_t rest = now->samples.total + now->verdicts.total - finished(now);

    if (done < GUESS_ROWS || now->elapsed_ms < 1000 || rest <= 0)
        return -1;
    left = (int64_t)((double)now->elapsed_ms * (double)rest / (double)done / 1000) + 1;
    if (p->seconds < 0 || left < p->seconds)
        p->seconds = left;
    return p->seconds;
}

/* ---- a line of parts; a part without room is left out ---- */

struct line {
    struct buf text;
    const char *between;
    size_t room; /* columns */
};

static void add(struct line *l, const struct buf *part)
{
    size_t gap = l->text.n ? strlen(l->between) : 0;
    size_t need = gap + rune_columns(buf_str(part));

    if (part->n == 0 || need > l->room)
        return;
    l->room -= need;
    buf_text(&l->text, gap ? l->between : "");
    buf_add(&l->text, buf_str(part));
}

#define PART(l, ...)                                                                               \
    do {                                                                                           \
        struct buf part_ = BUF_MAX(LINE_BYTES);                                                    \
        buf_fmt(&part_, __VA_ARGS__);                                                              \
        add(l, &part_);                                                                            \
        buf_done(&part_);                                                                          \
    } while (0)

static int bar_width(const struct line *l)
{
    int width = (int)l->room / 4;

    return width > BAR_MOST ? BAR_MOST : width < BAR_LEAST ? BAR_LEAST : width;
}

static void add_flight(struct line *l, const struct progress *p, const struct run_progress *now)
{
    if (now->in_flight)
        PART(l, _("%d in flight (limit %d)"), now->in_flight, now->limit);
    if (now->throttled)
        PART(l, _("busy %s%lld"), p->unicode ? "×" : "x", (long long)now->throttled);
}

static void add_waiting(struct line *l, const struct run_progress *now)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct str who;

    if (!now->waiting)
        return;
    who = grid_text(a, str_of(message_show(a, NULL, now->waiting)), 60, "..");
    if (now->waiting_ms >= 0)
        PART(l, _("%.*s asked us to wait %lld s"), STR_ARG(who),
             (long long)(now->waiting_ms + 999) / 1000);
    else
        PART(l, _("waiting: %.*s"), STR_ARG(who));
}

static void add_time(struct line *l, int64_t s, bool left)
{
    long long hours = s / 3600;
    int minutes = (int)(s / 60 % 60), seconds = (int)(s % 60);

    if (hours)
        PART(l, left ? _("%lld:%02d:%02d left") : _("%lld:%02d:%02d so far"), hours, minutes,
             seconds);
    else
        PART(l, left ? _("%d:%02d left") : _("%d:%02d so far"), minutes, seconds);
}

static void add_tokens(struct line *l, int64_t n)
{
    if (n >= 10000000)
        PART(l, _("%.1fM tokens"), (double)n / 1e6);
    else if (n >= 10000)
        PART(l, _("%.1fk tokens"), (double)n / 1e3);
    else if (n > 0)
        PART(l, _("%lld tokens"), (long long)n);
}

static void add_spending(struct line *l, struct progress *p, const struct run_progress *now)
{
    int64_t seconds = seconds_left(p, now);

    if (!isnan(now->cost))
        PART(l, "$%.2f", now->cost);
    if (seconds >= 0)
        add_time(l, seconds, true);
    if (now->elapsed_ms >= 1000)
        add_time(l, now->elapsed_ms / 1000, false);
    add_tokens(l, now->tokens_in + now->tokens_out);
}

/* ---- on a terminal ---- */

/* The label and a bar; if `counted`, the numbers, too. */
static void add_head(struct line *l, const struct progress *p, const char *label, int64_t done,
                     int64_t total, bool counted)
{
    AUTO(buf_done) struct buf head = BUF_MAX(LINE_BYTES);
    int width = bar_width(l), full = total > 0 ? (int)(done * width / total) : 0;

    buf_fmt(&head, "  %s%*s  ", label, rune_gap(label, 8), "");
    for (int i = 0; i < width; i++)
        buf_text(&head, i < full ? (p->unicode ? "█" : "#") : (p->unicode ? "░" : "."));
    if (counted)
        buf_fmt(&head, "  %lld/%lld", (long long)done, (long long)total);
    add(l, &head);
}

/* Turns of conversations so far, in this process. */
static void add_turns(struct line *l, const struct progress *p, const struct run_progress *now)
{
    if (p->turns && now->turns > 0)
        PART(l, _("%lld turn%s"), (long long)now->turns, message_s(now->turns));
}

static void samples_line(struct line *l, const struct progress *p, const struct run_progress *now)
{
    add_head(l, p, p->what, now->samples.done + now->samples.failed, now->samples.total, true);
    if (now->samples.failed)
        PART(l, _("%lld failed"), (long long)now->samples.failed);
    add_turns(l, p, now);
    add_flight(l, p, now);
}

static void verdicts_line(struct line *l, struct progress *p, const struct run_progress *now)
{
    int64_t bad = now->verdicts.unscored + now->verdicts.failed;

    if (now->verdicts.total)
        add_head(l, p, _("verdicts"), now->verdicts.done + bad, now->verdicts.total, true);
    else
        PART(l, "          ");
    if (bad)
        PART(l, _("%lld unscored"), (long long)bad);
    add_waiting(l, now);
    add_spending(l, p, now);
}

/* Wrapping is off while we draw, so that a window that has become narrower does not scroll. */
static void draw(struct progress *p, const struct run_progress *now)
{
    size_t room = (size_t)term_columns(p->to) - 1;
    struct line first = {BUF_MAX(LINE_BYTES), "   ", room};
    struct line second = {BUF_MAX(LINE_BYTES), "   ", room};

    samples_line(&first, p, now);
    verdicts_line(&second, p, now);
    fprintf(p->to, "%s\033[?7l%.*s\033[K\n%.*s\033[K\033[?7h", p->drawn ? "\r\033[1A" : "",
            STR_ARG(buf_str(&first.text)), STR_ARG(buf_str(&second.text)));
    (void)fflush(p->to);
    p->drawn = true;
    buf_done(&first.text);
    buf_done(&second.text);
}

/* ---- elsewhere ---- */

static void plain_line(struct progress *p, const struct run_progress *now)
{
    struct line l = {p->last, _(", "), LINE_BYTES};
    int64_t bad = now->verdicts.unscored + now->verdicts.failed;

    buf_clear(&l.text);
    PART(&l, "%s %lld/%lld", p->what, (long long)(now->samples.done + now->samples.failed),
         (long long)now->samples.total);
    if (now->samples.failed)
        PART(&l, _("%lld failed"), (long long)now->samples.failed);
    add_turns(&l, p, now);
    if (now->verdicts.total)
        PART(&l, _("verdicts %lld/%lld"), (long long)(now->verdicts.done + bad),
             (long long)now->verdicts.total);
    if (bad)
        PART(&l, _("%lld unscored"), (long long)bad);
    add_flight(&l, p, now);
    add_waiting(&l, now);
    add_spending(&l, p, now);
    p->last = l.text;
}

static void write_plain(struct progress *p)
{
    if (p->last.n)
        fprintf(p->to, "%s\n", p->last.p);
    buf_clear(&p->last);
}

/* ---- */

static void tell_stopping(struct progress *p, const struct run_progress *now)
{
    p->told = true;
    if (p->drawn)
        fprintf(p->to, "\r\033[1A\033[J");
    p->drawn = false;
    if (now->in_flight == 0)
        fprintf(p->to, _("stopping: no requests in progress\n"));
    else
        fprintf(
            p->to,
            _("stopping: waiting for %d answer%s in progress; press Ctrl-C again to quit now\n"),
            now->in_flight, message_s(now->in_flight));
}

void progress_report(void *user, const struct run_progress *now)
{
    struct progress *p = user;

    if (!p->begun) {
        p->begun = true;
        p->done_before = finished(now);
    }
    if (!p->told && *p->stop)
        tell_stopping(p, now);
    if (p->mode == PROGRESS_LIVE) {
        draw(p, now);
    } else if (p->mode == PROGRESS_LINES) {
        bool same = finished(now) == p->counted && !p->turns;
        plain_line(p, now);
        if (same) /* a log needs no line where nothing has changed */
            buf_clear(&p->last);
        if (now->elapsed_ms - p->shown_ms >= LINES_MS && !same) {
            p->shown_ms = now->elapsed_ms;
            p->counted = finished(now);
            write_plain(p);
        }
    }
}

/* ---- a search ---- */

static void search_line(struct line *l, const struct progress *p,
                        const struct training_progress *now)
{
    AUTO(arena_freep) struct arena *a = arena_new();

    add_head(l, p, p->what, now->bytes, now->size, false);
    if (now->size)
        PART(l, "%s",
             words_with(a, message_language(), WORD_PERCENT,
                        arena_int(a, 100 * now->bytes / now->size)));
    PART(l, _("%lld line%s searched"), (long long)now->lines, message_s(now->lines));
}

void progress_search(struct progress *p, const struct training_progress *now, int64_t elapsed_ms)
{
    struct line l = {BUF_MAX(LINE_BYTES), "   ", (size_t)term_columns(p->to) - 1};

    if (p->mode == PROGRESS_LIVE) {
        search_line(&l, p, now);
        fprintf(p->to, "\r\033[?7l%.*s\033[K\033[?7h", STR_ARG(buf_str(&l.text)));
        (void)fflush(p->to);
        p->drawn = true;
    } else if (p->mode == PROGRESS_LINES && elapsed_ms - p->shown_ms >= LINES_MS) {
        p->shown_ms = elapsed_ms;
        fprintf(p->to, _("training data: %lld line%s searched\n"), (long long)now->lines,
                message_s(now->lines));
    }
    buf_done(&l.text);
}

void progress_say(struct progress *p, const char *what)
{
    if (p->mode != PROGRESS_LIVE)
        return;
    fprintf(p->to, "  %s", what);
    (void)fflush(p->to);
    p->said = true;
}

void progress_begin(struct progress *p, const struct app *app, const char *what)
{
    progress_init(p, app, "", NULL);
    progress_say(p, what);
}

void progress_done(struct progress *p)
{
    if (p->drawn)
        (void)fputc('\n', p->to);
    else if (p->said)
        fputs("\r\033[K", p->to);
    p->drawn = p->said = false;
    write_plain(p);
    buf_done(&p->last);
}
