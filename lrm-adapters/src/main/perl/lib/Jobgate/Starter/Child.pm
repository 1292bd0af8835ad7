# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Starter::Child;

# What a child of the starter does between fork and exec.

use strict;
use warnings;

use POSIX                    ();
use Jobgate::Processes       ();
use Jobgate::Starter::Launch ();
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
    eval { Jobgate::Starter::Launch::become($spec, $index); 1 } or syswrite $channel, ref $@ ? Jobgate::Wire::encode($@) : Jobgate::Wire::encode(
        [ 'execute', $spec->{executable}, "$@" ]);
    POSIX::_exit(127);
}

1;
