# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Starter::Requests;

# What workers may ask of a starter.

use strict;
use warnings;

use Jobgate::Starter::Jobs  ();
use Jobgate::Starter::Lines ();
use Jobgate::Starter::Words ();
use Jobgate::System         ();
use Jobgate::Wire           ();

use constant { VERSION => 1, MAX_SPEC_LINE => 4 * 1024 * 1024 };

my %OPERATIONS = (
    hello => \&_hello, submit => \&_submit, cancel => \&_cancel, lookup => \&_lookup, forget => \&_forget,
    follow => \&_follow, suspend => \&_suspend, hold => \&_hold, resume => \&_resume, status => \&_status,
);

sub answer {
    my ($starter, $request, $connection) = @_;
    my $code = $OPERATIONS{ $request->{op} } or return { error => "unknown operation\n" };
    return eval { $code->($starter, $request, $connection) } // { error => "$@" };
}

# Names this starter and takes what may be changed while it runs.
sub _hello {
    my ($starter, $request) = @_;
    $starter->configure($request);
    $starter->expire;
    return { version => VERSION, pid => $$, live => $starter->{jobs}->live };
}

sub _status {
    my ($starter) = @_;
    return {
        version => VERSION, pid => $$, live => $starter->{jobs}->live, waiting => $starter->{jobs}->waiting,
        running => $starter->{running}, known => $starter->{jobs}->count, unwritten => length $starter->{log}->waiting,
        segment => $starter->{log}->number, max_running => $starter->{max_running}, why => $starter->{trouble} // '',
    };
}

# Takes jobs. All that are new go to the log, are forced to disk once, and only then can start.
sub _submit {
    my ($starter, $request) = @_;
    my $log = $starter->{log};
    $starter->{last_used} = Jobgate::System::now_ms();
    return { answers => [ map { { unclear => "the event log cannot be written: $!" } } @{ $request->{jobs} } ] } unless $log->flush;
    my (@answers, @new);
    if (!eval { _record($starter, $request->{jobs}, \@answers, \@new); 1 }) {
        my $why = $@;
        $log->drop_waiting;    # a batch that is not understood leaves nothing behind
        die $why;
    }
    my $why = _write_and_sync($starter, \@new);
    for my $job (@new) {
        if (defined $why) { @answers = map { ($_->{tag} // '') eq $job->{tag} ? { unclear => $why } : $_ } @answers }
        else              { $starter->{jobs}->add($job, delete $job->{given}) }
    }
    return { answers => [ map { $_->{tag} ? { ids => [ split /,/, _ids($starter, $_->{tag}) ] } : $_ } @answers ],
        live => $starter->{jobs}->live };
}

# Adds the lines of the jobs that are new to the log, and the answers so far: refused, or only the tag.
sub _record {
    my ($starter, $jobs, $answers, $new) = @_;
    my %seen;
    for my $asked (@$jobs) {
        my $tag = $asked->{tag};
        die "not a tag: $tag\n" unless $tag =~ /\A[0-9A-Za-z-]{1,64}\z/;
        push @$answers, { tag => $tag };
        next if $seen{$tag}++ || $starter->find($tag);
        if ($starter->{jobs}->was_forgotten($tag)) {
            $answers->[-1] = { ids => [$tag] };
            next;
        }
        if ($asked->{old} && $starter->{jobs}->may_have_forgotten($tag)) {
            $answers->[-1] = { alone => 1, unclear => 'the gateway was restored from a backup, and the starter does not remember as far back as this job: '
                . 'whether it has run cannot be known. It is not run; cancel it, or submit it anew' };
            next;
        }
        my ($job, @refusal) = _new_job($starter, $asked);
        if ($job) { push @$new, $job }
        else      { $answers->[-1] = { refused => {@refusal} } }
    }
    return;
}

sub _new_job {
    my ($starter, $asked) = @_;
    my $now     = Jobgate::System::now_ms();
    my $spec    = Jobgate::Wire::decode($asked->{description});
    my @refusal = Jobgate::Starter::Words::refusal($spec);
    return (undef, @refusal) if @refusal;
    my $log    = $starter->{log};
    my $offset = $log->next_offset;
    my $line   = Jobgate::Starter::Lines::queued($asked->{tag}, $now, $asked->{description});
    return (undef, fault => 'LIMIT_EXCEEDED', sentence => 'The job takes ' . length($line) . ' bytes in the log of the starter; at most '
        . MAX_SPEC_LINE . ' are allowed.', remedy => 'Give fewer or shorter arguments and environment variables.')
        if length $line > MAX_SPEC_LINE;
    $log->add($line);
    return { tag => $asked->{tag}, state => 'W', at => $now, segment => $log->number, order => $starter->{jobs}->next_order,
        spec_at => [ $log->number, $offset, length $line ], given => $asked->{description} };
}

# Answers why what waits could not be made durable, having taken it back, or undef.
sub _write_and_sync {
    my ($starter, $jobs) = @_;
    my $log = $starter->{log};
    return unless @$jobs;
    my $is_written = $log->flush;
    return if $is_written && $log->sync;
    my $why = "the event log cannot be written: $!";
    if ($is_written) { $log->add(Jobgate::Starter::Lines::withdrawn($_->{tag}, Jobgate::System::now_ms())) for @$jobs }
    else             { $log->drop_waiting }
    return $why;
}

sub _ids {
    my ($starter, $tag) = @_;
    my $job = $starter->find($tag) // return $tag;
    return Jobgate::Starter::Lines::ids_of($job) if $job->{state} ne 'E';
    return (split /;/, $job->{line}, 4)[2];
}

sub _cancel {
    my ($starter, $request) = @_;
    my @answers;
    for my $tag (@{ $request->{tags} }) {
        my $job = $starter->find($tag);
        push @answers, $job ? 'ending' : 'not_there';
        $starter->end_job($job, 'CANCELLED') if $job && $job->{state} ne 'E';
    }
    return { answers => \@answers };
}

sub _suspend { my ($starter, $request) = @_; return _change($starter, $request, sub { $starter->suspend_job($_[0]) }) }

# One that waits is suspended; one that runs, or was stopped while it ran, is left as it is.
sub _hold {
    my ($starter, $request) = @_;
    my @answers;
    for my $tag (@{ $request->{tags} }) {
        my $job = $starter->find($tag);
        my $is_live = $job && $job->{state} ne 'E' && !$job->{ending};
        $starter->suspend_job($job) if $is_live && $job->{state} eq 'W';
        push @answers, $is_live && $job->{state} ne 'W' ? 'runs' : $job || $starter->{jobs}->was_forgotten($tag) ? 'done' : 'not_there';
    }
    return { answers => \@answers };
}

sub _resume  { my ($starter, $request) = @_; return _change($starter, $request, sub { $starter->resume_job($_[0]) }) }

sub _change {
    my ($starter, $request, $code) = @_;
    my @answers;
    for my $tag (@{ $request->{tags} }) {
        my $job = $starter->find($tag);
        $code->($job) if $job && $job->{state} ne 'E' && !$job->{ending};
        push @answers, $job || $starter->{jobs}->was_forgotten($tag) ? 'done' : 'not_there';
    }
    return { answers => \@answers };
}

sub _lookup {
    my ($starter, $request) = @_;
    my @found = grep { defined } map { $starter->find($_) } @{ $request->{tags} };
    return { events => join '', map { "$_\n" } map { Jobgate::Starter::Jobs::lines_of($_) } @found };
}

sub _forget {
    my ($starter, $request) = @_;
    my $now = Jobgate::System::now_ms();
    for my $tag (@{ $request->{tags} }) {
        $starter->{log}->add(Jobgate::Starter::Lines::forgot($tag, $now)) if $starter->{jobs}->forget($tag);
    }
    return { live => $starter->{jobs}->live };
}

sub _follow {
    my ($starter, $request, $connection) = @_;
    $connection->follow($request->{checkpoint});
    return { live => $starter->{jobs}->live };
}

1;
