# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Slurm::Use;

# What sacct says that jobs used, in the words of events (Jobgate::Adapter). The row of a job has the CPU time of all its steps, those of the steps have the
# memory; Slurm measures the memory now and then only, and not at all of a job that was over before it looked.

use strict;
use warnings;

my @FIELDS = qw(jobid user state totalcpu usercpu systemcpu maxrss alloccpus nodelist partition elapsedraw jobname jobid);
my %UNIT = ('' => 1 / 1024, K => 1, M => 1024, G => 1024**2, T => 1024**3);

sub format { return ('--format=' . join ',', @FIELDS) }

# By the job's id; only of jobs of the account that are over. Each has its `name`.
sub of {
    my ($text, $account) = @_;
    my %jobs;
    for my $line (split /\n/, $text) {
        my ($id, $user, $state, $cpu, $user_cpu, $system_cpu, $memory, $slots, $nodes, $queue, $wall, $name, $again, @more) = split /\|/, $line, -1;
        # the id stands last once more: then the row is whole
        next if @more || !defined $again || $again ne $id;
        if ($id =~ /\A[1-9][0-9]{0,9}(?:_[0-9]{1,7})?\z/) {
            # of one that runs, the numbers are not the last
            next if $user ne $account || $state =~ /\A(?:PENDING|RUNNING|SUSPENDED|COMPLETING|REQUEUED|RESIZING)/;
            my @hosts = _nodes($nodes);
            my %is = (wall => $wall =~ /\A[0-9]{1,10}\z/ ? 1000 * $wall : undef, slots => $slots =~ /\A[1-9][0-9]{0,7}\z/ ? $slots : undef,
                queue => $queue =~ /\A[A-Za-z0-9_.-]{1,64}\z/ ? $queue : undef, hosts => @hosts ? join(',', @hosts) : undef,
                cpu => scalar _ms($cpu), user_cpu => scalar _ms($user_cpu), system_cpu => scalar _ms($system_cpu));
            $jobs{$id} = { name => $name, map { $_ => $is{$_} } grep { defined $is{$_} } keys %is };
        }
        elsif (my $job = $id =~ /\A([1-9][0-9]{0,9}(?:_[0-9]{1,7})?)\./ ? $jobs{$1} : undef) {
            my ($number, $unit) = $memory =~ /\A([0-9]{1,15}(?:\.[0-9]+)?)([KMGT]?)\z/ or next;
            my $most = int($number * $UNIT{$unit});
            $job->{peak_memory} = $most if $most > ($job->{peak_memory} // 0);
        }
    }
    return %jobs;
}

# "1-02:03:04", "02:03:04", "03:04.567" in milliseconds; undef where it is none.
sub _ms {
    my ($text) = @_;
    my ($days, $hours, $minutes, $seconds, $part) = $text =~ /\A(?:([0-9]{1,6})-)?(?:([0-9]{1,2}):)?([0-9]{1,2}):([0-9]{2})(?:\.([0-9]{1,3}))?\z/ or return;
    return 1000 * (86400 * ($days // 0) + 3600 * ($hours // 0) + 60 * $minutes + $seconds) + substr(($part // '') . '000', 0, 3);
}

# "node1,n[01-03,7]" as names, at most 64.
sub _nodes {
    my ($text) = @_;
    my @names;
    while ($text =~ /\G,?([A-Za-z0-9_.-]+)(?:\[([0-9,-]+)\])?/g) {
        my ($name, $numbers) = ($1, $2);
        if (!defined $numbers) { push @names, $name; next }
        for my $range (split /,/, $numbers) {
            my ($first, $last) = $range =~ /\A([0-9]{1,9})(?:-([0-9]{1,9}))?\z/ or next;
            $last //= $first;
            for (my $number = $first; $number <= $last && @names < 64; $number++) { push @names, $name . sprintf '%0*d', length $first, $number }
        }
    }
    splice @names, 64 if @names > 64;
    return $text =~ /\ANone assigned/ ? () : @names;
}

1;
