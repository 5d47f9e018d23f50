#include "web/qr.h"

#include <qrencode.h>

enum { MARGIN = 4 };

const char *qr_path(struct arena *a, const char *text, int *width)
{
    QRcode *code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M);
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 20);

    if (!code)
        return NULL;
    for (int i = 0; i < code->width * code->width; i++)
        if (code->data[i] & 1)
            buf_fmt(&b, "M%d %dh1v1h-1z", i % code->width + MARGIN, i / code->width + MARGIN);
    *width = code->width + 2 * MARGIN;
    QRcode_free(code);
    return arena_text(a, buf_str(&b));
}
