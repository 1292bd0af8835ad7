# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Starter::Timers;

# Things to do later, to a tenth of a second. Setting and clearing cost the same however many there are.

use strict;
use warnings;

use constant GRAIN_MS => 100;

sub new { return bless { buckets => {}, where => {}, next => undef }, $_[0] }

# Does the code at the time (ms) or up to a grain later; the name replaces a timer of the same name.
sub set {
    my ($self, $name, $at, $code) = @_;
    $self->clear($name);
    my $bucket = int(($at + GRAIN_MS - 1) / GRAIN_MS);
    $self->{buckets}{$bucket}{$name} = $code;
    $self->{where}{$name} = $bucket;
    $self->{next} = $bucket if !defined $self->{next} || $bucket < $self->{next};
    return;
}

sub is_set { return exists $_[0]{where}{ $_[1] } }

sub clear {
    my ($self, $name) = @_;
    my $bucket = delete $self->{where}{$name} // return;
    delete $self->{buckets}{$bucket}{$name};
    delete $self->{buckets}{$bucket} unless %{ $self->{buckets}{$bucket} };
    return;
}

# Milliseconds until the next one; undef if there is none. May be too early after a clear, never too late.
sub wait_ms {
    my ($self, $now) = @_;
    return unless defined $self->{next};
    my $wait = $self->{next} * GRAIN_MS - $now;
    return $wait > 0 ? $wait : 0;
}

sub run_due {
    my ($self, $now) = @_;
    while (defined $self->{next} && $self->{next} * GRAIN_MS <= $now) {
        my $due = delete $self->{buckets}{ $self->{next} };
        $self->_find_next;
        delete @{ $self->{where} }{ keys %$due };
        $_->() for values %$due;
    }
    return;
}

sub _find_next {
    my ($self) = @_;
    my $least;
    for (keys %{ $self->{buckets} }) {
        $least = $_ if !defined $least || $_ < $least;
    }
    $self->{next} = $least;
    return;
}

1;
