# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# The starter when its log cannot be written, shown by a limit on the size of its files.

use strict;
use warnings;

use FindBin ();
use lib "$FindBin::RealBin/lib";
use StarterRoom ();
use Test::More;
use Time::HiRes ();

plan skip_all => 'SKIPPED: prlimit (util-linux) is not there' if system 'prlimit --version > /dev/null 2>&1';

my $room = StarterRoom->new;
my $pid  = $room->starter_pid;

sub limit_files { my ($bytes) = @_; system('prlimit', "--pid=$pid", "--fsize=$bytes:unlimited") == 0 or die 'prlimit failed' }

my $running = $room->submit(executable => '/bin/sh', arguments => [ '-c', 'n=0; until test -e go || test $n -ge 6000; do n=$((n + 1)); sleep 0.1; done; exit 3' ]);
$room->await($running, 'started');
my ($log) = glob $room->spool . '/events.*';
limit_files(10 + -s $log);
my $size = -s $log;

my $tag     = StarterRoom::tag();
my $request = $room->request($tag, executable => '/bin/sh', arguments => [ '-c', 'echo x >> runs' ]);
my $answer  = $room->{adapter}->submit([$request])->[0];
like $answer->{unclear}, qr/the event log cannot be written: File too large/, 'a job that cannot be recorded is not taken';
is_deeply $room->{adapter}->lookup([$tag]), [], 'and not known';
is -s $log, $size, 'half a line is not left behind';

$room->script('go', '');
is $room->await($running, 'ended')->{exit}, 3, 'the end of a running job is told all the same';
cmp_ok $room->{adapter}->status->{unwritten}, '>', 0;
like $room->{adapter}->submit([$request])->[0]{unclear}, qr/cannot be written/, 'jobs are still not taken';

limit_files('unlimited');
for (1 .. 600) { last unless $room->{adapter}->status->{unwritten}; Time::HiRes::sleep(0.1) }
ok !$room->{adapter}->status->{unwritten}, 'when there is room it is written';
ok $room->{adapter}->submit([$request])->[0]{ids}, 'and jobs are taken again';
is $room->await($tag, 'ended')->{exit}, 0;

kill 'KILL', $pid;
$room->wait_gone($pid);
my %known = map { $_->{tag} . $_->{is} => $_ } @{ $room->{adapter}->lookup([ $running, $tag ]) };
is $known{"${running}ended"}{exit}, 3, 'the log is complete';
is $room->{adapter}->submit([$request])->[0]{ids}[0], $known{"${tag}ended"}{ids}[0];
is $room->read_file('runs'), "x\n", 'one run';

done_testing;
