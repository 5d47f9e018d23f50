#include "report/class_table.h"

#include <math.h>

#include "base/message.h"
#include "report/table.h"
#include "report/wording.h"

enum { DECIMALS = 2, COLUMNS = 80 };

static const char *interval(struct arena *a, const struct interval *i)
{
    const char *shown =
        show_interval(a, i->value, (struct show_range){i->low, i->high}, DECIMALS, "-");

    if (isfinite(i->low))
        return shown;
    return arena_printf(a, "%s (%s)", shown,
                        wording_interval(message_language(), interval_why_name(i->why)));
}

static json_t *ends_json(json_t *o, const struct interval *i)
{
    json_put_real(o, "lo", i->low);
    json_put_real(o, "hi", i->high);
    if (i->why)
        json_put_text(o, "why", interval_why_name(i->why));
    json_put_int(o, "n", (int64_t)i->n);
    return o;
}

static json_t *interval_json(const struct interval *i)
{
    json_t *o = json_object();

    json_put_real(o, "value", i->value);
    return ends_json(o, i);
}

static void print(const struct table *t, struct buf *out)
{
    (void)table_terminal(t, &(struct render_terminal){.columns = COLUMNS}, out);
}

/* ---- what it is worth ---- */

static struct table *bins(struct arena *a, const struct classifier_measures *m)
{
    /* clang-format off */
    static const struct table_field fields[] = {
        {{.key = "n", .head = "n", .kind = TABLE_COUNT}, TABLE_OF(struct classifier_bin, n)},
        {{.key = "predicted", .word = COLUMN_PREDICTED, .kind = TABLE_SCORE, .decimals = DECIMALS}, TABLE_OF(struct classifier_bin, predicted)},
    };
    /* clang-format on */
    struct table *t = table_new(a, NULL, CLASSIFIER_BINS);
    struct table_cell *names = table_add(t, .word = COLUMN_PROBABILITY),
                      *from = table_add(t, .key = "from", .kind = TABLE_SCORE), *observed;

    table_fields(t, fields, COUNT(fields), m->bins, sizeof *m->bins);
    observed = table_add(t, .key = "observed", .word = COLUMN_OBSERVED, .kind = TABLE_SCORE,
                         .decimals = DECIMALS);
    for (size_t i = 0; i < CLASSIFIER_BINS; i++) {
        const struct classifier_bin *b = &m->bins[i];
        double low = (double)i / CLASSIFIER_BINS, high = (double)(i + 1) / CLASSIFIER_BINS;
        names[i] = table_text(arena_printf(a, "%.1f–%.1f", low, high));
        from[i] = table_number(low);
        observed[i] = table_number(b->n ? (double)b->positive / (double)b->n : (double)NAN);
    }
    return t;
}

void class_table_measures(const struct class_table *t, struct buf *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const struct classifier_measures *m = t->measures;
    char text[SHOW_MAX];

    buf_fmt(out, _("%s: %zu line%s, %zu %s, %zu %s\n"), t->path, m->n, message_s(m->n), m->positive,
            t->labels->name[1], m->n - m->positive, t->labels->name[0]);
    if (t->labels->repeated)
        buf_fmt(out, _("%zu repeated line%s left out\n"), t->labels->repeated,
                message_s(t->labels->repeated));
    if (t->folds)
        buf_fmt(out,
                _("%d-fold cross-validation: each line is judged by a classifier that has not "
                  "seen it\n"),
                t->folds);
    buf_fmt(out, _("\n  accuracy   %s\n"), interval(a, &m->accuracy));
    buf_fmt(out, _("  precision  %s  of \"%s\"\n"), interval(a, &m->precision), t->labels->name[1]);
    buf_fmt(out, _("  recall     %s\n"), interval(a, &m->recall));
    buf_fmt(out, _("  log loss   %s\n"), show_number(text, m->log_loss, DECIMALS, "-"));
    buf_text(out, _("\ncalibration\n"));
    print(bins(a, m), out);
    buf_fmt(out, _("  mean distance %s\n"), show_number(text, m->calibration_error, DECIMALS, "-"));
}

json_t *class_table_measures_json(const struct class_table *t)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const struct classifier_measures *m = t->measures;
    json_t *o = json_object();

    json_put_text(o, "file", t->path);
    json_put_int(o, "lines", (int64_t)m->n);
    json_put_int(o, "repeated", (int64_t)t->labels->repeated);
    json_put_text(o, "negative", t->labels->name[0]);
    json_put_text(o, "positive", t->labels->name[1]);
    json_put_int(o, "positives", (int64_t)m->positive);
    json_put(o, "folds", t->folds ? json_integer(t->folds) : json_null());
    json_put(o, "accuracy", interval_json(&m->accuracy));
    json_put_real(o, "precision", m->precision.value);
    (void)ends_json(json_put_object(o, "precision_interval"), &m->precision);
    json_put_real(o, "recall", m->recall.value);
    (void)ends_json(json_put_object(o, "recall_interval"), &m->recall);
    json_put_real(o, "log_loss", m->log_loss);
    json_put_real(o, "calibration_error", m->calibration_error);
    table_json(bins(a, m), json_put_list(o, "calibration"));
    return o;
}

/* ---- how much it finds ---- */

void class_table_rate(const struct interval *rate, double threshold, struct buf *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();

    buf_fmt(out, _("rate %s: share of %zu texts with a logit above %g"), interval(a, rate), rate->n,
            threshold);
    buf_text(out, isfinite(rate->low) ? _(" (95 % interval)\n") : "\n");
}

void class_table_curve(const struct classifier_point *curve, struct buf *out)
{
    /* clang-format off */
    static const struct table_field fields[] = {
        {{.word = COLUMN_LOGIT_ABOVE, .kind = TABLE_SCORE, .decimals = 1}, TABLE_OF(struct classifier_point, threshold)},
        {{.word = COLUMN_RATE, .kind = TABLE_INTERVAL, .decimals = DECIMALS}, TABLE_OF(struct classifier_point, rate)},
    };
    /* clang-format on */
    AUTO(arena_freep) struct arena *a = arena_new();
    struct table *t = table_new(a, NULL, CLASSIFIER_CURVE);

    table_fields(t, fields, COUNT(fields), curve, sizeof *curve);
    buf_char(out, '\n');
    print(t, out);
}

json_t *class_table_rate_json(const struct interval *rate, double threshold)
{
    json_t *o = interval_json(rate);

    json_put_real(o, "threshold", threshold);
    return o;
}

json_t *class_table_curve_json(const struct classifier_point *curve)
{
    json_t *list = json_array();

    for (size_t i = 0; i < CLASSIFIER_CURVE; i++)
        (void)json_array_append_new(list,
                                    class_table_rate_json(&curve[i].rate, curve[i].threshold));
    return list;
}
