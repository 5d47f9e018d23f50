/* Serves the pages for raters and staff. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "base/message.h"
#include "base/sandbox.h"
#include "cmd/cmd.h"
#include "cmd/suite_args.h"
#include "store/store_web.h"
#include "web/server.h"

enum { PEM_MAX = 1 << 20, THREADS_MAX = 16, PER_ADDRESS = 256, PATHS_MAX = 64 };

struct serve_values {
    int64_t port;
    const char *bind, *public_url, *tls_cert, *tls_key, *sso;
    struct opt_list proxies, second;
};

static enum status read_pem(struct app *app, const char *path, const char **out, struct err *e)
{
    struct str text;

    if (!path)
        return OK;
    if (file_read(app->arena, path, PEM_MAX, &text, e) != OK)
        return e->code;
    *out = text.p;
    return OK;
}

static enum status read_sso(struct app *app, const char *path, struct sso *out, struct err *e)
{
    struct diags d;

    diags_init(&d, app->arena);
    sso_load(app->arena, path, out, &d);
    return suite_args_undone(app, &d, path, "nothing is served", e);
}

static unsigned thread_count(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    return cores < 2 ? 2 : cores > THREADS_MAX ? THREADS_MAX : (unsigned)cores;
}

/* The limit is high because a room of raters may share one address; behind a proxy everybody does,
 * so there is none. */
static unsigned per_address(const struct site *site)
{
    return site->loopback || site->nproxies ? 0 : PER_ADDRESS;
}

static const char *shown_url(struct app *app, const struct site *site, const char *bind, int port)
{
    bool six = strchr(bind, ':') != NULL;

    return site->origin ? site->origin
                        : arena_printf(app->arena, "%s://%s%s%s:%d", site->scheme, six ? "[" : "",
                                       bind, six ? "]" : "", port);
}

static enum status greet(struct app *app, const struct site *site, const char *url, struct err *e)
{
    int64_t accounts, admins;

    if (store_account_counts(app->store, &accounts, &admins, e) != OK)
        return e->code;
    fprintf(app->err, _("serving %s at %s\n"), db_url(app->store->db), url);
    if (!accounts)
        fprintf(app->err, _("No account yet: open %s/setup with the one-time code %s\n"), url,
                site->setup_code);
    (void)fflush(app->err);
    return OK;
}

/* ---- the sandbox ---- */

/* For name lookup, with the libraries that the C library loads for it; for certificates of model
 * servers; and for recorded replies in the working directory. */
/* clang-format off */
static const char *const readable[] = {
    "/etc/hosts", "/etc/host.conf", "/etc/nsswitch.conf", "/etc/resolv.conf", "/etc/gai.conf",
    "/etc/services", "/run/systemd/resolve", "/run/NetworkManager", "/run/resolvconf",
    "/etc/ssl", "/etc/pki", "/etc/ca-certificates", "/etc/gnutls", "/etc/crypto-policies",
    "/etc/localtime", "/etc/ld.so.cache", "/usr", "/lib", "/lib64",
    "/proc/self", "/dev/urandom", ".",
};
/* clang-format on */
/* Where SQLite sorts what does not fit into memory. */
static const char *const writable[] = {"/dev/null", "/var/tmp", "/tmp"};

struct paths {
    struct sandbox_path v[PATHS_MAX];
    size_t n;
};

static void add_path(struct paths *p, const char *path, bool write)
{
    if (path && *path && p->n < PATHS_MAX)
        p->v[p->n++] = (struct sandbox_path){path, write};
}

/* Passwords and certificates that libpq reads whenever it connects, in its own places and in those
 * that the URL names ("?sslrootcert=/..."). */
static void add_postgres(struct app *app, struct paths *p)
{
    static const char *const variables[] = {"PGPASSFILE",    "PGSERVICEFILE", "PGSYSCONFDIR",
                                            "PGSSLROOTCERT", "PGSSLCERT",     "PGSSLKEY",
                                            "PGSSLCRL"};
    static const char *const at_home[] = {".pgpass", ".pg_service.conf", ".postgresql"};
    const char *home = getenv("HOME");
    struct str rest = str_of(app->common.db), one, name, value;

    for (size_t i = 0; i < COUNT(variables); i++)
        add_path(p, getenv(variables[i]), false);
    for (size_t i = 0; home && i < COUNT(at_home); i++)
        add_path(p, arena_printf(app->arena, "%s/%s", home, at_home[i]), false);
    add_path(p, "/etc/postgresql-common", false);
    if (!str_cut(rest, '?', &name, &rest))
        return;
    while (str_part(&rest, '&', &one))
        if (str_cut(one, '=', &name, &value) && str_starts(value, STR("/")))
            add_path(p, arena_text(app->arena, value), false);
}

/* SQLite creates files beside the database, where it is after resolving links. */
static void add_sqlite(struct app *app, struct paths *p)
{
    struct str path = str_of(app->common.db);
    char *real;

    (void)str_drop(&path, STR("sqlite:"));
    real = realpath(path.p, NULL);
    if (real)
        add_path(p, file_beside(app->arena, arena_text(app->arena, str_of(real)), "."), true);
    free(real);
    add_path(p, getenv("SQLITE_TMPDIR"), true);
    add_path(p, getenv("TMPDIR"), true);
}

static void close_in(struct app *app)
{
    struct paths p = {.n = 0};
    unsigned holds;

    for (size_t i = 0; i < COUNT(readable); i++)
        add_path(&p, readable[i], false);
    for (size_t i = 0; i < COUNT(writable); i++)
        add_path(&p, writable[i], true);
    add_path(&p, getenv("CURL_CA_BUNDLE"), false);
    add_path(&p, getenv("SSL_CERT_FILE"), false);
    add_path(&p, getenv("SSL_CERT_DIR"), false);
    if (str_starts(str_of(app->common.db), STR("postgres")))
        add_postgres(app, &p);
    else
        add_sqlite(app, &p);
    holds = sandbox_enter(p.v, p.n);
    log_info("web", "sandbox files=%s calls=%s", holds & SANDBOX_FILES ? "closed" : "open",
             holds & SANDBOX_CALLS ? "closed" : "open");
    if (!(holds & SANDBOX_FILES))
        log_warn("web",
                 "this kernel has no Landlock: every file of its user is open to the server");
    if (geteuid() == 0)
        log_warn("web", "the server runs as root, which it does not need: use an ordinary account");
}

/* The first signal ends the server in order, a second one at once. */
static void wait_for_signal(struct app *app, const sigset_t *ends)
{
    int which;

    (void)sigwait(ends, &which);
    fprintf(app->err,
            _("finishing the requests in progress; press Ctrl-C again to stop at once\n"));
    (void)pthread_sigmask(SIG_UNBLOCK, ends, NULL);
}

static enum status run_server(struct app *app, const struct server_config *config, struct err *e)
{
    struct server *server;
    const char *url;
    sigset_t ends;
    enum status st;

    (void)sigemptyset(&ends);
    (void)sigaddset(&ends, SIGINT);
    (void)sigaddset(&ends, SIGTERM);
    (void)pthread_sigmask(SIG_BLOCK, &ends, NULL); /* before threads, which inherit it */
    close_in(app);
    if (server_open(&server, config, e) != OK)
        return e->code;
    url = shown_url(app, config->site, config->bind, server_listens(server));
    st = greet(app, config->site, url, e);
    if (st == OK)
        wait_for_signal(app, &ends);
    server_close(server);
    return st;
}

static enum status serve(struct app *app, struct err *e)
{
    const struct serve_values *v = app->values;
    struct site_config how = {.public_url = v->public_url,
                              .proxies = v->proxies.v,
                              .nproxies = v->proxies.n,
                              .second = v->second.v,
                              .nsecond = v->second.n,
                              .bind = v->bind,
                              .tls = v->tls_cert != NULL,
                              .routes = route_all()};
    struct server_config config = {
        .db = app->common.db, .bind = v->bind, .port = (int)v->port, .threads = thread_count()};
    struct site site;
    struct sso sso;
    enum status st;

    if (v->sso && read_sso(app, v->sso, &sso, e) != OK)
        return e->code;
    how.sso = v->sso ? &sso : NULL;
    if (!v->tls_cert != !v->tls_key)
        return err_set(e, E_USAGE, "--tls-cert and --tls-key must be given together");
    if (read_pem(app, v->tls_cert, &config.tls_cert, e) != OK ||
        read_pem(app, v->tls_key, &config.tls_key, e) != OK ||
        site_init(app->arena, &how, &site, e) != OK)
        return e->code;
    config.site = &site;
    config.per_address = per_address(&site);
    st = run_server(app, &config, e);
    site_done(&site);
    return st;
}

const struct command cmd_serve_command = {
    .name = "serve",
    .need = STORE_WRITE,
    .args = "[--port N] [--public-url URL]",
    .summary = "serve the pages for raters and staff",
    /* clang-format off */
    .opts = OPTS(
        {"port", 'p', OPT_COUNT, offsetof(struct serve_values, port), "N",
         "port to listen on; 0 picks a free one [8080]", 0, 65535},
        {"bind", 0, OPT_TEXT, offsetof(struct serve_values, bind), "ADDRESS",
         "address to listen on [127.0.0.1]", 0, 0},
        {"public-url", 0, OPT_TEXT, offsetof(struct serve_values, public_url), "URL",
         "how browsers reach this server if a proxy is in front of it", 0, 0},
        {"trusted-proxy", 0, OPT_LIST, offsetof(struct serve_values, proxies), "NETWORK",
         "trust X-Forwarded-For from this address or network; repeatable", 0, 0},
        {"second-factor", 0, OPT_LIST, offsetof(struct serve_values, second), "ROLE",
         "accounts of this role need a second factor to sign in; repeatable", 0, 0},
        {"sso", 0, OPT_TEXT, offsetof(struct serve_values, sso), "FILE",
         "let people sign in with the OpenID Connect provider that this file names (`audition help sso`)", 0, 0},
        {"tls-cert", 0, OPT_TEXT, offsetof(struct serve_values, tls_cert), "FILE",
         "serve HTTPS with this certificate (PEM, with its chain)", 0, 0},
        {"tls-key", 0, OPT_TEXT, offsetof(struct serve_values, tls_key), "FILE",
         "and its key (PEM)", 0, 0}),
    /* clang-format on */
    .size = sizeof(struct serve_values),
    .defaults = &(const struct serve_values){.port = 8080, .bind = "127.0.0.1"},
    .nargs = {0, 0},
    .run = serve,
};
