# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Commands::Running;

# One command in the background. Its output is taken as it comes, so that it never waits for us, and we never for it.

use strict;
use warnings;

use Fcntl qw(F_SETFL O_NONBLOCK);
use POSIX qw(WNOHANG);
use Time::HiRes ();

use constant {
    MAX_OUTPUT   => 64 * 1024 * 1024,
    READ         => 256 * 1024,
    REAP_SECONDS => 0.02,               # between two looks at a command that has closed its outputs and is not over
};

# name, words (of the command), pid, seconds (from now), handles ([its standard output, its standard error])
sub new {
    my ($class, %given) = @_;
    fcntl $_, F_SETFL, O_NONBLOCK for @{ $given{handles} };
    return bless { %given, said => [ '', '' ], open => [ 0, 1 ], begun => Time::HiRes::time() }, $class;
}

sub begun { return $_[0]{begun} }

# A handle that becomes readable when there is something to take; undef once the outputs are closed.
sub handle {
    my ($self) = @_;
    my ($first) = @{ $self->{open} };
    return defined $first ? $self->{handles}[$first] : undef;
}

# Takes what is there; answers { name, words, exit, out, err } when the command is over or given up, undef before. Does not wait.
sub finished {
    my ($self) = @_;
    return $self->{done} if $self->{done};
    $self->_take;
    my $why = $self->_too_much;
    if (!$why && !@{ $self->{open} } && waitpid($self->{pid}, WNOHANG) == $self->{pid}) { return $self->_over($?) }
    $why //= "did not end within $self->{seconds} seconds" if $self->seconds_left <= 0;
    return $why ? $self->give_up($why) : undef;
}

# Waits for the end.
sub wait {
    my ($self) = @_;
    until ($self->finished) { await_any(undef, $self) }
    return $self->{done};
}

# Ends it, and says so in its answer.
sub give_up {
    my ($self, $why) = @_;
    return $self->{done} if $self->{done};
    kill KILL => $self->{pid};
    waitpid $self->{pid}, 0;
    return $self->{done} = { name => $self->{name}, words => $self->{words}, exit => -1, out => $self->{said}[0], err => "$self->{name} $why" };
}

# Waits until one of them has something to say, or is out of time; for so many seconds, if a number is given.
sub await_any {
    my ($most, @running) = @_;
    my $bits = '';
    my ($left) = sort { $a <=> $b } defined $most ? $most : (), map { $_->seconds_left } @running;
    for my $running (@running) {
        vec($bits, fileno $running->{handles}[$_], 1) = 1 for @{ $running->{open} };
        $left = REAP_SECONDS if !@{ $running->{open} } && $left > REAP_SECONDS;
    }
    select $bits, undef, undef, $left > 0 ? $left : 0;
    return;
}

sub seconds_left { my ($self) = @_; return $self->{begun} + $self->{seconds} - Time::HiRes::time() }

sub _take {
    my ($self) = @_;
    my @still;
    for my $i (@{ $self->{open} }) {
        my $read;
        do { $read = sysread $self->{handles}[$i], $self->{said}[$i], READ, length $self->{said}[$i] } while $read && !$self->_too_much;
        push @still, $i if $read || (!defined $read && ($!{EAGAIN} || $!{EINTR}));
    }
    $self->{open} = \@still;
    return;
}

sub _too_much {
    my ($self) = @_;
    return length($self->{said}[0]) + length($self->{said}[1]) > MAX_OUTPUT ? 'printed more than ' . MAX_OUTPUT . ' bytes' : undef;
}

sub _over {
    my ($self, $status) = @_;
    my $exit = $status & 127 ? 128 + ($status & 127) : $status >> 8;
    return $self->{done} = { name => $self->{name}, words => $self->{words}, exit => $exit, out => $self->{said}[0], err => $self->{said}[1] };
}

# A command that is not waited for any more must not stay as a zombie.
sub DESTROY {
    my ($self) = @_;
    local ($?, $!, $@);
    $self->give_up('is not waited for') unless $self->{done};
    return;
}

1;
