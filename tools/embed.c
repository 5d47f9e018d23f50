/* embed - turn SQL and shared files into C tables, at build time.
 *
 *     embed queries DIR FILE.sql...   DIR/queries.h and DIR/queries.c: each text under `-- name: x`
 *                                     becomes Q_X in enum query and an entry of query_texts[]
 *     embed assets DIR FILE...        DIR/assets.c: the bytes of each file under its path
 *
 * Plain C library only: it is compiled before anything else. */
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

static void put_string(FILE *out, const char *s)
{
    fputs("    \"", out);
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            fputc('\\', out);
        fputc(*s, out);
    }
    fputs("\\n\"\n", out);
}

static void put_query_file(FILE *h, FILE *c, const char *path, int *n)
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
            ++*n;
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
    FILE *h = create(dir, "queries.h"), *c = create(dir, "queries.c");
    int n = 0;

    fputs("/* Made from sql/queries by tools/embed.c. */\n"
          "#ifndef GEN_QUERIES_H\n#define GEN_QUERIES_H\n\n"
          "struct query_text {\n    const char *name, *sql;\n};\n"
          "extern const struct query_text query_texts[];\n\nenum query {\n",
          h);
    fputs("#include \"gen/queries.h\"\n\nconst struct query_text query_texts[] = {\n", c);
    for (int i = 0; i < count; i++)
        put_query_file(h, c, files[i], &n);
    fputs("    Q_COUNT\n};\n\n#endif\n", h);
    fputs("    {0, 0},\n};\n", c);
    fclose(h);
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

int main(int argc, char **argv)
{
    if (argc >= 3 && strcmp(argv[1], "queries") == 0)
        queries(argv[2], argv + 3, argc - 3);
    else if (argc >= 3 && strcmp(argv[1], "assets") == 0)
        assets(argv[2], argv + 3, argc - 3);
    else
        fail("usage", "embed queries|assets DIR FILE...");
    return 0;
}
