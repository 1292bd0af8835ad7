#!/usr/bin/perl
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# The log of what a polled adapter has seen.

use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin ();
use Test::More;
use lib "$FindBin::RealBin/../../main/perl/lib";
use Jobgate::WatchLog ();

my $TAG = '01a1fa37-2a75-7000-8000-00000000000';

sub event { my ($number, $is, %more) = @_; return { tag => "$TAG$number", ids => ['7'], is => $is, at => time * 1000, %more } }
sub told  { my ($log) = @_; my $batch = $log->next_batch(1000) or return ''; return join ' ', map { substr($_->{tag}, -1) . $_->{is} } @{ $batch->{events} } }

subtest 'events come back as they were, and go on behind the checkpoint' => sub {
    my $spool = tempdir(CLEANUP => 1);
    my $log   = Jobgate::WatchLog->new($spool);
    $log->go_on_from(undef);
    my $odd = "a;b%\n=\x01c,d";
    $log->add(event(1, 'queued', ids => [ 'a,b;c', 'd' ]), event(1, 'queued'), event(1, 'started'),
        event(1, 'ended', cause => 'NOT_STARTED', sentence => $odd, exit => 127), event(1, 'started'));
    my $batch = $log->next_batch(2);
    is_deeply $batch->{events}[0]{ids}, [ 'a,b;c', 'd' ], 'ids';
    ok $batch->{behind}, 'more is there';
    my $next = Jobgate::WatchLog->new($spool);
    $next->go_on_from($batch->{checkpoint});
    my $rest = $next->next_batch(10);
    is_deeply [ map { @$_{qw(is sentence exit)} } @{ $rest->{events} } ], [ 'ended', $odd, 127 ], 'the end, once, and nothing after it';
    $next->go_on_from('feed:3');
    is told($next), '1queued 1started 1ended', 'all, from a checkpoint of another log';
};

subtest 'what was forgotten is told again to a gateway that was restored' => sub {
    my $spool = tempdir(CLEANUP => 1);
    my $log   = Jobgate::WatchLog->new($spool);
    $log->go_on_from(undef);
    $log->add(event(1, 'queued'));
    my $checkpoint = $log->next_batch(10)->{checkpoint};
    $log->add(event(1, 'ended', cause => 'EXITED', exit => 3), event(2, 'queued'), event(2, 'ended', cause => 'EXITED', exit => 0));
    told($log);
    $log->forget(time, map { "$TAG$_" } 1, 2);
    my $next = Jobgate::WatchLog->new($spool);
    $next->go_on_from($checkpoint);
    is told($next), '', 'not to any other';
    $next->go_on_from($checkpoint, 1);
    is told($next), '1ended 2queued 2ended', 'from the checkpoint of the backup on';
    $next->forget(time, "${TAG}2");
    is $next->live, 0, 'none of them lives';
};

subtest 'what one LRM disowns is still known to another that had the same spool' => sub {
    my $spool = tempdir(CLEANUP => 1);
    my ($one, $two) = map { Jobgate::WatchLog->new($spool, undef, $_) } 'PBS one', 'two;x';
    $one->add(event(1, 'started'));
    $two->add(event(2, 'started'));
    $one->disown(time, "${TAG}2");
    $two->disown(time, "${TAG}1");
    is_deeply [ map { [ keys %{ $_->jobs } ] } $one, $two ], [ ["${TAG}1"], ["${TAG}2"] ], 'each knows its own job';
    is_deeply [ map { $_->live } $one, $two ], [ 1, 1 ], 'which lives, so that it is watched';
    my $moved = Jobgate::WatchLog->new(tempdir(CLEANUP => 1), $spool, 'two;x');
    is_deeply [ keys %{ $moved->jobs } ], ["${TAG}2"], 'also after it moved';
    my $again = Jobgate::WatchLog->new($spool, undef, 'PBS one');
    is_deeply [ keys %{ $again->jobs } ], ["${TAG}1"], 'and after a restart';
};

subtest 'a reason to wait is told again when it is another' => sub {
    my $log = Jobgate::WatchLog->new(tempdir(CLEANUP => 1));
    $log->add(event(1, 'queued'), event(1, 'queued', note => 'a'), event(1, 'queued', note => 'a'), event(1, 'queued', note => 'b'));
    is told($log), '1queued 1queued 1queued', 'three';
};

subtest 'two workers at once keep one log' => sub {
    my $spool = tempdir(CLEANUP => 1);
    my ($one, $two) = map { Jobgate::WatchLog->new($spool) } 1, 2;
    $_->go_on_from(undef) for $one, $two;
    $one->add(event(1, 'queued'));
    $two->add(event(1, 'queued'), event(2, 'queued'));
    $one->add(event(2, 'queued'), event(2, 'started'));
    is join(' ', sort keys %{ $two->jobs }), "${TAG}1 ${TAG}2", 'both are known';
    is $two->jobs->{"${TAG}2"}{is}, 'started', 'as the other has seen it';
    my $third = Jobgate::WatchLog->new($spool);
    $third->go_on_from(undef);
    is told($third), '1queued 2queued 2started', 'each event once';
};

subtest 'half a line of a writer that died harms no other' => sub {
    my $spool = tempdir(CLEANUP => 1);
    my $log   = Jobgate::WatchLog->new($spool);
    $log->add(event(1, 'queued'));
    open my $file, '>>', "$spool/watch.log" or die $!;
    print {$file} '001;1;7;2;0;is=started;tag=';
    close $file;
    my $next = Jobgate::WatchLog->new($spool);
    $next->go_on_from(undef);
    $next->add(event(1, 'started'));
    is told($next), '1queued 1started', 'the next line is whole';
    my $last = Jobgate::WatchLog->new($spool);
    $last->go_on_from(undef);
    is told($last), '1queued 1started', 'and is read again';
};

subtest 'forgotten jobs are gone, and a long log of them is written anew' => sub {
    my $spool = tempdir(CLEANUP => 1);
    my $log   = Jobgate::WatchLog->new($spool);
    $log->go_on_from(undef);
    my @tags = map { sprintf '01a1fa37-2a75-7000-8000-%012x', 100 + $_ } 1 .. 3000;
    $log->add(map { ({ %{ event(1, 'queued') }, tag => $_ }, { %{ event(1, 'ended', cause => 'EXITED', exit => 0, output => 'x' x 300) }, tag => $_ }) } @tags);
    my $checkpoint;
    while (my $batch = $log->next_batch(500)) { $checkpoint = $batch->{checkpoint} }
    my $other = Jobgate::WatchLog->new($spool);
    $other->go_on_from($checkpoint);
    my $before = -s "$spool/watch.log";
    $log->forget(time, @tags[ 0 .. 2900 ]);
    ok -s "$spool/watch.log" < $before / 10, 'short';
    is scalar keys %{ $log->jobs }, 99, 'the others are kept';
    $other->add(event(2, 'queued'));
    is told($other), '2queued', 'another worker goes on with the new file, and tells nothing twice';
    my $next = Jobgate::WatchLog->new($spool);
    $next->go_on_from($checkpoint);
    is told($next), '2queued', 'the checkpoint is good still';
};

subtest 'a log that is written anew still has what one LRM has disowned, which may be another one\'s' => sub {
    my $spool = tempdir(CLEANUP => 1);
    my ($one, $two) = map { Jobgate::WatchLog->new($spool, undef, $_) } 'one', 'two';
    my @tags = map { sprintf '01a1fa37-2a75-7000-8000-%012x', 100 + $_ } 1 .. 3000;
    $two->add(event(2, 'queued'), event(2, 'started'));
    $two->cancelled(time, "${TAG}2");
    $one->disown(time, "${TAG}2");
    $one->add(map { ({ %{ event(1, 'queued') }, tag => $_ }, { %{ event(1, 'ended', cause => 'EXITED', exit => 0, output => 'x' x 300) }, tag => $_ }) } @tags);
    my $before = -s "$spool/watch.log";
    $one->forget(time, @tags);
    ok -s "$spool/watch.log" < $before / 10, 'short';
    is_deeply [ keys %{ $one->jobs } ], [], 'the one does not know it';
    is $two->jobs->{"${TAG}2"}{is}, 'started', 'the other knows its job';
    ok $two->jobs->{"${TAG}2"}{cancelled}, 'and that its end was asked for';
    is_deeply [ keys %{ Jobgate::WatchLog->new($spool, undef, 'one')->jobs } ], [], 'after a restart, too';
    my $moved = Jobgate::WatchLog->new(tempdir(CLEANUP => 1), $spool, 'two');
    is_deeply [ keys %{ $moved->jobs } ], ["${TAG}2"], 'a log that begins as a copy of it knows it';

    # when the other has forgotten it, nothing of it comes back
    $two->forget(time, "${TAG}2");
    $one->add(map { ({ %{ event(1, 'queued') }, tag => $_ }, { %{ event(1, 'ended', cause => 'EXITED', exit => 0, output => 'x' x 300) }, tag => $_ }) } @tags);
    $one->forget(time, @tags);
    ok -s "$spool/watch.log" < $before / 10, 'short again';
    is_deeply [ keys %{ Jobgate::WatchLog->new($spool, undef, 'two')->jobs } ], [], 'what is forgotten stays so';
};

subtest 'a full disk loses nothing that was there' => sub {
    my $spool = tempdir(CLEANUP => 1);
    my $log   = Jobgate::WatchLog->new($spool);
    $log->add(event(1, 'queued'));
    {
        no warnings 'redefine';
        local *Jobgate::WatchLog::_append = sub { my ($self) = @_; $self->{inode} = 0; die "cannot write: No space left on device\n" };
        is eval { $log->add(event(1, 'started')); 1 }, undef, 'it is said';
    }
    $log->add(event(1, 'started'));
    my $next = Jobgate::WatchLog->new($spool);
    $next->go_on_from(undef);
    is told($next), '1queued 1started', 'as if it had not been tried';
};

subtest 'a log in a new spool begins with what the former one knew' => sub {
    my ($former, $spool) = map { tempdir(CLEANUP => 1) } 1, 2;
    my $old = Jobgate::WatchLog->new($former);
    $old->go_on_from(undef);
    $old->add(event(1, 'queued'), event(2, 'queued'));
    my $checkpoint = $old->next_batch(1)->{checkpoint};
    open my $half, '>', "$spool/watch.log.new" or die $!;
    print {$half} "half of it, from a worker that died\n";
    close $half;
    my $log = Jobgate::WatchLog->new($spool, $former);
    $log->go_on_from($checkpoint);
    is told($log), '2queued', 'its checkpoints hold';
    ok !-e "$spool/watch.log.new", 'what a worker left that died is no more';
    $old->add(event(3, 'queued'));
    $log->add(event(2, 'started'));
    is join(' ', map { substr $_, -1 } sort keys %{ Jobgate::WatchLog->new($spool, $former)->jobs }), '1 2', 'once: what comes into the former one later is not ours';
    is $old->jobs->{"${TAG}2"}{is}, 'queued', 'and what comes into ours is not in the former one';
    is join(' ', sort keys %{ Jobgate::WatchLog->new(tempdir(CLEANUP => 1), tempdir(CLEANUP => 1))->jobs }), '', 'there need not be a former one';
};

subtest 'a link in the place of the former log is not followed' => sub {
    my ($former, $spool) = map { tempdir(CLEANUP => 1) } 1, 2;
    symlink '/etc/passwd', "$former/watch.log" or die $!;
    ok !eval { Jobgate::WatchLog->new($spool, $former)->jobs; 1 }, 'it is refused';
    like $@, qr{\Q$former/watch.log\E}, 'by name';
};

done_testing;
