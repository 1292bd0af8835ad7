# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Condor::Jobs;

# What HTCondor's events and records say of the jobs of an account: a job of many processes is one for the gateway. It is queued with its first,
# started with its first, and over with its last.

use strict;
use warnings;

use Jobgate::Condor::Use ();
use Jobgate::JobFile   ();
use Jobgate::SpoolFile ();

use constant { SUBMITTED => 0, EXECUTING => 1, EVICTED => 4, TERMINATED => 5, SHADOW => 7, ABORTED => 9, SUSPENDED => 10, UNSUSPENDED => 11,
    HELD => 12, RELEASED => 13, RECONNECT_FAILED => 24 };

my %IS = (
    SUBMITTED, 'queued',   EXECUTING,   'started', EVICTED, 'requeued',  SHADOW,   'requeued', SUSPENDED, 'suspended',
    UNSUSPENDED, 'started', HELD, 'suspended', RELEASED, 'requeued', RECONNECT_FAILED, 'requeued',
);
# JobStatus of the queue and the history
my %STATUS = (1 => 'queued', 2 => 'started', 3 => 'ended', 4 => 'ended', 5 => 'suspended', 6 => 'started', 7 => 'suspended');

# files: the directory of the jobs' files
sub new {
    my ($class, $files) = @_;
    return bless { files => $files, many => {} }, $class;
}

# One event of the log as one of ours, or undef where it changes nothing for the gateway.
sub from_event {
    my ($self, $event) = @_;
    return if $self->_is_of_twin($event->{tag}, $event->{Cluster});
    my $count = $event->{JobgateCount} || 1;
    my $end   = $event->{type} == TERMINATED || $event->{type} == ABORTED ? { %{ $self->_end_of_event($event) }, Jobgate::Condor::Use::of($event, $event->{ms}) } : undef;
    my $is    = $end ? 'ended' : $IS{ $event->{type} } // return;
    return _told($event->{tag}, [ $event->{id} ], $is, $event->{ms}, $end, _why($event, $is)) if $count == 1;
    return $self->_from_many($event, $is, $end);
}

# Of a submission that was made twice the first to start has the job (Jobgate::JobFile, claim): what becomes of the other is nothing to the gateway.
sub _is_of_twin {
    my ($self, $tag, $cluster) = @_;
    my $claimed = Jobgate::SpoolFile->new($self->{files}, $tag)->claimed_by;
    return defined $claimed && defined $cluster && $claimed ne $cluster;
}

sub _told {
    my ($tag, $ids, $is, $at, $end, $why) = @_;
    return { tag => $tag, ids => $ids, is => $is, at => $at, $end ? %$end : (), defined $why && length $why ? (note => $why) : () };
}

# Why a job is held, or has to run again.
sub _why {
    my ($event, $is) = @_;
    return $event->{HoldReason} if $is eq 'suspended';
    return if $is ne 'requeued' || $event->{type} == RELEASED;
    my ($why) = grep { defined && length } @$event{qw(Reason DisconnectReason Message)};
    return $why // ($event->{type} == RECONNECT_FAILED ? 'the machine that ran it does not answer' : undef);
}

sub _from_many {
    my ($self, $event, $is, $end) = @_;
    my $job = $self->{many}{ $event->{tag} } //= { log => $event->{log}, offset => $event->{offset}, is => '', ids => {}, parts => {}, ends => {} };
    my $process = $event->{JobgateProcess} // 0;
    $job->{ids}{$process}   = $event->{id};
    $job->{parts}{$process} = $is;
    $job->{ends}{$process}  = $end if $end;
    my $now = _together($event->{JobgateCount}, [ values %{ $job->{parts} } ]);
    return if $now eq $job->{is};
    $job->{is} = $now;
    my @ids = map { $job->{ids}{$_} } sort { $a <=> $b } keys %{ $job->{ids} };
    return _told($event->{tag}, \@ids, $now, $event->{ms}, undef, _why($event, $now)) if $now ne 'ended';
    delete $self->{many}{ $event->{tag} };
    return _told($event->{tag}, \@ids, 'ended', $event->{ms}, _end_of_many($job->{ends}));
}

# The state of the whole: over with the last process, started while one runs.
sub _together {
    my ($count, $states) = @_;
    my %number;
    $number{$_}++ for @$states;
    return 'ended' if ($number{ended} // 0) >= $count;
    for my $is (qw(started suspended requeued)) { return $is if $number{$is} }
    return $number{ended} ? 'started' : 'queued';
}

# The end of a job by those of its processes: the first, by number, that did not end with 0.
sub _end_of_many {
    my ($ends) = @_;
    my @ends = map { $ends->{$_} } sort { $a <=> $b } keys %$ends;
    my ($worst) = grep { $_->{cause} ne 'EXITED' } @ends;
    ($worst) = grep { $_->{exit} } @ends unless $worst;
    return { %{ $worst // $ends[0] }, Jobgate::Condor::Use::together(@ends) };
}

# Waits for no more of the job's processes.
sub drop { my ($self, $tag) = @_; delete $self->{many}{$tag}; return }

# Files and their offsets before which no checkpoint may go: the first events of the jobs of many processes that are not over.
sub held {
    my ($self) = @_;
    my %hold;
    for my $job (values %{ $self->{many} }) {
        my $known = $hold{ $job->{log} };
        $hold{ $job->{log} } = $job->{offset} if !defined $known || $job->{offset} < $known;
    }
    return \%hold;
}

# --- ends -----------------------------------------------------------------------------------------------------------------------

sub _end_of_event {
    my ($self, $event) = @_;
    return _removed($event->{Reason} // $event->{RemoveReason} // '') if $event->{type} == ABORTED;
    return { cause => 'SIGNALLED', signal => $event->{TerminatedBySignal} } if ($event->{TerminatedNormally} // '') ne 'true';
    return $self->_exited($event->{tag}, $event->{JobgateProcess} // 0, $event->{ReturnValue} // 0);
}

# A process that could not become the program has said why in a file.
sub _exited {
    my ($self, $tag, $process, $exit) = @_;
    if ($exit == Jobgate::JobFile::NOT_STARTED()) {
        my %fault = Jobgate::SpoolFile->new($self->{files}, $tag)->fault_of($process);
        return { cause => 'NOT_STARTED', %fault } if %fault;
    }
    return { cause => 'EXITED', exit => $exit };
}

sub _removed {
    my ($reason) = @_;
    my $cause = $reason =~ /\Ajobgate:walltime/ ? 'WALL_TIME' : $reason =~ /\Ajobgate:memory/ ? 'MEMORY' : 'CANCELLED';
    return { cause => $cause, command => 'HTCondor job event log', output => substr $reason, 0, 1024 };
}

# --- records --------------------------------------------------------------------------------------------------------------------

# Events from records of the queue and the history, each a hash of a process's attributes.
sub from_records {
    my ($self, $records) = @_;
    my %jobs;
    for (grep { !$self->_is_of_twin($_->{JobgateId}, $_->{ClusterId}) } @$records) { push @{ $jobs{ $_->{JobgateId} } }, $_ }
    return map { $self->_from_records($_, $jobs{$_}) } sort keys %jobs;
}

sub _from_records {
    my ($self, $tag, $records) = @_;
    my @processes = sort { ($a->{JobgateProcess} // 0) <=> ($b->{JobgateProcess} // 0) } @$records;
    my @states = map { $STATUS{ $_->{JobStatus} // 0 } // 'queued' } @processes;
    # the history forgets: what is known to be over of a job that has no process left is all there is
    my $is = (grep { $_ ne 'ended' } @states) ? _together($processes[0]{JobgateCount} || 1, \@states) : 'ended';
    my @ids = map { "$_->{ClusterId}.$_->{ProcId}" } @processes;
    my ($at) = sort { $b <=> $a } map { $_->{EnteredCurrentStatus} // 0 } @processes;
    my %ends = $is eq 'ended' ? map { $_ => { %{ $self->_end_of_record($tag, $processes[$_]) }, Jobgate::Condor::Use::of($processes[$_], 1000 * ($processes[$_]{CompletionDate} || $processes[$_]{EnteredCurrentStatus} || 0)) } } 0 .. $#processes : ();
    my ($why) = grep { defined } map { $is eq 'suspended' ? $_->{HoldReason} : undef } @processes;
    return _told($tag, \@ids, $is, $at * 1000, $is eq 'ended' ? _end_of_many(\%ends) : undef, $why);
}

sub _end_of_record {
    my ($self, $tag, $record) = @_;
    return _removed($record->{RemoveReason} // '') if $record->{JobStatus} == 3;
    return { cause => 'SIGNALLED', signal => $record->{ExitSignal} } if $record->{ExitBySignal};
    return { cause => 'LOST' } unless defined $record->{ExitCode};
    return $self->_exited($tag, $record->{JobgateProcess} // 0, $record->{ExitCode});
}

1;
