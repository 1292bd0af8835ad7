# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Starter::Launch;

# From a job's description to a process. The launcher of each job loads this: what it does not need is elsewhere.
# Nothing is checked beforehand: the real call is made, and its error is the answer.

use strict;
use warnings;

use Jobgate::System ();

my @STAYS;

sub DEFAULT_PATH() { '/usr/local/bin:/usr/bin:/bin' }

# The one that the adapter has named to the LRM's job (JOBGATE_MPIEXEC), else one that is installed here.
sub mpi_launcher {
    return $ENV{JOBGATE_MPIEXEC} if defined $ENV{JOBGATE_MPIEXEC};
    for my $name (qw(mpiexec mpirun)) {
        for my $directory (split /:/, DEFAULT_PATH) {
            return "$directory/$name" if -x "$directory/$name" && -f _;
        }
    }
    return;
}

# How many processes the starter itself starts for the job.
sub processes_of {
    my ($spec) = @_;
    return ($spec->{job_type} // 'MULTIPLE') eq 'MULTIPLE' ? ($spec->{count} || 1) : 1;
}

# The wall-time limit in seconds, if there is one.
sub wall_limit {
    my ($spec) = @_;
    return $spec->{max_wall_time} // $spec->{max_time};
}

# The description of a command that is run before or after the job's processes, as they are.
sub command_of {
    my ($spec, $name) = @_;
    my ($program, @arguments) = @{ ($spec->{resources} // {})->{$name} // return };
    return { %$spec, executable => $program, arguments => \@arguments, job_type => 'SINGLE', stdin => undef };
}

# Makes this process the job's; dies with [step, value, why] if that is not possible. The first process (index 0) empties the output files;
# what is to be done when they are open is given as code.
sub become {
    my ($spec, $index, $when_open) = @_;
    umask 077;
    my $directory = directory_of($spec);
    chdir $directory or die _failed('directory', $directory);
    _open_files($spec, $index);
    $when_open->() if $when_open;
    my $launcher = ($spec->{job_type} // '') eq 'MPI' ? mpi_launcher() // die _no_launcher($spec) : undef;
    %ENV = environment_of($spec);
    _limit($spec);
    my ($program, @arguments) = ($spec->{executable}, @{ $spec->{arguments} // [] });
    if (defined $launcher) {
        no warnings 'exec';
        exec {$launcher} $launcher, '-n', $spec->{count} || 1, $program, @arguments;
        die _failed('execute', $launcher);
    }
    _execute($program, @arguments);
    return;
}

# Where the job runs.
sub directory_of {
    my ($spec) = @_;
    my $home = (getpwuid $>)[7] // '/';
    my $directory = $spec->{directory} // $home;
    return $directory =~ m{\A/} ? $directory : "$home/$directory";
}

# The limits of each process, of which the least of CPU time counts.
sub _limit {
    my ($spec) = @_;
    my $asked = $spec->{resources} // {};
    my ($cpu) = sort { $a <=> $b } grep { $_ } $spec->{max_cpu_time}, $asked->{cpu_time};
    Jobgate::System::limit_cpu($cpu, 5) if $cpu;
    # those of memory last: they hold for this program too, until the other takes its place
    for my $name (grep { defined $asked->{$_} } qw(file_size stack_size core_size processes open_files locked_memory data_size address_space)) {
        Jobgate::System::limit($name, $asked->{$name}) or die [ 'limit', $name, "$!" ];
    }
    return;
}

sub _no_launcher {
    my ($spec) = @_;
    return [ 'execute', $spec->{executable}, 'neither mpiexec nor mpirun is installed where the job runs' ];
}

sub _failed {
    my ($step, $value) = @_;
    return [ $step, $value, "$!" ];
}

# The first process empties the output files, the others of the job write behind it; all append, so none overwrites another.
sub _open_files {
    my ($spec, $index) = @_;
    my $write = Jobgate::System::append() | ($index == 0 ? Jobgate::System::empty_first() : 0);
    _open_as(0, $spec->{stdin}  // '/dev/null', 0,      'stdin');
    _open_as(1, $spec->{stdout} // '/dev/null', $write,   'stdout');
    _open_as(2, $spec->{stderr} // '/dev/null', $write,   'stderr');
    return;
}

sub _open_as {
    my ($target, $path, $mode, $step) = @_;
    sysopen my $file, $path, $mode, 0600 or die _failed($step, $path);
    if ($step eq 'stdin' && -d $file) {
        require Errno;
        $! = Errno::EISDIR();
        die _failed($step, $path);
    }
    Jobgate::System::dup_to(fileno $file, $target) or die _failed($step, $path);
    # where it came to lie there by itself it must stay
    push @STAYS, $file if fileno $file == $target;
    return;
}

# What the job's processes have in their environment; where a script of the site was read before them (Jobgate::Hooks), what that has left.
sub environment_of {
    my ($spec) = @_;
    return (%{ $spec->{hooked} }, JOBGATE_JOB_ID => $spec->{tag}) if $spec->{hooked};
    my ($account, $home, $shell) = (getpwuid $>)[ 0, 7, 8 ];
    $home //= '/';
    my %environment = (
        HOME => $home, LOGNAME => $account, USER => $account, SHELL => $shell || '/bin/sh',
        PATH => DEFAULT_PATH, LANG => 'C.UTF-8',
    );
    %environment = (%environment, %{ $spec->{inherited} // {} });
    # the LRM's own word is for the whole job
    $environment{OMP_NUM_THREADS} = $spec->{resources}{threads_per_process} if $spec->{resources} && defined $spec->{resources}{threads_per_process};
    $environment{ $_->[0] } = $_->[1] for @{ $spec->{environment} // [] };
    if (my @libraries = @{ $spec->{library_path} // [] }) {
        $environment{LD_LIBRARY_PATH} = join ':', @libraries, grep { defined && length } $environment{LD_LIBRARY_PATH};
    }
    $environment{GLOBUS_GRAM_JOB_HANDLE} = $spec->{handle} if defined $spec->{handle};
    $environment{JOBGATE_JOB_ID} = $spec->{tag};
    return %environment;
}

# A name with a slash is a path from the working directory; one without is looked for there, then along the job's PATH.
sub _execute {
    my ($program, @arguments) = @_;
    my @candidates = $program;
    if ($program !~ m{/}) {
        @candidates = map { ($_ eq '' ? '.' : $_) . "/$program" } '.', split /:/, $ENV{PATH} // '';
    }
    my $best;
    for my $candidate (@candidates) {
        no warnings 'exec';
        exec {$candidate} $program, @arguments;
        my $error = $! + 0;
        require Errno;    # here, where it is needed: it costs each start a millisecond
        # that it is there and cannot be run says more than that it is not elsewhere
        $best //= $error if $error != Errno::ENOENT() && $error != Errno::ENOTDIR();
        last if -f $candidate && $error != Errno::EACCES();
    }
    $! = $best //= Errno::ENOENT();
    die _failed(_step_of($best, @candidates), $program);
}

sub _step_of {
    my ($error, @candidates) = @_;
    my $saved = $!;
    my $is_there = grep { -f } @candidates;
    $! = $saved + 0;
    return 'forbidden' if $error == Errno::EACCES() || $error == Errno::EPERM();
    return 'missing'   if !$is_there && ($error == Errno::ENOENT() || $error == Errno::ENOTDIR() || $error == Errno::ELOOP());
    return 'execute';
}

1;
