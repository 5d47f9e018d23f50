/* classes.h - the true class of each unit, from raters who err in their own ways.
 *
 * For questions that have a right answer (is this fluent? does it discriminate?), not for taste.
 * The class of a unit and how often each rater takes which class for which other are estimated
 * together, by expectation and maximisation from the shares of votes (Dawid and Skene 1979). MACE
 * asks less of the data: a rater either knows the class or answers by habit (Hovy,
 * Berg-Kirkpatrick, Vaswani and Hovy 2013). Both start from fixed values and so repeat exactly.
 * Values of the cells are class numbers; a rater may rate a unit more than once. Everything lives
 * in the arena. */
#ifndef MATH_CLASSES_H
#define MATH_CLASSES_H

#include "math/cell.h"

struct classes_how {
    size_t classes;
    double smooth;    /* added to every count of a rater; 0: none */
    double tolerance; /* settled when no chance moves by more */
    size_t rounds_max;
};

struct classes {
    double *chance;    /* [units * classes] that the unit is of the class */
    double *prior;     /* [classes] how frequent it is */
    double *confusion; /* [raters * classes * classes] said (column) when it was (row) */
    double log_likelihood;
    size_t rounds;
    bool settled;
};

void classes_dawid_skene(struct arena *a, const struct cells *c, const struct classes_how *how,
                         struct classes *out);

struct classes_mace {
    double *chance; /* [units * classes] */
    double *trust;  /* [raters] how often the rater knows */
    double *habit;  /* [raters * classes] what the rater says otherwise */
    size_t rounds;
    bool settled;
};

void classes_mace(struct arena *a, const struct cells *c, const struct classes_how *how,
                  struct classes_mace *out);

#endif
