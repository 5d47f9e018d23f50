#include "base/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- files ---- */

#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE                                                                \
    (1ULL << 14) /* of Linux 6.2; headers of Debian 12 are older                                   \
                  */
#endif

enum { ABI_TRUNCATE = 3 };

#define OF_FILES                                                                                   \
    (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_EXECUTE |   \
     LANDLOCK_ACCESS_FS_TRUNCATE)
#define TO_READ (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define TO_WRITE                                                                                   \
    (TO_READ | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_TRUNCATE |                       \
     LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE)
/* What no rule allows is forbidden; executing is forbidden everywhere. */
#define ALL                                                                                        \
    (TO_WRITE | LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_REMOVE_DIR |                       \
     LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_SOCK |   \
     LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM)

static bool allow(int rules, uint64_t known, const struct sandbox_path *p)
{
    struct landlock_path_beneath_attr rule = {.parent_fd = open(p->path, O_PATH | O_CLOEXEC)};
    struct stat st;
    bool good;

    if (rule.parent_fd < 0)
        return true;
    rule.allowed_access = (p->write ? TO_WRITE : TO_READ) & known;
    if (fstat(rule.parent_fd, &st) == 0 && !S_ISDIR(st.st_mode))
        rule.allowed_access &= OF_FILES;
    good = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
    (void)close(rule.parent_fd);
    return good;
}

static bool close_files(const struct sandbox_path *paths, size_t n)
{
    long abi =
        syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, LANDLOCK_CREATE_RULESET_VERSION);
    struct landlock_ruleset_attr attr = {.handled_access_fs = ALL};
    bool good = true;
    int rules;

    if (abi < 1)
        return false;
    if (abi < ABI_TRUNCATE)
        attr.handled_access_fs &= ~LANDLOCK_ACCESS_FS_TRUNCATE;
    rules = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof attr, 0);
    if (rules < 0)
        return false;
    for (size_t i = 0; i < n && good; i++)
        good = allow(rules, attr.handled_access_fs, &paths[i]);
    good = good && syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    (void)close(rules);
    return good;
}

/* ---- calls ---- */

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#if defined __SANITIZE_ADDRESS__
#define SEARCHES_LEAKS /* at exit, by tracing itself */
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define SEARCHES_LEAKS
#endif
#endif

#ifdef ARCHITECTURE

/* A deny list, because libraries change which calls they use. */
/* clang-format off */
static const int forbidden[] = {
    SYS_execve, SYS_execveat,
#ifndef SEARCHES_LEAKS
    SYS_ptrace,
#endif
    SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_pidfd_getfd,
    SYS_mount, SYS_umount2, SYS_move_mount, SYS_open_tree, SYS_fsopen, SYS_fsmount,
    SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_open_by_handle_at,
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd,
    SYS_io_uring_setup, /* makes calls that bypass this filter */
    SYS_add_key, SYS_request_key, SYS_keyctl,
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot,
    SYS_swapon, SYS_swapoff, SYS_settimeofday, SYS_clock_settime, SYS_sethostname,
    SYS_personality,
/* Take paths, which Landlock does not check here. SQLite uses fchmod on open files, which stays
 * allowed. */
#ifdef SYS_chmod
    SYS_chmod, SYS_chown, SYS_lchown,
#endif
    SYS_fchmodat, SYS_fchownat,
};
/* clang-format on */

enum { X32_BIT = 0x40000000 }; /* the calls of x86-64 under other numbers */

#define NAMESPACES                                                                                 \
    (CLONE_NEWNS | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS |     \
     CLONE_NEWCGROUP)
#define FIELD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
/* Continue if the loaded value is v; else skip so many instructions. */
#define IF(v, over) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (v), 0, (over))
#define RETURN(v)   BPF_STMT(BPF_RET | BPF_K, (v))
#define REFUSE      RETURN(SECCOMP_RET_ERRNO | EPERM)
#define ALLOW       RETURN(SECCOMP_RET_ALLOW)

/* Calls that are refused depending on their arguments. The flags of clone3 are in memory, where a
 * filter cannot look: it pretends not to exist, and the library uses clone. Raw sockets are
 * refused, except netlink, which the library needs to look up addresses. */
static const struct sock_filter begins[] = {
    FIELD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
    REFUSE,
    FIELD(nr),
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1),
    REFUSE,
    IF(SYS_clone3, 1),
    RETURN(SECCOMP_RET_ERRNO | ENOSYS),
    IF(SYS_clone, 4),
    FIELD(args[0]),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NAMESPACES, 0, 1),
    REFUSE,
    ALLOW,
    IF(SYS_socket, 10),
    FIELD(args[0]),
    IF(AF_PACKET, 1),
    REFUSE,
    IF(AF_NETLINK, 1),
    ALLOW,
    FIELD(args[1]),
    BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xf),
    IF(SOCK_RAW, 1),
    REFUSE,
    ALLOW,
};

static bool close_calls(void)
{
    struct sock_filter code[COUNT(begins) + 2 * COUNT(forbidden) + 1];
    struct sock_fprog program = {.filter = code};
    unsigned short n = COUNT(begins);

    memcpy(code, begins, sizeof begins);
    for (size_t i = 0; i < COUNT(forbidden); i++) {
        code[n++] = (struct sock_filter)IF((uint32_t)forbidden[i], 1);
        code[n++] = (struct sock_filter)REFUSE;
    }
    code[n++] = (struct sock_filter)ALLOW;
    program.len = n;
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

#else

static bool close_calls(void)
{
    return false;
}

#endif

unsigned sandbox_enter(const struct sandbox_path *paths, size_t n)
{
    unsigned holds = 0;

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) /* the kernel demands it */
        return 0;
    if (close_files(paths, n))
        holds |= SANDBOX_FILES;
    if (close_calls())
        holds |= SANDBOX_CALLS;
    return holds;
}
