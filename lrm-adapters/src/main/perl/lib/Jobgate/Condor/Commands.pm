# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Condor::Commands;

# Runs HTCondor's commands, with an end to their time and to what they may print.

use strict;
use warnings;

use Fcntl qw(F_SETFD :flock);
use POSIX ();
use Time::HiRes ();

use constant {
    MAX_OUTPUT    => 64 * 1024 * 1024,
    READ          => 256 * 1024,
    LOCK_INTERVAL => 0.05,
};

# bin: the directory of the commands, or none for PATH; config: the value of CONDOR_CONFIG, or none; seconds: for one command
sub new {
    my ($class, %given) = @_;
    return bless { seconds => 48, %given }, $class;
}

# Runs a command; answers { name, exit, out, err }, where exit is -1 if it was given up. Standard input is the file `input` or empty; `keep` is
# a handle that the command holds open for as long as it lives.
sub run {
    my ($self, $command, %with) = @_;
    my ($name, @arguments) = @$command;
    pipe my $out, my $out_write or die "no pipe: $!\n";
    pipe my $err, my $err_write or die "no pipe: $!\n";
    my $pid = fork // die "cannot fork: $!\n";
    if ($pid == 0) { $self->_become($name, \@arguments, $out_write, $err_write, %with) }
    close $_ for $out_write, $err_write;
    my ($said, $why) = $self->_collect($out, $err);
    kill KILL => $pid if $why;
    waitpid $pid, 0;
    my $exit = $why ? -1 : $? & 127 ? 128 + ($? & 127) : $? >> 8;
    return { name => $name, exit => $exit, out => $said->[0], err => $why ? "$name $why" : $said->[1] };
}

sub _become {
    my ($self, $name, $arguments, $out, $err, %with) = @_;
    eval {
        POSIX::dup2(fileno $out, 1);
        POSIX::dup2(fileno $err, 2);
        open my $input, '<', $with{input} // '/dev/null' or die "cannot read $with{input}: $!\n";
        POSIX::dup2(fileno $input, 0);
        fcntl $with{keep}, F_SETFD, 0 if $with{keep};
        %ENV = $self->_environment;
        my $program = defined $self->{bin} ? "$self->{bin}/$name" : $name;
        no warnings 'exec';
        exec {$program} $program, @$arguments or die "cannot run $program: $!\n";
    };
    syswrite STDERR, $@;
    POSIX::_exit(127);
}

sub _environment {
    my ($self) = @_;
    my %environment = (LC_ALL => 'C', TZ => 'UTC', PATH => $ENV{PATH} || '/usr/local/bin:/usr/bin:/bin', HOME => $ENV{HOME} // '/');
    my $config = $self->{config} // $ENV{CONDOR_CONFIG};
    $environment{CONDOR_CONFIG} = $config if defined $config;
    return %environment;
}

# What was printed on both, and why the command was given up, if it was.
sub _collect {
    my ($self, @handles) = @_;
    my @said  = ('', '');
    my @open  = (0, 1);
    my $until = Time::HiRes::time() + $self->{seconds};
    while (@open) {
        my $left = $until - Time::HiRes::time();
        return (\@said, "did not end within $self->{seconds} seconds") if $left <= 0;
        my $bits = '';
        vec($bits, fileno $handles[$_], 1) = 1 for @open;
        next unless select($bits, undef, undef, $left) > 0;
        my @ready = grep { vec $bits, fileno $handles[$_], 1 } @open;
        for my $i (@ready) {
            my $read = sysread $handles[$i], $said[$i], READ, length $said[$i];
            @open = grep { $_ != $i } @open unless $read || (!defined $read && $!{EINTR});
        }
        return (\@said, 'printed more than ' . MAX_OUTPUT . ' bytes') if length($said[0]) + length($said[1]) > MAX_OUTPUT;
    }
    return (\@said, undef);
}

# The handle of a lock on the file, waited for; dies if another keeps it. It is free again when the last process that holds the handle ends.
sub lock {
    my ($self, $path) = @_;
    open my $lock, '>>', $path or die "cannot open $path: $!\n";
    my $until = Time::HiRes::time() + $self->{seconds} / 2;
    until (flock $lock, LOCK_EX | LOCK_NB) {
        die "an earlier condor_submit has not ended yet\n" if Time::HiRes::time() > $until;
        Time::HiRes::sleep(LOCK_INTERVAL);
    }
    return $lock;
}

1;
