/* Models that are local files. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "suite/models_read.h"

enum {
    PIECES = 256, /* parts of the file that are hashed, evenly spaced */
    PIECE_BYTES = 1 << 16,
    ID_DIGITS = 12,
};

/* Tells apart different files of the same name. Fine-tuning changes weights everywhere, so a sample
 * is enough; reading all of a large file would take minutes. */
static bool identify(int fd, int64_t size, char out[HASH_HEX])
{
    int64_t step = size / PIECES > PIECE_BYTES ? size / PIECES : PIECE_BYTES;
    char bytes[PIECE_BYTES];
    struct hash h;

    hash_init(&h);
    hash_int(&h, size);
    for (int64_t at = 0; at < size; at += step) {
        ssize_t n = pread(fd, bytes, sizeof bytes, at);
        if (n < 0 || (at == 0 && (n < 4 || memcmp(bytes, "GGUF", 4) != 0)))
            return false;
        hash_str(&h, (struct str){bytes, (size_t)n});
    }
    hash_hex(&h, out);
    return size > 0;
}

void models_local_fill(struct arena *a, const char *path, struct place at, struct endpoint *ep,
                       struct diags *d)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    char hex[HASH_HEX], *whole;
    const char *slash;
    struct stat is;

    if (fd < 0 || fstat(fd, &is) != 0 || !S_ISREG(is.st_mode)) {
        diags_error(d, at, "%s: %s", path, strerror(fd < 0 ? errno : EINVAL));
    } else if (!identify(fd, is.st_size, hex)) {
        diags_error(d, at, "%s is not a GGUF file", path);
    } else {
        whole = realpath(path, NULL);
        ep->file = arena_text(a, str_of(whole ? whole : path));
        free(whole);
        slash = strrchr(path, '/');
        ep->model = arena_printf(a, "%s@%.*s", slash ? slash + 1 : path, ID_DIGITS, hex);
    }
    if (fd >= 0)
        (void)close(fd);
    ep->key_var = "";
    if (ep->server[0] == '\0')
        ep->server = "llama-server";
    if (isnan(ep->price_in)) /* runs on the user's own machine */
        ep->price_in = ep->price_out = 0;
}
