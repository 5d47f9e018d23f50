#include "base/message.h"
#include "cmd/cmd.h"

/* A line each: two branches that add one do not meet. */
extern const struct command cmd_init_command;
extern const struct command cmd_check_command;
extern const struct command cmd_run_command;
extern const struct command cmd_judge_command;
extern const struct command cmd_batch_command;
extern const struct command cmd_board_command;
extern const struct command cmd_report_command;
extern const struct command cmd_chart_command;
extern const struct command cmd_publish_command;
extern const struct command cmd_compare_command;
extern const struct command cmd_plan_size_command;
extern const struct command cmd_serve_command;
extern const struct command cmd_list_command;
extern const struct command cmd_show_command;
extern const struct command cmd_flag_command;
extern const struct command cmd_import_command;
extern const struct command cmd_export_command;
extern const struct command cmd_verify_command;
extern const struct command cmd_paper_command;
extern const struct command cmd_items_command;
extern const struct command cmd_card_command;
extern const struct command cmd_bank_command;
extern const struct command cmd_bench_command;
extern const struct command cmd_rank_command;
extern const struct command cmd_agree_command;
extern const struct command cmd_metrics_command;
extern const struct command cmd_overlap_command;
extern const struct command cmd_campaign_command;
extern const struct command cmd_classifier_command;
extern const struct command cmd_work_command;
extern const struct command cmd_workers_command;
extern const struct command cmd_pause_command;
extern const struct command cmd_resume_command;
extern const struct command cmd_cancel_command;
extern const struct command cmd_drain_command;
extern const struct command cmd_doctor_command;
extern const struct command cmd_db_command;
extern const struct command cmd_completion_command;
extern const struct command cmd_help_command;
extern const struct command cmd_runs_command;
extern const struct command cmd_describe_command;
extern const struct command cmd_rm_command;
extern const struct command cmd_archive_command;
extern const struct command cmd_restore_command;
extern const struct command cmd_submit_command;

/* clang-format off */
const struct command *const command_table[] = {
    &cmd_init_command,
    &cmd_check_command,
    &cmd_run_command,
    &cmd_judge_command,
    &cmd_batch_command,
    &cmd_plan_size_command,
    &cmd_board_command,
    &cmd_show_command,
    &cmd_flag_command,
    &cmd_compare_command,
    &cmd_report_command,
    &cmd_chart_command,
    &cmd_publish_command,
    &cmd_verify_command,
    &cmd_campaign_command,
    &cmd_serve_command,
    &cmd_list_command,
    &cmd_runs_command,
    &cmd_describe_command,
    &cmd_rm_command,
    &cmd_archive_command,
    &cmd_restore_command,
    &cmd_submit_command,
    &cmd_import_command,
    &cmd_export_command,
    &cmd_items_command,
    &cmd_card_command,
    &cmd_bank_command,
    &cmd_bench_command,
    &cmd_paper_command,
    &cmd_rank_command,
    &cmd_agree_command,
    &cmd_metrics_command,
    &cmd_overlap_command,
    &cmd_classifier_command,
    &cmd_work_command,
    &cmd_workers_command,
    &cmd_pause_command,
    &cmd_resume_command,
    &cmd_cancel_command,
    &cmd_drain_command,
    &cmd_doctor_command,
    &cmd_db_command,
    &cmd_completion_command,
    &cmd_help_command,
    NULL,
};

/* What stands over a command in the overview, and over those that follow. */
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
