/* embed - turn SQL and shared files into C tables, at build time.
 *
 *     embed queries DIR FILE.sql...   DIR/queries.h and DIR/queries.c: each text under `-- name: x`
 *                                     becomes Q_X in enum query and an entry of query_texts[]
 *     embed assets DIR FILE...        DIR/assets.c: the bytes of each file under its path
 *     embed words DIR EN ZH JA MESSAGES
 *                                     DIR/words.h and DIR/words.c: each line `KEY text` becomes KEY
 *                                     in enum word and an entry of words_table[], each three lines
 *                                     of MESSAGES (English, Chinese, Japanese) one of
 *                                     message_table[], sorted by the first
 *
 * Plain C library only: it is compiled before anything else. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "embed: %s: %s\n", what, name);
    exit(1);
}

static FILE *create(const char *dir, const char *name)
{
    char path[4096];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", dir, name);
    f = fopen(path, "w");
    if (!f)
        fail("cannot write", path);
    return f;
}

/* A header keeps its date when nothing in it changes: what includes it need not be compiled again.
 */
static void write_changed(const char *dir, const char *name, const char *text, size_t n)
{
    char path[4096], *old = malloc(n + 1);
    size_t had = 0;
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", dir, name);
    f = fopen(path, "r");
    if (f) {
        had = fread(old, 1, n + 1, f);
        fclose(f);
    }
    if (had != n || memcmp(old, text, n) != 0) {
        f = create(dir, name);
        fwrite(text, 1, n, f);
        fclose(f);
    }
    free(old);
}

static void put_bytes(FILE *out, const char *s)
{
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            fputc('\\', out);
        fputc(*s, out);
    }
}

static void put_text(FILE *out, const char *s)
{
    fputc('"', out);
    put_bytes(out, s);
    fputc('"', out);
}

/* A text whose \n and \t are written as in C. */
static void put_escaped(FILE *out, const char *s)
{
    fputc('"', out);
    for (; *s; s++) {
        if (*s == '"' || (*s == '\\' && s[1] != 'n' && s[1] != 't'))
            fputc('\\', out);
        fputc(*s, out);
    }
    fputc('"', out);
}

static void put_string(FILE *out, const char *s)
{
    fputs("    \"", out);
    put_bytes(out, s);
    fputs("\\n\"\n", out);
}

static void put_query_file(FILE *h, FILE *c, const char *path)
{
    static const char tag[] = "-- name: ";
    char line[8192], name[128];
    FILE *in = fopen(path, "r");
    int inside = 0;

    if (!in)
        fail("cannot read", path);
    while (fgets(line, sizeof line, in)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (strncmp(line, tag, sizeof tag - 1) == 0) {
            size_t i = 0;
            const char *p = line + sizeof tag - 1;
            for (; *p && !isspace((unsigned char)*p) && i + 1 < sizeof name; p++)
                name[i++] = *p;
            name[i] = '\0';
            fputs(inside ? "    },\n    {" : "    {", c);
            fprintf(c, "\"%s\",\n", name);
            fputs("    Q_", h);
            for (p = name; *p; p++)
                fputc(toupper((unsigned char)*p), h);
            fputs(",\n", h);
            inside = 1;
        } else if (inside && line[0] && strncmp(line, "--", 2) != 0) {
            put_string(c, line);
        } else if (!inside && line[0] && strncmp(line, "--", 2) != 0) {
            fail("text before the first `-- name:`", path);
        }
    }
    if (inside)
        fputs("    },\n", c);
    fclose(in);
}

static void queries(const char *dir, char **files, int count)
{
    char *text;
    size_t size;
    FILE *h = open_memstream(&text, &size), *c = create(dir, "queries.c");

    fputs("/* Made from sql/queries by tools/embed.c. */\n"
          "#ifndef GEN_QUERIES_H\n#define GEN_QUERIES_H\n\n"
          "struct query_text {\n    const char *name, *sql;\n};\n"
          "extern const struct query_text query_texts[];\n\nenum query {\n",
          h);
    fputs("#include \"gen/queries.h\"\n\nconst struct query_text query_texts[] = {\n", c);
    for (int i = 0; i < count; i++)
        put_query_file(h, c, files[i]);
    fputs("    Q_COUNT\n};\n\n#endif\n", h);
    fputs("    {0, 0},\n};\n", c);
    fclose(h);
    write_changed(dir, "queries.h", text, size);
    free(text);
    fclose(c);
}

static void assets(const char *dir, char **files, int count)
{
    FILE *c = create(dir, "assets.c");

    fputs("/* Made by tools/embed.c. */\n#include \"base/asset.h\"\n\n", c);
    for (int i = 0; i < count; i++) {
        FILE *in = fopen(files[i], "rb");
        int byte, column = 0;
        if (!in)
            fail("cannot read", files[i]);
        fprintf(c, "static const unsigned char bytes_%d[] = {", i);
        while ((byte = fgetc(in)) != EOF)
            fprintf(c, "%s%d,", column++ % 24 ? "" : "\n", byte);
        fputs("0};\n", c);
        fclose(in);
    }
    fputs("\nconst struct asset asset_table[] = {\n", c);
    for (int i = 0; i < count; i++)
        fprintf(c, "    {\"%s\", {(const char *)bytes_%d, sizeof bytes_%d - 1}},\n", files[i], i,
                i);
    fputs("    {0, {0, 0}},\n};\n", c);
    fclose(c);
}

/* ---- words ---- */

enum { LANGUAGES = 3, WORDS_MAX = 4096, LINE = 8192 };

struct word {
    char *key, *text[LANGUAGES];
};

/* `KEY text`; comments and blank lines are passed over. */
static char *next_word(FILE *in, char line[LINE], char **text)
{
    while (fgets(line, LINE, in)) {
        size_t key = strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0')
            continue;
        *text = line + key + strspn(line + key, " ");
        if (key == 0 || *text == line + key || !**text)
            fail("expected KEY text", line);
        line[key] = '\0';
        return line;
    }
    return NULL;
}

static int read_words(const char *path, int language, struct word *v, int n)
{
    FILE *in = fopen(path, "r");
    char line[LINE], *key, *text;
    int i;

    if (!in)
        fail("cannot read", path);
    while ((key = next_word(in, line, &text))) {
        for (i = 0; i < n && strcmp(v[i].key, key) != 0; i++)
            ;
        if (i == n && (language > 0 || n == WORDS_MAX))
            fail(path, strcat(line, ": share/words/en has no such key"));
        if (v[i].text[language])
            fail(path, strcat(line, " stands there twice"));
        if (i == n)
            v[n++].key = strdup(key);
        v[i].text[language] = strdup(text);
    }
    for (i = 0; i < n; i++)
        if (!v[i].text[language])
            fail(path, strcat(v[i].key, " is missing"));
    fclose(in);
    return n;
}

/* Written anew only when the keys change: whoever uses them is then compiled again. */
static void put_keys(const char *dir, const struct word *v, int n)
{
    char path[4096], *text = NULL, *was;
    size_t size = 0;
    FILE *h = open_memstream(&text, &size), *old;

    fputs("/* Made from share/words by tools/embed.c. */\n"
          "#ifndef GEN_WORDS_H\n#define GEN_WORDS_H\n\nenum word {\n",
          h);
    for (int i = 0; i < n; i++)
        fprintf(h, "    %s,\n", v[i].key);
    fputs("    WORDS\n};\n\n#endif\n", h);
    fclose(h);
    was = calloc(1, size + 2);
    snprintf(path, sizeof path, "%s/words.h", dir);
    old = fopen(path, "r");
    if (old && fread(was, 1, size + 1, old) == size && strcmp(was, text) == 0) {
        fclose(old);
        return;
    }
    h = create(dir, "words.h");
    fputs(text, h);
    fclose(h);
}

/* ---- messages ---- */

static int by_english(const void *a, const void *b)
{
    return strcmp(((const struct word *)a)->text[0], ((const struct word *)b)->text[0]);
}

/* Three lines each; comments and blank lines are passed over. Escapes stay as C writes them. */
static int read_messages(const char *path, struct word *v)
{
    FILE *in = fopen(path, "r");
    char line[LINE];
    int lines = 0;

    if (!in)
        fail("cannot read", path);
    while (fgets(line, sizeof line, in)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '\0' && lines % LANGUAGES)
            fail("expected English, Chinese and Japanese", v[lines / LANGUAGES].text[0]);
        if (line[0] == '#' || line[0] == '\0')
            continue;
        if (lines / LANGUAGES == WORDS_MAX)
            fail("too many messages", path);
        v[lines / LANGUAGES].text[lines % LANGUAGES] = strdup(line);
        lines++;
    }
    if (lines % LANGUAGES)
        fail("expected English, Chinese and Japanese", v[lines / LANGUAGES].text[0]);
    fclose(in);
    qsort(v, (size_t)(lines / LANGUAGES), sizeof v[0], by_english);
    for (int i = 1; i < lines / LANGUAGES; i++)
        if (by_english(&v[i - 1], &v[i]) == 0)
            fail("a message stands there twice", v[i].text[0]);
    return lines / LANGUAGES;
}

static void put_texts(FILE *c, char *const text[LANGUAGES], void put(FILE *, const char *))
{
    for (int k = 0; k < LANGUAGES; k++) {
        put(c, text[k]);
        fputs(k + 1 < LANGUAGES ? ", " : "}},\n", c);
    }
}

static void words(const char *dir, char **files)
{
    static struct word v[WORDS_MAX + 1], messages[WORDS_MAX + 1];
    FILE *c = create(dir, "words.c");
    int n = 0;

    for (int i = 0; i < LANGUAGES; i++)
        n = read_words(files[i], i, v, n);
    put_keys(dir, v, n);
    fputs("#include \"base/message.h\"\n\nconst struct words_entry words_table[] = {\n", c);
    for (int i = 0; i < n; i++) {
        fprintf(c, "    {\"%s\", {", v[i].key);
        put_texts(c, v[i].text, put_text);
    }
    n = read_messages(files[LANGUAGES], messages);
    fprintf(c, "};\n\nconst size_t message_count = %d;\nconst struct message message_table[] = {\n",
            n);
    for (int i = 0; i < n; i++) {
        fputs("    {{", c);
        put_texts(c, messages[i].text, put_escaped);
    }
    fputs("};\n", c);
    fclose(c);
}

int main(int argc, char **argv)
{
    if (argc >= 3 && strcmp(argv[1], "queries") == 0)
        queries(argv[2], argv + 3, argc - 3);
    else if (argc >= 3 && strcmp(argv[1], "assets") == 0)
        assets(argv[2], argv + 3, argc - 3);
    else if (argc == 7 && strcmp(argv[1], "words") == 0)
        words(argv[2], argv + 3);
    else
        fail("usage", "embed queries|assets|words DIR FILE...");
    return 0;
}
