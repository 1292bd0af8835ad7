#!/usr/bin/perl
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# The limits of a job's processes, and the commands before and after them: by the launcher that LRMs start, and by the starter of Fork.

use strict;
use warnings;

use FindBin ();
use lib "$FindBin::RealBin/lib";
use StarterRoom ();
use File::Temp qw(tempdir);
use Test::More;
use Jobgate::SpoolFile ();
use Jobgate::Starter::Words ();
use Jobgate::System ();
use Jobgate::Wire ();

my $room = StarterRoom->new;

# Each way answers how the job ended and what is in a file of its directory.
my %WAYS = (
    'the starter' => sub {
        my (%spec) = @_;
        my $end = $room->run(%spec);
        return ($end, sub { $room->read_file($_[0]) // '' });
    },
    'the launcher' => sub {
        my (%spec) = @_;
        my $directory = tempdir(CLEANUP => 1);
        my $file = Jobgate::SpoolFile->new($directory, '01a1fa37-2a75-7000-8000-000000000001');
        $file->write(Jobgate::Wire::encode({ directory => $directory, %spec }));
        system $^X, "$FindBin::RealBin/jobgate-job", $directory, $file->tag, 'all';
        my $end = $file->end_of;
        return ({ %$end, $end->{why} ? Jobgate::Starter::Words::fault(@{ $end->{why} }) : () }, sub {
            open my $text, '<', "$directory/$_[0]" or return '';
            local $/;
            return <$text> // '';
        });
    },
);

sub sh { my ($text, $resources, %more) = @_; return (executable => '/bin/sh', arguments => [ '-c', $text ], count => 1, resources => $resources, %more) }

for my $way (sort keys %WAYS) {
    my $run = $WAYS{$way};

    subtest "$way sets the limits of the process" => sub {
        my %limits = (cpu_time => 17, file_size => 1 << 20, core_size => 0, stack_size => 4 << 20, open_files => 77, processes => 4321,
            data_size => 300 << 20, locked_memory => 4096, address_space => 900 << 20);
        my ($end, $read) = $run->(sh('cat /proc/self/limits', \%limits, stdout => "limits-$$"));
        is $end->{cause}, 'EXITED';
        my %is = map { /\AMax (\w[\w ]*?)  +(\S+)  +(\S+)/ ? ($1 => "$2 $3") : () } split /\n/, $read->("limits-$$");
        is $is{'cpu time'},       '17 22';
        is $is{'file size'},      '1048576 1048576';
        is $is{'core file size'}, '0 0';
        is $is{'stack size'},     '4194304 4194304';
        is $is{'open files'},     '77 77';
        is $is{processes},        '4321 4321';
        is $is{'data size'},      '314572800 314572800';
        is $is{'locked memory'},  '4096 4096';
        is $is{'address space'},  '943718400 943718400';
    };

    subtest "$way keeps a lower limit that is there" => sub {
        my ($end, $read) = $run->(sh('exec /bin/sh -c "grep files /proc/self/limits"', { open_files => 10_000_000 }, stdout => "files-$$"));
        my ($most) = $read->("files-$$") =~ /open files +([0-9]+)/;
        cmp_ok $most, '<', 10_000_000;
        is $end->{exit}, 0;
    };

    subtest "$way ends what writes more than it may" => sub {
        my ($end) = $run->(sh('exec head -c 100000 /dev/zero > big', { file_size => 4096 }));
        ok $end->{cause} eq 'SIGNALLED' && $end->{signal} == 25 || $end->{exit}, 'SIGXFSZ';
    };

    subtest "$way gives a process no more memory than it may have" => sub {
        my $take = 'exec perl -e \'my $x = "a" x (200 << 20); print "took it\n"\'';
        for my $limit (qw(data_size address_space)) {
            my ($end, $read) = $run->(sh($take, { $limit => 100 << 20 }, stdout => "memory-$$"));
            unlike $read->("memory-$$"), qr/took it/, $limit;
            ok $end->{exit} || $end->{cause} eq 'SIGNALLED', "$limit: the program fails";
        }
        my (undef, $read) = $run->(sh($take, { address_space => 900 << 20 }, stdout => "memory-$$"));
        is $read->("memory-$$"), "took it\n", 'as much as it may have it gets';
    };

    subtest "$way says how many threads a process has" => sub {
        my (undef, $read) = $run->(sh('echo $OMP_NUM_THREADS', { threads_per_process => 3 }, stdout => "threads-$$"));
        is $read->("threads-$$"), "3\n";
        (undef, $read) = $run->(sh('echo $OMP_NUM_THREADS', { threads_per_process => 3 }, stdout => "threads-$$", environment => [ [ OMP_NUM_THREADS => 2 ] ]));
        is $read->("threads-$$"), "2\n", 'the job knows better';
    };

    subtest "$way runs commands before and after the job" => sub {
        my ($end, $read) = $run->(sh('echo job; exit 4', { pre_command => [ '/bin/echo', 'before', '$(id)' ], post_command => [ '/bin/sh', '-c', 'echo after; exit 9' ] },
            stdout => "order-$$"));
        is $end->{cause}, 'EXITED';
        is $end->{exit},  4, 'the job ends as its program did';
        is $read->("order-$$"), "before \$(id)\njob\nafter\n", 'in order, in its files, without a shell';
        ($end, $read) = $run->(sh('echo again', { post_command => [ 'echo', 'last' ] }, stdout => "order-$$"));
        is $read->("order-$$"), "again\nlast\n", 'the files begin anew';
    };

    subtest "$way fails a job whose command before it fails" => sub {
        my ($end, $read) = $run->(sh('echo job', { pre_command => [ '/bin/sh', '-c', 'exit 3' ] }, stdout => "failed-$$"));
        is $end->{cause},     'NOT_STARTED';
        is $end->{attribute}, 'pre_command';
        like $end->{sentence}, qr{/bin/sh.* it ended with the exit code 3};
        is $read->("failed-$$"), '', 'and does not run it';
        ($end) = $run->(sh('echo job', { pre_command => ['/no/such/command'] }));
        is $end->{cause}, 'NOT_STARTED';
        like $end->{sentence}, qr{/no/such/command};
    };

    subtest "$way tells the signal that ended the program, and runs the command after it" => sub {
        my ($end, $read) = $run->(sh('kill -SEGV $$', { post_command => [ '/bin/sh', '-c', 'echo after' ] }, stdout => "signal-$$"));
        is $end->{cause},  'SIGNALLED';
        is $end->{signal}, 11;
        is $read->("signal-$$"), "after\n";
    };

    subtest "$way has scripts of the site read before and after the job, in its environment" => sub {
        my $site = tempdir(CLEANUP => 1);
        my $write = sub { my ($name, $text) = @_; open my $file, '>', "$site/$name" or die $!; print {$file} $text; close $file; return "$site/$name" };
        my $before = $write->('cp_1.sh', qq(export SITE="two words"; export GIVEN="\$GIVEN, too"; echo nobody reads it; echo "\$GIVEN" > $site/saw\nfalse\n));
        my $after  = $write->('cp_3.sh', qq(echo "\$SITE \$PWD" > $site/after; exit 7\n));
        my ($end, $read) = $run->(sh('echo "job $SITE $GIVEN"; exit 4', { pre_command => [ '/bin/sh', '-c', 'echo "before $SITE"' ] },
            stdout => "hooks-$$", environment => [ [ GIVEN => 'mine' ] ], hook_before => $before, hook_after => $after));
        is $end->{cause}, 'EXITED';
        is $end->{exit},  4, 'how they end changes nothing';
        is $read->("hooks-$$"), "before two words\njob two words mine, too\n", 'what the first one exports is in the environment of all that follows';
        open my $saw, '<', "$site/saw" or die $!;
        is scalar <$saw>, "mine, too\n", 'which it has itself';
        open my $last, '<', "$site/after" or die $!;
        like scalar <$last>, qr{\Atwo words /}, 'the last one, too';
        ($end, $read) = $run->(sh('echo "job $SITE"', undef, stdout => "hooks-$$", hook_before => "$site/none", hook_after => $site));
        is $end->{exit}, 0, 'those that are not there are left out';
        is $read->("hooks-$$"), "job \n";
        ($end, $read) = $run->(sh('echo "job $SITE $GIVEN"', undef, stdout => "hooks-$$", environment => [ [ GIVEN => 'mine' ] ],
            hook_before => $write->('ends', "export SITE=x; exit 3\n")));
        is $end->{exit}, 0;
        is $read->("hooks-$$"), "job  mine\n", 'one that ends the shell leaves the environment as it was';
    };

    subtest "$way does not begin a job that is ended while the site's script is read" => sub {
        my $site = tempdir(CLEANUP => 1);
        open my $file, '>', "$site/cp_1.sh" or die $!;
        # what a cancel sends: to the whole group by the starter, to the launcher by an LRM
        print {$file} "kill -TERM \$PPID; kill -TERM \$\$; sleep 30\n";
        close $file;
        my ($end) = $run->(sh("echo ran > $site/ran", undef, hook_before => "$site/cp_1.sh"));
        is $end->{cause},  'SIGNALLED';
        is $end->{signal}, 15;
        ok !-e "$site/ran", 'the program is not started';
    };

    subtest "$way does not begin a job whose time is over when the site's script was read" => sub {
        my $site = tempdir(CLEANUP => 1);
        open my $file, '>', "$site/cp_1.sh" or die $!;
        print {$file} "exec sleep 30\n";
        close $file;
        my ($end) = $run->(sh("echo ran > $site/ran", undef, hook_before => "$site/cp_1.sh", max_wall_time => 1));
        is $end->{cause}, 'WALL_TIME';
        ok !-e "$site/ran", 'the program is not started';
    } if $way eq 'the launcher';

    subtest "$way ends a job at its wall time in its commands, too" => sub {
        my ($end) = $run->(sh('exit 0', { pre_command => [ '/bin/sleep', '30' ] }, max_wall_time => 1));
        is $end->{cause}, 'WALL_TIME';
    } if $way eq 'the launcher';
}

subtest 'the program that is not there is told where commands are around it' => sub {
    my $end = $room->run(executable => '/no/such/program', count => 1, resources => { pre_command => ['true'], post_command => ['true'] });
    is $end->{cause}, 'NOT_STARTED';
    is $end->{fault}, 'EXECUTABLE_NOT_FOUND';
};

subtest 'a job of Fork with commands can be cancelled' => sub {
    my $tag = $room->submit(sh('sleep 300; exit 1', { pre_command => ['true'], post_command => ['true'] }));
    ok $room->await($tag, 'started');
    $room->{adapter}->cancel([ { tag => $tag } ]);
    is $room->await($tag, 'ended')->{cause}, 'CANCELLED';
};

done_testing;
