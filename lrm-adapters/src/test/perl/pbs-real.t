#!/usr/bin/perl
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# What a real OpenPBS has printed (../shared/captures/pbs), as the adapter reads it.

use strict;
use warnings;

use File::Copy ();
use File::Temp qw(tempdir);
use FindBin ();
use Test::More;
use lib "$FindBin::RealBin/../../main/perl/lib";
use Jobgate::Adapter::Pbs    ();
use Jobgate::Pbs::Accounting ();
use Jobgate::Pbs::Dialect    ();
use Jobgate::Pbs::Ends       ();
use Jobgate::Pbs::Qstat      ();
use Jobgate::Pbs::Queues     ();

my $SAMPLES = "$FindBin::RealBin/../../../../../shared/captures/pbs";
plan skip_all => "SKIPPED: the samples of a real OpenPBS are not there ($SAMPLES)" unless -d $SAMPLES;

my $OPENPBS = Jobgate::Pbs::Dialect->new('openpbs', 23);

sub sample {
    my ($name) = @_;
    open my $file, '<', "$SAMPLES/$name" or die "$name: $!\n";
    local $/;
    return <$file>;
}

# An adapter that has asked for these ids, and what it makes of the answer.
sub adapter { return Jobgate::Adapter::Pbs->new(settings => { spool => tempdir(CLEANUP => 1), dialect => 'openpbs', @_ }, account => 'jobgate') }

sub records {
    my ($adapter, $text, $err, $exit, @ids) = @_;
    return $adapter->parse_records({ name => 'qstat', words => [ qw(qstat -x -f), @ids ], exit => $exit, out => $text, err => $err }, []);
}

sub end { my ($job, %given) = @_; return Jobgate::Pbs::Ends::of($job, undef, dialect => $OPENPBS, began => 1, %given) }

sub TAG { return sprintf '01a1fa37-2a75-7000-8000-%012d', $_[0] }

sub told { my ($end) = @_; return join ' ', grep { defined } @$end{qw(cause exit signal)} }

subtest 'jobs that live' => sub {
    my %job = map { $_->{id} => $_ } Jobgate::Pbs::Qstat::jobs(sample('qstat-f-live-mixed.txt'));
    is_deeply [ sort keys %job ], [ '20.pbs1', '24.pbs1' ], 'both';
    is_deeply [ @{ $job{'24.pbs1'} }{qw(tag user job_state)} ], [ '01a2108e-a886-77ab-961a-622f73d0d62e', 'jobgate', 'R' ], 'whose, and how';
    is scalar @{ adapter()->parse_listing({ out => sample('qstat-f-live-mixed.txt') }) }, 2, 'rows';
};

subtest "lines that a foreign job's environment writes into the listing" => sub {
    for my $all (0, 1) {
        my @jobs = Jobgate::Pbs::Qstat::jobs(sample('qstat-f-foreign-injection.txt') . sample('qstat-f-live-mixed.txt'), $all);
        is_deeply [ map { $_->{id} } grep { defined $_->{tag} } @jobs ], [ '20.pbs1', '24.pbs1' ], 'ours are read, and no other';
    }
    my ($held) = grep { defined $_->{tag} } Jobgate::Pbs::Qstat::jobs(sample('qstat-f-array.txt'));
    is $held->{id}, '30.pbs1', 'beside an array whose environment holds a state';
    is adapter()->parse_listing({ out => sample('qstat-f-array.txt') })->[0]{note}, 'PBS: Not Running: Queue not started.', 'and why ours waits';
};

subtest 'ends' => sub {
    my %job = map { $_->{id} => $_ } map { Jobgate::Pbs::Qstat::jobs(sample($_), 1) } qw(qstat-xf-ends.txt qstat-xf-limits.txt qstat-xf-walltime.txt);
    is_deeply { map { $_ => told(end($job{$_})) } grep { $job{$_}{job_state} eq 'F' } keys %job },
        { '26.pbs1' => 'EXITED 4', '27.pbs1' => 'CANCELLED', '28.pbs1' => 'CANCELLED', '29.pbs1' => 'CANCELLED', '31.pbs1' => 'CANCELLED', '464.pbs1' => 'MEMORY', '575.pbs1' => 'WALL_TIME' }, 'their causes';
    like end($job{'464.pbs1'})->{output}, qr/exceeded resource mem/, 'with what PBS says of it';
    my %lost = map { my ($id) = /\A(\S+)/; ($id => { id => $id, map { lc } /^ {4}(\S+) = (.*)$/mg }) } split /^Job Id: /m, sample('node-lost.txt') =~ s/\AJob Id: //r;
    is told(end($lost{'578.pbs1'})), 'NODE_FAILED', 'its node was lost';
    is told(end({ %{ $lost{'577.pbs1'} }, job_state => 'F', substate => 91 })), 'CANCELLED', 'queued again after its node was lost, then deleted: the old status is still there';
};

subtest 'many ids in one question' => sub {
    my @ids = map { "$_.pbs1" } 26 .. 31;
    my $adapter = adapter();
    my $rows = records($adapter, sample('qstat-xf-ends.txt'), '', 0, @ids);
    is_deeply [ sort map { $_->{id} } @$rows ], \@ids, 'all of them';
    is_deeply [ map { $_->{note} } grep { $_->{id} eq '30.pbs1' } @$rows ], ['PBS: Job held by root on Wed Nov 25 02:36:36 2026'], 'why one is held';
    is_deeply [ $adapter->further_record_commands([]) ], [], 'nothing is left to ask';
    $rows = records($adapter = adapter(), sample('qstat-xf-walltime.txt'), '', 0, '575.pbs1', '576.pbs1', '577.pbs1');
    is_deeply [ map { $_->{id} } @$rows ], ['575.pbs1'], 'an answer that is silent of two';
    is_deeply [ $adapter->further_record_commands([]) ], [ map { [ qw(qstat -x -f), $_ ] } '576.pbs1', '577.pbs1' ], 'which are asked for one by one';
    is_deeply [ $adapter->further_record_commands([]) ], [], 'once';
    is_deeply { $adapter->unclear_records([ map { { tag => TAG($_), ids => ["$_.pbs1"] } } 575 .. 577 ]) },
        { map { (TAG($_) => "qstat says nothing of the job $_.pbs1") } 576, 577 }, 'and of which nothing is concluded';
    is_deeply records(adapter(), sample('qstat-xf-walltime.txt'), '', 0, '576.pbs1'), [], 'one that nobody asked for is no answer';
};

subtest 'a server without history' => sub {
    my ($said) = sample('history-off.txt') =~ /^\$ qstat -x -f 30\.pbs1\n(.*\n)rc 0/m;
    my $adapter = adapter();
    is_deeply $adapter->record_commands([ { tag => TAG(30), ids => ['30.pbs1'] } ]), [qw(qstat -x -f 30.pbs1)], 'asked for';
    is_deeply records($adapter, '', $said, 0, '30.pbs1'), [], 'no row';
    is_deeply [ $adapter->further_record_commands([]) ], [ [qw(qstat -f 30.pbs1)] ], 'it is asked without, at once';
    records($adapter, '', "qstat: Unknown Job Id 30.pbs1\n", 153, '30.pbs1');
    is_deeply { $adapter->unclear_records([ { tag => TAG(30), ids => ['30.pbs1'] } ]) }, {}, 'and says that it is gone';
    is_deeply $adapter->record_commands([ { tag => TAG(30), ids => ['30.pbs1'] } ]), [qw(qstat -f 30.pbs1)], 'from now on';
    $adapter->{no_history_until} = time - 1;
    is_deeply $adapter->record_commands([ { tag => TAG(30), ids => ['30.pbs1'] } ]), [qw(qstat -x -f 30.pbs1)], 'but not for ever';
};

subtest "qsub's refusals" => sub {
    my $adapter = adapter();
    my $text = sample('qsub-errors.txt') . sample('qsub-errors2.txt');
    while ($text =~ /^\$ (qsub[^\n]*)\n(.*?)^rc ([0-9]+)$/msg) {
        my ($words, $said, $exit) = ($1, $2, $3);
        my $answer = $adapter->submit_answer({ name => 'qsub', exit => $exit, out => $exit ? '' : $said, err => $exit ? $said : '' }, {});
        my $is = $answer->{ids} || $said =~ /\A\S+\[\]/ ? 'taken' : $answer->{refused} ? 'refused' : $answer->{alone} ? 'waits alone' : 'unclear';
        is $is, $exit == 0 ? 'taken' : $exit == 173 ? 'waits alone' : 'refused', "$words: rc $exit";
        next unless $answer->{refused};
        my ($first) = $said =~ /\Aqsub: (.*?)\s*$/m;
        like $answer->{refused}{sentence}, qr/\Q$first\E/, "with PBS's words";
    }
};

subtest 'the accounting' => sub {
    my $directory = tempdir(CLEANUP => 1);
    File::Copy::copy("$SAMPLES/accounting-kinds.txt", "$directory/20261125") or die $!;
    my %name = (deleted => 'jg786a27896c9ac', again => 'jg05118c9261c5d', fine => 'jga622f73d0d62e');
    my $ends = Jobgate::Pbs::Accounting->new($directory, 'jobgate')->ends([ map { { tag => $_, name => $name{$_}, made => 1795573000 } } keys %name ], 1795574500);
    is_deeply { map { $_ => told(end($ends->{$_})) } keys %$ends }, { deleted => 'CANCELLED', again => 'EXITED 4', fine => 'EXITED 0' }, 'the last record of each';
};

subtest 'queues and nodes' => sub {
    my $queues = Jobgate::Pbs::Queues::of(Jobgate::Pbs::Queues::read_queues(sample('qstat-Q-f.txt')), Jobgate::Pbs::Queues::read_nodes(sample('pbsnodes-a.txt')),
        Jobgate::Pbs::Queues::read_default(sample('qstat-B-f.txt')));
    my %is = map { $_->{name} => $_ } @$queues;
    is_deeply { map { $_ => $is{$_}{state} } keys %is },
        { (map { $_ => 'open' } qw(workq long short tiny route acl lim)), stopped => 'stopped', closed => 'closed' }, 'their states';
    is_deeply [ $is{short}{max_wall_seconds}, $is{tiny}{max_processors}, @{ $is{workq} }{qw(default processors free memory_mib running)} ], [ 300, 2, 1, 32, 31, 16384, 1 ], 'their limits';
};

done_testing;
