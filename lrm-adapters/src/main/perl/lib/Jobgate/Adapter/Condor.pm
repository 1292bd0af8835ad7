# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Adapter::Condor;

# Runs jobs in an HTCondor pool: through condor_submit, condor_rm, condor_q and condor_history, and the job event log for what becomes of them
# (docs/internals/htcondor.md).

use strict;
use warnings;

use parent 'Jobgate::Condor::Questions', 'Jobgate::Adapter';

use Time::HiRes ();
use Jobgate::Commands           ();
use Jobgate::Condor::EventLog   ();
use Jobgate::Condor::Jobs       ();
use Jobgate::Condor::Missing    ();
use Jobgate::Condor::Pool       ();
use Jobgate::Condor::SubmitFile ();
use Jobgate::SpoolFile          ();
use Jobgate::Starter::Launch    ();

use constant {
    LOG_INTERVAL    => 0.2,     # a look at the log's size
    IDLE_INTERVAL   => 2,
    COUNT_INTERVAL  => 60,      # between two tries to learn how many jobs there are
    BATCH           => 500,
    TAGS_PER_QUERY  => 200,
    DENIALS         => 3,       # times, and seconds, for which HTCondor must say that it does not have a job of which it is not known
    DENIED_SECONDS  => 5,       # whether it took it, before a cancel believes it
};

# what condor_submit says where the fault is in the description; every other failure may pass
my $REFUSAL = qr/Parse error|[Ii]nvalid|I don't know about|must (?:be|have|specify)|not a valid|SUBMIT_REQUIREMENT|[Rr]ejected by|is not allowed|No such directory/;

sub capabilities { return { job_types => [qw(single multiple mpi condor)], suspends => [qw(pending active)] } }
sub resources    { return Jobgate::Condor::SubmitFile::resources() }
sub programs     { return qw(condor_submit condor_q condor_rm condor_history condor_status condor_hold condor_release condor_suspend condor_continue) }
sub command_directory { return $_[0]->setting('condor_bin') }
sub interval     { my ($self) = @_; return !$self->{log_reader} ? undef : $self->live ? LOG_INTERVAL : IDLE_INTERVAL }
sub trouble      { return $_[0]{trouble} // '' }
sub live         { my ($self) = @_; return $self->{count_is_unknown} ? 1 : scalar keys %{ $self->{live} // {} } }
sub status       { my ($self) = @_; return { live => $self->live, logs => scalar $self->_log_reader->numbers } }

# All slots and all schedds of the pool. Machines that are off are not seen, so no job is refused because a machine is missing.
sub queues {
    my ($self) = @_;
    my @slots   = $self->_rows('condor_status', '-constraint', 'SlotType isnt "Dynamic"', Jobgate::Condor::Pool::slot_format());
    my @schedds = $self->_rows('condor_status', '-schedd', Jobgate::Condor::Pool::schedd_format());
    return [ { whole => 1, Jobgate::Condor::Pool::slots(@slots), Jobgate::Condor::Pool::schedds(@schedds) } ];
}

# Asks the schedd that jobs are given to.
sub probe {
    my ($self) = @_;
    $self->_rows('condor_q', '-af', 'ClusterId');
    return 'condor_q';
}

sub _rows {
    my ($self, $command, @arguments) = @_;
    my $done = $self->_commands->run([ $command, @arguments ]);
    die "$command: " . Jobgate::Condor::Questions::said($done) . "\n" if $done->{exit} != 0 || ($done->{out} !~ /\S/ && $done->{err} =~ /\S/);
    return split /\n/, $done->{out};
}

# --- submit ---------------------------------------------------------------------------------------------------------------------

sub submit {
    my ($self, $requests) = @_;
    return [ map { { refused => _no_root() } } @$requests ] if $> == 0;
    my %answers;
    # kept by condor_submit itself too: if a worker died in the middle, the next one neither looks nor submits before it has ended
    my $lock = $self->_commands->lock($self->spool . '/submit.lock');
    my @new = $self->_without_known($requests, \%answers);
    my %profiles;
    for my $request (@new) {
        my $spec = $self->description($request);
        my ($profile, $fault) = Jobgate::Condor::SubmitFile::profile($spec, $self->{settings});
        if ($fault) { $answers{ $request->{tag} } = { refused => $fault } }
        else        { push @{ $profiles{$profile} }, { %$request, count => Jobgate::Starter::Launch::processes_of(_plain($spec)) } }
    }
    for my $profile (sort keys %profiles) { $self->_submit_cluster($profile, $profiles{$profile}, \%answers, $lock) }
    # one that is over already was seen by the watch, which goes on meanwhile
    $self->{live}{ $_->{tag} } //= $self->{last_log} for grep { $answers{ $_->{tag} }{ids} && !$self->{over}{ $_->{tag} } } @new;
    return [ map { $answers{ $_->{tag} } } @$requests ];
}

sub _plain {
    my ($spec) = @_;
    return ($spec->{job_type} // '') eq 'CONDOR' ? { %$spec, job_type => 'MULTIPLE' } : $spec;
}

sub _no_root {
    return Jobgate::Adapter::fault('NOT_AUTHORIZED', 'HTCondor runs no job as root.', 'Ask the administrator to map you to another account.');
}

# Those that HTCondor does not have; the others are answered with their ids.
sub _without_known {
    my ($self, $requests, $answers) = @_;
    my @doubtful = map { $_->{tag} } grep { $_->{may_exist} || $self->_job($_->{tag})->is_there } @$requests;
    my %unclear;
    $answers->{ $_->{tag} } = { ids => $_->{ids} } for @doubtful ? $self->_jobs->from_records($self->_records(\@doubtful, \%unclear)) : ();
    # what is in doubt does not hold up what is new
    $answers->{$_} //= { unclear => $unclear{$_}, alone => 1 } for keys %unclear;
    return grep { !$answers->{ $_->{tag} } } @$requests;
}

# One condor_submit for all; if it is refused and there are many, one for each, so that none suffers for another.
sub _submit_cluster {
    my ($self, $profile, $jobs, $answers, $lock) = @_;
    $self->_job($_->{tag})->write($_->{description}) for @$jobs;
    my @rows = map { my $job = $_; map { [ $job->{tag}, $_, $job->{count} ] } 0 .. $job->{count} - 1 } @$jobs;
    my $done = $self->_condor_submit($profile, \@rows, $lock);
    my $ids  = _ids($done, scalar @rows);
    if ($ids) {
        $answers->{ $_->{tag} } = { ids => [ splice @$ids, 0, $_->{count} ] } for @$jobs;
        return;
    }
    my $answer = _failure($done);
    $answers->{ $_->{tag} } = $answer for @$jobs;
    $answer->{refused} and $self->_job($_->{tag})->remove($_->{count}) for @$jobs;
    return;
}

sub _condor_submit {
    my ($self, $profile, $rows, $lock) = @_;
    my $number = $self->{last_log} = $self->_log_reader->current;
    my $text = Jobgate::Condor::SubmitFile::text($profile, $rows,
        jobs => $self->_files, log => $self->_log_reader->path($number), spool => $self->spool);
    my ($done) = $self->_commands->run_all(1, [ [ [ 'condor_submit', '-terse', '-' ], text => $text, keep => $lock ] ], meanwhile => $self->{meanwhile});
    return $done;
}

# The ids of all rows in order, from lines like "53.0 - 53.9"; undef unless there are as many as rows.
sub _ids {
    my ($done, $rows) = @_;
    return if $done->{exit} != 0;
    my @ids;
    while ($done->{out} =~ /^([0-9]{1,9})\.([0-9]{1,9}) - \1\.([0-9]{1,9})$/mg) {
        return if $3 - $2 >= $rows;
        push @ids, map { "$1.$_" } $2 .. $3;
    }
    return @ids == $rows ? \@ids : undef;
}

sub _failure {
    my ($done) = @_;
    my $said = Jobgate::Condor::Questions::said($done);
    return { unclear => "condor_submit: $said" } if $done->{exit} <= 0 || $said !~ $REFUSAL;
    return { refused => Jobgate::Adapter::fault('LRM_REFUSED', "HTCondor did not take the job: $said",
        'Correct what HTCondor complains of, or ask the administrator.',
        command => 'condor_submit -terse -', command_exit => $done->{exit}, output => substr $done->{err}, 0, 4096) };
}

# --- cancel, forget -------------------------------------------------------------------------------------------------------------

sub cancel {
    my ($self, $jobs) = @_;
    my $lock = $self->_commands->lock($self->spool . '/submit.lock');
    my @tags = map { $_->{tag} } @$jobs;
    my %is = map { $_->{tag} => $_->{is} } $self->_jobs->from_records($self->_records(\@tags));
    my @live = grep { ($is{$_} // 'ended') ne 'ended' } @tags;
    my %unseen = map { $_->{tag} => $self->_unseen($_) } grep { !defined $is{ $_->{tag} } } @$jobs;
    delete @{ $self->{denied} }{ keys %is };
    my $trouble = '';
    while (my @some = splice @live, 0, TAGS_PER_QUERY) {
        my $done = $self->_commands->run([ 'condor_rm', '-reason', 'jobgate:cancel', '-constraint', Jobgate::Condor::Questions::is_one_of(@some) ]);
        # one that has ended since is not found, and that is as good
        next if $done->{exit} == 0 || $done->{err} =~ /Couldn't find|no jobs/;
        $trouble = 'condor_rm: ' . Jobgate::Condor::Questions::said($done);
        $is{$_} = 'unclear' for @some;
    }
    return [ map { my $is = $is{$_}; !defined $is ? $unseen{$_} : $is eq 'unclear' ? { unclear => $trouble } : 'ending' } @tags ];
}

# The answer for a job that neither queue nor history shows. One that was never given to HTCondor from here has no file. Of any other they may be
# wrong: it is asked for again, until it is shown, or its owner was told that HTCondor does not know it; of one that HTCondor is not known to have taken
# until they have said so several times. What is left of it then cannot start any more without its files.
sub _unseen {
    my ($self, $job) = @_;
    my $tag  = $job->{tag};
    my $file = $self->_job($tag);
    return $self->{over}{$tag} ? 'ending' : 'not_there' if $self->{over}{$tag} || !$file->is_there;
    my $denied = $self->{denied}{$tag} //= { times => 0, since => Time::HiRes::time() };
    my $is_denied = ++$denied->{times} >= DENIALS && Time::HiRes::time() - $denied->{since} >= DENIED_SECONDS;
    my $is_gone   = $self->_was_taken($job) ? $self->_missing->is_unknown($tag) : $is_denied;
    return { unclear => 'HTCondor shows the job neither in the queue nor in the history at present', alone => 1 } unless $is_gone;
    $self->log("$tag is given up: HTCondor does not know it, and its end was asked for");
    $file->remove($file->count);
    delete $self->{denied}{$tag};
    delete $self->{live}{$tag};
    return 'not_there';
}

# By the ids that the gateway has, by its event in the log, or by its claim.
sub _was_taken { my ($self, $job) = @_; return @{ $job->{ids} // [] } || exists $self->{live}{ $job->{tag} } || defined $self->_job($job->{tag})->claimed_by }

# --- suspend, resume ------------------------------------------------------------------------------------------------------------

# A process of which HTCondor says that it runs, sends what it has written, or was stopped while it ran.
my %runs_now = map { $_ => 1 } 2, 6, 7;

# Processes that wait are held, those that run are suspended where they are; a job has some of both.
sub suspend {
    my ($self, $jobs) = @_;
    return $self->_asked_of_pool($jobs, { 1 => 'condor_hold', 2 => 'condor_suspend', 6 => 'condor_suspend' });
}

# A job of which a process runs already is left as it is.
sub hold {
    my ($self, $jobs) = @_;
    return $self->_asked_of_pool($jobs, { 1 => 'condor_hold' }, \%runs_now);
}

sub resume {
    my ($self, $jobs) = @_;
    return $self->_asked_of_pool($jobs, { 5 => 'condor_release', 7 => 'condor_continue' });
}

# command_of: by JobStatus; runs: the values of JobStatus for which a job is refused instead
sub _asked_of_pool {
    my ($self, $jobs, $command_of, $runs) = @_;
    my @records = @{ $self->_records([ map { $_->{tag} } @$jobs ]) };
    my (%ids, %is_there, %answer, %waited);
    for my $record (@records) { $answer{ $record->{JobgateId} } = { refused => $self->runs_already } if $runs && $runs->{ $record->{JobStatus} // 0 } }
    for my $record (@records) {
        $is_there{ $record->{JobgateId} } = 1;
        next if $answer{ $record->{JobgateId} };
        my $command = $command_of->{ $record->{JobStatus} // 0 } // next;
        push @{ $ids{$command} }, [ $record->{JobgateId}, _id($record) ];
        $waited{ _id($record) } = 1 if $command eq 'condor_hold';
    }
    for my $command (sort keys %ids) {
        my @left = @{ $ids{$command} };
        while (my @some = splice @left, 0, TAGS_PER_QUERY) {
            my $trouble = $command eq 'condor_hold' ? $self->_hold_waiting(@some) : _trouble_of($self->_commands->run([ $command, _reason($command), map { $_->[1] } @some ]));
            $answer{ $_->[0] } = $trouble for $trouble ? @some : ();
        }
    }
    $self->_look_at_held(\%answer, \%waited, $runs, map { $_->[0] } @{ $ids{condor_hold} // [] });
    return [ map { my $tag = $_->{tag}; $answer{$tag} // ($is_there{$tag} || $self->{over}{$tag} ? 'done' : $self->_was_taken($_) ? { unclear => 'HTCondor does not show the job at present', alone => 1 } : 'not_there') } @$jobs ];
}

# What was to be held, as it stands now: a process may have begun before HTCondor was asked.
sub _look_at_held {
    my ($self, $answer, $waited, $runs, @tags) = @_;
    my @asked = grep { !$answer->{$_} } @tags;
    return unless @asked;
    my $unclear = { unclear => 'the job was not held while it waited', alone => 1 };
    for my $record (grep { $waited->{ _id($_) } } @{ $self->_records(\@asked) }) {
        my $status = $record->{JobStatus} // 0;
        $answer->{ $record->{JobgateId} } //= $runs && $runs_now{$status} ? { refused => $self->runs_already } : $unclear if $status == 1 || $runs_now{$status};
    }
    return;
}

sub _id     { my ($record) = @_; return "$record->{ClusterId}.$record->{ProcId}" }
sub _reason { my ($command) = @_; return $command =~ /hold|release/ ? ('-reason', 'jobgate:owner') : () }

# HTCondor takes a process that runs off its machine to hold it, and what it has done is lost. So the schedd itself looks once more
# whether it still waits. Answers the trouble, if there is any; that none waits any more is none.
sub _hold_waiting {
    my ($self, @some) = @_;
    my $these = join ' || ', map { my ($cluster, $process) = split /[.]/, $_->[1]; "(ClusterId == $cluster && ProcId == $process)" } @some;
    my $done = $self->_commands->run([ 'condor_hold', _reason('condor_hold'), '-constraint', "JobStatus == 1 && ($these)" ]);
    return $done->{err} =~ /Couldn't find|no jobs/ ? undef : _trouble_of($done);
}

# One that has changed its state since is asked for again.
sub _trouble_of {
    my ($done) = @_;
    return if $done->{exit} == 0;
    my $said = Jobgate::Condor::Questions::said($done);
    return { unclear => "$done->{name}: $said", alone => 1 } if $done->{exit} < 0 || $said !~ /[Pp]ermission denied|not authorized/;
    return { refused => Jobgate::Adapter::fault('LRM_REFUSED', "HTCondor did not do it: $said.", 'Ask the administrator.', command => $done->{name},
        command_exit => $done->{exit}, output => substr $done->{err}, 0, 4096) };
}

sub forget {
    my ($self, $jobs) = @_;
    for my $job (@$jobs) {
        my $file = $self->_job($job->{tag});
        $file->remove($file->count);
        delete $self->{$_}{ $job->{tag} } for qw(over denied);
        $self->_jobs->drop($job->{tag});
        $self->_missing->forget($job->{tag});
    }
    return;
}

# --- the watch ------------------------------------------------------------------------------------------------------------------

sub follow {
    my ($self, $checkpoint) = @_;
    $self->_log_reader->go_on_from($checkpoint);
    $self->_count_live;
    return;
}

# Which jobs live is asked once; from then on it is counted.
sub _count_live {
    my ($self) = @_;
    $self->{counted_at} = Time::HiRes::time();
    my @live = eval { Jobgate::Condor::Questions::records_of($self->_commands->run([ 'condor_q', '-constraint', Jobgate::Condor::Questions::of_ours('JobgateId isnt undefined'), Jobgate::Condor::Questions::form() ])) };
    $self->{count_is_unknown} = $@ ? 1 : 0;
    $self->{trouble} = $@ ? "HTCondor does not answer: $@" : '';
    chomp $self->{trouble};
    for (@live) { $self->{live}{ $_->{JobgateId} } //= ($_->{UserLog} // '') =~ /events\.([0-9]{6})\.log\z/ ? $1 + 0 : 0 }
    return;
}

sub events {
    my ($self) = @_;
    $self->_count_live if $self->{count_is_unknown} && Time::HiRes::time() - $self->{counted_at} > COUNT_INTERVAL;
    my ($read, $behind) = $self->_log_reader->next_events(BATCH);
    my @found = $behind ? () : $self->_found;
    return unless @$read || @found;
    # what is over is not begun anew: its checkpoint would wait for it
    my @of_log = grep { defined } map { $self->_jobs->from_event($_) } grep { !$self->{over}{ $_->{tag} } } @$read;
    my @events = _up_to_ends(_without_passing(@of_log), @found);
    $self->_tell_holds($read);
    $self->_is_over($_->{tag}) for grep { $_->{is} eq 'ended' } @events;
    return { events => \@events, checkpoint => $self->_log_reader->checkpoint($self->_jobs->held), behind => $behind };
}

sub _is_over {
    my ($self, $tag) = @_;
    delete $self->{live}{$tag};
    $self->_jobs->drop($tag);
    # kept until the job is forgotten
    $self->{over}{$tag} = 1 if $self->_job($tag)->is_there;
    return;
}

# The ends of jobs that are missing in the log.
sub _found {
    my ($self) = @_;
    my @records = eval { $self->_missing->step(sub { grep { !$self->{over}{$_} } $self->_kept_tags }) };
    $self->log("HTCondor could not be asked for missing jobs: $@") if $@;
    my @ended = grep { $_->{is} eq 'ended' && !$self->{over}{ $_->{tag} } } $self->_jobs->from_records(\@records);
    $self->log("the event log does not tell the end of $_->{tag}") for @ended;
    return (@ended, map { $self->_of_unknown(@$_) } $self->_missing->news);
}

# The event for a job that HTCondor has not known since then, although it answers; or (0) for one that it shows again.
sub _of_unknown {
    my ($self, $tag, $since) = @_;
    return if $self->{over}{$tag};
    return eval { $self->_jobs->from_records($self->_records([$tag])) } unless $since;
    $self->log("HTCondor answers, and has $tag neither in the queue nor in the history");
    return { tag => $tag, ids => [], is => 'unknown', at => int($since * 1000), note => 'unknown: HTCondor answers, but the job is in neither its queue nor its history, '
        . 'and nothing tells of its end. It is not ended for that: cancel it if it is gone.' };
}

# Of all jobs that were not forgotten.
sub _kept_tags {
    my ($self) = @_;
    opendir my $directory, $self->_files or die 'cannot read ' . $self->_files . ": $!\n";
    return map { /\A([0-9a-f-]{36})\.job\z/ ? $1 : () } readdir $directory;
}

# A job that is taken off its machine to be removed or held is not queued again in between.
sub _without_passing {
    my (%last, @kept);
    for my $event (reverse @_) {
        next if $event->{is} eq 'requeued' && ($last{ $event->{tag} } // '') =~ /\A(?:ended|suspended)\z/;
        $last{ $event->{tag} } = $event->{is};
        unshift @kept, $event;
    }
    return @kept;
}

# A job ends once, where the log and the history tell it in the same moment, or each of the two that HTCondor has of it.
sub _up_to_ends {
    my (%is_over, @kept);
    for my $event (@_) {
        push @kept, $event unless $is_over{ $event->{tag} };
        $is_over{ $event->{tag} } ||= $event->{is} eq 'ended';
    }
    return @kept;
}

sub _tell_holds {
    my ($self, $read) = @_;
    for (grep { $_->{type} == Jobgate::Condor::Jobs::HELD() } @$read) {
        $self->log("HTCondor holds $_->{id} ($_->{tag}): " . ($_->{HoldReason} // 'no reason given'));
    }
    return;
}

sub acknowledge {
    my ($self, $checkpoint) = @_;
    return if keys %{ $self->_log_reader->{at} } < 2 || $self->{count_is_unknown};
    my %needed = (%{ $self->_jobs->held }, map { $_ => 1 } values %{ $self->{live} // {} });
    # nothing may be lost that is not on the container's disk yet
    $self->_log_reader->tidy(\%needed) if $checkpoint eq $self->_log_reader->checkpoint({});
    return;
}

# --- parts ----------------------------------------------------------------------------------------------------------------------

sub _commands {
    my ($self) = @_;
    return $self->{commands} //= Jobgate::Commands->new(
        bin => $self->setting('condor_bin'), seconds => $self->setting('call_seconds', 48) / 3,
        environment => { CONDOR_CONFIG => $self->setting('condor_config') // $ENV{CONDOR_CONFIG} });
}

sub _missing {
    my ($self) = @_;
    return $self->{missing} //= Jobgate::Condor::Missing->new(commands => $self->_commands, words => \&Jobgate::Condor::Questions::question, ours => \&Jobgate::Condor::Questions::of_ours, records => \&Jobgate::Condor::Questions::records_of,
        interval => $self->setting('reconcile_interval', Jobgate::Condor::Missing::INTERVAL()),
        unknown_after => $self->setting('unknown_after', Jobgate::Condor::Missing::UNKNOWN_AFTER()));
}

sub _files {
    my ($self) = @_;
    my $path = $self->spool . '/jobs';
    -d $path or mkdir $path, 0700 or die "cannot make $path: $!\n";
    return $path;
}

sub _job        { my ($self, $tag) = @_; return Jobgate::SpoolFile->new($self->_files, $tag) }
sub _jobs       { my ($self) = @_; return $self->{jobs} //= Jobgate::Condor::Jobs->new($self->_files) }
sub _log_reader { my ($self) = @_; return $self->{log_reader} //= Jobgate::Condor::EventLog->new($self->spool, $self->setting('segment_bytes')) }

1;
