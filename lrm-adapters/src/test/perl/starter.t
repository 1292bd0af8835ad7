# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# What the starter does with one job.

use strict;
use warnings;

use FindBin ();
use lib "$FindBin::RealBin/lib";
use StarterRoom ();
use Test::More;

my $room = StarterRoom->new;

subtest 'an exit code is told' => sub {
    my $end = $room->run(executable => '/bin/sh', arguments => [ '-c', 'exit 7' ]);
    is $end->{cause}, 'EXITED';
    is $end->{exit},  7;
    like $end->{ids}[0], qr/\A\Q$end->{tag}\E:\d+\z/;
};

subtest 'a signal is told' => sub {
    my $end = $room->run(executable => '/bin/sh', arguments => [ '-c', 'kill -SEGV $$' ]);
    is $end->{cause},  'SIGNALLED';
    is $end->{signal}, 11;
    is $end->{exit},   139;
};

done_testing;
