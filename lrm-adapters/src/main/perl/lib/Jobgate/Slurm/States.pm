# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Slurm::States;

# The job states of Slurm 22.05 (squeue(1), sacct(1): "JOB STATE CODES"), by long and compact name, and what each is for the gateway.

use strict;
use warnings;

# long name => [compact name, what it is]; an end => [compact name, 'ended', cause, fault code, sentence]
my %STATES = (
    PENDING       => [ 'PD', 'queued' ],
    CONFIGURING   => [ 'CF', 'queued' ],       # its nodes are being made ready
    REQUEUED      => [ 'RQ', 'queued' ],
    REQUEUE_FED   => [ 'RF', 'queued' ],
    REQUEUE_HOLD  => [ 'RH', 'suspended' ],
    RESV_DEL_HOLD => [ 'RD', 'suspended' ],
    SPECIAL_EXIT  => [ 'SE', 'suspended' ],    # requeued and held
    RUNNING       => [ 'R',  'started' ],
    RESIZING      => [ 'RS', 'started' ],
    SIGNALING     => [ 'SI', 'started' ],
    STAGE_OUT     => [ 'SO', 'started' ],
    COMPLETING    => [ 'CG', 'unknown' ],      # how it ended is not said yet
    STOPPED       => [ 'ST', 'suspended' ],
    SUSPENDED     => [ 'S',  'suspended' ],
    REVOKED       => [ 'RV', 'unknown' ],      # another cluster of a federation runs it
    COMPLETED     => [ 'CD', 'ended', 'EXITED' ],
    FAILED        => [ 'F',  'ended', 'EXITED' ],
    CANCELLED     => [ 'CA', 'ended', 'CANCELLED' ],
    TIMEOUT       => [ 'TO', 'ended', 'WALL_TIME' ],
    DEADLINE      => [ 'DL', 'ended', 'WALL_TIME', 'WALL_TIME_EXCEEDED', 'The job was not over at its deadline.' ],
    OUT_OF_MEMORY => [ 'OOM', 'ended', 'MEMORY' ],
    PREEMPTED     => [ 'PR', 'ended', 'PREEMPTED' ],
    NODE_FAIL     => [ 'NF', 'ended', 'NODE_FAILED' ],
    BOOT_FAIL     => [ 'BF', 'ended', 'NODE_FAILED', 'NODE_FAILED', 'A node could not be booted for the job.' ],
);
my %OF = map { $_ => $STATES{$_}, $STATES{$_}[0] => $STATES{$_} } keys %STATES;

# what slurmstepd reports as a signal where it could not start the script (SIG_UNK of Slurm's own)
use constant { LAUNCH_FAILED => 53 };

sub names { return sort keys %OF }

# (what it is, cause) of a state as squeue and sacct write it, also with what follows it ("CANCELLED by 1001"); 'unknown' for any other text.
sub of {
    my ($text) = @_;
    my ($name) = ($text // '') =~ /\A([A-Z_]+)(?:\s|\+|\z)/ or return ('unknown');
    my $state = $OF{$name} // return ('unknown');
    return @$state[ 1, 2 ];
}

# The end that a state, the exit code, the signal and the reason stand for, as fields of a row.
sub end {
    my ($text, $exit, $signal, $reason, $where) = @_;
    my ($is, $cause) = of($text);
    die "$text is no end\n" if $is ne 'ended';
    my ($name) = $text =~ /\A([A-Z_]+)/;
    my %end = (cause => $cause, exit => $exit, command => $where, output => "state $text, exit code $exit:$signal" . (length $reason ? ", reason $reason" : ''));
    $end{signal} = $signal if $signal;
    my (undef, undef, undef, $code, $sentence) = @{ $OF{$name} };
    return (%end, fault => $code, sentence => $sentence, remedy => 'Submit the job again; ask the administrator if it happens often.') if $code;
    return %end if $cause ne 'EXITED';
    return (%end, _not_started()) if $signal == LAUNCH_FAILED;
    # the job's own end goes first where it left one, and is no news that needs evidence
    delete @end{qw(command output)};
    return $signal ? (%end, cause => 'SIGNALLED') : %end;
}

sub _not_started {
    return (
        cause => 'NOT_STARTED', fault => 'EXECUTION_FAILED',
        sentence => "Slurm could not start the job's script on its node.",
        remedy   => "The administrator finds the cause in the log of slurmd on the node; often the spool of the account is not there.",
    );
}

1;
