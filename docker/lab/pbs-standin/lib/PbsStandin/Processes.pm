# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package PbsStandin::Processes;

# The processes of a job, started as PBS's mom starts them: a session of its own as the job's account in its home, the job's shell as a login
# shell, which reads the name of the script from its standard input, and an environment made new.

use strict;
use warnings;

use POSIX ();

# Starts the job; answers the pid of its session's leader.
sub start {
    my ($job, %at) = @_;
    pipe my $is_ready, my $ready or die "no pipe: $!\n";
    my $pid = fork // die "cannot fork: $!\n";
    if ($pid) {
        # a signal before it has a session of its own would not reach it
        close $ready;
        sysread $is_ready, my $nothing, 1;
        return $pid;
    }
    close $is_ready;
    eval { _become($job, $ready, %at); 1 } or print STDERR "job $job->{id}: $@";
    POSIX::_exit(254);
}

sub _become {
    my ($job, $ready, %at) = @_;
    POSIX::setsid();
    $SIG{$_} = 'DEFAULT' for qw(PIPE CHLD TERM INT HUP);
    close $ready;
    open my $names, '>', "$at{directory}/mom/$job->{seq}.in" or die "cannot write the script's name: $!\n";
    print {$names} "$at{directory}/mom/$job->{seq}.SC\n";
    close $names;
    open STDIN, '<', "$at{directory}/mom/$job->{seq}.in" or die "cannot read the script's name: $!\n";
    as_user($job->{user});
    my ($home, $shell) = (getpwuid $job->{user}{uid})[ 7, 8 ];
    %ENV = _environment($job, $home, $shell, %at);
    umask 077;
    chdir $home or die "cannot enter $home: $!\n";
    open STDOUT, '>>', $job->{output} or die "cannot write $job->{output}: $!\n";
    open STDERR, '>>', $job->{error}  or die "cannot write $job->{error}: $!\n";
    # the server's sockets and handles
    POSIX::close($_) for 3 .. 63;
    $shell = $job->{options}{S} // $shell;
    exec {$shell} '-' . ($shell =~ m{([^/]+)\z})[0] or die "cannot run $shell: $!\n";
}

# Becomes the account for good; nothing to do when we are it.
sub as_user {
    my ($user) = @_;
    return if $> == $user->{uid};
    $) = join ' ', $user->{gid}, $user->{gid};
    $( = $user->{gid};
    POSIX::setuid($user->{uid});
    die "cannot become $user->{name}: $!\n" if $> != $user->{uid} || $< != $user->{uid};
    return;
}

sub _environment {
    my ($job, $home, $shell, %at) = @_;
    return (
        (map { $_->[0] => $_->[1] } @{ $job->{variables} }),
        HOME => $home, USER => $job->{user}{name}, LOGNAME => $job->{user}{name}, SHELL => $shell, PATH => '/usr/local/bin:/usr/bin:/bin',
        PBS_JOBID => $job->{id}, PBS_JOBNAME => $job->{name}, PBS_QUEUE => $job->{queue}, PBS_ENVIRONMENT => 'PBS_BATCH', PBS_NODENUM => 0,
        PBS_TASKNUM => 1, PBS_NODEFILE => "$at{directory}/aux/$job->{id}", PBS_STANDIN => $at{directory}, PBS_STANDIN_NUMBERS => $at{numbers},
    );
}

# pid => { session, resident bytes, CPU seconds } of all processes whose session is one of these.
sub of_sessions {
    my (%sessions) = @_;
    my %found;
    opendir my $proc, '/proc' or die "cannot read /proc: $!\n";
    for my $pid (grep { /\A[0-9]+\z/ } readdir $proc) {
        open my $file, '<', "/proc/$pid/stat" or next;
        my $line = <$file> // next;
        my @rest = split ' ', ($line =~ /\A\d+ \(.*\) (.*)\z/s)[0] // next;
        next if $rest[0] =~ /[ZX]/ || !$sessions{ $rest[3] };
        $found{$pid} = { session => $rest[3], bytes => $rest[21] * 4096, cpu => ($rest[11] + $rest[12]) / 100 };
    }
    return \%found;
}

sub signal {
    my ($signal, $session) = @_;
    # the leader first, as mom does: else the shell may end by itself on its child's death
    kill $signal => sort { $a <=> $b } keys %{ of_sessions($session => 1) };
    return;
}

1;
