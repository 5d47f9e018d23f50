# shellcheck shell=bash
# What the server behind AUDITION_TEST_PG has used, for benchmarks that source this file.

# server_us: microseconds of its processes, and of those that have ended
server_us()
{
    local socket=${AUDITION_TEST_PG#*host=} ticks master
    ticks=$(getconf CLK_TCK)
    master=$(head -n 1 "${socket%%&*}/data/postmaster.pid")
    {
        awk '{ sub(/.*\) /, ""); print $12 + $13 + $14 + $15 }' "/proc/$master/stat"
        for p in $(pgrep -P "$master"); do awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$p/stat" 2>/dev/null || true; done
    } | awk -v t="$ticks" '{ s += $1 } END { printf "%.0f\n", s * 1e6 / t }'
}
