#!/usr/bin/env bash
# What judges are told begins with what is the same in the whole run, so that providers can cache
# it: at least 95 % of the constant text of two requests stands before their first difference.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

mock judges
cat >models.yaml <<END
models:
  - {name: ann, base_url: "http://127.0.0.1:$port", model: chat-a}
  - {name: bob, base_url: "http://127.0.0.1:$port", model: chat-b}
  - {name: critic, base_url: "http://127.0.0.1:$port", model: judge-pair}
  - {name: asker, base_url: "http://127.0.0.1:$port", model: examiner-a}
END

# prefix DATABASE: share of the constant text before the first difference, in percent; two requests
# about different items
prefix()
{
    sql "$1" "SELECT c.request FROM verdict v JOIN sample s ON s.id = v.sample
        JOIN call c ON c.id = v.call GROUP BY s.item ORDER BY c.id LIMIT 2" |
        perl -MJSON::PP -e '
            my @texts = map { join("\n", map { $_->{content} } @{ decode_json($_)->{messages} }[0, 1]) } <STDIN>;
            my ($a, $b) = @texts or die "no requests\n";
            my $shared = 0;
            $shared++ while substr($a, $shared, 1) eq substr($b, $shared, 1) && $shared < length $a;
            my %there; $there{$_}++ for split /\n/, $b;
            my $constant = 0;
            # What examiners say alike is material, too.
            for my $line (grep { !/^\[\d+\]/ } split /\n/, $a) { $constant += 1 + length $line if $there{$line}-- > 0 }
            printf "%d\n", 100 * $shared / $constant'
}

while read -r suite more; do
    rm -f run.db*
    # Whether the mock's verdicts fit the scale does not matter here.
    # shellcheck disable=SC2086 # several words
    "$AUDITION" run "$REPO/suites/$suite.yaml" -m ann -m bob --judge critic -q --limit 2 --db run.db \
        $more >out 2>&1 || [ $? -eq 3 ] || { cat out; fail "$suite"; }
    share=$(prefix run.db)
    [ "$share" -ge 95 ] || fail "$suite: $share % of what is constant stands before the first difference"
    echo "$suite: $share %"
done <<'END'
bench/zh/streamer-live-chat
scenes/creation
scenes/creation.en
scenes/creation.ja
next-line/battle.zh
next-line/battle.ja
next-line/battle.en
interview/interview.zh --examiner asker
interview/interview.ja --examiner asker
interview/interview.en --examiner asker
END

echo "a forecast counts on that, where it has a price and is long enough to be kept"
cat >models.yaml <<END
models:
  - {name: ann, base_url: "http://127.0.0.1:$port", model: chat-a, price: {in: 1, out: 1}}
  - {name: full, base_url: "http://127.0.0.1:$port", model: judge-a, price: {in: 100, out: 0}}
  - {name: less, base_url: "http://127.0.0.1:$port", model: judge-a, price: {in: 100, out: 0, cached: 10}}
END
# forecast JUDGE [SUITE]: tokens from the cache, and the cost in proportion to that without one
forecast()
{
    status 0 "$AUDITION" run "$REPO/suites/${2:-interview/interview.en}.yaml" -m ann --judge "$1" --examiner script --dry-run --json
    perl -MJSON::PP -0777 -ne 'my ($judge) = grep { $_->{as} eq "judge" } @{ decode_json($_)->{endpoints} };
        my $plain = $judge->{tokens_in} / 1e4;
        printf "%d %.0f\n", $judge->{tokens_cached} / $judge->{requests}, 100 * $judge->{cost} / $plain' out
}
is "$(forecast full)" "0 100" "tokens in the cache and cost where it has no price"
read -r cached percent < <(forecast less)
[ "$cached" -ge 1024 ] || fail "cached: $cached tokens a request"
[ "$percent" -lt 100 ] || fail "costs $percent % of what it would without"
