# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Wire;

# Values and frames as they travel between the container, a worker and a starter
# (docs/internals/worker-protocol.md). Strings are bytes; nothing is decoded or quoted.

use strict;
use warnings;

use constant {
    MAX_DEPTH   => 16,
    MAX_PAYLOAD => 64 * 1024 * 1024,
    MAX_NOISE   => 8192,
};

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
    return undef if $$bytes =~ /\G~/gc;
    $$bytes =~ /\G([sld])([0-9]{1,9}):/gc or die 'no value at ' . (pos($$bytes) // 0) . "\n";
    my ($kind, $size) = ($1, $2);
    # every item takes a byte at least: no count can make us reserve more than was sent
    die "a size of $size runs over the end\n" if $size > length($$bytes) - pos($$bytes);
    return _decode_string($bytes, $size) if $kind eq 's';
    return [ map { _decode($bytes, $depth + 1) } 1 .. $size ] if $kind eq 'l';
    return _decode_fields($bytes, $size, $depth);
}

sub _decode_string {
    my ($bytes, $size) = @_;
    my $from = pos $$bytes;
    pos($$bytes) = $from + $size;
    return substr $$bytes, $from, $size;
}

sub _decode_fields {
    my ($bytes, $size, $depth) = @_;
    my %fields;
    for (1 .. $size) {
        my $name = _decode($bytes, $depth + 1);
        die "the name of a field is not a string\n" if !defined $name || ref $name;
        $fields{$name} = _decode($bytes, $depth + 1);
    }
    return \%fields;
}

# value -> a whole frame
sub frame {
    my ($nonce, $value) = @_;
    my $payload = encode($value);
    utf8::downgrade($payload);    # dies on wide characters: everything here is bytes
    die 'a frame of ' . length($payload) . " bytes is over the limit\n" if length $payload > MAX_PAYLOAD;
    return "JG1 $nonce " . length($payload) . "\n$payload\n";
}

# Takes bytes as they arrive and gives the values of the frames in them. What is not a frame is noise.
sub new_reader {
    my ($class, $nonce, $noise) = @_;
    return bless { mark => "JG1 $nonce ", in => '', need => undef, noise => $noise // sub { } }, $class;
}

sub feed {
    my ($self, $bytes) = @_;
    $self->{in} .= $bytes;
    return;
}

# The next value wrapped in a list of one, or an empty list if more bytes are needed; dies on a broken frame.
sub next_value {
    my ($self) = @_;
    $self->{need} //= $self->_header // return;
    my $need = $self->{need};
    return if length $self->{in} <= $need;
    my $payload = substr $self->{in}, 0, $need;
    die "a frame does not end where it says\n" if substr($self->{in}, $need, 1) ne "\n";
    substr($self->{in}, 0, $need + 1) = '';
    $self->{need} = undef;
    return decode($payload);
}

# Finds the next header, even behind noise on the same line; answers the payload's length.
sub _header {
    my ($self) = @_;
    my $at = index $self->{in}, $self->{mark};
    if ($at < 0) {
        my $spare = length($self->{in}) - MAX_NOISE;
        $self->{noise}->(substr $self->{in}, 0, $spare, '') if $spare > 0;
        return;
    }
    $self->{noise}->(substr $self->{in}, 0, $at, '') if $at > 0;
    my $begin = length $self->{mark};
    my $end   = index $self->{in}, "\n", $begin;
    if ($end < 0) {
        die "a frame's header does not end\n" if length($self->{in}) > $begin + 10;
        return;
    }
    my $length = substr $self->{in}, $begin, $end - $begin;
    die "a frame's header holds no length\n" unless $length =~ /\A[0-9]{1,9}\z/;
    die "a frame of $length bytes is over the limit\n" if $length > MAX_PAYLOAD;
    substr($self->{in}, 0, $end + 1) = '';
    return $length;
}

1;
