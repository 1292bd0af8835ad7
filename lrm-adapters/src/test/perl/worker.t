#!/usr/bin/perl
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# The worker's loop, with an adapter that always has something to tell.

use strict;
use warnings;

use FindBin ();
use lib "$FindBin::RealBin/../../main/perl/lib";
use POSIX      ();
use Test::More;
use Jobgate::Frames ();
use Jobgate::Worker ();

package Jobgate::Adapter::Eager;
use parent 'Jobgate::Adapter';
BEGIN { $INC{'Jobgate/Adapter/Eager.pm'} = __FILE__ }

sub interval { return 0.01 }
sub follow   { my ($self, $checkpoint) = @_; $self->{at} = $checkpoint; return }
sub events   { my ($self) = @_; my $at = $self->{at} // 0; return { events => [], checkpoint => $self->{at} = $at + 1 } }

sub queues   { return [] }

# As one whose LRM takes its time over many jobs.
sub submit {
    my ($self, $requests) = @_;
    for (1 .. 10) { select undef, undef, undef, 0.2; $self->{meanwhile}->() }
    return [ map { { ids => ['1'] } } @$requests ];
}

package main;

pipe my $in, my $to or die $!;
pipe my $from, my $out or die $!;
my $pid = fork // die $!;
if ($pid == 0) {
    close $_ for $to, $from;
    eval { Jobgate::Worker->new(in => $in, out => $out, nonce => 'a' x 16)->run };
    POSIX::_exit(0);
}
close $_ for $in, $out;
my $reader = Jobgate::Frames->new_reader('a' x 16);

sub framed { return Jobgate::Frames::frame('a' x 16, { @_ }) }
sub ask { syswrite $to, framed(@_); return }

# What comes until nothing has come for so many seconds; where it is known how much has to come, nothing is over before that.
sub heard {
    my ($seconds, $least) = @_;
    my @values;
    my $bits = '';
    vec($bits, fileno $from, 1) = 1;
    while (select(my $ready = $bits, undef, undef, @values < ($least // 0) ? 60 : $seconds) > 0) {
        sysread $from, my $bytes, 65536 or last;
        $reader->feed($bytes);
        while (my ($value) = $reader->next_value) { push @values, $value }
    }
    return @values;
}

ask(id => 1, op => 'hello', adapter => 'eager');
ask(id => 2, op => 'status');
my @before = heard(0.3, 2);
is_deeply [ map { $_->{id} // 'events' } @before ], [ 1, 2 ], 'nothing is told before it is asked for from a checkpoint on';
ask(id => 3, op => 'follow', checkpoint => 7);
my @after = grep { exists $_->{sequence} } heard(0.3, 1 + Jobgate::Worker::WINDOW());
is $after[0]{checkpoint}, 8, 'then from there on';
is scalar @after, Jobgate::Worker::WINDOW(), 'and only a few before they are acknowledged';
ask(op => 'ack', sequence => $_) for 1 .. Jobgate::Worker::WINDOW();
heard(0.3, Jobgate::Worker::WINDOW());

# while it submits: what it sees is told, acknowledgements are taken and it says how it is; other requests wait for their turn
my $last = 0;
sub heard_and_acknowledged { my @values = heard($_[0]); for (grep { $_->{sequence} } @values) { ask(op => 'ack', sequence => $last = $_->{sequence}) } return @values }
ask(op => 'ack', sequence => $_) for 1 .. 3 * Jobgate::Worker::WINDOW();
# at once: who asks may be slow, and the submission over before all is asked
syswrite $to, framed(id => 4, op => 'submit', jobs => [ {} ]) . framed(id => 5, op => 'queues') . framed(id => 6, op => 'status') . framed(id => 7, op => 'forget', jobs => []);
my @told;
my $until = time + 60;
push @told, heard_and_acknowledged(0.1) until time > $until || grep { ($_->{id} // 0) == 7 } @told;
is_deeply [ map { $_->{id} // () } @told ], [ 6, 4, 5, 7 ], 'the answers, in order but for how it is';
my ($answered) = grep { ($told[$_]{id} // 0) == 4 } 0 .. $#told;
cmp_ok scalar(grep { $told[$_]{sequence} } 0 .. $answered), '>=', 2, 'events before the answer to the submission';
close $to;
waitpid $pid, 0;

done_testing;
