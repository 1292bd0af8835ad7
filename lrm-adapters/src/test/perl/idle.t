#!/usr/bin/perl
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# A starter that nobody talks to, with a job that runs longer than the idle time: it must wait, not turn.

use strict;
use warnings;

use FindBin ();
use lib "$FindBin::RealBin/lib";
use StarterRoom ();
use Test::More;
use Time::HiRes ();

# The process whose title names the spool.
sub starter_of {
    my ($spool) = @_;
    for my $file (glob '/proc/[0-9]*/cmdline') {
        open my $handle, '<', $file or next;
        my $title = <$handle> // '';
        return $file =~ m{/([0-9]+)/} ? $1 : undef if $title =~ /\Ajobgate-fork-starter \Q$spool\E/;
    }
    return;
}

# Processor time in clock ticks.
sub ticks {
    my ($pid) = @_;
    open my $handle, '<', "/proc/$pid/stat" or return;
    my (undef, $rest) = split /\) /, <$handle>, 2;
    my @fields = split / /, $rest;
    return $fields[11] + $fields[12];
}

my $room = StarterRoom->new(idle_ms => 100);
$room->submit(executable => '/bin/sleep', arguments => ['3']);
my $starter = starter_of($room->spool);
ok $starter, 'the starter is there';
delete $room->{adapter};

Time::HiRes::sleep 0.5;
my $before = ticks($starter);
Time::HiRes::sleep 1.5;
my $used = ticks($starter) - $before;
cmp_ok $used, '<', 20, "it used $used of 150 ticks while its job ran and its idle time was over";

my $until = Time::HiRes::time() + 60;
Time::HiRes::sleep 0.1 while defined ticks($starter) && Time::HiRes::time() < $until;
ok !defined ticks($starter), 'it ended after its job';

done_testing;
