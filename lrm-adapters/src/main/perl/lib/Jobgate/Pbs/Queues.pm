# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Pbs::Queues;

# What queues and nodes there are, from qstat -Q -f and pbsnodes -a.

use strict;
use warnings;

use Jobgate::Pbs::Qstat ();

# (state, down, offline ...) => the node takes no job
my $USELESS = qr/down|offline|unknown|unresolvable|stale|provisioning|sleep|maintenance/;

# All queues, in the form that the POD of Jobgate::Adapter describes. They share the processors of the machine; nodes may be undef where pbsnodes does not tell us.
sub of {
    my ($queues, $nodes, $default) = @_;
    my %machine = $nodes ? _machine($nodes) : ();
    return [ map { _queue($_, \%machine, $default) } @$queues ];
}

sub _queue {
    my ($queue, $machine, $default) = @_;
    my %count = ($queue->{state_count} // '') =~ /([A-Z][a-z]+):([0-9]+)/g;
    my $state = ($queue->{enabled} // '') ne 'True' ? 'closed' : ($queue->{started} // '') ne 'True' ? 'stopped' : 'open';
    my %is = (%$machine, name => $queue->{name}, state => $state, running => ($count{Running} // 0) + ($count{Exiting} // 0),
        waiting => ($count{Queued} // 0) + ($count{Held} // 0) + ($count{Waiting} // 0) + ($count{Transit} // 0),
        default => defined $default && $default eq $queue->{name} ? 1 : 0);
    $is{free} = 0 if defined $is{free} && $state ne 'open';
    my $wall = Jobgate::Pbs::Qstat::seconds($queue->{'resources_max.walltime'});
    $is{max_wall_seconds} = $wall if $wall;
    my ($most) = sort { $a <=> $b } grep { defined && /\A[1-9][0-9]{0,8}\z/ } @$queue{qw(resources_max.ncpus resources_max.procct)};
    $is{max_processors} = $most if defined $most;
    return \%is;
}

# Of qstat -Q -f: hashes of attributes in lower case and `name`; dies if it is cut off or something else.
sub read_queues {
    my ($text) = @_;
    die "qstat -Q answered something that is no list of queues\n" unless $text =~ /\A\s*Queue: / && $text =~ /\n[ \t]*\n\z/;
    return [ map { _block($_, 4) } split /^Queue: /m, $text =~ s/\A\s*Queue: //r ];
}

sub _block {
    my ($text, $indent) = @_;
    $text =~ s/\n\t//g;
    my ($name) = $text =~ /\A(\S+)/ or die "a block without a name\n";
    my %is = (name => $name);
    while ($text =~ /^ {$indent}([A-Za-z][A-Za-z0-9_.]*) = (.*)$/mg) { $is{ lc $1 } //= $2 }
    return \%is;
}

# Of pbsnodes -a: each node's name at the beginning of a line, its attributes behind five blanks.
sub read_nodes {
    my ($text) = @_;
    my @blocks = grep { /\S/ } split /\n[ \t]*\n/, $text;
    die "pbsnodes answered something that is no list of nodes\n" if !@blocks || grep { !/\A\n*\S+[ \t]*\n {5}\S/ } @blocks;
    return [ map { _block(s/\A\n+//r . "\n", 5) } @blocks ];
}

sub read_default {
    my ($text) = @_;
    return $text =~ /^ {4}default_queue = (\S+)$/m ? $1 : undef;
}

# All processors, the free processors of the nodes that take jobs, and the memory of the largest node.
sub _machine {
    my ($nodes) = @_;
    my ($all, $free, $memory) = (0, 0, 0);
    for my $node (@$nodes) {
        my $has = $node->{'resources_available.ncpus'} // $node->{np} // $node->{pcpus} // 0;
        next unless $has =~ /\A[0-9]{1,9}\z/;
        my $used = $node->{'resources_assigned.ncpus'} // _slots($node->{jobs} // '');
        my $state = $node->{state} // '';
        $all  += $has;
        $free += $has - $used if $has > $used && $state =~ /free/ && $state !~ $USELESS;
        my $bytes = Jobgate::Pbs::Qstat::bytes($node->{'resources_available.mem'} // (($node->{status} // '') =~ /(?:\A|,)physmem=([^,]+)/)[0]);
        $memory = int($bytes / 1048576) if $bytes && $bytes / 1048576 > $memory;
    }
    return (processors => $all, free => $free, $memory ? (memory_mib => $memory) : ());
}

# "0/12.server, 1/12.server" and, from TORQUE 5 on, "0-3/12.server": how many.
sub _slots {
    my ($jobs) = @_;
    my $slots = 0;
    for my $part (split /,\s*/, $jobs =~ s{/[^,]*}{}gr) { $slots += $part =~ /\A([0-9]+)-([0-9]+)\z/ ? $2 - $1 + 1 : 1 }
    return $slots;
}

1;
