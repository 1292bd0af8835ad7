# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# The example of docs/internals/adding-an-lrm.md runs jobs in a real task-spooler: from JOBGATE_GRAM_MODULES (scripts/gram-modules), or the installed one.

use strict;
use warnings;

use FindBin ();
BEGIN { $FindBin::RealBin .= '/..' }
use lib "$FindBin::RealBin/lib", "$FindBin::RealBin/example";
use Test::More;
use ToyRoom ();
use Jobgate::Adapter::Tsp ();

my ($bin) = grep { -x "$_/tsp" } ($ENV{JOBGATE_GRAM_MODULES} // '/none') . '/task-spooler/usr/bin', '/usr/bin';
plan skip_all => 'SKIPPED: there is no task-spooler; see scripts/gram-modules' unless $bin;

my $room = ToyRoom->new(tsp_bin => $bin);
anew();

sub anew {
    delete $room->{adapter};
    $room->{adapter} = Jobgate::Adapter::Tsp->new(settings => $room->{settings}, log => sub { diag @_ });
    $room->{adapter}->follow($room->{checkpoint});
    return;
}

my $end = $room->end($room->submit('exit 3'));
is $end->{exit}, 3, 'tells the exit code' or diag explain [ $end, $room->adapter->trouble, $room->adapter->commands->run(['tsp']) ];
is $room->end($room->submit('kill -ABRT $$'))->{signal}, 6, 'tells the signal';

my $running = $room->submit('exec sleep 600');
my $queued  = $room->submit('exit 0');
ok $room->watch(60, sub { $room->is($running) eq 'queued started' }), 'one runs';
is $room->is($queued), 'queued', 'the next waits';
my $request = { %{ $room->request('exit 0') }, tag => $queued, may_exist => 1 };
is_deeply $room->adapter->submit([$request])->[0]{ids}, [3], 'a tag that it has is not submitted again';
is_deeply $room->adapter->cancel([ map { { tag => $_, ids => [] } } $queued, $running ]), [qw(ending ending)], 'both are cancelled';
is $room->end($_)->{cause}, 'CANCELLED', 'which is their end' for $running, $queued;

my $living = $room->submit('sleep 1; exit 6');
anew();
is $room->end($living)->{exit}, 6, 'the next worker tells the end';

$room->adapter->commands->run([ 'tsp', '-K' ]);
done_testing;
