#!/usr/bin/env perl
# messages.pl [--list]  fail on a message that share/words/messages lacks, or has and nothing says.
#
# A message is the format of err_set(), err_wrap(), diags_error(), diags_warn(), sayf() or differs(), what stands
# in _() or N_(), a summary, an option's help or a paragraph of share/help. One with fewer than three
# letters of its own ("%s: %s") needs no translation. --list prints where each is said.
use strict;
use warnings;

my $string = qr/"(?:[^"\\]|\\.)*"/s;
my %at = (err_set => 2, err_wrap => 1, diags_error => 2, diags_warn => 2, sayf => 3, differs => 1, _ => 0, N_ => 0);
my (%said, %literal);

sub joined { return join '', map { substr $_, 1, -1 } $_[0] =~ /$string/g }

# The text as the catalogue writes it: quotes bare, \n and \t as they are.
sub plain { my ($t) = @_; $t =~ s/\\(["'\\])/$1/g; return $t }

sub has_words {
    my ($t) = @_;
    $t =~ s/%[-+ #.*0-9]*[lzhj]*[a-zA-Z%]|\\./ /g;
    return ($t =~ tr/A-Za-z//) >= 3;
}

sub say_it { my ($text, $where) = @_; push @{$said{plain($text)}}, $where if has_words($text) }

# The arguments of a call whose bracket ends before position pos().
sub arguments {
    my ($text) = @_;
    my ($depth, $now, @all) = (0, '');
    while ($$text =~ /\G($string|'(?:[^'\\]|\\.)*'|.)/gs) {
        my $part = $1;
        return (@all, $now) if $depth == 0 && $part eq ')';
        $depth++ if $part =~ /^[(\[{]$/;
        $depth-- if $part =~ /^[)\]}]$/;
        if ($depth == 0 && $part eq ',') { push @all, $now; $now = '' }
        else { $now .= $part }
    }
    return @all;
}

for my $file (glob 'src/*/*.[ch]') {
    open my $in, '<', $file or die "$file: $!\n";
    local $/;
    my $text = <$in>;
    $text =~ s{($string)|/\*.*?\*/}{defined $1 ? $1 : ' '}gse;

    $text =~ s/"\s*PRId64\s*"/lld/g;
    $literal{plain(joined($1))} = 1 while $text =~ /((?:$string\s*)+)/g;
    while ($text =~ /\b(err_set|err_wrap|diags_error|diags_warn|sayf|differs|_|N_)\(/g) {
        my ($function, $begin) = ($1, pos $text);
        my @v = arguments(\$text);
        pos($text) = $begin;
        next if @v <= $at{$function};
        say_it(joined($1), $file) while $v[$at{$function}] =~ /((?:$string\s*)+)/g;
    }
    say_it(joined($1), $file) while $text =~ /\.summary\s*=\s*((?:$string\s*)+)/g;
    say_it(joined($1), $file)
        while $text =~ /\{$string,\s*(?:0|'.'),\s*OPT_\w+,[^"{}]*(?:$string|NULL),\s*((?:$string\s*)+)/g;
}

for my $file (glob 'share/help/*') {
    open my $in, '<', $file or die "$file: $!\n";
    push @{$said{$_}}, $file for grep { !/^ / && has_words($_) } map { chomp; $_ } <$in>;
}

if (@ARGV && $ARGV[0] eq '--list') {
    print "$_\t@{$said{$_}}\n" for sort keys %said;
    exit 0;
}

my (%known, $bad);
open my $in, '<', 'share/words/messages' or die "share/words/messages: $!\n";
my @lines = grep { !/^#|^$/ } map { chomp; $_ } <$in>;
for (my $i = 0; $i < @lines; $i += 3) {
    next unless $known{$lines[$i]}++;
    print "share/words/messages: twice: $lines[$i]\n";
    $bad++;
}
for (sort keys %said) {
    next if $known{$_};
    print "share/words/messages lacks: $_ ($said{$_}[0])\n";
    $bad++;
}
for (sort keys %known) {
    next if $said{$_} || $literal{$_};
    print "share/words/messages: nothing says: $_\n";
    $bad++;
}
exit($bad ? 1 : 0);
