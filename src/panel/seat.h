/* seat.h - a model that a person talks to in a room: its sample, what is said, what is kept of it.
 *
 * What the interview room (room.h) and the meeting (meeting.h) have in common. A turn has a place,
 * and a place is taken once; whoever waits for an answer holds the sample for as long as they give
 * a sign. Who sits here never leaves the server. */
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
    int64_t position, until_ms; /* of the answer that somebody waits for; until then */
};

/* `sample` and `assignment` are set. */
CHECKED enum status seat_read(struct arena *a, struct store *s, struct seat *seat, struct err *e);

/* Say it, unless the talk has gone to somebody else: from the first write on it cannot. Inside a
 * transaction. E_ABSENT: it has, or these turns are there already. */
CHECKED enum status seat_say(struct store *s, const struct campaign *c, const struct seat *seat,
                             const struct turn_list *new, struct err *e);
/* What an answer took, and its trace: t->call. Before it is said. */
CHECKED enum status seat_trace(struct store *s, const struct campaign *c, const struct seat *seat,
                               const struct live_answer *answer, struct turn *t, struct err *e);
CHECKED enum status seat_spend(struct store *s, const struct campaign *c, const struct seat *seat,
                               const struct chat_reply *reply, struct err *e);
/* No answer came: whoever runs the campaign is told, until one does. */
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
/* From what was said last until now. */
int64_t seat_since_last(const struct turn_list *turns, int64_t now);
/* It is over, with these turns and this transcript. */
CHECKED enum status seat_end(struct store *s, const struct campaign *c, const struct seat *seat,
                             const struct turn_list *turns, struct str transcript,
                             const char *finish, struct err *e);
/* Others see a talk that may give its model away only when somebody has decided. */
CHECKED enum status seat_withhold(struct arena *a, struct store *s, const struct campaign *c,
                                  const struct seat *seat, const struct leak *leak,
                                  const struct item *item, struct str transcript, struct err *e);

/* Become the one who waits for the answer at this place. *mine is false when another does, or the
 * rater has left. */
CHECKED enum status seat_claim(struct store *s, const struct seat *seat, int64_t position,
                               const char *token, bool *mine, struct err *e);
/* Still waiting; to be called every few seconds. */
CHECKED enum status seat_keep(struct store *s, const struct seat *seat, const char *token,
                              struct err *e);
CHECKED enum status seat_free(struct store *s, const struct seat *seat, const char *token,
                              struct err *e);

#endif
