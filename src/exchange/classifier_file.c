/* Classifiers as files. */
#include <math.h>

#include "base/file.h"
#include "base/json.h"
#include "exchange/classifier.h"
#include "text/hashed.h"

enum { VERSION = 1, FILE_MAX = 16 << 20, WEIGHT_MAX = 1000000 };

static uint64_t bits_of(double v)
{
    uint64_t bits;

    memcpy(&bits, &v, sizeof bits);
    return bits;
}

void classifier_seal(const struct classifier *c, char out[HASH_HEX])
{
    struct hash h;

    hash_init(&h);
    hash_int(&h, VERSION);
    hash_str(&h, str_of(c->labels[0]));
    hash_str(&h, str_of(c->labels[1]));
    hash_int(&h, c->lines);
    hash_int(&h, (int64_t)bits_of(c->model.constant));
    for (size_t i = 0; i < HASHED_SIZE; i++) {
        if (c->model.weights[i] == 0)
            continue;
        hash_int(&h, (int64_t)i);
        hash_int(&h, (int64_t)bits_of(c->model.weights[i]));
    }
    hash_hex(&h, out);
}

/* ---- writing ---- */

static int64_t weights_count(const struct classifier *c)
{
    int64_t n = 0;

    for (size_t i = 0; i < HASHED_SIZE; i++)
        n += c->model.weights[i] != 0;
    return n;
}

static void put_head(struct buf *b, const struct classifier *c)
{
    buf_fmt(b, "{\"format\":\"classifier\",\"version\":%d,\"labels\":[", VERSION);
    json_quote(b, str_of(c->labels[0]));
    buf_char(b, ',');
    json_quote(b, str_of(c->labels[1]));
    buf_fmt(b, "],\"lines\":%lld,\"constant\":%.17g,\"weights\":%lld,\"hash\":\"%s\"}\n",
            (long long)c->lines, c->model.constant, (long long)weights_count(c), c->hash);
}

enum status classifier_save(const struct classifier *c, const char *path, struct err *e)
{
    AUTO(buf_done) struct buf b = BUF_MAX(FILE_MAX);

    put_head(&b, c);
    for (size_t i = 0; i < HASHED_SIZE; i++)
        if (c->model.weights[i] != 0)
            buf_fmt(&b, "%zu %.17g\n", i, c->model.weights[i]);
    if (b.full)
        return err_set(e, E_INPUT, "%s: over %d bytes", path, FILE_MAX);
    return file_write(path, buf_str(&b), e);
}

/* ---- reading ---- */

struct head {
    int64_t weights;
    struct str hash;
};

/* False: the line is no head of a classifier. */
static bool read_labels(struct arena *a, const json_t *j, struct classifier *c)
{
    const json_t *list = json_object_get(j, "labels");

    if (json_array_size(list) != 2)
        return false;
    for (size_t i = 0; i < 2; i++) {
        struct str label = json_str(json_array_get(list, i));
        if (label.n == 0 || label.n > LABEL_BYTES_MAX)
            return false;
        c->labels[i] = arena_text(a, label);
    }
    return strcmp(c->labels[0], c->labels[1]) != 0;
}

static enum status read_head(struct arena *a, struct str line, struct classifier *c,
                             struct head *out, struct err *e)
{
    AUTO(json_freep) json_t *j = NULL;
    int64_t version;

    if (json_read(line, &j, e) != OK || !str_is(json_str_at(j, "format", STR("")), "classifier"))
        return err_set(e, E_INPUT, "not a classifier (`audition classifier train` creates one)");
    version = json_int_at(j, "version", 0);
    if (version != VERSION)
        return err_set(e, E_INPUT, "a version %lld classifier; this program reads version %d",
                       (long long)version, VERSION);
    c->lines = json_int_at(j, "lines", -1);
    c->model.constant = json_num_at(j, "constant", NAN);
    *out =
        (struct head){json_int_at(j, "weights", -1), arena_str(a, json_str_at(j, "hash", STR("")))};
    if (!read_labels(a, j, c) || c->lines < 0 || !(fabs(c->model.constant) <= WEIGHT_MAX) ||
        out->weights < 0 || out->weights > HASHED_SIZE)
        return err_set(e, E_INPUT, "damaged: its first line is incomplete");
    return OK;
}

/* "PLACE WEIGHT", places rising. */
static bool read_weight(struct str line, int64_t after, int64_t *place, double *weight)
{
    struct str head, rest;

    return str_cut(line, ' ', &head, &rest) && str_int(head, place) && str_double(rest, weight) &&
           *place > after && *place < HASHED_SIZE && *weight != 0 && fabs(*weight) <= WEIGHT_MAX;
}

static enum status read_weights(struct str text, int64_t count, double *weights, struct err *e)
{
    struct str line;
    int64_t n = 0, place = -1, next;
    double weight;

    for (; str_line(&text, &line); n++, place = next) {
        if (!read_weight(line, place, &next, &weight))
            return err_set(e, E_INPUT, "damaged at line %lld", (long long)n + 2);
        weights[next] = weight;
    }
    if (n != count)
        return err_set(e, E_INPUT, "damaged: %lld weights, but its first line says %lld",
                       (long long)n, (long long)count);
    return OK;
}

static enum status parse(struct arena *a, struct str text, struct classifier *c, struct err *e)
{
    struct str line = {0};
    struct head head = {0};

    if (utf8_check(text) != text.n || !str_line(&text, &line))
        return err_set(e, E_INPUT, "not a classifier (`audition classifier train` creates one)");
    if (read_head(a, line, c, &head, e) != OK)
        return e->code;
    c->model.weights = NEW_N(a, double, HASHED_SIZE);
    if (read_weights(text, head.weights, c->model.weights, e) != OK)
        return e->code;
    classifier_seal(c, c->hash);
    if (!str_is(head.hash, c->hash))
        return err_set(e, E_INPUT, "damaged: its contents do not match its hash");
    return OK;
}

enum status classifier_parse(struct arena *a, struct str text, const char *path,
                             struct classifier *out, struct err *e)
{
    struct classifier c = {0};

    if (parse(a, text, &c, e) != OK)
        return err_wrap(e, "%s", path);
    *out = c;
    return OK;
}

enum status classifier_load(struct arena *a, const char *path, struct classifier *out,
                            struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct str text;

    if (file_read(scratch, path, FILE_MAX, &text, e) != OK)
        return e->code;
    return classifier_parse(a, text, path, out, e);
}
