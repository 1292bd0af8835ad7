# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Blah::Lrm;

# One grid type of jobgate-blahpd: what is asked of its LRM, some jobs at a time, and how all its jobs are, from the worker's watch. What the LRM does not
# answer clearly is asked again, for a while; a submission by its tag, so that it is made once.

use strict;
use warnings;

use POSIX       ();
use Time::HiRes ();
use Jobgate::Blah::Records ();
use Jobgate::Blah::Worker  ();
use Jobgate::Questions     ();

use constant {
    AT_ONCE      => 100,           # jobs of one request to the worker
    PATIENCE     => 240,           # seconds for which a request is repeated; HTCondor waits for 300
    PAUSE        => 2,             # seconds before it is asked again
    KEPT_SECONDS => 7 * 86_400,    # for which the end of a job is known
    TIDY_SECONDS => 3600,
    # after the end of a job: until then its own program may be deleting its directory, and would tell the job's owner of files that are gone
    CLEAR_SECONDS => 60,
};

# lrm: what Jobgate::Blah::Settings says; name: the grid type; log: code for sentences; closed: handles that are not the worker's
sub new {
    my ($class, %given) = @_;
    my $lrm  = delete $given{lrm};
    my $self = bless { %given, records => Jobgate::Blah::Records->new($lrm->{directory}), jobs => {}, of_id => {}, queues => {}, flying => {}, waiting => [] }, $class;
    $self->{worker} = Jobgate::Blah::Worker->new(adapter => $lrm->{adapter}, settings => $lrm->{settings}, log => $self->{log}, closed => $given{closed},
        told => sub { $self->_told(@_) }, ready => sub { $self->_ready });
    return $self;
}

sub name    { return $_[0]{name} }
sub records { return $_[0]{records} }
sub worker  { return $_[0]{worker} }
sub jobs    { return $_[0]{jobs} }

# --- what the worker tells --------------------------------------------------------------------------------------------------------

# A worker has started: it reports everything again, and events that we have already change nothing.
sub _ready {
    my ($self) = @_;
    $self->{is_whole} = $self->{is_asked} = 0;
    $self->{is_behind} = 0;
    $self->{worker}->ask('follow', {}, sub { });
    # served after what was there to be told, as far as that may be on its way
    $self->{worker}->ask('status', {}, sub { $self->{is_asked} = 1; $self->_whole });
    return;
}

sub _told {
    my ($self, $frame) = @_;
    for my $event (@{ $frame->{events} }) {
        my $job = $self->{jobs}{ $event->{tag} } //= {};
        next if $job->{end};
        @$job{qw(is at note)} = (@$event{qw(is at)}, $event->{note} // '');
        $job->{began} //= $event->{at} if $event->{is} eq 'started';
        $job->{end} = $event if $event->{is} eq 'ended';
        $self->_has_ids($event->{tag}, $event->{ids});
    }
    $self->{is_behind} = $frame->{behind};
    $self->_whole;
    return;
}

# Ids of LRMs come again: the youngest job is meant.
sub _has_ids {
    my ($self, $tag, $ids) = @_;
    return unless @{ $ids // [] };
    $self->{jobs}{$tag}{ids} = $ids;
    my $before = $self->{of_id}{ $ids->[0] };
    $self->{of_id}{ $ids->[0] } = $tag if !defined $before || $tag gt $before;
    return;
}

sub _whole {
    my ($self) = @_;
    return if $self->{is_whole} || $self->{is_behind} || !$self->{is_asked};
    $self->{is_whole} = 1;
    $_->{code}->() for splice @{ $self->{waiting} };
    return;
}

# Calls the code when all that the worker's log holds is known; with a sentence where that does not come to be.
sub when_whole {
    my ($self, $code) = @_;
    return $code->() if $self->{is_whole};
    push @{ $self->{waiting} }, { code => $code, until => Time::HiRes::time() + PATIENCE / 4 };
    return;
}

# The tag of the job that the LRM calls so; undef where there is none. An LRM of ours calls a job by its tag, and says more when it runs.
sub tag_of {
    my ($self, $id) = @_;
    return $self->{of_id}{$id} if defined $self->{of_id}{$id};
    return $id =~ /\A([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?::|\z)/ && $self->{jobs}{$1} ? $1 : undef;
}

# --- requests ---------------------------------------------------------------------------------------------------------------------

# submit (item: tag, description, may_exist), cancel, suspend or resume (item: tag, ids); the code gets (what the adapter answered) or (undef, why not).
sub ask {
    my ($self, $op, $item, $code) = @_;
    push @{ $self->{queues}{$op} }, { item => $item, code => $code, until => Time::HiRes::time() + PATIENCE, from => 0 };
    $self->_next($op);
    return;
}

sub _next {
    my ($self, $op) = @_;
    return if $self->{flying}{$op} || $self->{worker}->trouble ne '';
    my $now = Time::HiRes::time();
    my (@some, @later);
    for my $asked (@{ $self->{queues}{$op} }) {
        if (@some < AT_ONCE && $asked->{from} <= $now) { push @some, $asked }
        else                                           { push @later, $asked }
    }
    return unless @some;
    $self->{queues}{$op} = \@later;
    $self->{flying}{$op} = 1;
    $self->{worker}->ask($op, { jobs => [ map { $_->{item} } @some ] }, sub { $self->_answered($op, \@some, @_) });
    return;
}

sub _answered {
    my ($self, $op, $some, $answer) = @_;
    $self->{flying}{$op} = 0;
    my $failed  = $answer->{error} // $answer->{died};
    my @answers = @{ $answer->{answers} // [] };
    for my $number (0 .. $#$some) {
        my $asked = $some->[$number];
        my $said  = $answers[$number] // { unclear => $failed // 'the adapter gave no answer' };
        if (ref $said && defined $said->{unclear}) { $self->_again($op, $asked, $said->{unclear}) }
        else {
            $self->_has_ids($asked->{item}{tag}, $said->{ids}) if ref $said && $said->{ids};
            $asked->{code}->($said);
        }
    }
    $self->_next($op);
    return;
}

sub _again {
    my ($self, $op, $asked, $why) = @_;
    chomp $why;
    $asked->{item}{may_exist} = 1 if $op eq 'submit';
    @$asked{qw(from why)} = (Time::HiRes::time() + PAUSE, $why);
    push @{ $self->{queues}{$op} }, $asked;
    return;
}

# Asks the worker for something once; the code gets the whole answer.
sub ask_once { my ($self, $op, $fields, $code) = @_; return $self->{worker}->ask($op, $fields, $code) }

# --- time -------------------------------------------------------------------------------------------------------------------------

# Does what is due.
sub tend {
    my ($self) = @_;
    my $now = Time::HiRes::time();
    $self->{worker}->tend;
    $self->{worker}->reap;
    for my $op (sort keys %{ $self->{queues} }) {
        my @late = grep { $_->{until} < $now } @{ $self->{queues}{$op} };
        if (@late) {
            $self->{queues}{$op} = [ grep { $_->{until} >= $now } @{ $self->{queues}{$op} } ];
            $_->{code}->(undef, $_->{why} // $self->{worker}->trouble || 'the LRM was not asked in time') for @late;
        }
        $self->_next($op);
    }
    my @late = grep { $_->{until} < $now } @{ $self->{waiting} };
    if (@late) {
        $self->{waiting} = [ grep { $_->{until} >= $now } @{ $self->{waiting} } ];
        $_->{code}->($self->{worker}->trouble || 'not all is known yet of the jobs that there are') for @late;
    }
    delete $self->{cleaner} if $self->{cleaner} && waitpid $self->{cleaner}, POSIX::WNOHANG();
    return unless $self->{is_whole};
    $self->_clear($now) if !$self->{cleaner} && $now > ($self->{cleared} // 0) + CLEAR_SECONDS;
    $self->_tidy if $now > ($self->{tidied} // 0) + TIDY_SECONDS;
    return;
}

# Deletes the directories of jobs that were killed, or whose machine died, before they did it. A process of its own does it: there may be many files. Each is
# tried once.
sub _clear {
    my ($self, $now) = @_;
    $self->{cleared} = $now;
    my @left = grep { my $job = $self->{jobs}{$_}; $job && $job->{end} && $job->{end}{at} / 1000 < $now - CLEAR_SECONDS && !$job->{is_cleared}++ }
        $self->{records}->directories;
    return unless @left;
    my $pid = fork;
    if (!defined $pid) {
        delete $self->{jobs}{$_}{is_cleared} for @left;
        return $self->{log}->("cannot fork to delete the directories of jobs that are over: $!");
    }
    $self->{cleaner} = $pid;
    return if $pid;
    # it may take long, and a worker, as the client, ends when the last end of its pipe is closed
    opendir my $open, '/proc/self/fd' or POSIX::_exit(1);
    POSIX::close($_) for grep { /\A[0-9]+\z/ && $_ > 2 } readdir $open;
    for my $tag (@left) {
        my $trouble = eval { $self->{records}->clear($tag) } // $@;
        $self->{log}->($trouble) if length $trouble;
    }
    POSIX::_exit(0);
}

# Forgets jobs that were over long ago.
sub _tidy {
    my ($self) = @_;
    my $now = $self->{tidied} = Time::HiRes::time();
    my @old = grep { my $job = $self->{jobs}{$_}; $job->{end} && $job->{end}{at} / 1000 < $now - KEPT_SECONDS } keys %{ $self->{jobs} };
    while (my @some = splice @old, 0, AT_ONCE) {
        $self->{worker}->ask('forget', { jobs => [ map { { tag => $_, ids => $self->{jobs}{$_}{ids} // [] } } @some ] }, sub { });
        for my $tag (@some) {
            $self->{records}->forget($tag);
            my $job = delete $self->{jobs}{$tag};
            delete $self->{of_id}{$_} for grep { ($self->{of_id}{$_} // '') eq $tag } @{ $job->{ids} // [] };
        }
    }
    # submissions that never came to the LRM
    $self->{records}->forget($_) for grep { !$self->{jobs}{$_} } $self->{records}->older_than($now - KEPT_SECONDS);
    return;
}

1;
