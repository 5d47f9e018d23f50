#include "web/qr.h"

#include <qrencode.h>

enum { MARGIN = 4 };

/* One unit a module. */
void qr_draw(struct html *h, const char *text, const char *label)
{
    QRcode *code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M);
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 20);
    int width;

    if (!code)
        return;
    for (int i = 0; i < code->width * code->width; i++)
        if (code->data[i] & 1)
            buf_fmt(&b, "M%d %dh1v1h-1z", i % code->width + MARGIN, i / code->width + MARGIN);
    width = code->width + 2 * MARGIN;
    QRcode_free(code);
    html_open(h, "svg", "class", "qr", "role", "img", "aria-label", label, "viewBox",
              arena_printf(h->scratch, "0 0 %d %d", width, width));
    html_leaf(h, "rect", "class", "qr-paper", "width", "100%", "height", "100%");
    html_leaf(h, "path", "d", b.p);
    html_close(h);
}
