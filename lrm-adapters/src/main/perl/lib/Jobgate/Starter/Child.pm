# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Starter::Child;

# What a child of the starter does between fork and exec.

use strict;
use warnings;

use Errno ();
use POSIX                    ();
use Jobgate::Processes       ();
use Jobgate::Starter::Launch ();
use Jobgate::System          ();
use Jobgate::Wire            ();

# In the child: becomes the job's process, or tells the channel what failed. Never returns. Waits for one byte on the channel
# first: before it comes, the process is not on record and must not run.
sub run {
    my ($channel, $spec, $index, $highest) = @_;
    $SIG{$_} = 'DEFAULT' for grep { !/\A(?:NUM\d+|KILL|STOP|ZERO)\z/ && defined $SIG{$_} } keys %SIG;
    POSIX::sigprocmask(POSIX::SIG_SETMASK(), POSIX::SigSet->new);
    POSIX::setsid();
    # copies of other children's channels would hide our starter's death from them
    Jobgate::Processes::close_all_but(fileno $channel, $highest);
    my $go = '';
    POSIX::_exit(0) unless sysread $channel, $go, 1;
    my $resources = $spec->{resources} // {};
    _run_with_commands($channel, $spec, $index) if $resources->{pre_command} || $resources->{post_command} || $spec->{hook_before} || $spec->{hook_after};
    _become($channel, $spec, $index);
}

sub _become {
    my ($channel, $spec, $index) = @_;
    eval { Jobgate::Starter::Launch::become($spec, $index); 1 } or _tell($channel, ref $@ ? $@ : [ 'execute', $spec->{executable}, "$@" ]);
    POSIX::_exit(127);
}

sub _tell { my ($channel, $failure) = @_; syswrite $channel, Jobgate::Wire::encode($failure); return }

# Stays as the parent of the command before the program, of the program, and of the command after it, and ends as the program did. The channel is closed,
# and so the job begun, when the program has taken its place. Signals are sent to the whole group: here they end nothing.
sub _run_with_commands {
    my ($channel, $spec, $index) = @_;
    my $ended_by;
    $SIG{$_} = sub { } for qw(USR1 USR2 ALRM);
    $SIG{$_} = sub { $ended_by //= $_[0] } for qw(HUP INT QUIT TERM XCPU);
    require Jobgate::Hooks;
    Jobgate::Hooks::before($spec, \&_wait_for);
    # a job that was cancelled meanwhile is not begun
    _end_by($ended_by) if defined $ended_by;
    my ($before, $after) = map { scalar Jobgate::Starter::Launch::command_of($spec, $_) } qw(pre_command post_command);
    if ($before) {
        my $status = _status_of(_fork(sub { _become($channel, $before, $index) }));
        if ($status != 0) {
            my $how = $status & 127 ? 'it was ended by the signal ' . ($status & 127) : 'it ended with the exit code ' . ($status >> 8);
            _tell($channel, [ 'before', $before->{executable}, $how ]) unless $status >> 8 == 127;    # which has told why
            POSIX::_exit(127);
        }
    }
    # what the command has written there stays
    my $pid = _fork(sub { _become($channel, $spec, $before ? 1 : $index) });
    close $channel;
    my $status = _status_of($pid);
    if ($after) {
        open my $nobody, '>', '/dev/null';
        _wait_for(sub { _become($nobody, $after, 1) });
    }
    Jobgate::Hooks::after($spec, \&_wait_for);
    POSIX::_exit($status >> 8) unless $status & 127;
    _end_by($status & 127);
}

# Ends by this signal, as if it had come to the program.
sub _end_by {
    my ($signal) = @_;
    Jobgate::System::dump_no_core();
    $SIG{$_} = 'DEFAULT' for grep { !/\A(?:NUM\d+|KILL|STOP|ZERO)\z/ && defined $SIG{$_} } keys %SIG;
    kill $signal => $$;
    POSIX::_exit(128 + ($signal =~ /\A[0-9]+\z/ ? $signal : 0));
}

sub _fork {
    my ($code) = @_;
    my $pid = fork;
    POSIX::_exit(126) unless defined $pid;
    return $pid if $pid;
    $SIG{$_} = 'DEFAULT' for qw(HUP INT QUIT TERM USR1 USR2 XCPU ALRM);
    $code->();
    POSIX::_exit(127);
}

sub _wait_for { my ($code) = @_; return _status_of(_fork($code)) }

sub _status_of {
    my ($pid) = @_;
    until (waitpid($pid, 0) == $pid) { return 126 << 8 unless $!{EINTR} }
    return $?;
}

1;
