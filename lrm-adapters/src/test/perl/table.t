# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# Many jobs, and what the starter knows after its own death.

use strict;
use warnings;

use FindBin ();
use IO::Socket::UNIX ();
use lib "$FindBin::RealBin/lib";
use StarterRoom ();
use Test::More;
use Time::HiRes ();

sub sh { my ($text) = @_; return (executable => '/bin/sh', arguments => [ '-c', $text ]) }

sub kill_starter {
    my ($room) = @_;
    my $pid = $room->starter_pid;
    kill 'KILL', $pid;
    return $room->wait_gone($pid);
}

subtest 'a tag is run once, however often it is submitted' => sub {
    my $room = StarterRoom->new;
    my $tag  = StarterRoom::tag();
    my $request = $room->request($tag, sh('echo x >> runs; sleep 0.2'));
    my $answers = $room->{adapter}->submit([ $request, $request ]);
    is @$answers, 2;
    ok $_->{ids} for @$answers;
    $room->await($tag, 'started');
    is_deeply $room->{adapter}->submit([$request])->[0]{ids}, [ $room->await($tag, 'started')->{ids}[0] ], 'running';
    $room->await($tag, 'ended');
    like $room->{adapter}->submit([$request])->[0]{ids}[0], qr/\A\Q$tag\E:\d+\z/, 'ended';
    kill_starter($room);
    $room->{adapter}->submit([$request]);
    Time::HiRes::sleep(0.3);
    is $room->read_file('runs'), "x\n", 'one run, also over the death of the starter';
};

subtest 'a batch that is not understood leaves nothing behind' => sub {
    my $room = StarterRoom->new;
    my $tag  = StarterRoom::tag();
    ok !eval { $room->{adapter}->submit([ $room->request($tag, sh('echo x > ghost')), { tag => 'x', description => 'nonsense' } ]); 1 };
    is_deeply $room->{adapter}->lookup([$tag]), [];
    kill_starter($room);
    is_deeply $room->{adapter}->lookup([$tag]), [];
    is $room->run(executable => '/bin/true')->{exit}, 0;
    is $room->read_file('ghost'), undef;
};

subtest 'at most so many run at once, first come first served' => sub {
    my $room = StarterRoom->new(max_running => 2);
    my @tags = map { $room->submit(sh('n=0; until test -e go || test $n -ge 6000; do n=$((n + 1)); sleep 0.1; done')) } 1 .. 8;
    my ($most, $status) = (0);
    my $until = Time::HiRes::time() + 60;
    do {
        $status = $room->{adapter}->status;
        $most = $status->{running} if $status->{running} > $most;
        # first two that wait, then all the others
        $room->script('go', '') if $most >= 2 || Time::HiRes::time() > $until;
        Time::HiRes::sleep(0.02);
    } while $status->{live};
    is $most, 2;
    my @pids = map { $room->await($_, 'ended')->{ids}[0] =~ /:(\d+)\z/ } @tags;
    # the kernel begins anew with small numbers at some time
    is scalar(grep { $pids[$_] > $pids[ ($_ + 1) % @pids ] } 0 .. $#pids), 1, "in their order: @pids";
};

subtest 'a waiting job is cancelled at once' => sub {
    my $room = StarterRoom->new(max_running => 1);
    my $first  = $room->submit(sh('sleep 1000'));
    my $second = $room->submit(sh('echo never > second'));
    is_deeply $room->{adapter}->cancel([ { tag => $second } ]), ['ending'];
    is $room->await($second, 'ended')->{cause}, 'CANCELLED';
    $room->{adapter}->cancel([ { tag => $first } ]);
    $room->await($first, 'ended');
    is $room->read_file('second'), undef;
};

subtest 'what waits survives the starter, in order' => sub {
    my $room = StarterRoom->new(max_running => 1);
    my $first = $room->submit(sh('n=0; until test -e go || test $n -ge 6000; do n=$((n + 1)); sleep 0.1; done'));
    my @tags  = map { $room->submit(sh("echo '$_;%41\n' >> order")) } 1 .. 4;
    $room->await($first, 'started');
    ok kill_starter($room);
    $room->script('go', '');
    is $room->await($tags[-1], 'ended')->{exit}, 0;
    is $room->read_file('order'), join '', map { "$_;%41\n\n" } 1 .. 4;
    is $room->await($first, 'ended')->{cause}, 'LOST', 'of the one that ran nobody knows the end';
};

subtest 'a job that runs when its starter is killed stays active, and is lost when it ends' => sub {
    my $room = StarterRoom->new;
    my $tag  = $room->submit(sh('n=0; until test -e finish || test $n -ge 6000; do n=$((n + 1)); sleep 0.1; done; echo finished > finished'));
    my $gone = $room->submit(sh('n=0; until test -e go || test $n -ge 6000; do n=$((n + 1)); sleep 0.1; done'));
    $room->await($_, 'started') for $tag, $gone;
    ok kill_starter($room);
    $room->script('go', '');
    my %known = map { $_->{tag} . $_->{is} => $_ } @{ $room->{adapter}->lookup([ $tag, $gone ]) };
    ok $known{"${tag}started"} && !$known{"${tag}ended"}, 'the one that lives is active';
    is $room->await($gone, 'ended')->{cause}, 'LOST', 'the one that is gone is lost';
    $room->script('finish', '');
    my $end = $room->await($tag, 'ended');
    is $end->{cause}, 'LOST';
    like $end->{sentence}, qr/not known how/;
    is $room->read_file('finished'), "finished\n", 'it ran to its end';
};

subtest 'a job taken over can be cancelled, and its wall-time limit holds' => sub {
    my $room    = StarterRoom->new;
    my $tag     = $room->submit(sh('sleep 1000'));
    my $limited = $room->submit(sh('sleep 1000'), max_wall_time => 2);
    $room->await($_, 'started') for $tag, $limited;
    ok kill_starter($room);
    is_deeply $room->{adapter}->cancel([ { tag => $tag } ]), ['ending'];
    is $room->await($tag, 'ended')->{cause}, 'CANCELLED';
    is $room->await($limited, 'ended')->{cause}, 'WALL_TIME';
};

subtest 'forget and lookup' => sub {
    my $room = StarterRoom->new;
    my $end  = $room->run(executable => '/bin/true');
    my $live = $room->submit(sh('sleep 1000'));
    is_deeply [ map { $_->{is} } @{ $room->{adapter}->lookup([ $end->{tag}, StarterRoom::tag() ]) } ], ['ended'];
    $room->{adapter}->forget([ { tag => $end->{tag} }, { tag => $live } ]);
    is_deeply $room->{adapter}->lookup([ $end->{tag} ]), [];
    ok scalar @{ $room->{adapter}->lookup([$live]) }, 'a live job is not forgotten';
    kill_starter($room);
    is_deeply $room->{adapter}->lookup([ $end->{tag} ]), [], 'also after a restart';
    $room->{adapter}->cancel([ { tag => $live } ]);
    $room->await($live, 'ended');
};

subtest 'a submission that comes after its job was forgotten runs nothing' => sub {
    my $room    = StarterRoom->new;
    my $tag     = StarterRoom::tag();
    my $request = $room->request($tag, sh('echo x >> runs'));
    $room->{adapter}->submit([$request]);
    $room->await($tag, 'ended');
    $room->{adapter}->forget([ { tag => $tag } ]);
    is_deeply $room->{adapter}->submit([$request])->[0]{ids}, [$tag];
    kill_starter($room);
    is_deeply $room->{adapter}->submit([$request])->[0]{ids}, [$tag], 'also after a restart';
    Time::HiRes::sleep(0.3);
    is $room->read_file('runs'), "x\n", 'one run';
};

subtest 'after a restore, a job older than what is remembered is not run' => sub {
    my $room = StarterRoom->new;
    $room->run(executable => '/bin/true');
    kill_starter($room);
    my $restored = StarterRoom::adapter({ settings => { %{ $room->{settings} }, restored_at => int(1000 * Time::HiRes::time()) + 1000 } });
    my $old = $room->request(StarterRoom::tag(), sh('echo old >> runs'));
    is ref $restored->submit([$old])->[0]{ids}, 'ARRAY', 'all segments are there: it was never run';
    my ($first) = sort glob $room->spool . "/events.*.log";
    kill_starter($room);
    unlink $first or die "cannot delete $first: $!";
    my $made = sprintf '%012x', 1000 * (time - 100);
    my $tag = substr($made, 0, 8) . '-' . substr($made, 8) . '-7000-8000-' . sprintf '%012d', $$;
    my $lost = $room->request($tag, sh('echo lost >> runs'));
    like $restored->submit([$lost])->[0]{unclear}, qr/cannot be known/, 'what a lost segment may have said is not known';
    is ref $room->{adapter}->submit([$lost])->[0]{ids}, 'ARRAY', 'a gateway that was not restored knows it itself';
};

subtest 'ended tags are forgotten by their age' => sub {
    my $room = StarterRoom->new;
    my $end  = $room->run(executable => '/bin/true');
    my $live = $room->submit(sh('sleep 1000'));
    $room->await($live, 'started');
    Time::HiRes::sleep(0.01);
    my $again = StarterRoom::adapter({ settings => { %{ $room->{settings} }, keep_ended_ms => 1 } });
    is_deeply $again->lookup([ $end->{tag} ]), [];
    ok scalar @{ $again->lookup([$live]) }, 'a live one is not';
    $room->{adapter}->cancel([ { tag => $live } ]);
};

subtest 'events go on from a checkpoint' => sub {
    my $room  = StarterRoom->new;
    my $first = $room->run(executable => '/bin/true');
    my $checkpoint = $room->{checkpoint};
    my $second = $room->submit(executable => '/bin/true');
    $room->await($second, 'ended');
    my %expected = ($checkpoint => { $second => 1 }, '9999999:0' => { $first->{tag} => 1, $second => 1 }, '1:999999999' => { $first->{tag} => 1, $second => 1 },
        nonsense => { $first->{tag} => 1, $second => 1 });
    for my $from (sort keys %expected) {
        my $again = $room->adapter;
        $again->follow($from);
        my %tags;
        my $until = Time::HiRes::time() + 60;
        while (keys %tags < keys %{ $expected{$from} } && Time::HiRes::time() < $until) {
            $tags{ $_->{tag} } = 1 for map { @{ $_->{events} } } $again->events;
            Time::HiRes::sleep(0.02);
        }
        # and no others
        for (1 .. 10) { $tags{ $_->{tag} } = 1 for map { @{ $_->{events} } } $again->events; Time::HiRes::sleep(0.02) }
        is_deeply \%tags, $expected{$from}, "from $from";
        $again->close;
    }
};

subtest 'the log is cut into segments, and old ones are emptied' => sub {
    my $room = StarterRoom->new(segment_bytes => 4000, max_running => 3);
    my $long = $room->submit(sh('sleep 1000'), max_wall_time => 3000);
    my $old  = $room->run(sh('exit 9'));
    $room->{adapter}->follow(undef);
    for my $round (1 .. 12) { $room->await($room->submit(executable => '/bin/true'), 'ended') for 1 .. 6 }
    my $blocked = $room->submit(sh('sleep 1000'));
    my @also = map { $room->submit(sh('sleep 1000')) } 1 .. 3;
    my @segments = glob $room->spool . '/events.*';
    cmp_ok @segments, '<=', 7, scalar(@segments) . ' segments';
    unlike $segments[0], qr/0000000001/, 'the first is gone';
    kill_starter($room);
    my %known = map { $_->{tag} . $_->{is} => $_ } @{ $room->{adapter}->lookup([ $long, $old->{tag}, @also ]) };
    ok $known{"${long}started"}, 'what its lines said of a running job is said again';
    is $known{"$old->{tag}ended"}{exit}, 9, 'and of an ended one';
    ok $known{"$also[2]queued"}, 'and of one that waits';
    is $room->{adapter}->submit([ $room->request($old->{tag}, executable => '/bin/true') ])->[0]{ids}[0], $old->{ids}[0];
    $room->{adapter}->cancel([ map { { tag => $_ } } $long, $blocked, @also ]);
    $room->await($_, 'ended') for $long, $blocked, @also;
};

subtest 'two workers that find no starter begin one' => sub {
    my $room = StarterRoom->new;
    my @children = map {
        my $pid = fork // die $!;
        if (!$pid) {
            my $status = eval { $room->adapter->status } // { pid => 0 };
            open my $file, '>', $room->work . "/starter-$$";
            print {$file} $status->{pid};
            close $file;
            require POSIX;
            POSIX::_exit(0);
        }
        $pid;
    } 1 .. 6;
    waitpid $_, 0 for @children;
    my %pids = map { $room->read_file("starter-$_") => 1 } @children;
    is keys %pids, 1, 'the same for all';
    ok !$pids{0};
};

subtest 'a starter that has gone is followed by another, within the same call' => sub {
    my $room = StarterRoom->new;
    my $pid  = $room->starter_pid;
    kill KILL => $pid;
    ok $room->wait_gone($pid), 'gone';
    is $room->run(executable => '/bin/true')->{exit}, 0, 'the job runs';
    isnt $room->starter_pid, $pid, 'another starter';
};

subtest 'starters that end as they are asked are followed by one that does not' => sub {
    my $room = StarterRoom->new;
    mkdir $room->spool, 0700 or die $!;
    my $ending = IO::Socket::UNIX->new(Local => $room->spool . '/starter.sock', Listen => 5) or die $!;
    my $pid = fork // die $!;
    if (!$pid) {
        CORE::close($ending->accept) for 1 .. 3;
        require POSIX;
        POSIX::_exit(0);
    }
    CORE::close($ending);
    is $room->run(executable => '/bin/true')->{exit}, 0, 'the job runs';
    waitpid $pid, 0;
};

subtest 'a starter ends when nothing is left to do' => sub {
    my $room = StarterRoom->new(idle_ms => 300);
    my $pid  = $room->starter_pid;
    $room->run(executable => '/bin/true');
    Time::HiRes::sleep(0.5);
    ok kill(0, $pid), 'not while somebody is connected';
    $room->{adapter}->close;
    ok $room->wait_gone($pid), 'gone';
    is $room->run(executable => '/bin/false')->{exit}, 1, 'and begun again when needed';
};

subtest 'thousands of waiting jobs' => sub {
    my $room = StarterRoom->new(max_running => 20);
    my @tags = map { StarterRoom::tag() } 1 .. 2000;
    my $begin = Time::HiRes::time();
    my @rest = @tags;
    while (my @some = splice @rest, 0, 100) {
        my $answers = $room->{adapter}->submit([ map { $room->request($_, executable => '/bin/true') } @some ]);
        die 'not accepted' if grep { !$_->{ids} } @$answers;
    }
    $room->await($tags[-1], 'ended', 600);
    $room->await($_, 'ended') for @tags;
    my %ended = map { $_->{tag} => 1 } grep { $_->{is} eq 'ended' } @{ $room->{seen} };
    is keys %ended, 2000;
    note sprintf '2000 jobs in %.1f s', Time::HiRes::time() - $begin;
};

done_testing;
