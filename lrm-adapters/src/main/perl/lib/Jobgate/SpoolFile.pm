# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::SpoolFile;

# The files of one job as its adapter sees them.

use strict;
use warnings;

use parent 'Jobgate::JobFile';

use Jobgate::Starter::Words ();
use Jobgate::System         ();

use constant MAX_PRINTED => 4096;

# Whether it was written before.
sub is_there { return -e "$_[0]{path}.job" }

# Keeps the encoded description.
sub write {
    my ($self, $description) = @_;
    Jobgate::JobFile::write_whole("$self->{path}.job", $description);
    return;
}

sub remove {
    my ($self, $count) = @_;
    unlink map { "$self->{path}.$_" } qw(job claim begun out end), map { ("$_.fault", "$_.end", "$_.taken") } 0 .. $count - 1, qw(pre_command post_command);
    return;
}

# The number of processes that may have left files.
sub count {
    my ($self) = @_;
    my $description = eval { $self->read } or return 1;
    return $description->{count} || 1;
}

# The fault that a process left, as fields; nothing if it left none.
sub fault_of {
    my ($self, $process) = @_;
    my $told = $self->why($process) or return;
    return Jobgate::Starter::Words::fault(@$told);
}

# How a process, or without a number the whole, ended: a hash (see Jobgate::Launcher); undef where there is no record.
sub end_of {
    my ($self, $process) = @_;
    my $end = Jobgate::JobFile::_decoded($self->_end_path($process));
    return ref $end eq 'HASH' && defined $end->{cause} ? $end : undef;
}

# Where the LRM is to print what it has to say of the job, and the end of what it said.
sub out_path { return "$_[0]{path}.out" }

sub printed {
    my ($self) = @_;
    open my $file, '<:raw', $self->out_path or return '';
    seek $file, -MAX_PRINTED, 2 if -s $file > MAX_PRINTED;
    defined CORE::read $file, my $text, MAX_PRINTED or return '';
    return $text;
}

# The number of a process that nothing has numbered: the first that is free.
sub take_number {
    my ($self) = @_;
    for my $number (0 .. $self->count - 1) {
        return $number if sysopen my $taken, "$self->{path}.$number.taken", Jobgate::System::create_new(), 0600;
        die "cannot write $self->{path}.$number.taken: $!\n" unless -e "$self->{path}.$number.taken";
    }
    die "more processes were started than the job has\n";
}

1;
