/* mockllm - an OpenAI-compatible endpoint for tests and benchmarks, on loopback unless told
 * otherwise.
 *
 * Answers are a function of the request and --seed, latency is simulated, faults come at a
 * chosen rate. Ends on SIGTERM, SIGINT or after --stop-after seconds, with a summary line. */
#include <getopt.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "mock/endpoint.h"

struct settings {
    struct endpoint_options endpoint;
    int port;
    const char *address, *port_file, *pid_file;
    int64_t stop_after_s;
};

static const char usage[] =
    "usage: mockllm [options]\n"
    "  --port N            listen on port N; 0, the default, takes a free one\n"
    "  --address A         of this IPv4 address (127.0.0.1)\n"
    "  --port-file F       write the port to F when ready\n"
    "  --pid-file F        write the process id to F when ready\n"
    "  --latency MS        answer after MS milliseconds (0)\n"
    "  --jitter MS         and up to MS more (0)\n"
    "  --faults RATE       share of attempts that fail, 0 to 1 (0)\n"
    "  --fault-kinds A,B   of 429 429-after 429-ms 500 503 html reset cut truncated utf8\n"
    "                      surrogate empty drip silence\n"
    "  --rps N             answer 429 beyond N requests a second\n"
    "  --log FILE          append a line per finished request\n"
    "  --seed S            choose other answers and faults (1)\n"
    "  --dimensions D      what judges score: \"quality=0|0.5|1,humour=0|1|2\"\n"
    "  --reply-bytes N     length of an answer, about (400)\n"
    "  --require-key KEY   refuse requests without this bearer\n"
    "  --only SUFFIX       paths that end otherwise are not there\n"
    "  --stop-after S      end after S seconds whatever happens (3600)\n";

static enum status number(const char *name, const char *text, int64_t max, int64_t *out,
                          struct err *e)
{
    int64_t v;

    if (!str_int(str_of(text), &v) || v < 0 || v > max)
        return err_set(e, E_USAGE, "--%s: \"%s\" is not a number from 0 to %lld", name, text,
                       (long long)max);
    *out = v;
    return OK;
}

static enum status rate(const char *text, double *out, struct err *e)
{
    double v;

    if (!str_double(str_of(text), &v) || v < 0 || v > 1)
        return err_set(e, E_USAGE, "--faults: \"%s\" is not a share from 0 to 1", text);
    *out = v;
    return OK;
}

static const struct option options[] = {
    {"port", 1, NULL, 'p'},        {"port-file", 1, NULL, 'P'},  {"pid-file", 1, NULL, 'I'},
    {"latency", 1, NULL, 'l'},     {"jitter", 1, NULL, 'j'},     {"faults", 1, NULL, 'f'},
    {"fault-kinds", 1, NULL, 'k'}, {"rps", 1, NULL, 'r'},        {"log", 1, NULL, 'L'},
    {"seed", 1, NULL, 's'},        {"dimensions", 1, NULL, 'd'}, {"reply-bytes", 1, NULL, 'b'},
    {"require-key", 1, NULL, 'K'}, {"stop-after", 1, NULL, 'S'}, {"only", 1, NULL, 'O'},
    {"address", 1, NULL, 'a'},     {"help", 0, NULL, 'h'},       {NULL, 0, NULL, 0},
};

static enum status set_number(struct settings *s, int option, const char *name, struct err *e)
{
    struct endpoint_options *ep = &s->endpoint;
    int64_t hour_ms = 3600 * 1000, v = 0;

    switch (option) {
    case 'p':
        if (number(name, optarg, 65535, &v, e) == OK)
            s->port = (int)v;
        return e->code;
    case 'l':
        return number(name, optarg, hour_ms, &ep->fate.latency_ms, e);
    case 'j':
        return number(name, optarg, hour_ms, &ep->fate.jitter_ms, e);
    case 'r':
        return number(name, optarg, 1000000, &ep->rps, e);
    case 's':
        if (number(name, optarg, INT64_MAX, &v, e) == OK)
            ep->answer.seed = ep->fate.seed = (uint64_t)v;
        return e->code;
    case 'b':
        if (number(name, optarg, ANSWER_BYTES_MAX / 4, &v, e) == OK)
            ep->answer.reply_bytes = (size_t)v;
        return e->code;
    default:
        return number(name, optarg, 7 * 24 * 3600, &s->stop_after_s, e);
    }
}

static enum status set(struct settings *s, int option, const char *name, struct err *e)
{
    struct endpoint_options *ep = &s->endpoint;

    switch (option) {
    case 'a':
        s->address = optarg;
        return OK;
    case 'P':
        s->port_file = optarg;
        return OK;
    case 'I':
        s->pid_file = optarg;
        return OK;
    case 'L':
        ep->log = optarg;
        return OK;
    case 'K':
        ep->key = optarg;
        return OK;
    case 'O':
        ep->only = optarg;
        return OK;
    case 'f':
        return rate(optarg, &ep->fate.rate, e);
    case 'k':
        return fate_kinds(&ep->fate, str_of(optarg), e);
    case 'd':
        return answer_dimensions(&ep->answer, str_of(optarg), e);
    default:
        return set_number(s, option, name, e);
    }
}

/* E_STOP after --help. */
static enum status settings_read(struct settings *s, int argc, char **argv, struct err *e)
{
    int option, which = 0;

    s->endpoint.answer.seed = s->endpoint.fate.seed = 1;
    s->endpoint.answer.reply_bytes = 400;
    s->address = "127.0.0.1";
    s->stop_after_s = 3600;
    if (fate_kinds(&s->endpoint.fate, str_of(fate_kinds_default), e) != OK ||
        answer_dimensions(&s->endpoint.answer, STR("quality=0|0.25|0.5|0.75|1"), e) != OK)
        return e->code;
    while ((option = getopt_long(argc, argv, "", options, &which)) != -1) {
        if (option == 'h')
            return err_set(e, E_STOP, "help");
        if (option == '?')
            return err_set(e, E_USAGE, "see mockllm --help");
        if (set(s, option, options[which].name, e) != OK)
            return e->code;
    }
    return optind < argc ? err_set(e, E_USAGE, "\"%s\" is not an option", argv[optind]) : OK;
}

static enum status file_number(const char *path, long long v, struct err *e)
{
    char text[32];

    if (!path)
        return OK;
    (void)snprintf(text, sizeof text, "%lld\n", v);
    return file_write(path, str_of(text), e);
}

static enum status serve(const struct settings *s, struct server *server, struct err *e)
{
    printf("mockllm: http://%s:%d\n", s->address, server_port(server));
    (void)fflush(stdout);
    if (file_number(s->pid_file, getpid(), e) != OK ||
        file_number(s->port_file, server_port(server), e) != OK)
        return e->code;
    return server_run(server, s->stop_after_s * 1000, e);
}

static enum status run(const struct settings *s, struct err *e)
{
    AUTO(buf_done) struct buf summary = BUF_MAX(4096);
    struct endpoint *endpoint = NULL;
    struct server *server = NULL;

    if (endpoint_new(&endpoint, &s->endpoint, e) != OK)
        return e->code;
    if (server_new(&server, s->address, s->port, endpoint_hooks(endpoint), e) == OK)
        (void)serve(s, server, e);
    server_free(server); /* first: what was in flight is counted as gone */
    if (e->code == OK) {
        endpoint_summary(endpoint, &summary);
        (void)fputs(buf_str(&summary).p, stdout);
    }
    endpoint_free(endpoint);
    return e->code;
}

int main(int argc, char **argv)
{
    struct settings s = {0};
    struct err e = {0};

    if (settings_read(&s, argc, argv, &e) == OK && run(&s, &e) == OK)
        return 0;
    if (e.code == E_STOP) {
        (void)fputs(usage, stdout);
        return 0;
    }
    fprintf(stderr, "mockllm: %s\n", e.msg);
    return e.code == E_USAGE ? 2 : 1;
}
