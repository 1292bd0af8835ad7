# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Wire;

# Values as they travel between the container, a worker and a starter (docs/internals/worker-protocol.md), and as they lie in the files of
# jobs. Strings are bytes; nothing is decoded or quoted. The launcher of each job loads this: frames are elsewhere (Jobgate::Frames).

use strict;
use warnings;

sub MAX_DEPTH() { 16 }    # by hand: constant.pm would cost each job a millisecond

# value -> bytes
sub encode {
    my ($value) = @_;
    return '~' unless defined $value;
    my $kind = ref $value;
    return 's' . length($value) . ':' . $value unless $kind;
    if ($kind eq 'ARRAY') {
        return join '', 'l', scalar(@$value), ':', map { encode($_) } @$value;
    }
    die "cannot encode a $kind\n" unless $kind eq 'HASH';
    return join '', 'd', scalar(keys %$value), ':',
        map { 's' . length($_) . ':' . $_ . encode($value->{$_}) } sort keys %$value;
}

# bytes -> value; dies with a sentence on anything that is not exactly one value
sub decode {
    my ($bytes) = @_;
    pos($bytes) = 0;
    my $value = _decode(\$bytes, 0);
    die 'bytes left over after the value at ' . pos($bytes) . "\n" if pos($bytes) != length $bytes;
    return $value;
}

sub _decode {
    my ($bytes, $depth) = @_;
    die 'nested deeper than ' . MAX_DEPTH . "\n" if $depth > MAX_DEPTH;
    my $string = _string($bytes);    # nearly all are
    return $string if defined $string;
    return undef if $$bytes =~ /\G~/gc;
    $$bytes =~ /\G([ld])([0-9]{1,9}):/gc or die 'no value at ' . (pos($$bytes) // 0) . "\n";
    my ($kind, $size) = ($1, $2);
    # every item takes a byte at least: no count can make us reserve more than was sent
    die "a size of $size runs over the end\n" if $size > length($$bytes) - pos($$bytes);
    return [ map { _decode($bytes, $depth + 1) } 1 .. $size ] if $kind eq 'l';
    return _decode_fields($bytes, $size, $depth);
}

# The string that is next; undef if it is something else.
sub _string {
    my ($bytes) = @_;
    $$bytes =~ /\Gs([0-9]{1,9}):/gc or return;
    my ($size, $from) = ($1, pos $$bytes);
    die "a size of $size runs over the end\n" if $size > length($$bytes) - $from;
    pos($$bytes) = $from + $size;
    return substr $$bytes, $from, $size;
}

sub _decode_fields {
    my ($bytes, $size, $depth) = @_;
    my %fields;
    for (1 .. $size) {
        my $name = _string($bytes) // die "the name of a field is not a string\n";
        $fields{$name} = _string($bytes) // _decode($bytes, $depth + 1);
    }
    return \%fields;
}

1;
