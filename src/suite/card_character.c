/* Writes a card as one of our character files. */
#include "base/doc.h"
#include "base/words.h"
#include "suite/card.h"

static void add_part(struct buf *b, const char *heading, struct str text)
{
    text = str_trim(text);
    if (text.n == 0)
        return;
    buf_text(b, b->n ? "\n\n" : "");
    if (heading)
        buf_fmt(b, "%s:\n", heading);
    buf_add(b, text);
}

/* Examples are separated by <START> lines; a blank line does the same. */
static struct str read_examples(struct arena *a, struct str text)
{
    AUTO(buf_done) struct buf b = BUF_MAX(2 * text.n + 2);
    struct str line;

    while (str_line(&text, &line)) {
        if (str_is_nocase(str_trim(line), "<START>"))
            line = STR("");
        buf_add(&b, line);
        buf_char(&b, '\n');
    }
    return arena_str(a, buf_str(&b));
}

/* In the order in which front ends assemble a prompt. */
static json_t *description(struct arena *a, const struct card *card, const char *language)
{
    AUTO(buf_done) struct buf b = BUF_MAX(DOC_MAX);

    add_part(&b, NULL, card->system);
    add_part(&b, NULL, card->description);
    add_part(&b, words_of(language, MADE_PERSONALITY), card->personality);
    add_part(&b, words_of(language, MADE_SCENARIO), card->scenario);
    add_part(&b, words_of(language, MADE_EXAMPLES), read_examples(a, card->examples));
    add_part(&b, NULL, card->post_history);
    return json_from_str(buf_str(&b));
}

static void warn_number(const struct card_desk *desk, size_t n, const char *what)
{
    if (n)
        diags_warn(desk->d, desk->at, "not used: %zu %s", n, what);
}

static void warn_unused(const struct card_desk *desk, const struct card *card)
{
    warn_number(desk, card->greetings.n, "alternate greetings");
    warn_number(desk, card->group_greetings.n, "greetings for groups");
    warn_number(desk, card->assets.n, "assets (pictures, sounds)");
    if (str_trim(card->post_history).n)
        diags_warn(
            desk->d, desk->at,
            "'post_history_instructions' go at the end of the text, not after the conversation");
}

/* Metadata becomes comments, so that what must never be in a prompt is still kept. */
static void add_comment(struct buf *b, const char *what, struct str text)
{
    struct str line;

    text = str_trim(text);
    if (text.n == 0)
        return;
    buf_fmt(b, "# %s:", what);
    for (bool first = true; str_line(&text, &line); first = false) {
        buf_text(b, first ? " " : "\n#   ");
        buf_add(b, line);
    }
    buf_char(b, '\n');
}

static void add_comments(struct arena *a, struct buf *b, const struct card *card)
{
    AUTO(buf_done) struct buf tags = BUF_MAX(DOC_MAX);

    for (size_t i = 0; i < card->tags.n; i++) {
        buf_text(&tags, i ? ", " : "");
        buf_add(&tags, card->tags.v[i]);
    }
    buf_fmt(b, "# Made from a character card of version %d.\n", card->version);
    add_comment(b, "creator", card->creator);
    add_comment(b, "character version", card->character_version);
    add_comment(b, "tags", arena_str(a, buf_str(&tags)));
    add_comment(b, "creator's notes", card->creator_notes);
}

enum status card_character(const struct card_desk *desk, const struct card *card,
                           const char *language, struct str *out, struct err *e)
{
    AUTO(buf_done) struct buf b = BUF_MAX(DOC_MAX);
    AUTO(json_freep) json_t *j = json_object();

    warn_unused(desk, card);
    json_put_str(j, "name", card->name);
    json_put_text(j, "language", language);
    json_put(j, "card", description(desk->a, card, language));
    json_put_some(j, "greeting", str_trim(card->first_message));
    if (card->book && card->book->n)
        json_put(j, "lorebook", card_book_json(card->book));
    add_comments(desk->a, &b, card);
    doc_write(&b, j);
    if (b.full)
        return err_set(e, E_INPUT, "the character file would be over %d MB", DOC_MAX >> 20);
    *out = arena_str(desk->a, buf_str(&b));
    return OK;
}
