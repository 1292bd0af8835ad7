# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Condor::Pool;

# What condor_status says of a pool, in numbers.

use strict;
use warnings;

my @SLOT   = qw(Cpus TotalSlotCpus PartitionableSlot State Arch TotalMemory);
my @SCHEDD = qw(TotalRunningJobs TotalIdleJobs);

sub slot_format   { return ('-af', @SLOT) }
sub schedd_format { return ('-af', @SCHEDD) }

# Of the lines of all slots that are not parts of another. A partitionable slot has as Cpus those that it has not given away.
sub slots {
    my ($all, $free, $memory, %arch) = (0, 0, 0);
    for (@_) {
        my ($cpus, $total, $is_partitionable, $state, $arch, $mib) = split;
        next unless defined $mib && $cpus =~ /\A[0-9]+\z/;
        $all += $is_partitionable eq 'true' && $total =~ /\A[0-9]+\z/ ? $total : $cpus;
        $free += $cpus if $state eq 'Unclaimed';
        $memory = $mib if $mib =~ /\A[0-9]+\z/ && $mib > $memory;
        $arch{$arch}++;
    }
    return (processors => $all, free => $free, keys %arch == 1 ? (architecture => lc((keys %arch)[0])) : (), $memory ? (memory_mib => $memory) : ());
}

# Of the lines of all schedds.
sub schedds {
    my ($running, $waiting) = (0, 0);
    for (@_) {
        my ($runs, $waits) = split;
        next unless defined $waits && "$runs$waits" =~ /\A[0-9]+\z/;
        $running += $runs;
        $waiting += $waits;
    }
    return (running => $running, waiting => $waiting);
}

1;
