# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package PbsStandin::Dialect;

# What TORQUE and OpenPBS say differently: versions, error numbers and sentences, special exit codes. A command's exit code is the lowest byte of
# the error number, as both have it.

use strict;
use warnings;

my %DIALECTS = (
    torque => {
        version  => '6.1.2',
        name_max => 15,
        errors   => {
            unknown_job  => [ 15001, 'Unknown Job Id Error' ],
            perm         => [ 15007, 'Unauthorized Request ' ],
            bad_value    => [ 15016, 'Illegal attribute or resource value for ' ],
            bad_state    => [ 15018, 'Request invalid for state of job' ],
            unknown_queue => [ 15020, 'Unknown queue' ],
            not_enabled  => [ 15023, 'Queue is not enabled' ],
            no_access    => [ 15024, 'Access to queue is denied' ],
            no_support   => [ 15031, 'No support for requested service' ],
            unknown_resource => [ 15037, 'Unknown resource type ' ],
            over_limit   => [ 15038, 'Job exceeds queue resource limits' ],
            not_rerunnable => [ 15040, 'job is not rerunnable' ],
            max_queued   => [ 15048, 'Maximum number of jobs already in queue' ],
            unknown_signal => [ 15015, 'Unknown/illegal signal name' ],
            hook         => [ 15016, 'rejected by filter: ' ],
        },
        wall => -11, memory => -10, cpu => -12, start_failed => -1, lost_node => -4,
    },
    openpbs => {
        version  => '23.06.06',
        name_max => 230,
        errors   => {
            unknown_job  => [ 15001, 'Unknown Job Id' ],
            perm         => [ 15007, 'Unauthorized Request ' ],
            bad_value    => [ 15014, 'Illegal attribute or resource value' ],
            bad_state    => [ 15016, 'Request invalid for state of job' ],
            unknown_queue => [ 15018, 'Unknown queue' ],
            not_enabled  => [ 15021, 'Queue is not enabled' ],
            no_access    => [ 15007, 'Unauthorized Request ' ],
            no_support   => [ 15029, 'No support for requested service' ],
            unknown_resource => [ 15035, 'Unknown resource' ],
            over_limit   => [ 15036, 'Job violates queue and/or server resource limits' ],
            not_rerunnable => [ 15038, 'job is not rerunnable' ],
            max_queued   => [ 15046, 'Maximum number of jobs already in queue' ],
            mixed        => [ 15109, '"-lresource=" cannot be used with "select" or "place", resource is' ],
            mixed_nodes  => [ 15110, 'Cannot be used with select or place' ],
            per_user     => [ 15142, "would exceed queue generic's per-user limit" ],
            per_user_ncpus => [ 15143, 'would exceed per-user limit on resource ncpus in queue' ],
            hook         => [ 15136, '' ],
            duplicate    => [ 15116, 'duplicated resource within a section of a select specification, resource is' ],
            finished     => [ 15139, 'Job has finished' ],
            no_history   => [ 15140, 'PBS is not configured to maintain job history' ],
            unknown_signal => [ 15013, 'Unknown/illegal signal name' ],
        },
        wall => -29, memory => -27, cpu => -28, start_failed => -1, lost_node => -20,
    },
);

sub new {
    my ($class, $name) = @_;
    my $dialect = $DIALECTS{$name} // die "no dialect $name; there are: @{[ sort keys %DIALECTS ]}\n";
    return bless { %$dialect, name => $name }, $class;
}

sub is_torque { return $_[0]{name} eq 'torque' }

# Dies with what a command prints on standard error and its exit code. The detail is what the server adds; object is the job or resource; text goes on with the sentence.
sub fail {
    my ($self, $command, $what, %more) = @_;
    my ($number, $text) = @{ $self->{errors}{$what} // die "no such error: $what\n" };
    my ($detail, $object) = @more{qw(detail object)};
    $text .= $more{text} // '';
    my $said;
    if ($command eq 'qsub') {
        $said = $self->is_torque ? "qsub: submit error ($text" . ($object // '') . (defined $detail ? " MSG=$detail" : '') . ')'
            : "qsub: $text" . (defined $object ? ": $object" : '');
    }
    else {
        $said = "$command: $text" . ($self->is_torque && defined $detail ? " MSG=$detail" : '') . (defined $object ? " $object" : '');
    }
    die { err => "$said\n", exit => $number & 255 };
}

# How a command answers --version: TORQUE on standard error, OpenPBS on standard output.
sub version_answer {
    my ($self) = @_;
    return $self->is_torque ? { out => '', err => "Version: $self->{version}\nCommit: 0000000\n", exit => 0 }
        : { out => "pbs_version = $self->{version}\n", err => '', exit => 0 };
}

1;
