#!/usr/bin/perl
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# What is said of a batch system's commands that are there, are not there, do not answer, or answer wrongly.

use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin ();
use Test::More;
use lib "$FindBin::RealBin/../../main/perl/lib";
use Jobgate::Probe ();

my $PROBE = "$FindBin::RealBin/../../main/perl/jobgate-probe";
my %QUESTION = (slurm => 'squeue', pbs => 'qstat', sge => 'qstat', condor => 'condor_q');

# A directory with commands of this adapter that run the text.
sub bin {
    my ($adapter, $text, @without) = @_;
    my $bin = tempdir(CLEANUP => 1);
    my $class = 'Jobgate::Adapter::' . ucfirst $adapter;
    require "Jobgate/Adapter/\u$adapter.pm";
    for my $name ($class->new->programs) {
        next if grep { $_ eq $name } @without;
        open my $file, '>', "$bin/$name" or die "$bin/$name: $!";
        print {$file} "#!/bin/sh\n$text\n";
        close $file;
        chmod 0755, "$bin/$name";
    }
    return $bin;
}

sub bad { return grep { $_->[0] eq 'bad' } @_ }

subtest 'an adapter without a batch system needs nothing' => sub {
    for my $name (qw(fork legacy)) { is_deeply [ Jobgate::Probe::findings($name, {}) ], [ [ 'ok', "the adapter $name needs no commands of a batch system" ] ], $name }
};

subtest 'an adapter that is not there' => sub {
    for my $name ('slrum', 'Slurm', '../Slurm', 'a b') {
        my @bad = bad(Jobgate::Probe::findings($name, {}));
        is scalar @bad, 1, $name;
        like $bad[0][1], qr/cannot be loaded: (?:there is no module Jobgate::Adapter::Slrum|that is not the name)/, 'says why';
        unlike $bad[0][1], qr/\@INC/, 'in words for people';
    }
};

for my $adapter (sort keys %QUESTION) {
    subtest "$adapter: commands that are missing are named, with their directory" => sub {
        my $bin = bin($adapter, 'exit 0', $QUESTION{$adapter});
        my @bad = bad(Jobgate::Probe::findings($adapter, { "${adapter}_bin" => $bin }));
        is scalar @bad, 1, 'once';
        is $bad[0][1], "$QUESTION{$adapter} not found in $bin", 'which';
        like $bad[0][2], qr/${adapter}_bin=DIRECTORY/, 'what to do';
    };
    subtest "$adapter: a batch system that is down is told with its words" => sub {
        my $bin = bin($adapter, 'echo "the server is down today" >&2; exit 1');
        my @findings = Jobgate::Probe::findings($adapter, { "${adapter}_bin" => $bin });
        my @bad = bad(@findings);
        is $findings[0][0], 'ok', 'the commands are there';
        is scalar @bad, 1, 'once';
        like $bad[0][1], $adapter eq 'pbs' ? qr/qstat does not say whether|the server is down/ : qr/\Q$QUESTION{$adapter}\E: the server is down today/, 'what it said';
        ok length $bad[0][2], 'what to do';
    };
    subtest "$adapter: a command that hangs is given up" => sub {
        my $bin = bin($adapter, 'exec sleep 600');
        my $begun = time;
        ok scalar bad(Jobgate::Probe::findings($adapter, { "${adapter}_bin" => $bin, call_seconds => 3 })), 'bad';
        cmp_ok time - $begun, '<', 300, 'in time';
    };
}

subtest 'the program prints a line for each, whatever a command says' => sub {
    my $bin = bin('slurm', q{printf 'a\tb\001\nc\n' >&2; exit 1});
    open my $out, '-|', $^X, $PROBE, 'slurm', "slurm_bin=$bin", 'call_seconds=30' or die "$!";
    my @lines = <$out>;
    ok close $out, 'ends well';
    is scalar @lines, 2, 'two';
    is scalar(split /\t/, $lines[1]), 3, 'three parts';
    unlike $lines[1], qr/[^\x20-\x7e\t\n]/, 'plain';
    is system("$^X $PROBE 2>/dev/null"), 255 << 8, 'called wrongly';
};

done_testing;
