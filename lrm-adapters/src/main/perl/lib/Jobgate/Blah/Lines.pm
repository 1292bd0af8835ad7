# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Blah::Lines;

# The words of the BLAH text protocol: lines whose words are parted by blanks, ClassAds in the new syntax, and HTCondor's lists of arguments. All is bytes.

use strict;
use warnings;

# Perl repeats a group of a pattern 65,534 times at most (32,766 before 5.30), and ends there without failing: so what may be long is read in turns, each of
# which takes a run of plain characters or one that is escaped.

# The words of a line: a backslash makes the next character part of a word.
sub split_line {
    my ($line) = @_;
    my @words;
    pos($line) = 0;
    while ($line =~ /\G *(?=[^ \\]|\\.)/gcs) {
        my $word = '';
        while ($line =~ /\G(?:([^ \\]++)|\\(.))/gcs) { $word .= $1 // $2 }
        push @words, $word;
    }
    return @words;
}

# The next string of a ClassAd with its quotes, as it stands; undef where it does not end. The position is at its first quote, and then behind it.
sub _string {
    my ($text) = @_;
    my $from = pos $$text;
    $$text =~ /\G"/gc or return;
    1 while $$text =~ /\G(?:[^"\\]++|\\.)/gcs;
    $$text =~ /\G"/gc or return;
    return substr $$text, $from, pos($$text) - $from;
}

# A text as one word of a line.
sub escape {
    my ($text) = @_;
    my $flat = $text =~ s/[\r\n\t\0]+/ /gr =~ s/([\\ ])/\\$1/gr;
    return length $flat ? $flat : '\\ ';
}

# The attributes of a ClassAd, by names in small letters: of a string its value, of anything else its text. Dies with a sentence.
sub parse_ad {
    my ($text) = @_;
    $text =~ s/\A\s*\[//  or die "The job's ClassAd does not begin with a bracket.\n";
    $text =~ s/\]\s*\z// or die "The job's ClassAd does not end with a bracket.\n";
    my %ad;
    pos($text) = 0;
    until ($text =~ /\G[\s;]*\z/gc) {
        $text =~ /\G[\s;]*([A-Za-z_][A-Za-z0-9_.]*|'(?:[^'\\]|\\.)*')\s*=\s*/gcs
            or die "The job's ClassAd cannot be read at '" . substr($text, pos $text, 40) . "'.\n";
        my $name = lc $1;
        $name =~ s/\A'(.*)'\z/$1/s;
        my ($value, $depth) = ('', 0);
        while ($text =~ /\G(?:([^"()\[\]{};]++)|([()\[\]{};])|(?="))/gcs) {
            if (defined $1) { $value .= $1; next }
            if (!defined $2) { $value .= _string(\$text) // die "A string of the job's ClassAd does not end.\n"; next }
            last if $2 eq ';' && $depth <= 0;
            $depth += index('([{', $2) >= 0 ? 1 : -1 if $2 ne ';';
            $value .= $2;
        }
        $ad{$name} = _value($value =~ s/\s+\z//r);
    }
    return \%ad;
}

my %NAMED = (n => "\n", t => "\t", r => "\r");

sub _value {
    my ($text) = @_;
    return $text unless $text =~ /\A"/;
    pos($text) = 0;
    my $string = _string(\$text);
    return $text unless defined $string && pos($text) == length $text;
    return substr($string, 1, -1) =~ s/\\(.)/$NAMED{$1} \/\/ $1/gesr;
}

# A ClassAd in one line, of names and values in turn; a number stands as such, a reference to a text as the text itself.
sub write_ad {
    my @parts;
    while (my ($name, $value) = splice @_, 0, 2) {
        push @parts, "$name=" . (ref $value ? $$value : $value =~ /\A-?[0-9]{1,15}\z/ ? $value : '"' . ($value =~ s/[\r\n\t\0]+/ /gr =~ s/(["\\])/\\$1/gr) . '"');
    }
    return '[ ' . join('; ', @parts) . ' ]';
}

# HTCondor's new syntax of arguments: blanks between words, single quotes around what holds blanks, two of them for one.
sub split_words {
    my ($text) = @_;
    my @words;
    pos($text) = 0;
    while ($text =~ /\G\s*+(?=\S)/gc) {
        my $word = '';
        while ($text =~ /\G(?:([^\s']++)|')/gc) { $word .= $1 // _quoted(\$text) }
        push @words, $word;
    }
    return @words;
}

# What is within quotation marks, behind the first of them.
sub _quoted {
    my ($text) = @_;
    my $quoted = '';
    while ($$text =~ /\G(?:([^']++)|'('))/gc) { $quoted .= $1 // $2 }
    $$text =~ /\G'/gc or die "A quotation in the job's arguments or environment does not end.\n";
    return $quoted;
}

1;
