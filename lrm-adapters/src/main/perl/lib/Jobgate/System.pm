# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::System;

# What the kernel offers and Perl's core modules do not, or only at a price: by number on the machines we know, by a weaker or slower way elsewhere.
# The launcher of each job loads this: POSIX would cost it more than all the rest.

use strict;
use warnings;

use Config ();

my %NUMBERS = (
    x86_64  => { prctl => 157, waitid => 247, close_range => 436, prlimit64 => 302, getrusage => 98,  dup3 => 292, clock_gettime => 228 },
    aarch64 => { prctl => 167, waitid => 95,  close_range => 436, prlimit64 => 261, getrusage => 165, dup3 => 24,  clock_gettime => 113 },
);
# the machine that this Perl was built for: its numbers count, whatever the kernel is
my $NUMBERS = $Config::Config{archname} =~ /\A(x86_64|aarch64)-linux(?!-gnux32)/ ? $NUMBERS{$1} : {};

use constant {
    PR_SET_CHILD_SUBREAPER => 36,
    P_ALL                  => 0,
    WNOHANG_WEXITED        => 0x1 | 0x4,
    WNOWAIT                => 0x01000000,
    RLIMIT_CPU             => 0,
    RLIMIT_CORE            => 4,
    RUSAGE_CHILDREN        => -1,
    MAX_FD                 => 0xFFFFFFFF,
    CLOCK_REALTIME         => 0,
};

# Milliseconds since 1970.
sub now_ms {
    my $time = "\0" x 16;
    if ($NUMBERS->{clock_gettime} && syscall($NUMBERS->{clock_gettime}, CLOCK_REALTIME, $time) == 0) {
        my ($seconds, $nanoseconds) = unpack 'q2', $time;
        return $seconds * 1000 + int($nanoseconds / 1_000_000);
    }
    require Time::HiRes;
    return int(Time::HiRes::time() * 1000);
}

# Makes the descriptor $target another name of $fd, kept open over exec; answers whether that went well.
sub dup_to {
    my ($fd, $target) = @_;
    return 1 if $fd == $target;
    return syscall($NUMBERS->{dup3}, $fd, $target, 0) >= 0 if $NUMBERS->{dup3};
    require POSIX;
    return defined POSIX::dup2($fd, $target);
}

sub host_name {
    if (open my $file, '<', '/proc/sys/kernel/hostname') {
        chomp(my $name = <$file> // '');
        return $name if length $name;
    }
    require Sys::Hostname;
    return Sys::Hostname::hostname();
}

# Orphans below us become our children instead of init's. Answers whether the kernel agreed.
sub become_subreaper {
    my $number = $NUMBERS->{prctl} or return 0;
    return syscall($number, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0;
}

# A child that has ended but is not reaped yet, so that its process group cannot be taken by another: (pid, cpu ms); or nothing.
sub ended_child {
    my $number = $NUMBERS->{waitid} or return;
    my $info  = "\0" x 128;
    my $usage = "\0" x 256;
    syscall($number, P_ALL, 0, $info, WNOHANG_WEXITED | WNOWAIT, $usage) == 0 or return;
    my $pid = unpack 'x16 i', $info;
    return unless $pid;
    my ($us, $uu, $ss, $su) = unpack 'q4', $usage;
    return ($pid, int(($us + $ss) * 1000 + ($uu + $su) / 1000));
}

sub can_peek { return exists $NUMBERS->{waitid} }

# Closes every descriptor above 2 except one.
sub close_all_but {
    my ($keep, $highest) = @_;
    my $number = $NUMBERS->{close_range};
    if ($number) {
        my $below = $keep > 3 ? syscall($number, 3, $keep - 1, 0) : 0;
        return if $below == 0 && syscall($number, $keep + 1, MAX_FD, 0) == 0;
    }
    require POSIX;
    POSIX::close($_) for grep { $_ != $keep } 3 .. $highest;
    return;
}

# Bounds the CPU seconds of this process: SIGXCPU at the limit, SIGKILL after the grace.
sub limit_cpu {
    my ($seconds, $grace) = @_;
    my $number = $NUMBERS->{prlimit64} or return 0;
    my $limit = pack 'QQ', $seconds, $seconds + $grace;
    return syscall($number, 0, RLIMIT_CPU, $limit, 0) == 0;
}

# Lets this process leave no core file.
sub dump_no_core {
    my $number = $NUMBERS->{prlimit64} or return 0;
    my $limit = pack 'QQ', 0, 0;    # of its own: syscall writes to what it is given
    return syscall($number, 0, RLIMIT_CORE, $limit, 0) == 0;
}

# What the children that we have waited for used: user and system CPU in milliseconds, the memory of the largest in KiB (undef where the
# kernel is not asked).
sub children_usage {
    my $number = $NUMBERS->{getrusage};
    my $usage  = "\0" x 256;
    if ($number && syscall($number, RUSAGE_CHILDREN, $usage) == 0) {
        my ($us, $uu, $ss, $su, $rss) = unpack 'q5', $usage;
        return ($us * 1000 + int($uu / 1000), $ss * 1000 + int($su / 1000), $rss);
    }
    my (undef, undef, $user, $system) = times;
    return (int($user * 1000), int($system * 1000), undef);
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
