#!/usr/bin/perl
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# pbs-adapter.t [torque|openpbs]: the PBS adapter with a stand-in for TORQUE or OpenPBS: each kind of end, what is done behind our back, what is
# forgotten, and a PBS that is away. It takes half a minute for each, most of it waiting: the ITs of PBS run it.

use strict;
use warnings;

use FindBin ();
use Test::More;
use Time::HiRes qw(sleep);
BEGIN { $FindBin::RealBin =~ s{/its\z}{} }
use lib "$FindBin::RealBin/lib";
use PbsRoom ();

sub cause { my ($end) = @_; return join ' ', grep { defined } @$end{qw(cause exit signal)} }

for my $dialect (@ARGV ? @ARGV : qw(torque openpbs)) {
    my $room = PbsRoom->new($dialect, []);
    my $pbs  = $room->pbs;

    subtest "$dialect: ends by their reasons" => sub {
        is $room->adapter->dialect->name, $dialect, 'it is known which PBS it is';
        my %jobs = map { $_->[0] => $room->submit($_->[1], @$_[ 2 .. $#$_ ]) } [ 'EXITED 3', 'exit 3' ], [ 'SIGNALLED 6', 'kill -ABRT $$' ],
            [ 'WALL_TIME', 'sleep 60', max_wall_time => 1 ], [ 'MEMORY', q(exec perl -e '$x = "x" x 1e8; sleep 60'), max_memory_mib => 40 ],
            [ 'NOT_STARTED', '', executable => '/no/such' ], [ 'EXITED 0', 'true', count => 3 ];
        is cause($room->end($jobs{$_})), $_, $_ for sort keys %jobs;
        is $room->is($jobs{'EXITED 3'}), 'queued started ended', 'in order';
        is $room->end($jobs{NOT_STARTED})->{fault}, 'EXECUTABLE_NOT_FOUND', 'and why';
    };

    subtest "$dialect: cancelled by us and behind our back" => sub {
        my %tag = map { $_ => $room->submit('sleep 60') } qw(ours behind queued);
        my %id  = map { $_ => $room->await($tag{$_}, 'started') } qw(ours behind);
        is_deeply $room->adapter->cancel([ { tag => $tag{ours}, ids => [] } ]), ['ending'], 'ours';
        $pbs->run('qdel', $id{behind});
        is cause($room->end($tag{$_})), 'CANCELLED', $_ for qw(ours behind);
        my $held = $room->submit('true', queue => 'stopped');
        is_deeply $room->adapter->cancel([ { tag => $held, ids => [] } ]), ['ending'], 'queued, by us';
        is cause($room->end($held)), 'CANCELLED', 'queued, by us';
        my $other = $room->submit('true', queue => 'stopped');
        my ($id) = map { $_->{ids}[0] } @{ $room->adapter->lookup([$other]) };
        $pbs->run('qdel', $id);
        is cause($room->end($other)), 'CANCELLED', 'queued, behind our back';
        is_deeply $room->adapter->cancel([ { tag => $tag{ours}, ids => [] }, { tag => ToyRoom::tag(), ids => [$id] } ]), [ 'ending', 'not_there' ], 'what is over or unknown';
        $room->adapter->cancel([ { tag => $tag{queued}, ids => [] } ]);
    };

    subtest "$dialect: held, suspended, queued again, its node lost" => sub {
        my $held = $room->submit('exit 4', queue => 'stopped');
        my ($id) = map { $_->{ids}[0] } @{ $room->adapter->lookup([$held]) };
        $pbs->run('qhold', $id);
        $room->await($held, 'suspended');
        $pbs->run('qrls', $id);
        $room->await($held, 'requeued');
        $room->adapter->cancel([ { tag => $held, ids => [] } ]);
        my $tag = $room->submit('test -e second && exit 4; touch second; sleep 60');
        $id = $room->await($tag, 'started');
        $pbs->run('qsig', '-s', 'suspend', $id);
        $room->await($tag, 'suspended');
        $pbs->run('qsig', '-s', 'resume', $id);
        $room->await($tag, 'started');
        $pbs->run('qrerun', $id);
        is cause($room->end($tag)), 'EXITED 4', 'it ran again';
        local $room->{settings}{rerunnable} = 'n';
        my $lost = $room->submit('sleep 60');
        $pbs->control('lose-node', $room->await($lost, 'started'));
        is cause($room->end($lost)), 'NODE_FAILED', 'a job that may not run again';
    };

    subtest "$dialect: an answer that is lost, and a worker that dies while it submits" => sub {
        $pbs->control('set', 'lose_answer', 1);
        my $request = $room->request('sleep 1; exit 5');
        ok $room->adapter->submit([$request])->[0]{unclear}, 'unclear';
        my $ids = $room->adapter->submit([ { %$request, may_exist => 1 } ])->[0]{ids};
        ok $ids, 'found';
        is cause($room->end($request->{tag})), 'EXITED 5', 'its end';
        for my $moment (qw(before after)) {
            my $second = $room->request("echo $moment >> $moment; exit 6");
            $pbs->control('set', 'submit_delay', 1.5);
            my $pid = fork // die $!;
            if ($pid == 0) { $room->{adapter}->submit([$second]); POSIX::_exit(0) }
            sleep($moment eq 'before' ? 0.02 : 0.8);
            kill KILL => $pid;
            waitpid $pid, 0;
            $pbs->control('set', 'submit_delay', 0);
            $room->restart($room->{checkpoint});
            my $found = $room->adapter->submit([ { %$second, may_exist => 1 } ])->[0];
            ok $found->{ids}, "killed $moment: the answer" or diag explain $found;
            is cause($room->end($second->{tag})), 'EXITED 6', "killed $moment: the end";
            open my $file, '<', "$room->{directory}/work/$moment" or die $!;
            is scalar(() = <$file>), 1, "killed $moment: it ran once";
        }
    };

    subtest "$dialect: a job that PBS took twice" => sub {
        my $request = $room->request('echo ran >> twice; n=0; until test -e twice-on || test $n -ge 6000; do n=$((n + 1)); sleep 0.1; done; exit 5');
        my $first = $room->adapter->submit([$request])->[0]{ids}[0];
        $room->await($request->{tag}, 'started');
        # as if we had asked a second time and know of the second only
        my ($command, %with) = $room->adapter->submit_command({ %$request, spec => $room->adapter->description($request), count => 1 });
        my $second = $pbs->run(@$command, { input => $with{text} })->{out};
        chomp $second;
        $room->adapter->_log->{jobs}{ $request->{tag} }{ids} = [$second];
        $room->put("$room->{directory}/work/twice-on", '');
        my $end = $room->end($request->{tag});
        is cause($end), 'EXITED 5', 'its end is that of the one that ran';
        is $end->{ids}[0], $first, 'which was the first';
        open my $file, '<', "$room->{directory}/work/twice" or die $!;
        is scalar(() = <$file>), 1, 'and it ran once';
    };

    subtest "$dialect: what PBS has forgotten" => sub {
        my $tag = $room->submit('n=0; until test -e forgotten || test $n -ge 6000; do n=$((n + 1)); sleep 0.1; done; exit 7');
        $room->await($tag, 'started');
        $pbs->control('set', 'keep', 0);
        $room->put("$room->{directory}/work/forgotten", '');
        is cause($room->end($tag)), 'EXITED 7', 'the end that the job left';
        my $running = $room->submit('sleep 60');
        $room->await($running, 'started');
        $room->adapter->cancel([ { tag => $running, ids => [] } ]);
        is cause($room->end($running)), 'CANCELLED', 'cancelled and forgotten';
        local $room->{settings}{accounting} = "$pbs->{directory}/server_priv/accounting";
        local $room->{settings}{rerunnable} = 'n';
        my $lost = $room->submit('sleep 60');
        $pbs->control('lose-node', $room->await($lost, 'started'));
        is cause($room->end($lost)), 'NODE_FAILED', 'the end that the accounting tells';
        $pbs->control('set', 'keep', 300);
    };

    subtest "$dialect: an id that is used again" => sub {
        $pbs->control('next', 900);
        my $first = $room->submit('exit 1');
        my $id = $room->await($first, 'ended');
        $pbs->control('next', 900);
        my $second = $room->submit('sleep 60');
        is $room->await($second, 'started'), $id, 'the same id';
        is_deeply $room->adapter->cancel([ { tag => $first, ids => [$id] } ]), ['ending'], 'the older job is over';
        $room->watch(1);
        is $room->is($second), 'queued started', 'the younger is not touched';
        is $room->adapter->lookup([$first])->[0]{exit}, 1, 'each has its own end';
        $pbs->control('next', 900);
        my $foreign = $pbs->submit("#!/bin/sh\nexit 0\n");
        is $foreign, $id, "the id is now somebody else's";
        $room->watch(2);
        unlike $room->is($second), qr/ended/, 'whose end is not that of ours';
        $room->adapter->forget([ { tag => $second } ]);
    };

    subtest "$dialect: a PBS that is away, refuses, or is busy" => sub {
        my $running = $room->submit('n=0; until test -e away || test $n -ge 6000; do n=$((n + 1)); sleep 0.1; done; exit 8');
        $room->await($running, 'started');
        $pbs->control('set', 'away', 1);
        $room->put("$room->{directory}/work/away", '');
        my $waits = $room->request('exit 9');
        like $room->adapter->submit([$waits])->[0]{unclear}, qr/cannot connect|Connection refused|Unable to communicate/, 'unclear, with its words';
        $room->watch(3);
        ok $room->watch(60, sub { $room->adapter->trouble =~ /qstat/ }), 'it is told';
        unlike $room->is($running), qr/ended/, 'nothing ends';
        $pbs->control('set', 'away', 0);
        is cause($room->end($running)), 'EXITED 8', 'and all goes on';
        ok $room->watch(60, sub { $room->adapter->trouble eq '' }), 'no trouble any more';
        ok $room->adapter->submit([ { %$waits, may_exist => 1 } ])->[0]{ids}, 'the other is taken now';
        my $answer = sub { $room->adapter->submit([ $room->request('true', @_) ])->[0] };
        is $answer->(queue => 'nix')->{refused}{fault}, 'LRM_REFUSED', 'no such queue';
        is $answer->(queue => 'short', max_wall_time => 600)->{refused}{fault}, 'LRM_REFUSED', "over the queue's limit";
        is $answer->(count => 100)->{refused}{fault}, 'LRM_REFUSED', 'more processors than there are' if $dialect eq 'torque';
        like $answer->(queue => 'hooked')->{refused}{sentence}, qr/Please name a project that has hours left/, "a site's hook, with its words";
        if ($dialect eq 'openpbs') {
            like $answer->(queue => 'small', job_type => 'MULTIPLE', count => 5)->{refused}{sentence}, qr/would exceed per-user limit on resource ncpus/, 'a limit of the user';
            my $first = $room->submit('sleep 60', queue => 'few');
            like $answer->(queue => 'few')->{refused}{sentence}, qr/would exceed queue generic's per-user limit/, 'as many jobs as a user may have';
            $room->adapter->cancel([ { tag => $first, ids => [] } ]);
        }
        ok $answer->(queue => 'closed')->{alone}, 'a closed queue is no reason for other jobs to wait';
        like $answer->(queue => 'closed')->{unclear}, qr/not enabled/, 'a queue that is closed for now: the job waits';
        my @many = map { $answer->(queue => 'narrow', executable => '/bin/sleep', arguments => [60]) } 1 .. 3;
        like $many[2]{unclear}, qr/Maximum number/, 'a full queue: the job waits';
        my $shell = $room->put("$room->{directory}/no-shell", "#!/bin/sh\nexit 1\n");
        chmod 0755, $shell;
        local $room->{settings}{shell} = $shell;
        my $end = $room->end($room->submit('true'));
        is $end->{cause}, 'NOT_STARTED', 'a shell that ends before it comes to the job';
        like $end->{sentence}, qr/before it came to the job/, 'and why';
    };

    subtest "$dialect: a listing that shows nothing, of a job that lives" => sub {
        local @{ $room->{settings} }{qw(unknown_after record_grace)} = (1, 0.5);
        my $home = $pbs->{directory};
        my $tag = $room->submit('n=0; until test -e shown || test $n -ge 6000; do n=$((n + 1)); sleep 0.1; done; sleep 3; exit 3');
        $room->await($tag, 'started');
        mkdir "$home/real" or die $!;
        rename "$home/bin/qstat", "$home/real/qstat" or die $!;
        $room->put("$home/bin/qstat", qq{#!/bin/sh\ncase "\$*" in *lab.example*) exec $home/real/qstat "\$@" ;; esac\n});
        chmod 0755, "$home/bin/qstat";
        $room->put("$room->{directory}/work/shown", '');
        is cause($room->end($tag)), 'EXITED 3', 'it is neither lost nor over before it is';
        rename "$home/real/qstat", "$home/bin/qstat" or die $!;
        rmdir "$home/real";
    };

    subtest "$dialect: why a job waits" => sub {
        my $note = sub { my ($tag) = @_; $room->watch(60, sub { grep { defined $_->{note} } $room->seen($tag) }); return ($room->seen($tag))[-1]{note} };
        my $stopped = $room->submit('true', queue => 'stopped');
        is $note->($stopped), 'PBS: Not Running: Queue not started.', 'its queue is stopped';
        my $never = $dialect eq 'openpbs' ? $room->submit('true', job_type => 'MULTIPLE', count => 100) : undef;
        like $note->($never), qr/\APBS: Can Never Run: Insufficient amount of resource: ncpus \(R: 100 A: 8 T: 8\)\z/, 'it can never run' if $never;
        $room->adapter->cancel([ map { { tag => $_, ids => [] } } grep { defined } $stopped, $never ]);
    };

    subtest "$dialect: lines that another's environment writes into the listing" => sub {
        my $tag = $room->submit('n=0; until test -e go-on || test $n -ge 6000; do n=$((n + 1)); sleep 0.1; done; exit 3');
        my ($number, $server) = $room->await($tag, 'started') =~ /\A([0-9]+)\.(.*)/;
        my @evil = map { $pbs->submit("#!/bin/sh\nexec sleep 60\n", '-q', 'stopped', '-v', "EVIL=x$_") } "\nJob Id: no id at all\n    JOBGATE_TAG=1", "\n\nJob Id: 7.x\n    JOBGATE_TAG=1\n\n",
            "\n\nJob Id: $number.$server\n    Job_Name = x\n    Job_Owner = " . $room->adapter->account . "\@x\n    job_state = H\n    Variable_List = JOBGATE_TAG=$tag";
        my $other = $room->submit('exit 4');
        is cause($room->end($other)), 'EXITED 4', 'other jobs are watched';
        $room->watch(2);
        is $room->is($tag), 'queued started', 'the job is not what was written of it';
        $room->put("$room->{directory}/work/go-on", '');
        is cause($room->end($tag)), 'EXITED 3', 'and its end is seen';
        $pbs->run('qdel', @evil);
        is $room->adapter->trouble, '', 'nothing is wrong';
    };

    subtest "$dialect: many that are over at once" => sub {
        my @tags = map { $room->submit("exit $_") } 1 .. 6;
        is_deeply [ map { cause($room->end($_)) } @tags ], [ map { "EXITED $_" } 1 .. 6 ], 'each with its end';
    };

    subtest "$dialect: deleted after its node was lost" => sub {
        my $tag = $room->submit('test -e once && exec sleep 60; touch once; exec sleep 61');
        my $id = $room->await($tag, 'started');
        # PBS may start it again before it is held; the hold then counts from the next loss on
        for (1 .. 10) {
            $pbs->control('lose-node', $id);
            $pbs->run('qhold', $id);
            last if $room->watch(4, sub { $room->is($tag) =~ /\b(?:requeued|suspended)\z/ });
        }
        $room->await($tag, '(?:requeued|suspended)');
        $pbs->run('qdel', $id);
        is cause($room->end($tag)), 'CANCELLED', 'by its deletion';
    };

    subtest "$dialect: many hosts" => sub {
        my $tag = $room->submit('echo $JOBGATE_JOB_ID; exit 7', job_type => 'MULTIPLE', count => 4, host_count => 2, stdout => 'many');
        is cause($room->end($tag)), 'EXITED 7', 'the end';
        open my $file, '<', "$room->{directory}/work/many" or die $!;
        is scalar(() = <$file>), 4, 'as many processes as counted';
    };

    subtest "$dialect: queues" => sub {
        my %queues = map { $_->{name} => $_ } @{ $room->adapter->queues };
        is_deeply [ @{ $queues{short} }{qw(max_wall_seconds max_processors processors)} ], [ 60, 4, 8 ], 'limits';
        ok $queues{batch}{default} && !$queues{long}{default}, 'the default';
        is $queues{closed}{state}, 'closed', 'a queue that is closed';
    };
}

subtest 'OpenPBS without history, which is switched on later' => sub {
    plan skip_all => 'OpenPBS is not asked for' if @ARGV && $ARGV[0] ne 'openpbs';
    my $room = PbsRoom->new('openpbs', ['history=0'], history_seconds => 1);
    my $tag  = $room->submit('sleep 1; exit 3');
    my $held = $room->submit('true', queue => 'stopped');
    # on a busy machine it may be over before it is looked at
    $room->await($tag, 'started(?: ended)?');
    is cause($room->end($tag)), 'EXITED 3', 'the end that the job left';
    like join("\n", @{ $room->{said} }), qr/keeps no history/, 'it is told once';
    $room->pbs->control('set', 'history', 1);
    sleep 2;
    my $shot = $room->submit('sleep 60');
    $room->pbs->run('qdel', $room->await($shot, 'started'));
    my $end = $room->end($shot);
    is cause($end), 'CANCELLED', 'what only the history says';
    like $end->{output}, qr/terminated by/, 'is asked for again';
};

subtest 'OpenPBS that leaves jobs out of its answer' => sub {
    plan skip_all => 'OpenPBS is not asked for' if @ARGV && $ARGV[0] ne 'openpbs';
    my $room = PbsRoom->new('openpbs', []);
    my $home = $room->pbs->{directory};
    mkdir "$home/real" or die $!;
    rename "$home/bin/qstat", "$home/real/qstat" or die $!;
    # of several ids the first only, and of the last job nothing ever
    $room->put("$home/bin/qstat", <<"END");
#!/bin/sh
case "\$*" in
    '-x -f 3.pbs1.lab.example') exit 0 ;;
    '-x -f '*) exec $home/real/qstat -x -f "\$3" ;;
    *) exec $home/real/qstat "\$@" ;;
esac
END
    chmod 0755, "$home/bin/qstat";
    local $room->{settings}{record_grace} = 1000;
    my @tags = map { $room->submit("exit $_") } 1 .. 3;
    is_deeply [ map { cause($room->end($_)) } @tags[ 0, 1 ] ], [ map { "EXITED $_" } 1, 2 ], 'each of the others is asked for';
    $room->watch(3);
    unlike $room->is($tags[2]), qr/ended/, 'of one that is never said, nothing is concluded';
    is $room->adapter->trouble, '', 'and the watch goes on';
    is cause($room->end($room->submit('exit 5'))), 'EXITED 5', 'for others';
};

done_testing;
