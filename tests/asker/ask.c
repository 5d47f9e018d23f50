/* ask - the client of tests/serve.sh: one process for all requests of a script, so that libcurl
 * is loaded once and not for each of them.
 *
 * A request on stdin is the number of its arguments and then these: the URL, the file of cookies,
 * options as curl has them; a zero byte behind each. The page goes to the file `page`, its head to
 * `head`, and when both are there, a line to stdout: the status, or what went wrong. Everything
 * else is as with curl: a connection for each request, cookies read from their file and written
 * back. Options that no script uses are refused. */
#include <ctype.h>
#include <curl/curl.h>
#include <stdlib.h>

#include "base/file.h"

enum { ARGUMENTS_MAX = 200, BODY_MAX = 64 << 20 };

struct request {
    struct arena *a;
    CURL *easy;
    struct curl_slist *headers;
    struct buf body;
    bool posts;
};

static NORETURN void fail(const char *what, const char *which)
{
    fprintf(stderr, "ask: %s: %s\n", what, which);
    exit(2);
}

/* NULL: nothing more comes. */
static const char *argument(struct arena *a)
{
    char *text = NULL;
    size_t room = 0;
    ssize_t n = getdelim(&text, &room, '\0', stdin);

    arena_own(a, free, text);
    return n > 0 ? text : NULL;
}

/* Data of several options is one form. */
static void body_add(struct request *r, struct str data)
{
    if (r->posts)
        buf_char(&r->body, '&');
    r->posts = true;
    buf_add(&r->body, data);
}

static void body_add_file(struct request *r, const char *path)
{
    struct err e = {0};
    struct str data;

    if (file_read(r->a, path, BODY_MAX, &data, &e) != OK)
        fail("cannot be sent", path);
    body_add(r, data);
}

/* NAME=VALUE, the value as forms of browsers have it */
static void body_add_encoded(struct request *r, const char *field)
{
    struct str name, value;

    if (!str_cut(str_of(field), '=', &name, &value))
        fail("is no field with a value", field);
    body_add(r, name);
    buf_char(&r->body, '=');
    for (size_t i = 0; i < value.n; i++) {
        unsigned char c = (unsigned char)value.p[i];
        if (isalnum(c) || strchr("-._~", c))
            buf_char(&r->body, (char)c);
        else if (c == ' ')
            buf_char(&r->body, '+');
        else
            buf_fmt(&r->body, "%%%02X", c);
    }
}

static void option(struct request *r, const char *name, const char *value)
{
    struct str opt = str_of(name);

    if (str_is(opt, "--data-binary") && value[0] == '@')
        body_add_file(r, value + 1);
    else if (value[0] == '@')
        fail("no file can be given", name);
    else if (str_is(opt, "-d") || str_is(opt, "--data-binary"))
        body_add(r, str_of(value));
    else if (str_is(opt, "--data-urlencode"))
        body_add_encoded(r, value);
    else if (str_is(opt, "-H"))
        r->headers = curl_slist_append(r->headers, value);
    else if (str_is(opt, "-X"))
        curl_easy_setopt(r->easy, CURLOPT_CUSTOMREQUEST, value);
    else if (str_is(opt, "-A"))
        curl_easy_setopt(r->easy, CURLOPT_USERAGENT, value);
    else if (str_is(opt, "-b") && strchr(value, '='))
        curl_easy_setopt(r->easy, CURLOPT_COOKIE, value);
    else
        fail("unknown option", name);
}

static void request_prepare(struct request *r, const char *const *args, int64_t n)
{
    curl_easy_setopt(r->easy, CURLOPT_URL, args[0]);
    curl_easy_setopt(r->easy, CURLOPT_COOKIEFILE, args[1]);
    curl_easy_setopt(r->easy, CURLOPT_COOKIEJAR, args[1]);
    curl_easy_setopt(r->easy, CURLOPT_USERAGENT, "curl/" LIBCURL_VERSION);
    curl_easy_setopt(r->easy, CURLOPT_SSL_VERIFYPEER, 0L);
    curl_easy_setopt(r->easy, CURLOPT_SSL_VERIFYHOST, 0L);
    curl_easy_setopt(r->easy, CURLOPT_TIMEOUT, 60L);
    for (int64_t i = 2; i < n; i += 2)
        option(r, args[i], args[i + 1]);
    curl_easy_setopt(r->easy, CURLOPT_HTTPHEADER, r->headers);
    if (r->posts) {
        curl_easy_setopt(r->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)r->body.n);
        curl_easy_setopt(r->easy, CURLOPT_POSTFIELDS, r->body.n > 0 ? r->body.p : "");
    }
}

static CURLcode request_send(struct request *r, long *status)
{
    FILE *page = fopen("page", "wb"), *head = fopen("head", "wb");
    CURLcode code;

    if (!page || !head)
        fail("cannot be written", "page, head");
    curl_easy_setopt(r->easy, CURLOPT_WRITEDATA, page);
    curl_easy_setopt(r->easy, CURLOPT_HEADERDATA, head);
    code = curl_easy_perform(r->easy);
    curl_easy_getinfo(r->easy, CURLINFO_RESPONSE_CODE, status);
    curl_easy_cleanup(r->easy); /* writes the cookies */
    if (fclose(page) != 0 || fclose(head) != 0)
        fail("cannot be written", "page, head");
    return code;
}

static void answer(struct arena *a, const char *const *args, int64_t n)
{
    struct request r = {.a = a, .easy = curl_easy_init(), .body = BUF_MAX(BODY_MAX)};
    long status = 0;
    CURLcode code;

    request_prepare(&r, args, n);
    code = request_send(&r, &status);
    if (code == CURLE_OK)
        printf("%03ld\n", status);
    else
        printf("%s\n", curl_easy_strerror(code));
    (void)fflush(stdout);
    curl_slist_free_all(r.headers);
    buf_done(&r.body);
}

int main(void)
{
    struct arena *a = arena_new();
    const char *count, *args[ARGUMENTS_MAX];
    int64_t n;

    (void)curl_global_init(CURL_GLOBAL_DEFAULT);
    while ((count = argument(a))) {
        if (!str_int(str_of(count), &n) || n < 2 || n > ARGUMENTS_MAX || n % 2 != 0)
            fail("is no number of arguments", count);
        for (int64_t i = 0; i < n; i++) {
            args[i] = argument(a);
            if (!args[i])
                fail("fewer arguments came than", count);
        }
        answer(a, args, n);
        arena_reset(a);
    }
    arena_free(a);
    curl_global_cleanup();
    return 0;
}
