# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::ArrayOrders;

# How a polled adapter submits jobs that come together as job arrays of its LRM, where the site says so (setting array_size). Each element is a job of its own
# with an id, an end and a record. A base class beside Jobgate::Adapter::Batch, before it. The adapter gives:
#
#   asked_for($job)         all that the LRM is asked for this job, as a list of words; jobs with the same may be in one array. undef: by itself only
#   array_order(@jobs)      an order (Jobgate::Adapter::Batch, submit_by) for these jobs as one array, which was kept by $self->arrays->keep; array_answers
#                           makes its answer
#   new_arrays(@spools)     the Jobgate::Arrays of these spools

use strict;
use warnings;

use Jobgate::Arrays ();

use constant ARRAY_SIZE => 1;    # jobs of one array; setting array_size; 1: no arrays

# A job that was tried before is submitted by itself: a site may have the LRM refuse arrays with a message that is unknown here.
sub submit_some {
    my ($self, $jobs, $lock) = @_;
    my $most = $self->setting('array_size', ARRAY_SIZE);
    die 'the setting array_size must be 1 to ' . Jobgate::Arrays::MOST() . ": $most\n" unless $most =~ /\A[1-9][0-9]{0,3}\z/ && $most <= Jobgate::Arrays::MOST();
    $self->arrays->drop_vain($self->_log->jobs, map { $_->{tag} } @$jobs);
    my (%alike, @orders);
    for my $job (@$jobs) {
        my $asked = $most > 1 && !$job->{may_exist} ? $self->asked_for($job) : undef;
        push @{ $alike{ $asked ? join "\0", @$asked : $job->{tag} } }, $job;
    }
    for my $kind (sort keys %alike) {
        while (my @some = splice @{ $alike{$kind} }, 0, $most) { push @orders, @some > 1 ? $self->array_order(@some) : $self->single_order(@some) }
    }
    my %answers = $self->submit_by($lock, @orders);
    # of an array that the LRM did not take, each job may be taken or refused for itself
    my @apart = grep { ($answers{ $_->{tag} } // {})->{apart} } @$jobs;
    return (%answers, @apart ? $self->submit_by($lock, map { $self->single_order($_) } @apart) : ());
}

sub single_order {
    my ($self, $job) = @_;
    return [ [ $self->submit_command($job) ], sub { return ($job->{tag} => $self->submit_answer($_[0], $job)) } ];
}

# The words by which the LRM starts our launcher for each element of an array: the element finds by its number which job it is (jobgate-job).
sub element_launcher {
    my ($self, $array) = @_;
    my @words = $self->launcher($array);
    return (@words[ 0 .. $#words - 1 ], 'element');
}

# tag => answer for the jobs of an array: the LRM has it under these ids, or is known not to have it, or neither is clear, and why.
sub array_answers {
    my ($self, $array, $tags, %of_all) = @_;
    $self->arrays->drop($array) if $of_all{is_not_there};
    return map { $tags->[$_] => $of_all{is_not_there} ? { apart => 1 } : $of_all{ids} ? { ids => [ $of_all{ids}[$_] ] } : { unclear => $of_all{unclear} } } 0 .. $#$tags;
}

# What is kept of arrays goes with the last of their jobs.
sub forget {
    my ($self, $jobs) = @_;
    $self->Jobgate::Adapter::Batch::forget($jobs);
    $self->arrays->tidy(sub { $self->job_file($_[0])->is_there }, map { $_->{tag} } @$jobs);
    return;
}

sub arrays {
    my ($self) = @_;
    return $self->{arrays} //= $self->new_arrays($self->spool, scalar($self->former_spool) // ());
}

sub new_arrays { my ($self, @spools) = @_; return Jobgate::Arrays->new(@spools) }

1;
