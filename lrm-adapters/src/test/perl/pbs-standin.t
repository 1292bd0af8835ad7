#!/usr/bin/perl
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# The stand-in is as strict as what it stands for: formats, refusals and exit codes of TORQUE and OpenPBS.

use strict;
use warnings;

use FindBin ();
use JSON::PP ();
use Test::More;
use lib "$FindBin::RealBin/lib";
use StandinRoom ();

my %CODE = (
    torque  => { unknown_queue => 172, over_limit => 190, unknown_job => 153, resource => 189, over => 170, over_state => 'C', disabled => 175, denied => 176 },
    openpbs => { unknown_queue => 170, over_limit => 188, unknown_job => 153, resource => 187, over => 35,  over_state => 'F', disabled => 173, denied => 159 },
);
my $SCRIPT = "#!/bin/sh\nexit 3\n";
my $SLEEP  = "#!/bin/sh\nexec sleep 600\n";

for my $dialect (qw(torque openpbs)) {
    my $room = StandinRoom->new($dialect, 'nodes=1', 'np=4', 'kill_delay=0.5');
    my $is   = $CODE{$dialect};
    if ($dialect eq 'openpbs') { open my $mark, '>', "$room->{directory}/is-openpbs" }

    subtest "$dialect: ids, states and the end" => sub {
        my $id = $room->submit($SCRIPT, '-N', 'a_name', '-v', 'A=1,B=2');
        is $id, '1.pbs1.lab.example', 'a number and the server';
        my $job = $room->await($id, $is->{over_state});
        is_deeply [ @$job{qw(job_name exit_status queue)} ], [ 'a_name', 3, 'batch' ], 'the end';
        like $room->run('qstat', '-f', ($dialect eq 'openpbs' ? '-x' : ()), $id)->{out} =~ s/\n\t//gr, qr/Variable_List = A=1,B=2,PBS_O_QUEUE=batch,/, 'variables';
        is $room->submit($SCRIPT), '2.pbs1.lab.example', 'the next';
        $room->control('next', 1);
        is $room->submit($SCRIPT), '1.pbs1.lab.example', 'ids are used again';
    };

    subtest "$dialect: what qsub refuses" => sub {
        my $refused = sub { my ($exit, $like, @words) = @_; my $done = $room->run('qsub', @words, { input => $SCRIPT }); is $done->{exit}, $exit, "@words"; like $done->{err}, $like, 'and says so' };
        $refused->($is->{unknown_queue}, qr/Unknown queue/, '-q', 'nix');
        $refused->($is->{disabled}, qr/not enabled/, '-q', 'closed');
        $refused->($is->{denied}, qr/Access to queue|Unauthorized/, '-q', 'private') unless $> == 0;
        $refused->($is->{over_limit}, qr/resource limits/, '-q', 'short', '-l', 'walltime=00:02:00');
        $refused->($is->{over_limit}, qr/resource limits/, '-l', 'nodes=2:ppn=4') if $dialect eq 'torque';
        $refused->($dialect eq 'torque' ? 168 : 32, qr/Please name a project/, '-q', 'hooked');
        $refused->($is->{resource}, qr/Unknown resource/, '-l', 'nonsense=1');
        $refused->(2, qr/illegal -l/, '-l', $_) for 'walltime', 'walltime=', 'walltime=1x', 'walltime=1,walltime=2', 'nodes=2:ppn=', 'nodes=2:ppn=1:ppn=2', 'mem=1zb', '';
        $refused->(2, qr/illegal -N/, '-N', $_) for 'a b', '', "a\nb", ($dialect eq 'torque' ? ('1abc', 'a' x 16) : ('&x', '.a'));
        $refused->(69, qr/too long/, '-N', 'a' x 231) if $dialect eq 'openpbs';
        $refused->(2, qr/twice/, '-N', 'a', '-N', 'b');
        $refused->(2, qr/invalid option/, '-y');
        $refused->(2, qr/illegal -v/, '-v', 'A B=1');
        $refused->($is->{resource}, qr/Unknown resource/, '-l', 'select=1:ncpus=1') if $dialect eq 'torque';
        $refused->(5, qr/cannot be used with/, '-l', 'select=1:ncpus=1', '-l', 'mem=1gb') if $dialect eq 'openpbs';
        $refused->(6, qr/Cannot be used with select or place: nodes/, '-l', 'select=1', '-l', 'nodes=1') if $dialect eq 'openpbs';
        $refused->(39, qr/per-user limit on resource ncpus in queue small/, '-q', 'small', '-l', 'select=1:ncpus=5') if $dialect eq 'openpbs';
        $refused->(12, qr/duplicated resource/, '-l', 'select=1:ncpus=1:ncpus=2') if $dialect eq 'openpbs';
        is $room->run('qsub', { input => '' })->{exit}, 1, 'no script';
        is $room->run('qsub', '/no/such/script')->{exit}, 1, 'a script that is not there';
    };

    subtest "$dialect: what is asked of unknown jobs and of those that are over" => sub {
        my $over = $room->submit($SCRIPT);
        $room->await($over, $is->{over_state});
        for my $command (qw(qdel qhold qrls qstat)) {
            my $done = $room->run($command, '4711');
            is $done->{exit}, $is->{unknown_job}, "$command of an unknown job";
            like $done->{err}, qr/Unknown Job Id(?: Error)? 4711\.pbs1\.lab\.example/, 'and says which';
        }
        is $room->run('qdel', $over)->{exit}, $is->{over}, 'qdel of a job that is over';
        is $room->run('qstat', $over)->{exit}, $dialect eq 'torque' ? 0 : 35, 'qstat of it';
        is $room->run('qstat', '-f', 'no.such')->{exit}, $is->{unknown_queue}, 'a queue that is not there';
        $room->control('forget');
        is $room->run('qstat', '-f', $over)->{exit}, $is->{unknown_job}, 'its history is over';
    };

    subtest "$dialect: delete, hold, suspend, run again" => sub {
        my $id = $room->submit($SLEEP);
        $room->await($id, 'R');
        is $room->run('qsig', '-s', 'suspend', $id)->{exit}, 0, 'suspend';
        $room->await($id, 'S');
        $room->run('qsig', '-s', 'resume', $id);
        $room->await($id, 'R');
        $room->run('qrerun', $id);
        my $count = $dialect eq 'torque' ? 'start_count' : 'run_count';
        is $room->await($id, 'R', sub { ($_[0]{$count} // 0) >= 2 })->{$count}, 2, 'it runs again';
        is $room->run('qdel', $id)->{exit}, 0, 'delete';
        is $room->await($id, $is->{over_state})->{exit_status}, 271, 'SIGTERM and 256';
        my $held = $room->submit($SLEEP, '-h');
        is $room->await($held, 'H')->{hold_types}, 'u', 'held';
        $room->run('qrls', $held);
        $room->await($held, 'R');
        $room->control('lose-node', $held);
        my $again = $room->await($held, 'R', sub { ($_[0]{$count} // 0) >= 2 });
        is $again->{exit_status}, $dialect eq 'torque' ? undef : -20, 'a job that runs again because its node was lost';
        $room->run('qdel', $held);
        $room->await($held, $is->{over_state});
    };

    subtest "$dialect: limits" => sub {
        is $room->await($room->submit($SLEEP, '-l', 'walltime=1'), $is->{over_state})->{exit_status}, $dialect eq 'torque' ? -11 : -29, 'wall time';
        my $eats = qq(#!/bin/sh\nexec perl -e '\$x = "x" x 1e8; sleep 60'\n);
        is $room->await($room->submit($eats, '-l', $dialect eq 'torque' ? 'mem=20mb' : 'select=1:mem=20mb'), $is->{over_state})->{exit_status}, $dialect eq 'torque' ? -10 : -27, 'memory';
    };

    subtest "$dialect: its own forms" => sub {
        my $id = $room->submit($SLEEP);
        $room->await($id, 'R');
        if ($dialect eq 'openpbs') {
            my $done = $room->run('qstat', '-x', '-f', '-F', 'json', $id);
            is JSON::PP::decode_json($done->{out})->{Jobs}{$id}{job_state}, 'R', 'JSON';
            my $other = $room->submit($SLEEP, '-l', 'select=1:ncpus=100');
            my $many = $room->run('qstat', '-x', '-f', '-F', 'json', $id, $other);
            is_deeply [ $many->{exit}, keys %{ JSON::PP::decode_json($many->{out})->{Jobs} } ], [ 0, $id ], 'one of many in JSON, and no word of the others';
            $room->await($other, '.', sub { $_[0]{comment} });
            like $room->run('qstat', '-f', $other)->{out} =~ s/\n\t//gr, qr/comment = Can Never Run: Insufficient amount of resource: ncpus/, 'what can never run is taken, and said';
            $room->run('qdel', $other);
            $room->control('set', 'history', 0);
            my $none = $room->run('qstat', '-x', '-f', $id);
            is_deeply $none, { out => '', err => "qstat: PBS is not configured to maintain job history $id\n", exit => 0 }, 'no history, and no failure';
            $room->control('set', 'history', 1);
            is $room->run('qstat', '--version')->{out}, "pbs_version = 23.06.06\n", 'version';
            my $evil = $room->submit($SLEEP, '-v', "EVIL=x\nJob Id: no id at all\n    JOBGATE_TAG=1");
            like $room->run('qstat', '-f', $evil)->{out}, qr/^Job Id: no id at all$/m, 'a value with a line feed is printed as it is';
            $room->run('qdel', $evil);
        }
        else {
            is $room->run('qstat', '-F', 'json')->{exit}, 2, 'no JSON';
            like $room->run('qstat', '--version')->{err}, qr/\AVersion: 6/, 'version';
        }
        like $room->run('pbsnodes', '-a')->{out}, qr/^node1\n     .*state = free/ms, 'nodes';
        like $room->run('qstat', '-Q', '-f')->{out}, qr/^Queue: batch\n    queue_type = Execution\n/m, 'queues';
        $room->control('set', 'away', 1);
        my $away = $room->run('qstat');
        is $away->{exit}, 111, 'no server';
        like $away->{err}, qr/cannot connect to server pbs1\.lab\.example \(errno=111\)/, 'and says so';
        $room->control('set', 'away', 0);
        $room->run('qdel', $id);
        $room->await($id, $is->{over_state});
    };
}

done_testing;
