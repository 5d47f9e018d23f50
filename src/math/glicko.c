#include "math/glicko.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

static const double scale = 173.7178;
static const double centre = 1500;

struct glicko glicko_of(double rating, double rd, double volatility)
{
    return (struct glicko){(rating - centre) / scale, rd / scale, volatility};
}

struct glicko glicko_start(void)
{
    return glicko_of(1500, 350, 0.06);
}

double glicko_rating(const struct glicko *p)
{
    return scale * p->mu + centre;
}

double glicko_rd(const struct glicko *p)
{
    return scale * p->phi;
}

/* g(phi) = 1 / sqrt(1 + 3 phi^2 / pi^2): the less is known of the
 * opponent, the less a game counts. */
static double certainty(double phi_squared)
{
    return 1 / sqrt(1 + 3 * phi_squared / (M_PI * M_PI));
}

static double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

double glicko_expected(const struct glicko *a, const struct glicko *b)
{
    return logistic(certainty(a->phi * a->phi + b->phi * b->phi) * (a->mu - b->mu));
}

void glicko_add(struct glicko_sum *sum, const struct glicko *player, const struct glicko *opponent,
                double score)
{
    double g = certainty(opponent->phi * opponent->phi);
    double expected = logistic(g * (player->mu - opponent->mu));

    sum->information += g * g * expected * (1 - expected);
    sum->surprise += g * (score - expected);
}

/* ---- step 5: the volatility ---- */

/* The parameters of f(x). */
struct volatility {
    double a;             /* ln sigma^2 */
    double delta_squared; /* of the estimated improvement */
    double phi_v;         /* phi^2 + v */
    double slip_v;        /* the same, or mu^2 + v with the library's error, which is only in f */
    double tau;
};

/* With that error the root may lie outside the bracket, and the search
 * may not terminate by itself. */
enum { SEARCH_MAX = 100 };

/* f(x) = e^x (delta^2 - phi^2 - v - e^x) / (2 (phi^2 + v + e^x)^2) - (x - a) / tau^2 */
static double slope(const struct volatility *s, double x)
{
    double e = exp(x), sum = s->slip_v + e;

    return e * (s->delta_squared - sum) / (2 * sum * sum) - (x - s->a) / (s->tau * s->tau);
}

/* The other end of a bracket of the root; one end is a. */
static double other_end(const struct volatility *s)
{
    double b = s->a - s->tau;

    if (s->delta_squared > s->phi_v)
        return log(s->delta_squared - s->phi_v);
    while (slope(s, b) < 0)
        b -= s->tau;
    return b;
}

/* Finds the root of f by the Illinois method; returns sigma'. */
static double new_volatility(const struct volatility *s)
{
    double a = s->a, b = other_end(s), fa = slope(s, a), fb = slope(s, b);

    for (int i = 0; i < SEARCH_MAX && fabs(b - a) > 1e-6; i++) {
        double c = a + (a - b) * fa / (fb - fa), fc = slope(s, c);
        if (fc * fb <= 0) {
            a = b;
            fa = fb;
        } else {
            fa /= 2;
        }
        b = c;
        fb = fc;
    }
    return exp(a / 2);
}

/* ---- steps 6 to 8 ---- */

void glicko_close(struct glicko *player, const struct glicko_sum *sum, const struct glicko_how *how)
{
    double phi_squared = player->phi * player->phi, v = 1 / sum->information;
    double delta = v * sum->surprise;
    double slip = how->volatility == GLICKO_DEEPY ? player->mu * player->mu : phi_squared;
    struct volatility s = {2 * log(player->sigma), delta * delta, phi_squared + v, slip + v,
                           how->tau};

    if (!(sum->information > 0)) {
        player->phi = sqrt(phi_squared + player->sigma * player->sigma);
        return;
    }
    player->sigma = new_volatility(&s);
    phi_squared += player->sigma * player->sigma;
    phi_squared = 1 / (1 / phi_squared + sum->information);
    player->phi = sqrt(phi_squared);
    player->mu += phi_squared * sum->surprise;
}

/* ---- many battles ---- */

static void play_one(struct glicko *players, const struct duel *d, const struct glicko_how *how)
{
    struct glicko *a = &players[d->a], *b = &players[d->b], before = *a;
    struct glicko_sum of_a = {0}, of_b = {0};
    double score = d->outcome / 2.0;

    glicko_add(&of_a, a, b, score);
    glicko_close(a, &of_a, how);
    glicko_add(&of_b, b, how->period == GLICKO_SEQUENTIAL ? a : &before, 1 - score);
    glicko_close(b, &of_b, how);
}

static void play_all(struct glicko *players, size_t nplayers, const struct glicko_duels *duels,
                     const struct glicko_how *how)
{
    struct glicko_sum *sums = mem_new(nplayers * sizeof *sums);

    for (size_t i = 0; i < duels->n; i++) {
        const struct duel *d = &duels->v[duels->order ? duels->order[i] : i];
        double score = d->outcome / 2.0;
        glicko_add(&sums[d->a], &players[d->a], &players[d->b], score);
        glicko_add(&sums[d->b], &players[d->b], &players[d->a], 1 - score);
    }
    for (size_t i = 0; i < nplayers; i++)
        glicko_close(&players[i], &sums[i], how);
    free(sums);
}

void glicko_play(struct glicko *players, size_t nplayers, const struct glicko_duels *duels,
                 const struct glicko_how *how)
{
    if (how->period == GLICKO_ALL) {
        play_all(players, nplayers, duels, how);
        return;
    }
    for (size_t i = 0; i < duels->n; i++)
        play_one(players, &duels->v[duels->order ? duels->order[i] : i], how);
}
