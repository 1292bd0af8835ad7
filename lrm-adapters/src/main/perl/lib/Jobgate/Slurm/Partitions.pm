# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Slurm::Partitions;

# Slurm's partitions by "scontrol -o show partition", and which jobs cannot run in them.

use strict;
use warnings;

use Jobgate::Adapter         ();
use Jobgate::Slurm::Options  ();
use Jobgate::Starter::Launch ();

# name => { name, state, default, processors, nodes, max_nodes, max_wall_seconds }; absent where there is no limit. Dies on an answer that has none.
sub parse {
    my ($text) = @_;
    my %partitions;
    for my $line (split /\n/, $text) {
        my %has = map { /\A([A-Za-z]+)=(.*)\z/ ? ($1 => $2) : () } split ' ', $line;
        next unless defined $has{PartitionName} && defined $has{State};
        $partitions{ $has{PartitionName} } = {
            name => $has{PartitionName}, state => $has{State}, default => ($has{Default} // '') eq 'YES' ? 1 : 0,
            _number(processors => $has{TotalCPUs}), _number(nodes => $has{TotalNodes}), _number(max_nodes => $has{MaxNodes}),
            defined seconds($has{MaxTime}) ? (max_wall_seconds => seconds($has{MaxTime})) : (),
        };
    }
    die "scontrol shows no partition\n" unless %partitions;
    return \%partitions;
}

sub _number {
    my ($name, $value) = @_;
    return ($value // '') =~ /\A[0-9]{1,12}\z/ ? ($name => $value) : ();
}

# Seconds of a time limit like 1-02:03:04, 02:03:04 or 03:04; undef for UNLIMITED and the like.
sub seconds {
    my ($text) = @_;
    return unless ($text // '') =~ /\A(?:([0-9]+)-)?(?:([0-9]+):)?([0-9]+):([0-9]+)\z/;
    return (($1 // 0) * 24 + ($2 // 0)) * 3600 + $3 * 60 + $4;
}

# Why a job cannot run in the partition that it names, or in the default one; nothing where it may.
sub refusal {
    my ($partitions, $spec) = @_;
    my ($default) = grep { $_->{default} } values %$partitions;
    my $asked = $spec->{queue};
    my $partition = defined $asked ? $partitions->{$asked} : $default;
    my $names = join ', ', sort keys %$partitions;
    return Jobgate::Adapter::fault('INVALID_DESCRIPTION', "Slurm has no partition '$asked' here.", "Name one of: $names.", attribute => 'queue', value => $asked)
        if defined $asked && !$partition;
    return Jobgate::Adapter::fault('INVALID_DESCRIPTION', 'Slurm has no default partition here, and the job names no queue.', "Name one of: $names.", attribute => 'queue')
        unless $partition;
    my $wall = Jobgate::Starter::Launch::wall_limit($spec);
    return _over($partition, 'max_wall_seconds', $wall, defined $spec->{max_wall_time} ? 'maxWallTime' : 'maxTime', 'seconds of wall time')
        // _over($partition, 'processors', Jobgate::Slurm::Options::processes($spec), 'count', 'processors')
        // _over($partition, 'nodes', $spec->{host_count}, 'hostCount', 'nodes') // _over($partition, 'max_nodes', $spec->{host_count}, 'hostCount', 'nodes for one job');
}

sub _over {
    my ($partition, $limit, $asked, $attribute, $what) = @_;
    my $most = $partition->{$limit};
    return unless defined $asked && defined $most && $asked > $most;
    return Jobgate::Adapter::fault('LIMIT_EXCEEDED', "The partition $partition->{name} has at most $most $what; the job asks for $asked.",
        'Ask for less, or name another queue.', attribute => $attribute, value => $asked);
}

1;
