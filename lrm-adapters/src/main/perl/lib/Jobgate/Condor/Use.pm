# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Condor::Use;

# What HTCondor says that the processes of a job used, in the words of events (Jobgate::Adapter). CPU times are of the last run of a process; what a run
# before used that was broken off is not in them.

use strict;
use warnings;

use constant { DAY => 86400, HOUR => 3600, MINUTE => 60, PLAUSIBLE => 3_155_760_000 };

# Of one process: the attributes of its event or record, and when it ended (milliseconds since 1970).
sub of {
    my ($is, $ended) = @_;
    my ($user, $system) = map { _number($is->{$_}) } qw(RemoteUserCpu RemoteSysCpu);
    # the event's own words are in whole seconds; the attributes may be those of some minutes before the end
    my @told = _seconds_of_words($is->{RunRemoteUsage});
    ($user, $system) = @told if @told && (!defined $user || !defined $system || $told[0] > $user || $told[1] > $system);
    my ($began, $memory, $slots) = map { _number($_) } $is->{JobCurrentStartDate}, $is->{ResidentSetSize}, $is->{CpusProvisioned} // $is->{RequestCpus};
    return unless $began;    # it never ran
    my ($host) = ($is->{LastRemoteHost} // $is->{RemoteHost} // '') =~ /(?:\A|\@)([A-Za-z0-9_.-]+)\z/;
    my $wall = $ended - 1000 * $began;
    my %used = (wall => $wall >= 0 ? $wall : undef, user_cpu => _ms($user), system_cpu => _ms($system), peak_memory => $memory && int $memory, slots => $slots && int $slots,
        hosts => $host);
    return map { $_ => $used{$_} } grep { defined $used{$_} } keys %used;
}

# Of all processes of a job: CPU times and slots add up, of memory the largest counts, of wall time the longest.
sub together {
    my (@ends) = @_;
    my %used;
    for my $end (@ends) {
        for my $name (qw(user_cpu system_cpu slots)) { $used{$name} += $end->{$name} if defined $end->{$name} }
        for my $name (qw(peak_memory wall)) { $used{$name} = $end->{$name} if defined $end->{$name} && $end->{$name} > ($used{$name} // -1) }
        $used{hosts}{ $end->{hosts} } = 1 if defined $end->{hosts};
    }
    $used{hosts} = join ',', sort keys %{ $used{hosts} } if $used{hosts};
    return %used;
}

sub _number {
    my ($text) = @_;
    return defined $text && !ref $text && $text =~ /\A[0-9]{1,15}(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,2})?\z/ && $text < PLAUSIBLE ? $text : undef;
}

sub _ms { my ($seconds) = @_; return defined $seconds ? int($seconds * 1000 + 0.5) : undef }

# "Usr 0 00:01:02, Sys 0 00:00:03": days, hours, minutes, seconds
sub _seconds_of_words {
    my ($text) = @_;
    my @is = ($text // '') =~ /\AUsr ([0-9]{1,6}) ([0-9]{2}):([0-9]{2}):([0-9]{2}), Sys ([0-9]{1,6}) ([0-9]{2}):([0-9]{2}):([0-9]{2})\z/ or return;
    return map { $is[$_] * DAY + $is[ $_ + 1 ] * HOUR + $is[ $_ + 2 ] * MINUTE + $is[ $_ + 3 ] } 0, 4;
}

1;
