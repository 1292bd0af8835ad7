# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Pbs::Ends;

# How a job ended, from what PBS says of it and what our launcher has left. PBS's exit status is the exit code of the job's shell, 256 and the signal
# that ended it, or a negative number for what PBS itself did or could not do (the tables below, of TORQUE's pbs_job.h and OpenPBS's job.h).

use strict;
use warnings;

use Jobgate::Pbs::Qstat     ();
use Jobgate::Questions      ();
use Jobgate::Starter::Words ();

use constant { SIGNALLED => 256, BY_SHELL => 128, SIGTERM => 15, SIGKILL => 9, SIGXCPU => 24, CPU_SEEN => 0.9 };

my %TORQUE = (
    -1 => [ 'NOT_STARTED', 'it could not be executed, before its files were there' ], -2 => [ 'NOT_STARTED', 'it could not be executed, after its files were there' ],
    -3 => [ 'NODE_FAILED', 'its execution failed and was to be tried again' ], -4 => [ 'NODE_FAILED', 'the execution daemon of its node was started anew' ],
    -5 => [ 'NODE_FAILED', 'the execution daemon of its node was started anew' ], -6 => [ 'NODE_FAILED', 'the execution daemon of its node was started anew' ],
    -7 => [ 'NODE_FAILED', 'it could not be restarted from its checkpoint' ], -8 => [ 'NOT_STARTED', 'its shell could not be run' ],
    -9 => [ 'NOT_STARTED', 'its output files could not be made' ], -10 => [ 'MEMORY', 'it used more memory than it had asked for' ],
    -11 => [ 'WALL_TIME', 'it ran longer than it had asked for' ], -12 => [ 'CPU', 'it used more CPU time than it had asked for' ],
);
my %OPENPBS = (
    (map { $_ => $TORQUE{$_} } -7 .. -1), -10 => [ 'NOT_STARTED', 'its user or group is not valid on its node' ],
    -11 => [ 'NODE_FAILED', 'it was to run again and did not' ], -12 => [ 'PREEMPTED', 'it was checkpointed and ended' ],
    -13 => [ 'NOT_STARTED', 'the password of its account was wrong' ], -14 => [ 'NODE_FAILED', 'a node of it was lost' ],
    -16 => [ 'NOT_STARTED', 'a hook of the site refused it' ], -17 => [ 'NOT_STARTED', 'a hook of the site refused it' ],
    -18 => [ 'CANCELLED', 'a hook of the site ended it' ], -19 => [ 'CANCELLED', 'a hook of the site ended it' ],
    -20 => [ 'NODE_FAILED', 'its first node was lost' ], -21 => [ 'NOT_STARTED', 'a directory of PBS on its node is not safe' ],
    -22 => [ 'NOT_STARTED', 'a hook of the site failed' ], -23 => [ 'NOT_STARTED', 'it had no Kerberos credential' ],
    -24 => [ 'CPU', 'it used more processors than it had asked for' ], -25 => [ 'CPU', 'it used more processors than it had asked for' ],
    -26 => [ 'MEMORY', 'it used more virtual memory than it had asked for' ], -27 => [ 'MEMORY', 'it used more memory than it had asked for' ],
    -28 => [ 'CPU', 'it used more CPU time than it had asked for' ], -29 => [ 'WALL_TIME', 'it ran longer than it had asked for' ],
    -30 => [ 'NODE_FAILED', 'its nodes did not come together' ],
);
use constant { TERMINATED => 91 };    # OpenPBS's substate of a job that qdel has ended

# The fields of an end. job: attributes as of Jobgate::Pbs::Qstat (exit_status, resource_list.*, resources_used.*, comment; `deleted_by` where the
# accounting says so); own: the launcher's end record, or undef; given: dialect, cancelled (we asked for its end), began (the launcher did).
sub of {
    my ($job, $own, %given) = @_;
    my %end = _cause($job, $own, %given);
    my $wall = Jobgate::Pbs::Qstat::seconds($job->{'resources_used.walltime'});
    $end{wall} = Jobgate::Questions::wall_of($wall * 1000, $end{wall} // $wall * 1000) if defined $wall;
    return { %end, _used($job), _evidence($job) };
}

# What PBS says that the job used: of CPU time in whole seconds, all together. An old run of a job that was queued again counts with it.
sub _used {
    my ($job) = @_;
    my $cpu    = Jobgate::Pbs::Qstat::seconds($job->{'resources_used.cput'});
    my $memory = Jobgate::Pbs::Qstat::bytes($job->{'resources_used.mem'});
    my ($slots, %hosts) = (0);
    for my $part (split /\+/, $job->{exec_host} // '') {
        my ($host, $number) = $part =~ m{\A([A-Za-z0-9_.-]+)/[0-9,-]+(?:\*([0-9]{1,6}))?\z} or next;
        $hosts{$host} = 1;
        $slots += $number // 1;
    }
    return (defined $cpu ? (cpu => $cpu * 1000) : (), $memory ? (peak_memory => int($memory / 1024)) : (), $slots ? (slots => $slots) : (),
        %hosts ? (hosts => join ',', sort keys %hosts) : (), ($job->{queue} // '') =~ /\A([A-Za-z0-9_.-]+)/ ? (queue => "$1") : ());
}

sub _cause {
    my ($job, $own, %given) = @_;
    my $exit = $job->{exit_status};
    return _without_status($job, $own, %given) unless defined $exit && $exit =~ /\A-?[0-9]{1,6}\z/;
    return _of_pbs($job, $exit, $own, %given) if $exit < 0;
    return (cause => 'CANCELLED') if ($job->{substate} // '') eq TERMINATED || ($exit != 0 && ($given{cancelled} || defined $job->{deleted_by}));
    return _of_signal($job, $own, $exit - SIGNALLED) if $exit >= SIGNALLED;
    return _over_cpu($job) if _is_kill($own, $exit - BY_SHELL) && _is_over_cpu($job, $own);
    return _of_record($own) if $own && _agree($own, $exit);
    return _never_began($exit) if $exit != 0 && !$own && !$given{began};
    return (cause => 'EXITED', exit => $exit);
}

# Over without a status: it never ran, or PBS has forgotten how it ended.
sub _without_status {
    my ($job, $own, %given) = @_;
    return _of_record($own) if $own;
    my $has_run = defined $job->{stime} || defined $job->{start_time} || defined $job->{session_id};
    return (cause => 'CANCELLED') if $given{cancelled} || !$has_run || ($job->{substate} // '') eq TERMINATED;
    return (cause => 'LOST');
}

sub _of_pbs {
    my ($job, $exit, $own, %given) = @_;
    my ($cause, $why) = @{ ($given{dialect}->is_torque ? $TORQUE{$exit} : $OPENPBS{$exit}) // [ 'LOST', 'PBS gave a reason that is not known here' ] };
    # a job that was queued again keeps the status of the run that was broken off: its own end came later
    return (cause => 'CANCELLED') if $cause eq 'NODE_FAILED' && (($job->{substate} // '') eq TERMINATED || $given{cancelled} || defined $job->{deleted_by});
    return _of_record($own) if $cause eq 'NOT_STARTED' && $own && $own->{cause} eq 'NOT_STARTED';
    return _over_cpu($job) if $cause eq 'CPU';
    return (cause => $cause) unless $cause eq 'NOT_STARTED';
    return (cause => $cause, fault => 'LRM_REFUSED', sentence => "PBS could not start the job: $why (exit status $exit).", remedy => 'Ask the administrator of the batch system.');
}

# Nobody but PBS, or who may signal the account's processes, ends the shell of a job: without another reason it was cancelled. Older versions end a job
# over its limits in the same way.
sub _of_signal {
    my ($job, $own, $signal) = @_;
    return (cause => 'WALL_TIME') if ($own && $own->{cause} eq 'WALL_TIME') || _is_over($job, 'walltime', \&Jobgate::Pbs::Qstat::seconds);
    return (cause => 'MEMORY') if _is_over($job, 'mem', \&Jobgate::Pbs::Qstat::bytes);
    return _over_cpu($job) if _is_kill($own, $signal) && _is_over_cpu($job, $own);
    return (cause => 'CANCELLED') if $signal == SIGTERM || $signal == SIGKILL;
    return (cause => 'SIGNALLED', signal => $signal);
}

sub _is_over {
    my ($job, $what, $read) = @_;
    my ($limit, $used) = map { $read->($job->{"$_.$what"}) } 'resource_list', 'resources_used';
    return defined $limit && defined $used && $limit > 0 && $used >= $limit;
}

# The kernel ends a process that used up the CPU time of the job by SIGXCPU or, where PBS sets no softer limit, by SIGKILL, as it ends one for any other reason.
sub _is_kill {
    my ($own, $signal) = @_;
    return grep { defined && ($_ == SIGKILL || $_ == SIGXCPU) } $signal, ($own // {})->{signal};
}

# PBS looks now and then only: the last that it saw may be some seconds behind, or nothing. The launcher knows what its processes used.
sub _is_over_cpu {
    my ($job, $own) = @_;
    my ($limit, $used) = map { Jobgate::Pbs::Qstat::seconds($job->{"$_.cput"}) // 0 } 'resource_list', 'resources_used';
    my $measured = $own ? (($own->{user_cpu} // 0) + ($own->{system_cpu} // 0)) / 1000 : 0;
    return $limit && ($used > $measured ? $used : $measured) >= CPU_SEEN * $limit;
}

sub _over_cpu {
    my ($job) = @_;
    my $limit = Jobgate::Pbs::Qstat::seconds($job->{'resource_list.cput'});
    return (cause => 'SIGNALLED', signal => SIGXCPU, fault => 'LIMIT_EXCEEDED', attribute => 'maxCpuTime', defined $limit ? (value => $limit) : (),
        sentence => 'The job has used more CPU time than it had asked for' . (defined $limit ? ", which was $limit seconds for all its processes." : '.'),
        remedy => 'Ask for more by maxCpuTime.');
}

# Whether the record is of what PBS's status says: a shell tells a signal as 128 and its number.
sub _agree {
    my ($own, $exit) = @_;
    return $own->{cause} eq 'WALL_TIME' || (defined $own->{signal} ? $exit == BY_SHELL + $own->{signal} : ($own->{exit} // 0) == $exit);
}

sub _of_record {
    my ($own) = @_;
    my %end = (cause => $own->{cause});
    for my $name (qw(exit signal)) { $end{$name} = $own->{$name} if defined $own->{$name} && $own->{cause} =~ /\A(?:EXITED|SIGNALLED)\z/ }
    %end = (%end, Jobgate::Starter::Words::fault(@{ $own->{why} })) if ref $own->{why} eq 'ARRAY';
    return (%end, wall => ($own->{ended} // 0) - ($own->{started} // 0));
}

# The launcher leaves a mark as the first thing that it does.
sub _never_began {
    my ($exit) = @_;
    return (cause => 'NOT_STARTED', fault => 'EXECUTION_FAILED',
        sentence => "The job's shell ended with $exit before it came to the job: a login file of the account (.profile) may end it, or the gateway's programs are not there on the node.",
        remedy => 'Let no login file exit; else ask the administrator.');
}

sub _evidence {
    my ($job) = @_;
    my @told = map { defined $job->{$_} ? "$_ = $job->{$_}" : () }
        qw(job_state substate exit_status resource_list.walltime resources_used.walltime resource_list.cput resources_used.cput resource_list.mem resources_used.mem deleted_by comment);
    return (command => "PBS of $job->{id}", output => substr join("\n", @told), 0, 1024);
}

1;
