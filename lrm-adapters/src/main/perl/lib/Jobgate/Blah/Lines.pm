# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Blah::Lines;

# The words of the BLAH text protocol: lines whose words are parted by blanks, ClassAds in the new syntax, and HTCondor's lists of arguments. All is bytes.

use strict;
use warnings;

my $STRING = qr/"((?:[^"\\]|\\.)*)"/s;

# The words of a line: a backslash makes the next character part of a word.
sub split_line {
    my ($line) = @_;
    my @words;
    while ($line =~ /\G *((?:[^ \\]|\\.)+)/gcs) { my $word = $1; push @words, $word =~ s/\\(.)/$1/gsr }
    return @words;
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
        while ($text =~ /\G(?:$STRING|([^"]))/gcs) {
            if (!defined $2) { $value .= "\"$1\""; next }
            last if $2 eq ';' && $depth <= 0;
            $depth += index('([{', $2) >= 0 ? 1 : index(')]}', $2) >= 0 ? -1 : 0;
            $value .= $2;
        }
        die "A string of the job's ClassAd does not end.\n" if (pos($text) // length $text) < length $text && substr($text, pos $text, 1) eq '"';
        $ad{$name} = _value($value =~ s/\s+\z//r);
    }
    return \%ad;
}

my %NAMED = (n => "\n", t => "\t", r => "\r");

sub _value {
    my ($text) = @_;
    return $text unless $text =~ /\A$STRING\z/s;
    my $string = $1;
    return $string =~ s/\\(.)/$NAMED{$1} \/\/ $1/gesr;
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
    while ($text =~ /\G\s*((?:[^\s']|'(?:[^']|'')*')+)/gc) {
        my $word = $1;
        push @words, $word =~ s/'((?:[^']|'')*)'/_unquoted($1)/ger;
    }
    die "A quotation in the job's arguments or environment does not end.\n" if $text =~ /\G\s*\S/gc;
    return @words;
}

sub _unquoted { my ($text) = @_; return $text =~ s/''/'/gr }

1;
