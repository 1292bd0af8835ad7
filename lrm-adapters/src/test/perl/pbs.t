#!/usr/bin/perl
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# The PBS adapter without a PBS: what goes to qsub, and what the formats that TORQUE and OpenPBS document are read as.

use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin ();
use Test::More;
use lib "$FindBin::RealBin/../../main/perl/lib";
use Jobgate::Pbs::Accounting ();
use Jobgate::Pbs::Dialect    ();
use Jobgate::Pbs::Ends       ();
use Jobgate::Pbs::Qstat      ();
use Jobgate::Pbs::Queues     ();
use Jobgate::Pbs::Request    ();

my $TAG     = '01a1fa37-2a75-7000-8000-0123456789ab';
my %DIALECT = map { $_ => Jobgate::Pbs::Dialect->new($_, 6) } qw(torque openpbs);
my %SITE    = (submit_resources => 'software nice', submit_attributes => 'group_list');

sub words { my ($dialect, %spec) = @_; return Jobgate::Pbs::Request::words({ job_type => 'SINGLE', %spec }, $DIALECT{$dialect}, \%SITE) }
sub line  { my ($dialect, @spec) = @_; my ($words, $fault) = words($dialect, @spec); return $fault ? $fault->{fault} : join ' ', @$words }
sub extension { my ($name, $text, @more) = @_; return extensions => [ { name => $name, attributes => {}, text => $text, children => [], @more } ] }

subtest 'which PBS it is' => sub {
    is(Jobgate::Pbs::Dialect->of($_->[0]) && Jobgate::Pbs::Dialect->of($_->[0])->name, $_->[1], $_->[0] =~ s/\n.*//sr) for
        [ "pbs_version = 20.0.1\n", 'openpbs' ], [ "pbs_version = 2022.1.1.20220926110806\n", 'openpbs' ], [ "Version: 6.1.2\nCommit: 661e092552de43a785c15d39a3634a541d86898e\n", 'torque' ],
        [ "version: 2.5.7\n", 'torque' ], [ "Server: a\n    server_state = Active\n    pbs_version = 4.2.9\n", 'torque' ], [ "qstat: invalid option\n", undef ], [ '', undef ], [ 'pbs_version = 2', undef ];
};

subtest 'count, hosts and limits in the words of each' => sub {
    my %job = (job_type => 'MULTIPLE', count => 8, host_count => 2, queue => 'long', project => 'chem', max_wall_time => 3661, max_cpu_time => 10, max_memory_mib => 100, min_memory_mib => 50);
    is line('torque', %job), '-q long -A chem -l cput=00:01:20 -l mem=800mb -l nodes=2:ppn=4 -l walltime=01:01:01 -r y', 'TORQUE';
    is line('openpbs', %job), '-q long -P chem -l cput=00:01:20 -l place=scatter -l select=2:ncpus=4:mpiprocs=4:mem=400mb -l walltime=01:01:01 -r y', 'OpenPBS';
    is line('torque', count => 4, host_count => 2, max_memory_mib => 10), '-l mem=10mb -l nodes=2:ppn=2 -r y', 'a single process with room for four';
    is line('torque', host_count => 2), '-l nodes=2:ppn=1 -r y', 'and with two hosts';
    is line('torque', job_type => 'MPI', count => 5, host_count => 2), '-l nodes=2:ppn=3 -r y', 'rounded up';
    is line('openpbs', count => 2), '-l select=1:ncpus=2:mpiprocs=2 -r y', 'one host needs no placement';
    is line('torque', max_time => 60), '-l nodes=1:ppn=1 -l walltime=00:01:00 -r y', 'maxTime where there is no maxWallTime';
    is line('torque', job_type => 'MULTIPLE', count => 2, host_count => 3), 'INVALID_DESCRIPTION', 'more hosts than processes';
    is((words('torque', job_type => 'CONDOR'))[1]{fault}, 'UNSUPPORTED_FEATURE', "HTCondor's kind");
    is join(' ', Jobgate::Pbs::Request::common($TAG, $DIALECT{openpbs}, {})), "-N jg00123456789ab -v JOBGATE_TAG=$TAG -S /bin/sh -j oe -o /dev/null -m n -f", 'what every job gets';
    unlike join(' ', Jobgate::Pbs::Request::common($TAG, $DIALECT{torque}, {})), qr/-f\z/, 'but for what TORQUE does not know';
    cmp_ok length Jobgate::Pbs::Request::name($TAG), '<=', 15, "the name fits TORQUE's limit";
};

subtest 'what a client may say reaches qsub only as names and numbers' => sub {
    for my $dialect (qw(torque openpbs)) {
        for my $bad ("a\nb", 'a"', '$(x)', 'a b', 'a;b', 'a#', '', "a\\", '-q', 'a,b', "a\n", '`id`', "'", 'a' x 200) {
            is line($dialect, queue   => $bad), 'INVALID_DESCRIPTION', 'a queue that is no name';
            is line($dialect, project => $bad), 'INVALID_DESCRIPTION', 'a project that is no name';
            is line($dialect, extension('nodes', $bad)), 'INVALID_DESCRIPTION', 'nodes that are none' if $bad ne "a\n" && ($bad ne 'a' x 200 || $dialect eq 'openpbs');
            is line($dialect, extension('pbs', $bad, attributes => { name => 'software' })), 'INVALID_DESCRIPTION', 'a value that is none' unless $bad =~ /\A(?:-q|a+)\z/;
        }
        is line($dialect, extension('pbs', 'x', attributes => { name => $_ })), 'UNSUPPORTED_FEATURE', 'a resource that the site does not list'
            for 'walltime', '', "software\n-l", 'W:depend', 'W:', '-l', 'l:l:software';
        is line($dialect, extensions => [ map { { name => 'pbs', attributes => {}, text => '' } } 1 .. 100 ]), 'LIMIT_EXCEEDED', 'too many';
    }
};

subtest 'extensions' => sub {
    is line('torque', extension('nodes', " 2:ppn=4+big:ppn=2 \n")), '-l nodes=2:ppn=4+big:ppn=2 -r y', 'nodes of TORQUE';
    is line('openpbs', extension('nodes', '2:ncpus=4+1:host=big')), '-l select=2:ncpus=4+1:host=big -r y', 'and of OpenPBS';
    is line('torque', extension('pbs', 'gauss', attributes => { name => 'l:software' })), '-l nodes=1:ppn=1 -l software=gauss -r y', 'a resource that the site lists';
    is line('torque', extension('PBS', 'g1', attributes => { name => 'W:group_list' })), '-W group_list=g1 -l nodes=1:ppn=1 -r y', 'an attribute that the site lists';
    my $group = sub { my %is = @_; return { name => 'resourceAllocationGroup', attributes => {}, text => '', children => [
        map { my $name = $_; map { { name => $name, attributes => {}, text => $_, children => [] } } ref $is{$name} ? @{ $is{$name} } : $is{$name} } sort keys %is ] } };
    is line('torque', extensions => [ $group->(hostType => 'ia64', hostCount => 10, cpusPerHost => 2), $group->(hostName => [ 'a', 'b' ], cpuCount => 4) ]),
        '-l nodes=10:ia64:ppn=2+a:ppn=2+b:ppn=2 -r y', 'groups of TORQUE';
    is line('openpbs', extensions => [ $group->(hostCount => 3, processCount => 7) ]), '-l place=scatter -l select=3:ncpus=3:mpiprocs=3 -r y', 'a group of OpenPBS';
    is line('openpbs', extensions => [ $group->(hostCount => 1, processCount => 7) ]), '-l select=1:ncpus=7:mpiprocs=7 -r y', 'a group of one host';
    is line('openpbs', count => 4, job_type => 'MULTIPLE', host_count => 2, extension('nodes', '2:ncpus=2')), '-l select=2:ncpus=2 -r y', 'who writes the nodes himself says how they are placed';
    is((Jobgate::Pbs::Request::words({ count => 4, host_count => 2, extension('pbs', 'pack', attributes => { name => 'place' }) }, $DIALECT{openpbs}, { submit_resources => 'place' }))[0][1],
        'place=pack', 'a placement that the site lets clients set');
    is line('torque', extensions => [ $group->(hostName => "a\nb") ]), 'INVALID_DESCRIPTION', 'a name that is none';
    is line('torque', extension('somebodyElses', 'x')), '-l nodes=1:ppn=1 -r y', 'others are not ours';
};

subtest 'refusals and what may pass' => sub {
    my $is_refusal = sub { my ($said, $exit, $dialect) = @_; return Jobgate::Pbs::Request::is_refusal($said, $exit, $DIALECT{ $dialect // ($said =~ /submit error/ ? 'torque' : 'openpbs') }) };
    ok $is_refusal->(@$_), $_->[0] for [ 'qsub: Please name a project that has hours left (see wiki)', 32 ], [ 'qsub: Connection refused by the policy of our group', 32 ],
        [ "qsub: would exceed queue generic's per-user limit", 38 ], [ 'qsub: would exceed per-user limit on resource ncpus in queue lim', 39 ],
        [ 'qsub: Cannot be used with select or place: nodes', 6 ], [ 'qsub: "-lresource=" cannot be used with "select" or "place", resource is: mem', 5 ],
        [ 'qsub: Your job has been administratively rejected by the queueing system.', 1, 'torque' ],
        [ 'qsub: submit error (Unknown queue MSG=cannot locate queue)', 172 ], [ 'qsub: Unknown queue', 170 ],
        [ 'qsub: Job violates queue and/or server resource limits', 188 ], [ 'qsub: illegal -N value', 2 ], [ 'qsub: submit error (Access to queue is denied MSG=x)', 176 ],
        [ 'qsub: submit error (Unauthorized Request  MSG=x)', 159 ], [ 'qsub: duplicated resource within a section of a select specification, resource is: ncpus', 12 ];
    ok !$is_refusal->(@$_), $_->[0] for [ 'qsub: cannot connect to server x (errno=32) Broken pipe', 32 ], [ 'qsub: anything', 32, 'torque' ], [ 'qsub: Queue is not enabled', 173 ],
        [ 'qsub: cannot connect to server x (errno=111) Connection refused', 111 ], [ 'qsub: End of File', 1 ],
        [ 'qsub: submit error (Maximum number of jobs already in queue MSG=x)', 200 ], [ 'qsub: submit error (Queue is not enabled MSG=x)', 175 ], [ 'qsub did not end within 16 seconds', -1 ];
    ok Jobgate::Pbs::Request::is_of_job($_), "waits alone: $_" for 'qsub: Queue is not enabled', 'qsub: submit error (Maximum number of jobs already in queue MSG=x)';
    ok !Jobgate::Pbs::Request::is_of_job('qsub: cannot connect to server x (errno=111) Connection refused'), 'a server that is away is no matter of one job';
};

my $LISTING = <<"TEXT";
Job Id: 179.host.example
    Job_Name = jg0123456789abc
    Job_Owner = user\@host
    job_state = R
    queue = batchq
    server = host
    ctime = Fri Aug 29 14:55:55 2008
    Resource_List.walltime = 01:00:00
    Variable_List = PBS_O_HOME=/home/user,PBS_O_LOGNAME=user,
\tPBS_O_PATH=/usr/local/sbin:/usr/bin:/sbin:,JOBGATE_TAG=01a1fa37-2a75
\t-7000-8000-0123456789ab,PBS_O_QUEUE=batchq
    start_time = Fri Aug  9 04:05:06 2008

Job Id: 180.host.example
    Job_Name = other
    Job_Owner = other\@host
    job_state = Q
    Variable_List = PBS_O_HOME=/home/other

TEXT

subtest 'a full listing' => sub {
    my @jobs = Jobgate::Pbs::Qstat::jobs($LISTING);
    my ($ours) = grep { defined $_->{tag} } @jobs;
    is_deeply [ @$ours{qw(id tag user job_state)} ], [ '179.host.example', $TAG, 'user', 'R' ], 'folded values go on';
    is +(Jobgate::Pbs::Qstat::jobs($LISTING, 1))[0]{'resource_list.walltime'}, '01:00:00', 'all attributes';
    is Jobgate::Pbs::Qstat::ms($ours->{start_time}), 1218254706000, 'a time';
    is scalar(() = Jobgate::Pbs::Qstat::jobs($LISTING, 1)), 2, 'all jobs';
    is_deeply [ Jobgate::Pbs::Qstat::jobs('') ], [], 'nothing';
    for my $length (map { length($LISTING) * $_ / 10 } 1 .. 9) {
        is eval { Jobgate::Pbs::Qstat::jobs(substr $LISTING, 0, $length); 1 }, undef, 'cut off at ' . int $length;
    }
    is eval { Jobgate::Pbs::Qstat::jobs($_, 1); 1 }, undef, 'not a listing' for 'nonsense', "Job Id: \n    job_state = R\n\n", "Job Id: 1.a\n    Job_Name = x\n\n", "Job Id: x y\n\n", "<html>\n\n";
};

sub sample {
    my ($name) = @_;
    open my $file, '<', "$FindBin::RealBin/../resources/pbs/$name" or die "$name: $!\n";
    local $/;
    return <$file>;
}

subtest 'a value of another does not make a job of ours, and stops nobody' => sub {
    my $forged = "Job Id: 5.host\n    Job_Name = x\n    Job_Owner = other\@host\n    job_state = R\n    Variable_List = A=1\n\n    exit_status = 0,JOBGATE_TAG=$TAG\n    job_state = C\n\n";
    is $_->{tag}, undef, 'not the tag of a later line' for Jobgate::Pbs::Qstat::jobs($forged, 1);
    my $job = sub { my ($id, $tag, $more) = @_; return "Job Id: $id\n    Job_Name = x\n    Job_Owner = u\@h\n    job_state = R\n    Variable_List = JOBGATE_TAG=$tag$more\n\n" };
    my ($twice) = Jobgate::Pbs::Qstat::jobs($job->('5.host', $TAG, "\n    job_state = C"));
    is $twice->{job_state}, 'R', 'the first of two counts, in the listing';
    is scalar(() = Jobgate::Pbs::Qstat::jobs($job->('5.host', $TAG, "\n    job_state = C"), 1)), 0, 'and where ends are read, such a job is left out';
    my @lines = map { sample("injected-$_.txt") } 1 .. 3;
    my @names = ('a line that looks like the head of a job', 'half a job, with the blank line before it', 'a whole job with an id that is there already');
    for my $i (0 .. 2) {
        for my $all (0, 1) {
            my @jobs = eval { Jobgate::Pbs::Qstat::jobs($lines[$i] . $job->('9.host', $TAG, ''), $all) };
            is_deeply [ map { $_->{id} } grep { ($_->{tag} // '') eq $TAG } @jobs ], ['9.host'], "$names[$i]: ours is read" . ($all ? ', with all attributes' : '');
            is_deeply [ map { $_->{id} } grep { ($_->{tag} // '') =~ /^0badc0de/ } @jobs ], [], 'and nothing is made up' if $i < 2;
        }
    }
    my @doubled = Jobgate::Pbs::Qstat::jobs($lines[2]);
    is_deeply [ map { $_->{id} } @doubled ], [], 'an id that is there twice says nothing';
};

subtest 'complaints about ids, times and sizes' => sub {
    is_deeply Jobgate::Pbs::Qstat::gone("qstat: Unknown Job Id Error 5.h\nqstat: Unknown Job Id 6.h.x\nqstat: illegally formed job identifier: 8.other\nqstat: 7.h Job has finished, use -x or -H to obtain historical job information\n"),
        { '5.h' => 'unknown', '6.h.x' => 'unknown', '7.h' => 'finished', '8.other' => 'unknown' }, 'gone';
    is Jobgate::Pbs::Qstat::seconds($_->[0]), $_->[1], "seconds of $_->[0]" for [ '61', 61 ], [ '01:01', 61 ], [ '01:01:01', 3661 ], [ '1:00:00:00', 216000 ], [ 'x', undef ];
    is Jobgate::Pbs::Qstat::bytes($_->[0]), $_->[1], "bytes of $_->[0]" for [ '1kb', 1024 ], [ '2gb', 2147483648 ], [ '3', 3 ], [ '1kw', 8192 ], [ 'x', undef ];
    is Jobgate::Pbs::Qstat::ms($_), undef, "no time: $_" for 'Fri', 'Fri Xxx 29 14:55:55 2008', '--';
};

subtest 'what a job used, by a line of OpenPBS that was written for a real job' => sub {
    my $directory = tempdir(CLEANUP => 1);
    open my $file, '>', "$directory/20261125" or die $!;
    print {$file} '11/25/2026 02:54:16;E;556.pbs1;user=alice group=jobgate project=_pbs_project_default jobname=jg00123456789ab queue=workq ctime=1795575256 qtime=1795575256 etime=1795575256 '
        . 'start=1795575256 exec_host=pbs1/5+pbs2/0*3 exec_vnode=(pbs1:ncpus=1) Resource_List.ncpus=1 Resource_List.walltime=01:00:00 session=0 end=1795575258 Exit_status=0 '
        . "resources_used.cpupercent=0 resources_used.cput=00:01:03 resources_used.mem=12352kb resources_used.ncpus=1 resources_used.vmem=19348kb resources_used.walltime=00:00:02 run_count=1\n";
    close $file;
    my $ends = Jobgate::Pbs::Accounting->new($directory, 'alice')->ends([ { tag => $TAG, name => 'jg00123456789ab', made => 1795575256 } ], 1795575300);
    my $end = Jobgate::Pbs::Ends::of($ends->{$TAG}, undef, dialect => $DIALECT{openpbs}, began => 1);
    is_deeply { map { $_ => $end->{$_} } qw(cpu peak_memory slots hosts queue wall user_cpu) },
        { cpu => 63_000, peak_memory => 12352, slots => 4, hosts => 'pbs1,pbs2', queue => 'workq', wall => 2000, user_cpu => undef }, 'CPU, memory, slots, hosts, queue and wall time';
    my $odd = Jobgate::Pbs::Ends::of({ %{ $ends->{$TAG} }, exec_host => 'a b/0+;rm/1', queue => '$(x)', 'resources_used.cput' => 'much', 'resources_used.mem' => '-1kb' }, undef,
        dialect => $DIALECT{openpbs}, began => 1);
    ok !grep({ defined $odd->{$_} } qw(cpu peak_memory slots hosts queue)), 'what is no number or name is not told';
};

sub cause { my ($dialect, $job, $own, %given) = @_; return Jobgate::Pbs::Ends::of({ id => '1.h', %$job }, $own, dialect => $DIALECT{$dialect}, began => 1, %given) }

subtest 'how a job ended' => sub {
    my @TORQUE = qw(NOT_STARTED NOT_STARTED NODE_FAILED NODE_FAILED NODE_FAILED NODE_FAILED NODE_FAILED NOT_STARTED NOT_STARTED MEMORY WALL_TIME SIGNALLED);
    is cause('torque', { exit_status => -$_ })->{cause}, $TORQUE[ $_ - 1 ], "TORQUE -$_" for 1 .. 12;
    is cause('openpbs', { exit_status => $_->[0] })->{cause}, $_->[1], "OpenPBS $_->[0]" for [ -29, 'WALL_TIME' ], [ -27, 'MEMORY' ], [ -26, 'MEMORY' ], [ -20, 'NODE_FAILED' ], [ -14, 'NODE_FAILED' ],
        [ -10, 'NOT_STARTED' ], [ -13, 'NOT_STARTED' ], [ -19, 'CANCELLED' ], [ -28, 'SIGNALLED' ], [ -1, 'NOT_STARTED' ], [ -99, 'LOST' ];
    is cause('openpbs', { exit_status => -10 })->{fault}, 'LRM_REFUSED', 'the fault is the site\'s';
    for my $dialect (qw(torque openpbs)) {
        is_deeply [ @{ cause($dialect, { exit_status => 3 }) }{qw(cause exit)} ], [ 'EXITED', 3 ], 'exit code';
        is cause($dialect, { exit_status => 271 })->{cause}, 'CANCELLED', 'qdel of somebody';
        is cause($dialect, { exit_status => 265 })->{cause}, 'CANCELLED', 'killed from without';
        is_deeply [ @{ cause($dialect, { exit_status => 262 }) }{qw(cause signal)} ], [ 'SIGNALLED', 6 ], 'another signal';
        is cause($dialect, { exit_status => 143 }, undef, cancelled => 1)->{cause}, 'CANCELLED', 'we asked for it';
        is cause($dialect, { exit_status => 0 }, undef, cancelled => 1)->{cause}, 'EXITED', 'it was quicker than our cancel';
        is cause($dialect, { exit_status => 271, 'resource_list.walltime' => '00:01:00', 'resources_used.walltime' => '00:01:02' })->{cause}, 'WALL_TIME', 'old versions: over the wall time';
        is cause($dialect, { exit_status => 271, 'resource_list.mem' => '1mb', 'resources_used.mem' => '2000kb' })->{cause}, 'MEMORY', 'old versions: over the memory';
        is cause($dialect, { exit_status => 134 }, { cause => 'SIGNALLED', signal => 6, started => 1, ended => 2 })->{signal}, 6, "what the shell makes of a signal";
        is cause($dialect, { exit_status => 134 }, undef)->{exit}, 134, 'and without a record';
        is cause($dialect, { exit_status => 127 }, { cause => 'NOT_STARTED', exit => 127, why => [ 'missing', '/x', 'no' ] })->{fault}, 'EXECUTABLE_NOT_FOUND', 'the launcher said why';
        my $login = cause($dialect, { exit_status => 1 }, undef, began => 0);
        is $login->{cause}, 'NOT_STARTED', 'the launcher never began';
        like $login->{sentence}, qr/login file/, 'and who may be at fault';
        is cause($dialect, {})->{cause}, 'CANCELLED', 'over without having run';
        is cause($dialect, { start_time => 'x' })->{cause}, 'LOST', 'it ran, and nobody knows how it ended';
    }
    is cause('openpbs', { exit_status => -20, substate => 91, run_count => 1 })->{cause}, 'CANCELLED', 'deleted after it was queued again: the status is that of the run before';
    is cause('openpbs', { exit_status => -20, substate => 93 }, undef, cancelled => 1)->{cause}, 'CANCELLED', 'the same, by us';
    my %cpu = ('resource_list.cput' => '00:01:00', 'resources_used.cput' => '00:00:00');
    for my $exit (137, 265, 152, 280, -28) {
        my $end = cause('openpbs', { exit_status => $exit, %cpu, 'resources_used.cput' => '00:00:58' });
        is_deeply [ @$end{qw(cause signal fault attribute)} ], [ 'SIGNALLED', 24, 'LIMIT_EXCEEDED', 'maxCpuTime' ], "the CPU time is used up: $exit";
    }
    my $own = { cause => 'SIGNALLED', signal => 9, started => 1, ended => 2, user_cpu => 59_500, system_cpu => 700 };
    is cause('openpbs', { exit_status => 265, %cpu }, $own)->{signal}, 24, 'what the launcher measured, where PBS did not look';
    is cause('openpbs', { exit_status => 137, %cpu }, { %$own, user_cpu => 1 })->{signal}, 9, 'killed for another reason';
    is cause('openpbs', { exit_status => 0, substate => 91 })->{cause}, 'CANCELLED', 'qdel of a job that ended well when asked';
    is cause('torque', { exit_status => 0, 'resources_used.walltime' => '00:00:07' })->{wall}, 7000, 'how long';
    is cause('torque', { exit_status => 0, 'resources_used.walltime' => '00:00:07' }, { cause => 'EXITED', exit => 0, started => 5, ended => $_->[0] })->{wall}, $_->[1], "by the job's own word: $_->[0]"
        for [ 6505, 6500 ], [ 6, 7000 ], [ 3_600_005, 7000 ], [ 0, 7000 ];
};

subtest 'queues and nodes' => sub {
    my $queues = <<'TEXT';
Queue: batch
    queue_type = Execution
    total_jobs = 3
    state_count = Transit:0 Queued:1 Held:1 Waiting:0 Running:1 Exiting:0 Complete:0
    resources_max.walltime = 24:00:00
    resources_max.procct = 16
    enabled = True
    started = True

Queue: closed
    queue_type = Execution
    enabled = False
    started = True

TEXT
    my $torque = "node1\n     state = free\n     np = 8\n     ntype = cluster\n     jobs = 0-2/12.h, 5/13.h\n     status = rectime=1,physmem=4000000kb,x=y\n\nnode2\n     state = down,offline\n     np = 8\n     ntype = cluster\n\n";
    my $openpbs = "node1\n     Mom = node1.x\n     ntype = PBS\n     state = free\n     pcpus = 4\n     jobs = 12.h/0, 12.h/1\n     resources_available.ncpus = 8\n     resources_assigned.ncpus = 2\n\n";
    my $of = sub { Jobgate::Pbs::Queues::of(Jobgate::Pbs::Queues::read_queues($queues), $_[0] && Jobgate::Pbs::Queues::read_nodes($_[0]), 'batch') };
    my %batch = (name => 'batch', state => 'open', running => 1, waiting => 2, max_wall_seconds => 86400, max_processors => 16, default => 1);
    is_deeply $of->($torque)->[0], { %batch, processors => 16, free => 4, memory_mib => 3906 }, 'TORQUE';
    is_deeply [ @{ $of->($torque)->[1] }{qw(name state free default)} ], [ 'closed', 'closed', 0, 0 ], 'a queue that is closed is one, for jobs may wait for it';
    is_deeply $of->($openpbs)->[0], { %batch, processors => 8, free => 6 }, 'OpenPBS';
    is_deeply $of->(undef)->[0], \%batch, 'nodes that nobody may see';
    is eval { Jobgate::Pbs::Queues::read_queues($_); 1 }, undef, 'no queues' for '', 'nonsense', substr $queues, 0, 100;
    is eval { Jobgate::Pbs::Queues::read_nodes($_); 1 }, undef, 'no nodes' for '', "nonsense\n", "a\nb\n";
};

subtest 'the accounting: the right job of an id that is used again' => sub {
    my $directory = tempdir(CLEANUP => 1);
    my $made = Jobgate::Pbs::Accounting::DAY() * 20000;
    my $name = Jobgate::Pbs::Request::name($TAG);
    my $record = sub { my ($job, $ctime, $exit) = @_; "11/20/2026 10:00:00;E;7.h;user=u group=g jobname=$job queue=q ctime=$ctime qtime=$ctime etime=$ctime start=$ctime owner=u\@h exec_host=n/0 session=1 end="
        . ($ctime + 5) . " Exit_status=$exit resources_used.cput=00:00:00 resources_used.walltime=00:00:05\n" };
    my $day = sub { my ($text, $time) = @_; my (undef, undef, undef, $d, $m, $y) = gmtime $time; open my $file, '>>', sprintf('%s/%04d%02d%02d', $directory, $y + 1900, $m + 1, $d) or die $!; print {$file} $text; close $file };
    my $accounting = Jobgate::Pbs::Accounting->new($directory, 'u');
    my $ends = sub { $accounting->ends([ { tag => $TAG, name => $name, made => $made } ], $made + 100) };
    $day->($record->($name, $made - 10 * 86400, 9), $made - 3600);
    $day->($record->('jg0000000000000', $made + 1, 8), $made);
    $day->($record->($name, $made + 1, 4) =~ s/user=u/user=v/r, $made);
    is_deeply $ends->(), {}, 'an older record of the id, one of another name, one of another user';
    $day->("11/20/2026 10:00:00;D;7.h;requestor=older\@h\n11/20/2026 10:00:00;Q;7.h;queue=q\n", $made);
    $day->("11/20/2026 10:00:00;D;7.h;requestor=root\@h\n" . $record->($name, $made + 2, 271), $made);
    is_deeply [ @{ $ends->()->{$TAG} }{qw(id exit_status deleted_by resources_used.walltime)} ], [ '7.h', 271, 'root@h', '00:00:05' ], 'its own record, and who deleted it';
    my $other = '01a1fa37-2a75-7000-8000-aaaaaaaaaaaa';
    my $ends_of_other = sub { $accounting->ends([ { tag => $other, name => Jobgate::Pbs::Request::name($other), made => $made } ], $made + 100) };
    my $line = $record->(Jobgate::Pbs::Request::name($other), $made + 2, 5);
    $day->(substr($line, 0, -20), $made);
    is_deeply $ends_of_other->(), {}, 'half a line is none';
    $day->(substr($line, -20), $made);
    is $ends_of_other->()->{$other}{exit_status}, 5, 'and is read when it is whole';
};

done_testing;
