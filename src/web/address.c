#include "web/address.h"

#include <arpa/inet.h>

static const unsigned char mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

static bool is_v4(const struct address *x)
{
    return memcmp(x->b, mapped, sizeof mapped) == 0;
}

static struct address from_v4(const void *four)
{
    struct address x;

    memcpy(x.b, mapped, sizeof mapped);
    memcpy(x.b + sizeof mapped, four, 4);
    return x;
}

bool address_read(struct str text, struct address *out)
{
    char s[INET6_ADDRSTRLEN];
    unsigned char four[4];

    if (text.n == 0 || text.n >= sizeof s)
        return false;
    memcpy(s, text.p, text.n);
    s[text.n] = '\0';
    if (inet_pton(AF_INET, s, four) == 1) {
        *out = from_v4(four);
        return true;
    }
    return inet_pton(AF_INET6, s, out->b) == 1;
}

bool address_from_socket(const struct sockaddr *sa, struct address *out)
{
    if (sa && sa->sa_family == AF_INET) {
        *out = from_v4(&((const struct sockaddr_in *)(const void *)sa)->sin_addr);
        return true;
    }
    if (sa && sa->sa_family == AF_INET6) {
        memcpy(out->b, &((const struct sockaddr_in6 *)(const void *)sa)->sin6_addr, sizeof out->b);
        return true;
    }
    return false;
}

const char *address_text(struct arena *a, const struct address *x)
{
    char s[INET6_ADDRSTRLEN] = "";

    if (is_v4(x))
        (void)inet_ntop(AF_INET, x->b + sizeof mapped, s, sizeof s);
    else
        (void)inet_ntop(AF_INET6, x->b, s, sizeof s);
    return arena_text(a, str_of(s));
}

const char *address_network_text(struct arena *a, const struct address *x)
{
    struct address half = *x;

    if (is_v4(x))
        return address_text(a, x);
    memset(half.b + 8, 0, 8);
    return arena_printf(a, "%s/64", address_text(a, &half));
}

bool address_same_network(const struct address *x, const struct address *y)
{
    return is_v4(x) == is_v4(y) &&
           memcmp(x->b, y->b, is_v4(x) ? sizeof x->b : sizeof x->b / 2) == 0;
}

bool address_is_loopback(const struct address *x)
{
    static const unsigned char one[16] = {[15] = 1};

    return is_v4(x) ? x->b[12] == 127 : memcmp(x->b, one, sizeof one) == 0;
}

bool address_names_loopback(struct str host)
{
    struct str name = host, port;
    struct address x;

    if (host.n && host.p[0] == '[') {
        const char *end = memchr(host.p, ']', host.n);
        name = end ? (struct str){host.p + 1, (size_t)(end - host.p) - 1} : STR("");
    } else {
        (void)str_cut(host, ':', &name, &port);
    }
    return str_is(name, "localhost") || (address_read(name, &x) && address_is_loopback(&x));
}

enum status network_read(struct str text, struct network *out, struct err *e)
{
    struct str host = text, bits;
    bool given = str_cut(text, '/', &host, &bits);
    struct network n = {.bits = 128};
    int64_t b = 0;

    if (!address_read(host, &n.at))
        goto bad;
    if (given) {
        int most = is_v4(&n.at) ? 32 : 128;
        if (!str_int(bits, &b) || b < 0 || b > most)
            goto bad;
        n.bits = (int)b + 128 - most;
    }
    *out = n;
    return OK;
bad:
    return err_set(e, E_USAGE, "%.*s: expected an address or a network such as 10.0.0.0/8",
                   STR_ARG(text));
}

bool network_has(const struct network *n, const struct address *x)
{
    int whole = n->bits / 8, rest = n->bits % 8;
    unsigned mask = 0xffu << (8 - rest);

    if (memcmp(n->at.b, x->b, (size_t)whole) != 0)
        return false;
    return rest == 0 || ((n->at.b[whole] ^ x->b[whole]) & mask & 0xff) == 0;
}

static bool trusts(const struct network *trusted, size_t n, const struct address *x)
{
    for (size_t i = 0; i < n; i++)
        if (network_has(&trusted[i], x))
            return true;
    return false;
}

/* Take the last item off a list with commas. */
static struct str last_item(struct str *list)
{
    size_t from = list->n;
    struct str item;

    while (from > 0 && list->p[from - 1] != ',')
        from--;
    item = str_from(*list, from);
    list->n = from > 0 ? from - 1 : 0;
    return str_trim(item);
}

/* "192.0.2.1", "192.0.2.1:80", "[2001:db8::1]:80" or "2001:db8::1", in quotes or not. */
static bool read_hop(struct str text, struct address *out)
{
    struct str host, port;

    if (text.n >= 2 && text.p[0] == '"' && text.p[text.n - 1] == '"')
        text = (struct str){text.p + 1, text.n - 2};
    if (text.n && text.p[0] == '[') {
        const char *end = memchr(text.p, ']', text.n);
        return end && address_read((struct str){text.p + 1, (size_t)(end - text.p) - 1}, out);
    }
    if (address_read(text, out))
        return true;
    return str_cut(text, ':', &host, &port) && address_read(host, out);
}

struct address address_behind(const struct network *trusted, size_t n, struct address peer,
                              struct str forwarded_for)
{
    struct address hop;

    while (trusts(trusted, n, &peer) && forwarded_for.n) {
        if (!read_hop(last_item(&forwarded_for), &hop))
            break;
        peer = hop;
    }
    return peer;
}

/* The value of "for=" among "for=192.0.2.60;proto=http". */
static struct str for_of(struct str element)
{
    struct str part, name, value;

    while (str_part(&element, ';', &part))
        if (str_cut(part, '=', &name, &value) && str_is_nocase(str_trim(name), "for"))
            return str_trim(value);
    return STR("");
}

struct str address_forwarded(struct arena *a, struct str header)
{
    AUTO(buf_done) struct buf b = BUF_MAX(64 << 10);
    struct str element;

    while (str_part(&header, ',', &element))
        buf_fmt(&b, "%s%.*s", b.n ? "," : "", STR_ARG(for_of(element)));
    return arena_str(a, buf_str(&b));
}
