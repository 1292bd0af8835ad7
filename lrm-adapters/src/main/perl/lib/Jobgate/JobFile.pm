# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::JobFile;

# The files of one job in the account's spool, through which the adapter and what the LRM starts speak to each other: TAG.job (the
# description), TAG.claim (which job of the LRM runs it), TAG.begun (its output files are emptied), TAG.PROCESS.fault (why a process did not
# become the program), TAG.PROCESS.end and TAG.end (how a process and the whole ended), TAG.out (what the LRM itself printed).

use strict;
use warnings;

use Jobgate::Starter::Launch ();
use Jobgate::System          ();
use Jobgate::Wire            ();

sub NOT_STARTED() { 127 }
sub TWIN()        { 75 }
sub MAX_RECORD()  { 65536 }
sub LOCK_EX()     { 2 }

# what the LRMs tell their jobs through the environment
# but that jobs were submitted together is no business of theirs (of Grid Engine: inherited)
my $INHERITED = qr/\A(?!SLURM_ARRAY_)(?:_CONDOR_|SLURM_|SLURMD_|SGE_|PBS_|LSB_|LSF_|PE\z|PE_HOSTFILE\z|JOB_|NSLOTS\z|NHOSTS\z|NQUEUES\z|QUEUE\z|HOSTNAME\z|OMP_NUM_THREADS\z|CUDA_VISIBLE_DEVICES\z|TMPDIR\z)/;

sub new {
    my ($class, $directory, $tag) = @_;
    die "not a tag\n" unless $tag =~ /\A[0-9a-f-]{36}\z/;
    return bless { path => "$directory/$tag", tag => $tag }, $class;
}

sub tag { return $_[0]{tag} }

# Written under another name first: what has the name is whole.
sub write_whole {
    my ($path, $bytes) = @_;
    my $new = "$path.new.$$";
    sysopen my $file, $new, Jobgate::System::append() | Jobgate::System::empty_first(), 0600 or die "cannot write $new: $!\n";
    binmode $file;
    print {$file} $bytes and close $file or die "cannot write $new: $!\n";
    rename $new, $path or die "cannot name $path: $!\n";
    return;
}

sub read {
    my ($self) = @_;
    my $spec = Jobgate::Wire::decode(_bytes("$self->{path}.job") // die "cannot read $self->{path}.job: $!\n");
    $spec->{tag} = $self->{tag};
    # a job of HTCondor's own kind is started like any other: the standard universe is no more
    $spec->{job_type} = 'MULTIPLE' if ($spec->{job_type} // '') eq 'CONDOR';
    return $spec;
}

sub _bytes {
    my ($path, $most) = @_;
    open my $file, '<:raw', $path or return;
    defined CORE::read $file, my $bytes, $most // -s $file or return;
    return $bytes;
}

# --- what is left behind ----------------------------------------------------------------------------------------------------------

# The same as [step, value, why].
sub why {
    my ($self, $process) = @_;
    my $told = _decoded("$self->{path}.$process.fault");
    return ref $told eq 'ARRAY' ? $told : undef;
}

sub leave_why {
    my ($self, $process, $why) = @_;
    write_whole("$self->{path}.$process.fault", Jobgate::Wire::encode($why));
    return;
}

sub _decoded {
    my ($path) = @_;
    my $bytes = _bytes($path, MAX_RECORD) // return;
    return eval { Jobgate::Wire::decode($bytes) };
}

sub leave_end {
    my ($self, $end, $process) = @_;
    write_whole($self->_end_path($process), Jobgate::Wire::encode($end));
    return;
}

sub _end_path { my ($self, $process) = @_; return defined $process ? "$self->{path}.$process.end" : "$self->{path}.end" }

# What a former try of the same job left must not be taken for this one's.
sub clean {
    my ($self, $count) = @_;
    unlink map { "$self->{path}.$_" } qw(begun end), map { ("$_.fault", "$_.end", "$_.taken") } 0 .. $count - 1, qw(pre_command post_command);
    return;
}

# Takes the job for this id of the LRM. False if another id has it: then a submission was made twice, and only the first may run. The
# same id may come again, when the LRM has queued the job anew.
sub claim {
    my ($self, $id) = @_;
    my $mine = "$self->{path}.claim.$id";
    $mine =~ s/[^A-Za-z0-9_.\/\[\]-]/_/g;
    write_whole($mine, $id);
    my $is_new = link $mine, "$self->{path}.claim";
    unlink $mine;
    return $is_new || ($self->claimed_by // '') eq $id;
}

sub claimed_by { return _bytes("$_[0]{path}.claim", MAX_RECORD) }

# --- the program ------------------------------------------------------------------------------------------------------------------

# Becomes the job's program; returns only if that was not possible, and has said why then. With `is_spread` it is one of many that another
# program has started, which gives an MPI job its places.
sub become {
    my ($self, $process, %how) = @_;
    umask 077;
    my $spec = $self->read;
    $spec->{job_type} = 'MULTIPLE' if $how{is_spread};
    unlink "$self->{path}.$process.fault";    # of a former try
    $spec->{inherited} = inherited();
    $spec->{hooked} = $self->{hooked};
    my $lock = $self->_lock;
    # a command before them may have written there already
    my $is_alone = Jobgate::Starter::Launch::processes_of($spec) == 1 && !($spec->{resources} // {})->{pre_command};
    my $is_first = $is_alone || $self->_is_first;
    eval { Jobgate::Starter::Launch::become($spec, $is_first ? 0 : 1, sub { close $lock }); 1 } and return;
    $self->leave_why($process, ref $@ ? $@ : [ 'execute', $spec->{executable}, "$@" ]);
    return;
}

# Becomes a command that runs before or after the job's processes. Its files are theirs; it is never the first to write where the processes were before.
sub become_command {
    my ($self, $command, $name) = @_;
    umask 077;
    unlink "$self->{path}.$name.fault";
    $command->{inherited} = inherited();
    my $is_first = $name eq 'pre_command' && $self->_is_first;
    eval { Jobgate::Starter::Launch::become($command, $is_first ? 0 : 1); 1 } and return;
    $self->leave_why($name, ref $@ ? $@ : [ 'execute', $command->{executable}, "$@" ]);
    return;
}

# What the processes started from here on have in their environment, where a script of the site has had its say.
sub environment { my ($self, $hooked) = @_; $self->{hooked} = $hooked; return }

# A job of Grid Engine that is no element of an array has `undefined` for its number there.
sub inherited { return { map { $_ => /\ASGE_TASK_/ ? 'undefined' : $ENV{$_} } grep { /$INHERITED/ } keys %ENV } }

# The tag of this element, counted from 0, of an array that is kept in this directory (Jobgate::Arrays); dies where it has none.
sub tag_of_element {
    my ($directory, $array, $index) = @_;
    my $tags = _bytes("$directory/$array.array", MAX_RECORD) // die "cannot read $directory/$array.array: $!\n";
    return $index >= 0 && substr($tags, 37 * $index, 37) =~ /\A([0-9a-f-]{36})\n\z/ ? "$1" : die "the array $array has no element $index\n";
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
    return sysopen my $begun, "$self->{path}.begun", Jobgate::System::create_new(), 0600;
}

1;
