#include "report/workers_table.h"

#include "base/clock.h"

struct shown {
    int64_t age_s, silent_s;
    struct worker_row w;
};

struct table *workers_table(struct arena *a, const struct worker_list *l, const char *language)
{
    /* clang-format off */
    static const struct table_field fields[] = {
        {{.key = "worker", .word = WORKERS_WORKER, .kind = TABLE_LINK}, TABLE_OF(struct shown, w.name)},
        {{.key = "version", .word = WORKERS_VERSION}, TABLE_OF(struct shown, w.version)},
        {{.key = "run", .word = PHRASE_RUN, .kind = TABLE_LINK}, TABLE_OF(struct shown, w.run)},
        {{.key = "rows", .word = WORKERS_ROWS, .kind = TABLE_COUNT}, TABLE_OF(struct shown, w.rows)},
        {{.key = "rate", .word = WORKERS_RATE, .kind = TABLE_SCORE, .decimals = 1}, TABLE_OF(struct shown, w.rate)},
        {{.key = "waiting", .word = WORKERS_WAITING, .flags = TABLE_SPARSE}, TABLE_OF(struct shown, w.waiting)},
        {{.key = "age_s", .word = WORKERS_AGE, .kind = TABLE_COUNT}, TABLE_OF(struct shown, age_s)},
        {{.key = "silent_s", .word = WORKERS_SILENT, .kind = TABLE_COUNT}, TABLE_OF(struct shown, silent_s)},
    };
    /* clang-format on */
    struct shown *rows = NEW_N(a, struct shown, l->n + 1);
    struct table *t = table_new(a, language, l->n);
    int64_t now = clock_utc_ms();

    for (size_t i = 0; i < l->n; i++)
        rows[i] = (struct shown){(now - l->v[i].since_ms) / 1000, (now - l->v[i].beat_ms) / 1000,
                                 l->v[i]};
    table_fields(t, fields, COUNT(fields), rows, sizeof *rows);
    return t;
}
