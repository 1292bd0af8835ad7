# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package PbsStandin::Jobs;

# The jobs of the stand-in: what state they are in, when they run, how they end, how long they are remembered; and the accounting file.

use strict;
use warnings;

use POSIX ();
use Time::HiRes ();
use PbsStandin::Processes ();
use PbsStandin::Submit    ();

use constant MAX_SEQUENCE => 9_999_999;

# config: { directory, server, dialect, queues => { name => {...} }, nodes, np, keep, history, kill_delay }
sub new {
    my ($class, $config) = @_;
    my $self = bless { config => $config, jobs => {}, next => 1, looked_at => 0 }, $class;
    return $self;
}

sub all { my ($self) = @_; return map { $self->{jobs}{$_} } sort { $a <=> $b } keys %{ $self->{jobs} } }
sub is_over { return $_[0]{state} =~ /\A[CF]\z/ }

# By "5", "5.server" or "5.server@host".
sub find {
    my ($self, $id) = @_;
    my ($sequence, $server) = $id =~ /\A([0-9]{1,9})(?:\.([A-Za-z0-9_.-]+))?(?:\@[A-Za-z0-9_.-]+)?\z/ or return;
    return if defined $server && $server ne $self->{config}{server} && index($self->{config}{server}, "$server.") != 0;
    return $self->{jobs}{ $sequence + 0 };
}

sub add {
    my ($self, %job) = @_;
    my $sequence = $self->{next};
    $self->{next} = $sequence >= MAX_SEQUENCE ? 1 : $sequence + 1;
    my $now = time;
    my $job = { %job, seq => $sequence, id => "$sequence.$self->{config}{server}", state => 'Q', substate => 10, ctime => $now, qtime => $now,
        etime => $now, mtime => $now, run_count => 0, used => {} };
    if (defined $job{options}{h}) { @$job{qw(state substate hold)} = ('H', 20, 'u') }
    # a test may set the next id to that of a job that runs, which is then nobody's
    my $former = $self->{jobs}{$sequence};
    PbsStandin::Processes::signal('KILL', $former->{session}) if $former && $former->{session};
    $self->_keep_script($job);
    $self->{jobs}{$sequence} = $job;
    $self->account($job, 'Q', "queue=$job->{queue}");
    return $job;
}

sub _keep_script {
    my ($self, $job) = @_;
    my $path = "$self->{config}{directory}/mom/$job->{seq}.SC";
    unlink $path;
    open my $file, '>', $path or die "cannot write $path: $!\n";
    print {$file} $job->{text};
    close $file or die "cannot write $path: $!\n";
    chmod 0700, $path;
    chown $job->{user}{uid}, $job->{user}{gid}, $path;
    return;
}

# --- time passes ----------------------------------------------------------------------------------------------------------------

sub tick {
    my ($self) = @_;
    $self->_reap;
    $self->_watch_limits;
    $self->_run_queued;
    $self->_forget_old;
    return;
}

sub _reap {
    my ($self) = @_;
    while ((my $pid = waitpid -1, POSIX::WNOHANG()) > 0) {
        my $status = $?;
        my ($job) = grep { ($_->{session} // 0) == $pid } $self->all or next;
        PbsStandin::Processes::signal('KILL', $pid);
        my $exit = $status & 127 ? 256 + ($status & 127) : $status >> 8;
        delete $job->{session};
        if ($job->{requeue}) { $self->_queue_again($job) }
        else                 { $self->finish($job, $job->{verdict} // $exit) }
    }
    return;
}

sub _queue_again {
    my ($self, $job) = @_;
    # OpenPBS keeps the status of the run that was broken off
    $job->{exit_status} = $job->{broken_off} if defined $job->{broken_off} && !$self->{config}{dialect}->is_torque;
    delete @$job{qw(requeue kill_at stime exec_host verdict broken_off)};
    my $held = length($job->{hold} // '');
    @$job{qw(state substate mtime used)} = ($held ? 'H' : 'Q', $held ? 20 : 10, time, {});
    $self->account($job, 'R', 'Exit_status=-11');
    return;
}

sub finish {
    my ($self, $job, $exit) = @_;
    my $torque = $self->{config}{dialect}->is_torque;
    $self->_measure($job) if $job->{stime};
    $job->{exit_status} = $exit if defined $exit;
    @$job{qw(state mtime comp_time)} = ($torque ? 'C' : 'F', time, time);
    $self->_comment_end($job, $exit) unless $torque;
    $job->{substate} = $torque ? 59 : $job->{deleted} ? 91 : ($exit // 0) == 0 ? 92 : 93;
    $self->account($job, 'E', $self->_record($job)) if $job->{stime};
    return;
}

sub _comment_end {
    my ($self, $job, $exit) = @_;
    my $dialect = $self->{config}{dialect};
    my %resource = ($dialect->{wall} => 'walltime', $dialect->{memory} => 'mem', $dialect->{cpu} => 'cput');
    my $how = !$job->{stime} ? 'and terminated' : $job->{deleted} ? "and terminated by $job->{deleted}\@$self->{config}{server}"
        : defined $exit && $resource{$exit} ? "and exceeded resource $resource{$exit}" : $exit ? 'and failed' : 'and finished';
    $job->{comment} = join ' ', grep { defined } $job->{comment}, $how;
    return;
}

sub _measure {
    my ($self, $job) = @_;
    $job->{used}{walltime} = clock(int(time - $job->{stime}));
    $job->{used}{cput} //= '00:00:00';
    $job->{used}{mem}  //= '0kb';
    return;
}

sub clock { my ($seconds) = @_; return sprintf '%02d:%02d:%02d', $seconds / 3600, $seconds / 60 % 60, $seconds % 60 }

# Over a limit: asked to end, killed a little later, and the verdict is the job's exit status.
sub _watch_limits {
    my ($self) = @_;
    my $now = Time::HiRes::time();
    return if $now - $self->{looked_at} < 0.3;
    $self->{looked_at} = $now;
    my @running = grep { $_->{session} } $self->all or return;
    my $all = PbsStandin::Processes::of_sessions(map { $_->{session} => 1 } @running);
    my %sum;
    for (values %$all) { $sum{ $_->{session} }{bytes} += $_->{bytes}; $sum{ $_->{session} }{cpu} += $_->{cpu} }
    for my $job (@running) {
        $self->_watch($job, $sum{ $job->{session} } // { bytes => 0, cpu => 0 }, $now);
    }
    return;
}

sub _watch {
    my ($self, $job, $sum, $now) = @_;
    my $limits = $job->{resources};
    $job->{used}{mem}  = int($sum->{bytes} / 1024) . 'kb';
    $job->{used}{cput} = clock(int $sum->{cpu});
    $self->_measure($job);
    my $dialect = $self->{config}{dialect};
    my $memory = PbsStandin::Submit::memory_of($limits);
    my $verdict = defined $limits->{walltime} && $now - $job->{began} > PbsStandin::Submit::seconds_of($limits->{walltime}) ? $dialect->{wall}
        : defined $memory && $sum->{bytes} > $memory ? $dialect->{memory}
        : defined $limits->{cput} && $sum->{cpu} > PbsStandin::Submit::seconds_of($limits->{cput}) ? $dialect->{cpu} : undef;
    if (defined $verdict && !$job->{kill_at}) {
        $job->{verdict} = $verdict;
        $self->kill($job);
    }
    PbsStandin::Processes::signal('KILL', $job->{session}) if $job->{kill_at} && $now > $job->{kill_at};
    return;
}

sub kill {
    my ($self, $job) = @_;
    $job->{kill_at} //= Time::HiRes::time() + $self->{config}{kill_delay};
    PbsStandin::Processes::signal($_, $job->{session}) for qw(CONT TERM);
    return;
}

sub _run_queued {
    my ($self) = @_;
    my $config = $self->{config};
    my $free = $self->free;
    for my $job (grep { $_->{state} eq 'Q' } $self->all) {
        if ($config->{queues}{ $job->{queue} }{stopped}) { $job->{comment} = 'Not Running: Queue not started.'; next }
        if (my $never = $self->_never($job)) { $job->{comment} = $never; next }
        if ($job->{processors} > $free) {
            $job->{comment} = "Not Running: Insufficient amount of resource: ncpus (R: $job->{processors} A: $free T: " . $config->{nodes} * $config->{np} . ')';
            last;
        }
        $free -= $job->{processors};
        $self->_run($job);
    }
    return;
}

# Why OpenPBS's scheduler gives a job up that its server has taken; TORQUE's server takes no such job.
sub _never {
    my ($self, $job) = @_;
    my $config = $self->{config};
    return if $config->{dialect}->is_torque;
    my $all = $config->{nodes} * $config->{np};
    return "Can Never Run: Insufficient amount of resource: ncpus (R: $job->{processors} A: $all T: $all)" if $job->{processors} > $all;
    return "Can Never Run: Not enough total nodes available" if ($job->{resources}{place} // '') =~ /scatter/ && $job->{nodes} > $config->{nodes};
    return;
}

# "node1/0+node2/0": a processor each. Jobs that are not to be scattered fill one host after the other.
sub _hosts_for {
    my ($self, $job) = @_;
    my $config = $self->{config};
    my $each = ($job->{resources}{place} // '') =~ /scatter/ ? int(($job->{processors} + $job->{nodes} - 1) / $job->{nodes}) : $config->{np};
    return join '+', map { 'node' . (1 + int($_ / $each)) . '/' . $_ % $each } 0 .. $job->{processors} - 1;
}

sub free {
    my ($self) = @_;
    my $free = $self->{config}{nodes} * $self->{config}{np};
    $free -= $_->{processors} for grep { $_->{state} =~ /[RE]/ } $self->all;
    return $free;
}

sub _run {
    my ($self, $job) = @_;
    my $config = $self->{config};
    $job->{exec_host} = $self->_hosts_for($job);
    $job->{comment} = POSIX::strftime('Job run at %a %b %d at %H:%M', localtime) . " on ($job->{exec_host})" unless $config->{dialect}->is_torque;
    open my $nodes, '>', "$config->{directory}/aux/$job->{id}" or die "cannot write the node file: $!\n";
    print {$nodes} map { (split m{/})[0] . "\n" } split /\+/, $job->{exec_host};
    close $nodes;
    @$job{qw(state substate stime began mtime)} = ('R', 42, time, Time::HiRes::time(), time);
    $job->{run_count}++;
    $job->{session} = PbsStandin::Processes::start($job, directory => $config->{directory}, numbers => $config->{dialect}->is_torque ? 1 : 0);
    $self->account($job, 'S', $self->_record($job));
    return;
}

sub _forget_old {
    my ($self) = @_;
    my $keep = $self->{config}{keep};
    for my $job (grep { is_over($_) } $self->all) { delete $self->{jobs}{ $job->{seq} } if time - $job->{comp_time} >= $keep }
    return;
}

# --- what people do to jobs -----------------------------------------------------------------------------------------------------

# A job that has not run is over at once.
sub delete_job {
    my ($self, $job, $user) = @_;
    $job->{deleted} = $user->{name};
    $self->account($job, 'D', "requestor=$user->{name}\@$self->{config}{server}");
    if ($job->{session}) { $self->kill($job) }
    else                 { $self->finish($job, $self->{config}{dialect}->is_torque ? 271 : undef) }
    return;
}

sub hold {
    my ($self, $job, $user) = @_;
    $job->{hold} = 'u';
    return if $job->{state} ne 'Q';
    @$job{qw(state substate)} = ('H', 20);
    $job->{comment} = POSIX::strftime("Job held by $user->{name} on %a %b %d %H:%M:%S %Y", localtime);
    return;
}

sub release { my ($self, $job) = @_; delete $job->{hold}; @$job{qw(state substate)} = ('Q', 10) if $job->{state} eq 'H'; return }

sub suspend {
    my ($self, $job) = @_;
    PbsStandin::Processes::signal('STOP', $job->{session});
    @$job{qw(state substate)} = ('S', 43);
    return;
}

sub resume {
    my ($self, $job) = @_;
    PbsStandin::Processes::signal('CONT', $job->{session});
    @$job{qw(state substate)} = ('R', 42);
    return;
}

sub requeue {
    my ($self, $job) = @_;
    $job->{requeue} = 1;
    PbsStandin::Processes::signal($_, $job->{session}) for qw(CONT KILL);
    return;
}

# The node of a job is lost: what ran there is gone, and the server gives the job up or queues it again.
sub lose_node {
    my ($self, $job) = @_;
    $job->{broken_off} = $self->{config}{dialect}{lost_node};
    return $self->requeue($job) if ($job->{options}{r} // 'y') eq 'y';
    $job->{verdict} = $self->{config}{dialect}{lost_node};
    PbsStandin::Processes::signal('KILL', $job->{session});
    return;
}

# --- accounting -----------------------------------------------------------------------------------------------------------------

sub _record {
    my ($self, $job) = @_;
    my @words = ("user=$job->{user}{name}", "group=$job->{user}{group}");
    push @words, "account=$job->{options}{A}" if defined $job->{options}{A};
    push @words, 'project=' . ($job->{options}{P} // '_pbs_project_default') unless $self->{config}{dialect}->is_torque;
    push @words, "jobname=$job->{name}", "queue=$job->{queue}", (map { "$_=$job->{$_}" } qw(ctime qtime etime)), "start=$job->{stime}",
        "owner=$job->{user}{name}\@$self->{config}{server}", "exec_host=$job->{exec_host}";
    push @words, map { "Resource_List.$_=$job->{resources}{$_}" } sort keys %{ $job->{resources} };
    push @words, 'session=0', "end=$job->{comp_time}", "Exit_status=$job->{exit_status}", map { "resources_used.$_=$job->{used}{$_}" }
        sort keys %{ $job->{used} } if is_over($job);
    return join ' ', @words;
}

sub account {
    my ($self, $job, $kind, $words) = @_;
    my $path = "$self->{config}{directory}/server_priv/accounting/" . POSIX::strftime('%Y%m%d', localtime);
    open my $file, '>>', $path or die "cannot write $path: $!\n";
    print {$file} POSIX::strftime('%m/%d/%Y %H:%M:%S', localtime), ";$kind;$job->{id};$words\n";
    close $file or die "cannot write $path: $!\n";
    return;
}

1;
