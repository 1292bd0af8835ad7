# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Blah::Status;

# How a job is, in the numbers and words of BLAH.

use strict;
use warnings;

use Jobgate::Blah::Lines ();

use constant { IDLE => 1, RUNNING => 2, REMOVED => 3, COMPLETED => 4, HELD => 5 };

# (number, ClassAd, whether that is the end): of a job of Jobgate::Blah::Lrm, what is noted of it, and the sentence that it has left, if any.
sub of {
    my ($job, $noted, $why) = @_;
    my @ad = (BatchJobId => \('"' . (($job->{ids} // [])->[0] // '') =~ s/["\\]//gr . '"'));
    my ($status, @more) = $job->{end} ? _ended($job, $noted, $why) : _alive($job, $noted);
    return ($status, Jobgate::Blah::Lines::write_ad(@ad, JobStatus => $status, @more), $job->{end} ? 1 : 0);
}

sub _alive {
    my ($job, $noted) = @_;
    my $is = $job->{is} // 'queued';
    return (HELD, HoldReason => 'held by BLAH_JOB_HOLD') if $is eq 'suspended' && $noted->{held};
    return ($is eq 'started' || ($is eq 'suspended' && defined $job->{began}) ? RUNNING : IDLE, length($job->{note} // '') ? (Reason => $job->{note}) : ());
}

sub _ended {
    my ($job, $noted, $why) = @_;
    my $end  = $job->{end};
    my @wall = defined $end->{wall} ? (RemoteWallClockTime => int($end->{wall} / 1000)) : ();
    return (HELD, HoldReason => $why) if defined $why && $end->{cause} =~ /\A(?:EXITED|NOT_STARTED)\z/;
    return (REMOVED, ExitReason => $noted->{cancelled} ? 'cancelled' : 'The job was removed in its batch system.') if $end->{cause} eq 'CANCELLED' || $noted->{cancelled};
    return (COMPLETED, ExitBySignal => \'false', ExitCode => $end->{exit}, @wall) if $end->{cause} eq 'EXITED' && defined $end->{exit};
    return (COMPLETED, ExitBySignal => \'true', ExitSignal => $end->{signal}, ExitReason => "died on signal $end->{signal}", @wall)
        if $end->{cause} eq 'SIGNALLED' && defined $end->{signal};
    return (HELD, HoldReason => _reason($end), @wall);
}

my %WORDS = (
    WALL_TIME => 'The job was ended at its limit of wall-clock time.', MEMORY => 'The job was ended because it used more memory than it may.',
    NODE_FAILED => 'The machine of the job failed.', PREEMPTED => 'The job was ended for another that goes before it.',
    LOST => 'The batch system has lost the job.', NOT_STARTED => 'The job could not be started.',
);

sub _reason {
    my ($end) = @_;
    my $said = join ' ', grep { defined && length } @$end{qw(sentence remedy)};
    return length $said ? $said : $WORDS{ $end->{cause} } // "The job ended ($end->{cause}), and its exit code is not known.";
}

1;
