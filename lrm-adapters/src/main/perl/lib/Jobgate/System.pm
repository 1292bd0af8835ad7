# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::System;

# What the kernel offers and Perl's core modules do not, or only at a price: by number on the machines we know, by a weaker or slower way elsewhere.
# The launcher of each job loads this: POSIX would cost it more than all the rest.

use strict;
use warnings;

# by the machine of an ELF file (elf(5): e_machine)
my %NUMBERS = (
    62  => { prctl => 157, waitid => 247, close_range => 436, prlimit64 => 302, getrusage => 98,  dup3 => 292, clock_gettime => 228, setitimer => 38 },
    183 => { prctl => 167, waitid => 95,  close_range => 436, prlimit64 => 261, getrusage => 165, dup3 => 24,  clock_gettime => 113, setitimer => 103 },
);
my $NUMBERS = _numbers();

# The machine that this Perl was built for: its numbers count, whatever the kernel is. Config.pm would cost each job a millisecond. A little-endian
# 64-bit Linux is what is known; of 32 bits on the same processor (x32) the numbers are others.
sub _numbers {
    return {} unless $^O eq 'linux' && open my $perl, '<:raw', '/proc/self/exe';
    read $perl, my $head, 20 or return {};
    my ($magic, $class, $order, $machine) = unpack 'a4 C C x12 v', $head;
    return $magic eq "\x7fELF" && $class == 2 && $order == 1 && $NUMBERS{$machine} || {};
}

# by hand: constant.pm would cost each job a millisecond
sub RLIMIT_CPU()      { 0 }
sub RLIMIT_CORE()     { 4 }
sub RUSAGE_CHILDREN() { -1 }
sub CLOCK_REALTIME()  { 0 }
sub ITIMER_REAL()     { 0 }

# The number of a system call, undef where it is not known here.
sub number { return $NUMBERS->{ $_[0] } }

# The flags of open(2): the same on the machines that we know; Fcntl.pm would cost each job a millisecond.
my %OPEN = %$NUMBERS ? (create => 0100, exclusive => 0200, truncate => 01000, append => 02000) : do {
    require Fcntl;
    (create => Fcntl::O_CREAT(), exclusive => Fcntl::O_EXCL(), truncate => Fcntl::O_TRUNC(), append => Fcntl::O_APPEND());
};
my ($CREATE_NEW, $APPEND, $EMPTY) = (1 | $OPEN{create} | $OPEN{exclusive}, 1 | $OPEN{create} | $OPEN{append}, $OPEN{truncate});

# For a file that must not be there yet; for one that is written behind what others write; to be added where it is emptied first.
sub create_new  { return $CREATE_NEW }
sub append      { return $APPEND }
sub empty_first { return $EMPTY }

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

# SIGALRM in so many seconds, which need not be whole; none with 0.
sub alarm_in {
    my ($seconds) = @_;
    if (my $number = $NUMBERS->{setitimer}) {
        my $timer = pack 'q4', 0, 0, int $seconds, ($seconds - int $seconds) * 1_000_000;
        return if syscall($number, ITIMER_REAL, $timer, 0) == 0;
    }
    require Time::HiRes;
    Time::HiRes::alarm($seconds);
    return;
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

# Bounds the CPU seconds of this process: SIGXCPU at the limit, SIGKILL after the grace. An LRM may have set a limit already, which nobody can raise;
# where that is not the later, SIGXCPU comes a second before it: by SIGKILL alone it cannot be seen that it was the CPU time.
sub limit_cpu {
    my ($seconds, $grace) = @_;
    my $number = $NUMBERS->{prlimit64} or return 0;
    my $old = pack 'QQ', 0, 0;
    return 0 if syscall($number, 0, RLIMIT_CPU, 0, $old) != 0;
    my (undef, $most) = unpack 'QQ', $old;
    my $hard  = $most < $seconds + $grace ? $most : $seconds + $grace;
    my $soft  = $seconds < $hard ? $seconds : $hard > 1 ? $hard - 1 : $hard;
    my $limit = pack 'QQ', $soft, $hard;
    return syscall($number, 0, RLIMIT_CPU, $limit, 0) == 0;
}

# setrlimit(2), by the names of the resources of a job
my %RLIMIT = (
    file_size     => 1,
    data_size     => 2,
    stack_size    => 3,
    core_size     => RLIMIT_CORE,
    processes     => 6,
    open_files    => 7,
    locked_memory => 8,
    address_space => 9,
);

# Bounds what this process may have of a resource, for good. A lower limit that is there already stays: nobody but root can raise it. Answers whether it
# is bounded now; $! says why not.
sub limit {
    my ($name, $value) = @_;
    my $number = $NUMBERS->{prlimit64} or return 0;
    my $old = pack 'QQ', 0, 0;
    return 0 if syscall($number, 0, $RLIMIT{$name}, 0, $old) != 0;
    my (undef, $most) = unpack 'QQ', $old;
    $most = $value if $value < $most;
    my $limit = pack 'QQ', $most, $most;
    return syscall($number, 0, $RLIMIT{$name}, $limit, 0) == 0;
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

1;
