# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Adapter::Batch;

# What is common to the adapters of LRMs that are asked every few seconds how their jobs are. See the POD below for what an adapter gives.

use strict;
use warnings;

use parent 'Jobgate::Questions', 'Jobgate::Adapter';

use FindBin ();
use Jobgate::Commands       ();
use Jobgate::Launcher       ();
use Jobgate::Poll           ();
use Jobgate::Resources      ();
use Jobgate::SpoolFile      ();
use Jobgate::System         ();
use Jobgate::WatchLog       ();

use constant {
    POLL_INTERVAL    => 5,        # seconds; setting poll_interval
    UNKNOWN_AFTER    => 1800,     # seconds; setting unknown_after
    SUBMIT_AT_ONCE   => 4,        # setting submit_at_once
    CALL_SECONDS     => 48,       # setting call_seconds
    BATCH            => 500,
};

# --- what a subclass gives --------------------------------------------------------------------------------------------------------

sub lrm              { return ref($_[0]) =~ /(\w+)\z/ ? $1 : 'LRM' }
sub environment      { return {} }
sub refusal          { return }
sub resources        { return (Jobgate::Resources::limits(), Jobgate::Resources::commands()) }
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
sub suspend_rows     { return $_[0]->lacks('suspend_rows') }
sub resume_rows      { return $_[0]->lacks('resume_rows') }
sub gone_after_cancel { return }
sub record_grace     { return 30 }

# --- submit -----------------------------------------------------------------------------------------------------------------------

sub submit {
    my ($self, $requests) = @_;
    # kept by the submitting commands too: if a worker died in the middle, the next one neither looks nor submits before they have ended
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
    if (my $fault = Jobgate::Resources::refusal($spec, $self->lrm, $self->resources) // $self->refusal($spec)) { $answers->{ $request->{tag} } = { refused => $fault } }
    return { %$request, spec => $spec, file => $self->job_file($request->{tag}), count => $spec->{count} || 1 };
}

# tag => answer for each; here by one command each.
sub submit_some {
    my ($self, $jobs, $lock) = @_;
    return $self->submit_by($lock, map { my $job = $_; [ [ $self->submit_command($job) ], sub { return ($job->{tag} => $self->submit_answer($_[0], $job)) } ] } @$jobs);
}

# tag => answer, by these orders: a command with what it is given, and what answers of its jobs when it is done. Some run at once. The lock is for
# the commands to keep. The watch goes on meanwhile, and may see a job end before the last is submitted: what was accepted up to then is noted first.
sub submit_by {
    my ($self, $lock, @orders) = @_;
    my (%answers, @accepted);
    my @commands = map { my ($command, %with) = @{ $_->[0] }; [ $command, %with, keep => $lock ] } @orders;
    my $ended = sub {
        my ($number, $done) = @_;
        my %of = $orders[$number][1]->($done);
        @answers{ keys %of } = values %of;
        push @accepted, map { { tag => $_, ids => $of{$_}{ids} } } grep { $of{$_}{ids} } keys %of;
    };
    my $meanwhile = $self->{meanwhile} && sub { $self->_accepted(splice @accepted); $self->{meanwhile}->() };
    $self->commands->run_all($self->setting('submit_at_once', SUBMIT_AT_ONCE), \@commands, ended => $ended, meanwhile => $meanwhile);
    return %answers;
}

# A job is queued when the LRM has taken it: this event is the first of the job, and comes once.
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
    $self->_take_up(@live);
    # from now on its end may be ours, also if the answer is lost
    $self->_log->cancelled(time, map { $_->{tag} } @live);
    my %trouble = @live ? $self->cancel_rows(\@live) : ();
    $self->_poll->hurry;
    # one that the LRM takes after this cannot run without its files
    $self->job_file($_)->remove(1) for grep { !$is{$_} && !$known->{$_} && !$unclear->{$_} } @tags;
    return [ map { $unclear->{$_} ? { unclear => $unclear->{$_}, alone => 1 } : $self->_cancelled($_, $trouble{$_}, $is{$_}, $known->{$_}) } @tags ];
}

# A job that the LRM has taken and does not show counts as not reached: the listing may have been incomplete. Once the owner has been told that
# the LRM does not know the job, a cancel by the owner or an administrator ends it; without its files the job cannot start any more.
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

# --- suspend, hold, resume --------------------------------------------------------------------------------------------------------------

sub suspend { my ($self, $jobs) = @_; return $self->_asked_of_rows($jobs, 'suspend', sub { $_[0]{is} ne 'suspended' }) }
sub hold    { my ($self, $jobs) = @_; return $self->_asked_of_rows($jobs, 'hold',    sub { !$_[0]{held} }) }
sub resume  { my ($self, $jobs) = @_; return $self->_asked_of_rows($jobs, 'resume',  sub { $_[0]{is} eq 'suspended' }) }

# The LRM is asked only for the jobs that are not so already.
sub _asked_of_rows {
    my ($self, $jobs, $what, $is_meant) = @_;
    my $can = $self->capabilities->{suspends} // [];
    return [ map { { refused => $self->cannot_suspend } } @$jobs ] unless @$can;
    my @tags = map { $_->{tag} } @$jobs;
    my ($all, $unclear) = $self->_all_rows_of(\@tags);
    my $rows = $self->_chosen($all);
    my $known = $self->_log->jobs;
    $self->_take_up(grep { $_->{is} ne 'ended' } values %$rows);
    my (@asked, %answer);
    for my $tag (@tags) {
        my $row = $rows->{$tag};
        if    (defined $unclear->{$tag})          { $answer{$tag} = { unclear => $unclear->{$tag}, alone => 1 } }
        elsif (!$row && !$known->{$tag})          { $answer{$tag} = 'not_there' }
        elsif (!$row || $row->{is} eq 'unknown')  { $answer{$tag} = ($known->{$tag} // {})->{end} ? 'done' : { unclear => $self->lrm . ' does not say how the job is', alone => 1 } }
        elsif ($row->{is} eq 'ended' || !$is_meant->($row)) { $answer{$tag} = 'done' }
        elsif ($what eq 'hold' && $row->{is} =~ /\A(?:started|suspended)\z/) { $answer{$tag} = { refused => $self->runs_already } }
        elsif ($row->{is} eq 'started' && !grep { $_ eq 'active' } @$can) { $answer{$tag} = { refused => $self->cannot_suspend(1) } }
        else { push @asked, $row }
    }
    my $method = $what eq 'resume' ? 'resume_rows' : 'suspend_rows';
    my %trouble = @asked ? $self->$method(\@asked) : ();
    $self->_poll->hurry;
    my @unrefused = grep { !$trouble{$_} } map { $_->{tag} } @asked;
    %trouble = (%trouble, $self->_begun(\@unrefused, \@asked)) if $what eq 'hold' && @unrefused;
    $answer{ $_->{tag} } = $trouble{ $_->{tag} } // 'done' for @asked;
    return [ map { $answer{$_} } @tags ];
}

# tag => trouble for all these rows, of one command that failed; nothing where it did not. A complaint that fits the pattern is a refusal.
sub trouble_of {
    my ($self, $done, $rows, $refusal) = @_;
    return if $done->{exit} == 0;
    my $said = Jobgate::Commands::said($done);
    my $is_refused = $done->{exit} > 0 && "$done->{err}\n$done->{out}" =~ $refusal;
    my $answer = $is_refused ? { refused => Jobgate::Adapter::fault('LRM_REFUSED', $self->lrm . " did not do it: $said.", 'Ask the administrator.',
        command => $done->{name}, command_exit => $done->{exit}, output => substr $done->{err}, 0, 4096) } : { unclear => "$done->{name}: $said", alone => 1 };
    return map { $_->{tag} => $answer } @$rows;
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
    $self->_log->disown(time, @$tags);
    $self->_poll->disown(@$tags);
    return;
}

# --- the watch --------------------------------------------------------------------------------------------------------------------

sub follow {
    my ($self, $checkpoint) = @_;
    $self->_log->go_on_from($checkpoint, defined $self->setting('restored_at'));
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
    # trouble is reported with a batch, or with an empty batch if there is no other
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

# Asks for the listing of jobs and does not read it: a probe follows no jobs.
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
sub _log    { my ($self) = @_; return $self->{log_reader} //= Jobgate::WatchLog->new($self->spool, scalar $self->former_spool, scalar $self->setting('lrm_name')) }
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
      held (true of a job that is suspended and has not begun), note (why it waits or is held, where that says more than that it waits; optional) }

and where C<is> is C<ended>: C<cause> (L<Jobgate::Adapter/EVENTS>; EXITED or SIGNALLED where the LRM says no more: then the job's own record goes
first), and what is known of C<exit>, C<signal>, C<wall> (ms), a fault and evidence; C<ask> where a record says more of the end than the listing;
and C<may_be_old> where a record that shows a living job may be behind the times. C<unknown> (a state that the adapter does not know) changes nothing.

=over

=item environment, command_directory

What its commands need besides PATH and HOME; where they are (undef: PATH). LC_ALL is C, TZ is UTC.

=item resources

As for every adapter; here those that the launcher gives. A subclass adds its own: C<< return ($self->SUPER::resources, 'slots', ...) >>.

=item refusal($spec)

A fault if the LRM is known not to take such a job, else nothing.

=item submit_command($job), submit_answer($done, $job)

The command as a list, and C<< text => ... >> for its standard input; the answer (L<Jobgate::Adapter/submit>). C<script($tag, @spread)> is a
script that starts the launcher. C<submit_at_once> of them run at a time. Or override C<submit_some(\@jobs, $lock)>, which answers C<< tag => answer >>,
by C<submit_by($lock, @orders)> where one command submits several jobs; for job arrays of the LRM that is L<Jobgate::ArrayOrders>.

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

=item suspend_rows(\@rows), resume_rows(\@rows)

Suspends the jobs of these rows, which wait (also to hold them) or run, or lets these go on, which are suspended (C<held> says that such a job waits); answers
C<< tag => { refused => fault } or { unclear => 'why' } >> for those of which that was not done. Called where C<capabilities> says C<suspends>.
C<trouble_of($done, \@rows, qr/refusal/)> makes that of a command that failed.

=item gone_after_cancel($job), record_grace

Seconds after which a job (with its ids) that we cancelled, that listings do not show and records do not know, counts as cancelled (undef: never; for LRMs without a
record of a job that is cancelled before it runs); seconds for which the LRM's record is waited for before the job's own counts (30).

=item programs

The LRM's commands that the adapter calls, for C<jobgate doctor>.

=item capabilities, queues

As for every adapter.

=back

=cut
