/* kin.h - a judge that judges itself, or its family.
 *
 * People may want exactly that; what they must not do is overlook it. Pure. */
#ifndef GAUGE_KIN_H
#define GAUGE_KIN_H

#include "store/store.h"

enum kin { KIN_NONE, KIN_FAMILY, KIN_SELF };

/* What a judge is to a model of its run: the same model id, or of one family. */
enum kin kin_of(struct arena *a, const struct party *judge, const struct party *model);

#endif
