# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Adapter::Batch;

# What is common to the adapters of LRMs that are asked every few seconds how their jobs are. See the POD below for what an adapter gives.

use strict;
use warnings;

use parent 'Jobgate::Adapter';

use FindBin ();
use Jobgate::Commands       ();
use Jobgate::JobFile        ();
use Jobgate::Launcher       ();
use Jobgate::Poll           ();
use Jobgate::SpoolFile      ();
use Jobgate::Starter::Words ();
use Jobgate::System         ();
use Jobgate::WatchLog       ();

use constant {
    POLL_INTERVAL    => 5,        # seconds; setting poll_interval
    UNKNOWN_AFTER    => 1800,     # seconds; setting unknown_after
    SUBMIT_AT_ONCE   => 4,        # setting submit_at_once
    CALL_SECONDS     => 48,       # setting call_seconds
    BATCH            => 500,
    TAGS_PER_QUERY   => 200,
    CLOCK_SLACK      => 3600,     # seconds by which the clocks of gateway and LRM may differ
};

# --- what a subclass gives --------------------------------------------------------------------------------------------------------

sub lrm              { return ref($_[0]) =~ /(\w+)\z/ ? $1 : 'LRM' }
sub environment      { return {} }
sub refusal          { return }
sub submit_command   { return $_[0]->lacks('submit_command') }
sub submit_answer    { return $_[0]->lacks('submit_answer') }
sub listing_command  { return $_[0]->lacks('listing_command') }
sub parse_listing    { return $_[0]->lacks('parse_listing') }
sub record_commands  { return }
sub parse_records    { return $_[0]->lacks('parse_records') }
sub further_record_commands { return }
sub unclear_records  { return }
sub read_records     { return }
sub cancel_rows      { return $_[0]->lacks('cancel_rows') }
sub gone_after_cancel { return }
sub record_grace     { return 30 }

# --- submit -----------------------------------------------------------------------------------------------------------------------

sub submit {
    my ($self, $requests) = @_;
    # kept by the submitting commands too: where a worker died in the middle, nobody looks or submits before they have ended
    my $lock = $self->commands->lock($self->spool . '/submit.lock');
    my %answers;
    my @new = $self->without_known($requests, \%answers);
    my @jobs = grep { !$answers{ $_->{tag} } } map { $self->_prepared($_, \%answers) } @new;
    $_->{file}->write($_->{description}) for @jobs;
    my %given = $self->submit_some(\@jobs, $lock);
    $self->_accepted(map { { tag => $_, ids => $given{$_}{ids} } } grep { ($given{$_} // {})->{ids} } map { $_->{tag} } @jobs);
    my $known = $self->_log->jobs;
    for my $job (@jobs) {
        # the watch may have seen in the LRM what its command did not live to say
        my $seen = $known->{ $job->{tag} };
        my $answer = $answers{ $job->{tag} } = $seen ? { ids => $seen->{ids} } : $given{ $job->{tag} } // { unclear => $self->lrm . ' gave no answer' };
        $job->{file}->remove($job->{count}) if $answer->{refused};
    }
    return [ map { $answers{ $_->{tag} } } @$requests ];
}

# Those that the LRM does not have; the others are answered with their ids. What the log knows was accepted; only a job that was on its way
# before, or may have been, is asked for.
sub without_known {
    my ($self, $requests, $answers) = @_;
    my $known = $self->_log->jobs;
    for my $job (grep { $known->{$_} } map { $_->{tag} } @$requests) { $answers->{$job} = { ids => $known->{$job}{ids} } }
    my @doubtful = map { $_->{tag} } grep { !$answers->{ $_->{tag} } && ($_->{may_exist} || $self->job_file($_->{tag})->is_there) } @$requests;
    my ($found, $unclear) = @doubtful ? $self->_find(\@doubtful) : ([], {});
    $self->_accepted(@$found);
    $answers->{ $_->{tag} } = { ids => $_->{ids} } for @$found;
    $answers->{$_} = { unclear => $unclear->{$_}, alone => 1 } for keys %$unclear;
    return grep { !$answers->{ $_->{tag} } } @$requests;
}

sub _prepared {
    my ($self, $request, $answers) = @_;
    my $spec = $self->description($request);
    if (my $fault = $self->refusal($spec)) { $answers->{ $request->{tag} } = { refused => $fault } }
    return { %$request, spec => $spec, file => $self->job_file($request->{tag}), count => $spec->{count} || 1 };
}

# tag => answer for each; here by one command each, some at once. The lock is for the commands to keep. The watch goes on meanwhile, and may see
# a job end before the last is submitted: what was accepted up to then is noted first.
sub submit_some {
    my ($self, $jobs, $lock) = @_;
    my (%answers, @accepted);
    my @commands = map { my ($command, %with) = $self->submit_command($_); [ $command, %with, keep => $lock ] } @$jobs;
    my $ended = sub {
        my ($number, $done) = @_;
        my $tag = $jobs->[$number]{tag};
        my $answer = $answers{$tag} = $self->submit_answer($done, $jobs->[$number]);
        push @accepted, { tag => $tag, ids => $answer->{ids} } if $answer->{ids};
    };
    my $meanwhile = $self->{meanwhile} && sub { $self->_accepted(splice @accepted); $self->{meanwhile}->() };
    $self->commands->run_all($self->setting('submit_at_once', SUBMIT_AT_ONCE), \@commands, ended => $ended, meanwhile => $meanwhile);
    return %answers;
}

# A job is queued when the LRM has taken it: that comes first of all that is told of it, and once.
sub _accepted {
    my ($self, @jobs) = @_;
    my $now   = Jobgate::System::now_ms();
    my $known = $self->_log->jobs;
    my @new   = grep { !$known->{ $_->{tag} } } @jobs;
    $self->_log->add(map { { tag => $_->{tag}, ids => $_->{ids}, is => 'queued', at => _earlier($now, $_->{at}) } } @new);
    $self->_poll->accepted(map { $_->{tag} } @new);
    return;
}

sub _earlier { my ($now, $at) = @_; return defined $at && $at > 0 && $at < $now ? $at : $now }

# --- questions --------------------------------------------------------------------------------------------------------------------

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

# The rows of the records of these jobs, and tag => why for those of which they gave no clear answer: one that fails says nothing against the others.
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
    # one that ended because another had claimed the job says nothing of the job
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
    # a job in a state that nobody knows is there: it counts as what it was
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
    my %end = map { $_ => $row->{$_} } grep { defined $row->{$_} } qw(cause exit signal wall fault sentence remedy attribute value command command_exit output);
    if ($left && $end{cause} =~ /\A(?:EXITED|SIGNALLED)\z/ && !agrees($row, $left)) {
        $self->log("$row->{tag}: the job's own record of its end is not that of " . $self->lrm . ', which counts');
        undef $left;
    }
    if ($left) {
        # the LRM counts in seconds
        $end{wall} = $left->{ended} - $left->{started};
        if ($end{cause} =~ /\A(?:EXITED|SIGNALLED)\z/ && !defined $end{fault}) {
            delete @end{qw(exit signal)};
            $end{$_} = $left->{$_} for grep { defined $left->{$_} } qw(cause exit signal);
            %end = (%end, Jobgate::Starter::Words::fault(@{ $left->{why} })) if $left->{why};
        }
    }
    $end{cause} = 'EXITED' if $end{cause} eq 'SIGNALLED' && !$end{signal} && defined $end{exit};
    return %end;
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

# --- cancel, forget ---------------------------------------------------------------------------------------------------------------

sub cancel {
    my ($self, $jobs) = @_;
    my $lock  = $self->commands->lock($self->spool . '/submit.lock');
    my @tags  = map { $_->{tag} } @$jobs;
    my $known = $self->_log->jobs;
    my @asked = grep { !$known->{$_} || !$known->{$_}{end} } @tags;
    my ($all, $unclear) = @asked ? $self->_all_rows_of(\@asked) : ([], {});
    my @rows  = @$all;
    my %is    = map { $_->{tag} => 1 } @rows;
    my @live  = grep { $_->{is} ne 'ended' } @rows;
    # from now on its end may be ours, also if the answer is lost
    $self->_log->cancelled(time, map { $_->{tag} } @live);
    my %trouble = @live ? $self->cancel_rows(\@live) : ();
    $self->_poll->hurry;
    # one that the LRM takes after this cannot run without its files
    $self->job_file($_)->remove(1) for grep { !$is{$_} && !$known->{$_} && !$unclear->{$_} } @tags;
    return [ map { $unclear->{$_} ? { unclear => $unclear->{$_}, alone => 1 } : $self->_cancelled($_, $trouble{$_}, $is{$_}, $known->{$_}) } @tags ];
}

# A job that the LRM has taken and does not show was not reached: its listing may have been short. After so long that its owner was told that
# nobody knows it, his or an administrator's word is enough; what is left of it cannot start any more without its files.
sub _cancelled {
    my ($self, $tag, $trouble, $is_shown, $job) = @_;
    return { unclear => $trouble } if $trouble;
    return 'ending' if $is_shown || ($job && $job->{end});
    return 'not_there' unless $job;
    return { unclear => $self->lrm . ' does not show the job at present', alone => 1 } unless Jobgate::Poll::is_unknown($job);
    $self->log("$tag is given up: " . $self->lrm . ' still does not know it, and its end was asked for');
    $self->job_file($tag)->remove($self->job_file($tag)->count);
    return 'not_there';
}

sub forget {
    my ($self, $jobs) = @_;
    my @tags = map { $_->{tag} } @$jobs;
    for my $file (map { $self->job_file($_) } @tags) { $file->remove($file->count) }
    $self->_log->forget(time, @tags);
    $self->_poll->forget(@tags);
    return;
}

# Their files may be those of another LRM that had the same spool.
sub disown {
    my ($self, $tags) = @_;
    $self->_log->forget(time, @$tags);
    $self->_poll->disown(@$tags);
    return;
}

# --- the watch --------------------------------------------------------------------------------------------------------------------

sub follow {
    my ($self, $checkpoint) = @_;
    $self->_log->go_on_from($checkpoint);
    $self->{follows} = 1;
    $self->_poll->hurry;
    return;
}

sub events {
    my ($self) = @_;
    return unless $self->{follows};
    $self->_poll->go_on;
    my @batches;
    my $trouble = $self->trouble;
    # trouble is told with a batch, and with an empty one where there is no other
    push @batches, { events => [], behind => 0 } if $trouble ne ($self->{told_trouble} // '');
    $self->{told_trouble} = $trouble;
    while (my $batch = $self->_log->next_batch(BATCH)) { push @batches, $batch }
    return @batches;
}

sub handle   { my ($self) = @_; return $self->{follows} ? $self->_poll->handle : undef }
sub interval { my ($self) = @_; return $self->{follows} ? $self->_poll->interval : undef }
sub trouble  { my ($self) = @_; return $self->{poll} ? $self->{poll}->trouble : '' }
sub live     { my ($self) = @_; return $self->{log_reader} ? $self->{log_reader}->live : 0 }
sub status   { my ($self) = @_; return { live => $self->live, %{ $self->_poll->status } } }
sub close    { my ($self) = @_; delete $self->{poll}; return }

# Asks what jobs there are, and leaves unread what the answer says of them: whoever probes follows none.
sub probe {
    my ($self) = @_;
    my $done = $self->commands->run($self->listing_command);
    die "$done->{name}: " . Jobgate::Commands::said($done) . "\n" if $done->{exit} != 0;
    return $done->{name};
}

# --- parts ------------------------------------------------------------------------------------------------------------------------

sub commands {
    my ($self) = @_;
    return $self->{commands} //= Jobgate::Commands->new(bin => scalar $self->command_directory, environment => $self->environment,
        seconds => $self->setting('call_seconds', CALL_SECONDS) / 3);
}

# Where the files of this job are; without a tag, those of new jobs. A job that began in the former spool finds its files there.
sub files {
    my ($self, $tag) = @_;
    if (defined $tag && defined(my $former = $self->former_spool)) { return "$former/jobs" if -e "$former/jobs/$tag.job" }
    return $self->{files} if defined $self->{files};
    my $path = $self->spool . '/jobs';
    -d $path or mkdir $path, 0700 or die "cannot make $path: $!\n";
    return $self->{files} = $path;
}

sub job_file { my ($self, $tag) = @_; return Jobgate::SpoolFile->new($self->files($tag), $tag) }

# The words by which the LRM starts our launcher for the whole job; they hold nothing of a client. Behind them may stand the command that
# spreads the processes over the job's machines.
sub launcher {
    my ($self, $tag, @spread) = @_;
    my @words = ($^X, "$FindBin::RealBin/jobgate-job", $self->files($tag), $tag, 'all', @spread);
    for my $word (@words) { die "the path $word holds characters that a job script cannot have\n" unless $word =~ m{\A[A-Za-z0-9_./+\@:,=-]+\z} }
    return @words;
}

# A script for the LRM whose only line of work is the launcher.
sub script {
    my ($self, $tag, @spread) = @_;
    return "#!/bin/sh\nexec " . join(' ', $self->launcher($tag, @spread)) . "\n";
}

sub account { my ($self) = @_; return $self->{account} //= (getpwuid $>)[0] // $> }
sub _log    { my ($self) = @_; return $self->{log_reader} //= Jobgate::WatchLog->new($self->spool, $self->former_spool) }
sub _poll   { my ($self) = @_; return $self->{poll} //= Jobgate::Poll->new($self) }

1;

__END__

=head1 NAME

Jobgate::Adapter::Batch - base of the adapters for LRMs that are polled

=head1 SYNOPSIS

    package Jobgate::Adapter::Mine;
    use parent 'Jobgate::Adapter::Batch';

    sub environment      { my ($self) = @_; return { MINE_CONF => $self->setting('mine_conf') } }
    sub submit_command   { my ($self, $job) = @_; return ([ 'msub', '-N', name_of($job->{tag}) ], text => $self->script($job->{tag})) }
    sub submit_answer    { my ($self, $done, $job) = @_; ... return { ids => [ $id ] } }
    sub listing_command  { my ($self) = @_; return [ 'mstat', '-u', $self->account ] }
    sub parse_listing    { my ($self, $done) = @_; ... return \@rows }
    sub record_commands  { my ($self, $jobs) = @_; return map { [ 'macct', $_->{ids}[0] ] } @$jobs }
    sub parse_records    { my ($self, $done, $jobs) = @_; ... return \@rows }
    sub cancel_rows      { my ($self, $rows) = @_; ... return %trouble }
    1;

=head1 WHAT IT DOES

C<submit> holds the lock on F<submit.lock> in the spool, which the submitting commands inherit; looks jobs up that may be there; writes the
job's files (L<Jobgate::JobFile>); asks the subclass; notes what was accepted in F<watch.log> (L<Jobgate::WatchLog>). The watch
(L<Jobgate::Poll>) runs one listing each C<poll_interval> seconds while jobs live, in the background, tells what has changed, and asks the
records for the jobs that a good listing does not show. What the LRM starts is F<jobgate-job> (L<Jobgate::Launcher>), which leaves the end.

=head1 WHAT A SUBCLASS GIVES

A I<job> is C<{ tag, description (encoded), spec (decoded), count (processes), file (Jobgate::JobFile) }>. What a command did is
C<{ name, words, exit, out, err }>, exit -1 where it was given up. A I<row> is what the LRM says of one job:

    { tag, id, is => 'queued' | 'started' | 'suspended' | 'ended' | 'unknown', at (ms, of the change; optional), queued, began (ms; optional),
      note (why it waits or is held, where that says more than that it waits; optional) }

and where C<is> is C<ended>: C<cause> (L<Jobgate::Adapter/EVENTS>; EXITED or SIGNALLED where the LRM says no more: then the job's own record goes
first), and what is known of C<exit>, C<signal>, C<wall> (ms), a fault and evidence; C<ask> where a record says more of the end than the listing;
and C<may_be_old> where a record that shows a living job may be behind the times. C<unknown> (a state that the adapter does not know) changes nothing.

=over

=item environment, command_directory

What its commands need besides PATH and HOME; where they are (undef: PATH). LC_ALL is C, TZ is UTC.

=item refusal($spec)

A fault if the LRM is known not to take such a job, else nothing.

=item submit_command($job), submit_answer($done, $job)

The command as a list, and C<< text => ... >> for its standard input; the answer (L<Jobgate::Adapter/submit>). C<script($tag, @spread)> is a
script that starts the launcher. C<submit_at_once> of them run at a time. Or override C<submit_some(\@jobs, $lock)>, which answers C<< tag => answer >>.

=item listing_command, parse_listing($done)

One command for all jobs of the account that live (and, where the LRM can, those that ended lately); its rows. Rows of other accounts and of
no tag are left out. A row may be the same reference as in the listing before, where nothing of it has changed: that saves work. It dies with a sentence if the output is not whole and plausible: then nothing changes, and the sentence is in C<trouble>.

=item record_commands(\@jobs), parse_records($done, \@jobs), or read_records(\@jobs)

For jobs that the listing does not show, C<{ tag, ids, since }> (seconds: nothing older can be theirs): commands and their rows, or rows at once.
C<parse_records> dies if the answer is none: then nothing is concluded of the jobs that have no row. C<< $done->{words} >> are those of the command.

=item further_record_commands(\@jobs), unclear_records(\@jobs)

What is still to be asked when the answers to those commands are parsed; nothing in the end. And C<< tag => why >> for the jobs of which all answers
together said neither that they are there nor that they are not: of the others it is concluded.

=item cancel_rows(\@rows)

Ends them; answers C<< tag => why >> for those of which it is not clear.

=item gone_after_cancel, record_grace

Seconds after which a job that we cancelled, that listings do not show and records do not know, counts as cancelled (undef: never; for LRMs without a
record of a job that is cancelled before it runs); seconds for which the LRM's record is waited for before the job's own counts (30).

=item programs

The LRM's commands that the adapter calls, for C<jobgate doctor>.

=item capabilities, queues

As for every adapter.

=back

=cut
