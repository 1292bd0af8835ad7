# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Starter::Processes;

# The processes of the jobs: starting, ending, and finding those that forked away. Events are reported to the owner:
#   forked($job, $index), launched($job), not_launched($job, %fault), over($job)
# and "owner->commit_then($code)" runs code once the log lines that were added before it are written.

use strict;
use warnings;

use Fcntl qw(F_GETFL F_SETFL O_NONBLOCK);
use Socket qw(AF_UNIX SOCK_STREAM PF_UNSPEC);
use POSIX ();
use Jobgate::Processes      ();
use Jobgate::Starter::Child ();
use Jobgate::Starter::Words ();
use Jobgate::System         ();
use Jobgate::Wire           ();

use constant { CHANNEL_BYTES => 65536, SWEEP_AT_ONCE => 50, SWEEP_DELAY_MS => 100, SWEEP_AGAIN_MS => 1000, ADOPTED_POLL_MS => 500, READS_OF_THE_DEAD => 32 };

my $ALL_SIGNALS = POSIX::SigSet->new(1 .. 31);

sub new {
    my ($class, $owner, $timers) = @_;
    my $self = bless {
        owner => $owner, timers => $timers, by_pid => {}, channels => {}, rest => [], strays => {}, adopted => {},
        signals => {}, keep_leftovers => 0, is_subreaper => Jobgate::Processes::become_subreaper(), highest => 3,
    }, $class;
    return $self;
}

sub channels  { return $_[0]{channels} }
sub launching { return scalar keys %{ $_[0]{channels} } }
sub has_rest  { return scalar @{ $_[0]{rest} } }

# Starts the first process of a job, or another one. Answers 0 if the system has no room for it now; $! says why.
sub start {
    my ($self, $job, $index) = @_;
    socketpair my $ours, my $theirs, AF_UNIX, SOCK_STREAM, PF_UNSPEC or return 0;
    $self->{highest} = fileno $_ > $self->{highest} ? fileno $_ : $self->{highest} for $ours, $theirs;
    # a signal between fork and the reset of our handlers would be lost on the child
    my $before = POSIX::SigSet->new;
    POSIX::sigprocmask(POSIX::SIG_BLOCK(), $ALL_SIGNALS, $before);
    my $pid = fork;
    my $why = $!;
    Jobgate::Starter::Child::run($theirs, $job->{spec_read}, $index, $self->{highest} + 64)
        if defined $pid && $pid == 0;
    POSIX::sigprocmask(POSIX::SIG_SETMASK(), $before);
    $! = $why;
    return 0 unless defined $pid;
    close $theirs;
    fcntl $ours, F_SETFL, fcntl($ours, F_GETFL, 0) | O_NONBLOCK;
    $job->{pids}[$index]   = $pid;
    $job->{starts}[$index] = Jobgate::Processes::start_time($pid) // 0;
    $self->{by_pid}{$pid}  = [ $job, $index ];
    $self->{channels}{ fileno $ours } = { handle => $ours, job => $job, index => $index, said => '' };
    $job->{channels}{$index} = fileno $ours;
    $self->{owner}->forked($job, $index);
    $self->{owner}->commit_then(sub { syswrite $ours, 'g' });
    return 1;
}

# Starts processes of jobs with more than one, as far as there is room; answers whether there was.
sub start_rest {
    my ($self, $most) = @_;
    while ($most-- > 0 && @{ $self->{rest} }) {
        my ($job, $index) = @{ $self->{rest}[0] };
        if ($job->{suspended} && $job->{state} ne 'E') { push @{ $job->{held_back} }, shift @{ $self->{rest} }; next }
        if ($job->{state} ne 'E' && !$job->{ending} && !$job->{fault}) {
            $self->start($job, $index) or return 0;
        }
        shift @{ $self->{rest} };
    }
    return 1;
}

# The processes of a job that were not started because it was suspended may be.
sub go_on {
    my ($self, $job) = @_;
    push @{ $self->{rest} }, @{ delete $job->{held_back} // [] };
    return;
}

# A channel has something to read or was closed: the child has become the program, or says what failed.
sub read_channel {
    my ($self, $fileno) = @_;
    my $channel = $self->{channels}{$fileno} or return;
    my $read = sysread $channel->{handle}, $channel->{said}, 4096, length $channel->{said};
    return if !defined $read && ($!{EAGAIN} || $!{EINTR});
    return if $read && length $channel->{said} < CHANNEL_BYTES;
    my ($job, $index) = @$channel{qw(job index)};
    delete $self->{channels}{$fileno};
    delete $job->{channels}{$index};
    return if $job->{state} eq 'E';
    if (length $channel->{said}) {
        my $failure = eval { Jobgate::Wire::decode($channel->{said}) } // [ 'execute', '', 'the process said nothing clear' ];
        $job->{fault} //= { Jobgate::Starter::Words::fault(@$failure) };
        $self->signal_job($job, 'KILL') if $job->{n} > 1;
        return;
    }
    $self->_launched($job, $index);
    return;
}

sub _launched {
    my ($self, $job, $index) = @_;
    $job->{launched}++;
    push @{ $job->{suspended} ? $job->{held_back} : $self->{rest} }, map { [ $job, $_ ] } 1 .. $job->{n} - 1 if $index == 0 && $job->{n} > 1;
    $self->{owner}->launched($job) if $job->{launched} == $job->{n};
    return;
}

# Takes all children that have ended.
sub reap {
    my ($self) = @_;
    if (!Jobgate::Processes::can_peek()) {
        while ((my $pid = waitpid -1, POSIX::WNOHANG()) > 0) { $self->_ended($pid, $?) }
        return;
    }
    while (my ($pid, @used) = Jobgate::Processes::ended_child()) {
        # while it is not reaped its number cannot name another group
        kill 'KILL', -$pid if $self->{by_pid}{$pid} && !$self->{keep_leftovers};
        waitpid $pid, 0;
        $self->_ended($pid, $?, @used);
    }
    return;
}

sub _ended {
    my ($self, $pid, $status, @used) = @_;
    my $entry = delete $self->{by_pid}{$pid};
    if (!$entry) {
        delete $self->{strays}{$pid};
        $self->sweep_soon;    # its own children are ours now
        return;
    }
    my ($job, $index) = @$entry;
    # what the child said of a failed exec comes before its end; a dead child's channel gives it all without waiting
    for (1 .. READS_OF_THE_DEAD) {
        $self->read_channel($job->{channels}{$index} // last);
    }
    $job->{statuses}[$index] = $status;
    _add_use($job, @used) if @used;
    $job->{over}++;
    $self->finish_if_over($job);
    return;
}

# Adds what a process of the job used: CPU times add up, of the memory that of the largest process counts.
sub _add_use {
    my ($job, $user, $system, $memory) = @_;
    $job->{user_cpu}   += $user;
    $job->{system_cpu} += $system;
    $job->{peak_memory} = $memory if $memory > ($job->{peak_memory} // 0);
    return;
}

# Tells the owner if no process of the job is left that one must wait for.
sub finish_if_over {
    my ($self, $job) = @_;
    return if $job->{over} < grep { defined } @{ $job->{pids} };
    # processes that were never started are not waited for once the job is to end
    return if $job->{over} < $job->{n} && !$job->{fault} && !$job->{ending};
    $self->{owner}->over($job);
    $self->sweep_soon;
    return;
}

# Sends the signal to all processes of the job, those that forked away too.
sub signal_job {
    my ($self, $job, $signal) = @_;
    for my $index (0 .. $#{ $job->{pids} // [] }) {
        my $pid = $job->{pids}[$index] // next;
        next unless $self->_is_there($job, $index, $pid);
        kill $signal, -$pid, $pid;
    }
    push @{ $self->{signals}{ $job->{tag} } }, $signal;
    return;
}

sub _is_there {
    my ($self, $job, $index, $pid) = @_;
    return exists $self->{by_pid}{$pid} && $self->{by_pid}{$pid}[0] == $job unless $job->{is_adopted};
    return Jobgate::Processes::is_alive($pid, $job->{starts}[$index] // 0);
}

# Signals what one scan of the machine finds of the jobs that signal_job named since the last one.
sub send_signals {
    my ($self) = @_;
    return unless %{ $self->{signals} };
    my $signals = delete $self->{signals};
    $self->{signals} = {};
    my $processes = Jobgate::Processes::processes_of_user();
    my %owners;
    for my $pid (keys %$processes) {
        my $tag = $self->_owner_of($pid, $processes, \%owners, 0) // next;
        next if !$signals->{$tag} || $self->{by_pid}{$pid};
        kill $_, $pid for @{ $signals->{$tag} };
    }
    return;
}

# Whose process it is: by its session, its parent, or its environment.
sub _owner_of {
    my ($self, $pid, $processes, $known, $depth) = @_;
    return $known->{$pid} if exists $known->{$pid};
    my $stat = $processes->{$pid};
    return if !$stat || $depth > 64;
    my $main = $self->{by_pid}{ $stat->{session} } // $self->{by_pid}{$pid};
    my $tag  = $main ? $main->[0]{tag} : $self->{strays}{$pid};
    $tag //= $self->_owner_of($stat->{parent}, $processes, $known, $depth + 1);
    $tag //= Jobgate::Processes::job_of($pid);
    return $known->{$pid} = $tag;
}

# Looks for what ended jobs left behind: at once when little runs, a little later when much does, once for all.
sub sweep_soon {
    my ($self) = @_;
    return if $self->{keep_leftovers} || !$self->{is_subreaper};
    my $delay = keys %{ $self->{by_pid} } < SWEEP_AT_ONCE ? 0 : SWEEP_DELAY_MS;
    return $self->{sweep_now} = 1 if !$delay;
    return if $self->{timers}->is_set('sweep');
    $self->{timers}->set('sweep', Jobgate::System::now_ms() + $delay, sub { $self->{sweep_now} = 1 });
    return;
}

# The kernel's list of our children may leave some out while others of them end (proc(5)): it is looked at once more.
sub sweep {
    my ($self) = @_;
    my $which = delete $self->{sweep_now} or return;
    $self->{timers}->set('sweep again', Jobgate::System::now_ms() + SWEEP_AGAIN_MS, sub { $self->{sweep_now} //= 'again' })
        if $which ne 'again' && !$self->{timers}->is_set('sweep again');
    my $children = Jobgate::Processes::children() // return;
    for my $pid (grep { !$self->{by_pid}{$_} } @$children) {
        my $tag = $self->{strays}{$pid} // Jobgate::Processes::job_of($pid);
        my $job = defined $tag ? $self->{owner}->find($tag) : undef;
        if ($job && $job->{state} ne 'E') { $self->{strays}{$pid} = $tag }
        # one that hides its job is only safe to end when no job runs that it could belong to
        elsif (defined $tag || !%{ $self->{by_pid} }) { kill 'KILL', $pid }
    }
    return;
}

# Watches processes that another starter began: they are not our children, so how they end cannot be known.
sub adopt {
    my ($self, $job) = @_;
    $job->{is_adopted} = 1;
    $self->{adopted}{ $job->{tag} } = $job;
    $self->_watch_adopted;
    return;
}

sub _watch_adopted {
    my ($self) = @_;
    return if !%{ $self->{adopted} } || $self->{timers}->is_set('adopted');
    $self->{timers}->set('adopted', Jobgate::System::now_ms() + ADOPTED_POLL_MS, sub { $self->_poll_adopted });
    return;
}

sub _poll_adopted {
    my ($self) = @_;
    for my $job (values %{ $self->{adopted} }) {
        next if any_alive($job);
        delete $self->{adopted}{ $job->{tag} };
        push @{ $self->{signals}{ $job->{tag} } }, 'KILL' unless $self->{keep_leftovers};
        $self->{owner}->over($job);
    }
    $self->_watch_adopted;
    return;
}

sub any_alive {
    my ($job) = @_;
    for my $index (grep { defined $job->{pids}[$_] } 0 .. $#{ $job->{pids} }) {
        return 1 if Jobgate::Processes::is_alive($job->{pids}[$index], $job->{starts}[$index] // 0);
    }
    return 0;
}

1;
