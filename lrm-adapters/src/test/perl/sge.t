#!/usr/bin/perl
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# The Grid Engine adapter without Grid Engine: what qsub is given, and what a real one printed (docker/lab/samples/sge).

use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin ();
use Test::More;
use lib "$FindBin::RealBin/../../main/perl/lib";
use Jobgate::Adapter::Sge     ();
use Jobgate::Sge::Accounting ();
use Jobgate::Sge::Listing    ();
use Jobgate::Sge::LogFile    ();
use Jobgate::Sge::Queues     ();
use Jobgate::Sge::Records    ();
use Jobgate::Sge::Submit     ();

my $SAMPLES = "$FindBin::RealBin/../../../../docker/lab/samples/sge";
my $PREFIX  = '7f1e0c52-9a44-4d0b-8c1e-0000000000';
my $TAG     = "${PREFIX}01";

sub sample {
    my ($name) = @_;
    open my $file, '<:raw', "$SAMPLES/$name" or die "$SAMPLES/$name: $!";
    local $/;
    return scalar <$file>;
}

# --- submit ---------------------------------------------------------------------------------------------------------------------

my %SITE = (mpiexec => '/opt/mpi/bin/mpiexec', pe => 'smp', mpi_pe => 'mpi', host_pe => 'mpi_{each}', submit_options => 'p R,l:arch notify');

sub given {
    my ($arguments) = Jobgate::Sge::Submit::arguments($TAG, { job_type => 'MULTIPLE', @_ }, \%SITE);
    return join ' ', @{ $arguments // ['refused'] };
}
sub refusal { return (Jobgate::Sge::Submit::arguments($TAG, { job_type => 'MULTIPLE', @_ }, \%SITE))[1] // {} }
sub option  { my ($name, $value) = @_; return extensions => [ { name => 'sgesubmit', attributes => { name => $name }, text => $value } ] }

subtest 'every job carries its tag, by name and in full in its context' => sub {
    my $given = given();
    like $given, qr/-N jg_$TAG -ac JOBGATE_ID=$TAG\z/, 'both, after all that the client or the site wants';
    like $given, qr/-terse -sync n/, "an answer at once, whatever the account's own .sge_request says";
};

subtest 'what a job asks for' => sub {
    like given(queue => 'long.q', project => 'a.b'), qr/\A-q long\.q -P a\.b /, 'queue and project';
    like given(max_wall_time => 60, max_time => 5), qr/-l h_rt=60 /, 'wall time';
    like given(max_time => 5), qr/-l h_rt=5 /, 'maxTime where there is no maxWallTime';
    like given(max_cpu_time => 10), qr/-l h_cpu=15 /, "CPU time, with the process's own limit first";
    like given(max_memory_mib => 100, min_memory_mib => 50), qr/-l h_vmem=148M -l mem_free=50M /, 'memory, with the launcher';
    like given(count => 4), qr/-pe smp 4 /, 'count';
    unlike given(job_type => 'SINGLE', count => 4), qr/-pe/, 'a single job is one process';
    like given(job_type => 'MPI', count => 4), qr{-v JOBGATE_MPIEXEC=/opt/mpi/bin/mpiexec -pe mpi 4 }, 'mpi';
    unlike given(count => 4), qr/JOBGATE_MPIEXEC/, 'which only mpi needs';
    like given(job_type => 'MPI', count => 8, host_count => 2), qr/-pe mpi_4 8 /, 'hostCount';
    is refusal(job_type => 'MPI', count => 7, host_count => 2)->{attribute}, 'hostCount', 'that cannot be spread evenly';
    is refusal(count => 4, host_count => 2)->{fault}, 'UNSUPPORTED_FEATURE', 'hostCount without mpi';
    is refusal(job_type => 'CONDOR')->{attribute}, 'jobType', "HTCondor's own";
    my (undef, $fault) = Jobgate::Sge::Submit::arguments($TAG, { job_type => 'MULTIPLE', count => 2 }, {});
    is $fault->{attribute}, 'count', 'no parallel environment, no second process';
    my ($arguments) = Jobgate::Sge::Submit::arguments($TAG, { max_wall_time => 5, max_memory_mib => 9 },
        { wall_time_resource => 's_rt', memory_resource => 'none' });
    is "@$arguments[0 .. 2]", '-l s_rt=5 -terse', 'a site names its own resources, or none';
};

subtest 'hosts by name' => sub {
    my $group = sub { my %of = @_; return extensions => [ { name => 'resourceAllocationGroup', children => [ map { { name => $_, text => $of{$_} } } keys %of ] } ] };
    like given($group->(hostName => 'node1')), qr/\A-l hostname=node1 /, 'resourceAllocationGroup';
    like given(extensions => [ { name => 'nodes', text => 'a.b+c' } ]), qr/\A-l hostname=a\.b\|c /, 'nodes';
    is refusal($group->(hostName => $_))->{fault}, 'INVALID_DESCRIPTION', "not a host: $_" for '*', "a\nb", 'a,h_rt=1', '', '4';
    is refusal($group->(hostType => 'ia64'))->{fault}, 'UNSUPPORTED_FEATURE', 'a type of hosts';
};

subtest 'what is no name never reaches qsub' => sub {
    for my $bad ("a\nb", 'a"', '$(x)', 'a b', 'a;b', 'a#', '', '-b', '@x', 'a,b', '*', "a\0") {
        for my $what (qw(queue project)) {
            is refusal($what => $bad)->{fault}, 'INVALID_DESCRIPTION', "a $what that is no name" or diag $bad;
        }
    }
};

subtest 'options of the client are those that the site lists' => sub {
    like given(option('p', '-5')), qr/\A-p -5 /, 'listed';
    like given(option('-R', 'y')), qr/\A-R y /, 'with its dash';
    like given(option('notify', '')), qr/\A-notify /, 'without a value';
    like given(option('l', 'arch=lx-*')), qr/\A-l arch=lx-\* /, 'a listed resource';
    is refusal(option($_->[0], $_->[1]))->{fault}, 'UNSUPPORTED_FEATURE', "$_->[0] $_->[1]"
        for [ 'N', 'x' ], [ 'o', '/etc/x' ], [ 'l', 'h_rt=1' ], [ 'S', '/bin/sh' ], [ '@', 'file' ], [ '', '' ], [ "p\n-N", 'x' ];
    is refusal(option($_->[0], $_->[1]))->{fault}, 'INVALID_DESCRIPTION', "a value of more than a word"
        for [ 'p', "1\n2" ], [ 'p', '' ], [ 'p', '-N' ], [ 'notify', 'x' ], [ 'l', 'arch=a,h_rt=5' ], [ 'p', 'a b' ];
    for my $bad ('S', 'l', 'o', 'V', 'v', 'b', 'N', 'ac') {
        eval { Jobgate::Sge::Submit::arguments($TAG, { option('p', '1') }, { submit_options => $bad }) };
        like $@, qr/no option that can be left to clients/, "a site cannot list $bad";
    }
};

subtest 'paths with odd characters are refused before anything is started' => sub {
    eval { Jobgate::Sge::Submit::command('/s $(x)', '/usr/bin/perl') };
    like $@, qr/cannot have/, 'a blank';
};

# --- listings -------------------------------------------------------------------------------------------------------------------

subtest 'a real listing' => sub {
    for my $name (qw(live.qstat-xml.xml live.qstat-r-xml.xml)) {
        my %is = map { $_->{tag} => $_->{is} } Jobgate::Sge::Listing::rows(sample($name));
        is_deeply \%is, { "${PREFIX}04" => 'started', "${PREFIX}05" => 'started', "${PREFIX}11" => 'started', "${PREFIX}12" => 'suspended',
            "${PREFIX}13" => 'queued', "${PREFIX}14" => 'suspended', "${PREFIX}15" => 'error' }, $name;
    }
    my ($first) = Jobgate::Sge::Listing::rows(sample('live.qstat-xml.xml'));
    is_deeply [ @$first{qw(number owner at)} ], [ 72, 'jobgate-a', 1795196970000 ], 'number, owner and time';
    is_deeply [ Jobgate::Sge::Listing::rows(sample('none.qstat-xml.xml')) ], [], 'no jobs';
};

subtest 'a listing that is not whole is none' => sub {
    my $whole = sample('live.qstat-xml.xml');
    for my $length (0, 10, 200, 1500, length($whole) - 20) {
        is eval { Jobgate::Sge::Listing::rows(substr $whole, 0, $length); 1 }, undef, "$length bytes";
    }
    for my $bad ('', 'garbage', "error: commlib error\n", sample('refused.qstat-no-master.txt'), sample('refused.qstat-j-unknown-xml.xml'),
        '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><job_info></job_info>') {
        is eval { Jobgate::Sge::Listing::rows($bad); 1 }, undef, substr $bad =~ s/\n/ /gr, 0, 40;
    }
};

subtest 'a job that cannot be read is left out alone' => sub {
    my $whole = sample('live.qstat-xml.xml');
    my $all   = [ Jobgate::Sge::Listing::rows($whole) ];
    my ($first) = $whole =~ m{(<job_list\b.*?</job_list>)}s;
    for my $bad ($first =~ s{<state>[^<]*</state>}{}r, $first =~ s{</job_list>}{}r =~ s{<JB_owner>}{<JB_x>}r, $first =~ s{<JB_name>[^<]*}{<JB_name><job_list state="x">\n</JB_name><JB_name>}r,
        $first =~ s{<JB_job_number>[0-9]+}{<JB_job_number>x}r, '<job_list>', '<job_list') {
        my @rows = eval { Jobgate::Sge::Listing::rows($whole =~ s{\Q$first\E}{$bad}r) };
        is_deeply \@rows, [ @$all[ 1 .. $#$all ] ], 'the others are there: ' . substr $bad =~ s/\s+/ /gr, 0, 50;
    }
    my $other = $first =~ s{<JB_owner>[^<]*}{<JB_owner>somebody}r;
    is_deeply [ Jobgate::Sge::Listing::rows($whole =~ s{\Q$first\E}{$first$other}r) ], [ @$all[ 1 .. $#$all ] ], 'a number of two owners is not believed';
};

subtest 'lines of the files that are none' => sub {
    for my $line ('', ':', ':' x 60, "all.q:node1:g:o:jg_${PREFIX}04:x", '{', '{"job_name":[]}', "jg_${PREFIX}04", '{"job_name":"jg_' . $PREFIX . '04","usage":[1]}') {
        is eval { Jobgate::Sge::Accounting::record_of_line($line) // 'none' }, 'none', "no record: $line";
        is eval { Jobgate::Sge::Accounting::event_of_line($line) // 'none' }, 'none', 'no event';
    }
    my $block = "==============================================================\nowner x\njobname jg_${PREFIX}04\n";
    is_deeply [ eval { Jobgate::Sge::Accounting::records_of_qacct("$block$block\nnonsense\n") } ], [], 'blocks of qacct that are none';
};

subtest 'every state that the manual names, and those that it does not' => sub {
    my %is = (qw(qw queued Rq queued hqw suspended hRwq suspended r started hr started t started Rr started Rt started s suspended ts suspended
        S suspended tS suspended T suspended tT suspended Rs suspended RtT suspended Eqw error Ehqw error EhRqw error dr started dt started
        dRr started ds suspended dS suspended z over P suspended dEqw error));
    is Jobgate::Sge::Listing::is_of_state($_), $is{$_}, $_ for sort keys %is;
    is Jobgate::Sge::Listing::is_of_state($_), undef, "unknown: $_" for 'X', 'rX', '', 'r ', 'w?';
};

subtest 'why a job could not be started' => sub {
    is Jobgate::Sge::Listing::reason(sample('broken.qstat-j-xml.xml')),
        q(can't open output file "/no/such/directory/out": No such file or directory), 'in words';
    is Jobgate::Sge::Listing::reason(sample('running.qstat-j-xml.xml')), undef, 'it could';
    my $note = sub { my ($why, @numbers) = @_; return '<element><MES_job_number_list>' . join("\n", map { "<ulong_sublist>\n<ULNG_value>$_</ULNG_value></ulong_sublist>" } @numbers)
        . "</MES_job_number_list>\n<MES_message_number>0</MES_message_number>\n<MES_message>$why</MES_message></element>\n" };
    my $dropped = 'job dropped because of job dependencies';
    is_deeply { Jobgate::Sge::Listing::waiting($note->('cannot run at host &quot;vm&quot;', 4, 6) . $note->($dropped, 6) . $note->("x\x1by" x 300, 7)) },
        { 4 => 'cannot run at host "vm"', 6 => qq(cannot run at host "vm"; $dropped), 7 => substr 'x y' x 300, 0, 400 }, 'why jobs wait, by their numbers';
    is_deeply { Jobgate::Sge::Listing::waiting(sample('running.qstat-j-xml.xml')) }, {}, 'a job that does not';
};

# --- accounting -----------------------------------------------------------------------------------------------------------------

my @RECORDS = map { Jobgate::Sge::Accounting::record_of_line($_) } split /\n/, sample('ended.accounting.txt');
my %RECORD  = map { substr($_->{tag}, -2) => $_ } @RECORDS;

subtest 'real accounting records' => sub {
    my %cause = map { $_ => Jobgate::Sge::Accounting::end_of($RECORD{$_})->{cause} } keys %RECORD;
    is_deeply \%cause, { '01' => 'EXITED', '02' => 'EXITED', '03' => 'SIGNALLED', '04' => 'SIGNALLED', '05' => 'WALL_TIME', 11 => 'SIGNALLED',
        14 => 'SIGNALLED', 15 => 'NOT_STARTED' }, 'causes';
    my %end = %{ Jobgate::Sge::Accounting::end_of($RECORD{'02'}) };
    is_deeply [ @end{qw(exit wall)} ], [ 3, 0 ], 'exit code';
    is Jobgate::Sge::Accounting::end_of($RECORD{'03'})->{signal}, 11, 'signal';
    is Jobgate::Sge::Accounting::end_of($RECORD{'05'})->{wall}, 7000, 'wall time';
    is Jobgate::Sge::Accounting::end_of($RECORD{'04'}, 'root')->{cause}, 'CANCELLED', 'killed because somebody has deleted it';
    like Jobgate::Sge::Accounting::end_of($RECORD{'04'}, 'root')->{output}, qr/deleted by root/, 'who';
    ok !Jobgate::Sge::Accounting::is_final($RECORD{15}), 'one that could not be started may still be queued';
};

subtest 'what a job used' => sub {
    my ($line) = (split /\n/, sample('ended.accounting.txt'))[0];
    my @fields = split /:/, $line, -1;
    @fields[ 14, 15, 16, 34, 36 ] = ('1.250000', '0.500000', '61440.000000', 4, '1.900000');
    my $end = Jobgate::Sge::Accounting::end_of(Jobgate::Sge::Accounting::record_of_line(join ':', @fields));
    is_deeply { map { $_ => $end->{$_} } qw(cpu user_cpu system_cpu peak_memory slots queue hosts) },
        { cpu => 1900, user_cpu => 1250, system_cpu => 500, peak_memory => 61440, slots => 4, queue => $fields[0], hosts => $fields[1] }, 'the accounting file';
    my $text = sample('ok.qacct.txt') =~ s/^(ru_utime +).*$/${1}1.250s/mr =~ s/^(ru_stime +).*$/${1}0.500s/mr =~ s/^(ru_maxrss +).*$/${1}60.000KB/mr =~ s/^(cpu +).*$/${1}1.900s/mr;
    my ($told) = map { Jobgate::Sge::Accounting::end_of($_) } Jobgate::Sge::Accounting::records_of_qacct($text);
    is_deeply [ @$told{qw(cpu user_cpu system_cpu peak_memory)} ], [ 1900, 1250, 500, 61440 ], 'qacct, which calls KiB bytes';
};

subtest 'qacct says the same as the file' => sub {
    my %case = (ok => '01', exit3 => '02', signal => '03', cancelled => '04', walltime => '05', running => 11, suspended => 14, broken => 15);
    for my $case (sort keys %case) {
        my ($record) = Jobgate::Sge::Accounting::records_of_qacct(sample("$case.qacct.txt"));
        my @names = qw(tag number task owner host submitted start end failed exit slots);
        is_deeply { map { $_ => $record->{$_} } @names }, { map { $_ => $RECORD{ $case{$case} }{$_} } @names }, $case;
        is Jobgate::Sge::Accounting::end_of($record)->{cause}, Jobgate::Sge::Accounting::end_of($RECORD{ $case{$case} })->{cause}, "$case: cause";
    }
    is_deeply [ Jobgate::Sge::Accounting::records_of_qacct(sample('refused.qacct-unknown.txt')) ], [], 'no job';
};

# A line of the accounting file with some fields changed.
sub line {
    my (%with) = @_;
    my @fields = split /:/, (split /\n/, sample('ended.accounting.txt'))[0];
    $fields[$_] = $with{$_} for keys %with;
    return join ':', @fields;
}

subtest 'each code of the manual has its own ending' => sub {
    my $cause = sub { Jobgate::Sge::Accounting::end_of(Jobgate::Sge::Accounting::record_of_line(line(@_)))->{cause} };
    is $cause->(11 => $_), 'NOT_STARTED', "failed $_" for 1, 3, 4, 6 .. 11, 26 .. 29, 31 .. 36, 38, 99;
    is $cause->(11 => $_), 'NODE_FAILED', "failed $_" for 18 .. 23;
    is $cause->(11 => $_), 'EXITED', "failed $_: the job itself had ended" for 0, 12 .. 16;
    is $cause->(11 => 100, 12 => 0), 'NODE_FAILED', 'failed 100 without a signal: the shepherd died';
    is $cause->(11 => 100, 12 => 137), 'SIGNALLED', 'failed 100 with one';
    is $cause->(11 => 0, 12 => 137), 'EXITED', 'an exit code above 128';
    ok Jobgate::Sge::Accounting::is_requeue({ failed => $_ }) && !Jobgate::Sge::Accounting::is_final({ failed => $_ }), "failed $_ is no end" for 24, 25, 30;
    my %limits = (11 => 37, 12 => 137, 9 => 1000, 10 => 1060);
    is $cause->(%limits, 39 => '-l h_rt=60'), 'WALL_TIME', 'over h_rt';
    is $cause->(%limits, 39 => '-l h_rt=0:1:0,h_vmem=100M', 42 => 1000), 'WALL_TIME', 'colons in the category';
    is $cause->(%limits, 39 => '-l h_vmem=100M,h_rt=600', 42 => 104857601), 'MEMORY', 'over h_vmem';
    is $cause->(%limits, 39 => '-l h_vmem=100M -pe smp 4', 42 => 104857601, 34 => 4), 'WALL_TIME', 'h_vmem counts for each slot';
    is $cause->(%limits, 39 => '-l h_cpu=10,h_rt=600', 36 => 11), 'SIGNALLED', 'over h_cpu';
};

subtest 'what is not the end of a job of ours' => sub {
    my $of = sub { Jobgate::Sge::Accounting::record_of_line(line(@_)) };
    ok $of->(), 'one that is';
    is $of->(4 => $_), undef, "the name $_" for 'true', 'jg_x', "jg_${TAG}x", "x$TAG";
    is $of->(41 => '1.node1'), undef, 'a part of a parallel job on another host';
    is $of->(11 => 'x'), undef, 'no code';
    is Jobgate::Sge::Accounting::record_of_line($_), undef, 'no record' for '', '# Version: 8.1.9', ':::', 'x' x 1000, '{"job_name":', '{}';
};

subtest 'the forms of other Grid Engines, as their manuals give them' => sub {
    my $univa = Jobgate::Sge::Accounting::record_of_line(line(8 => 1795196970123, 9 => 1795196971456, 10 => 1795196973789) . ':NONE:node1');
    is_deeply [ @$univa{qw(submitted start end)} ], [ 1795196970, 1795196971, 1795196973 ], 'Univa: milliseconds, and more fields';
    my $json = qq({"job_number":7,"task_number":0,"start_time":1795196971000000,"end_time":1795196972000000,"owner":"a","job_name":"jg_$TAG","account":"sge",)
        . qq("qname":"all.q","hostname":"n","submission_time":1795196970000000,"slots":2,"failed":0,"exit_status":3,"category":"-l h_rt=5",)
        . qq("usage":{"rusage":{"ru_wallclock":1},"usage":{"cpu":0.5,"maxvmem":1000}}});
    my $record = Jobgate::Sge::Accounting::record_of_line($json);
    is_deeply [ @$record{qw(tag number start end exit slots cpu vmem)} ], [ $TAG, 7, 1795196971, 1795196972, 3, 2, 0.5, 1000 ], 'Open Cluster Scheduler: JSON';
    is Jobgate::Sge::Accounting::time_of_line($json), 1795196972, 'its time';
    my $later = $json =~ s/"usage":\{"cpu"/"eusage":{"cpu"/r;
    is Jobgate::Sge::Accounting::record_of_line($later)->{vmem}, 1000, 'with another group of what was used';
    is Jobgate::Sge::Accounting::record_of_line($json =~ s/"category"/"pe_task_id":"1.n","category"/r), undef, 'a slave task';
    ok Jobgate::Sge::Accounting::record_of_line(line(41 => '')), 'no slave task, in its old form';
};

subtest 'who has deleted what: the reporting file' => sub {
    my @events = map { Jobgate::Sge::Accounting::event_of_line($_) } split /\n/, sample('ended.reporting.txt');
    my %by;
    for (grep { $_->{event} eq 'deleted' && $_->{by} !~ /\A(?:scheduler|execution daemon|master)\z/ } @events) { push @{ $by{ substr $_->{tag}, -2 } }, $_->{by} }
    is_deeply \%by, { map { $_ => ['jobgate-a'] } '04', 11 .. 15 }, 'and by whom';
    ok !(grep { !defined $_->{number} || $_->{number} !~ /\A[0-9]+\z/ } @events), 'numbers';
    is Jobgate::Sge::Accounting::event_of_line($_), undef, 'no event' for '', '# Version', 'x:job_log', (grep { /:acct:/ } split /\n/, sample('ended.reporting.txt'))[0];
};

# --- files that grow ------------------------------------------------------------------------------------------------------------

sub log_file {
    my ($path) = @_;
    return Jobgate::Sge::LogFile->new(path => $path, wanted => qr/:jg_/, time_of => \&Jobgate::Sge::Accounting::time_of_line);
}

sub append {
    my ($path, $text) = @_;
    open my $file, '>>:raw', $path or die "$path: $!";
    print {$file} $text;
    close $file;
}

subtest 'only what is new is read, in whole lines, over a rotation' => sub {
    my $path = tempdir(CLEANUP => 1) . '/accounting';
    append($path, line() . "\n");
    my $log = log_file($path);
    ok $log->begin_at_end, 'begins at the end';
    is_deeply [ $log->lines ], [], 'nothing new';
    ok !$log->has_grown, 'by one look at its size';
    my $new = line(5 => 70);
    append($path, substr $new, 0, 50);
    is_deeply [ $log->lines ], [], 'half a line waits';
    append($path, substr($new, 50) . "\nsomething else\n");
    is_deeply [ $log->lines ], [$new], 'for its end';
    append($path, line(5 => 71) . "\n");
    rename $path, "$path.0";
    append($path, line(5 => 72) . "\nand more\n");
    ok $log->has_grown, 'another file';
    is_deeply [ map { (split /:/)[5] } $log->lines ], [ 71, 72 ], 'the rest of the old one, then the new one';
    open my $short, '>', $path;
    close $short;
    append($path, line(5 => 73) . "\n");
    is_deeply [ map { (split /:/)[5] } $log->lines ], [73], 'one that has been cut';
    unlink $path;
    is_deeply [ $log->lines ], [], 'one that is gone';
    my $late = log_file("$path.late");
    ok !$late->begin_at_end, 'one that is not there yet';
    append("$path.late", line(5 => 74) . "\n");
    is_deeply [ map { (split /:/)[5] } $late->lines ], [74], 'is read from its beginning when it comes';
};

subtest 'a search goes back to a moment, however long the file is' => sub {
    my $path = tempdir(CLEANUP => 1) . '/accounting';
    my $other = join ':', map { $_ == 10 ? 1000 : $_ == 4 ? 'other' : $_ } 0 .. 44;
    append("$path.0", line(5 => 1, 10 => 9) . "\n" . "$other\n" x 5 . line(5 => 2) . "\n");
    append($path, line(5 => 3) . "\n" . line(5 => 4, 10 => 7, 8 => 7, 9 => 7) . "\n" . (line(4 => 'theirs') . "\n") x 8000 . line(5 => 5) . "\n");
    ok -s $path > 2 * 1024 * 1024 - 200_000, 'more than one part';
    is_deeply [ map { (split /:/)[5] } log_file($path)->search(5) ], [ 1 .. 5 ], 'all, with the rotated file';
    append($path, "$other\n" x 30000);
    append($path, line(5 => 6) . "\n");
    is_deeply [ map { (split /:/)[5] } log_file($path)->search(500_000_000) ], [6], 'only back to where all is older';
};

# --- what is told -----------------------------------------------------------------------------------------------------------------

# The records of an account in files of this content; and code to append to them.
sub records_in {
    my ($accounting, $reporting) = @_;
    my $directory = tempdir(CLEANUP => 1);
    append("$directory/accounting", $accounting);
    append("$directory/reporting", $reporting);
    my $records = Jobgate::Sge::Records->new(account => 'jobgate-a', accounting => "$directory/accounting", reporting => "$directory/reporting");
    return ($records, sub { append("$directory/$_[0]", $_[1]) });
}

sub lines_of { my ($name, $case) = @_; return join '', map { "$_\n" } grep { /jg_$PREFIX$case:/ } split /\n/, sample($name) }
sub job_of   { my ($case) = @_; return { tag => "$PREFIX$case", ids => [], since => 5 } }
sub watched  { my ($number, $is) = @_; return { ids => [$number], is => $is // 'started', at => 0 } }

subtest 'what the files say of jobs that no listing shows' => sub {
    my %cause = ('01' => 'EXITED', '04' => 'CANCELLED', '05' => 'WALL_TIME', 12 => 'CANCELLED', 13 => 'CANCELLED', 14 => 'CANCELLED', 15 => 'NOT_STARTED');
    my ($records) = records_in(sample('ended.accounting.txt'), sample('ended.reporting.txt'));
    my %row = map { substr($_->{tag}, -2) => $_ } $records->rows([ map { job_of($_) } sort keys %cause ], {});
    is_deeply { map { $_ => $row{$_}{cause} } keys %row }, \%cause, 'of before we came, too';
    like $row{13}{output}, qr/deleted by jobgate-a/, 'also of one that never ran';
    is_deeply [ $records->rows([ { tag => "${PREFIX}77", ids => [], since => 5 } ], {}) ], [], 'nothing of others';
};

subtest 'an end is told by what comes, with what was there before' => sub {
    my ($deleted) = lines_of('ended.reporting.txt', '04') =~ /(.*:deleted:72:0:NONE:r:jobgate-a:.*\n)/;
    my ($records, $append) = records_in('', $deleted);
    ok !$records->has_grown, 'nothing new';
    $append->(accounting => lines_of('ended.accounting.txt', '04'));
    ok $records->has_grown, 'something new';
    my ($ended) = $records->news({ "${PREFIX}04" => watched(72) });
    is $ended->[0]{cause}, 'CANCELLED', 'deleted while nobody watched';
};

subtest 'what comes is for those that are watched, under the number that they have' => sub {
    my ($records, $append) = records_in('', '');
    $records->has_grown;
    my %told = ("${PREFIX}01" => watched(69, 'queued'), "${PREFIX}02" => watched(7), "${PREFIX}03" => watched(71, 'ended'), "${PREFIX}04" => watched(72, 'queued'),
        "${PREFIX}15" => watched(78, 'queued'));
    $append->(reporting => sample('ended.reporting.txt'));
    $append->(accounting => sample('ended.accounting.txt'));
    my ($ended, $started) = $records->news(\%told);
    is_deeply [ sort map { $_->{id} } @$ended ], [ 69, 72 ], 'not one of another number, nor one that is over, nor one that may be in error';
    is_deeply [ map { $_->{number} } @$started ], [72], 'a beginning';
    is_deeply [ $records->news(\%told) ], [ [], [] ], 'once';
};

subtest 'a job that is deleted while it runs waits for its record, and one that is put back has not ended' => sub {
    my $now = time;
    my ($pending) = split /\n/, lines_of('ended.reporting.txt', '04') =~ s/\A.*?new_job.*?\n//r;
    my $event = sub { my ($what, $state, $by) = @_; my @fields = split /:/, $pending; @fields[ 0, 2, 3, 7, 8 ] = ($now, $now, $what, $state, $by); return join(':', @fields) . "\n" };
    my ($records) = records_in('', $event->('deleted', 'r', 'root') . $event->('finished', 'r', 'master'));
    is_deeply [ $records->rows([ job_of('04') ], {}) ], [], 'the record is still to come';
    my ($put_back) = records_in(line(4 => "jg_${PREFIX}04", 5 => 72, 11 => 25) . "\n", '');
    is_deeply [ $put_back->rows([ job_of('04') ], {}) ], [], 'put back';
    my ($deleted) = records_in(line(4 => "jg_${PREFIX}04", 5 => 72, 11 => 25) . "\n", $event->('deleted', '', 'root') . $event->('finished', '', 'master'));
    is(($deleted->rows([ job_of('04') ], {}))[0]{cause}, 'CANCELLED', 'put back, then deleted');
    my ($blind) = records_in(line(4 => "jg_${PREFIX}04", 5 => 72, 11 => 100, 12 => 137) . "\n", '');
    is(($blind->rows([ job_of('04') ], { "${PREFIX}04" => { cancelled => $now } }))[0]{cause}, 'CANCELLED', 'killed after we asked for it, with no word of who did it');
};

subtest 'queues and their limits' => sub {
    my $summary = qq(<?xml version='1.0'?>\n<job_info  xmlns:xsd="x">\n) . join('', map { "<cluster_queue_summary><name>$_</name><load>0.3</load>"
        . "<used>4</used><resv>0</resv><available>28</available><total>32</total></cluster_queue_summary>\n" } qw(all.q short.q other.q)) . '</job_info>';
    my $set = sample('pool.qconf-sq.txt');
    my $short = $set =~ s/all\.q/short.q/r =~ s/^h_rt .*/h_rt  1:0:0,[node2=2:0:0], \\\n      [node3=0:30:0]/mr;
    my @queues = Jobgate::Sge::Queues::of($summary, $set . $short);
    my %all = (processors => 32, free => 28, running => 4, max_processors => 32, state => 'open');
    is_deeply \@queues, [ { name => 'all.q', %all }, { name => 'short.q', %all, max_wall_seconds => 7200 }, { name => 'other.q', %all } ], 'all of them';
    my $may = Jobgate::Sge::Queues::selected("all.q\@node1\nshort.q\@node1\n");
    is_deeply $may, { 'all.q' => 1, 'short.q' => 1 }, 'those that the account may use';
    my $attribute = sub { my %spec = @_; return (Jobgate::Sge::Queues::refusal(\%spec, \@queues, $may) // {})->{attribute} };
    is $attribute->(count => 64, max_wall_time => 9e6), undef, 'what a queue can do';
    is $attribute->(count => 65), 'count', 'more than there are';
    is $attribute->(queue => 'all.q', count => 33), 'count', 'more than the queue has';
    is $attribute->(queue => 'other.q'), 'queue', 'a queue of others';
    is $attribute->(queue => 'short.q@node1', max_wall_time => 7201), 'maxWallTime', 'longer than the queue that was asked for';
    is $attribute->(queue => 'short.q', max_time => 7200), undef, 'as long';
    is $attribute->(queue => 'unknown.q', count => 99), undef, 'a queue that is not known is for Grid Engine to refuse';
    eval { Jobgate::Sge::Queues::of(substr($summary, 0, 200), $set) };
    like $@, qr/breaks off/, 'half an answer is none';
};

subtest 'a queue that was opened to the account a moment ago' => sub {
    my $adapter = Jobgate::Adapter::Sge->new(settings => { spool => tempdir(CLEANUP => 1) });
    my $all     = { processors => 4, max_processors => 4, state => 'open' };
    my @usable  = ('all.q');
    my $answers = 1;
    no warnings 'redefine';
    local *Jobgate::Adapter::Sge::queues = sub { die "away\n" unless $answers; return [ map { { %$all, name => $_ } } 'all.q', 'new.q' ] };
    local *Jobgate::Commands::run = sub { return { exit => $answers ? 0 : 1, out => join('', map { "$_\@node1\n" } @usable), err => '' } };
    my $attribute = sub { return ($adapter->refusal({ job_type => 'SINGLE', queue => 'new.q' }) // {})->{attribute} };
    is $attribute->(), 'queue', 'it is not for the account';
    push @usable, 'new.q';
    is $attribute->(), 'queue', 'Grid Engine is asked once in two seconds at most';
    $adapter->{queues_at} -= 3;
    is $attribute->(), undef, 'it is now';
    @usable = ('all.q');
    $answers = 0;
    $adapter->{queues_at} -= 100;
    is $attribute->(), undef, 'while Grid Engine does not answer nothing is refused';
};

done_testing;
