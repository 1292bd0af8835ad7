# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package PbsStandin::Commands;

# What each command does and answers: { out, err, exit }.

use strict;
use warnings;

use POSIX ();
use Time::HiRes ();
use PbsStandin::Jobs   ();
use PbsStandin::Show   ();
use PbsStandin::Submit ();

my %COMMANDS = (
    qsub => \&_qsub, qstat => \&_qstat, qdel => \&_qdel, pbsnodes => \&_pbsnodes, control => \&_control, qsig => \&_qsig,
    (map { my $name = $_; $name => sub { $_[0]->_on_jobs($name, @_[ 1, 2 ]) } } qw(qhold qrls qrerun)),
);

sub new {
    my ($class, $config, $jobs) = @_;
    return bless { config => $config, jobs => $jobs, dialect => $config->{dialect} }, $class;
}

sub run {
    my ($self, $name, $words, $from) = @_;
    my $code = $COMMANDS{$name} // die { err => "$name: not a command of the stand-in\n", exit => 2 };
    return $self->{dialect}->version_answer if grep { $_ eq '--version' } @$words;
    return $self->_away($name) if $self->{config}{away} && $name ne 'control';
    local $ENV{TZ} = length $from->{zone} ? $from->{zone} : $ENV{TZ} // 'UTC';
    POSIX::tzset();
    return $code->($self, $words, $from);
}

sub _away {
    my ($self, $name) = @_;
    my $server = $self->{config}{server};
    my $why = $self->{dialect}->is_torque ? "Unable to communicate with $server(127.0.0.1)\nCannot connect to specified server host '$server'.\n" : "Connection refused\n";
    return { err => $why . "$name: cannot connect to server $server (errno=111) Connection refused\n", exit => 111 };
}

# --- qsub -----------------------------------------------------------------------------------------------------------------------

sub _qsub {
    my ($self, $words, $from) = @_;
    my $asked = PbsStandin::Submit::parse($self->{dialect}, @$words);
    my $config = $self->{config};
    my ($queue_name) = split /\@/, $asked->{options}{q} // $config->{default};
    my $queue = $config->{queues}{$queue_name} // $self->{dialect}->fail('qsub', 'unknown_queue', detail => 'cannot locate queue');
    $self->_admit($queue_name, $queue, $asked, $from->{user});
    my $text = defined $asked->{script} ? _read_as($from->{user}, $asked->{script}, $from->{directory}) : $from->{script};
    die { err => "qsub: no job script\n", exit => 1 } unless length $text;
    my ($nodes, $processors) = PbsStandin::Submit::size_of($asked->{resources});
    my $name = $asked->{options}{N} // (defined $asked->{script} ? ($asked->{script} =~ m{([^/]+)\z})[0] : 'STDIN');
    my $job = $self->{jobs}->add(%$asked, text => $text, queue => $queue_name, user => $from->{user}, name => $name, processors => $processors,
        nodes => $nodes, variables => [ @{ $asked->{variables} }, _submitter($from, $queue_name, $config) ], _outputs($asked, $name, $from));
    $job->{resources}{nodect} = $nodes;
    for (grep { exists $job->{resources}{$_} } qw(walltime cput)) { $job->{resources}{$_} = PbsStandin::Jobs::clock(PbsStandin::Submit::seconds_of($job->{resources}{$_})) }
    $_->{output} =~ s/\$SEQ/$job->{seq}/, $_->{error} =~ s/\$SEQ/$job->{seq}/ for $job;
    Time::HiRes::sleep($config->{submit_delay}) if $config->{submit_delay};
    return { hang_up => 1 } if delete $config->{lose_answer};
    return { out => exists $asked->{options}{z} ? '' : "$job->{id}\n" };
}

sub _admit {
    my ($self, $name, $queue, $asked, $user) = @_;
    my $dialect = $self->{dialect};
    $dialect->fail('qsub', 'not_enabled', detail => "queue is disabled: user $user->{name}\@localhost, queue $name") if $queue->{disabled};
    $dialect->fail('qsub', 'no_access', detail => "user $user->{name} not in the queue's list")
        if defined $queue->{users} && !grep { $_ eq $user->{name} } split /\+/, $queue->{users};
    $dialect->fail('qsub', 'max_queued', detail => "total number of current user's jobs exceeds the queue limit: user $user->{name}, queue $name")
        if defined $queue->{max_queuable} && $queue->{max_queuable} <= grep { $_->{queue} eq $name && !PbsStandin::Jobs::is_over($_) } $self->{jobs}->all;
    _admit_user($dialect, $name, $queue, $asked, grep { $_->{queue} eq $name && $_->{user}{name} eq $user->{name} && !PbsStandin::Jobs::is_over($_) } $self->{jobs}->all);
    my $wall = $asked->{resources}{walltime};
    $dialect->fail('qsub', 'over_limit', detail => 'cannot satisfy queue max walltime requirement')
        if defined $queue->{walltime} && defined $wall && PbsStandin::Submit::seconds_of($wall) > PbsStandin::Submit::seconds_of($queue->{walltime});
    my ($nodes, $processors) = PbsStandin::Submit::size_of($asked->{resources});
    $dialect->fail('qsub', 'over_limit', detail => 'cannot locate feasible nodes (nodes file is empty, all systems are busy, or no nodes have the requested feature)')
        if ($dialect->is_torque && $processors > $self->{config}{nodes} * $self->{config}{np}) || (defined $queue->{processors} && $processors > $queue->{processors});
    return;
}

# What a site's hook refuses, in its own words; and what one user may have in a queue, where OpenPBS says it so.
sub _admit_user {
    my ($dialect, $name, $queue, $asked, @jobs_of_user) = @_;
    $dialect->fail('qsub', 'hook', text => $queue->{hook}) if defined $queue->{hook};
    return if $dialect->is_torque;
    $dialect->fail('qsub', 'per_user') if defined $queue->{per_user} && @jobs_of_user >= $queue->{per_user};
    my (undef, $processors) = PbsStandin::Submit::size_of($asked->{resources});
    $processors += $_->{processors} for @jobs_of_user;
    $dialect->fail('qsub', 'per_user_ncpus', text => " $name") if defined $queue->{per_user_ncpus} && $processors > $queue->{per_user_ncpus};
    return;
}

# A file of the account, read with its rights.
sub _read_as {
    my ($user, $path, $directory) = @_;
    $path = "$directory/$path" unless $path =~ m{\A/};
    local $) = "$user->{gid} $user->{gid}" if $> == 0;
    local $> = $user->{uid};
    open my $file, '<', $path or die { err => "qsub: script file '$path' cannot be loaded - $!\n", exit => 1 };
    local $/;
    return <$file> // '';
}

sub _submitter {
    my ($from, $queue, $config) = @_;
    my $environment = $from->{environment};
    return ([ PBS_O_QUEUE => $queue ], (map { [ "PBS_O_$_" => $environment->{$_} ] } grep { defined $environment->{$_} } qw(HOME LANG LOGNAME PATH SHELL MAIL TZ)),
        [ PBS_O_WORKDIR => $from->{directory} ], [ PBS_O_HOST => $config->{server} ]);
}

sub _outputs {
    my ($asked, $name, $from) = @_;
    my $path = sub {
        my ($option, $letter) = @_;
        my $given = $asked->{options}{$option} // "$name.$letter\$SEQ";
        $given =~ s/\A[A-Za-z0-9_.-]+://;
        return $given =~ m{\A/} ? $given : "$from->{directory}/$given";
    };
    my ($output, $error) = ($path->(o => 'o'), $path->(e => 'e'));
    my $join = $asked->{options}{j} // 'n';
    return (output => $join eq 'eo' ? $error : $output, error => $join eq 'oe' ? $output : $error);
}

# --- qstat ----------------------------------------------------------------------------------------------------------------------

sub _qstat {
    my ($self, $words) = @_;
    my ($options, @names) = $self->_qstat_options(@$words);
    return $self->_qstat_queues($options, @names) if $options->{Q};
    return { out => PbsStandin::Show::server($self->{config}, $self->{jobs}->all) } if $options->{B};
    return $self->_no_history(@names) if $options->{x} && !$self->{dialect}->is_torque && !$self->{config}{history};
    my ($jobs, $err, $exit) = @names ? $self->_named($options, @names) : ([ $self->_listed($options) ], '', 0);
    $jobs = [ grep { $_->{user}{name} eq $options->{u} } @$jobs ] if defined $options->{u};
    # one of many is all that the JSON of OpenPBS since December 2023 holds
    splice @$jobs, 1 if @names > 1 && ($options->{F} // '') eq 'json';
    return { out => $self->_show($options, @$jobs), err => $err, exit => $exit };
}

# Without history a question for it is answered with nothing else, of jobs that live too, and as if all was well.
sub _no_history {
    my ($self, @names) = @_;
    $self->{dialect}->fail('qstat', 'no_history') unless @names;
    my (undef, $text) = @{ $self->{dialect}{errors}{no_history} };
    return { err => join('', map { "qstat: $text " . $self->_full_id($_) . "\n" } @names) };
}

sub _qstat_options {
    my ($self, @words) = @_;
    my %options;
    while (@words && $words[0] =~ /\A-(.+)\z/) {
        shift @words;
        for my $letter (split //, $1) {
            die { err => "qstat: invalid option -- '$letter'\nusage: qstat [-f] [-W site_specific] [ job_identifier... | destination... ]\n", exit => 2 }
                unless ($self->{dialect}->is_torque ? 'fxQBtaniru1ceRGMW' : 'fxQBtaniruwFEHJpsGMT1') =~ /\Q$letter/;
            $options{$letter} = $letter =~ /[uFW]/ ? shift @words // '' : 1;
        }
    }
    die { err => "qstat: invalid -F value\n", exit => 2 } if defined $options{F} && $options{F} !~ /\A(?:json|dsv)\z/;
    return (\%options, @words);
}

# What is listed without names: OpenPBS leaves finished jobs out unless asked.
sub _listed {
    my ($self, $options) = @_;
    return $self->{jobs}->all if $self->{dialect}->is_torque;
    return grep { $options->{x} || $_->{state} ne 'F' } $self->{jobs}->all;
}

sub _named {
    my ($self, $options, @names) = @_;
    my (@jobs, $err, $exit);
    for my $name (@names) {
        if (my $job = $self->_visible($name)) {
            if ($job->{state} ne 'F' || $options->{x}) { push @jobs, $job; next }
            ($err, $exit) = (($err // '') . "qstat: $job->{id} Job has finished, use -x or -H to obtain historical job information\n", 35);
            next;
        }
        if ($name =~ /\A[0-9]/) {
            eval { $self->{dialect}->fail('qstat', 'unknown_job', object => $self->_full_id($name)) };
            ($err, $exit) = (($err // '') . $@->{err}, $@->{exit});
            next;
        }
        $self->{dialect}->fail('qstat', 'unknown_queue', object => $name) unless $self->{config}{queues}{$name};
        push @jobs, grep { $_->{queue} eq $name } $self->_listed($options);
    }
    return (\@jobs, $err // '', $exit // 0);
}

# Without history a finished job is gone at once.
sub _visible {
    my ($self, $name) = @_;
    my $job = $self->{jobs}->find($name) // return;
    return $job->{state} eq 'F' && !$self->{config}{history} ? undef : $job;
}

sub _full_id { my ($self, $name) = @_; return $name =~ /\./ ? $name : "$name.$self->{config}{server}" }

sub _show {
    my ($self, $options, @jobs) = @_;
    my $config = $self->{config};
    return PbsStandin::Show::json($config, @jobs) if $options->{f} && ($options->{F} // '') eq 'json';
    return PbsStandin::Show::table($config, @jobs) unless $options->{f};
    my $folded = !$options->{w} && !($self->{dialect}->is_torque && $options->{1});
    return join '', map { PbsStandin::Show::job($_, $config, $folded) } @jobs;
}

sub _qstat_queues {
    my ($self, $options, @names) = @_;
    for (@names) { $self->{dialect}->fail('qstat', 'unknown_queue', object => $_) unless $self->{config}{queues}{$_} }
    @names = sort keys %{ $self->{config}{queues} } unless @names;
    return { out => PbsStandin::Show::queues($self->{config}, \@names, $self->{jobs}->all) };
}

# --- the others -----------------------------------------------------------------------------------------------------------------

# Root, and whoever runs the stand-in.
sub _is_manager { my ($user) = @_; return $user->{uid} == 0 || $user->{uid} == $> }

sub _each {
    my ($self, $command, $names, $from, $code) = @_;
    die { err => "usage: $command job_identifier...\n", exit => 2 } unless @$names;
    my ($err, $exit) = ('', 0);
    for my $name (@$names) {
        my $done = eval {
            my $job = $self->_visible($name) // $self->{dialect}->fail($command, 'unknown_job', object => $self->_full_id($name));
            $self->{dialect}->fail($command, 'perm', object => $job->{id}) unless _is_manager($from->{user}) || $from->{user}{uid} == $job->{user}{uid};
            $self->{dialect}->fail($command, 'finished', object => $job->{id}) if $job->{state} eq 'F';
            $self->{dialect}->fail($command, 'bad_state', detail => 'invalid state for job - COMPLETE', object => $job->{id}) if $job->{state} eq 'C';
            $code->($job);
            1;
        };
        die $@ unless $done || ref $@;
        ($err, $exit) = ($err . $@->{err}, $@->{exit}) unless $done;
    }
    return { err => $err, exit => $exit };
}

sub _qdel {
    my ($self, $words, $from) = @_;
    my @names = @$words;
    while (@names && $names[0] =~ /\A-([Wmpx])/) { splice @names, 0, $1 eq 'W' || $1 eq 'm' ? 2 : 1 }
    return $self->_each('qdel', \@names, $from, sub { $self->{jobs}->delete_job($_[0], $from->{user}) });
}

sub _on_jobs {
    my ($self, $command, $words, $from) = @_;
    return $self->_each($command, $words, $from, sub {
        my ($job) = @_;
        return $self->{jobs}->hold($job, $from->{user}) if $command eq 'qhold';
        return $self->{jobs}->release($job) if $command eq 'qrls';
        $self->{dialect}->fail('qrerun', 'perm', object => $job->{id}) unless _is_manager($from->{user});
        $self->{dialect}->fail('qrerun', 'bad_state', object => $job->{id}) unless $job->{state} eq 'R';
        $self->{dialect}->fail('qrerun', 'not_rerunnable', object => $job->{id}) if ($job->{options}{r} // 'y') eq 'n';
        return $self->{jobs}->requeue($job);
    });
}

sub _qsig {
    my ($self, $words, $from) = @_;
    my ($signal, @names) = ($words->[0] // '') eq '-s' ? @$words[ 1 .. $#$words ] : ('TERM', @$words);
    $signal =~ s/\ASIG//;
    $self->{dialect}->fail('qsig', 'unknown_signal') unless $signal =~ /\A(?:suspend|resume|[A-Z]{2,6}|[0-9]{1,2})\z/;
    return $self->_each('qsig', \@names, $from, sub {
        my ($job) = @_;
        $self->{dialect}->fail('qsig', 'bad_state', object => $job->{id}) unless $job->{state} =~ /[RS]/;
        $self->{dialect}->fail('qsig', 'perm', object => $job->{id}) if $signal =~ /\A(?:suspend|resume)\z/ && !_is_manager($from->{user});
        return $self->{jobs}->suspend($job) if $signal eq 'suspend';
        return $self->{jobs}->resume($job)  if $signal eq 'resume';
        return PbsStandin::Processes::signal($signal, $job->{session});
    });
}

sub _pbsnodes {
    my ($self, $words) = @_;
    die { err => "usage: pbsnodes [-a] [node ...]\n", exit => 2 } if grep { !/\A-(?:a|av|v)\z/ } @$words;
    return { out => PbsStandin::Show::nodes($self->{config}, $self->{jobs}->all) };
}

# --- what a test does to the stand-in -------------------------------------------------------------------------------------------

# set NAME VALUE (away, keep, history, submit_delay, lose_answer), next NUMBER, forget, lose-node ID
sub _control {
    my ($self, $words, $from) = @_;
    die { err => "control: not yours\n", exit => 1 } unless _is_manager($from->{user});
    my ($what, $name, $value) = @$words;
    if    ($what eq 'set' && $name =~ /\A(?:away|keep|history|submit_delay|lose_answer)\z/) { $self->{config}{$name} = $value }
    elsif ($what eq 'next') { $self->{jobs}{next} = $name }
    elsif ($what eq 'forget') { delete $self->{jobs}{jobs}{ $_->{seq} } for grep { PbsStandin::Jobs::is_over($_) } $self->{jobs}->all }
    elsif ($what eq 'lose-node') { $self->{jobs}->lose_node($self->{jobs}->find($name) // die { err => "no job $name\n", exit => 1 }) }
    else { die { err => "control: cannot $what\n", exit => 2 } }
    return { out => '' };
}

1;
