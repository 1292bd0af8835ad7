# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Processes;

# What the kernel says of processes, and does with them.

use strict;
use warnings;

use Jobgate::System ();

use constant {
    PR_SET_CHILD_SUBREAPER => 36,
    P_ALL                  => 0,
    WNOHANG_WEXITED        => 0x1 | 0x4,
    WNOWAIT                => 0x01000000,
    MAX_FD                 => 0xFFFFFFFF,
};

# Orphans below us become our children instead of init's. Answers whether the kernel agreed.
sub become_subreaper {
    my $number = Jobgate::System::number('prctl') or return 0;
    return syscall($number, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0;
}

# A child that has ended but is not reaped yet, so that its process group cannot be taken by another: (pid, what it and the children that it has
# waited for used: user and system CPU in ms, and the memory of the largest in KiB); or nothing.
sub ended_child {
    my $number = Jobgate::System::number('waitid') or return;
    my $info  = "\0" x 128;
    my $usage = "\0" x 256;
    syscall($number, P_ALL, 0, $info, WNOHANG_WEXITED | WNOWAIT, $usage) == 0 or return;
    my $pid = unpack 'x16 i', $info;
    return unless $pid;
    my ($us, $uu, $ss, $su, $rss) = unpack 'q5', $usage;
    return ($pid, $us * 1000 + int($uu / 1000), $ss * 1000 + int($su / 1000), $rss);
}

sub can_peek { return defined Jobgate::System::number('waitid') }

# Closes every descriptor above 2 except one.
sub close_all_but {
    my ($keep, $highest) = @_;
    my $number = Jobgate::System::number('close_range');
    if ($number) {
        my $below = $keep > 3 ? syscall($number, 3, $keep - 1, 0) : 0;
        return if $below == 0 && syscall($number, $keep + 1, MAX_FD, 0) == 0;
    }
    require POSIX;
    POSIX::close($_) for grep { $_ != $keep } 3 .. $highest;
    return;
}

# When the process was started, in clock ticks since boot: with the pid it names one process for good.
sub start_time {
    my ($pid) = @_;
    my $stat = stat_of($pid) or return;
    return $stat->{start};
}

# state, parent, group, session and start time of a process; undef if there is none
sub stat_of {
    my ($pid) = @_;
    open my $file, '<', "/proc/$pid/stat" or return;
    my $line = <$file>;
    return unless defined $line && $line =~ /\A\d+ \(.*\) (.*)\z/s;
    my @rest = split ' ', $1;
    return { state => $rest[0], parent => $rest[1], group => $rest[2], session => $rest[3], start => $rest[19] };
}

# Whether that very process is there and not a zombie.
sub is_alive {
    my ($pid, $start) = @_;
    my $stat = stat_of($pid) or return 0;
    return $stat->{start} eq $start && $stat->{state} !~ /[ZX]/;
}

# Our direct children, or undef where the kernel does not list them.
sub children {
    open my $file, '<', "/proc/$$/task/$$/children" or return;
    my $line = <$file> // '';
    return [ split ' ', $line ];
}

# The tag of the job that the process's environment names; undef if none or not ours to see.
sub job_of {
    my ($pid) = @_;
    open my $file, '<', "/proc/$pid/environ" or return;
    local $/;
    my $environ = <$file> // return;
    return $environ =~ /(?:\A|\0)JOBGATE_JOB_ID=([^\0]*)/ ? $1 : undef;
}

# Every process of this user but ourselves: pid => stat.
sub processes_of_user {
    opendir my $proc, '/proc' or return {};
    my %found;
    for my $pid (grep { /\A[0-9]+\z/ } readdir $proc) {
        next if $pid == $$ || ((stat "/proc/$pid")[4] // -1) != $>;
        my $stat = stat_of($pid) or next;
        $found{$pid} = $stat if $stat->{state} !~ /[ZX]/;
    }
    return \%found;
}

1;
