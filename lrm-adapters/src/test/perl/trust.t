#!/usr/bin/perl
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# Whose word counts: a job's own record of its end against its LRM's.

use strict;
use warnings;

use FindBin ();
use lib "$FindBin::Bin/../../main/perl/lib";
use Test::More;

use Jobgate::Adapter::Batch ();

my $agrees = \&Jobgate::Questions::agrees;

ok $agrees->({ exit => 0 }, { cause => 'EXITED', exit => 0 }), 'the same exit code';
ok $agrees->({ exit => 3 }, { cause => 'EXITED', exit => 3 }), 'the same failure';
ok $agrees->({ exit => 127 }, { cause => 'NOT_STARTED', exit => 127, why => [ 'execute', '/x', 'no' ] }), 'a program that is not there';
ok $agrees->({ exit => 0, signal => 15 }, { cause => 'SIGNALLED', signal => 15 }), 'the same signal';
ok $agrees->({ exit => 143 }, { cause => 'WALL_TIME', signal => 15 }), 'a signal that became an exit code';
ok $agrees->({ signal => 9 }, { cause => 'EXITED', exit => 137 }), 'an exit code that became a signal';
ok $agrees->({ exit => 1 }, { cause => 'EXITED', exit => 100 }), 'an exit code that Grid Engine may not see';
ok $agrees->({}, { cause => 'EXITED', exit => 4 }), 'an LRM that does not say';
ok !$agrees->({ exit => 1 }, { cause => 'EXITED', exit => 0 }), 'a failure that the job calls a success';
ok !$agrees->({ exit => 0 }, { cause => 'EXITED', exit => 1 }), 'a success that the job calls a failure';
ok !$agrees->({ exit => 0, signal => 9 }, { cause => 'EXITED', exit => 0 }), 'a killed job that calls itself well';
ok !$agrees->({ exit => 0 }, { cause => 'WALL_TIME', signal => 15 }), 'a time limit that the LRM saw nothing of';
ok !$agrees->({ exit => 2 }, { cause => 'NOT_STARTED', exit => 127, why => [ 'execute', '/x', 'no' ] }), 'a program that ran';

done_testing;
