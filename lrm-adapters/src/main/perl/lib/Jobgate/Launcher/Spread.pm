# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Launcher::Spread;

# A job whose processes another program spreads over machines (srun, mpiexec): what starts that program, and what that program starts.

use strict;
use warnings;

use parent 'Jobgate::Launcher';

use Jobgate::SpoolFile ();

# command: the words of the program; none in what it starts
sub new {
    my ($class, $directory, $tag, %given) = @_;
    return $class->SUPER::new($directory, $tag, %given, file => Jobgate::SpoolFile->new($directory, $tag));
}

sub count { my ($self, $spec) = @_; return $spec->{count} || 1 }
sub ends  { my ($self, $count) = @_; return $self->_ends_of_others($count) }

sub start_all {
    my ($self) = @_;
    my @command = @{ $self->{command} };
    return $self->start(0, sub { exec { $command[0] } @command; die "cannot run $command[0]: $!\n" });
}

# One process that a spreading command has started. Does not return.
sub run_process {
    my ($self) = @_;
    my $process = $self->_number;
    $self->begin(undef);
    $self->start_one($process, is_spread => 1);
    $self->wait_for_all;
    my $end = $self->together($self->end_of($process));
    $self->{file}->leave_end($end, $process);
    Jobgate::Launcher::end_as($end);
    return;
}

# The number of a process that a spreading command has started: by the variable that the command sets, else the first that no other has taken.
sub _number {
    my ($self) = @_;
    my ($number) = grep { defined && /\A[0-9]{1,7}\z/ } @ENV{qw(SLURM_PROCID PMI_RANK OMPI_COMM_WORLD_RANK PBS_VNODENUM)};
    return $number // $self->{file}->take_number;
}

# What the processes that a spreading command started have left; where one left nothing, the command's own end stands for it.
sub _ends_of_others {
    my ($self, $count) = @_;
    my $own  = $self->end_of(0);
    my @ends = map { $self->{file}->end_of($_) // $own } 0 .. $count - 1;
    return $own->{cause} eq 'NOT_STARTED' ? $own : @ends;
}

1;
