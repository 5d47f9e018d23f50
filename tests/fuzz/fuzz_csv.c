/* Any bytes as a CSV file: what is read, once written again, reads the same. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/csv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { RECORD_MAX = 4096 };

static enum status open_bytes(struct csv *c, struct str bytes, struct err *e)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    char path[40];
    enum status s;

    if (fd < 0 || write(fd, bytes.p, bytes.n) != (ssize_t)bytes.n)
        abort();
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    s = csv_open(c, path, RECORD_MAX, e);
    (void)close(fd);
    c->lines.path = "fuzz";
    return s;
}

static bool would_be_guarded(struct str s)
{
    double number;

    return s.n && memchr("=+-@\t\r", s.p[0], 6) && !str_double(s, &number);
}

/* The record that c holds, written and read back. */
static void check_record(const struct csv *c)
{
    AUTO(buf_done) struct buf out = BUF_MAX(4 * RECORD_MAX);
    AUTO(csv_close) struct csv back = {0};
    struct err e = {0};
    bool more = false;

    buf_text(&out, "a,b\n"); /* the first record says what separates fields */
    for (size_t i = 0; i < c->n; i++)
        csv_put(&out, c->fields[i], i == 0);
    buf_char(&out, '\n');
    if (out.full || open_bytes(&back, buf_str(&out), &e) != OK || csv_next(&back, &more, &e) != OK)
        abort();
    if (csv_next(&back, &more, &e) != OK) {
        if (!strstr(e.msg, "record over")) /* guards make a record longer */
            abort();
        return;
    }
    if (!more || back.n != c->n)
        abort();
    for (size_t i = 0; i < c->n; i++)
        if (!str_eq(str_from(back.fields[i], would_be_guarded(c->fields[i])), c->fields[i]))
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(csv_close) struct csv c = {0};
    struct err e = {0};
    bool more = true;
    int64_t line = 0;

    if (open_bytes(&c, (struct str){(const char *)data, size}, &e) != OK)
        abort();
    for (int records = 0; records < 50 && more; records++) {
        if (csv_next(&c, &more, &e) != OK)
            break;
        if (more && c.line <= line)
            abort();
        line = c.line;
        if (more)
            check_record(&c);
    }
    return 0;
}
