#!/usr/bin/env bash
# Every command line that a text shows to a reader exists: the command, its task, each option.
set -eu

# shellcheck source=tests/say.sh
. "$REPO/tests/say.sh"
command -v perl >/dev/null || { echo "there is no perl" >&2; exit 77; }

status 0 "$AUDITION" help
sed -n 's/^  \([a-z-]\{2,\}\)  .*/\1/p' out >commands
while read -r command; do
    status 0 "$AUDITION" help "$command"
    sed "s/^/$command\t/" out
done <commands >helps

cat >hints.pl <<'END_OF_PERL'
use strict;
use warnings;

my (%option, %task);
my %tasks = map { $_ => 1 } qw(db campaign classifier bank bench batch submit);
open my $in, '<', 'helps' or die;
while (<$in>) {
    my ($command, $line) = /^(\S+)\t(.*)/ or next;
    $option{$command} //= {};
    $option{$command}{$1} = 1 while $line =~ /^  (?:-\w, |    )--([a-z-]+)/g;
    $option{$command}{$1} = 1 if $line =~ /^  -(\w), /;
    if ($tasks{$command} && $line =~ /^usage: |^       \S/) {
        $line =~ s/^usage: audition $command//;
        $task{$command}{$_} = 1 for $line =~ /[a-z]+/g;
    }
}
my ($hints, $bad) = (0, 0);
for my $file (<STDIN>) {
    chomp $file;
    open my $text, '<', $file or next;
    while (<$text>) {
        while (/(?<![\w.\/-])((?:build\/)?audition ([a-z][a-z-]+)((?: [\w.\/:,=\$%"'@+*-]+)*))/g) {
            my ($all, $command, $rest, $before) = ($1, $2, $3, substr $_, 0, $-[0]);
            my $quoted = $before =~ /`$|^    $/;
            if (!$option{$command}) {
                print("$file:$.: no such command: $all\n"), $bad++ if $quoted;
                next;
            }
            $hints++;
            for my $name ($rest =~ /(?<= )--([a-z][a-z-]*)/g, $quoted ? $rest =~ /(?<= )-([a-zA-Z])(?= |$)/g : ()) {
                print("$file:$.: no such option: $name: $all\n"), $bad++ if !$option{$command}{$name};
            }
            my ($first) = $rest =~ /^ ([a-z]+)(?= |$)/;
            print("$file:$.: no such task: $all\n"), $bad++
                if $quoted && $first && $task{$command} && !$task{$command}{$first};
        }
    }
}
print "only $hints hints were found\n" if $hints < 300;
exit($bad > 0 || $hints < 300);
END_OF_PERL

(cd "$REPO" && { git ls-files || find . -type f -not -path "./build/*"; }) 2>/dev/null |
    grep -E '^(\./)?(README|CHANGELOG|CONTRIBUTING|docs/|demo/|share/|src/|suites/|packaging/)' | sed "s|^|$REPO/|" >files
perl hints.pl <files || fail "a hint names what does not exist"
