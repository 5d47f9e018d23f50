/* pages.h - all pages, by file. route_table.c assigns their addresses.
 *
 * A page_NAME.h declares what a file of pages offers to others. */
#ifndef WEB_PAGES_H
#define WEB_PAGES_H

#include "web/route.h"

/* page_static.c: files of the program itself, the health check, the start page */
page_fn page_static_file, page_static_health, page_static_home;
/* page_login.c, page_sso.c, page_passkey.c: signing in and out, and setting up a new server */
page_fn page_login_show, page_login_enter, page_login_leave, page_login_stay;
page_fn page_login_setup, page_login_set_up;
page_fn page_sso_begin, page_sso_back;
page_fn page_passkey_challenge, page_passkey_enter, page_passkey_change;
/* page_me.c: one's own account; page_staff.c: accounts, the audit log; page_team.c: teams, and
 * roles in a campaign */
page_fn page_me_show, page_me_password, page_me_end, page_me_token;
page_fn page_me_second, page_me_second_set, page_me_confirm, page_me_confirmed;
page_fn page_staff_accounts, page_staff_add, page_staff_account, page_staff_change;
page_fn page_staff_audit;
page_fn page_team_list, page_team_change, page_team_grants, page_team_grant;
/* page_style.c: every component of the design system on one page, for developers and screenshots */
page_fn page_style_show;

/* page_rater.c: becoming a rater; page_rate.c: rating, saving, handing in, feedback on practice;
 * page_room.c: talking with a model */
page_fn page_rater_invite, page_rater_accept, page_rater_join, page_rater_joined;
page_fn page_rater_return, page_rater_back, page_rater_words;
page_fn page_rater_consent, page_rater_about, page_rater_withdraw, page_rater_data;
page_fn page_rate_show, page_rate_again, page_rate_next, page_rate_form, page_rate_mark;
page_fn page_rate_report, page_rate_feedback;
page_all_fn page_rate_mark_all;
page_fn page_room_ask;

/* page_campaign.c: campaigns for those who run them */
page_fn page_campaign_list, page_campaign_sure, page_campaign_turn, page_campaign_compute;
page_fn page_campaign_exclude, page_campaign_erase, page_campaign_log;
/* page_campaign_new.c, _show.c, _raters.c, _invites.c, _held.c, _results.c */
page_fn page_campaign_new, page_campaign_add, page_campaign_show, page_campaign_raters;
page_fn page_campaign_invitations, page_campaign_invite, page_campaign_revoke;
page_fn page_campaign_held, page_campaign_decide;
page_fn page_campaign_results, page_campaign_ratings, page_campaign_codebook;

/* page_board.c: boards over many runs, and two runs compared; page_party.c: models and judges over
 * all runs; page_search.c: words in all answers, and in what judges wrote */
page_fn page_board_show, page_board_compare;
page_fn page_party_names, page_party_model, page_party_judge;
page_fn page_search_show;
/* page_runs.c: all runs, found by words, state, model and tag; name, note and tags of one */
page_fn page_runs_list, page_runs_describe;
/* page_run.c: one run; page_samples.c: its samples, found and sorted; page_sample.c: one answer,
 * and all answers to one item side by side; page_battles.c: A beside B, and what judges said */
page_fn page_run_overview, page_run_items, page_run_judges, page_run_method;
page_fn page_samples_list;
page_fn page_sample_show, page_sample_item;
page_fn page_battles_list, page_battles_show;
/* page_flags.c: flags of a run; page_live.c: a run in progress; page_workers.c: workers, their
 * machines and speed */
page_fn page_flags_list, page_flags_act;
page_fn page_live_events, page_live_sure, page_live_order;
page_fn page_workers_show, page_workers_evict;

/* page_api.c: the API for programs */
page_fn page_api_description, page_api_runs, page_api_run, page_api_lines;
page_fn page_api_campaigns, page_api_new, page_api_campaign, page_api_state, page_api_invite;
page_fn page_api_results;
/* page_api_people.c: the API about people; page_api_act() runs the pages of ROUTE_JSON */
page_fn page_api_flags, page_api_raters, page_api_withheld, page_api_invitations, page_api_people;
page_fn page_api_teams, page_api_accounts, page_api_sessions, page_api_audit, page_api_act;

#endif
