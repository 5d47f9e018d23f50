/* qr.h - a text as a QR code, for a camera. */
#ifndef WEB_QR_H
#define WEB_QR_H

#include "base/mem.h"

/* The path of an SVG image, one unit a module, and its width with the margin; NULL: too long. */
const char *qr_path(struct arena *a, const char *text, int *width);

#endif
