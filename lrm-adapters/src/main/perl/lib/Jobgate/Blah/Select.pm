# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Blah::Select;

# The expressions of BLAH_JOB_STATUS_SELECT: comparisons of attributes with numbers, strings and truth values, joined by &&, || and !, with parentheses.

use strict;
use warnings;

use constant { MAX_BYTES => 4096, MAX_DEPTH => 32 };

my %COMPARE = (
    '==' => sub { $_[0] == 0 }, '=?=' => sub { $_[0] == 0 }, '!=' => sub { $_[0] != 0 }, '=!=' => sub { $_[0] != 0 },
    '<'  => sub { $_[0] < 0 },  '<='  => sub { $_[0] <= 0 }, '>'  => sub { $_[0] > 0 },  '>='  => sub { $_[0] >= 0 },
);

# The expression as code that says of a ClassAd (attributes by names in small letters) whether it is meant. Dies with a sentence.
sub compile {
    my ($text) = @_;
    die 'The expression is longer than ' . MAX_BYTES . " bytes.\n" if length $text > MAX_BYTES;
    pos($text) = 0;
    my $code = _any(\$text, 0);
    $text =~ /\G\s*\z/gc or die "The expression cannot be read at '" . substr($text, pos($text) // 0, 40) . "'.\n";
    return $code;
}

sub _any {
    my ($text, $depth) = @_;
    die 'The expression is nested deeper than ' . MAX_DEPTH . ".\n" if $depth > MAX_DEPTH;
    my @parts = _all($text, $depth);
    while ($$text =~ /\G\s*\|\|/gc) { push @parts, _all($text, $depth) }
    return sub { my ($ad) = @_; for (@parts) { return 1 if $_->($ad) } return 0 };
}

sub _all {
    my ($text, $depth) = @_;
    my @parts = _one($text, $depth);
    while ($$text =~ /\G\s*&&/gc) { push @parts, _one($text, $depth) }
    return sub { my ($ad) = @_; for (@parts) { return 0 unless $_->($ad) } return 1 };
}

sub _one {
    my ($text, $depth) = @_;
    if ($$text =~ /\G\s*!(?!=)/gc) { my $code = _one($text, $depth + 1); die "The expression is nested too deep.\n" if $depth > MAX_DEPTH; return sub { !$code->(@_) } }
    if ($$text =~ /\G\s*\(/gc) {
        my $code = _any($text, $depth + 1);
        $$text =~ /\G\s*\)/gc or die "A parenthesis of the expression does not end.\n";
        return $code;
    }
    my $name = $$text =~ /\G\s*([A-Za-z_][A-Za-z0-9_.]*)/gc ? lc $1 : die "The expression cannot be read at '" . substr($$text, pos($$text) // 0, 40) . "'.\n";
    return sub { $name eq 'true' } if $name =~ /\A(?:true|false)\z/;
    my $operator = $$text =~ /\G\s*(==|=\?=|!=|=!=|<=|>=|<|>)/gc ? $1 : die "The attribute $name is not compared with anything.\n";
    $$text =~ /\G\s*(?:"((?:[^"\\]|\\.)*)"|(-?[0-9]+(?:\.[0-9]+)?|true|false))/gcsi or die "The attribute $name is compared with what is no literal.\n";
    my ($string, $other) = ($1, $2);
    $string =~ s/\\(.)/$1/gs if defined $string;
    my $is_number = defined $other && $other =~ /\A-?[0-9]/;
    my $holds = $COMPARE{$operator};
    return sub {
        my $value = $_[0]{$name} // return 0;
        return $value =~ /\A-?[0-9]+(?:\.[0-9]+)?\z/ && $holds->($value <=> $other) if $is_number;
        return $holds->(lc $value cmp lc($string // $other));
    };
}

1;
