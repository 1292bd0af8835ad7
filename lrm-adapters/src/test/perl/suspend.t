#!/usr/bin/perl
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# Suspending and resuming the jobs of the starter.

use strict;
use warnings;

use FindBin ();
use lib "$FindBin::RealBin/lib";
use StarterRoom ();
use Test::More;
use Time::HiRes ();
use Jobgate::Processes ();

my $room = StarterRoom->new(max_running => 1);

sub sh { my ($text) = @_; return (executable => '/bin/sh', arguments => [ '-c', $text ]) }

# What a job does until the test says that it may go on: one process, so that its states can be told.
sub until_there { my ($name) = @_; return qq($^X -e 'select undef, undef, undef, 0.1 until -e "$name"') }

sub ask { my ($op, $tag) = @_; return $room->{adapter}->$op([ { tag => $tag } ])->[0] }

sub kinds { my ($tag) = @_; $room->watch(0); return join ' ', map { $_->{is} } grep { $_->{tag} eq $tag } @{ $room->{seen} } }

sub await_kinds {
    my ($tag, $kinds) = @_;
    my $until = Time::HiRes::time() + 60;
    while (kinds($tag) ne $kinds && Time::HiRes::time() < $until) { $room->watch(0.1) }
    return is kinds($tag), $kinds, $kinds;
}

# The states of the job's processes, that of the shell and those that it began. A shell whose child is stopped between vfork and exec shows D.
sub states {
    my ($tag) = @_;
    my $of = Jobgate::Processes::processes_of_user();
    return join '', sort map { $of->{$_}{state} } grep { (Jobgate::Processes::job_of($_) // '') eq $tag } keys %$of;
}

sub await_states {
    my ($tag, $states) = @_;
    my $until = Time::HiRes::time() + 60;
    my $seen = states($tag);
    Time::HiRes::sleep(0.05), $seen = states($tag) while $seen !~ $states && Time::HiRes::time() < $until;
    return like $seen, $states, 'the states of the processes';
}

subtest 'a running job is stopped with what it began, and goes on' => sub {
    my $tag = $room->submit(sh('setsid sleep 300 & ' . until_there('first') . '; kill $!; exit 6'));
    ok $room->await($tag, 'started');
    await_states($tag, qr/\AS{3}\z/);
    is ask(suspend => $tag), 'done';
    is ask(suspend => $tag), 'done', 'twice is as good';
    await_states($tag, qr/\A[TD]{3}\z/);
    await_kinds($tag, 'queued started suspended');
    $room->script('first', '');
    Time::HiRes::sleep(1.5);
    await_kinds($tag, 'queued started suspended');
    is ask(resume => $tag), 'done';
    is ask(resume => $tag), 'done', 'twice is as good';
    is $room->await($tag, 'ended')->{exit}, 6;
    await_kinds($tag, 'queued started suspended started ended');
    is ask(suspend => $tag), 'done', 'one that is over is left alone';
};

subtest 'a job that waits is held, one that runs is refused and goes on' => sub {
    my $first = $room->submit(sh(until_there('second') . '; exit 6'));
    ok $room->await($first, 'started');
    my $tag = $room->submit(sh('exit 5'));
    is ask(hold => $first)->{refused}{fault}, 'WRONG_STATE';
    is ask(hold => $tag), 'done';
    is ask(hold => $tag), 'done', 'twice is as good';
    $room->script('second', '');
    is $room->await($first, 'ended')->{exit}, 6;
    Time::HiRes::sleep(0.5);
    await_kinds($tag, 'queued suspended');
    is ask(resume => $tag), 'done';
    is $room->await($tag, 'ended')->{exit}, 5;
    is ask(hold => $tag), 'done', 'one that is over is left alone';
    is ask(hold => 'no-such-tag'), 'not_there';
};

subtest 'a job that waits does not begin before it is resumed' => sub {
    my $first = $room->submit(sh('sleep 300'));
    ok $room->await($first, 'started');
    my $tag = $room->submit(sh('exit 5'));
    is ask(suspend => $tag), 'done';
    $room->{adapter}->cancel([ { tag => $first } ]);
    ok $room->await($first, 'ended');
    my $other = $room->submit(sh('exit 0'));
    ok $room->await($other, 'ended'), 'others overtake it';
    await_kinds($tag, 'queued suspended');
    is ask(resume => $tag), 'done';
    is $room->await($tag, 'ended')->{exit}, 5;
    await_kinds($tag, 'queued suspended requeued started ended');
};

subtest 'a suspended job can be cancelled' => sub {
    my $tag = $room->submit(sh('sleep 300; exit 1'));
    ok $room->await($tag, 'started');
    ask(suspend => $tag);
    await_states($tag, qr/\A[TD]+\z/);
    is $room->{adapter}->cancel([ { tag => $tag } ])->[0], 'ending';
    is $room->await($tag, 'ended')->{cause}, 'CANCELLED';
};

subtest 'the time for which it was suspended is no wall time' => sub {
    my ($end, $most);
    # a machine with other work may need more than the limit for what the job does while it runs: then once more, with a longer one
    for my $limit (2, 4, 8, 16) {
        my $begin = Time::HiRes::time();
        my $tag = $room->submit(sh('sleep 1; exit 3'), max_wall_time => $limit);
        ok $room->await($tag, 'started');
        ask(suspend => $tag);
        Time::HiRes::sleep($limit + 0.5);
        ask(resume => $tag);
        $end  = $room->await($tag, 'ended');
        $most = 1000 * (Time::HiRes::time() - $begin - $limit - 0.5);
        last if $end->{cause} eq 'EXITED';
    }
    is $end->{cause}, 'EXITED';
    is $end->{exit},  3;
    cmp_ok $end->{wall}, '<=', $most + 1, 'nor is it told as such';
};

subtest 'a job that was resumed is ended at its wall time' => sub {
    my $tag = $room->submit(sh('sleep 300'), max_wall_time => 1);
    ok $room->await($tag, 'started');
    ask(suspend => $tag);
    Time::HiRes::sleep(0.3);
    ask(resume => $tag);
    is $room->await($tag, 'ended')->{cause}, 'WALL_TIME';
};

subtest 'a starter that is killed is followed by one that knows what is suspended' => sub {
    my $tag = $room->submit(sh(until_there('third') . '; exit 0'));
    ok $room->await($tag, 'started');
    ask(suspend => $tag);
    my $waits = $room->submit(sh('exit 2'));
    ask(suspend => $waits);
    my $pid = $room->starter_pid;
    kill 'KILL', $pid;
    $room->wait_gone($pid);
    my ($last) = grep { $_->{tag} eq $tag } reverse @{ $room->{adapter}->lookup([$tag]) };
    is $last->{is}, 'suspended';
    await_states($tag, qr/\A[TD]+\z/);
    $room->script('third', '');
    is ask(resume => $tag), 'done';
    ok $room->await($tag, 'ended'), 'how it ended the new starter cannot know';
    await_kinds($waits, 'queued suspended');
    is ask(resume => $waits), 'done';
    is $room->await($waits, 'ended')->{exit}, 2;
};

is ask(suspend => '00000000-0000-7000-8000-000000000000'), 'not_there', 'a job that never was';

done_testing;
