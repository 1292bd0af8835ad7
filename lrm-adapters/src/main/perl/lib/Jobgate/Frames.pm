# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Frames;

# Values in frames, as they travel between the container, a worker and a starter (docs/internals/worker-protocol.md).

use strict;
use warnings;

use Jobgate::Wire ();

use constant {
    MAX_PAYLOAD => 64 * 1024 * 1024,
    MAX_NOISE   => 8192,
};

# value -> a whole frame
sub frame {
    my ($nonce, $value) = @_;
    my $payload = Jobgate::Wire::encode($value);
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
    return Jobgate::Wire::decode($payload);
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
