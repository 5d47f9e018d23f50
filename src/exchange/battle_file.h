/* battle_file.h - read battles from a file: who met whom, who won, on which prompt.
 *
 * CSV with a header line, JSONL, or one JSON list; which one is seen from the first character.
 * Columns (or members), in the spellings that are in use:
 *     model_a, model_b    also left, right; model_id_A, model_id_B; model_1, model_2; generator_1,
 *                         generator_2
 *     winner              the name of one of the two, or a, b, model_a, model_b, left, right, tie,
 *                         draw; names go first. In its place
 *     preference          a number from 1, the first, to 2, the second: less 1, the probability
 *                         that the second won. The battle is then two duels, one after the
 *                         other, which weigh that much; 1.5 and 0 are ties; or
 *     g1_winner, g2_winner  of both orders: model_1, model_2, tie; a tie unless they agree.
 *                         Empty, null, or here "error": there was no verdict, and there is no
 *                         battle
 *     weight              optional, above 0
 *
 * and the column that names the cluster; unless told otherwise the first that there is of prompt,
 * question_id, situation_id, instruction. Where style is wanted also
 *
 *     answer_a, answer_b  (also output_1, output_2) the two answers, whose style is then counted
 *                         (text/style.h); or any of length_a, length_b, action_a, action_b,
 *                         emoji_a, emoji_b, markup_a, markup_b: the counts
 *
 * and where runs are wanted `run`, the name of the run that a battle is of. Others are passed over.
 * Everything is read in the order of the file; faults are "file:line: what is wrong". */
#ifndef EXCHANGE_BATTLE_FILE_H
#define EXCHANGE_BATTLE_FILE_H

#include "base/err.h"
#include "base/mem.h"
#include "math/duel.h"
#include "text/style.h"

enum {
    BATTLE_MAX = 20000000,      /* battles of one file */
    BATTLE_MODELS_MAX = 100000, /* different names in it */
    BATTLE_NAME_MAX = 1024,     /* bytes of a name */
    BATTLE_RUNS_MAX = 10000,    /* rating periods: each costs a look at every model */
};

struct battle_set {
    const char **names; /* [models], in the order of their first battle; in the arena */
    size_t models;
    struct duel *v; /* [n]; owned by the set */
    size_t n;
    const char *cluster; /* the column that clusters come from; NULL: every battle is alone */
    size_t clusters;
    bool weighted;   /* some weight is not 1 */
    size_t split;    /* battles that are two duels, a win and a loss whose weights sum to theirs */
    size_t unjudged; /* lines without a verdict, which are no battles */
    uint32_t *run;   /* [n] which run each is of, by first appearance; owned. NULL: not asked for */
    size_t runs;
    const uint32_t *rater; /* [n] who judged, where that is a person; not owned. NULL: not known */
    size_t raters;
    /* How much more of each a's answer has than b's (math/bt_style.h); owned. NULL: not known. */
    double (*style)[STYLE_FEATURES]; /* [n]; 0 where it is not known */
    bool styled[STYLE_FEATURES];     /* which of them are */
    double *longer; /* [n] by how many characters a's answer is longer; owned. NULL: not known */
};

/* What is wanted of a file. */
struct battle_want {
    const char *cluster; /* the column; NULL: the usual one where there is one */
    bool style;          /* of the answers; a file that says nothing of it is E_INPUT */
    bool run;            /* the column `run`, likewise */
};

/* "-" is stdin. A file without a battle is E_INPUT. */
CHECKED enum status battle_read(struct arena *a, const char *path, const struct battle_want *want,
                                struct battle_set *out, struct err *e);
void battle_done(struct battle_set *s);
/* Groups of models that battles join, however indirectly; a tie that is dropped joins nobody.
 * Numbered from 0: group[models]. */
size_t battle_groups(const struct battle_set *s, bool drop_ties, uint32_t *group);
/* Battles that say again what an earlier one said: same models, prompt and winner. 0 where there
 * are no prompts. */
size_t battle_repeats(const struct battle_set *s);

#endif
