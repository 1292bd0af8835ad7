# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Starter::Suspending;

# The part of the starter that suspends jobs and lets them go on: a job that waits is not started, one that runs is stopped with all its processes. Its
# methods are those of the starter.

use strict;
use warnings;

use Jobgate::Starter::Lines ();
use Jobgate::System         ();

use constant STOP_AGAIN_MS => 200;

# Time for which the job was suspended does not count.
sub set_wall_limit {
    my ($self, $job) = @_;
    return if !defined $job->{limit} || $job->{suspended};
    my $due = $job->{began} + $job->{limit} * 1000 + ($job->{paused} // 0);
    $self->{timers}->set("wall $job->{tag}", $due, sub { $self->end_job($job, 'WALL_TIME') });
    return;
}

# A job that waits is not started; one that runs is stopped with all its processes.
sub suspend_job {
    my ($self, $job) = @_;
    return if $job->{suspended};
    $job->{suspended} = Jobgate::System::now_ms();
    $self->tell_suspended($job);
    return if $job->{state} eq 'W';
    $self->{timers}->clear("wall $job->{tag}");
    $self->stop_processes($job);
    return;
}

sub tell_suspended {
    my ($self, $job) = @_;
    $self->{log}->add(Jobgate::Starter::Lines::suspended($job, Jobgate::System::now_ms()));
    return;
}

# Once more a moment later: a process may have begun another one while its own stop was on the way.
sub stop_processes {
    my ($self, $job) = @_;
    $self->{processes}->signal_job($job, 'STOP');
    $self->{timers}->set("stop $job->{tag}", Jobgate::System::now_ms() + STOP_AGAIN_MS, sub { $self->{processes}->signal_job($job, 'STOP') });
    return;
}

sub resume_job {
    my ($self, $job) = @_;
    my $since = delete $job->{suspended} // return;
    my $now = Jobgate::System::now_ms();
    if ($job->{state} eq 'W') {
        $self->{log}->add(Jobgate::Starter::Lines::requeued($job, $now));
        $self->{jobs}->wait_again($job);
        return;
    }
    $self->{timers}->clear("stop $job->{tag}");
    if ($job->{state} eq 'R') {
        my $from = $since > $job->{began} ? $since : $job->{began};
        $job->{paused} = ($job->{paused} // 0) + ($now > $from ? $now - $from : 0);
        $self->{log}->add(Jobgate::Starter::Lines::resumed($job, $now));
        $self->set_wall_limit($job);
    }
    else { $self->{log}->add(Jobgate::Starter::Lines::requeued($job, $now)) }
    $self->{processes}->signal_job($job, 'CONT');
    $self->{processes}->go_on($job);
    return;
}

1;
