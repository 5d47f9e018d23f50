/* The manual page, as mdoc(7): the macros that both groff and mandoc know. */
#include "base/message.h"
#include "cmd/help.h"

#define DATE "November 15, 2026"

enum { LINE_COLUMNS = 60 };

/* In Chinese and Japanese no space follows such a mark. groff 1.22 with the macros of these
 * languages never ends if a text without spaces is longer than a line, so it is told where a line
 * may end. */
static bool line_may_end(struct str s, size_t last)
{
    static const char *const marks[] = {"、", "。", "，", "；", "：", "）", "」", NULL};

    return str_any((struct str){s.p, last + 1}, str_ends, marks);
}

/* Text escaped so that roff shows it unchanged. A word on a macro line begins with \& because it
 * may be the name of a macro. */
static void text(struct buf *out, struct str s)
{
    if (s.n && (s.p[0] == '.' || s.p[0] == '\''))
        buf_text(out, "\\&");
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\\')
            buf_text(out, "\\e");
        else if (s.p[i] == '-')
            buf_text(out, "\\-");
        else
            buf_char(out, s.p[i]);
        if (line_may_end(s, i))
            buf_text(out, "\\:");
    }
}

/* Words in lines of moderate length, each sentence on a line of its own, as roff likes it. */
static void prose(struct buf *out, struct str s)
{
    size_t column = 0;
    struct str w;

    while (str_part(&s, ' ', &w)) {
        bool sentence_ends = w.n && strchr(".?!", w.p[w.n - 1]);
        if (column)
            buf_char(out, ' ');
        text(out, w);
        column += w.n + 1;
        if (sentence_ends || column > LINE_COLUMNS || s.n == 0) {
            buf_char(out, '\n');
            column = 0;
        }
    }
}

static void word(struct buf *out, const char *cstr)
{
    buf_text(out, "\\&");
    text(out, str_of(cstr));
}

static void section(struct buf *out, const char *title)
{
    buf_fmt(out, ".Sh %s\n", title);
}

/* A text without a full stop of its own. */
static void sentence(struct buf *out, const char *english)
{
    text(out, str_of(_(english)));
    buf_text(out, message_language_of(message_language()) == ENGLISH ? ".\n" : "。\n");
}

/* ---- commands ---- */

static void option(struct buf *out, const struct opt *o)
{
    buf_text(out, ".It ");
    if (o->letter)
        buf_fmt(out, "Fl %c , ", o->letter);
    buf_text(out, "Fl \\-");
    text(out, str_of(o->name));
    /* An argument may be several words; each gets its own macro's protection. */
    for (struct str rest = str_of(o->arg), one; str_part(&rest, ' ', &one);) {
        buf_text(out, " Ar \\&");
        text(out, one);
    }
    buf_char(out, '\n');
    sentence(out, o->help);
}

static void options(struct buf *out, const struct opt *table)
{
    if (!table || !table->name)
        return;
    buf_text(out, ".Bl -tag -width Ds\n");
    for (; table->name; table++)
        option(out, table);
    buf_text(out, ".El\n");
}

static void details(struct buf *out, struct str all)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct str line;
    bool literal = false, gap = false;

    while (str_line(&all, &line)) {
        bool example = line.n && line.p[0] == ' ';
        if (example && !literal)
            buf_text(out, ".Bd -literal -offset indent\n");
        else if (literal && !example)
            buf_text(out, ".Ed\n");
        else if (line.n && gap)
            buf_text(out, ".Pp\n");
        if (literal && !example && line.n)
            buf_text(out, ".Pp\n");
        literal = example;
        gap = line.n == 0;
        if (example) {
            text(out, str_trim(line));
            buf_char(out, '\n');
        } else {
            prose(out, str_of(_(arena_text(a, line))));
        }
    }
    if (literal)
        buf_text(out, ".Ed\n");
}

static void synopsis(struct buf *out, const struct command *c)
{
    buf_text(out, ".Nm\n.Cm ");
    word(out, c->name);
    buf_char(out, '\n');
    if (c->args && *c->args) {
        text(out, str_of(c->args));
        buf_char(out, '\n');
    }
}

static void command(struct buf *out, const struct command *c)
{
    struct str more = help_details(c);

    buf_fmt(out, ".Ss audition %s", c->name);
    buf_char(out, '\n');
    synopsis(out, c);
    buf_text(out, ".Pp\n");
    sentence(out, c->summary);
    if (more.n) {
        buf_text(out, ".Pp\n");
        details(out, more);
    }
    options(out, c->opts);
}

/* ---- the rest ---- */

struct entry {
    const char *term, *meaning;
};

static void list(struct buf *out, const char *macro, const struct entry *e, size_t n)
{
    buf_text(out, ".Bl -tag -width Ds\n");
    for (size_t i = 0; i < n; i++) {
        buf_fmt(out, ".It %s ", macro);
        word(out, e[i].term);
        buf_char(out, '\n');
        prose(out, str_of(_(e[i].meaning)));
    }
    buf_text(out, ".El\n");
}

static const struct entry environment[] = {
    {"OPENAI_API_KEY",
     N_("API key for endpoints that set no `key`. Anthropic, Gemini and Ollama endpoints use "
        "ANTHROPIC_API_KEY, GEMINI_API_KEY and OLLAMA_API_KEY.")},
    {"OPENAI_BASE_URL", N_("Base URL for endpoints that name none; also OPENAI_API_BASE.")},
    {"AUDITION_DB", N_("The database when no --db is given.")},
    {"NO_COLOR", N_("If set, the same as --plain.")},
    {"TERM", N_("If \"dumb\", the same as --plain.")},
    {"http_proxy", N_("With https_proxy and no_proxy: a proxy for requests, never for loopback.")},
    {"SSL_CERT_FILE",
     N_("File of trusted certificate authorities (PEM); CURL_CA_BUNDLE takes precedence.")},
};

static const struct entry files[] = {
    {"audition.db", N_("The database, unless another is named.")},
    {"models.yaml", N_("Endpoints: name, base URL, model, key variable, price, limits.")},
    {".env", N_("KEY=VALUE lines, read first. A variable that is set already keeps its value.")},
};

static const struct entry exits[] = {
    {"0", N_("Done.")},
    {"1",
     N_("Failed: a faulty file, an endpoint that refuses, a database that cannot be written.")},
    {"2", N_("Wrong use: an unknown option, a missing argument.")},
    {"3", N_("Done, but failed or unscored work is left, or the budget was reached.")},
    {"100", N_("A threshold was missed (--fail-under).")},
    {"130", N_("Interrupted. What was done is kept; the same command resumes.")},
};

/* clang-format off */
static const char examples[] =
    N_("Start a project, check it and compare two models:") "\n\n"
    "    audition init demo\n"
    "    cd demo\n"
    "    audition check suites/*.yaml\n"
    "    audition run suites/live-chat.yaml -m qwen-rp -m gpt-4o --judge deepseek\n\n"
    N_("Judge the same answers with another judge, and write a report:") "\n\n"
    "    audition judge latest --judge another-judge\n"
    "    audition report latest -o live-chat.html\n";
/* clang-format on */

static const char description[] =
    N_("asks language models to play roles, has their answers judged, and shows the scores with "
       "their intervals, each of which can be traced to a sentence of dialogue. A suite defines "
       "what is asked and how it is judged; a run is a suite with some models and a seed, frozen "
       "when it is planned. An interrupted run is resumed by the same command, and nothing that "
       "was answered is asked again.") "\n\n" N_("A RUN is named by its id, by the beginning of "
                                                 "its id, or as latest.") "\n";

void help_man(struct buf *out)
{
    buf_text(out, ".Dd " DATE "\n.Dt AUDITION 1\n.Os\n");
    section(out, "NAME");
    buf_fmt(out, ".Nm audition\n.Nd %s\n", _("measure how well language models play roles"));
    section(out, "SYNOPSIS");
    for (size_t i = 0; command_table[i]; i++)
        synopsis(out, command_table[i]);
    section(out, _("DESCRIPTION"));
    buf_text(out, ".Nm\n");
    details(out, str_of(description));
    buf_fmt(out, ".Pp\n%s\n", _("Every command takes these options:"));
    options(out, common_opts);
    section(out, _("COMMANDS"));
    for (size_t i = 0; command_table[i]; i++)
        command(out, command_table[i]);
    section(out, _("ENVIRONMENT"));
    list(out, "Ev", environment, COUNT(environment));
    section(out, _("FILES"));
    list(out, "Pa", files, COUNT(files));
    section(out, _("EXIT STATUS"));
    list(out, "Li", exits, COUNT(exits));
    section(out, _("EXAMPLES"));
    details(out, str_of(examples));
}
