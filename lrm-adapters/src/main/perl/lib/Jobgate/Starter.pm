# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Starter;

# One daemon per account that owns the processes of the account's Fork jobs. It outlives the container and the workers, and what it
# must know it can read again from its event log. See docs/internals/worker-protocol.md.
#
# One turn of its loop: see what happened (channels of new processes, ended children, timers, requests), start what may start, then
# write the log lines of all that in one go, and only then act on them (let children run, answer, tell followers).

use strict;
use warnings;

use parent 'Jobgate::Starter::Suspending';

use Errno qw(EINTR);
use Fcntl qw(F_GETFL F_SETFL O_NONBLOCK :flock);
use Socket qw(AF_UNIX SOCK_STREAM SOL_SOCKET SOMAXCONN sockaddr_un);
use Jobgate::Starter::Connection ();
use Jobgate::Starter::Jobs       ();
use Jobgate::Starter::Launch     ();
use Jobgate::Starter::Lines      ();
use Jobgate::Starter::Log        ();
use Jobgate::Starter::Processes  ();
use Jobgate::Starter::Requests   ();
use Jobgate::Starter::Timers     ();
use Jobgate::System              ();
use Jobgate::Wire                ();

use constant {
    SOCKET            => 'starter.sock',
    LOCK              => 'starter.lock',
    SO_PEERCRED       => 17,
    MAX_CONNECTIONS   => 32,
    MAX_LAUNCHING     => 64,        # children between fork and exec
    FORKS_PER_TURN    => 8,
    RETRY_MS          => 1000,      # after a log write or a fork that failed
    SYNC_DELAY_MS     => 2000,
    EXPIRE_EVERY_MS   => 600_000,
    MAX_FAILED_TURNS  => 20,
};

my %DEFAULTS = (
    max_running => 1000, grace_ms => 5000, idle_ms => 600_000, segment_bytes => 16 * 1024 * 1024,
    keep_ended_ms => 7 * 24 * 3600 * 1000, leftovers => 'kill',
);

# In the spool directory, with its lock held by the handle.
sub new {
    my ($class, $lock, %settings) = @_;
    my $self = bless { %DEFAULTS, lock => $lock, running => 0, connections => {}, actions => [], told => 0 }, $class;
    $self->{timers} = Jobgate::Starter::Timers->new;
    $self->_make_self_pipe;
    $self->{jobs} = Jobgate::Starter::Jobs->new;
    $self->{jobs}->rebuild;
    $self->{log} = Jobgate::Starter::Log->open_new;
    $self->{processes} = Jobgate::Starter::Processes->new($self, $self->{timers});
    $self->configure(\%settings);
    $self->_take_over($_) for grep { $_->{state} =~ /[LR]/ } $self->{jobs}->all;
    $self->_listen;
    $self->expire;
    $self->{last_used} = Jobgate::System::now_ms();
    return $self;
}

sub find { return $_[0]{jobs}->find($_[1]) }

sub _make_self_pipe {
    my ($self) = @_;
    pipe my $read, my $write or die "no pipe: $!\n";
    fcntl $_, F_SETFL, fcntl($_, F_GETFL, 0) | O_NONBLOCK for $read, $write;
    @$self{qw(wake_read wake_write)} = ($read, $write);
    $SIG{CHLD} = sub { local ($!, $?); syswrite $write, 'c' };
    $SIG{TERM} = sub { $self->{is_stopping} = 1; syswrite $write, 't' };
    $SIG{$_} = 'IGNORE' for qw(PIPE HUP INT QUIT USR1 USR2 XFSZ);
    return;
}

sub _listen {
    my ($self) = @_;
    unlink SOCKET;
    socket my $socket, AF_UNIX, SOCK_STREAM, 0 or die "no socket: $!\n";
    bind $socket, sockaddr_un(SOCKET) or die 'cannot bind ' . SOCKET . ": $!\n";
    listen $socket, SOMAXCONN or die "cannot listen: $!\n";
    fcntl $socket, F_SETFL, fcntl($socket, F_GETFL, 0) | O_NONBLOCK;
    $self->{listen} = $socket;
    return;
}

# Jobs that an earlier starter began: those that live are watched; how the others ended is not known.
sub _take_over {
    my ($self, $job) = @_;
    $self->{running}++;
    $job->{n} = @{ $job->{pids} // [] };
    if (!Jobgate::Starter::Processes::any_alive($job)) {
        $job->{is_adopted} = 1;
        return $self->over($job);
    }
    if ($job->{state} eq 'L') {
        $job->{state} = 'R';
        $job->{began} = Jobgate::System::now_ms();
        $self->{log}->add(Jobgate::Starter::Lines::started($job));
    }
    $self->set_wall_limit($job);
    $self->stop_processes($job) if $job->{suspended};
    $self->{processes}->adopt($job);
    return;
}

sub run {
    my ($self) = @_;
    $self->_commit;
    my $failures = 0;
    until ($self->_is_done) {
        $failures = eval { $self->_turn; 1 } ? 0 : $self->_survive($@, $failures + 1);
    }
    $self->{log}->flush;
    $self->{log}->sync;
    unlink SOCKET;
    return;
}

# An error of ours must not cost the account its running jobs: noted, and the loop goes on, as long as it ever gets through.
sub _survive {
    my ($self, $why, $failures) = @_;
    note_trouble($why);
    die $why if $failures > MAX_FAILED_TURNS;
    select undef, undef, undef, $failures / 10;
    return $failures;
}

# Why something went wrong, for the administrator; only the newest is kept.
sub note_trouble {
    my ($why) = @_;
    open my $file, '>', 'starter.trouble' or return;
    print {$file} scalar localtime, " $why\n";
    close $file;
    return;
}

sub _is_done {
    my ($self) = @_;
    return 0 if $self->_has_work;
    return 1 if $self->{is_stopping};
    return 0 if %{ $self->{connections} };
    return Jobgate::System::now_ms() - $self->{last_used} >= $self->{idle_ms};
}

sub _has_work {
    my ($self) = @_;
    return $self->{jobs}->live || length $self->{log}->waiting || %{ $self->{processes}->channels };
}

sub _turn {
    my ($self) = @_;
    my ($read, $write) = $self->_wait;
    if ($read) {
        sysread $self->{wake_read}, my $bytes, 4096 if vec $read, fileno $self->{wake_read}, 1;
        for my $fileno (keys %{ $self->{processes}->channels }) {
            $self->{processes}->read_channel($fileno) if vec $read, $fileno, 1;
        }
    }
    $self->{processes}->reap;
    $self->{timers}->run_due(Jobgate::System::now_ms());
    $self->_serve($read) if $read;
    $self->_write_out;
    $self->_start_waiting;
    $self->_commit;
    $self->{processes}->send_signals;
    $self->{processes}->sweep;
    $self->_write_out;
    return;
}

sub _wait {
    my ($self) = @_;
    my ($read, $write) = ('', '');
    vec($read, $_, 1) = 1 for fileno $self->{wake_read}, fileno $self->{listen}, keys %{ $self->{processes}->channels };
    for my $connection (values %{ $self->{connections} }) {
        vec($read,  fileno $connection->handle, 1) = 1;
        vec($write, fileno $connection->handle, 1) = 1 if $connection->wants_out;
    }
    my $ready = select $read, $write, undef, $self->_patience_ms / 1000;
    return $ready > 0 ? ($read, $write) : ();
}

sub _patience_ms {
    my ($self) = @_;
    return 0 if $self->_may_start;
    my $now  = Jobgate::System::now_ms();
    my $wait = 60_000;
    # with work left the idle time does not end anything: waiting for it once it is over would be a wait of nothing, again and again
    my $idle = %{ $self->{connections} } || $self->_has_work ? undef : $self->{last_used} + $self->{idle_ms} - $now;
    for my $other ($self->{timers}->wait_ms($now), $idle) {
        $wait = $other if defined $other && $other < $wait;
    }
    return $wait > 0 ? $wait : 0;
}

# --- requests -------------------------------------------------------------------------------------------------------------------

sub _serve {
    my ($self, $read) = @_;
    $self->_accept if vec $read, fileno $self->{listen}, 1;
    for my $fileno (keys %{ $self->{connections} }) {
        next unless vec $read, $fileno, 1;
        my $connection = $self->{connections}{$fileno};
        my $requests   = $connection->receive;
        if (!$requests) { $self->_drop($fileno); next }
        $self->_answer($connection, $_) for @$requests;
    }
    return;
}

sub _accept {
    my ($self) = @_;
    while (accept my $handle, $self->{listen}) {
        my $credentials = getsockopt $handle, SOL_SOCKET, SO_PEERCRED;
        my (undef, $uid) = unpack 'iii', $credentials // '';
        next if keys %{ $self->{connections} } >= MAX_CONNECTIONS || !defined $uid || ($uid != $> && $uid != 0);
        $self->{connections}{ fileno $handle } = Jobgate::Starter::Connection->new($handle);
    }
    return;
}

sub _drop {
    my ($self, $fileno) = @_;
    close((delete $self->{connections}{$fileno})->handle);
    $self->{last_used} = Jobgate::System::now_ms();
    return;
}

sub _answer {
    my ($self, $connection, $request) = @_;
    $request->{op} //= '';
    my $answer = Jobgate::Starter::Requests::answer($self, $request, $connection);
    $answer->{id} = $request->{id};
    # a full disk must not delay the answers, but the end and the forgetting of a job are on record before they are reported
    return $connection->send($answer) unless $request->{op} =~ /\A(?:cancel|forget|suspend|resume)\z/;
    $self->commit_then(sub { $connection->send($answer) });
    return;
}

# What may be changed while it runs.
sub configure {
    my ($self, $settings) = @_;
    for my $name (grep { defined $settings->{$_} } qw(max_running grace_ms idle_ms segment_bytes keep_ended_ms)) {
        die "$name is not a number: $settings->{$name}\n" unless $settings->{$name} =~ /\A[0-9]{1,15}\z/;
        $self->{$name} = $settings->{$name};
    }
    $self->{leftovers} = $settings->{leftovers} if ($settings->{leftovers} // '') =~ /\A(?:kill|keep)\z/;
    $self->{processes}{keep_leftovers} = $self->{leftovers} eq 'keep';
    return;
}

# --- the life of a job ----------------------------------------------------------------------------------------------------------

sub _may_start {
    my ($self) = @_;
    my $processes = $self->{processes};
    return 0 if $processes->launching >= MAX_LAUNCHING || $self->{timers}->is_set('fork') || length $self->{log}->waiting;
    return $processes->has_rest || ($self->{jobs}->waiting && $self->{running} < $self->{max_running});
}

sub _start_waiting {
    my ($self) = @_;
    return unless $self->_may_start;
    $self->{processes}->start_rest(FORKS_PER_TURN) or return $self->_retry_forks;
    for (1 .. FORKS_PER_TURN) {
        return if $self->{running} >= $self->{max_running};
        my $job = $self->{jobs}->take_waiting // return;
        $self->_start($job) or return;
    }
    return;
}

sub _start {
    my ($self, $job) = @_;
    my $spec = $self->{jobs}->spec_of($job);
    if (!defined $spec) {
        $self->{jobs}->put_back($job);
        return $self->_retry_forks;
    }
    $job->{spec_read} = Jobgate::Wire::decode($spec);
    $job->{spec_read}{tag} = $job->{tag};
    $job->{n}     = Jobgate::Starter::Launch::processes_of($job->{spec_read});
    $job->{limit} = Jobgate::Starter::Launch::wall_limit($job->{spec_read});
    $job->{state} = 'L';
    delete $job->{spec};
    if (!$self->{processes}->start($job, 0)) {
        delete $job->{spec_read};
        $self->{jobs}->put_back($job);
        return $self->_retry_forks;
    }
    $self->{running}++;
    return 1;
}

sub _retry_forks {
    my ($self) = @_;
    $self->{trouble} = "no process can be started at present: $!";
    $self->{timers}->set('fork', Jobgate::System::now_ms() + RETRY_MS, sub { delete $self->{trouble} });
    return 0;
}

sub forked {
    my ($self, $job, $index) = @_;
    $self->{log}->add(Jobgate::Starter::Lines::forked($job, $index, Jobgate::System::now_ms()));
    return;
}

sub launched {
    my ($self, $job) = @_;
    delete $job->{spec_read};
    $job->{state} = 'R';
    $job->{began} = Jobgate::System::now_ms();
    $self->{log}->add(Jobgate::Starter::Lines::started($job));
    return $self->tell_suspended($job) if $job->{suspended};
    $self->set_wall_limit($job);
    return;
}

# Begins to end a live job: a waiting one is over at once, a running one is asked first and killed after the grace.
sub end_job {
    my ($self, $job, $cause) = @_;
    return if $job->{ending};
    $job->{ending} = $cause;
    return $self->_settle($job, cause => $cause) if $job->{state} eq 'W';
    $self->{timers}->clear("stop $job->{tag}");
    $self->{processes}->signal_job($job, 'TERM');
    # a stopped process gets the signal when it goes on
    $self->{processes}->signal_job($job, 'CONT') if delete $job->{suspended};
    $self->{timers}->set("kill $job->{tag}", Jobgate::System::now_ms() + $self->{grace_ms},
        sub { $self->{processes}->signal_job($job, 'KILL') });
    $self->{processes}->finish_if_over($job) unless $job->{is_adopted};
    return;
}

# All processes of the job are over: says how.
sub over {
    my ($self, $job) = @_;
    $self->{running}--;
    $self->{timers}->clear("$_ $job->{tag}") for qw(wall kill stop);
    my $at  = Jobgate::System::now_ms();
    my %end = (wall => defined $job->{began} ? $at - $job->{began} - ($job->{paused} // 0) : undef,
        map({ $_ => $job->{$_} } qw(user_cpu system_cpu peak_memory)), defined $job->{began} ? (slots => $job->{n}, hosts => Jobgate::System::host_name()) : ());
    if ($job->{is_adopted}) { %end = (%end, _lost($job)) }
    else                    { %end = (%end, _how_ended($job)) }
    $self->_settle($job, %end);
    return;
}

sub _how_ended {
    my ($job) = @_;
    return (cause => $job->{ending}) if $job->{ending} && !$job->{statuses};
    return (cause => 'NOT_STARTED', %{ $job->{fault} }) if $job->{fault} && !$job->{ending};
    my ($bad) = grep { $_ } grep { defined } @{ $job->{statuses} };
    my $status = $bad // 0;
    my %how = $status & 127 ? (signal => $status & 127, exit => 128 + ($status & 127)) : (exit => $status >> 8);
    return (cause => $job->{ending} // ($how{signal} ? 'SIGNALLED' : 'EXITED'), %how);
}

sub _lost {
    my ($job) = @_;
    return (cause => $job->{ending}) if $job->{ending};
    return (
        cause => 'LOST', fault => 'LOST',
        sentence => 'The starter that ran the job was killed, so it is not known how the job ended; its processes are gone.',
        remedy   => 'Look at the output of the job to see how far it came, then submit it again if needed.',
    );
}

sub _settle {
    my ($self, $job, %end) = @_;
    my $at   = Jobgate::System::now_ms();
    my $line = Jobgate::Starter::Lines::ended($job, $at, %end);
    $self->{log}->add($line);
    $self->{jobs}->end($job, $line, $self->{log}->number, $at);
    $self->{last_used} = $at;
    return;
}

# --- the log --------------------------------------------------------------------------------------------------------------------

# Does the code when the lines that were added up to now are written.
sub commit_then {
    my ($self, $code) = @_;
    push @{ $self->{actions} }, $code;
    return;
}

sub _commit {
    my ($self) = @_;
    my $log = $self->{log};
    if ($log->flush) {
        delete $self->{log_trouble};
        $self->{told} = 0;
        $_->() for splice @{ $self->{actions} };
        $self->_sync_later unless $log->is_synced;
        $self->_rotate if $log->size > $self->{segment_bytes};
    }
    else {
        $self->_log_trouble("the event log cannot be written: $!");
    }
    $_->pump($log, $self->{jobs}->live) for grep { $_->follows } values %{ $self->{connections} };
    return;
}

# The disk is full, or worse. Events are sent to the workers that listen, and written when there is room.
sub _log_trouble {
    my ($self, $why) = @_;
    $self->{log_trouble} = $why;
    my $log = $self->{log};
    my $new = substr $log->waiting, $self->{told};
    $self->{told} = length $log->waiting;
    if (length $new) {
        $_->tell_unwritten($log, $new, $self->{jobs}->live) for values %{ $self->{connections} };
    }
    $self->{timers}->set('flush', Jobgate::System::now_ms() + RETRY_MS, sub { }) unless $self->{timers}->is_set('flush');
    return;
}

sub _sync_later {
    my ($self) = @_;
    return if $self->{timers}->is_set('sync');
    $self->{timers}->set('sync', Jobgate::System::now_ms() + SYNC_DELAY_MS, sub { $self->{log}->sync });
    return;
}

sub _rotate {
    my ($self) = @_;
    my $log = $self->{log};
    return if $self->{timers}->is_set('rotate');
    if (!eval { $log->rotate; 1 }) {
        $self->{timers}->set('rotate', Jobgate::System::now_ms() + RETRY_MS, sub { });
        return;
    }
    my $oldest = $self->{jobs}->restate_oldest($log) // return;
    unlink Jobgate::Starter::Log::path($oldest) if $log->flush && $log->sync;
    return;
}

sub expire {
    my ($self) = @_;
    my $now = Jobgate::System::now_ms();
    $self->{log}->add(Jobgate::Starter::Lines::forgot($_, $now)) for $self->{jobs}->expire($now - $self->{keep_ended_ms});
    $self->{timers}->set('expire', $now + EXPIRE_EVERY_MS, sub { $self->expire });
    return;
}

sub _write_out {
    my ($self) = @_;
    for my $fileno (keys %{ $self->{connections} }) {
        my $connection = $self->{connections}{$fileno};
        $self->_drop($fileno) if $connection->wants_out && !$connection->write_out;
    }
    return;
}

# --- becoming a daemon ----------------------------------------------------------------------------------------------------------

# Takes the spool's lock; undef if another starter has it.
sub take_lock {
    sysopen my $lock, LOCK, Fcntl::O_RDWR() | Fcntl::O_CREAT(), 0600 or die 'cannot open ' . LOCK . ": $!\n";
    return flock($lock, LOCK_EX | LOCK_NB) ? $lock : undef;
}

1;
