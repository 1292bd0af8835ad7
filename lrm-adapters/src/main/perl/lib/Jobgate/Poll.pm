# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Poll;

# The watch of a polled adapter: every few seconds one listing of all jobs of the account, in the background, and sooner where the jobs' own
# files show that something has happened; and for jobs that it does not show, a question to the records. A job is over by positive evidence
# only: the LRM's word, or the record that the job itself left.

use strict;
use warnings;

use Scalar::Util ();
use Time::HiRes  ();
use Jobgate::System ();

use constant {
    JOBS_PER_ROUND => 500,      # missing jobs that one round asks the records for
    RUNNING_WAIT   => 0.5,      # seconds between two looks at a command whose output is not readable
    LEAST_WAIT     => 0.05,
    MOST_BACK_OFF  => 12,       # times the interval, while the LRM does not answer
    ASK_SECONDS    => 10,       # for which a record is waited for that says more of an end than the listing
    SOONEST        => 1,        # seconds between two listings when something happens, setting poll_soonest; not sooner than
    SHARE          => 50,       # times as long as the last round took: so it costs at most 2 % of the time
    LOOK           => 0.5,      # seconds between two looks at the jobs' files
    SETTLE         => 2,        # seconds after a change there in which the LRM learns of it: a listing that begins later has seen it
    LEAST_ANSWERS  => 3,        # good answers of listing and records that do not know a job before its owner is told
    UNKNOWN        => 'unknown: ',
    MOST_DISOWNED  => 10_000,   # more are written by nobody but a job of the account's own
};

sub new {
    my ($class, $adapter) = @_;
    my $self = bless { adapter => $adapter, due => 0, soonest => 0, began => 0, stirred => 0, unseen => undef, looked => '', accepted => {}, missing => {}, disowned => {}, failures => 0, trouble => '', queue => [] }, $class;
    Scalar::Util::weaken($self->{adapter});
    return $self;
}

# Jobs that a listing which began before now need not show.
sub accepted {
    my ($self, @tags) = @_;
    @{ $self->{accepted} }{@tags} = (Time::HiRes::time()) x @tags;
    return;
}

sub forget {
    my ($self, @tags) = @_;
    delete @{ $self->{$_} }{@tags} for qw(accepted missing not_found);
    return;
}

# The LRM may list these; they are another's jobs all the same, and are not taken up again.
sub disown {
    my ($self, @tags) = @_;
    $self->forget(@tags);
    $self->{disowned} = {} if keys %{ $self->{disowned} } > MOST_DISOWNED;
    @{ $self->{disowned} }{@tags} = (1) x @tags;
    return;
}

sub has_disowned { my ($self, $tag) = @_; return $self->{disowned}{$tag} }

# The next round begins at once.
sub hurry { $_[0]{due} = 0; return }

sub handle { my ($self) = @_; return $self->{running} ? $self->{running}->handle : undef }

# Seconds until there is something to do; undef where there is nothing.
sub interval {
    my ($self) = @_;
    return RUNNING_WAIT if $self->{running};
    return unless $self->{adapter}->live;
    my $left = $self->{due} - Time::HiRes::time();
    return $left > LOOK ? LOOK : $left > LEAST_WAIT ? $left : LEAST_WAIT;
}

# Whether the next listing is due: by the interval, or because a job has left or begun something in its files. However long a listing has to
# wait for its share, the change is not forgotten; and however many changes follow it, it does not wait for the last.
sub _is_due {
    my ($self) = @_;
    my $now = Time::HiRes::time();
    return 1 if $now >= $self->{due};
    my $changed = (Time::HiRes::stat($self->{adapter}->files))[9] // 0;
    if ($changed ne $self->{looked}) {
        @$self{qw(looked stirred)} = ($changed, $now);
        $self->{unseen} //= $now;
    }
    return if $now < $self->{soonest} || $self->{began} >= $self->{stirred} + SETTLE;
    return !defined $self->{unseen} || $now - $self->{unseen} >= LEAST_WAIT;
}

sub trouble { return $_[0]{trouble} }

sub status {
    my ($self) = @_;
    my %status = (missing => scalar keys %{ $self->{missing} }, interval_ms => int($self->_every * 1000));
    $status{polled_at} = int($self->{polled_at} * 1000) if $self->{polled_at};
    $status{lag_ms}    = int((Time::HiRes::time() - $self->{polled_at}) * 1000) if $self->{polled_at};
    $status{poll_ms}   = int($self->{took} * 1000) if defined $self->{took};
    return \%status;
}

sub _every { my ($self) = @_; return $self->{adapter}->setting('poll_interval', Jobgate::Adapter::Batch::POLL_INTERVAL()) }

# Does what can be done without waiting.
sub go_on {
    my ($self) = @_;
    if ($self->{running}) {
        my $done = $self->{running}->finished // return;
        my $begun = (delete $self->{running})->begun;
        eval { $self->{step}->($done, $begun); 1 } or $self->_failed($@);
    }
    elsif (!$self->{adapter}->live) {
        # its age does not matter while there is nothing to ask
        delete $self->{polled_at};
    }
    elsif ($self->_is_due) {
        @$self{qw(began unseen)} = (Time::HiRes::time(), undef);
        eval { $self->_begin($self->{adapter}->listing_command, \&_listed); 1 } or $self->_failed($@);
    }
    return;
}

sub _begin {
    my ($self, $command, $code) = @_;
    Scalar::Util::weaken(my $weak = $self);
    $self->{step}    = sub { $code->($weak, @_) };
    $self->{running} = $self->{adapter}->commands->start($command);
    return;
}

sub _failed {
    my ($self, $why) = @_;
    chomp $why;
    $self->{adapter}->log($self->{adapter}->lrm . " cannot be watched at present: $why") if $self->{trouble} ne $why;
    $self->{trouble} = $why;
    $self->{due} = Time::HiRes::time() + $self->_back_off(++$self->{failures});
    return;
}

# Seconds to wait after so many failures in a row.
sub _back_off {
    my ($self, $failures) = @_;
    my $times = 2 ** ($failures < 5 ? $failures - 1 : 4);
    return $self->_every * ($times < MOST_BACK_OFF ? $times : MOST_BACK_OFF);
}

# trouble: of the records, where they gave no answer
sub _round_is_over {
    my ($self, $trouble) = @_;
    @$self{qw(trouble failures)} = ($trouble // '', 0);
    @$self{qw(records_trouble record_failures)} = ('', 0) unless defined $trouble;
    my $now = Time::HiRes::time();
    $self->{due} = $now + $self->_every;
    my $share   = SHARE * ($now - $self->{began});
    my $soonest = $self->{adapter}->setting('poll_soonest', SOONEST);
    $self->{soonest} = $now + ($share > $soonest ? $share : $soonest);
    return;
}

# --- a listing --------------------------------------------------------------------------------------------------------------------

sub _listed {
    my ($self, $done, $begun) = @_;
    my $adapter = $self->{adapter};
    my $jobs = $adapter->_log->jobs;
    my $rows = $adapter->_chosen([ grep { !$_->{is_strange} || $jobs->{ $_->{tag} } } @{ $adapter->parsed_listing($done) } ]);
    $self->_adopt($rows, $jobs);
    my (@events, @missing, %shown, @read);
    keys %$jobs;    # begins anew, whatever went wrong before
    while (my ($tag, $job) = each %$jobs) {
        next if $job->{is} eq 'ended';
        my $row = $rows->{$tag};
        if (!$row) { push @missing, $tag if ($self->{accepted}{$tag} // 0) < $begun }
        # an end of which the records say more: who cancelled the job behind our back
        elsif ($row->{ask} && !$job->{cancelled}) { $shown{$tag} = $row }
        elsif (!$row->{is_told}) {
            push @events, $self->_changes($row, $job);
            push @read, $row;
            delete $self->{missing}{$tag};
        }
        elsif (%{ $self->{missing} }) { delete $self->{missing}{$tag} }
    }
    $adapter->_log->add(@events);
    $_->{is_told} = 1 for @read;
    $self->{shown} = \%shown;
    $self->{shown_since} = { map { $_ => $self->{shown_since}{$_} // $begun } keys %shown };
    push @missing, keys %shown;
    $self->{missing}{$_} //= $begun for @missing;
    @$self{qw(polled_at took)} = ($begun, Time::HiRes::time() - $begun);
    return $self->_ask_records(\@missing, $jobs);
}

# A job whose files are here and that the log does not know: its worker died between the LRM's answer and ours.
sub _adopt {
    my ($self, $rows, $jobs) = @_;
    my @found;
    for my $row (values %$rows) {
        next if $jobs->{ $row->{tag} };
        if ($self->{disowned}{ $row->{tag} }) { $row->{is_strange} = 1; next }
        # written before the job is submitted: what is not there now does not come
        if ($self->{adapter}->job_file($row->{tag})->is_there) { push @found, $row }
        else                                                   { $row->{is_strange} = 1 }
    }
    $self->{adapter}->_accepted(map { { tag => $_->{tag}, ids => [ $_->{id} ], at => $_->{queued} } } @found);
    return;
}

# The events that lead from what was told to what the row says.
sub _changes {
    my ($self, $row, $job) = @_;
    my ($is, $told) = ($row->{is}, $job->{is});
    return if $is eq 'unknown';
    return $self->_ended($row, $job) if $is eq 'ended';
    my $is_same = $is eq $told || ($is eq 'queued' && $told eq 'requeued');
    return if $is_same && ($row->{note} // '') eq $job->{note};
    my $adapter = $self->{adapter};
    if (!$is_same && $is eq 'queued') {
        # what it left of the run that was broken off is no end any more
        $adapter->job_file($row->{tag})->clean(0);
        $row = { %$row, is => 'requeued', at => undef };
    }
    my $event = $adapter->event_of($row);
    $event->{at} = $job->{at} if $event->{at} < $job->{at};
    return $event;
}

# A short job may be over before a listing showed it running, and one that was held before a listing showed that it was released. One that was suspended
# while it ran began before that.
sub _ended {
    my ($self, $row, $job) = @_;
    my $event = $self->{adapter}->event_of($row);
    my $began = $row->{began} // 0;
    my $waited = $job->{is} =~ /\A(?:re)?queued\z/ || ($job->{is} eq 'suspended' && $began > $job->{at});
    my @events = $began && $waited && $event->{cause} ne 'NOT_STARTED'
        ? { tag => $row->{tag}, ids => $event->{ids}, is => 'started', at => $began < $job->{at} ? $job->{at} : $began } : ();
    my $least = @events ? $events[0]{at} : $job->{at};
    $event->{at} = $least if $event->{at} < $least;
    return (@events, $event);
}

# --- jobs that the listing does not show -------------------------------------------------------------------------------------------

# Those that were asked for longest ago come first; the others wait for the next rounds.
sub _ask_records {
    my ($self, $missing, $jobs) = @_;
    my @some = sort { ($self->{asked}{$a} // 0) <=> ($self->{asked}{$b} // 0) } @$missing;
    splice @some, JOBS_PER_ROUND if @some > JOBS_PER_ROUND;
    $self->{asked} = { map { $_ => $self->{asked}{$_} } grep { exists $self->{asked}{$_} } @$missing };
    return $self->_round_is_over unless @some;
    return $self->_round_is_over($self->{records_trouble}) if $self->{record_failures} && Time::HiRes::time() < $self->{records_due};
    $self->{asked}{$_} = Time::HiRes::time() for @some;
    my $asked = [ map { { tag => $_, ids => $jobs->{$_}{ids}, since => Jobgate::Questions::made_at($_) - Jobgate::Questions::CLOCK_SLACK() } } @some ];
    delete $self->{why};
    my @records = eval { $self->{adapter}->read_records($asked) };
    $self->{why} = $@ if $@;
    $self->{queue} = [ $self->{adapter}->record_commands($asked) ];
    return $self->_next_records($asked, \@records);
}

# If one command gave no answer, the answers of the others count all the same.
sub _next_records {
    my ($self, $asked, $records) = @_;
    push @{ $self->{queue} }, $self->{adapter}->further_record_commands($asked) unless @{ $self->{queue} };
    my $command = shift @{ $self->{queue} } // return $self->_judge($asked, $records);
    $self->_begin($command, sub {
        my ($poll, $done) = @_;
        eval { push @$records, @{ $poll->{adapter}->parsed_records($done, $asked) }; 1 } or $poll->{why} //= $@;
        $poll->_next_records($asked, $records);
    });
    return;
}

sub _judge {
    my ($self, $asked, $records) = @_;
    my $adapter = $self->{adapter};
    my $rows = $adapter->_chosen([ grep { $_->{is} eq 'ended' } @$records ]);
    my $jobs = $adapter->_log->jobs;
    # a listing that does not show a job of which the records say that it lives was not a good one
    delete @{ $self->{missing} }{ map { $_->{tag} } grep { $_->{is} =~ /\A(?:queued|started|suspended)\z/ && !$_->{may_be_old} } @$records };
    my $alive   = $adapter->_chosen([ grep { $_->{is} ne 'ended' && !$_->{may_be_old} } @$records ]);
    my $unclear = $adapter->unclear_of($asked, $records, $self->{why});
    my @events;
    for my $job (grep { $jobs->{ $_->{tag} } && $jobs->{ $_->{tag} }{is} ne 'ended' && !$unclear->{ $_->{tag} } } @$asked) {
        my ($tag, $known) = ($job->{tag}, $jobs->{ $job->{tag} });
        if (my $row = $rows->{$tag} // $self->_shown($tag) // $self->_evidence_of($tag, $known)) {
            push @events, $self->_ended($row, $known);
            delete $self->{missing}{$tag};
        }
        elsif ($alive->{$tag}) { push @events, $self->_changes($alive->{$tag}, $known) }
        else                   { push @events, $self->_unknown($tag, $known) }
    }
    # counted in a row: what was seen in between begins anew
    $self->{not_found} = { map { $_ => $self->{not_found}{$_} } grep { $self->{missing}{$_} } keys %{ $self->{not_found} } };
    $adapter->_log->add(@events);
    return defined $self->{why} ? $self->_records_failed($self->{why}) : $self->_round_is_over;
}

# The records are left alone for a while; the listing goes on: of most jobs it says all.
sub _records_failed {
    my ($self, $why) = @_;
    chomp $why;
    my $lrm = $self->{adapter}->lrm;
    $self->{adapter}->log("what became of jobs that $lrm does not list is not known at present: $why") if ($self->{records_trouble} // '') ne $why;
    $self->{records_due} = Time::HiRes::time() + $self->_back_off(++$self->{record_failures});
    return $self->_round_is_over($self->{records_trouble} = $why);
}

# The listing's word, where the records had time to say more.
sub _shown {
    my ($self, $tag) = @_;
    my $row = $self->{shown}{$tag} // return;
    return Time::HiRes::time() - $self->{shown_since}{$tag} >= ASK_SECONDS ? $row : undef;
}

# Where the LRM has no record: what the job itself left, once the LRM had time to say more; and our own cancel, where the LRM keeps nothing of
# a job that is cancelled.
sub _evidence_of {
    my ($self, $tag, $job) = @_;
    return if $self->{shown}{$tag};
    my $adapter = $self->{adapter};
    my $gone    = Time::HiRes::time() - ($self->{missing}{$tag} // Time::HiRes::time());
    my %row     = (tag => $tag, id => $job->{ids}[0] // '', is => 'ended', at => Jobgate::System::now_ms());
    if (my $left = $gone >= $adapter->record_grace && $adapter->row_of_file($tag)) {
        return { %$left, $job->{cancelled} && ($adapter->job_file($tag)->end_of // {})->{cause} eq 'SIGNALLED' ? (cause => 'CANCELLED') : () };
    }
    my $after = $adapter->gone_after_cancel($job);
    return $job->{cancelled} && defined $after && $gone >= $after ? { %row, cause => 'CANCELLED' } : undef;
}

# When the LRM has answered for a long time without knowing the job, its owner is told: the job may be gone for ever. It is not ended for
# that. Events: its state as it was last seen, with this as the reason.
sub _unknown {
    my ($self, $tag, $job) = @_;
    return if $self->{shown}{$tag} || is_unknown($job);
    my $since = $self->{missing}{$tag} // return;
    my $answers = ++$self->{not_found}{$tag};
    my $adapter = $self->{adapter};
    return if $answers < LEAST_ANSWERS || Time::HiRes::time() - $since < $adapter->setting('unknown_after', Jobgate::Adapter::Batch::UNKNOWN_AFTER());
    my $lrm = $adapter->lrm;
    $adapter->log("$tag (" . join(',', @{ $job->{ids} }) . ") is in neither the queue nor the records of $lrm, which answers");
    my $at = int($since * 1000);
    return { tag => $tag, ids => $job->{ids}, is => $job->{is}, at => $at > $job->{at} ? $at : $job->{at},
        note => UNKNOWN . "$lrm answers, but the job is in neither its queue nor its records, and left no end of its own. It is not ended for that: cancel it if it is gone." };
}

# Whether the owner of the job (Jobgate::WatchLog, jobs) was told that its state is unknown, and it was not seen since.
sub is_unknown { my ($job) = @_; return index($job->{note}, UNKNOWN) == 0 }

1;
