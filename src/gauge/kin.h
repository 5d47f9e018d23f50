/* kin.h - detects judges that judge themselves or their own family.
 *
 * That is allowed, but must not go unnoticed. Pure. */
#ifndef GAUGE_KIN_H
#define GAUGE_KIN_H

#include "store/store.h"

enum kin { KIN_NONE, KIN_FAMILY, KIN_SELF };

/* How a judge relates to a model of its run: the same model id, or the same family. */
enum kin kin_of(struct arena *a, const struct party *judge, const struct party *model);

#endif
