#!/usr/bin/perl
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# The Slurm adapter without Slurm: what is asked of it, and what a real one said.

use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin ();
use Test::More;
use lib "$FindBin::RealBin/../../main/perl/lib";
use Jobgate::Adapter::Slurm    ();
use Jobgate::Slurm::Options    ();
use Jobgate::Slurm::Partitions ();
use Jobgate::Slurm::States     ();

my $TAG = '01a1fa37-2a75-7000-8000-00000000000';
my $ACCOUNT = getpwuid $>;
my $SAMPLES = "$FindBin::RealBin/../../../../docker/lab/samples/slurm";

sub sample { my ($name) = @_; open my $file, '<', "$SAMPLES/$name" or die "$name: $!"; local $/; return scalar <$file> }
sub options { my %spec = @_; return Jobgate::Slurm::Options::of({ job_type => 'MULTIPLE', count => 1, %spec }, { submit_options => 'qos nice wrap' }) }
sub adapter { return Jobgate::Adapter::Slurm->new(settings => { spool => tempdir(CLEANUP => 1), @_ }) }
sub child { my ($name, $text) = @_; return { name => $name, attributes => {}, text => $text, children => [] } }
sub done { my %with = @_; return { name => 'squeue', exit => 0, out => '', err => '', %with } }

subtest 'every state of Slurm 22.05 is known, by both names; any other changes nothing' => sub {
    my %is = (queued => 'PENDING PD CONFIGURING CF REQUEUED RQ REQUEUE_FED RF', started => 'RUNNING R RESIZING RS SIGNALING SI STAGE_OUT SO',
        suspended => 'SUSPENDED S STOPPED ST REQUEUE_HOLD RH RESV_DEL_HOLD RD SPECIAL_EXIT SE', unknown => 'COMPLETING CG REVOKED RV NONSENSE RUNN X',
        ended => 'COMPLETED CD FAILED F CANCELLED CA TIMEOUT TO DEADLINE DL OUT_OF_MEMORY OOM PREEMPTED PR NODE_FAIL NF BOOT_FAIL BF');
    for my $is (sort keys %is) { is((Jobgate::Slurm::States::of($_))[0], $is, $_) for split ' ', $is{$is} }
    is scalar(my @names = Jobgate::Slurm::States::names()), 2 * 24, 'none was forgotten here';
    is((Jobgate::Slurm::States::of($_))[0], 'unknown', "'" . ($_ // 'undef') . "'") for undef, '', 'completed', "COMPLETED\0", 'COMPLETEDX';
};

subtest 'each way to end has its own cause' => sub {
    my %cause = (COMPLETED => 'EXITED', FAILED => 'EXITED', CANCELLED => 'CANCELLED', 'CANCELLED by 0' => 'CANCELLED', TIMEOUT => 'WALL_TIME',
        OUT_OF_MEMORY => 'MEMORY', PREEMPTED => 'PREEMPTED', NODE_FAIL => 'NODE_FAILED');
    for my $state (sort keys %cause) { is { Jobgate::Slurm::States::end($state, 0, 0, 'None', 'squeue') }->{cause}, $cause{$state}, $state }
    my %signalled = Jobgate::Slurm::States::end('FAILED', 0, 11, 'JobLaunchFailure', 'squeue');
    is_deeply [ @signalled{qw(cause signal)} ], [ 'SIGNALLED', 11 ], 'a signal, although its reason is JobLaunchFailure';
    my %launch = Jobgate::Slurm::States::end('FAILED', 0, 53, 'JobLaunchFailure', 'squeue');
    is_deeply [ @launch{qw(cause fault)} ], [ 'NOT_STARTED', 'EXECUTION_FAILED' ], 'could not be started';
    my %deadline = Jobgate::Slurm::States::end('DEADLINE', 0, 0, 'None', 'squeue');
    like $deadline{sentence}, qr/deadline/, 'the deadline is named';
    my %boot = Jobgate::Slurm::States::end('BOOT_FAIL', 0, 0, 'None', 'squeue');
    is $boot{cause}, 'NODE_FAILED', 'boot failure';
    like $boot{sentence}, qr/boot/, 'it is named';
};

subtest 'what a client says is a value of an option, never an option' => sub {
    my ($options) = options(queue => 'long', project => 'a.b', max_wall_time => 61, max_memory_mib => 100, min_memory_mib => 200, count => 3, host_count => 2,
        extensions => [ { name => 'sbatch', attributes => { name => 'qos' }, text => "; \$(id) '\"#", children => [] } ]);
    is_deeply $options, [ '--account=a.b', '--mem=200M', '--nodes=2', '--ntasks=3', '--partition=long', "--qos=; \$(id) '\"#", '--time=2' ], 'all of it';
    for my $bad ("a\nb", 'a"', '$(x)', 'a b', 'a;b', 'a#', '', '-x', 'a,b') {
        is((options(queue   => $bad))[1]{fault}, 'INVALID_DESCRIPTION', "queue '$bad'");
        is((options(project => $bad))[1]{fault}, 'INVALID_DESCRIPTION', "project '$bad'");
    }
    for my $name ('wrap', 'uid', 'QOS', 'qos=x', '', '-q', "qos\n") {
        is((options(extensions => [ { name => 'sbatch', attributes => { name => $name }, text => 'x', children => [] } ]))[1]{fault}, 'UNSUPPORTED_FEATURE', "option '$name'");
    }
    is((options(extensions => [ { name => 'sbatch', attributes => { name => 'qos' }, text => "a\nb", children => [] } ]))[1]{fault}, 'INVALID_DESCRIPTION', 'a value of two lines');
    is((options(job_type => 'CONDOR'))[1]{fault}, 'UNSUPPORTED_FEATURE', 'job type condor');
};

subtest 'nodes and resource groups' => sub {
    my $nodes = sub { return options(count => 4, extensions => [ child(nodes => $_[0]) ]) };
    is_deeply(($nodes->('2:ppn=2:fast:big'))[0], [ '--constraint=fast&big', '--nodes=2', '--ntasks=4', '--ntasks-per-node=2' ], 'a number with features');
    is_deeply(($nodes->('n1+n2'))[0], [ '--nodelist=n1,n2', '--nodes=2', '--ntasks=4' ], 'names');
    is(($nodes->($_))[1]{fault}, 'INVALID_DESCRIPTION', "nodes '$_'") for '', '2+n1', '2:ppn=0', 'n1+', 'a b', '2:$(id)', '0';
    my $group = sub { my @has = @_; my @children; while (my ($name, $text) = splice @has, 0, 2) { push @children, child($name, $text) }
        return options(count => 4, extensions => [ { %{ child('resourceAllocationGroup', '') }, children => \@children } ]) };
    is_deeply(($group->(hostType => 'fast', hostCount => 2, cpusPerHost => 8, processesPerHost => 2))[0],
        [ '--constraint=fast', '--mincpus=8', '--nodes=2', '--ntasks=4', '--ntasks-per-node=2' ], 'counts');
    is_deeply(($group->(hostName => 'n1', hostName => 'n2', cpuCount => 10))[0], [ '--cpus-per-task=3', '--nodelist=n1,n2', '--nodes=2', '--ntasks=4' ], 'names');
    is(($group->(@$_))[1]{fault}, 'INVALID_DESCRIPTION', "group @$_") for [ hostCount => 'x' ], [ hostType => 'a b' ], [ color => 'red' ], [ cpuCount => '-1' ];
    is((options(extensions => [ child('resourceAllocationGroup', ''), child('resourceAllocationGroup', '') ]))[1]{fault}, 'UNSUPPORTED_FEATURE', 'two groups');
};

subtest 'partitions of a real Slurm' => sub {
    my $partitions = Jobgate::Slurm::Partitions::parse(sample('pool.scontrol-partition.txt'));
    is_deeply $partitions->{short}, { name => 'short', state => 'UP', default => 0, processors => 32, nodes => 1, max_wall_seconds => 300 }, 'short';
    is $partitions->{main}{default}, 1, 'the default';
    my $refusal = sub { my $fault = Jobgate::Slurm::Partitions::refusal($partitions, {@_}); return $fault ? "$fault->{fault} $fault->{attribute}" : '' };
    is $refusal->(count => 32), '', 'fits';
    is $refusal->(queue => 'short', max_time => 300), '', 'just fits';
    is $refusal->(queue => 'short', max_time => 301), 'LIMIT_EXCEEDED maxTime', 'too long';
    is $refusal->(count => 33), 'LIMIT_EXCEEDED count', 'too many';
    is $refusal->(host_count => 2), 'LIMIT_EXCEEDED hostCount', 'too many hosts';
    is $refusal->(queue => 'nowhere'), 'INVALID_DESCRIPTION queue', 'no such partition';
    is Jobgate::Slurm::Partitions::seconds($_->[0]), $_->[1], $_->[0] for [ '1-02:03:04', 93784 ], [ '00:05:00', 300 ], [ '5:00', 300 ], [ 'UNLIMITED', undef ], [ '', undef ];
    is eval { Jobgate::Slurm::Partitions::parse('nonsense'); 1 }, undef, 'no answer';
};

subtest 'a partition that was made a moment ago' => sub {
    my $adapter = adapter();
    my @names   = ('main');
    no warnings 'redefine';
    local *Jobgate::Adapter::Slurm::_read_partitions = sub { die "away\n" unless @names; return { map { $_ => { name => $_, default => $_ eq 'main' } } @names } };
    my $refused = sub { return $adapter->refusal({ job_type => 'SINGLE', queue => 'new' }) ? 1 : 0 };
    is $refused->(), 1, 'it is not there';
    push @names, 'new';
    $adapter->{partitions_at} -= 3;
    is $refused->(), 0, 'it is there now';
    @names = ();
    $adapter->{partitions_at} -= 100;
    is $refused->(), 0, 'while Slurm does not answer nothing is refused';
};

subtest 'what sbatch says' => sub {
    my $adapter = adapter();
    my $answer = sub { my ($exit, $out, $err) = @_; return $adapter->submit_answer({ name => 'sbatch', exit => $exit, out => $out, err => $err }, {}) };
    is_deeply $answer->(0, "12\n", ''), { ids => ['12'] }, 'an id';
    is_deeply $answer->(0, "12;cluster\n", "sbatch: a word of the site's\n"), { ids => ['12'] }, 'an id of a cluster, and a word of a plugin';
    for my $lost ([ 0, '', '' ], [ 0, '1', '' ], [ 0, "x\n", '' ], [ -1, '', 'sbatch did not end within 16 seconds' ], [ 127, '', 'cannot run sbatch' ],
        [ 1, '', sample('refused.sbatch-controller-away.txt') ], [ 1, '', "sbatch: error: Batch job submission failed: Socket timed out on send/recv operation\n" ],
        [ 1, '', "sbatch: error: AssocMaxSubmitJobLimit\nsbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)\n" ],
        [ 1, '', "sbatch: error: Slurm temporarily unable to accept job, sleeping and retrying\n" ]) {
        ok $answer->(@$lost)->{unclear}, "unclear: $lost->[2]";
    }
    for my $no (sample('refused.sbatch-bad-partition.txt'), sample('refused.sbatch-bad-option.txt'),
        "sbatch: error: Batch job submission failed: Invalid account or account/partition combination specified\n",
        "sbatch: error: Batch job submission failed: Requested node configuration is not available\n",
        "sbatch: error: QOSMaxWallDurationPerJobLimit\nsbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)\n") {
        is $answer->(1, '', $no)->{refused}{fault}, 'LRM_REFUSED', "refused: $no";
    }
};

sub listed {
    my %has = (id => 7, user => $ACCOUNT, state => 'RUNNING', status => 0, reason => 'None', submitted => '2026-11-20T18:17:35', began => '2026-11-20T18:17:36',
        ended => 'NONE', name => "jg-${TAG}1", comment => "jobgate:${TAG}1", end => "|end\n", @_);
    return join('|', @has{qw(id user state status reason submitted began ended name comment)}) . $has{end};
}

subtest 'rows of squeue' => sub {
    my $adapter = adapter();
    my $rows = sub { return $adapter->parse_listing(done(out => join '', @_)) };
    is_deeply $rows->(listed())->[0], { tag => "${TAG}1", id => 7, is => 'started', queued => 1795198655000, began => 1795198656000, at => 1795198656000 }, 'running';
    is $rows->(listed(state => 'PENDING', reason => 'Dependency'))->[0]{note}, 'Slurm: Dependency', 'why it waits';
    is $rows->(listed(state => 'PENDING', reason => 'Priority'))->[0]{note}, undef, 'that others go first is no news';
    is $rows->(listed(state => 'PENDING', reason => 'JobHeldAdmin'))->[0]{is}, 'suspended', 'held';
    my ($failed) = @{ $rows->(listed(state => 'FAILED', status => 768, reason => 'NonZeroExitCode', ended => '2026-11-20T18:17:39')) };
    is_deeply [ @$failed{qw(is cause exit wall at)} ], [ 'ended', 'EXITED', 3, 3000, 1795198659000 ], 'exit code 3';
    is $rows->(listed(state => 'FAILED', status => 4021, reason => 'JobLaunchFailure', ended => '2026-11-20T18:17:36'))->[0]{cause}, 'NOT_STARTED', 'not started';
    is $rows->(listed(name => 'renamed|by|somebody'))->[0]{tag}, "${TAG}1", 'found by the comment';
    is $rows->(listed(comment => '(null)'))->[0]{tag}, "${TAG}1", 'found by the name';
    is $rows->(listed(state => 'WHATEVER'))->[0]{is}, 'unknown', 'a new state';
    is_deeply $rows->(listed(user => 'somebody')), [], "another's row";
    is_deeply $rows->(listed(name => 'mine', comment => '(null)')), [], 'not of ours';
    is_deeply $rows->(listed(), listed(id => 8, end => '')), $rows->(listed()), 'half a row is none';
    is_deeply $rows->(), [], 'none';
    is eval { $rows->($_); 1 }, undef, 'garbage' for "nonsense\n", "\0\xff\n7|x\n", listed(end => '');
    my $ours = $rows->(listed());
    for my $evil ("x\ny", "x|(null)|end\n8|$ACCOUNT|RUNNING|0", "x\n8|$ACCOUNT|RUNNING|0|None|a|b|c|x", "\n\n", 'x|y') {
        my $name = $evil =~ s/\n/\\n/gr;
        is_deeply $rows->(listed(id => 9, name => $evil, comment => '(null)')), [], "a foreign name alone stops nothing: $name";
        is_deeply $rows->(listed(id => 9, name => $evil, comment => '(null)'), listed(), listed(id => 10, comment => $evil, name => 'x')), $ours, 'nor beside ours';
    }
    is_deeply $rows->(listed(), listed(id => 9, comment => "(null)|end\n" . listed(state => 'COMPLETED', end => ''), name => 'x')), [], 'of an id that is there twice nothing is believed';
    my $cancelled = $rows->(listed(state => 'CANCELLED', began => '2026-11-20T18:17:36', ended => '2026-11-20T18:17:36'))->[0];
    is $cancelled->{began}, undef, 'cancelled before it ran';
    ok $cancelled->{ask}, 'the records are asked who did it';
};

subtest 'what slurmstepd says of the memory' => sub {
    my $adapter = adapter();
    my ($row) = @{ $adapter->parse_listing(done(out => listed(state => 'FAILED', status => 9, reason => 'JobLaunchFailure', ended => '2026-11-20T18:17:39'))) };
    is $adapter->event_of($row)->{cause}, 'SIGNALLED', 'nothing was said';
    my $path = $adapter->job_file("${TAG}1")->out_path;
    for my $line ('slurmstepd-node1: error: StepId=18.batch exceeded memory limit (414535680 > 67108864), being killed', 'slurmstepd: error: Exceeded job memory limit',
        'slurmstepd: error: Detected 1 oom_kill event in StepId=3.batch. Some of the step tasks have been OOM Killed.') {
        open my $file, '>', $path or die $!;
        print {$file} "something else\n$line\nmore\n";
        close $file;
        my $event = $adapter->event_of($row);
        is_deeply [ @$event{qw(cause output)} ], [ 'MEMORY', $line ], $line;
    }
};

subtest 'records of sacct' => sub {
    my $adapter = adapter();
    my @commands = $adapter->record_commands([ { tag => "${TAG}1", ids => ['7'], since => 1795198655 }, { tag => "${TAG}2", ids => [], since => 1795190000 } ]);
    like join(' ', @{ $commands[0] }), qr/--starttime=2026-11-20T18:17:35 .*--jobs=7 /, 'by id, from its own time on';
    like join(' ', @{ $commands[1] }), qr/--name=jg-${TAG}2 /, 'by name';
    my $records = sub { return $adapter->parse_records(done(name => 'sacct', out => join '', @_), []) };
    my $line = "7|$ACCOUNT|%s|2026-11-20T18:17:35|2026-11-20T18:17:36|2026-11-20T18:18:36|jg-${TAG}1|7\n";
    my ($by_root) = @{ $records->(sprintf $line, 'CANCELLED by 0|0:0') };
    is_deeply [ @$by_root{qw(tag id cause output)} ], [ "${TAG}1", 7, 'CANCELLED', 'state CANCELLED by root, exit code 0:0' ], 'who cancelled it';
    is $records->(sprintf $line, 'OUT_OF_MEMORY|0:125')->[0]{cause}, 'MEMORY', 'memory';
    is $records->(sprintf $line, 'FAILED|3:0')->[0]{exit}, 3, 'exit code';
    my ($living) = @{ $records->("7|$ACCOUNT|RUNNING|0:0|2026-11-20T18:17:35|2026-11-20T18:17:36|Unknown|jg-${TAG}1|7\n") };
    is_deeply [ @$living{qw(is may_be_old)} ], [ 'started', 1 ], 'the accounting may be behind';
    is_deeply $records->("7|root|COMPLETED|0:0|x|y|z|allocation|7\n"), [], 'the accounting has not learnt of it yet';
    is_deeply $records->("7|$ACCOUNT|COMPLETED|0:0|x|y|z|jg-${TAG}1\n"), [], 'half a record';
    is_deeply $records->("7|somebody|COMPLETED|0:0|x|y|z|jg-${TAG}1|7\n"), [], "another's record";
    is scalar @{ $records->("5|$ACCOUNT|COMPLETED|0:0|x|y|z|evil\n", "name|with|signs|5\n", sprintf($line, 'FAILED|3:0'), "\n", "||||||||||||\n") }, 1, 'lines that a name has made are left out alone';
    is_deeply $adapter->parse_records(done(exit => 1, err => "Slurm accounting storage is disabled\n"), []), [], 'a site without accounting';
    is eval { $adapter->parse_records(done(exit => 1, err => "sacct: error: away\n"), []); 1 }, undef, 'no answer';
};

subtest 'what sacct says that jobs used' => sub {
    my @rows = (
        "4577|alice|COMPLETED|00:02.750|00:02.500|00:00.250||3|n[08-10],m1|main|12|jg-${TAG}1|4577",
        '4577.batch||COMPLETED|00:02.500|00:02.300|00:00.200|30720K|1|n08||12|batch|4577.batch',
        '4577.0||COMPLETED|00:00.250|00:00.200|00:00.050|1.5M|3|n[08-10]||5|perl|4577.0',
        "4578|bob|COMPLETED|1-02:03:04|00:00:00|00:00:00||1|n1|main|12|jg-${TAG}2|4578", "4579|alice|RUNNING|00:00:00|00:00:00|00:00:00||1|n1|main|12|jg-${TAG}3|4579",
        "4580|alice|FAILED|much|00:00|00:00.1||none|None assigned|a b|-1|jg-${TAG}4|4580", '4581|alice|COMPLETED|00:01', "4582|alice|COMPLETED|00:01|00:01|00:00||1|n1|main|1|x|458",
    );
    my %used = Jobgate::Slurm::Use::of(join("\n", @rows) . "\n", 'alice');
    is_deeply $used{4577}, { name => "jg-${TAG}1", cpu => 2750, user_cpu => 2500, system_cpu => 250, wall => 12_000, slots => 3, queue => 'main', hosts => 'n08,n09,n10,m1', peak_memory => 30720 },
        'of all steps; the memory of the largest';
    is_deeply [ sort keys %used ], [ 4577, 4580 ], 'not those of others, that run, or whose row is not whole';
    is_deeply $used{4580}, { name => "jg-${TAG}4", user_cpu => 0, system_cpu => 100 }, 'what is no number or name is not told'
        or diag explain $used{4580};
};

# A sbatch that keeps what it was given, and says what the test wants.
sub standin {
    my ($directory) = @_;
    open my $file, '>', "$directory/sbatch" or die $!;
    print {$file} <<"END";
#!/bin/sh
number=\$(ls $directory | grep -c '^words')
printf '%s\\n' "\$@" > $directory/words.\$number
cat > $directory/script.\$number
[ -e $directory/full ] && case "\$*" in *--array=*) cat $directory/full >&2; exit 1;; esac
[ -e $directory/lost ] && exit 0
echo \$((100 + number))
END
    close $file or die $!;
    chmod 0755, "$directory/sbatch" or die $!;
    return;
}

sub slurp { my ($path) = @_; open my $file, '<', $path or die "$path: $!"; local $/; return scalar <$file> }

sub jobs_of {
    my ($adapter, @kinds) = @_;
    return [ map { my $tag = $TAG . ($_ + 1); { tag => $tag, spec => { job_type => 'MULTIPLE', count => 1, queue => $kinds[$_] }, file => $adapter->job_file($tag), count => 1 } } 0 .. $#kinds ];
}

sub array_rows {
    my ($array, @states) = @_;
    return join '', map { listed(id => "101_$_", name => "jga-$array", comment => "jobgate-array:$array", state => $states[$_]) } 0 .. $#states;
}

subtest 'jobs that are alike go as one array, each with an id of its own' => sub {
    my $bin = tempdir(CLEANUP => 1);
    standin($bin);
    my $adapter = adapter(slurm_bin => $bin, submit_at_once => 1, array_size => 100);
    my $jobs = jobs_of($adapter, qw(main main short main));
    $_->{file}->write('') for @$jobs;
    my %answers = $adapter->submit_some($jobs);
    my ($words, $script) = map { slurp("$bin/$_") } qw(words.0 script.0);
    is_deeply \%answers, { "${TAG}1" => { ids => ['100_0'] }, "${TAG}2" => { ids => ['100_1'] }, "${TAG}3" => { ids => ['101'] }, "${TAG}4" => { ids => ['100_2'] } }, 'ids'
        or diag explain \%answers;
    like $words, qr/^--array=0-2$/m, 'three elements';
    my ($array) = $words =~ /^--job-name=jga-(.*)$/m;
    like $script, qr/^1\) exec \S+ \S+jobgate-job \S+ ${TAG}2 all ;;$/m, 'what an element is';
    unlike slurp("$bin/words.1"), qr/array/, 'one alone is no array';

    my @rows = @{ $adapter->parse_listing(done(out => array_rows($array, qw(RUNNING PENDING RUNNING)))) };
    is_deeply { map { $_->{tag} => "$_->{id} $_->{is}" } @rows }, { "${TAG}1" => '101_0 started', "${TAG}2" => '101_1 queued', "${TAG}4" => '101_2 started' }, 'each is seen as itself';
    is_deeply $adapter->parse_listing(done(out => array_rows('00000000-0000-4000-8000-000000000000', 'RUNNING'))), [], 'an array that is not known is none of ours';
    is_deeply $adapter->parse_listing(done(out => listed(id => '101_7', name => "jga-$array", comment => '(null)'))), [], 'nor is an element that it does not have';

    my $again = adapter(slurm_bin => $bin, submit_at_once => 1, array_size => 100, spool => $adapter->spool);
    my ($by_id, $by_name) = $again->record_commands([ { tag => "${TAG}1", ids => ['100_0'], since => 5 }, { tag => "${TAG}4", ids => [], since => 5 } ]);
    ok((grep { $_ eq '--jobs=100_0' } @$by_id), 'asked for by its id');
    ok((grep { $_ eq "--name=jg-${TAG}4,jga-$array" } @$by_name), 'without an id by the name of its array too') or diag explain $by_name;
    my $records = $again->parse_records(done(out => "100_[1-2%5]|$ACCOUNT|PENDING|0:0|2026-11-20T18:17:35|Unknown|Unknown|jga-$array|100_[1-2%5]\n"
        . "100_0|$ACCOUNT|FAILED|3:0|2026-11-20T18:17:35|2026-11-20T18:17:36|2026-11-20T18:17:39|jga-$array|100_0\n"), []);
    is_deeply { map { $_->{tag} => "$_->{id} $_->{is} " . ($_->{exit} // '') } @$records }, { "${TAG}1" => '100_0 ended 3', "${TAG}2" => '100_1 queued ', "${TAG}4" => '100_2 queued ' }, 'records of elements'
        or diag explain $records;

    open my $out, '>>', $adapter->spool . "/arrays/${array}_2.out" or die $!;
    print {$out} "slurmstepd: error: Exceeded job memory limit\n" and close $out or die $!;
    like $adapter->job_file("${TAG}4")->printed, qr/memory/, 'what Slurm prints of an element is found with its job';

    $adapter->forget([ { tag => "${TAG}1" }, { tag => "${TAG}4" } ]);
    is scalar(() = glob $adapter->spool . "/arrays/$array*"), 4, 'kept while one of its jobs is there';
    $adapter->forget([ { tag => "${TAG}2" } ]);
    is scalar(() = glob $adapter->spool . "/arrays/$array*"), 0, 'and not longer';
};

subtest 'an array that Slurm does not take' => sub {
    my $bin = tempdir(CLEANUP => 1);
    standin($bin);
    my $adapter = adapter(slurm_bin => $bin, submit_at_once => 1, array_size => 100);
    my $jobs = jobs_of($adapter, qw(main main));
    for my $said ("sbatch: error: Batch job submission failed: Invalid job array specification\n", "sbatch: error: AssocMaxSubmitJobLimit\nsbatch: error: Job violates accounting/QOS policy\n") {
        open my $file, '>', "$bin/full" or die $!;
        print {$file} $said and close $file or die $!;
        unlink glob "$bin/words.* $bin/script.*";
        my %answers = $adapter->submit_some($jobs);
        is_deeply [ sort map { $_->{ids}[0] } values %answers ], [ 101, 102 ], 'each may be taken for itself: ' . substr $said, 0, 40;
        is scalar(() = glob $adapter->spool . '/arrays/*'), 0, 'and nothing is kept of the array';
    }
    unlink "$bin/full";
    open my $file, '>', "$bin/lost" or die $!;
    my %answers = $adapter->submit_some($jobs);
    is_deeply [ map { exists $_->{unclear} ? 1 : 0 } values %answers ], [ 1, 1 ], 'of a lost answer nothing is clear';
    is scalar(my @kept = glob $adapter->spool . '/arrays/*.array'), 1, 'and the array is kept, for Slurm may have it';
    my %apart = adapter(slurm_bin => $bin, submit_at_once => 1, spool => $adapter->spool)->submit_some($jobs);
    unlike slurp("$bin/words.4"), qr/--array/, 'without its word there are none';
    unlink glob "$bin/words.* $bin/script.*";
    $adapter->submit_some([ map { { %$_, may_exist => 1 } } @$jobs ]);
    unlike slurp("$bin/words.$_"), qr/--array/, 'a job that was tried before goes by itself' for 0, 1;
    is eval { adapter(array_size => 2000)->submit_some($jobs); 1 }, undef, 'more than Slurm has';
};

subtest 'however often Slurm does not say whether it took an array, files do not pile up' => sub {
    my $bin = tempdir(CLEANUP => 1);
    standin($bin);
    my $adapter = adapter(slurm_bin => $bin, submit_at_once => 1, array_size => 100);
    my $jobs = jobs_of($adapter, qw(main main));
    $_->{file}->write('') for @$jobs;
    open my $lost, '>', "$bin/lost" or die $!;
    my $kept = sub { return scalar(my @files = glob $adapter->spool . '/arrays/*') };
    my $tried = sub {
        my ($age) = @_;
        $adapter->submit_some($jobs);
        utime time - $age, time - $age, glob $adapter->spool . '/arrays/*.array';
    };
    $tried->(7200) for 1 .. 5;
    is $kept->(), 3, 'the files of an attempt that failed long ago are removed at the next attempt';
    $tried->(60) for 1 .. 3;
    is $kept->(), 9, 'what Slurm may still show is kept';
    $adapter->_accepted({ tag => "${TAG}2", ids => ['100_1'] });
    $tried->(7200) for 1 .. 2;
    is $kept->(), 15, 'and so is all of which a job was seen there';

    no warnings 'redefine';
    local *Jobgate::JobFile::write_whole = sub { die "cannot write $_[0]: the disk is full\n" };
    is eval { $adapter->submit_some($jobs); 1 }, undef, 'a full disk';
    is $kept->(), 15, 'leaves nothing of what it was tried with';
};

subtest 'a job of an array has a mail of its own, and what is no job of ours costs one look' => sub {
    my $bin = tempdir(CLEANUP => 1);
    standin($bin);
    my $adapter = adapter(slurm_bin => $bin, submit_at_once => 1, array_size => 100);
    my $jobs = jobs_of($adapter, qw(main main));
    $_->{spec}{resources} = { mail => ['a@b.example'], mail_on => [ 'STARTED', 'ENDED' ] } for @$jobs;
    $_->{file}->write('') for @$jobs;
    $adapter->submit_some($jobs);
    like slurp("$bin/words.0"), qr/^--mail-type=BEGIN,END,ARRAY_TASKS$/m, 'not one for all';

    my $looks = 0;
    my $tags  = Jobgate::Arrays->can('_tags');
    no warnings 'redefine';
    local *Jobgate::Arrays::_tags = sub { $looks++; return $tags->(@_) };
    my $foreign = array_rows('00000000-0000-4000-8000-000000000000', ('PENDING') x 50);
    for my $times (1, 2) {
        is_deeply $adapter->parse_listing(done(out => $foreign)), [], 'an array of another gateway';
        is $looks, $times, 'is looked for once in each listing';
    }
};

subtest 'an element that waited and was cancelled is over when Slurm has not shown it for a while' => sub {
    my $adapter = adapter();
    ok $adapter->gone_after_cancel({ ids => ['12_3'] }) > 0, 'Slurm keeps nothing of it';
    is scalar $adapter->gone_after_cancel({ ids => ['12'] }), undef, 'any other has a record';
};

subtest 'the job does not see that it is one of many' => sub {
    local @ENV{qw(SLURM_ARRAY_JOB_ID SLURM_ARRAY_TASK_ID SLURM_JOB_ID)} = (12, 3, 15);
    is Jobgate::Launcher::id(), '12_3', 'its id is as the listing has it';
    is_deeply [ grep { /ARRAY/ } keys %{ Jobgate::JobFile::inherited() } ], [], 'no words of the array in its environment';
};

done_testing;
