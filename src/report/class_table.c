#include "report/class_table.h"

#include <math.h>

#include "report/show.h"

enum { DECIMALS = 2 };

static void put_number(struct buf *out, int width, double v)
{
    char text[SHOW_MAX];

    buf_fmt(out, "%*s", width, show_number(text, v, DECIMALS, "-"));
}

static void put_interval(struct buf *out, const struct interval *i)
{
    put_number(out, 0, i->value);
    buf_text(out, " [");
    put_number(out, 0, i->low);
    buf_text(out, ", ");
    put_number(out, 0, i->high);
    buf_char(out, ']');
}

/* ---- on a terminal ---- */

static void put_bins(const struct classifier_measures *m, struct buf *out)
{
    buf_text(out, "\ncalibration\n  probability       n  predicted  observed\n");
    for (size_t i = 0; i < CLASSIFIER_BINS; i++) {
        const struct classifier_bin *b = &m->bins[i];
        buf_fmt(out, "  %.1f to %.1f  %7zu", (double)i / CLASSIFIER_BINS,
                (double)(i + 1) / CLASSIFIER_BINS, b->n);
        put_number(out, 11, b->predicted);
        put_number(out, 10, b->n ? (double)b->positive / (double)b->n : NAN);
        buf_char(out, '\n');
    }
    buf_text(out, "  mean distance ");
    put_number(out, 0, m->calibration_error);
    buf_char(out, '\n');
}

void class_table_measures(const struct class_table *t, struct buf *out)
{
    const struct classifier_measures *m = t->measures;

    buf_fmt(out, "%s: %zu lines, %zu %s, %zu %s\n", t->path, m->n, m->positive, t->labels->name[1],
            m->n - m->positive, t->labels->name[0]);
    if (t->labels->repeated)
        buf_fmt(out, "%zu repeated lines left out\n", t->labels->repeated);
    if (t->folds)
        buf_fmt(out,
                "%d-fold cross-validation: each line is judged by a classifier that has not "
                "seen it\n",
                t->folds);
    buf_text(out, "\n  accuracy   ");
    put_interval(out, &m->accuracy);
    buf_text(out, "\n  precision  ");
    put_number(out, 0, m->precision);
    buf_fmt(out, "  of \"%s\"\n  recall     ", t->labels->name[1]);
    put_number(out, 0, m->recall);
    buf_text(out, "\n  log loss   ");
    put_number(out, 0, m->log_loss);
    buf_char(out, '\n');
    put_bins(m, out);
}

void class_table_rate(const struct interval *rate, double threshold, struct buf *out)
{
    buf_text(out, "rate ");
    put_interval(out, rate);
    buf_fmt(out, ": share of %zu texts with a logit above %g (95 %% Wilson interval)\n", rate->n,
            threshold);
}

void class_table_curve(const struct classifier_point *curve, struct buf *out)
{
    buf_text(out, "\n  logit above  rate\n");
    for (size_t i = 0; i < CLASSIFIER_CURVE; i++) {
        buf_fmt(out, "  %11.1f  ", curve[i].threshold);
        put_interval(out, &curve[i].rate);
        buf_char(out, '\n');
    }
}

/* ---- as JSON ---- */

static void set(json_t *object, const char *key, json_t *value)
{
    (void)json_object_set_new(object, key, value);
}

static void set_number(json_t *object, const char *key, double v)
{
    set(object, key, isfinite(v) ? json_real(v) : json_null());
}

static void set_count(json_t *object, const char *key, size_t n)
{
    set(object, key, json_integer((json_int_t)n));
}

static json_t *from_interval(const struct interval *i)
{
    json_t *o = json_object();

    set_number(o, "value", i->value);
    set_number(o, "lo", i->low);
    set_number(o, "hi", i->high);
    set_count(o, "n", i->n);
    return o;
}

static json_t *from_bins(const struct classifier_measures *m)
{
    json_t *list = json_array();

    for (size_t i = 0; i < CLASSIFIER_BINS; i++) {
        const struct classifier_bin *b = &m->bins[i];
        json_t *o = json_object();
        set_number(o, "from", (double)i / CLASSIFIER_BINS);
        set_count(o, "n", b->n);
        set_number(o, "predicted", b->predicted);
        set_number(o, "observed", b->n ? (double)b->positive / (double)b->n : NAN);
        (void)json_array_append_new(list, o);
    }
    return list;
}

json_t *class_table_measures_json(const struct class_table *t)
{
    const struct classifier_measures *m = t->measures;
    json_t *o = json_object();

    set(o, "file", json_from_str(str_of(t->path)));
    set_count(o, "lines", m->n);
    set_count(o, "repeated", t->labels->repeated);
    set(o, "negative", json_from_str(str_of(t->labels->name[0])));
    set(o, "positive", json_from_str(str_of(t->labels->name[1])));
    set_count(o, "positives", m->positive);
    if (t->folds)
        set_count(o, "folds", (size_t)t->folds);
    set(o, "accuracy", from_interval(&m->accuracy));
    set_number(o, "precision", m->precision);
    set_number(o, "recall", m->recall);
    set_number(o, "log_loss", m->log_loss);
    set_number(o, "calibration_error", m->calibration_error);
    set(o, "calibration", from_bins(m));
    return o;
}

json_t *class_table_rate_json(const struct interval *rate, double threshold)
{
    json_t *o = from_interval(rate);

    set_number(o, "threshold", threshold);
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
