# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Launcher;

# What an LRM starts for a job whose end is to be recorded: starts the job's processes, stays as their parent, passes signals on, ends them
# at their wall-time limit, and leaves the end in the job's files. An end is a hash: cause (EXITED, SIGNALLED, NOT_STARTED, WALL_TIME), exit,
# signal, why ([step, value, why] of a process that did not become the program), started and ended (milliseconds since 1970), host,
# user_cpu and system_cpu (milliseconds, waited-for processes), max_rss (KiB, of the largest process), id (the LRM's), and what the LRM tells its job of
# itself: queue, slots.

use strict;
use warnings;

use Jobgate::JobFile         ();
use Jobgate::Starter::Launch ();
use Jobgate::System          ();

sub GRACE() { 5 }    # seconds from SIGTERM to SIGKILL at the wall-time limit
sub TICK()  { 1 }    # seconds between two looks at the wall-time limit, and what a suspension may be counted wrong by

my @PASSED_ON = qw(HUP INT QUIT TERM USR1 USR2 XCPU ALRM);

# submission: what the job is claimed by where the LRM's id of it is not known here
sub new {
    my ($class, $directory, $tag, %given) = @_;
    return bless { file => Jobgate::JobFile->new($directory, $tag), tag => $tag, pids => {}, statuses => {}, %given }, $class;
}

# The whole job: all its processes, on this machine. Does not return.
sub run_job {
    my ($self) = @_;
    my $file = $self->{file};
    my $id   = $self->{submission} // id();
    exit Jobgate::JobFile::TWIN() if defined $id && !$file->claim($id);
    my $spec  = $file->read;
    my $count = $self->count($spec);
    $file->clean($count);
    $self->begin(Jobgate::Starter::Launch::wall_limit($spec));
    $self->_read_hook('before', $spec);
    my $end = $self->_ended_early // $self->_run_before($spec) // $self->_run_all($count);
    $self->_run_after($spec);
    $self->_read_hook('after', $spec);
    $file->leave_end($end);
    end_as($end);
    return;
}

# A script of the site; see Jobgate::Hooks. The last one has its time even where the job has used its own up.
sub _read_hook {
    my ($self, $when, $spec) = @_;
    return unless defined $spec->{"hook_$when"};
    require Jobgate::Hooks;
    my $is_over_time = delete $self->{is_over_time};
    $spec->{inherited} //= Jobgate::JobFile::inherited();
    Jobgate::Hooks->can($when)->($spec, sub { my ($code) = @_; $self->start("hook_$when", $code); $self->wait_for_all });
    $self->{file}->environment($spec->{hooked});
    $self->{is_over_time} = $is_over_time if $when eq 'after';
    return;
}

# The end of a job that was cancelled, or whose time was over, while the first script was read: it is not begun.
sub _ended_early {
    my ($self) = @_;
    my $name = $self->{is_over_time} ? 'TERM' : $self->{ended_by} // return;
    require Config;
    my @names = split ' ', $Config::Config{sig_name};
    my ($number) = grep { $names[$_] eq $name } 0 .. $#names;
    return $self->together({ cause => 'SIGNALLED', signal => $number });
}

sub _run_all {
    my ($self, $count) = @_;
    $self->start_all($count);
    $self->wait_for_all;
    return $self->together($self->ends($count));
}

# Runs the command that comes before the job's processes; the end of the job where it failed. Its number is none of theirs.
sub _run_before {
    my ($self, $spec) = @_;
    my $end = $self->_run_command($spec, 'pre_command') // return;
    return if $end->{cause} eq 'EXITED' && !$end->{exit} && !$self->{is_over_time};
    my $how = $end->{cause} eq 'SIGNALLED' ? "it was ended by the signal $end->{signal}" : "it ended with the exit code $end->{exit}";
    my $why = $end->{why} // [ 'before', $spec->{resources}{pre_command}[0], $how ];
    return $self->together({ cause => 'NOT_STARTED', exit => Jobgate::JobFile::NOT_STARTED(), why => $why });
}

# What comes after them changes nothing of how the job ended. It has its time even where they have used theirs up.
sub _run_after {
    my ($self, $spec) = @_;
    return unless $spec->{resources} && $spec->{resources}{post_command};
    my $is_over_time = delete $self->{is_over_time};
    $self->_run_command($spec, 'post_command');
    $self->{is_over_time} = $is_over_time;
    return;
}

sub _run_command {
    my ($self, $spec, $name) = @_;
    my $command = Jobgate::Starter::Launch::command_of($spec, $name) // return;
    $self->start($name, sub { $self->{file}->become_command($command, $name) });
    $self->wait_for_all;
    return $self->end_of($name);
}

# What is different where another program spreads the processes over machines (Jobgate::Launcher::Spread).
sub count     { my ($self, $spec) = @_; return Jobgate::Starter::Launch::processes_of($spec) }
sub start_all { my ($self, $count) = @_; $self->start_one($_) for 0 .. $count - 1; return }
sub ends      { my ($self, $count) = @_; return map { $self->end_of($_) } 0 .. $count - 1 }

# Starts this process of the job.
sub start_one {
    my ($self, $process, %how) = @_;
    return $self->start($process, sub { $self->{file}->become($process, %how) });
}

# The LRM's id of the job around us, as its adapter calls it.
sub id {
    return "$ENV{SLURM_ARRAY_JOB_ID}_$ENV{SLURM_ARRAY_TASK_ID}" if defined $ENV{SLURM_ARRAY_JOB_ID} && defined $ENV{SLURM_ARRAY_TASK_ID};
    return "$ENV{JOB_ID}.$ENV{SGE_TASK_ID}" if defined $ENV{JOB_ID} && ($ENV{SGE_TASK_ID} // '') =~ /\A[0-9]+\z/;
    return $ENV{SLURM_JOB_ID} // $ENV{PBS_JOBID} // $ENV{JOB_ID} // $ENV{LSB_JOBID};
}

sub begin {
    my ($self, $wall_limit) = @_;
    umask 077;
    $self->{started} = Jobgate::System::now_ms();
    for my $name (grep { $_ ne 'ALRM' } @PASSED_ON) {
        $SIG{$name} = sub { $self->{ended_by} //= $name unless $name =~ /\AUSR/; kill $name => keys %{ $self->{pids} } };
    }
    return unless $wall_limit;
    @$self{qw(seconds_left looked_at)} = ($wall_limit, Jobgate::System::now_ms() / 1000);
    $SIG{ALRM} = sub { $self->_tick };
    $self->_set_alarm;
    return;
}

# A job that is suspended, we with it, does not use its time up: what passed between two looks counts only as far as we were to wait.
sub _tick {
    my ($self) = @_;
    my ($now, $most) = (Jobgate::System::now_ms() / 1000, $self->{alarm} + TICK);
    my $passed = $now - $self->{looked_at};
    $self->{seconds_left} -= $passed < $most ? $passed : $most;
    $self->{looked_at} = $now;
    if ($self->{seconds_left} <= 0) {
        $self->_kill($self->{is_over_time}++ ? 'KILL' : 'TERM');
        $self->{seconds_left} = GRACE;
    }
    $self->_set_alarm;
    return;
}

sub _set_alarm {
    my ($self) = @_;
    $self->{alarm} = $self->{seconds_left} < TICK ? $self->{seconds_left} : TICK;
    Jobgate::System::alarm_in($self->{alarm} > 0.05 ? $self->{alarm} : 0.05);
    return;
}

# Our children, and what they have started: it carries the job's tag in its environment.
sub _kill {
    my ($self, $name) = @_;
    require Jobgate::Processes;
    my %pids = map { $_ => 1 } keys %{ $self->{pids} };
    my $others = Jobgate::Processes::processes_of_user();
    for my $pid (keys %$others) { $pids{$pid} = 1 if (Jobgate::Processes::job_of($pid) // '') eq $self->{tag} }
    kill $name => keys %pids;
    return;
}

sub start {
    my ($self, $process, $code) = @_;
    my $pid = fork // die "cannot fork: $!\n";
    if ($pid == 0) {
        $SIG{$_} = 'DEFAULT' for @PASSED_ON;
        alarm 0;
        eval { $code->(); 1 } or eval { $self->{file}->leave_why($process, [ 'execute', $^X, "$@" =~ s/\n\z//r ]) };
        exit Jobgate::JobFile::NOT_STARTED();
    }
    $self->{pids}{$pid} = $process;
    return;
}

sub wait_for_all {
    my ($self) = @_;
    $self->_set_alarm if defined $self->{seconds_left};
    while (%{ $self->{pids} }) {
        my $pid = waitpid -1, 0;
        last if $pid < 0;
        my $process = delete $self->{pids}{$pid} // next;
        $self->{statuses}{$process} = $?;
    }
    alarm 0;
    return;
}

sub end_of {
    my ($self, $process) = @_;
    my $status = $self->{statuses}{$process} // 0;
    return { cause => 'SIGNALLED', signal => $status & 127 } if $status & 127;
    my $exit = $status >> 8;
    my $why  = $exit == Jobgate::JobFile::NOT_STARTED() ? $self->{file}->why($process) : undef;
    return $why ? { cause => 'NOT_STARTED', exit => $exit, why => $why } : { cause => 'EXITED', exit => $exit };
}

# The end of the whole: the first, by number, that was not well.
sub together {
    my ($self, @ends) = @_;
    my ($worst) = grep { $_->{cause} ne 'EXITED' } @ends;
    ($worst) = grep { $_->{exit} } @ends unless $worst;
    my %of = %{ $worst // $ends[0] };
    my ($user, $system, $rss) = Jobgate::System::children_usage();
    my %hosts = (Jobgate::System::host_name() => 1);
    # processes on other machines have left what they used
    for my $end (grep { defined $_->{user_cpu} } @ends) {
        $user   += $end->{user_cpu};
        $system += $end->{system_cpu} // 0;
        $rss = $end->{max_rss} if ($end->{max_rss} // 0) > ($rss // 0);
        $hosts{ $end->{host} } = 1 if defined $end->{host};
    }
    my %end = (cause => $of{cause}, started => $self->{started}, ended => Jobgate::System::now_ms(), host => Jobgate::System::host_name(),
        hosts => join(',', sort keys %hosts), user_cpu => $user, system_cpu => $system, max_rss => $rss, id => defined $self->{submission} ? undef : id(),
        queue => $ENV{SLURM_JOB_PARTITION} // $ENV{PBS_QUEUE} // $ENV{QUEUE}, slots => _slots());
    for my $name (qw(exit signal why)) { $end{$name} = $of{$name} if defined $of{$name} }
    $end{cause} = 'WALL_TIME' if $self->{is_over_time};
    delete @end{ grep { !defined $end{$_} } keys %end };
    return \%end;
}

# How many processors the LRM says that the job has.
sub _slots {
    my $of_nodes = $ENV{SLURM_JOB_CPUS_PER_NODE} // return $ENV{PBS_NP} // $ENV{NSLOTS};
    my $slots = 0;
    # "4(x2),1"
    while ($of_nodes =~ /([0-9]+)(?:\(x([0-9]+)\))?/g) { $slots += $1 * ($2 // 1) }
    return $slots;
}

# Ends as the job did, so that the LRM's own record says the same.
sub end_as {
    my ($end) = @_;
    exit _told_exit($end->{exit} // 0) unless defined $end->{signal};
    require Config;    # only here: it costs each job some milliseconds
    my $name = (split ' ', $Config::Config{sig_name})[ $end->{signal} ];
    Jobgate::System::dump_no_core();
    $SIG{$name} = 'DEFAULT' if defined $name && $name !~ /\A(?:KILL|STOP)\z/;
    kill $end->{signal} => $$;
    exit 128 + $end->{signal};
}

# Grid Engine queues a job again that exits with 99, for ever, and keeps one that exits with 100 as one that could not be started. The record
# that we have left has the true code.
sub _told_exit {
    my ($exit) = @_;
    return defined $ENV{SGE_ROOT} && ($exit == 99 || $exit == 100) ? 1 : $exit;
}

1;
