# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Legacy::Attributes;

# A job as a site's GRAM module is given it. What it runs is our launcher: the client's program, arguments, environment and files never pass
# through the module, which writes shell scripts of what it is given. What does pass, has a plain form.

use strict;
use warnings;

use Jobgate::Adapter         ();
use Jobgate::Starter::Launch ();

use constant MAX_EXTENSIONS => 64;

my $PLAIN = qr/\A[A-Za-z0-9_][A-Za-z0-9_.,:\@+=\/-]{0,255}\z/;
# what the gateway itself says to the module
my %RESERVED = map { $_ => 1 } qw(executable arguments environment directory stdin stdout stderr jobtype count jobid jobdir uniqid useforkstarter
    condorsubmit filestagein filestageout filecleanup statefile softenv);
# modules of which is known that the count of a single job is its number of processors; with others it may mean many jobs
my %COUNTS = map { $_ => 1 } qw(slurm lsf pbs);

# (attributes, fault). Settings: module, attributes (extensions that clients may give), pass_count, mpi. An mpi job too is a single
# one for the module, of so many processors: our launcher starts the mpiexec of the site in it.
sub of {
    my ($spec, $settings) = @_;
    my %job  = (jobtype => 'single', count => 1, stdin => '/dev/null');
    my $type = $spec->{job_type} // '';
    my $passes = ($settings->{pass_count} // ($COUNTS{ $settings->{module} // '' } ? 'true' : 'false')) eq 'true';
    my $fault = _type($type, runs_mpi($settings) && $passes) // _hosts(\%job, $spec)
        // _names(\%job, $spec) // _extensions(\%job, $spec, $settings->{attributes} // '');
    return (undef, $fault) if $fault;
    $job{count} = $spec->{count} if $spec->{count} && $passes && $type ne 'SINGLE';
    _limits(\%job, $spec);
    return (\%job, undef);
}

sub runs_mpi { my ($settings) = @_; return ($settings->{mpi} // '') eq 'true' }

sub _type {
    my ($type, $has_mpi) = @_;
    return if $type ne 'CONDOR' && ($type ne 'MPI' || $has_mpi);
    return _fault('UNSUPPORTED_FEATURE', 'jobType', lc $type, "A job of type \L$type\E cannot be run through this site's GRAM module.",
        'Ask for jobType multiple or single, or choose another LRM.');
}

# Modules do not agree on it: Debian's lsf leaves it out, its slurm takes the count as that of each host.
sub _hosts {
    my ($job, $spec) = @_;
    my $hosts = $spec->{host_count} // return;
    if ($hosts == 1) { $job->{host_count} = 1; return }
    return _fault('UNSUPPORTED_FEATURE', 'hostCount', $hosts, "A job on many hosts cannot be run through this site's GRAM module.",
        'Leave hostCount out, or choose another LRM.');
}

sub _fault {
    my ($code, $attribute, $value, $sentence, $remedy) = @_;
    return Jobgate::Adapter::fault($code, $sentence, $remedy, attribute => $attribute, value => $value);
}

sub _names {
    my ($job, $spec) = @_;
    for my $name (qw(queue project)) {
        my $value = $spec->{$name} // next;
        return _fault('INVALID_DESCRIPTION', $name, $value, "The $name has a name that the LRM cannot have.", 'Use letters, digits and ._@:,+=/-.') unless $value =~ $PLAIN;
        $job->{$name} = $value;
    }
    return;
}

# Minutes and MiB; the launcher keeps the wall-time limit to the second.
sub _limits {
    my ($job, $spec) = @_;
    my $wall = Jobgate::Starter::Launch::wall_limit($spec);
    $job->{max_wall_time} = $job->{wall_time} = int(($wall + 119) / 60) if defined $wall;
    my ($memory) = sort { $b <=> $a } grep { defined } @$spec{qw(max_memory_mib min_memory_mib)};
    @$job{qw(max_memory min_memory)} = ($memory, $memory) if defined $memory;
    return;
}

# Those that the site lets clients give, by the names that the module knows.
sub _extensions {
    my ($job, $spec, $allowed) = @_;
    my %allowed = map { $_ => 1 } grep { !$RESERVED{$_} } map { tr/_//dr } map { lc } split /[\s,]+/, $allowed;
    my @given = @{ $spec->{extensions} // [] };
    return _fault('LIMIT_EXCEEDED', 'extensions', '', 'The job has more than ' . MAX_EXTENSIONS . ' extensions.', 'Give fewer.') if @given > MAX_EXTENSIONS;
    for my $extension (@given) {
        my $name  = lc($extension->{name}) =~ tr/_//dr;
        my $value = $extension->{text} // '';
        next unless $allowed{$name};    # as other adapters do with extensions of other LRMs
        return _fault('INVALID_DESCRIPTION', $extension->{name}, $value, "The extension $extension->{name} has a value that the LRM is not given.",
            'Use letters, digits and ._@:,+=/-.') unless $value =~ $PLAIN;
        $job->{$name} = $value;
    }
    return;
}

1;
