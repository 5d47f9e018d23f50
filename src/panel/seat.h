/* seat.h - one model in a conversation with a person: its sample, turns and costs.
 *
 * Shared by the interview room (room.h) and the meeting (meeting.h). Turns have positions, and
 * each position is filled once; whoever waits for an answer claims the sample and has to renew
 * the claim. The identity of the model never leaves the server. */
#ifndef PANEL_SEAT_H
#define PANEL_SEAT_H

#include "panel/ballot.h"
#include "panel/leak.h"
#include "panel/live.h"
#include "suite/endpoint.h"

struct seat {
    int64_t sample, assignment;
    /* never shown */
    int64_t model, repeat;
    const char *model_name;
    struct endpoint endpoint;
    bool done;                  /* the talk is over */
    int64_t position, until_ms; /* of the answer being waited for; when the claim expires */
};

/* `sample` and `assignment` must be set. */
CHECKED enum status seat_read(struct arena *a, struct store *s, struct seat *seat, struct err *e);

/* Stores turns unless the talk was taken over; after the first write it cannot be. In a
 * transaction. E_ABSENT: it was taken over, or these turns are already stored. */
CHECKED enum status seat_say(struct store *s, const struct campaign *c, const struct seat *seat,
                             const struct turn_list *new, struct err *e);
/* Stores the cost of an answer, and its request and response (t->call). Before the answer
 * itself. */
CHECKED enum status seat_trace(struct store *s, const struct campaign *c, const struct seat *seat,
                               const struct live_answer *answer, struct turn *t, struct err *e);
CHECKED enum status seat_spend(struct store *s, const struct campaign *c, const struct seat *seat,
                               const struct chat_reply *reply, struct err *e);
/* Records that no answer came; shown to campaign staff until the model answers again. */
CHECKED enum status seat_mute(struct store *s, const struct seat *seat,
                              const struct chat_reply *reply, struct err *e);
struct mute {
    const char *model, *fault, *why; /* of the last time */
    int64_t times, since_ms;
};
struct mute_list {
    struct mute *v;
    size_t n;
};
/* The models of a campaign that have not answered since. */
CHECKED enum status seat_mutes(struct arena *a, struct store *s, const struct campaign *c,
                               struct mute_list *out, struct err *e);
/* Time since the last turn. */
int64_t seat_since_last(const struct turn_list *turns, int64_t now);
/* Ends the talk with these turns and this transcript. */
CHECKED enum status seat_end(struct store *s, const struct campaign *c, const struct seat *seat,
                             const struct turn_list *turns, struct str transcript,
                             const char *finish, struct err *e);
/* A talk that may reveal its model is hidden from others until somebody decides. */
CHECKED enum status seat_withhold(struct arena *a, struct store *s, const struct campaign *c,
                                  const struct seat *seat, const struct leak *leak,
                                  const struct item *item, struct str transcript, struct err *e);

/* Claims the answer at this position. *mine is false if somebody else is waiting for it, or the
 * rater has left. */
CHECKED enum status seat_claim(struct store *s, const struct seat *seat, int64_t position,
                               const char *token, bool *mine, struct err *e);
/* Renews the claim; to be called every few seconds. */
CHECKED enum status seat_keep(struct store *s, const struct seat *seat, const char *token,
                              struct err *e);
CHECKED enum status seat_free(struct store *s, const struct seat *seat, const char *token,
                              struct err *e);

#endif
