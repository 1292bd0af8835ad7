# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Condor::Job;

# The files that describe one job to the processes that HTCondor starts for it: TAG.job (the description), TAG.begun (its output files are
# emptied), TAG.PROCESS.fault (why a process did not become the program).

use strict;
use warnings;

use Fcntl qw(:flock O_CREAT O_EXCL O_WRONLY);
use Jobgate::Starter::Launch ();
use Jobgate::Wire            ();

use constant { NOT_STARTED => 127, MAX_FAULT => 65536 };

sub new {
    my ($class, $directory, $tag) = @_;
    return bless { path => "$directory/$tag", tag => $tag }, $class;
}

# Whether it was written before.
sub is_there { return -e "$_[0]{path}.job" }

# Keeps the encoded description. Written under another name first: what has the name is whole.
sub write {
    my ($self, $description) = @_;
    my $new = "$self->{path}.new";
    open my $file, '>:raw', $new or die "cannot write $new: $!\n";
    print {$file} $description and close $file or die "cannot write $new: $!\n";
    rename $new, "$self->{path}.job" or die "cannot name $self->{path}.job: $!\n";
    return;
}

sub remove {
    my ($self, $count) = @_;
    unlink map { "$self->{path}.$_" } 'job', 'new', 'begun', map { "$_.fault" } 0 .. $count - 1;
    return;
}

sub count {
    my ($self) = @_;
    my $description = eval { $self->_read } or return 1;
    return Jobgate::Starter::Launch::processes_of($description);
}

# The fault that a process left, as fields; nothing if it left none.
sub fault_of {
    my ($self, $process) = @_;
    open my $file, '<:raw', "$self->{path}.$process.fault" or return;
    read $file, my $encoded, MAX_FAULT;
    my $told = eval { Jobgate::Wire::decode($encoded) };
    return ref $told eq 'ARRAY' ? Jobgate::Starter::Launch::fault(@$told) : ();
}

sub _read {
    my ($self) = @_;
    open my $file, '<:raw', "$self->{path}.job" or die "cannot read $self->{path}.job: $!\n";
    local $/;
    my $spec = Jobgate::Wire::decode(scalar <$file>);
    $spec->{tag} = $self->{tag};
    # a job of HTCondor's own kind is started like any other: the standard universe is no more
    $spec->{job_type} = 'MULTIPLE' if ($spec->{job_type} // '') eq 'CONDOR';
    return $spec;
}

# Becomes the job's program; returns only if that was not possible, and has said why then.
sub become {
    my ($self, $process) = @_;
    umask 077;
    my $spec = $self->_read;
    unlink "$self->{path}.$process.fault";    # of a former try
    $spec->{inherited} = { map { $_ => $ENV{$_} } grep { /\A(?:_CONDOR_|OMP_NUM_THREADS\z|TMPDIR\z)/ } keys %ENV };
    my $lock = $self->_lock;
    my $is_first = Jobgate::Starter::Launch::processes_of($spec) == 1 || $self->_is_first;
    eval { Jobgate::Starter::Launch::become($spec, $is_first ? 0 : 1, sub { close $lock }); 1 } and return;
    my $why = ref $@ ? $@ : [ 'execute', $spec->{executable}, "$@" ];
    open my $file, '>:raw', "$self->{path}.$process.fault" or die "cannot write $self->{path}.$process.fault: $!\n";
    print {$file} Jobgate::Wire::encode($why) and close $file or die "cannot write $self->{path}.$process.fault: $!\n";
    return;
}

# The output files of a job of many processes are emptied once, by whichever comes first, before another writes.
sub _lock {
    my ($self) = @_;
    open my $lock, '<', "$self->{path}.job" or die "cannot read $self->{path}.job: $!\n";
    flock $lock, LOCK_EX or die "cannot lock $self->{path}.job: $!\n";
    return $lock;
}

sub _is_first {
    my ($self) = @_;
    return sysopen my $begun, "$self->{path}.begun", O_CREAT | O_EXCL | O_WRONLY, 0600;
}

1;
