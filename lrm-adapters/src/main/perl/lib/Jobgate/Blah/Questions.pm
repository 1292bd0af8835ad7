# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Blah::Questions;

# How jobs are, by a status script of HTCondor's blahp. Its answer for a job is "0[ ClassAd ]" or "1ERROR text", which may run over several lines. By their
# contract the scripts take many ids; some answer for the first alone, or not at all then.

use strict;
use warnings;

use Jobgate::Commands ();

use constant { SECONDS => 30 };

# id => its answer in one line, for those that have one
sub ask {
    my ($script, $at_once, @ids) = @_;
    my ($name, $bin) = $script =~ m{\A(.+)/([^/]+)\z} ? ($2, $1) : ($script, undef);
    my $commands = Jobgate::Commands->new(bin => $bin, seconds => SECONDS, environment => { %ENV });
    my %said;
    if (@ids > 1) {
        my $done    = $commands->run([ $name, @ids ]);
        my @answers = answers($done->{out});
        # in the order of the ids, or by the id that is in it: what is of the wrong number is not believed
        @said{@ids} = @answers if $done->{exit} == 0 && @answers == @ids && !grep { /\A1/ } @answers;
    }
    my @left = grep { !defined $said{$_} } @ids;
    my @done = $commands->run_all($at_once, [ map { [ [ $name, $_ ] ] } @left ]);
    for my $number (0 .. $#left) {
        my @answers = answers($done[$number]{out});
        $said{ $left[$number] } = $answers[0] if @answers == 1;
    }
    return %said;
}

# The answers in what a script has printed: each begins with 0[ or 1 and a word at the beginning of a line.
sub answers {
    my ($text) = @_;
    return map { s/\s+/ /gr =~ s/\s+\z//r } $text =~ /^((?:0\s*\[.*?\]|1\s*[A-Za-z].*?))\s*(?=^0\s*\[|^1\s*[A-Za-z]|\z)/gms;
}

# The attributes of an answer, by names in small letters; undef where it tells of none.
sub ad {
    my ($answer) = @_;
    return unless defined $answer && $answer =~ /\A0\s*(\[.*\])\s*\z/s;
    require Jobgate::Blah::Lines;
    return eval { Jobgate::Blah::Lines::parse_ad($1) };
}

1;
