# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Sge::Accounting;

# What Grid Engine writes of jobs that are over: lines of the accounting file (accounting(5)), the same as qacct prints it, and the job_log
# lines of the reporting file (reporting(5)); and what they mean for a job (sge_status(5)).

use strict;
use warnings;

use JSON::PP ();
use Time::Local ();

use constant { MILLISECONDS_FROM => 100_000_000_000 };    # a number of seconds as great as this lies 3000 years ahead

my $UUID = qr/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;
our $NAME  = qr/jg_($UUID)/;
our $ARRAY = qr/jga_($UUID)/;    # what an array of ours is called; its elements are counted from 1
our $OURS  = qr/jga?_$UUID/;

# --- the accounting file --------------------------------------------------------------------------------------------------------

my %FIELD = (queue => 0, host => 1, owner => 3, name => 4, number => 5, submitted => 8, start => 9, end => 10, failed => 11, exit => 12,
    utime => 14, stime => 15, maxrss => 16, slots => 34, task => 35, cpu => 36, category => 39, pe_task => 41, vmem => 42);

# A line as a record { tag, number, task, owner, host, submitted, start, end, failed, exit, slots, cpu, vmem, category }, where times are
# seconds; undef for what is not the record of a job of ours. Task is 0 for a job that is no array. `id` is the job's, "number.task" for an element of an array;
# that has the array's name in `array` and no tag.
sub record_of_line {
    my ($line) = @_;
    my $record = $line =~ /\A\{/ ? _fields_of_json($line) : _fields_of_line($line);
    return $record && _checked($record);
}

sub _fields_of_line {
    my ($line) = @_;
    my @fields = split /:/, $line, -1;
    return if @fields <= $FIELD{vmem};
    # a request in the category may hold colons: it goes on until what must follow it follows
    my $at = $FIELD{category};
    until ($fields[ $at + 1 ] =~ /\A[0-9.]+\z/ && $fields[ $at + 2 ] =~ /\A(?:NONE|[0-9]+\.[^,=]+|)\z/i && $fields[ $at + 3 ] =~ /\A[0-9.]+\z/) {
        return if @fields <= $FIELD{vmem} + 1;
        splice @fields, $at, 2, "$fields[$at]:$fields[$at + 1]";
    }
    return { map { $_ => $fields[ $FIELD{$_} ] } keys %FIELD };
}

# The form of Open Cluster Scheduler from 9.0 on: one JSON object in a line.
sub _fields_of_json {
    my ($line) = @_;
    my $said = eval { JSON::PP->new->decode($line) };
    return unless ref $said eq 'HASH';
    # what was used is in groups, whose names have changed between versions
    my %used = map { _flat($_) } @$said{qw(usage eusage)};
    return {
        host => $said->{hostname}, owner => $said->{owner}, name => $said->{job_name}, number => $said->{job_number},
        submitted => $said->{submission_time}, start => $said->{start_time}, end => $said->{end_time},
        failed => $said->{failed}, exit => $said->{exit_status}, slots => $said->{slots}, task => $said->{task_number} // 0,
        queue => $said->{qname} // $said->{queue_name}, utime => $used{ru_utime}, stime => $used{ru_stime}, maxrss => $used{ru_maxrss},
        cpu => $used{cpu}, vmem => $used{maxvmem}, category => $said->{category}, pe_task => $said->{pe_task_id},
    };
}

sub _flat {
    my ($usage) = @_;
    return ref $usage eq 'HASH' ? map { ref $usage->{$_} eq 'HASH' ? %{ $usage->{$_} } : ($_ => $usage->{$_}) } keys %$usage : ();
}

sub _checked {
    my ($record) = @_;
    my %whose = _whose(@$record{qw(name number task)}) or return;
    # a process that a parallel job has started on another host is not the job
    return if ($record->{pe_task} // '') !~ /\A(?:NONE|none)?\z/;
    for my $name (qw(number task failed exit submitted start end)) {
        return unless ($record->{$name} // '') =~ /\A([0-9]{1,19})(?:\.[0-9]*)?\z/;
        $record->{$name} = $1;
    }
    for my $name (qw(slots cpu vmem utime stime maxrss)) { $record->{$name} = 0 unless ($record->{$name} // '') =~ /\A[0-9.]+(?:e[+-]?[0-9]+)?\z/ }
    for my $name (qw(submitted start end)) { $record->{$name} = _seconds($record->{$name}) }
    return { %$record, %whose };
}

# (tag or array, id) of what has this name; nothing where it is none of ours. What is told of an array as a whole is told of no job.
sub _whose {
    my ($name, $number, $task) = @_;
    return (tag => "$1", id => $number) if ($name // '') =~ /\A$NAME\z/;
    return unless ($task // '') =~ /\A[1-9][0-9]{0,6}\z/;
    return ($name // '') =~ /\A$ARRAY\z/ ? (array => "$1", id => "$number.$task") : ();
}

# Univa's Grid Engine writes milliseconds from 8.2 on, Open Cluster Scheduler microseconds.
sub _seconds {
    my ($time) = @_;
    while ($time >= MILLISECONDS_FROM) { $time = int($time / 1000) }
    return $time;
}

# When a line was written, as far as it tells.
sub time_of_line {
    my ($line) = @_;
    my @times = $line =~ /\A\{/ ? $line =~ /"(?:submission|start|end)_time":([0-9]+)/g : (split /:/, $line, 12)[ 8 .. 10 ];
    my ($latest) = sort { $b <=> $a } map { /\A[0-9]{1,19}\z/ ? _seconds($_) : 0 } grep { defined } @times;
    return $latest // 0;
}

# --- qacct ----------------------------------------------------------------------------------------------------------------------

my %QACCT = (hostname => 'host', owner => 'owner', jobname => 'name', jobnumber => 'number', taskid => 'task', qsub_time => 'submitted',
    start_time => 'start', end_time => 'end', failed => 'failed', exit_status => 'exit', slots => 'slots', cpu => 'cpu', maxvmem => 'vmem',
    qname => 'queue', ru_utime => 'utime', ru_stime => 'stime', ru_maxrss => 'maxrss', category => 'category', pe_taskid => 'pe_task');
my %MONTH = do { my $n = 0; map { $_ => $n++ } qw(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec) };
my %UNIT = (K => 1024, M => 1024**2, G => 1024**3, T => 1024**4, k => 1000, m => 1000**2, g => 1000**3);

# The records in what `qacct -j NAME` prints with TZ=UTC.
sub records_of_qacct {
    my ($text) = @_;
    return grep { defined } map { _record_of_block($_) } split /^={10,}\s*$/m, $text;
}

sub _record_of_block {
    my ($block) = @_;
    my %record;
    for my $line (split /\n/, $block) {
        $record{ $QACCT{$1} } = $2 if $line =~ /\A(\S+)\s+(.*?)\s*\z/ && $QACCT{$1};
    }
    return unless keys %record;
    $record{$_} = _time_of_words($record{$_} // '') for qw(submitted start end);
    $record{$_} = ($record{$_} // '') =~ /\A([0-9]+)/ ? $1 : undef for qw(failed exit);
    $record{task} = 0 if ($record{task} // '') eq 'undefined';
    $record{$_} = ($record{$_} // '') =~ /\A([0-9.]+)([KMGTkmg]?)/ ? $1 * ($UNIT{$2} // 1) : 0 for qw(cpu vmem utime stime maxrss);
    return _checked(\%record);
}

sub _time_of_words {
    my ($words) = @_;
    # Fri Nov 20 17:49:31 2026; later kinds write 11/20/2026 17:49:31.123
    my ($month, $day, $time, $year) =
        $words =~ /\A[A-Z][a-z]{2} ([A-Z][a-z]{2}) +([0-9]{1,2}) ([0-9:]{8}) ([0-9]{4})\z/ ? ($MONTH{$1}, $2, $3, $4)
        : $words =~ m{\A([0-9]{2})/([0-9]{2})/([0-9]{4}) ([0-9:]{8})} ? ($1 - 1, $2, $4, $3) : return 0;
    return 0 unless defined $month;
    my ($hour, $minute, $second) = split /:/, $time;
    return eval { Time::Local::timegm($second, $minute, $hour, $day, $month, $year) } // 0;
}

# --- the reporting file ---------------------------------------------------------------------------------------------------------

# A line of the reporting file as { tag or array, id, number, task, owner, at, event, by, state, message }, undef for what is no event of a job of ours. The
# acct lines of that file are not read: they come at midnight for jobs that run on, too.
sub event_of_line {
    my ($line) = @_;
    my @fields = split /:/, $line, 20;
    return unless @fields == 20 && $fields[1] eq 'job_log';
    my %whose = _whose(@fields[ 13, 4, 5 ]) or return;
    my ($at, $number, $task) = @fields[ 0, 4, 5 ];
    return unless "$at$number" =~ /\A[0-9]+\z/ && $task =~ /\A-?[0-9]+\z/;
    return { %whose, at => _seconds($at), event => $fields[3], number => $number, task => $task, state => $fields[7], by => $fields[8],
        owner => $fields[14], message => $fields[19] };
}

sub time_of_event {
    my ($line) = @_;
    return $line =~ /\A([0-9]{1,19}):/ ? _seconds($1) : 0;
}

# --- what it means --------------------------------------------------------------------------------------------------------------

my %SAID = (
    0 => 'no failure', 1 => 'assumedly before job', 3 => 'before writing config', 4 => 'before writing PID', 6 => 'setting processor set',
    7 => 'before prolog', 8 => 'in prolog', 9 => 'before pestart', 10 => 'in pestart', 11 => 'before job', 12 => 'before pestop', 13 => 'in pestop',
    14 => 'before epilog', 15 => 'in epilog', 16 => 'releasing processor set', 17 => 'through signal', 18 => 'shepherd returned error',
    19 => 'before writing exit_status', 20 => 'found unexpected error file', 21 => 'in recognizing job', 24 => 'migrating', 25 => 'rescheduling',
    26 => 'opening input/output file', 27 => 'searching requested shell', 28 => 'changing to working directory', 29 => 'AFS setup',
    30 => 'application error returned', 36 => 'checking configured daemons', 37 => 'qmaster enforced h_rt, h_cpu, or h_vmem limit',
    38 => 'adding supplementary group', 100 => 'assumedly after job',
);
my %IS_OVER     = map { $_ => 1 } 0, 12 .. 17, 37, 100;
my %IS_REQUEUED = map { $_ => 1 } 24, 25, 30;
my %NODE_FAILED = map { $_ => 1 } 18 .. 23;

# Whether the record ends its job whatever else is known. Another may have been written for a job that is still queued: one that was put back,
# or that could not be started (state E) and may be freed by an administrator.
sub is_final { my ($record) = @_; return exists $IS_OVER{ $record->{failed} } }

# Whether the record says that the job was queued again; then it is no end, even if no listing shows the job at present.
sub is_requeue { my ($record) = @_; return exists $IS_REQUEUED{ $record->{failed} } }

# The end that a record tells: fields of an event (Jobgate::Adapter). deleted_by: who has deleted the job while it ran, if anybody did.
sub end_of {
    my ($record, $deleted_by) = @_;
    my %common = (command => 'Grid Engine accounting', output => _evidence($record, $deleted_by), wall => 1000 * _wall($record));
    return { %{ _cause($record, $deleted_by) }, %common, _used($record) };
}

# What Grid Engine says that the job used: `cpu` is of all that it has seen of the job's processes, the other two of those that were waited for.
sub _used {
    my ($record) = @_;
    return unless $record->{start};
    my ($cpu, $user, $system) = map { int(1000 * $_ + 0.5) } @$record{qw(cpu utime stime)};
    return (cpu => $cpu > $user + $system ? $cpu : $user + $system, user_cpu => $user, system_cpu => $system, $record->{maxrss} > 0 ? (peak_memory => int $record->{maxrss}) : (),
        slots => int($record->{slots}) || 1, ($record->{host} // '') =~ /\A([A-Za-z0-9_.-]+)\z/ ? (hosts => "$1") : (),
        ($record->{queue} // '') =~ /\A([A-Za-z0-9_.-]+)\z/ ? (queue => "$1") : ());
}

sub _wall { my ($record) = @_; return $record->{start} && $record->{end} > $record->{start} ? $record->{end} - $record->{start} : 0 }

sub _evidence {
    my ($record, $deleted_by) = @_;
    my $text = "job $record->{number}" . ($record->{task} ? ".$record->{task}" : '') . ': failed ' . said($record->{failed}) . ", exit_status $record->{exit}";
    $text .= ", on $record->{host}" if ($record->{host} // '') =~ /\A[A-Za-z0-9.-]+\z/;
    $text .= ", deleted by $deleted_by" if defined $deleted_by;
    return $text;
}

# A code with its words.
sub said { my ($failed) = @_; return "$failed (" . ($SAID{$failed} // 'not known') . ')' }

sub _cause {
    my ($record, $deleted_by) = @_;
    my $failed = $record->{failed};
    return _over_limit($record) if $failed == 37;
    return { cause => 'NODE_FAILED' } if $NODE_FAILED{$failed};
    return _not_started('Grid Engine could not start the job: ' . said($failed) . '.') unless $IS_OVER{$failed};
    return { cause => 'CANCELLED' } if defined $deleted_by;
    return { cause => 'EXITED', exit => $record->{exit} } if $failed != 100 && $failed != 17;
    # the shepherd saw no end: it died with its job
    return { cause => 'NODE_FAILED' } if $record->{exit} <= 128;
    return { cause => 'SIGNALLED', signal => $record->{exit} - 128 };
}

# The reason goes with it; whose fault it is depends on what the site has configured.
sub not_started { my ($reason) = @_; return { %{ _not_started("Grid Engine could not start the job: $reason") }, command => 'qstat -j', output => $reason } }

sub _not_started {
    my ($sentence) = @_;
    return { cause => 'NOT_STARTED', fault => 'LRM_REFUSED', sentence => substr($sentence, 0, 1000),
        remedy => 'Show this to the administrator: the fault lies with an execution host, or with what was asked for.' };
}

# One code for three limits: which one it was follows from what was used.
sub _over_limit {
    my ($record) = @_;
    my %limit = ($record->{category} // '') =~ /\b(h_rt|h_cpu|h_vmem)=([0-9.:]+[KMGTkmg]?)/g;
    my $slots = $record->{slots} > 1 ? $record->{slots} : 1;
    my ($memory, $wall, $cpu) = (_bytes($limit{h_vmem}), _duration($limit{h_rt}), _duration($limit{h_cpu}));
    return { cause => 'MEMORY' } if $memory && $record->{vmem} > $memory * $slots;
    return { cause => 'WALL_TIME' } if !$cpu || ($wall && _wall($record) >= $wall) || $record->{cpu} < $cpu * 0.9;
    return { cause => 'SIGNALLED', signal => 24, fault => 'LIMIT_EXCEEDED', attribute => 'maxCpuTime', value => $cpu,
        sentence => 'The job has used more than the CPU time that it had asked for.', remedy => 'Ask for more by maxCpuTime.' };
}

sub _bytes { my ($value) = @_; return defined $value && $value =~ /\A([0-9.]+)([KMGTkmg]?)\z/ ? $1 * ($UNIT{$2} // 1) : 0 }

sub _duration {
    my ($value) = @_;
    my $seconds = 0;
    for my $part (split /:/, $value // '') { $seconds = $seconds * 60 + ($part || 0) }
    return $seconds;
}

1;
