/* measure FILE COMMAND...: run the command; FILE gets wall, user and system seconds and its peak
 * memory in kB. Ends with the command's status. */
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"

static double now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

int main(int argc, char **argv)
{
    double begun = now();
    struct rusage used;
    int status;
    pid_t child;
    FILE *out;

    if (argc < 3)
        return 2;
    child = fork();
    if (child == 0) {
        (void)execvp(argv[2], argv + 2);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &used) < 0)
        return 1;
    out = fopen(argv[1], "we");
    if (!out)
        return 1;
    (void)fprintf(out, "%.3f %.3f %.3f %ld\n", now() - begun, seconds(used.ru_utime),
                  seconds(used.ru_stime), used.ru_maxrss);
    return fclose(out) == 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
