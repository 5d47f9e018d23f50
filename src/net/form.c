#include "net/form.h"

#include "base/node.h"

enum { GRAMMAR_MAX = 1 << 20 };

static bool has_tools(enum dialect d)
{
    return d == DIALECT_OPENAI || d == DIALECT_ANTHROPIC;
}

static bool has_grammar(enum dialect d)
{
    return d == DIALECT_OPENAI || d == DIALECT_COMPLETIONS;
}

unsigned form_next(enum dialect d, unsigned avoid)
{
    if (!(avoid & AVOID_SCHEMA))
        return AVOID_SCHEMA;
    if (has_tools(d) && !(avoid & AVOID_TOOL))
        return AVOID_TOOL;
    return has_grammar(d) && !(avoid & AVOID_GRAMMAR) ? AVOID_GRAMMAR : 0;
}

/* ---- a tool ---- */

static void put_tool(json_t *body, enum dialect d, json_t *schema)
{
    if (d == DIALECT_ANTHROPIC) {
        json_put(body, "tools",
                 json_pack("[{s:s, s:O}]", "name", FORM_NAME, "input_schema", schema));
        json_put(body, "tool_choice", json_pack("{s:s, s:s}", "type", "tool", "name", FORM_NAME));
        return;
    }
    json_put(body, "tools",
             json_pack("[{s:s, s:{s:s, s:O}}]", "type", "function", "function", "name", FORM_NAME,
                       "parameters", schema));
    json_put(body, "tool_choice",
             json_pack("{s:s, s:{s:s}}", "type", "function", "function", "name", FORM_NAME));
}

struct str form_called(const struct node *message)
{
    const struct node *call;

    for (call = node_first(node_get(message, "tool_calls")); call; call = call->next) {
        const struct node *f = node_get(call, "function");
        if (str_is(node_str_at(f, "name", STR("")), FORM_NAME))
            return node_str_at(f, "arguments", STR(""));
    }
    return STR("");
}

/* ---- a grammar ---- */

static const char rules[] =
    "\nws ::= [ \\t\\n]*"
    "\nstring ::= \"\\\"\" ([^\"\\\\\\x00-\\x1F] | \"\\\\\" ([\"\\\\/bfnrt] | \"u\" [0-9a-fA-F] "
    "[0-9a-fA-F] [0-9a-fA-F] [0-9a-fA-F]))* \"\\\"\""
    "\ninteger ::= \"-\"? [0-9]+"
    "\nnumber ::= \"-\"? [0-9]+ (\".\" [0-9]+)?\n";

static void put_value(struct arena *a, struct buf *b, const json_t *schema);

/* Writes JSON as a literal of the grammar. */
static void put_literal(struct buf *b, struct str json)
{
    buf_char(b, '"');
    for (size_t i = 0; i < json.n; i++) {
        if (json.p[i] == '"' || json.p[i] == '\\')
            buf_char(b, '\\');
        buf_char(b, json.p[i]);
    }
    buf_char(b, '"');
}

static void put_json(struct arena *a, struct buf *b, const json_t *v)
{
    put_literal(b, json_is_real(v) ? str_of(arena_printf(a, "%.15g", json_real_value(v)))
                                   : str_of(json_text(a, v)));
}

static void put_object(struct arena *a, struct buf *b, const json_t *schema)
{
    json_t *properties = json_object_get(schema, "properties"), *v;
    const char *key, *between = "";

    buf_text(b, "\"{\" ws ");
    json_object_foreach(properties, key, v)
    {
        AUTO(json_freep) json_t *name = json_string(key);
        buf_text(b, between);
        put_json(a, b, name);
        buf_text(b, " ws \":\" ws ");
        put_value(a, b, v);
        between = " ws \",\" ws ";
    }
    buf_text(b, " ws \"}\"");
}

static void put_value(struct arena *a, struct buf *b, const json_t *schema)
{
    const json_t *words = json_object_get(schema, "enum"), *word;
    struct str type = json_str_at(schema, "type", STR("string"));
    size_t i;

    if (words) {
        buf_char(b, '(');
        json_array_foreach(words, i, word)
        {
            buf_text(b, i ? " | " : "");
            put_json(a, b, word);
        }
        buf_char(b, ')');
    } else if (str_is(type, "object")) {
        put_object(a, b, schema);
    } else if (str_is(type, "array")) {
        buf_text(b, "\"[\" ws (");
        put_value(a, b, json_object_get(schema, "items"));
        buf_text(b, " ws (\",\" ws ");
        put_value(a, b, json_object_get(schema, "items"));
        buf_text(b, " ws)*)? \"]\"");
    } else {
        buf_add(b, type); /* string, number, integer */
    }
}

const char *form_grammar(struct arena *a, const json_t *schema)
{
    AUTO(buf_done) struct buf b = BUF_MAX(GRAMMAR_MAX);

    buf_text(&b, "root ::= ");
    put_value(a, &b, schema);
    buf_text(&b, rules);
    return arena_text(a, buf_str(&b));
}

/* ---- */

void form_put(json_t *body, enum dialect d, const json_t *format, unsigned avoid)
{
    const json_t *inner = json_object_get(format, "json_schema");
    json_t *schema = json_object_get(inner, "schema");

    if (!schema || !str_is(json_str_at(inner, "name", STR("")), FORM_NAME))
        return;
    if (form_next(d, avoid) == AVOID_TOOL) {
        put_tool(body, d, schema);
    } else if (form_next(d, avoid) == AVOID_GRAMMAR) {
        AUTO(arena_freep) struct arena *a = arena_new();
        json_put_text(body, "grammar", form_grammar(a, schema));
    }
}
