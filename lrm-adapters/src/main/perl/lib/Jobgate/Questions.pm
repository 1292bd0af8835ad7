# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Questions;

# How an adapter for a polled LRM asks for jobs by their tags, and what it makes of the rows that the LRM's listing and records give:
# the part of Jobgate::Adapter::Batch that reads. Its methods are those of the adapter.

use strict;
use warnings;

use Jobgate::Commands       ();
use Jobgate::JobFile        ();
use Jobgate::Starter::Words ();
use Jobgate::System         ();

use constant {
    TAGS_PER_QUERY => 200,
    CLOCK_SLACK    => 3600,     # seconds by which the clocks of gateway and LRM may differ
    WHOLE_SECONDS  => 2000,     # milliseconds by which a time in whole seconds, from their beginning to their end, may be off
};

# what a row or an event says of what a job used (Jobgate::Adapter, EVENTS)
our @USED = qw(cpu user_cpu system_cpu peak_memory slots hosts queue measured);

sub lookup {
    my ($self, $tags) = @_;
    my $lock  = $self->commands->lock($self->spool . '/submit.lock');
    my $known = $self->_log->jobs;
    my @over  = grep { $known->{$_} && $known->{$_}{end} } @$tags;
    my %over  = map { $_ => 1 } @over;
    my ($found, $unclear) = $self->_find([ grep { !$over{$_} } @$tags ]);
    my %found = map { $_->{tag} => 1 } @$found;
    my ($doubtful) = sort grep { !$known->{$_} } keys %$unclear;
    die "it is not clear whether $doubtful is there: $unclear->{$doubtful}\n" if defined $doubtful;
    # what the log knows was in the LRM, whatever it says of it at present
    my @unseen = grep { !$over{$_} && !$found{$_} && $known->{$_} } @$tags;
    # a job that it does not know is not watched, and its end would never be reported
    $self->_accepted(grep { $self->_is_ours_unknown($_->{tag}, $known) } @$found);
    return [ (map { $known->{$_}{end} } @over), @$found, map { { tag => $_, %{ $known->{$_} }{qw(ids is at)} } } @unseen ];
}

# What the LRM, and where it has forgotten the job its files, say of these tags: an event for each that is known, and tag => why for those of which its
# records gave no clear answer. Dies without a clear listing.
sub _find {
    my ($self, $tags) = @_;
    my @left = @$tags;
    my (@found, %unclear);
    while (my @some = splice @left, 0, TAGS_PER_QUERY) {
        my ($all, $doubts) = $self->_all_rows_of(\@some);
        my $rows = $self->_chosen($all);
        push @found, map { $self->event_of($rows->{$_}) } grep { $rows->{$_} } @some;
        %unclear = (%unclear, %$doubts);
    }
    return (\@found, \%unclear);
}

# All rows of these tags, and tag => why for those of which there is no clear answer. The live listing is asked first, so that a job that goes from it to
# the records in between is not missed.
sub _all_rows_of {
    my ($self, $tags) = @_;
    my %asked = map { $_ => 1 } @$tags;
    my @rows  = grep { $asked{ $_->{tag} } } @{ $self->_listing };
    my $shown = $self->_chosen(\@rows);
    my @rest  = map { { tag => $_, ids => ($self->_log->{jobs}{$_} // {})->{ids} // [], since => made_at($_) - CLOCK_SLACK } } grep { !$shown->{$_} } @$tags;
    my ($records, $unclear) = @rest ? $self->_rows_of_records(\@rest) : ([], {});
    my $recorded = $self->_chosen($records);
    my @left = map { $self->row_of_file($_) } grep { !$shown->{$_} && !$recorded->{$_} && !$unclear->{$_} } @$tags;
    return ([ @rows, @$records, @left ], $unclear);
}

# tag => answer, for those of these tags that the LRM was asked to hold and that are not held for all that is seen: the job may have begun between the look
# and the order, and LRMs take an order to hold a job that runs. One that still waits is none of them: the LRM has taken the order.
sub not_held {
    my ($self, @tags) = @_;
    my ($all, $unclear) = eval { $self->_all_rows_of(\@tags) };
    if (!$all) {
        my $why = $@ =~ s/\n\z//r;
        return map { $_ => { unclear => "whether the job is held is not clear: $why", alone => 1 } } @tags;
    }
    my $rows = $self->_chosen($all);
    my %answer;
    for my $tag (@tags) {
        my $row = $rows->{$tag};
        if    (defined $unclear->{$tag}) { $answer{$tag} = { unclear => $unclear->{$tag}, alone => 1 } }
        elsif (!$row || $row->{is} eq 'unknown') { $answer{$tag} = { unclear => $self->lrm . ' does not say whether the job is held', alone => 1 } }
        elsif ($row->{is} eq 'started') { $answer{$tag} = { refused => $self->runs_already } }
    }
    return %answer;
}

# Jobs that the LRM has, and that the log does not know because the answer to their submission was lost: from now on they are watched.
sub _take_up {
    my ($self, @rows) = @_;
    my $known = $self->_log->jobs;
    my %new = map { $_->{tag} => { tag => $_->{tag}, ids => [ $_->{id} ], at => $_->{queued} } } grep { $self->_is_ours_unknown($_->{tag}, $known) } @rows;
    $self->_accepted(values %new);
    return;
}

sub _is_ours_unknown {
    my ($self, $tag, $known) = @_;
    return !$known->{$tag} && !$self->_poll->has_disowned($tag) && $self->job_file($tag)->is_there;
}

# tag => answer, for those of these tags that began before the order to hold them came (not_held). Some LRMs keep the hold all the same, for
# when they start the job anew: it is taken off.
sub _begun {
    my ($self, $tags, $rows) = @_;
    my %answer = $self->not_held(@$tags);
    my @begun = map { { %$_, is => 'suspended', held => 1 } } grep { ($answer{ $_->{tag} } // {})->{refused} } @$rows;
    my %trouble = @begun ? $self->resume_rows(\@begun) : ();
    for my $tag (sort keys %trouble) {
        my $why = $trouble{$tag}{unclear} // $trouble{$tag}{refused}{sentence} // '';
        $self->log("$tag began before it could be held; whether " . $self->lrm . " keeps a hold for its next start is not known: $why");
    }
    return %answer;
}

sub _listing {
    my ($self) = @_;
    return $self->parsed_listing($self->commands->run($self->listing_command));
}

# The rows of a listing command that is over; dies with a sentence if its answer is not a whole and plausible one.
sub parsed_listing {
    my ($self, $done) = @_;
    die "$done->{name}: " . Jobgate::Commands::said($done) . "\n" if $done->{exit} != 0;
    return $self->parse_listing($done);
}

# The rows of the records of these jobs, and tag => why for those of which they gave no clear answer: a failed one does not affect the others.
sub _rows_of_records {
    my ($self, $jobs) = @_;
    my (@rows, $why);
    my $try = sub { my ($code) = @_; eval { push @rows, $code->(); 1 } or $why //= $@ =~ s/\n\z//r };
    my @commands = $self->record_commands($jobs);
    while (@commands) {
        my @done = map { $self->commands->run($_) } @commands;
        for my $done (@done) { $try->(sub { @{ $self->parsed_records($done, $jobs) } }) }
        @commands = $self->further_record_commands($jobs);
    }
    $try->(sub { my @read = $self->read_records($jobs); unshift @rows, splice @read; return });
    return (\@rows, $self->unclear_of($jobs, \@rows, $why));
}

# tag => why, for the jobs without a row whose records gave no clear answer; why: what went wrong with a whole answer, if anything did.
sub unclear_of {
    my ($self, $jobs, $rows, $why) = @_;
    my %has = map { $_->{tag} => 1 } @$rows;
    my %of_one = $self->unclear_records($jobs);
    my %unclear = map { my $tag = $_->{tag}; $tag => $of_one{$tag} // $why } @$jobs;
    return { map { $_ => $unclear{$_} } grep { defined $unclear{$_} && !$has{$_} } keys %unclear };
}

sub parsed_records {
    my ($self, $done, $jobs) = @_;
    die "$done->{name}: " . Jobgate::Commands::said($done) . "\n" if $done->{exit} < 0 || $done->{exit} == 127;
    return $self->parse_records($done, $jobs);
}

# One row for each tag of ours: its last, of the id that is meant.
sub _chosen {
    my ($self, $rows) = @_;
    my $known = $self->_log->{jobs};
    my (%chosen, %more);
    for my $row (@$rows) {
        my $tag = $row->{tag};
        # nearly always there is one, of the id that we know
        my $job = $known->{$tag};
        if ($job && !$chosen{$tag} && !$more{$tag} && ($job->{ids}[0] // '') eq $row->{id} && ($row->{exit} // 0) != Jobgate::JobFile::TWIN()) { $chosen{$tag} = $row }
        else { push @{ $more{$tag} }, delete $chosen{$tag} // (), $row }
    }
    for my $tag (keys %more) { $chosen{$tag} = $self->choose($tag, $more{$tag}) // next }
    return \%chosen;
}

# A job may be in the LRM twice, where the answer to a submission was lost and the LRM took it after we had looked: the row is of the id that
# runs the job, by its own claim, else of the one that we know.
sub choose {
    my ($self, $tag, $rows) = @_;
    my $known = ($self->_log->{jobs}{$tag} // {})->{ids}[0];
    return $rows->[0] if @$rows == 1 && (!defined $known || $rows->[0]{id} eq $known) && ($rows->[0]{exit} // 0) != Jobgate::JobFile::TWIN();
    my $claimed = $self->job_file($tag)->claimed_by;
    # a launcher that ended because another had claimed the job does not tell about the job
    my @meant = grep { ($_->{exit} // 0) != Jobgate::JobFile::TWIN() || $_->{id} eq ($claimed // '') } @$rows;
    for my $id (grep { defined } $claimed, $known) {
        my @of_id = grep { $_->{id} eq $id } @meant;
        return $of_id[-1] if @of_id;
    }
    return defined $claimed || defined $known ? undef : $meant[0];
}

# The row that the job's own files stand for, where the job has left its end there.
sub row_of_file {
    my ($self, $tag) = @_;
    my $file = $self->job_file($tag);
    my $end  = $file->end_of or return;
    return { tag => $tag, id => $end->{id} // $file->claimed_by // '', is => 'ended', cause => 'EXITED', at => $end->{ended}, began => $end->{started} };
}

# A row as an event of ours.
sub event_of {
    my ($self, $row) = @_;
    my $at = $row->{at} || Jobgate::System::now_ms();
    # a job in an unknown state exists: it keeps the state that it had
    my $is = $row->{is} ne 'unknown' ? $row->{is} : ($self->_log->{jobs}{ $row->{tag} } // {})->{is} // 'queued';
    my %event = (tag => $row->{tag}, ids => [ $row->{id} ], is => $is, at => $at);
    $event{note} = $row->{note} if defined $row->{note} && $row->{is} ne 'ended';
    return $row->{is} eq 'ended' ? { %event, $self->_end_of($row) } : \%event;
}

# How it ended. The LRM's word goes first: the job can write its own record as it likes. That adds what the LRM does not see (why a process did not
# become the program, the wall-time limit that is watched to the second, a signal that became an exit code), where it agrees with the LRM.
sub _end_of {
    my ($self, $row) = @_;
    my $file = $self->job_file($row->{tag});
    my $left = $file->end_of;
    undef $left if $left && defined $left->{id} && length $row->{id} && $left->{id} ne $row->{id};
    my %end = map { $_ => $row->{$_} } grep { defined $row->{$_} } qw(cause exit signal wall fault sentence remedy attribute value command command_exit output), @USED;
    if ($left && $end{cause} =~ /\A(?:EXITED|SIGNALLED)\z/ && !agrees($row, $left)) {
        $self->log("$row->{tag}: the job's own record of its end is not that of " . $self->lrm . ', which counts');
        undef $left;
    }
    if ($left) {
        $end{wall} = wall_of($end{wall}, $left->{ended} - $left->{started});
        %end = (%end, _use_of_file($left, \%end));
        if ($end{cause} =~ /\A(?:EXITED|SIGNALLED)\z/ && !defined $end{fault}) {
            delete @end{qw(exit signal)};
            $end{$_} = $left->{$_} for grep { defined $left->{$_} } qw(cause exit signal);
            %end = (%end, Jobgate::Starter::Words::fault(@{ $left->{why} })) if $left->{why};
        }
    }
    $end{cause} = 'EXITED' if $end{cause} eq 'SIGNALLED' && !$end{signal} && defined $end{exit};
    return %end;
}

# How long it ran (ms): the LRM counts in whole seconds, the job's own record is finer, and counts as far as it agrees with the LRM.
sub wall_of {
    my ($told, $own) = @_;
    return !defined $told || abs($own - $told) <= WHOLE_SECONDS ? $own : $told;
}

# What the job itself has measured, for what the LRM does not say. Where that gives the CPU time, its parts are the LRM's too.
sub _use_of_file {
    my ($left, $end) = @_;
    my %own = (peak_memory => $left->{max_rss}, map({ $_ => $left->{$_} } qw(hosts queue slots)),
        defined $end->{cpu} || defined $end->{user_cpu} ? () : (user_cpu => $left->{user_cpu}, system_cpu => $left->{system_cpu}, measured => 'job'));
    return map { $_ => $own{$_} } grep { defined $own{$_} && !defined $end->{$_} } keys %own;
}

# Whether what the LRM says of an end, its exit code or signal, can be of a launcher (Jobgate::Launcher, end_as) that left this record. Where the
# LRM says neither there is nothing to compare.
sub agrees {
    my ($row, $left) = @_;
    my ($exit, $signal) = map { $_ || undef } @$row{qw(exit signal)};
    return 1 unless defined $row->{exit} || defined $signal;
    my $own_signal = $left->{signal};
    return defined $signal ? $signal == $own_signal : ($exit // 0) == 128 + $own_signal if $own_signal;
    my $own_exit = ($left->{exit} // 0) & 255;
    # some LRMs tell an exit code above 128 as a signal
    return $own_exit == 128 + $signal if defined $signal;
    return ($exit // 0) == $own_exit || (($exit // 0) == 1 && ($own_exit == 99 || $own_exit == 100));
}

# The seconds in a tag, which is a UUID of version 7: what ended before it was made cannot be its job.
sub made_at {
    my ($tag) = @_;
    return $tag =~ /\A([0-9a-f]{8})-([0-9a-f]{4})-7/ ? int((hex($1) * 65536 + hex $2) / 1000) : 0;
}

1;
