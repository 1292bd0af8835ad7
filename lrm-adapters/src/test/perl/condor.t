#!/usr/bin/perl
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# The HTCondor adapter without HTCondor: what goes into a submit description, and what the logs of a real one say.

use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin ();
use Test::More;
use lib "$FindBin::RealBin/../../main/perl/lib";
use Jobgate::Adapter::Condor    ();
use Jobgate::Commands           ();
use Jobgate::Condor::EventLog   ();
use Jobgate::Condor::Jobs       ();
use Jobgate::Condor::Pool       ();
use Jobgate::Condor::SubmitFile ();
use Jobgate::SpoolFile          ();
use Time::HiRes ();

my $TAG = '01a1fa37-2a75-7000-8000-00000000000';
my %SITE = (queue_attribute => 'Queue', project_attribute => 'accounting_group', submit_attributes => 'Rank, My.Color');

sub profile { my %spec = @_; return Jobgate::Condor::SubmitFile::profile({ job_type => 'SINGLE', %spec }, \%SITE) }
sub line    { my ($name, $value) = @_; return extensions => [ { name => 'condorsubmit', attributes => { name => $name }, text => $value } ] }

subtest 'what a client may say reaches the description only as names and numbers' => sub {
    my ($text) = profile(queue => 'long', project => 'a.b', max_wall_time => 60, max_memory_mib => 100, min_memory_mib => 200, line('rank', 'Memory'));
    like $text, qr/^My\.Queue = "long"$/m, 'queue';
    like $text, qr/^accounting_group = a\.b$/m, 'project';
    like $text, qr/^request_memory = 200$/m, 'memory';
    like $text, qr/^periodic_remove = .*> 60\) \|\| \(\(MemoryUsage \?: 0\) > 100\)$/m, 'limits';
    like $text, qr/^Rank = Memory$/m, 'a line that the site allows';
    for my $bad ("a\nb", 'a"', '$(x)', 'a b', 'a;b', 'a#', '', "a\\") {
        is((profile(queue   => $bad))[1]{fault}, 'INVALID_DESCRIPTION', 'a queue that is no name');
        is((profile(project => $bad))[1]{fault}, 'INVALID_DESCRIPTION', 'a project that is no name');
    }
    is((profile(line('Rank', $_)))[1]{fault}, 'INVALID_DESCRIPTION', 'a value that is more than a line') for "1\nqueue", '$(x)', "1\\", "\t1";
    is((profile(line($_, '1')))[1]{fault}, 'UNSUPPORTED_FEATURE', "the line $_") for 'executable', "Rank\nqueue", '', '+Rank';
    is((Jobgate::Condor::SubmitFile::profile({ job_type => 'SINGLE', queue => 'a' }, {}))[1]{fault}, 'UNSUPPORTED_FEATURE', 'no queues here');
};

subtest 'lines of the site do not win over those of the gateway' => sub {
    my $text = Jobgate::Condor::SubmitFile::text("executable = /bin/rm\n", [ [ "${TAG}1", 0, 1 ] ], jobs => '/s/jobs', log => '/s/l', spool => '/s');
    my ($last) = (split /^executable = /m, $text)[-1] =~ /\A(\S+)/;
    is $last, $^X, 'executable';
    eval { Jobgate::Condor::SubmitFile::text('', [], jobs => '/s $(x)', log => '/s/l', spool => '/s') };
    like $@, qr/cannot have/, 'a spool that has another name than letters';
};

sub event {
    my ($type, $process, %more) = @_;
    my $lines = join '', map { "$_ = $more{$_}\n" } sort keys %more;
    my $text = <<"EVENT";
028 (007.$process.000) 2026-11-20 17:46:44 Job ad information event triggered.
Cluster = 7
EventTime = "2026-11-20T17:46:44.339Z"
JobgateCount = 2
JobgateId = "${TAG}2"
JobgateProcess = $process
Proc = $process
TriggerEventTypeNumber = $type
EVENT
    return "$text$lines...\n";
}

sub spool_with {
    my ($text) = @_;
    my $spool = tempdir(CLEANUP => 1);
    append($spool, 1, $text);
    return $spool;
}

sub append {
    my ($spool, $number, $text) = @_;
    open my $file, '>>', sprintf('%s/events.%06d.log', $spool, $number) or die $!;
    print {$file} $text;
    close $file;
}

subtest 'what a job used' => sub {
    my %event = (JobCurrentStartDate => 1795649845, RemoteUserCpu => '61.5', RemoteSysCpu => '2.25', ResidentSetSize => 4536, LastRemoteHost => 'slot1@node7.example.org', CpusProvisioned => 2,
        RunRemoteUsage => 'Usr 0 00:01:01, Sys 0 00:00:02');
    is_deeply { Jobgate::Condor::Use::of(\%event, 1795649915_500) },
        { wall => 70_500, user_cpu => 61_500, system_cpu => 2250, peak_memory => 4536, slots => 2, hosts => 'node7.example.org' }, 'the attributes';
    is_deeply { map { $_ => { Jobgate::Condor::Use::of({ %event, RunRemoteUsage => 'Usr 1 00:02:00, Sys 0 00:00:03' }, 1795649915_500) }->{$_} } qw(user_cpu system_cpu) },
        { user_cpu => 86_520_000, system_cpu => 3000 }, 'the event knows more than the attributes of some minutes before';
    is_deeply { Jobgate::Condor::Use::of({ RequestCpus => 1, RunRemoteUsage => 'Usr 0 00:00:00, Sys 0 00:00:00' }, 1) }, {}, 'one that never ran';
    is_deeply { Jobgate::Condor::Use::of({ %event, RemoteUserCpu => '1e99', RemoteSysCpu => '-1', RunRemoteUsage => 'x', ResidentSetSize => '[]', LastRemoteHost => 'a b;c', CpusProvisioned => 'undefined' },
        1795649845_000) }, { wall => 0 }, 'what is no number or name is not told';
    is_deeply { Jobgate::Condor::Use::together({ cause => 'EXITED', user_cpu => 5, system_cpu => 1, wall => 7, slots => 1, peak_memory => 3, hosts => 'b' }, { user_cpu => 6, wall => 9, slots => 2, peak_memory => 2, hosts => 'a' }) },
        { user_cpu => 11, system_cpu => 1, wall => 9, slots => 3, peak_memory => 3, hosts => 'a,b' }, 'of many processes';
};

subtest 'a real log without our tags says nothing, and is read to its end' => sub {
    my $sample = "$FindBin::RealBin/../../../../docker/lab/samples/htcondor/event-log.txt";
    open my $file, '<', $sample or die "$sample: $!";
    my $text = do { local $/; <$file> };
    my $log = Jobgate::Condor::EventLog->new(spool_with($text));
    my ($events, $behind) = $log->next_events(10000);
    my %types;
    $types{ $_->{type} }++ for @$events;
    ok $types{0} >= 10 && $types{5} >= 3 && $types{9} && $types{12} && $types{10}, 'events of many kinds';
    is $log->checkpoint({}), '1:' . length $text, 'all of it was read';
    my ($ended) = grep { $_->{type} == 5 && ($_->{ReturnValue} // '') eq '3' } @$events;
    is $ended->{tag}, '7f1e0c52-9a44-4d0b-8c1e-000000000002', 'the tag';
    $log->go_on_from('1:0');
    my $count = 0;
    while (1) { my ($some) = $log->next_events(3); last unless @$some; $count += @$some }
    is $count, scalar @$events, 'the same in small pieces';
};

subtest 'a job of two processes is told as one' => sub {
    my $text = event(0, 0) . event(0, 1) . event(1, 1) . event(1, 0) . event(5, 1, TerminatedNormally => 'true', ReturnValue => 4);
    my $spool = spool_with($text);
    my $log   = Jobgate::Condor::EventLog->new($spool);
    my $jobs  = Jobgate::Condor::Jobs->new($spool);
    my $read  = sub { my ($events) = $log->next_events(100); return map { $jobs->from_event($_) // () } @$events };
    is_deeply [ map { $_->{is} } $read->() ], [qw(queued started)], 'queued and started once';
    is $log->checkpoint($jobs->held), '1:0', 'the checkpoint stays before a job that is not over';
    append($spool, 1, event(5, 0, TerminatedNormally => 'true', ReturnValue => 0));
    my ($end) = $read->();
    is_deeply [ @$end{qw(is cause exit ids)} ], [ 'ended', 'EXITED', 4, [ '7.0', '7.1' ] ], 'over with the last; the first that is not 0';
    isnt $log->checkpoint($jobs->held), '1:0', 'the checkpoint moves on';
};

subtest 'a hold comes with its reason' => sub {
    my $spool = spool_with(event(12, 0, HoldReason => '"no such directory"', JobgateCount => 1) . event(13, 0, JobgateCount => 1));
    my ($read) = Jobgate::Condor::EventLog->new($spool)->next_events(10);
    my $jobs = Jobgate::Condor::Jobs->new($spool);
    my ($held, $released) = map { $jobs->from_event($_) } @$read;
    is_deeply [ @$held{qw(is note)} ], [ 'suspended', 'no such directory' ], 'held';
    ok $released->{is} eq 'requeued' && !exists $released->{note}, 'released';
    my ($record) = $jobs->from_records([ { JobgateId => "${TAG}1", ClusterId => 1, ProcId => 0, JobStatus => 5, HoldReason => 'by hand' } ]);
    is $record->{note}, 'by hand', 'in the queue';
};

subtest 'half an event waits for its end; what has none is skipped' => sub {
    my $whole = event(0, 0);
    my $spool = spool_with(substr $whole, 0, 100);
    my $log   = Jobgate::Condor::EventLog->new($spool);
    is_deeply(($log->next_events(10))[0], [], 'half');
    append($spool, 1, substr $whole, 100);
    is scalar @{ ($log->next_events(10))[0] }, 1, 'whole';
    append($spool, 1, 'x' x 1_200_000);
    is_deeply(($log->next_events(10))[0], [], 'no end');
    append($spool, 1, "\n...\n$whole");
    is scalar @{ ($log->next_events(10))[0] }, 1, 'the next';
};

subtest 'logs that nobody needs are removed, but for the last' => sub {
    my $spool = spool_with(event(0, 0));
    append($spool, $_, event(0, 1)) for 2, 3;
    my $log = Jobgate::Condor::EventLog->new($spool, 100);
    is $log->current, 4, 'a full log is followed by another';
    $log->next_events(10);
    $log->tidy({ 2 => 1 });
    is_deeply [ $log->numbers ], [ 2, 3 ], 'the needed and the last';
    $log->go_on_from('2:5 nonsense 3:x');
    is_deeply $log->{at}, { 2 => 5 }, 'a checkpoint is read as far as it is one';
};

subtest 'ends by the records of queue and history' => sub {
    my $jobs = Jobgate::Condor::Jobs->new(tempdir(CLEANUP => 1));
    my $of = sub { my %record = @_; return ($jobs->from_records([ { JobgateId => "${TAG}3", ClusterId => 1, ProcId => 0, JobgateCount => 1,
        EnteredCurrentStatus => 5, %record } ]))[0] };
    is $of->(JobStatus => $_->[0])->{is}, $_->[1], "status $_->[0]" for [ 1, 'queued' ], [ 2, 'started' ], [ 5, 'suspended' ], [ 6, 'started' ],
        [ 7, 'suspended' ], [ 99, 'queued' ];
    is $of->(JobStatus => 4, ExitCode => 3)->{exit}, 3, 'exit code';
    is $of->(JobStatus => 4, ExitBySignal => 1, ExitSignal => 9)->{signal}, 9, 'signal';
    is $of->(JobStatus => 4)->{cause}, 'LOST', 'completed, without an exit code';
    is $of->(JobStatus => 3, RemoveReason => $_->[0])->{cause}, $_->[1], $_->[0]
        for [ 'jobgate:walltime', 'WALL_TIME' ], [ 'jobgate:memory', 'MEMORY' ], [ 'via condor_rm (by user x)', 'CANCELLED' ];
};

subtest 'a command that hangs, is not there or prints too much is given up' => sub {
    my $bin = tempdir(CLEANUP => 1);
    my $make = sub { my ($name, $script) = @_; open my $file, '>', "$bin/$name" or die $!; print {$file} "#!/bin/sh\n$script\n"; close $file; chmod 0755, "$bin/$name" };
    $make->(slow => 'exec sleep 60');
    $make->(fails => 'echo out; echo wrong >&2; exit 3');
    my $done = Jobgate::Commands->new(bin => $bin, seconds => 1)->run(['slow']);
    is $done->{exit}, -1, 'given up';
    like $done->{err}, qr/did not end within 1 seconds/, 'why';
    my $commands = Jobgate::Commands->new(bin => $bin, seconds => 60);
    is_deeply $commands->run([ 'fails', '$(id)' ]), { name => 'fails', words => [ 'fails', '$(id)' ], exit => 3, out => "out\n", err => "wrong\n" }, 'exit code and both outputs';
    is $commands->run(['absent'])->{exit}, 127, 'not there';
};

# PBS hands the HOME of its commands on to the job, as PBS_O_HOME; the gateway itself may have been started with any.
subtest 'commands have the home of the account, whatever the gateway was started with' => sub {
    my $bin = tempdir(CLEANUP => 1);
    open my $file, '>', "$bin/home" or die $!;
    print {$file} "#!/bin/sh\necho \"\$HOME\"\n";
    close $file or die $!;
    chmod 0755, "$bin/home" or die $!;
    local $ENV{HOME} = '/';
    my $commands = Jobgate::Commands->new(bin => $bin, seconds => 60);
    is $commands->run(['home'])->{out}, (getpwuid $>)[7] . "\n", 'of the password database';
};

subtest 'no clear answer is no answer' => sub {
    my $bin = tempdir(CLEANUP => 1);
    my $answer = sub { my ($script) = @_; open my $file, '>', "$bin/condor_q" or die $!; print {$file} "#!/bin/sh\n$script\n"; close $file;
        chmod 0755, "$bin/condor_q"; system 'cp', "$bin/condor_q", "$bin/condor_history" };
    my ($adapter, $hasty) = map { Jobgate::Adapter::Condor->new(settings => { spool => tempdir(CLEANUP => 1), condor_bin => $bin, call_seconds => $_ }) } 180, 3;
    my $account = getpwuid $>;
    for my $bad ('exit 1', 'echo nonsense', 'echo "[{"', 'echo failed >&2', 'echo {}') {
        $answer->($bad);
        is eval { $adapter->lookup(["${TAG}4"]); 1 }, undef, "condor_q: $bad";
    }
    $answer->('exec sleep 600');
    is eval { $hasty->lookup(["${TAG}4"]); 1 }, undef, 'condor_q does not end';
    $answer->('exit 0');
    is_deeply $adapter->lookup(["${TAG}4"]), [], 'silence is the answer for none';
    $answer->(qq(echo '[{"Owner":"somebody","JobgateId":"${TAG}4","ClusterId":1,"ProcId":0,"JobStatus":4,"ExitCode":0}]'));
    is_deeply $adapter->lookup(["${TAG}4"]), [], "another user's row";
    $answer->(qq(echo '[{"Owner":"$account","JobgateId":"${TAG}4","ClusterId":1,"ProcId":0,"JobStatus":4,"ExitCode":7}]'));
    is $adapter->lookup(["${TAG}4"])->[0]{exit}, 7, 'our own';
};

subtest 'the pool in numbers' => sub {
    # a partitionable slot of 8 that has given 3 away, a static one in use, one whose attributes are missing
    my %pool = Jobgate::Condor::Pool::slots('5 8 true Unclaimed X86_64 16000', '4 undefined undefined Claimed X86_64 32000', 'undefined', '');
    is_deeply \%pool, { processors => 12, free => 5, architecture => 'x86_64', memory_mib => 32000 }, 'slots';
    my %mixed = Jobgate::Condor::Pool::slots('1 1 undefined Owner X86_64 1', '1 1 undefined Unclaimed aarch64 1');
    ok !exists $mixed{architecture}, 'machines that are not alike have no one architecture';
    is $mixed{free}, 1, "a slot that its owner uses is not free";
    is_deeply { Jobgate::Condor::Pool::slots() }, { processors => 0, free => 0 }, 'no machine';
    is_deeply { Jobgate::Condor::Pool::schedds('3 10', '0 2', 'undefined undefined') }, { running => 3, waiting => 12 }, 'schedds';
};

subtest 'of a job that HTCondor has twice only the one that runs it says how it is' => sub {
    my $spool = spool_with(event(1, 0, JobgateCount => 1) . event(5, 0, JobgateCount => 1, TerminatedNormally => 'true', ReturnValue => 75));
    my $jobs = Jobgate::Condor::Jobs->new($spool);
    ok(Jobgate::SpoolFile->new($spool, "${TAG}2")->claim(6), "another has it");
    my ($read) = Jobgate::Condor::EventLog->new($spool)->next_events(10);
    is_deeply [ map { $jobs->from_event($_) // () } @$read ], [], 'the twin of the log';
    my @record = (JobgateId => "${TAG}2", ProcId => 0, JobgateCount => 1, EnteredCurrentStatus => 5);
    my ($told) = $jobs->from_records([ { @record, ClusterId => 7, JobStatus => 4, ExitCode => 75 }, { @record, ClusterId => 6, JobStatus => 2 } ]);
    is_deeply [ @$told{qw(is ids)} ], [ 'started', ['6.0'] ], 'the twin of the queue';
};

subtest 'a job that HTCondor shows no more is asked for, and ends by its record alone' => sub {
    my $bin = tempdir(CLEANUP => 1);
    my $make = sub { my ($name, $script) = @_; open my $file, '>', "$bin/$name" or die $!; print {$file} "#!/bin/sh\n$script\n"; close $file; chmod 0755, "$bin/$name" };
    my $adapter = Jobgate::Adapter::Condor->new(settings => { spool => tempdir(CLEANUP => 1), condor_bin => $bin, call_seconds => 180, reconcile_interval => 0.05 });
    my $account = getpwuid $>;
    my $record = sub { my ($status) = @_; return qq(echo '[{"Owner":"$account","JobgateId":"${TAG}5","JobgateCount":$_[1],"ClusterId":1,"ProcId":0,"JobStatus":$status,"ExitCode":3}]') };
    $make->($_ => 'exit 0') for qw(condor_q condor_history);
    $adapter->follow(undef);
    $adapter->_job("${TAG}5")->write('');
    # as many rounds as are enough for what is not to come, and more until so many events have come
    my $told = sub {
        my ($least) = @_;
        my @batches;
        my $until = Time::HiRes::time() + 60;
        push(@batches, $adapter->events), Time::HiRes::sleep(0.02) while (map { @{ $_->{events} } } @batches) < ($least // 0) && Time::HiRes::time() < $until;
        for (1 .. 30) { push @batches, $adapter->events; Time::HiRes::sleep(0.02) }
        delete $adapter->{missing};
        return map { @{ $_->{events} } } @batches;
    };
    is_deeply [ $told->() ], [], 'nothing is known of it';
    $make->(condor_history => 'exit 1');
    is_deeply [ $told->() ], [], 'the history does not answer';
    $make->(condor_history => $record->(4, 1));
    $make->(condor_q => 'case "$*" in *-json*) ' . $record->(2, 1) . '; esac');
    is_deeply [ $told->() ], [], 'the listing was short: the queue has it';
    $make->(condor_q => 'exit 0');
    $make->(condor_history => $record->(4, 2));
    is_deeply [ $told->() ], [], 'one of two processes';
    $make->(condor_history => $record->(4, 1));
    my @ends = $told->(1);
    is_deeply [ map { @$_{qw(tag is exit)} } @ends ], [ "${TAG}5", 'ended', 3 ], 'its record, once';
};

# condor_q and condor_history that answer what a test has them answer, and the adapter that asks them
sub pool {
    my (%settings) = @_;
    my $bin = tempdir(CLEANUP => 1);
    my $make = sub { my ($name, $script) = @_; open my $file, '>', "$bin/$name.new" or die $!; print {$file} "#!/bin/sh\n$script\n"; close $file;
        chmod 0755, "$bin/$name.new"; rename "$bin/$name.new", "$bin/$name" or die $! };
    $make->($_ => 'exit 0') for qw(condor_q condor_history condor_rm);
    my $adapter = Jobgate::Adapter::Condor->new(settings => { spool => tempdir(CLEANUP => 1), condor_bin => $bin, call_seconds => 180, %settings });
    return ($adapter, $make);
}

sub record_script {
    my ($tag, $status) = @_;
    my $account = getpwuid $>;
    return qq(echo '[{"Owner":"$account","JobgateId":"$tag","JobgateCount":1,"ClusterId":1,"ProcId":0,"JobStatus":$status,"EnteredCurrentStatus":5}]');
}

subtest 'a job that begins just before it is held goes on, and its owner is told' => sub {
    my ($adapter, $make) = pool();
    my $tag = "${TAG}9";
    my $order = sub { my ($what) = @_; return $adapter->$what([ { tag => $tag, ids => ['1.0'] } ])->[0] };
    my $seen = tempdir(CLEANUP => 1) . '/seen';
    # the schedd has started it between the look and the order, and holds only what the constraint fits
    my $begins = sub {
        my ($now, $says) = @_;
        $make->(condor_q    => "if test -e $seen; then " . record_script($tag, $now) . '; else ' . record_script($tag, 1) . '; fi');
        $make->(condor_hold => qq(printf '%s\\n' "\$@" > $seen; $says));
        unlink $seen;
    };
    $begins->(2, q(echo "Couldn't find/hold all jobs matching constraint" >&2; exit 1));
    is $order->('hold')->{refused}{fault}, 'WRONG_STATE', 'hold';
    open my $file, '<', $seen or die $!;
    my @words = map { chomp; $_ } <$file>;
    is_deeply \@words, [ '-reason', 'jobgate:owner', '-constraint', 'JobStatus == 1 && ((ClusterId == 1 && ProcId == 0))' ], 'the schedd looks whether it waits';
    $begins->(2, q(echo "Couldn't find/hold all jobs matching constraint" >&2; exit 1));
    like $order->('suspend')->{unclear}, qr/not held while it waited/, 'suspend is asked for again, and stops it where it is';
    $begins->(5, 'exit 0');
    is $order->('hold'), 'done', 'one that waits is held';
    $begins->(1, q(echo "No permission: Permission denied" >&2; exit 1));
    is $order->('hold')->{refused}{fault}, 'LRM_REFUSED', 'not his own';
};

subtest 'a cancel is repeated until HTCondor shows the job, however often queue and history say nothing' => sub {
    my ($adapter, $make) = pool();
    my ($taken, $doubtful, $never) = map { "$TAG$_" } 6 .. 8;
    my $cancel = sub { $adapter->cancel([ { tag => $_[0], ids => $_[0] eq $doubtful ? [] : ['1.0'] } ])->[0] };
    $adapter->_job($_)->write('') for $taken, $doubtful;
    like $cancel->($taken)->{unclear}, qr/neither in the queue nor in the history/, "try $_" for 1 .. 5;
    is $cancel->($never), 'not_there', 'one that was never given to it from here';
    like $cancel->($doubtful)->{unclear}, qr/neither/, 'one that it may have taken is not believed gone at once';
    $adapter->{denied}{$_}{since} -= 60 for $taken, $doubtful;
    $cancel->($doubtful);
    is $cancel->($doubtful), 'not_there', 'but after some clear answers';
    ok !$adapter->_job($doubtful)->is_there, 'and it cannot start without its files';
    like $cancel->($taken)->{unclear}, qr/neither/, 'one that it has taken is not';
    $make->(condor_q => record_script($taken, 2));
    $make->(condor_rm => "echo \"\$*\" > '$adapter->{settings}{spool}/removed'");
    is $cancel->($taken), 'ending', 'until it is shown';
    open my $file, '<', "$adapter->{settings}{spool}/removed" or die $!;
    like join('', <$file>), qr/$taken/, 'and removed';
};

subtest 'of a job that HTCondor does not know its owner is told after long, and it is ended at his word only' => sub {
    my ($adapter, $make) = pool(reconcile_interval => 0.05, unknown_after => 600);
    my $tag = "${TAG}9";
    my @told;
    my $look = sub { my ($seconds, $code) = @_; my $until = Time::HiRes::time() + $seconds;
        until ($code->() || Time::HiRes::time() > $until) { push @told, map { @{ $_->{events} } } $adapter->events; Time::HiRes::sleep(0.02) } return $code->() };
    $adapter->follow(undef);
    $adapter->_job($tag)->write('');
    $adapter->{live}{$tag} = 1;
    ok !$look->(1, sub { @told }), 'not at once';
    $adapter->_missing->{unknown_after} = 2;
    ok $look->(60, sub { @told }), 'then';
    is_deeply [ @{ $told[0] }{qw(tag is)} ], [ $tag, 'unknown' ], 'that it is unknown';
    like $told[0]{note}, qr/\Aunknown: HTCondor answers, but the job is in neither its queue nor its history/, 'and why';
    $make->(condor_q => 'case "$*" in *-json*) ' . record_script($tag, 2) . ";; *) echo $tag;; esac");
    ok $look->(60, sub { @told > 1 }), 'it is shown again';
    is_deeply [ $told[1]{is}, $told[1]{note} ], [ 'started', undef ], 'and is as it was';
    $make->(condor_q => 'exit 0');
    ok $look->(60, sub { @told > 2 }), 'it is unknown again';
    is $adapter->cancel([ { tag => $tag, ids => [] } ])->[0], 'not_there', 'a cancel ends it';
    ok !$adapter->_job($tag)->is_there, 'and it cannot start any more';
    is scalar(grep { $_->{is} eq 'ended' } @told), 0, 'of itself it never ended';
};

subtest 'an end that is told twice at the same time is told once' => sub {
    my ($adapter, $make) = pool(reconcile_interval => 0.05);
    my $log = "$adapter->{settings}{spool}/events.000001.log";
    my $end = event(9, 0, JobgateCount => 1);
    $adapter->follow(undef);
    $adapter->_job("${TAG}2")->write('');
    # it ends while the history is asked for it
    $make->(condor_history => qq(cat >> '$log' <<'END'\n${end}END\n) . record_script("${TAG}2", 3));
    my @told;
    for (1 .. 120) { push @told, map { [ map { $_->{is} } @{ $_->{events} } ] } $adapter->events; last if @told; Time::HiRes::sleep(0.5) }
    is_deeply \@told, [ ['ended'] ], 'by the log and by the history';

    ($adapter) = pool();
    $adapter->follow(undef);
    append($adapter->{settings}{spool}, 1, event(0, 0, JobgateCount => 1) . event(0, 0, JobgateCount => 1, Cluster => 8) . $end . event(9, 0, JobgateCount => 1, Cluster => 8));
    is_deeply [ map { $_->{is} } map { @{ $_->{events} } } $adapter->events ], [qw(queued queued ended)], 'of both twins of a job that never started';
};

subtest 'events after the end of a job of many processes hold no checkpoint' => sub {
    my ($adapter) = pool();
    my @twin = map { event(9, $_, JobgateCount => 2, Cluster => 8) } 0, 1;
    $adapter->follow(undef);
    $adapter->_job("${TAG}2")->write('');
    append($adapter->{settings}{spool}, 1, event(9, 0, JobgateCount => 2) . event(9, 1, JobgateCount => 2));
    is $adapter->events->{events}[-1]{is}, 'ended', 'it is over';
    append($adapter->{settings}{spool}, 1, $twin[0]);
    my $after = $adapter->events;
    is_deeply $after->{events}, [], 'what became of its twin is not told';
    is $after->{checkpoint}, $adapter->_log_reader->checkpoint({}), 'and is behind the checkpoint';
    my ($other) = pool();
    $other->follow(undef);
    append($other->{settings}{spool}, 1, $twin[0]);
    $other->events;
    isnt $other->_log_reader->checkpoint($other->_jobs->held), $other->_log_reader->checkpoint({}), 'a job of which one process is over does hold it';
    $other->forget([ { tag => "${TAG}2", ids => [] } ]);
    is $other->_log_reader->checkpoint($other->_jobs->held), $other->_log_reader->checkpoint({}), 'until it is forgotten';
};

subtest 'an event log that was put in the place of another is read from its beginning' => sub {
    my $spool = spool_with(event(0, 0));
    my $log   = Jobgate::Condor::EventLog->new($spool);
    $log->next_events(10);
    rename "$spool/events.000001.log", "$spool/old" or die $!;
    append($spool, 1, event(1, 0) . event(5, 0));
    is_deeply [ map { $_->{type} } @{ ($log->next_events(10))[0] } ], [ 1, 5 ], 'all of it';
};

subtest 'records among which one cannot be read' => sub {
    my $account = (getpwuid $>)[0];
    my $tag     = '01a1fa37-2a75-7000-8000-0123456789ab';
    my $ours    = qq({\n  "ClusterId": 5,\n  "JobgateId": "$tag",\n  "Owner": "$account",\n  "ProcId": 0\n}\n);
    my $read = sub { map { "$_->{ClusterId}.$_->{ProcId}" } Jobgate::Condor::Questions::records_of({ name => 'condor_history', exit => 0, err => '', out => "[\n" . join(",\n", @_) . "]\n" }) };
    for my $bad (qq({\n  "ClusterId": NaN,\n  "Owner": "$account"\n}\n), qq({\n  "HoldReason": "a\tb\\q"\n}\n), qq({\n  "x": "]\\n,\\n{",\n  "y": \n}\n), "{\n", "7\n",
        qq({\n  "ClusterId": 6,\n  "ProcId": 0,\n  "JobgateId": "$tag",\n  "Owner": "somebody"\n}\n), qq({\n  "ClusterId": {},\n  "ProcId": 0,\n  "JobgateId": "$tag",\n  "Owner": "$account"\n}\n)) {
        is_deeply [ eval { $read->($bad, $ours) } ], ['5.0'], 'ours behind it: ' . $bad =~ s/\s+/ /gr;
        is_deeply [ eval { $read->($ours, $bad) } ], ['5.0'], 'and before it';
    }
    is eval { Jobgate::Condor::Questions::records_of({ name => 'condor_q', exit => 0, err => '', out => $_ }); 1 }, undef, "no answer: $_" for '[', "[\n{\n", 'x', '{}';
    like Jobgate::Condor::Questions::is_one_of($tag), qr/\AOwner == "\Q$account\E" && member\(JobgateId, \{"$tag"\}\)\z/, "jobs of others are not asked for";
};

subtest 'events among which one cannot be read' => sub {
    for my $bad ("028 (5.0.0) x\nJobgateId = \"01a1fa37-2a75-7000-8000-0123456789ab\"\n", "028 (x\nJobgateId = \"x\"\n", "\0\n", "028 (5.0.0)\nJobgateId = \"01a1fa37-2a75-7000-8000-0123456789ab\"\nCluster = x\nProc = 0\nTriggerEventTypeNumber = 5\n") {
        is eval { Jobgate::Condor::EventLog::parse($bad) // 'none' }, 'none', 'it is none, and no failure';
    }
};

done_testing;
