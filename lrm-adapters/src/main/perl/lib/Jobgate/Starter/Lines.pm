# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Starter::Lines;

# The lines of the event log, to and from Perl. Every event line carries the job's tag and the time in milliseconds.

use strict;
use warnings;

use constant { PENDING => 1, ACTIVE => 2, FAILED => 4, DONE => 8, SUSPENDED => 16 };

my %ESCAPED = map { chr($_) => sprintf '%%%02X', $_ } 0 .. 31, 127, map { ord } ';', '%';

sub escape {
    my ($text) = @_;
    $text =~ s/([\x00-\x1f\x7f;%])/$ESCAPED{$1}/g;
    return $text;
}

sub unescape {
    my ($text) = @_;
    $text =~ s/%([0-9A-F]{2})/chr hex $1/ge;
    return $text;
}

# The ids of a job as clients see them: uuid:pid of each process, or the uuid alone before there is one.
sub ids_of {
    my ($job) = @_;
    my @pids = grep { defined } @{ $job->{pids} // [] };
    return @pids ? join ',', map { "$job->{tag}:$_" } @pids : $job->{tag};
}

sub queued {
    my ($tag, $at, $spec) = @_;
    return sprintf '001;%d;%s;%d;0;is=queued;tag=%s;at=%d%s', $at / 1000, $tag, PENDING, $tag, $at,
        defined $spec ? ';spec=' . escape($spec) : '';
}

sub started {
    my ($job) = @_;
    return sprintf '001;%d;%s;%d;0;is=started;tag=%s;at=%d%s', $job->{began} / 1000, ids_of($job), ACTIVE,
        $job->{tag}, $job->{began}, _clock({ %$job, began => undef });
}

sub suspended {
    my ($job, $at) = @_;
    return sprintf '001;%d;%s;%d;0;is=suspended;tag=%s;at=%d', $at / 1000, ids_of($job), SUSPENDED, $job->{tag}, $at;
}

# One that has not begun waits again.
sub requeued {
    my ($job, $at) = @_;
    return sprintf '001;%d;%s;%d;0;is=requeued;tag=%s;at=%d', $at / 1000, ids_of($job), PENDING, $job->{tag}, $at;
}

# One that runs goes on: with when it began, and how long it was suspended in all.
sub resumed {
    my ($job, $at) = @_;
    return sprintf '001;%d;%s;%d;0;is=started;tag=%s;at=%d%s', $at / 1000, ids_of($job), ACTIVE, $job->{tag}, $at, _clock($job);
}

sub _clock {
    my ($job) = @_;
    return join '', map { defined $job->{$_} ? ";$_=$job->{$_}" : '' } qw(limit began paused);
}

# %end: cause, exit, signal, wall, user_cpu, system_cpu (ms), peak_memory (KiB), slots, hosts, fault, attribute, value, sentence, remedy; absent where
# unknown
sub ended {
    my ($job, $at, %end) = @_;
    my $ran = $end{cause} eq 'EXITED';
    return sprintf '001;%d;%s;%d;%d;is=ended;tag=%s;at=%d%s', $at / 1000, ids_of($job), ($ran ? DONE : FAILED),
        $end{exit} // 0, $job->{tag}, $at, join '', map { ";$_=" . escape($end{$_}) }
        grep { defined $end{$_} } qw(cause exit signal wall user_cpu system_cpu peak_memory slots hosts fault attribute value sentence remedy);
}

sub forked {
    my ($job, $index, $at) = @_;
    return sprintf '900;%d;forked;%s;%d;%d;%s', $at / 1000, $job->{tag}, $index, $job->{pids}[$index],
        $job->{starts}[$index];
}

sub forgot {
    my ($tag, $at) = @_;
    return sprintf '900;%d;forgot;%s', $at / 1000, $tag;
}

sub withdrawn {
    my ($tag, $at) = @_;
    return sprintf '900;%d;withdrawn;%s', $at / 1000, $tag;
}

# An event line as fields, with ids as a list; undef for a line that is none. The specification stays escaped.
sub parse {
    my ($line) = @_;
    my ($kind, undef, $ids, undef, undef, @rest) = split /;/, $line, -1;
    return unless defined $kind && $kind eq '001' && @rest;
    my %event = map { my ($name, $value) = split /=/, $_, 2; ($name => $value // '') } @rest;
    return unless defined $event{is} && defined $event{tag} && defined $event{at};
    $event{$_} = unescape($event{$_}) for grep { exists $event{$_} } qw(hosts attribute value sentence remedy);
    $event{ids} = [ split /,/, $ids ];
    return \%event;
}

1;
