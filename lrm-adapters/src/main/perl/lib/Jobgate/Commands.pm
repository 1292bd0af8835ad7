# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Commands;

# Runs an LRM's commands, with an end to their time and to what they may print; without a shell, and with no variable of the worker's
# environment but PATH and those that the adapter gives. HOME is the account's, whatever the gateway was started with: an LRM may hand it on to jobs.

use strict;
use warnings;

use Fcntl qw(F_SETFD :flock);
use Jobgate::Commands::Running ();
use POSIX ();
use Time::HiRes ();

use constant { LOCK_INTERVAL => 0.05, TURN => 0.2 };

# bin: the directory of the commands that are no absolute paths, or none for PATH; environment: a hash of what they need besides; seconds: for one command
sub new {
    my ($class, %given) = @_;
    return bless { seconds => 48, environment => {}, %given }, $class;
}

# Runs a command to its end; answers { name, words, exit, out, err }, where exit is -1 if it was given up and 127 if it is not there. Standard
# input is the text `text`, the file `input`, or empty; `keep` is a handle that the command holds open for as long as it lives.
sub run {
    my ($self, $command, %with) = @_;
    return $self->start($command, %with)->wait;
}

# The same in the background: answers a Jobgate::Commands::Running.
sub start {
    my ($self, $command, %with) = @_;
    my ($name, @arguments) = @$command;
    pipe my $out, my $out_write or die "no pipe: $!\n";
    pipe my $err, my $err_write or die "no pipe: $!\n";
    my $input = _input(%with);
    my $pid = fork // die "cannot fork: $!\n";
    if ($pid == 0) { $self->_become($name, \@arguments, $input, $out_write, $err_write, $with{keep}) }
    close $_ for $out_write, $err_write;
    return Jobgate::Commands::Running->new(name => $name, words => $command, pid => $pid, seconds => $self->{seconds}, handles => [ $out, $err ]);
}

# Runs many, so many at once; answers what `run` does, in order. Each is [ command, with... ]. on: `ended`, told of each as it ends (its number,
# what it did); `meanwhile`, called every TURN seconds or so.
sub run_all {
    my ($self, $at_once, $commands, %on) = @_;
    my (@done, %running);
    my ($next, $turn) = (0, 0);
    while ($next < @$commands || %running) {
        while ($next < @$commands && keys %running < $at_once) {
            my ($command, @with) = @{ $commands->[$next] };
            $running{ $next++ } = $self->start($command, @with);
        }
        Jobgate::Commands::Running::await_any($on{meanwhile} ? TURN : undef, values %running);
        for my $i (sort { $a <=> $b } keys %running) {
            $done[$i] = $running{$i}->finished // next;
            delete $running{$i};
            $on{ended}->($i, $done[$i]) if $on{ended};
        }
        next if !$on{meanwhile} || Time::HiRes::time() - $turn < TURN;
        $on{meanwhile}->();
        $turn = Time::HiRes::time();
    }
    return @done;
}

# A text goes through a file without a name: no pipe can fill up, and nothing is left behind.
sub _input {
    my (%with) = @_;
    my $path = $with{input} // '/dev/null';
    if (defined $with{text}) {
        open my $file, '+>:raw', undef or die "no file for the input of a command: $!\n";
        print {$file} $with{text} and $file->flush and seek $file, 0, 0 or die "cannot write the input of a command: $!\n";
        return $file;
    }
    open my $file, '<:raw', $path or die "cannot read $path: $!\n";
    return $file;
}

sub _become {
    my ($self, $name, $arguments, $input, $out, $err, $keep) = @_;
    eval {
        POSIX::dup2(fileno $out, 1);
        POSIX::dup2(fileno $err, 2);
        sysseek $input, 0, 0;
        POSIX::dup2(fileno $input, 0);
        fcntl $keep, F_SETFD, 0 if $keep;
        %ENV = $self->_environment;
        my $program = defined $self->{bin} && $name !~ m{\A/} ? "$self->{bin}/$name" : $name;
        no warnings 'exec';
        exec {$program} $program, @$arguments or die "cannot run $program: $!\n";
    };
    syswrite STDERR, $@;
    POSIX::_exit(127);
}

sub _environment {
    my ($self) = @_;
    my %given = %{ $self->{environment} };
    return (LC_ALL => 'C', TZ => 'UTC', PATH => $ENV{PATH} || '/usr/local/bin:/usr/bin:/bin', HOME => (getpwuid $>)[7] // '/',
        map { $_ => $given{$_} } grep { defined $given{$_} } keys %given);
}

# The handle of a lock on the file, waited for; dies if another keeps it. It is free again when the last process that holds the handle ends.
sub lock {
    my ($self, $path) = @_;
    open my $lock, '>>', $path or die "cannot open $path: $!\n";
    my $until = Time::HiRes::time() + $self->{seconds} / 2;
    until (flock $lock, LOCK_EX | LOCK_NB) {
        die "an earlier command that submits jobs has not ended yet\n" if Time::HiRes::time() > $until;
        Time::HiRes::sleep(LOCK_INTERVAL);
    }
    return $lock;
}

# What a command complained of, in one line.
sub said {
    my ($done) = @_;
    my ($line) = grep { /\S/ } split /\n/, $done->{err} . "\n" . $done->{out};
    return $done->{exit} == 0 && $done->{err} !~ /\S/ ? 'its answer was not understood: ' . substr($done->{out}, 0, 200)
        : substr $line // "exit code $done->{exit}", 0, 300;
}

1;
