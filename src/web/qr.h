/* qr.h - a text as a QR code, for a camera. */
#ifndef WEB_QR_H
#define WEB_QR_H

#include "report/html.h"

/* As an image called `label`; nothing where the text is too long. */
void qr_draw(struct html *h, const char *text, const char *label);

#endif
