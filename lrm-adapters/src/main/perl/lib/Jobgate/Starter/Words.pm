# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Starter::Words;

# The words for what can fail between a job's description and its process.

use strict;
use warnings;

use Jobgate::Starter::Launch ();

my %FAULTS = (
    directory => [
        'DIRECTORY_NOT_FOUND', 'The working directory %s cannot be entered: %s.',
        'Name a directory that exists where the job runs and that its account may enter.'
    ],
    stdin => [
        'STDIN_NOT_FOUND', 'The standard input file %s cannot be read: %s.',
        'Put the file there before the job starts, for example by staging it in.'
    ],
    stdout => [
        'STDOUT_NOT_WRITABLE', 'The standard output file %s cannot be written: %s.',
        'Name a file in a directory that exists and that the account may write.'
    ],
    stderr => [
        'STDERR_NOT_WRITABLE', 'The standard error file %s cannot be written: %s.',
        'Name a file in a directory that exists and that the account may write.'
    ],
    missing => [
        'EXECUTABLE_NOT_FOUND', 'The executable %s was not found: %s.',
        'Name a program that is installed where the job runs, or stage it in.'
    ],
    forbidden => [
        'EXECUTABLE_NOT_PERMITTED', 'The executable %s may not be run: %s.',
        'Make the file executable for the account (chmod u+x), and its directories enterable.'
    ],
    limit => [
        'EXECUTION_FAILED', 'The limit %s could not be set: %s.',
        'Ask for another limit, or none.'
    ],
    before => [
        'EXECUTION_FAILED', 'The command that was to run before the job (%s) failed: %s.',
        'Correct the command; what it said is in the standard error of the job.'
    ],
    execute => [
        'EXECUTION_FAILED', 'The executable %s could not be run: %s.',
        'Check that it is a program for this machine, or a script whose first line names an interpreter that is installed.'
    ],
);

# The fields of an end line for what went wrong in a child.
sub fault {
    my ($step, $value, $why) = @_;
    my ($code, $sentence, $remedy) = @{ $FAULTS{$step} // die "no such step: $step\n" };
    my $attribute = $step =~ /\A(?:missing|forbidden|execute)\z/ ? 'executable' : $step eq 'limit' ? $value : $step eq 'before' ? 'pre_command' : $step;
    return (
        fault    => $code,      attribute => $attribute, value => $value,
        sentence => sprintf($sentence, $value, $why), remedy => $remedy,
    );
}

# Which jobs this starter does not run at all: the fields of a fault, or nothing.
sub refusal {
    my ($spec) = @_;
    my $type = $spec->{job_type} // 'MULTIPLE';
    return if $type eq 'SINGLE' || $type eq 'MULTIPLE';
    return if $type eq 'MPI' && defined Jobgate::Starter::Launch::mpi_launcher();
    my $why = $type eq 'MPI' ? 'neither mpiexec nor mpirun is installed where this LRM runs jobs'
        : 'this LRM starts processes of its own machine only';
    return (
        fault    => 'UNSUPPORTED_FEATURE', attribute => 'jobType', value => lc $type,
        sentence => "A job of type \L$type\E cannot be run: $why.",
        remedy   => 'Ask for the job type single or multiple, or choose another LRM.',
    );
}

1;
