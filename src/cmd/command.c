#include "base/message.h"
#include "cmd/cmd.h"

/* clang-format off */
/* In the order in which a newcomer meets them. One line each, so that two branches can add one. */
#define COMMANDS(X) \
    X(cmd_init) \
    X(cmd_check) \
    X(cmd_run) \
    X(cmd_judge) \
    X(cmd_batch) \
    X(cmd_plan_size) \
    X(cmd_board) \
    X(cmd_show) \
    X(cmd_flag) \
    X(cmd_compare) \
    X(cmd_report) \
    X(cmd_chart) \
    X(cmd_publish) \
    X(cmd_verify) \
    X(cmd_campaign) \
    X(cmd_serve) \
    X(cmd_list) \
    X(cmd_runs) \
    X(cmd_describe) \
    X(cmd_rm) \
    X(cmd_archive) \
    X(cmd_restore) \
    X(cmd_submit) \
    X(cmd_import) \
    X(cmd_export) \
    X(cmd_items) \
    X(cmd_card) \
    X(cmd_bank) \
    X(cmd_bench) \
    X(cmd_paper) \
    X(cmd_rank) \
    X(cmd_agree) \
    X(cmd_metrics) \
    X(cmd_overlap) \
    X(cmd_classifier) \
    X(cmd_work) \
    X(cmd_workers) \
    X(cmd_pause) \
    X(cmd_resume) \
    X(cmd_cancel) \
    X(cmd_drain) \
    X(cmd_doctor) \
    X(cmd_db) \
    X(cmd_completion) \
    X(cmd_help)

#define DECLARE(cmd) extern const struct command cmd##_command;
#define ADDRESS(cmd) &cmd##_command,
COMMANDS(DECLARE)

const struct command *const command_table[] = {COMMANDS(ADDRESS) NULL};

/* The titles of the overview, each with the first command below it. */
const struct command_title command_titles[] = {
    {&cmd_init_command, N_("Evaluate")},
    {&cmd_board_command, N_("See the results")},
    {&cmd_campaign_command, N_("People")},
    {&cmd_list_command, N_("Runs")},
    {&cmd_items_command, N_("Suites and items")},
    {&cmd_rank_command, N_("Files, without a database")},
    {&cmd_work_command, N_("Many machines")},
    {&cmd_doctor_command, N_("Housekeeping")},
    {NULL, NULL},
};
/* clang-format on */

#define AT(member) offsetof(struct common, member)

/* clang-format off */
const struct opt common_opts[] = {
    {"db",      0,   OPT_TEXT, AT(db),      "URL",  "database: a file or postgresql://... [$AUDITION_DB, audition.db]", 0, 0},
    {"config",  'c', OPT_TEXT, AT(config),  "FILE", "models and judges [models.yaml]", 0, 0},
    {"json",    0,   OPT_FLAG, AT(json),    NULL,   "print results as JSON to standard output", 0, 0},
    {"plain",   0,   OPT_FLAG, AT(plain),   NULL,   "no colour and no drawing characters [NO_COLOR, TERM=dumb]", 0, 0},
    {"quiet",   'q', OPT_FLAG, AT(quiet),   NULL,   "do not show progress", 0, 0},
    {"verbose", 'v', OPT_FLAG, AT(verbose), NULL,   "write log lines to standard error", 0, 0},
    {"language", 0,  OPT_TEXT, AT(language), "CODE", "language of messages: en, zh or ja [LC_ALL, LC_MESSAGES, LANG]", 0, 0},
    {"allow-outside", 0, OPT_FLAG, AT(outside), NULL, "let suites name files outside their folder", 0, 0},
    {"help",    'h', OPT_FLAG, AT(help),    NULL,   "show this help", 0, 0},
    {NULL,      0,   OPT_FLAG, 0,           NULL,   NULL, 0, 0},
};
/* clang-format on */
