# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package StandinRoom;

# A stand-in for a PBS of its own (docker/lab/pbs-standin), which ends with the test.

use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin ();
use Time::HiRes qw(sleep time);

my $PROGRAM = "$FindBin::RealBin/../../../../docker/lab/pbs-standin/pbs-standin";

sub new {
    my ($class, $dialect, @settings) = @_;
    my $directory = tempdir(CLEANUP => 1) . '/pbs';
    my $pid = fork // die "cannot fork: $!\n";
    if ($pid == 0) {
        open STDOUT, '>&', \*STDERR;
        exec $PROGRAM, 'serve', $directory, $dialect, @settings or die "cannot run $PROGRAM: $!\n";
    }
    my $self = bless { directory => $directory, pid => $pid, owner => $$ }, $class;
    until (-S "$directory/socket") { sleep 0.02; die "the stand-in has ended\n" if waitpid($pid, 1) == $pid }
    return $self;
}

sub bin { return "$_[0]{directory}/bin" }

# Runs a command of it: { out, err, exit }. `input` is its standard input.
sub run {
    my ($self, $name, @words) = @_;
    my $given = ref $words[-1] ? pop @words : {};
    my ($in, $out, $err) = map { my $path = "$self->{directory}/test.$_"; $path } qw(in out err);
    open my $file, '>', $in or die "cannot write $in: $!\n";
    print {$file} $given->{input} // '';
    close $file;
    my $pid = fork // die "cannot fork: $!\n";
    if ($pid == 0) {
        open STDIN,  '<', $in;
        open STDOUT, '>', $out;
        open STDERR, '>', $err;
        $ENV{TZ} = 'UTC';
        exec $self->bin . "/$name", @words or die "cannot run $name: $!\n";
    }
    waitpid $pid, 0;
    return { exit => $? >> 8, map { my ($key, $path) = @$_; open my $read, '<', $path or die "$path: $!\n"; local $/; ($key => <$read> // '') } [ out => $out ], [ err => $err ] };
}

sub control { my ($self, @words) = @_; my $done = $self->run('control', @words); die $done->{err} if $done->{exit}; return }

# The id of a new job.
sub submit {
    my ($self, $script, @words) = @_;
    my $done = $self->run('qsub', '-S', '/bin/sh', '-j', 'oe', '-o', '/dev/null', @words, { input => $script });
    chomp(my $id = $done->{out});
    die "not taken: $done->{err}" if $done->{exit};
    return $id;
}

# The attributes of a job, once it has the wanted state, and what else they have to be if the code says so.
sub await {
    my ($self, $id, $state, $code) = @_;
    my $until = time + 60;
    my @history = -e "$self->{directory}/is-openpbs" ? ('-x') : ();
    while (time < $until) {
        my $done = $self->run('qstat', '-f', @history, $id);
        my %is = map { lc } $done->{out} =~ /^ {4}(\S+) = (.*)$/mg;
        return \%is if ($is{job_state} // '') =~ /\A$state\z/i && (!$code || $code->(\%is));
        sleep 0.1;
    }
    die "$id is not $state\n";
}

sub DESTROY {
    my ($self) = @_;
    return if $$ != $self->{owner};
    local ($?, $!, $@);
    kill TERM => $self->{pid};
    waitpid $self->{pid}, 0;
    return;
}

1;
