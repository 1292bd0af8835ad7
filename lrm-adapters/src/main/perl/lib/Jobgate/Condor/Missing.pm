# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Condor::Missing;

# Jobs that have left the queue without an event in the log: the log was removed, or its disk was full. Now and then HTCondor is asked, in the
# background, which jobs it shows, and for those that it does not the queue again and then the history. Only records of the history end a job;
# an answer that fails, or cannot be read, is not used.

use strict;
use warnings;

use Time::HiRes ();

use constant {
    INTERVAL  => 60,       # seconds between two rounds; setting reconcile_interval
    AT_ONCE   => 200,      # tags in one question
    LONGEST   => 86400,    # seconds between two questions for a tag that nothing is known of
    UNKNOWN_AFTER => 1800, # seconds after which the owner of such a job is told; setting unknown_after
    LEAST_ANSWERS => 3,    # clear answers that do not know it, before that
};

# commands: a Jobgate::Commands; interval, unknown_after: seconds; words, records: code that gives the words of a question for tags, and the records of an
# answer; ours: code that narrows a constraint to the account's jobs
sub new {
    my ($class, %given) = @_;
    return bless { due => Time::HiRes::time() + $given{interval}, unknown_after => UNKNOWN_AFTER, asked => {}, untold => [], %given }, $class;
}

# Whether HTCondor has answered so often and for so long that it does not know the job that its owner was told.
sub is_unknown { my ($self, $tag) = @_; return ($self->{asked}{$tag} // {})->{is_unknown} }

# The jobs for which this has changed since the last call: [ tag, since when (seconds; 0: known again) ].
sub news { my ($self) = @_; return splice @{ $self->{untold} } }

# Goes on without waiting. `tags` is code that gives those whose ends are not known. Answers the records found of jobs that are over.
sub step {
    my ($self, $tags) = @_;
    return $self->_begin($tags) unless $self->{running};
    my $done = $self->{running}->finished // return;
    my $next = delete $self->{next};
    delete $self->{running};
    return $next->($self, $done);
}

sub forget { my ($self, $tag) = @_; delete $self->{asked}{$tag}; return }

sub _begin {
    my ($self, $tags) = @_;
    my $now = Time::HiRes::time();
    return if $now < $self->{due};
    $self->{due} = $now + $self->{interval};
    my $asked = $self->{asked};
    my @tags  = grep { !$asked->{$_} || $asked->{$_}{at} <= $now } $tags->();
    return unless @tags;
    return $self->_ask([ 'condor_q', '-constraint', $self->{ours}->('JobgateId isnt undefined'), '-af', 'JobgateId' ], sub { $_[0]->_listed(\@tags, $_[1]) });
}

sub _ask {
    my ($self, $words, $next) = @_;
    @$self{qw(running next)} = ($self->{commands}->start($words), $next);
    return;
}

# What a listing does not show is only asked for: it may be short.
sub _listed {
    my ($self, $tags, $done) = @_;
    return if $done->{exit} != 0;
    my %shown   = map { $_ => 1 } split ' ', $done->{out};
    $self->_seen(keys %shown);
    my @missing = grep { !$shown{$_} } @$tags;
    splice @missing, AT_ONCE if @missing > AT_ONCE;
    return unless @missing;
    return $self->_ask($self->{words}->('condor_q', @missing), sub { $_[0]->_queued(\@missing, $_[1]) });
}

sub _queued {
    my ($self, $missing, $done) = @_;
    my %is_there = map { $_->{JobgateId} => 1 } $self->{records}->($done);
    $self->_seen(keys %is_there);
    my @gone = grep { !$is_there{$_} } @$missing;
    return unless @gone;
    return $self->_ask($self->{words}->('condor_history', @gone), sub { $_[0]->_over(\@gone, $_[1]) });
}

sub _over {
    my ($self, $gone, $done) = @_;
    my @records = $self->{records}->($done);
    my %number;
    $number{ $_->{JobgateId} }++ for @records;
    $self->_ask_later($_) for grep { !$number{$_} } @$gone;
    return grep { $number{ $_->{JobgateId} } >= ($_->{JobgateCount} || 1) } @records;
}

sub _seen {
    my ($self, @tags) = @_;
    for my $tag (grep { $self->{asked}{$_} } @tags) {
        push @{ $self->{untold} }, [ $tag, 0 ] if delete($self->{asked}{$tag})->{is_unknown};
    }
    return;
}

# A long history is not searched every minute for what is not in it.
sub _ask_later {
    my ($self, $tag) = @_;
    my $now   = Time::HiRes::time();
    my $asked = $self->{asked}{$tag} //= { wait => $self->{interval}, since => $now, answers => 0 };
    $asked->{wait} = $asked->{wait} * 2 < LONGEST ? $asked->{wait} * 2 : LONGEST;
    $asked->{at}   = $now + $asked->{wait};
    return if ++$asked->{answers} < LEAST_ANSWERS || $now - $asked->{since} < $self->{unknown_after} || $asked->{is_unknown}++;
    push @{ $self->{untold} }, [ $tag, $asked->{since} ];
    return;
}

1;
