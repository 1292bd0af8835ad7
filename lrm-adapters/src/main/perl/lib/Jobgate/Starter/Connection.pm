# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Starter::Connection;

# One worker that is connected to the starter: its requests, the answers, and the log lines it follows.

use strict;
use warnings;

use Errno qw(EAGAIN EINTR);
use Fcntl qw(F_GETFL F_SETFL O_NONBLOCK);
use Jobgate::Frames       ();
use Jobgate::Starter::Log ();

use constant {
    NONCE        => 'starter',
    READ         => 256 * 1024,
    OUT_ENOUGH   => 512 * 1024,            # no more log lines are queued above this
    OUT_TOO_MUCH => 128 * 1024 * 1024,     # a peer that never reads its answers is dropped above this
};

sub new {
    my ($class, $handle) = @_;
    fcntl $handle, F_SETFL, fcntl($handle, F_GETFL, 0) | O_NONBLOCK;
    return bless { handle => $handle, out => '', reader => Jobgate::Frames->new_reader(NONCE) }, $class;
}

sub handle    { return $_[0]{handle} }
sub wants_out { return length $_[0]{out} }
sub follows   { return defined $_[0]{follow} }

# What arrived, as values; undef when the peer is gone or speaks nonsense.
sub receive {
    my ($self) = @_;
    my $read = sysread $self->{handle}, my $bytes, READ;
    return [] if !defined $read && ($! == EAGAIN || $! == EINTR);
    return unless $read;
    $self->{reader}->feed($bytes);
    my @values;
    eval {
        while (my ($value) = $self->{reader}->next_value) { push @values, $value }
        1;
    } or return;
    return \@values;
}

sub send {
    my ($self, $value) = @_;
    $self->{out} .= Jobgate::Frames::frame(NONCE, $value);
    return;
}

# Writes what fits; answers 0 when the peer is gone.
sub write_out {
    my ($self) = @_;
    while (length $self->{out}) {
        my $wrote = syswrite $self->{handle}, $self->{out}, READ;
        if (!defined $wrote) {
            next if $! == EINTR;
            return $! == EAGAIN ? length($self->{out}) < OUT_TOO_MUCH : 0;
        }
        substr($self->{out}, 0, $wrote) = '';
    }
    return 1;
}

sub follow {
    my ($self, $checkpoint) = @_;
    $self->{follow} = Jobgate::Starter::Log->reader($checkpoint);
    return;
}

# Queues event lines that were written since the last time, as far as there is room.
sub pump {
    my ($self, $log, $live) = @_;
    my $follow = $self->{follow} or return;
    while (length $self->{out} < OUT_ENOUGH) {
        my $lines = $follow->read_lines($log);
        last unless length $lines;
        my $is_behind = !$follow->at_end($log);
        $self->_send_events($lines, $follow->checkpoint, $is_behind, $live);
    }
    return;
}

# Tells lines that could not be written yet. They come again when they are: the checkpoint does not move.
sub tell_unwritten {
    my ($self, $log, $lines, $live) = @_;
    my $follow = $self->{follow} or return;
    $self->_send_events($lines, $follow->checkpoint, 0, $live) if $follow->at_end($log);
    return;
}

sub _send_events {
    my ($self, $lines, $checkpoint, $is_behind, $live) = @_;
    $lines =~ s/^(?!001;)[^\n]*\n//mg;
    $lines =~ s/;spec=[^;\n]*//g;
    $self->send({ events => $lines, checkpoint => $checkpoint, behind => $is_behind ? 1 : 0, live => $live });
    return;
}

1;
