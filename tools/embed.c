/* embed - turn SQL and shared files into C tables, at build time.
 *
 *     embed queries DIR FILE.sql...   DIR/queries.h and DIR/queries.c: each text under `-- name: x`
 *                                     becomes Q_X in enum query and an entry of query_texts[];
 *                                     each named column c of its rows becomes C_X_C, or C_Y_C
 *                                     under `-- name: x as y`, whose queries all have the same;
 *                                     COLUMNS_X(type), or COLUMNS_Y, is where all of them go in
 *                                     a struct whose members have their names: db.h; of
 *                                     one called a__b, into member b of member a
 *     embed assets DIR FILE...        DIR/assets.c: the bytes of each file under its path
 *     embed words DIR EN ZH JA MESSAGES
 *                                     DIR/words.h and DIR/words.c: each line `KEY text` becomes KEY
 *                                     in enum word and an entry of words_table[], each three lines
 *                                     of MESSAGES (English, Chinese, Japanese) one of
 *                                     message_table[], sorted by the first
 *     embed sieve DIR [LIST]          DIR/sieve.c: the words of a list, one a line, as a filter
 *
 * Plain C library only: it is compiled before anything else. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/base/sieve.h"

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
    char path[4096], *old = calloc(1, n + 1);
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

/* A query as it is read: under its name, giving rows of a shape, which is its own name unless
 * `-- name: x as shape` says otherwise. */
struct query {
    char name[64], shape[64], text[16384];
    size_t n;
};

enum { SHAPES = 1000 };

/* The columns of each shape, as the lines of its enum. */
struct shapes {
    char *name[SHAPES], *columns[SHAPES];
    size_t n;
};

static void put_upper(FILE *out, const char *s)
{
    for (; *s; s++)
        fputc(toupper((unsigned char)*s), out);
}

static int is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* `x`, `t.x` or `... AS x`; another column has no name. */
static void put_column(FILE *out, const char *shape, const char *p, const char *end, int at)
{
    const char *word;

    while (p < end && isspace((unsigned char)*p))
        p++;
    while (end > p && isspace((unsigned char)end[-1]))
        end--;
    for (word = end; word > p && is_word(word[-1]);)
        word--;
    if (word == end || !islower((unsigned char)*word))
        return;
    if (word - p >= 4 && strncmp(word - 4, " AS ", 4) != 0)
        for (; p < word; p++)
            if (!is_word(*p) && *p != '.')
                return;
    fputs("    C_", out);
    put_upper(out, shape);
    fputc('_', out);
    for (; word < end; word++)
        fputc(toupper((unsigned char)*word), out);
    fprintf(out, " = %d,\n", at);
}

static int at_word(const char *text, const char *p, const char *word)
{
    size_t n = strlen(word);

    return (p == text || !is_word(p[-1])) && strncmp(p, word, n) == 0 && !is_word(p[n]);
}

/* What a query gives: the list after its outermost SELECT or RETURNING. */
static void put_columns(FILE *out, const struct query *q)
{
    int depth = 0, quoted = 0, at = 0, adds = strncmp(q->text, "INSERT", 6) == 0;
    const char *from = NULL;

    for (const char *p = q->text;; p++) {
        int ends = !*p || *p == ';' || (!depth && !quoted && from && at_word(q->text, p, "FROM"));
        if (from && !depth && !quoted && (ends || *p == ',')) {
            put_column(out, q->shape, from, p, at++);
            from = p + 1;
        }
        if (ends)
            return;
        quoted ^= *p == '\'';
        if (quoted)
            continue;
        depth += (*p == '(') - (*p == ')');
        if (depth || from)
            continue;
        if (at_word(q->text, p, "RETURNING") || (!adds && at_word(q->text, p, "SELECT")))
            from = p + strcspn(p, " \n");
    }
}

/* COLUMNS_X(type) of the lines of an enum. */
static void put_members(FILE *out, const char *shape, const char *columns)
{
    size_t prefix = strlen("    C_") + strlen(shape) + strlen("_");

    fputs("#define COLUMNS_", out);
    put_upper(out, shape);
    fputs("(type) (&(const struct columns){sizeof(type), {", out);
    for (const char *line = columns; *line; line = strchr(line, '\n') + 1) {
        fputs("COLUMN(type, ", out);
        for (line += prefix; is_word(*line); line++)
            if (line[0] == '_' && line[1] == '_') {
                fputc('.', out);
                line++;
            } else {
                fputc(tolower((unsigned char)*line), out);
            }
        fprintf(out, ", %d), ", atoi(strchr(line, '=') + 1));
    }
    fputs("}})\n", out);
}

/* The columns of a new shape; those of one that is known must be the same. */
static void put_shape(FILE *out, struct shapes *known, const struct query *q)
{
    char *columns;
    size_t size, i = 0;
    FILE *list = open_memstream(&columns, &size);

    put_columns(list, q);
    fclose(list);
    while (i < known->n && strcmp(known->name[i], q->shape) != 0)
        i++;
    if (i < known->n && strcmp(known->columns[i], columns) != 0)
        fail("the columns differ from those of other queries with its shape", q->name);
    if (i < known->n || i == SHAPES) {
        free(columns);
        return;
    }
    known->name[i] = strdup(q->shape);
    known->columns[i] = columns;
    known->n++;
    if (!size)
        return;
    fprintf(out, "enum {\n%s};\n", columns);
    put_members(out, q->shape, columns);
}

static void put_query(FILE *h, FILE *c, FILE *shapes, struct shapes *known, struct query *q)
{
    char *rest = q->text;

    if (!q->name[0])
        return;
    fputs("    Q_", h);
    put_upper(h, q->name);
    fputs(",\n", h);
    put_shape(shapes, known, q);
    fprintf(c, "    {\"%s\",\n", q->name);
    for (char *line; (line = strsep(&rest, "\n")) && *line;)
        put_string(c, line);
    fputs("    },\n", c);
    q->n = 0;
    q->text[0] = q->name[0] = '\0';
}

static void put_query_file(FILE *h, FILE *c, FILE *shapes, struct shapes *known, const char *path)
{
    struct query *q = calloc(1, sizeof *q);
    FILE *in = fopen(path, "r");
    char line[8192];

    if (!in)
        fail("cannot read", path);
    while (fgets(line, sizeof line, in)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (strncmp(line, "-- name: ", 9) == 0) {
            put_query(h, c, shapes, known, q);
            if (sscanf(line, "-- name: %63s as %63s", q->name, q->shape) < 2)
                memcpy(q->shape, q->name, sizeof q->shape);
        } else if (line[0] && strncmp(line, "--", 2) != 0) {
            if (!q->name[0])
                fail("text before the first `-- name:`", path);
            q->n += (size_t)snprintf(q->text + q->n, sizeof q->text - q->n, "%s\n", line);
            if (q->n >= sizeof q->text)
                fail("a query is too long", q->name);
        }
    }
    put_query(h, c, shapes, known, q);
    free(q);
    fclose(in);
}

static void queries(const char *dir, char **files, int count)
{
    struct shapes *known = calloc(1, sizeof *known);
    char *text, *columns;
    size_t size, unused;
    FILE *h = open_memstream(&text, &size), *c = create(dir, "queries.c");
    FILE *shapes = open_memstream(&columns, &unused);

    fputs("/* Made from sql/queries by tools/embed.c. */\n"
          "#ifndef GEN_QUERIES_H\n#define GEN_QUERIES_H\n\n"
          "struct query_text {\n    const char *name, *sql;\n};\n"
          "extern const struct query_text query_texts[];\n\nenum query {\n",
          h);
    fputs("#include \"gen/queries.h\"\n\nconst struct query_text query_texts[] = {\n", c);
    for (int i = 0; i < count; i++)
        put_query_file(h, c, shapes, known, files[i]);
    fclose(shapes);
    fprintf(h, "    Q_COUNT\n};\n\n%s\n#endif\n", columns);
    fputs("    {0, 0},\n};\n", c);
    fclose(h);
    write_changed(dir, "queries.h", text, size);
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

static void put_keys(const char *dir, const struct word *v, int n)
{
    char *text = NULL;
    size_t size = 0;
    FILE *h = open_memstream(&text, &size);

    fputs("/* Made from share/words by tools/embed.c. */\n"
          "#ifndef GEN_WORDS_H\n#define GEN_WORDS_H\n\nenum word {\n",
          h);
    for (int i = 0; i < n; i++)
        fprintf(h, "    %s,\n", v[i].key);
    fputs("    WORDS\n};\n\n#endif\n", h);
    fclose(h);
    write_changed(dir, "words.h", text, size);
}

/* ---- messages ---- */

/* The next letter as the compiler will read it: see put_escaped(). */
static int letter(const char **p)
{
    const char *at = *p;

    if (at[0] != '\\' || (at[1] != 'n' && at[1] != 't'))
        return (unsigned char)*(*p)++;
    *p += 2;
    return at[1] == 'n' ? '\n' : '\t';
}

/* In the order in which the program will look for it, where "\\n" is one letter. */
static int by_english(const void *a, const void *b)
{
    const char *p = ((const struct word *)a)->text[0], *q = ((const struct word *)b)->text[0];

    while (*p && *q) {
        int left = letter(&p), right = letter(&q);
        if (left != right)
            return left - right;
    }
    return (unsigned char)*p - (unsigned char)*q;
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
    fputs("#include \"base/words.h\"\n\nconst struct words_entry words_table[] = {\n", c);
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

/* ---- words that everybody knows ---- */

/* The next word of letters alone that is long enough, without its line break; 0: no more. */
static size_t next_known(FILE *in, char line[LINE])
{
    while (fgets(line, LINE, in)) {
        size_t n = strcspn(line, "\r\n");
        if (n >= SIEVE_WORD_MIN && n <= SIEVE_WORD_MAX &&
            strspn(line, "abcdefghijklmnopqrstuvwxyz") == n)
            return n;
    }
    return 0;
}

static void sieve(const char *dir, const char *path)
{
    FILE *in = path ? fopen(path, "r") : NULL, *c = create(dir, "sieve.c");
    unsigned char *bits = NULL;
    size_t size = 0, n;
    char line[LINE];

    if (path && !in)
        fail("cannot read", path);
    while (in && next_known(in, line))
        size++;
    size = (size * SIEVE_BITS + 7) / 8;
    bits = calloc(1, size + 1);
    if (in)
        rewind(in);
    while (in && (n = next_known(in, line)) > 0)
        for (unsigned k = 0; k < SIEVE_PROBES; k++) {
            size_t bit = sieve_bit(line, n, k, size);
            bits[bit / 8] |= (unsigned char)(1 << bit % 8);
        }
    fprintf(c,
            "#include \"base/sieve.h\"\n\nconst size_t sieve_size = %zu;\n"
            "const unsigned char sieve_bytes[] = {",
            size);
    for (size_t i = 0; i <= size; i++)
        fprintf(c, "%s%u,", i % 20 ? "" : "\n", bits[i]);
    fputs("\n};\n", c);
    fclose(c);
    if (in)
        fclose(in);
    free(bits);
}

int main(int argc, char **argv)
{
    if (argc >= 3 && strcmp(argv[1], "queries") == 0)
        queries(argv[2], argv + 3, argc - 3);
    else if (argc >= 3 && strcmp(argv[1], "assets") == 0)
        assets(argv[2], argv + 3, argc - 3);
    else if (argc == 7 && strcmp(argv[1], "words") == 0)
        words(argv[2], argv + 3);
    else if (argc >= 3 && strcmp(argv[1], "sieve") == 0)
        sieve(argv[2], argv[3]);
    else
        fail("usage", "embed queries|assets|words|sieve DIR FILE...");
    return 0;
}
