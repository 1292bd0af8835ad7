# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# What the starter does with one job.

use strict;
use warnings;

use FindBin ();
use lib "$FindBin::RealBin/lib";
use StarterRoom ();
use Test::More;
use Time::HiRes ();
use Jobgate::Starter::Launch ();

my $room = StarterRoom->new;

sub sh { my ($text, @more) = @_; return (executable => '/bin/sh', arguments => [ '-c', $text, 'sh', @more ]) }

subtest 'an exit code is told' => sub {
    my $end = $room->run(sh('exit 7'));
    is $end->{cause}, 'EXITED';
    is $end->{exit},  7;
    like $end->{ids}[0], qr/\A\Q$end->{tag}\E:\d+\z/;
    my %events = $room->events_of($end->{tag});
    is_deeply [ sort keys %events ], [ sort qw(queued started ended) ];
};

subtest 'a signal is told' => sub {
    my $end = $room->run(sh('kill -SEGV $$'));
    is $end->{cause},  'SIGNALLED';
    is $end->{signal}, 11;
    is $end->{exit},   139;
};

subtest 'arguments arrive byte for byte' => sub {
    my @arguments = ('a b', q{"'`}, '$HOME $(id) *', "two\nlines\r\t", "\xc3\xa4\xe2\x82\xac", '', "\xff\xfe", ';&|<>', '-n', '\\', '%41;x=1,');
    my $script = $room->script('print0', qq{#!$^X\nprint join "\\0", \@ARGV;\n});
    my $end = $room->run(executable => $script, arguments => \@arguments, stdout => 'arguments');
    is $end->{exit}, 0;
    is_deeply [ split /\0/, $room->read_file('arguments'), -1 ], \@arguments;
};

subtest 'the environment is a short list and what the job adds' => sub {
    local $ENV{CONTAINER_SECRET} = 'x';
    my $other = StarterRoom->new;    # a starter that is begun with that environment around
    my $end = $other->run(executable => '/usr/bin/env', arguments => ['-0'], stdout => 'environment',
        environment => [ [ 'MY VAR', "a\nb=c" ], [ 'LANG', 'de_DE' ] ], library_path => [ '/one', '/two' ]);
    my %seen = map { split /=/, $_, 2 } split /\0/, $other->read_file('environment');
    is_deeply [ sort keys %seen ], [ sort qw(HOME JOBGATE_JOB_ID LANG LD_LIBRARY_PATH LOGNAME PATH SHELL USER), 'MY VAR' ];
    is $seen{'MY VAR'},         "a\nb=c";
    is $seen{LANG},             'de_DE';
    is $seen{LD_LIBRARY_PATH},  '/one:/two';
    is $seen{JOBGATE_JOB_ID},   $end->{tag};
};

subtest 'standard files are relative to the directory and private' => sub {
    $room->script('input', "from the file\n");
    my $end = $room->run(sh('cat; echo wrong >&2; umask; pwd; ls -l /proc/self/fd | wc -l'), stdin => 'input', stdout => 'out', stderr => 'err');
    my ($first, $umask, $pwd, $fds) = split /\n/, $room->read_file('out');
    is $first, 'from the file';
    is $umask, '0077';
    is $pwd,   $room->work;
    is $fds,   5, 'no descriptors but 0, 1, 2 and that of the listing';
    is $room->read_file('err'), "wrong\n";
    is sprintf('%o', (stat $room->work . '/out')[2] & 07777), '600';
    $room->run(sh('echo new'), stdout => 'out');
    is $room->read_file('out'), "new\n", 'a second job begins the file anew';
    $room->run(sh('echo 1; echo 2 >&2; echo 3'), stdout => 'both', stderr => 'both');
    is $room->read_file('both'), "1\n2\n3\n", 'and one file may be both';
};

subtest 'a program without a slash is looked for in the directory, then along the PATH' => sub {
    $room->script('mine', "#!/bin/sh\nexit 3\n");
    is $room->run(executable => 'mine')->{exit}, 3;
    is $room->run(executable => './mine')->{exit}, 3;
    is $room->run(executable => 'false')->{exit}, 1;
    is $room->run(executable => 'only-there', environment => [ [ PATH => $room->script('../only-there', "#!/bin/sh\nexit 4\n") =~ s{/work/[.][.]/[^/]*\z}{}r ] ])->{exit}, 4;
};

subtest 'a script without a first line is run by sh, its arguments untouched' => sub {
    my $script = $room->script('plain-script', 'printf "%s" "$1" > said; exit 6');
    is $room->run(executable => $script, arguments => ['$(id) "x']) ->{exit}, 6;
    is $room->read_file('said'), '$(id) "x';
};

subtest 'what keeps a job from starting is told precisely' => sub {
    my $plain = $room->script('plain', "text\n");
    chmod 0600, $plain;
    my $bad = $room->script('bad-interpreter', "#!/no/such/interpreter\n");
    my @cases = (
        [ 'DIRECTORY_NOT_FOUND',      directory => '/no/such/directory', executable => '/bin/true' ],
        [ 'STDIN_NOT_FOUND',          executable => '/bin/true', stdin => 'absent' ],
        [ 'STDIN_NOT_FOUND',          executable => '/bin/true', stdin => $room->work ],
        [ 'STDOUT_NOT_WRITABLE',      executable => '/bin/true', stdout => 'no/such/place' ],
        [ 'STDERR_NOT_WRITABLE',      executable => '/bin/true', stderr => $room->work ],
        [ 'EXECUTABLE_NOT_FOUND',     executable => '/no/such/program' ],
        [ 'EXECUTABLE_NOT_FOUND',     executable => 'no-such-program' ],
        [ 'EXECUTABLE_NOT_FOUND',     executable => '/bin/true/x' ],
        [ 'EXECUTABLE_NOT_PERMITTED', executable => 'plain' ],
        [ 'EXECUTABLE_NOT_PERMITTED', executable => $room->work ],
        [ 'EXECUTION_FAILED',         executable => $bad ],
        [ 'EXECUTION_FAILED',         executable => '/bin/true', arguments => [ 'x' x 200_000 ] ],
    );
    for my $case (@cases) {
        my ($code, %description) = @$case;
        my $end = $room->run(%description);
        is $end->{cause}, 'NOT_STARTED', "$code: " . ($end->{sentence} // '');
        is $end->{fault}, $code;
        ok length $end->{sentence} && length $end->{remedy} && length $end->{value};
        my %events = $room->events_of($end->{tag});
        ok !$events{started}, 'it never was active';
    }
};

subtest 'job types' => sub {
    my $answer = $room->{adapter}->submit([ $room->request(StarterRoom::tag(), executable => '/bin/true', job_type => 'CONDOR') ])->[0];
    is $answer->{refused}{fault}, 'UNSUPPORTED_FEATURE';
    is $room->run(sh('echo x >> single'), job_type => 'SINGLE', count => 5)->{exit}, 0;
    is $room->read_file('single'), "x\n", 'single is one process whatever the count';
    my $end = $room->run(sh('echo $$'), job_type => 'MULTIPLE', count => 12, stdout => 'many');
    my @pids = split /\n/, $room->read_file('many');
    is @pids, 12;
    is_deeply [ sort map { "$end->{tag}:$_" } @pids ], [ sort @{ $end->{ids} } ], 'each process has its id';
    SKIP: {
        skip 'an MPI launcher is installed', 1 if defined Jobgate::Starter::Launch::mpi_launcher();
        my $mpi = $room->{adapter}->submit([ $room->request(StarterRoom::tag(), executable => '/bin/true', job_type => 'MPI') ])->[0];
        is $mpi->{refused}{fault}, 'UNSUPPORTED_FEATURE';
    }
};

subtest 'of many processes the first that failed gives the exit code' => sub {
    is $room->run(sh('mkdir lock-$1 2>/dev/null || exit 0; exit 9', 'one'), count => 4)->{exit}, 9;
};

subtest 'cancel' => sub {
    my $tag = $room->submit(sh('sleep 1000'));
    $room->await($tag, 'started');
    is_deeply $room->{adapter}->cancel([ { tag => $tag }, { tag => StarterRoom::tag() } ]), [ 'ending', 'not_there' ];
    my $end = $room->await($tag, 'ended');
    is $end->{cause},  'CANCELLED';
    is $end->{signal}, 15;
    is_deeply $room->{adapter}->cancel([ { tag => $tag } ]), ['ending'], 'again';
};

subtest 'a job that does not want to end is killed after the grace' => sub {
    my $tag = $room->submit(sh('trap "" TERM; (trap "" TERM; : > both-deaf; sleep 1000) & while :; do sleep 1; done'));
    ok $room->await_file('both-deaf'), 'neither it nor its child heeds SIGTERM';
    my $begin = Time::HiRes::time();
    $room->{adapter}->cancel([ { tag => $tag } ]);
    my $end = $room->await($tag, 'ended');
    is $end->{cause},  'CANCELLED';
    is $end->{signal}, 9;
    cmp_ok Time::HiRes::time() - $begin, '>=', 0.9;
};

subtest 'the wall-time limit ends the whole job' => sub {
    my ($end, $late) = (undef, 'none was seen to begin a child, so late');
    for my $limit (1, 1, 1, 2, 5) {
        unlink $room->work . '/child';
        $end = $room->run(sh('sleep 1000 & echo $! > child; wait'), max_wall_time => $limit);
        is $end->{cause}, 'WALL_TIME' or diag explain $end;
        cmp_ok $end->{wall}, '>=', 1000 * $limit;
        my $child = $room->read_file('child') or next; # ended before it had begun its child
        ok $room->wait_gone($child + 0), 'its child too';
        $late = $end->{wall} - 1000 * $limit;
        last if $late < 900; # a machine with other work may end one of them late
    }
    cmp_ok $late, '<', 900;
};

subtest 'what a job used' => sub {
    my $end = $room->run(sh('i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; perl -e "my \\$x = q(y) x 60_000_000"'), count => 1);
    cmp_ok $end->{user_cpu}, '>', 50, 'CPU time of the shell';
    ok defined $end->{system_cpu}, 'inside of the kernel';
    cmp_ok $end->{peak_memory}, '>', 58_000, 'memory of the largest process, a child of the shell';
    is $end->{slots}, 1, 'slots';
    is $end->{hosts}, Jobgate::System::host_name(), 'host';
    my $many = $room->run(sh('i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done'), job_type => 'MULTIPLE', count => 3);
    is $many->{slots}, 3, 'of many processes';
};

subtest 'the CPU-time limit' => sub {
    my $end = $room->run(sh('while :; do :; done'), max_cpu_time => 1);
    is $end->{signal}, 24, 'SIGXCPU';
};

# a process that leaves its session and its parent behind, and says its number
my $DAEMON = $room->script('daemon', "#!$^X\n"
    . 'use POSIX; exit 0 if fork; POSIX::setsid(); exit 0 if fork; open F, ">", "$ARGV[0].new"; print F $$; close F; rename "$ARGV[0].new", $ARGV[0]; sleep 1000');

# The number that a process wrote, waited for.
sub number_in {
    my ($name) = @_;
    for (1 .. 1200) {
        my $number = $room->read_file($name);
        return $number + 0 if $number;
        Time::HiRes::sleep(0.05);
    }
    die "nobody wrote $name\n";
}

subtest 'processes that fork away do not outlive the job' => sub {
    my $end = $room->run(sh('./daemon daemon1; while [ ! -s daemon1 ]; do sleep 0.02; done; exit 5'));
    is $end->{exit}, 5, 'the exit code is that of the first process';
    ok $room->wait_gone(number_in('daemon1')), 'the daemon is gone';
    $end = $room->run(sh('sleep 1000 & echo $! > background; exit 0'));
    ok $room->wait_gone(number_in('background')), 'and so is what ran in the background';
};

subtest 'a daemon of one job is left alone when another ends' => sub {
    my $tag = $room->submit(sh('./daemon daemon2; sleep 1000'));
    $room->await($tag, 'started');
    $room->run(executable => '/bin/true') for 1 .. 3;
    my $daemon = number_in('daemon2');
    ok kill(0, $daemon), 'it lives';
    $room->{adapter}->cancel([ { tag => $tag } ]);
    is $room->await($tag, 'ended')->{cause}, 'CANCELLED';
    ok $room->wait_gone($daemon), 'and ends with its own';
};

subtest 'a standard input that blocks does not hold up others, and can be cancelled' => sub {
    system 'mkfifo', $room->work . '/pipe';
    my $tag = $room->submit(executable => '/bin/true', stdin => 'pipe');
    is $room->run(executable => '/bin/true')->{exit}, 0;
    $room->{adapter}->cancel([ { tag => $tag } ]);
    is $room->await($tag, 'ended')->{cause}, 'CANCELLED';
};

subtest 'the end is told within milliseconds' => sub {
    my $script = $room->script('now', "#!$^X\nuse Time::HiRes; open F, '>', 'ended-at'; print F Time::HiRes::time();");
    my @delays;
    for (1 .. 10) {
        @delays = sort { $a <=> $b } map {
            $room->run(executable => $script);
            1000 * (Time::HiRes::time() - $room->read_file('ended-at'))
        } 1 .. 11;
        last if $delays[5] < 50; # a machine with other work may be slow for a while
    }
    cmp_ok $delays[5], '<', 50, "median $delays[5] ms";
};

done_testing;
