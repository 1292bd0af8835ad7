# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Starter::Jobs;

# The starter's table of jobs, by tag. It is what the event log says: it can be made again from it at any time.
#
# A job is waiting (W), launching (L), running (R) or ended (E). Of a waiting job only the place of its description in the log is kept,
# of an ended one only its last line.

use strict;
use warnings;

use Jobgate::Starter::Lines ();
use Jobgate::Starter::Log   ();
use Jobgate::System         ();

use constant {
    SPECS_IN_MEMORY => 256,        # descriptions of jobs that wait; the others are read from the log again
    ENDED_KEPT      => 200_000,    # ended tags that are remembered, whatever their age
    FORGOTTEN_KEPT  => 20_000,     # tags that had their run and must not have another
    OLD_SEGMENTS    => 4,          # segments behind the present one before the oldest is emptied
};

sub new { return bless { jobs => {}, queue => [], head => 0, ended => 0, order => 0 }, $_[0] }

sub next_order { return $_[0]{order}++ }
sub find  { return $_[0]{jobs}{ $_[1] } }
sub all   { return values %{ $_[0]{jobs} } }
sub count { return scalar keys %{ $_[0]{jobs} } }
sub live  { my ($self) = @_; return $self->count - $self->{ended} }
sub waiting { my ($self) = @_; return @{ $self->{queue} } - $self->{head} }

# Fills the table from the log.
sub rebuild {
    my ($self) = @_;
    my %replay = (queued => \&_saw_queued, started => \&_saw_started, suspended => \&_saw_suspended, requeued => \&_saw_requeued, ended => \&_saw_ended);
    my $is_begun;
    Jobgate::Starter::Log::replay(sub {
        my ($line, $segment, $offset) = @_;
        # what was forgotten in segments that are gone is not said any more
        $self->_lost_sight_of(1000 * ($1 + 1)) if $offset == 0 && $segment > 1 && !$is_begun && $line =~ /\A[0-9]+;([0-9]+);/;
        $is_begun = 1;
        if ($line =~ /\A001;[^=]*;is=([a-z]+);tag=([^;]+);at=([0-9]+)/) {
            my $code = $replay{$1} or return;
            $code->($self, $2, $3, $line, $segment, $offset);
        }
        elsif ($line =~ /\A900;[0-9]+;forked;([^;]+);([0-9]+);([0-9]+);([0-9]+)\z/) {
            my $job = $self->{jobs}{$1} or return;
            $job->{state} = 'L' if $job->{state} eq 'W';
            $job->{pids}[$2]   = $3;
            $job->{starts}[$2] = $4;
        }
        elsif ($line =~ /\A900;[0-9]+;withdrawn;([^;]+)\z/) {
            delete $self->{jobs}{$1} if $self->{jobs}{$1} && $self->{jobs}{$1}{state} eq 'W';
        }
        elsif ($line =~ /\A900;[0-9]+;forgot;([^;]+)\z/) {
            $self->forget($1);
        }
        return;
    });
    $self->{queue} = [ map { $_->{tag} } sort { $a->{order} <=> $b->{order} } grep { $_->{state} eq 'W' && !$_->{suspended} } $self->all ];
    return;
}

sub _saw_queued {
    my ($self, $tag, $at, $line, $segment, $offset) = @_;
    my $job = $self->{jobs}{$tag} //= { tag => $tag, state => 'W', order => $self->next_order };
    return if $job->{state} eq 'E';
    @$job{qw(at segment)} = ($at, $segment);
    $job->{spec_at} = [ $segment, $offset, length $line ] if index($line, ';spec=') >= 0;
    return;
}

sub _saw_started {
    my ($self, $tag, $at, $line) = @_;
    my $job = $self->{jobs}{$tag} or return;
    return if $job->{state} eq 'E';
    @$job{qw(state began)} = ('R', $line =~ /;began=([0-9]+)/ ? $1 + 0 : $at);
    $job->{limit} = $1 if $line =~ /;limit=([0-9]+)/;
    $job->{paused} = $1 + 0 if $line =~ /;paused=([0-9]+)/;
    delete $job->{suspended};
    return;
}

sub _saw_suspended {
    my ($self, $tag, $at) = @_;
    my $job = $self->{jobs}{$tag} or return;
    $job->{suspended} = $at if $job->{state} ne 'E';
    return;
}

sub _saw_requeued {
    my ($self, $tag) = @_;
    my $job = $self->{jobs}{$tag} or return;
    delete $job->{suspended};
    return;
}

sub _saw_ended {
    my ($self, $tag, $at, $line, $segment) = @_;
    my $job = $self->{jobs}{$tag} //= { tag => $tag, state => 'W' };
    $self->{ended}++ if $job->{state} ne 'E';
    $self->{jobs}{$tag} = { tag => $tag, state => 'E', line => $line, segment => $segment, at => $at, was => $job->{at} // $at };
    return;
}

# A job that was just written to the log: its description lies there, and in memory as long as few wait.
sub add {
    my ($self, $job, $spec) = @_;
    $self->{jobs}{ $job->{tag} } = $job;
    $job->{spec} = $spec if $self->waiting < SPECS_IN_MEMORY;
    push @{ $self->{queue} }, $job->{tag};
    return;
}

# Takes the job that has waited longest; undef if none waits. One that is suspended leaves the queue and comes back by wait_again.
sub take_waiting {
    my ($self) = @_;
    while ($self->waiting) {
        my $job = $self->{jobs}{ $self->{queue}[ $self->{head}++ ] };
        $self->_trim_queue;
        return $job if $job && $job->{state} eq 'W' && !$job->{suspended};
    }
    return;
}

sub _trim_queue {
    my ($self) = @_;
    return if $self->{head} < 1024 && $self->waiting;
    splice @{ $self->{queue} }, 0, $self->{head};
    $self->{head} = 0;
    return;
}

# Queues a job again that was suspended; where it was not taken from the queue yet, it is found there first.
sub wait_again { my ($self, $job) = @_; push @{ $self->{queue} }, $job->{tag}; return }

# Puts a job that could not be started yet back to the front.
sub put_back {
    my ($self, $job) = @_;
    $job->{state} = 'W';
    if ($self->{head} > 0) { $self->{queue}[ --$self->{head} ] = $job->{tag} }
    else                   { unshift @{ $self->{queue} }, $job->{tag} }
    return;
}

# The encoded description of a waiting job; undef if the log cannot be read.
sub spec_of {
    my ($self, $job) = @_;
    return $job->{spec} if defined $job->{spec};
    my $line = Jobgate::Starter::Log::line_at(@{ $job->{spec_at} // return }) // return;
    return $line =~ /;spec=([^;]*)/ ? Jobgate::Starter::Lines::unescape($1) : undef;
}

# Keeps of a job only how it ended.
sub end {
    my ($self, $job, $line, $segment, $at) = @_;
    $self->{ended}++ if $job->{state} ne 'E';
    my $was = $job->{at};
    my $tag = $job->{tag};
    %$job = (tag => $tag, state => 'E', line => $line, segment => $segment, at => $at, was => $was);
    return;
}

# Forgets an ended job; a live one stays.
sub forget {
    my ($self, $tag) = @_;
    my $job = $self->{jobs}{$tag} or return 0;
    return 0 unless $job->{state} eq 'E';
    delete $self->{jobs}{$tag};
    $self->{ended}--;
    push @{ $self->{forgotten_in_order} }, $tag if !$self->{forgotten}{$tag}++;
    if (@{ $self->{forgotten_in_order} } > FORGOTTEN_KEPT) {
        my $oldest = shift @{ $self->{forgotten_in_order} };
        delete $self->{forgotten}{$oldest};
        $self->_lost_sight_of(made_ms($oldest));
    }
    return 1;
}

# Whether it has had its run and was forgotten, not long ago: a submission that was on its way meanwhile must not run it again.
sub was_forgotten { my ($self, $tag) = @_; return exists $self->{forgotten}{$tag} }

# Whether it may have had its run and be forgotten so long that nothing says so: it is no younger than one of which that is true.
sub may_have_forgotten { my ($self, $tag) = @_; return made_ms($tag) <= ($self->{forgotten_before} // -1) }

sub _lost_sight_of {
    my ($self, $ms) = @_;
    $self->{forgotten_before} = $ms if $ms > ($self->{forgotten_before} // -1);
    return;
}

# When a tag was made, in milliseconds since 1970: it is a UUID of version 7. 0 for any other.
sub made_ms {
    my ($tag) = @_;
    return $tag =~ /\A([0-9a-f]{8})-([0-9a-f]{4})-7/ ? hex($1) * 65536 + hex $2 : 0;
}

# Event lines that say all that is known of a job, in order.
sub lines_of {
    my ($job) = @_;
    return $job->{line} if $job->{state} eq 'E';
    my @lines = Jobgate::Starter::Lines::queued($job->{tag}, $job->{at});
    push @lines, Jobgate::Starter::Lines::started($job) if $job->{state} eq 'R';
    push @lines, Jobgate::Starter::Lines::suspended($job, $job->{suspended}) if $job->{suspended};
    return @lines;
}

# Forgets ended jobs that are too old or too many; answers their tags.
sub expire {
    my ($self, $before) = @_;
    my @ended = sort { $a->{at} <=> $b->{at} } grep { $_->{state} eq 'E' } $self->all;
    my $surplus = @ended - ENDED_KEPT;
    my @gone;
    for my $job (@ended) {
        last if $job->{at} >= $before && @gone >= $surplus;
        push @gone, $job->{tag};
    }
    $self->forget($_) for @gone;
    return @gone;
}

# Says again in the present segment what only the oldest one says, so that it can be deleted. Answers the oldest's number if that
# is to be done now. The caller writes and syncs before it deletes.
sub restate_oldest {
    my ($self, $log) = @_;
    my @old = grep { $_ < $log->number } Jobgate::Starter::Log::segments();
    return if @old <= OLD_SEGMENTS;
    for my $job (sort { ($a->{order} // 0) <=> ($b->{order} // 0) } grep { $_->{segment} <= $old[0] } $self->all) {
        $self->_restate($job, $log) or return;
    }
    return $old[0];
}

sub _restate {
    my ($self, $job, $log) = @_;
    my $at = Jobgate::System::now_ms();
    my $offset = $log->next_offset;
    if ($job->{state} eq 'W') {
        my $line = Jobgate::Starter::Log::line_at(@{ $job->{spec_at} }) // return 0;
        $log->add($line);
        $job->{spec_at} = [ $log->number, $offset, length $line ];
    }
    elsif ($job->{state} eq 'E') {
        $log->add($job->{line});
    }
    else {
        $log->add(Jobgate::Starter::Lines::queued($job->{tag}, $job->{at}));
        $log->add(Jobgate::Starter::Lines::forked($job, $_, $at)) for grep { defined $job->{pids}[$_] } 0 .. $#{ $job->{pids} };
        $log->add(Jobgate::Starter::Lines::started($job)) if $job->{state} eq 'R';
    }
    $log->add(Jobgate::Starter::Lines::suspended($job, $job->{suspended})) if $job->{suspended};
    $job->{segment} = $log->number;
    return 1;
}

1;
