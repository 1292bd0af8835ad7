#!/usr/bin/perl
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# What polled adapters have in common, with a toy LRM.

use strict;
use warnings;

use FindBin ();
use Test::More;
use lib "$FindBin::RealBin/lib";
use ToyRoom ();

subtest 'a job goes in, runs and ends' => sub {
    my $room = ToyRoom->new;
    my $begin = Time::HiRes::time();
    my $tag   = $room->submit('sleep 1; n=0; until test -e go || test $n -ge 6000; do n=$((n + 1)); sleep 0.1; done; exit 3');
    ok $room->watch(60, sub { $room->is($tag) =~ /started/ }), 'it runs';
    $room->put("$room->{directory}/work/go", '');
    my $end = $room->end($tag);
    is_deeply [ @$end{qw(is cause exit)} ], [ 'ended', 'EXITED', 3 ], 'the end';
    is $room->is($tag), 'queued started ended', 'in order';
    ok $end->{wall} >= 1000 && $end->{wall} <= 1000 * (Time::HiRes::time() - $begin) + 1, 'how long it ran';
    is $room->end($room->submit('kill -TERM $$'))->{signal}, 15, 'a signal';
    is $room->end($room->submit('', executable => '/no/such'))->{fault}, 'EXECUTABLE_NOT_FOUND', 'no program';
    is $room->adapter->live, 0, 'none lives';
    is $room->adapter->interval, undef, 'nothing is asked when none lives';
};

subtest 'a job that runs and ends between two looks is told to have started' => sub {
    my $poll = ToyRoom->new->adapter->_poll;
    my $told = sub {
        my ($was, $at, $began) = @_;
        my %row = (tag => ToyRoom::tag(), id => 7, is => 'ended', cause => 'EXITED', exit => 0, at => 9000, began => $began);
        return join ' ', map { "$_->{is} $_->{at}" } $poll->_ended(\%row, { is => $was, at => $at, ids => [7], note => '' });
    };
    is $told->(queued => 1000, 5000), 'started 5000 ended 9000', 'one that waited';
    is $told->(suspended => 1000, 5000), 'started 5000 ended 9000', 'one that was held, and was let go after that';
    is $told->(suspended => 6000, 5000), 'ended 9000', 'one that was suspended while it ran began before';
    is $told->(queued => 1000, 0), 'ended 9000', 'one that never began';
};

subtest 'many processes are one job' => sub {
    my $room = ToyRoom->new;
    my $tag  = $room->submit('echo x; mkdir one 2>/dev/null || exit 0; exit 9', count => 3, stdout => 'out');
    is $room->end($tag)->{exit}, 9, 'the first that is not 0';
    open my $file, '<', "$room->{directory}/work/out" or die $!;
    is join('', <$file>), "x\nx\nx\n", 'all ran';
};

subtest 'the wall-time limit is kept to the second' => sub {
    my $room = ToyRoom->new;
    is $room->end($room->submit('sleep 60 & wait', max_wall_time => 1))->{cause}, 'WALL_TIME', 'a job that heeds SIGTERM';
};

subtest 'a cancelled job is cancelled, one that is over or unknown is not touched' => sub {
    my $room = ToyRoom->new;
    my $tag  = $room->submit('sleep 60');
    $room->watch(60, sub { $room->is($tag) =~ /started/ });
    my $other = ToyRoom::tag();
    $room->break_command(tstat => 0, "end\n");
    like $room->adapter->cancel([ { tag => $tag, ids => [] } ])->[0]{unclear}, qr/does not show/, 'one that is not shown was not reached';
    $room->mend;
    is_deeply $room->adapter->cancel([ { tag => $tag, ids => [] }, { tag => $other, ids => ['1'] } ]), [ 'ending', 'not_there' ], 'answers';
    is $room->end($tag)->{cause}, 'CANCELLED', 'the end';
};

# The interval is longer than any of this takes on a slow machine, where a listing waits for its share of the time.
subtest 'the end of a job is seen before the interval is over' => sub {
    my $room  = ToyRoom->new(poll_interval => 3600, poll_soonest => 0.2);
    my $tag   = $room->submit('n=0; until test -e go || test $n -ge 6000; do n=$((n + 1)); sleep 0.1; done; exit 4');
    ok $room->watch(300, sub { $room->is($tag) =~ /started/ }), 'and its beginning';
    $room->put("$room->{directory}/work/go", '');
    ok $room->watch(300, sub { $room->is($tag) =~ /ended/ }), 'the end';
    is $room->end($tag)->{exit}, 4, 'as it was';
    my $quiet = $room->submit('sleep 300');
    my $poll  = $room->adapter->_poll;
    my $rests = sub { !$poll->{running} && $poll->{began} >= $poll->{stirred} + Jobgate::Poll::SETTLE() };
    ok $room->watch(300, sub { $room->is($quiet) =~ /started/ && $rests->() }), 'all is seen';
    my $asked = $poll->{polled_at};
    $room->watch(3);
    is $poll->{polled_at}, $asked, 'where nothing happens nothing is asked';
    $room->adapter->cancel([ { tag => $quiet, ids => [] } ]);
    ok $room->watch(300, sub { $room->is($quiet) =~ /ended/ }), 'a cancel is seen soon too';
};

subtest 'a change waits for its turn, not for the interval' => sub {
    my $room = ToyRoom->new(poll_interval => 3600, poll_soonest => 0);
    my $poll = $room->adapter->_poll;
    my $now  = Time::HiRes::time();
    @$poll{qw(due soonest began looked)} = ($now + 3600, $now + 3, $now, '');
    ok !$poll->_is_due, 'the last listing was slow: it has to wait';
    my $stirred = $poll->{stirred};
    $now = Time::HiRes::time();
    @$poll{qw(stirred unseen soonest)} = ($now - 60, $now - 60, $now - 1);
    $poll->{began} = $now - 61;
    ok $poll->_is_due, 'a minute later it is not forgotten';
    @$poll{qw(began unseen)} = ($now - 60 + Jobgate::Poll::SETTLE(), undef);
    ok !$poll->_is_due, 'once a listing began after the LRM knew it, it is done';
    @$poll{qw(stirred unseen)} = ($now, $now - 1);
    ok $poll->_is_due, 'changes that go on do not put it off';
};

subtest 'a submission whose answer was lost is found, and made once' => sub {
    my $room = ToyRoom->new;
    $room->put($room->toy('lose-answers'), '');
    my $request = $room->request('echo ran >> ran; sleep 1');
    ok $room->adapter->submit([$request])->[0]{unclear}, 'unclear';
    unlink $room->toy('lose-answers');
    is_deeply $room->adapter->submit([$request]), [ { ids => ['1'] } ], 'found';
    is $room->end($request->{tag})->{exit}, 0, 'its end';
    is_deeply $room->adapter->submit([ { %$request, may_exist => 1 } ]), [ { ids => ['1'] } ], 'found when it is over';
    is $room->adapter->lookup([ $request->{tag}, ToyRoom::tag() ])->[0]{is}, 'ended', 'looked up';
    is scalar(() = glob $room->toy('*.id')), 1, 'one job of the LRM';
};

subtest 'a job of which nobody has heard is watched once it is found' => sub {
    for my $asked (qw(lookup cancel)) {
        my $room = ToyRoom->new;
        $room->put($room->toy('lose-answers'), '');
        my $request = $room->request('n=0; until test -e go || test $n -ge 6000; do n=$((n + 1)); sleep 0.1; done; exit 3');
        my $tag = $request->{tag};
        ok $room->adapter->submit([$request])->[0]{unclear}, 'its submission was not answered';
        unlink $room->toy('lose-answers');
        $asked eq 'lookup' ? $room->adapter->lookup([$tag]) : $room->adapter->cancel([ { tag => $tag, ids => [] } ]);
        $room->put("$room->{directory}/work/go", '') if $asked eq 'lookup';
        is $room->end($tag)->{cause}, $asked eq 'lookup' ? 'EXITED' : 'CANCELLED', "its end is told ($asked)";
        like $room->is($tag), qr/\Aqueued /, 'and its beginning first';
    }
    my $room = ToyRoom->new;
    my $tag = $room->submit('sleep 300');
    ok $room->watch(60, sub { $room->is($tag) =~ /started/ }), 'one that runs';
    $room->adapter->disown([$tag]);
    $room->adapter->lookup([$tag]);
    is $room->adapter->live, 0, 'and was disowned is not taken up again';
    $room->adapter->cancel([ { tag => $tag, ids => [] } ]);
};

subtest 'what the records do not answer of one job is no reason for another to wait' => sub {
    my $room = ToyRoom->new(record_grace => 1000);
    $room->put($room->toy('lose-answers'), '');
    my $doubtful = $room->request('exit 3');
    $room->adapter->submit([$doubtful]);
    unlink $room->toy('lose-answers');
    select undef, undef, undef, 0.1 until -e $room->toy('accounting');
    $room->break_command(tacct => 1, 'the database is away');
    my $new = $room->request('sleep 60');
    my $answers = $room->adapter->submit([ $doubtful, $new ]);
    like $answers->[0]{unclear}, qr/tacct failed/, 'the doubtful one waits';
    ok $answers->[0]{alone}, 'alone';
    ok $answers->[1]{ids}, 'the new one goes in';
    ok !eval { $room->adapter->lookup([ $doubtful->{tag} ]); 1 }, 'it is not said not to be there';
    my $cancelled = $room->adapter->cancel([ map { { tag => $_->{tag}, ids => [] } } $doubtful, $new ]);
    like $cancelled->[0]{unclear}, qr/tacct failed/, 'no cancel of the one';
    is $cancelled->[1], 'ending', 'but of the other';
    $room->mend;
    is $room->adapter->submit([$doubtful])->[0]{ids}[0], 1, 'found when the records answer';
};

subtest 'while the records do not answer, the listing is read as often as ever' => sub {
    my $room = ToyRoom->new(record_grace => 1000);
    my $over = $room->submit('exit 3');
    $room->break_command(tacct => 1, 'the database is away');
    ok $room->watch(60, sub { $room->adapter->trouble =~ /tacct failed/ }), 'it is told';
    my $poll = $room->adapter->_poll;
    ok $room->watch(60, sub { $poll->{record_failures} >= 4 }), 'again and again';
    cmp_ok $poll->{failures}, '==', 0, 'the listing answers';
    is scalar(grep { /is not known at present: tacct failed/ } @{ $room->{said} }), 1, 'said once';
    my $new = $room->submit('sleep 60');
    ok $room->watch(60, sub { $room->is($new) =~ /started/ }), 'other jobs are seen';
    is $room->is($over) =~ s/ started//r, 'queued', 'and nothing is concluded of the one';
    $room->mend;
    is $room->end($over)->{exit}, 3, 'until they answer';
    ok $room->watch(60, sub { $room->adapter->trouble eq '' }), 'then all is well';
    $room->adapter->cancel([ { tag => $new, ids => [] } ]);
};

subtest 'a job that the LRM took twice runs once' => sub {
    my $room = ToyRoom->new;
    my $request = $room->request('echo ran >> ran; sleep 1; exit 5');
    my $tag = $request->{tag};
    $room->put($room->toy('lose-answers'), '');
    $room->adapter->submit([$request]);
    unlink $room->toy('lose-answers');
    # as if the LRM had taken the first only after we had looked
    $room->break_command(tstat => 0, "end\n");
    $room->break_command(tacct => 0, '');
    unlink "$room->{directory}/spool/jobs/$tag.end";
    is_deeply $room->adapter->submit([$request]), [ { ids => ['2'] } ], 'the second';
    $room->mend;
    my $end = $room->end($tag);
    is_deeply [ @$end{qw(cause exit)}, @{ $end->{ids} } ], [ 'EXITED', 5, 1 ], 'the end is that of the one that ran';
    open my $file, '<', "$room->{directory}/work/ran" or die $!;
    is join('', <$file>), "ran\n", 'once';
};

subtest 'while many are submitted, what becomes of the first is seen and told, after that they are queued' => sub {
    my $room = ToyRoom->new(submit_at_once => 1);
    $room->put($room->toy('slow'), '0.5');
    my @requests = map { $room->request('exit 3') } 1 .. 12;
    my $is_submitting = 1;
    my @ended;
    $room->adapter->{meanwhile} = sub {
        push @{ $room->{seen} }, map { @{ $_->{events} } } $room->adapter->events;
        @ended = grep { $_->{is} eq 'ended' } @{ $room->{seen} } if $is_submitting;
    };
    my $answers = $room->adapter->submit(\@requests);
    $is_submitting = 0;
    is scalar(grep { $_->{ids} } @$answers), 12, 'all are taken';
    cmp_ok scalar @ended, '>=', 3, 'ends that were told before the last was taken';
    is $room->end($_->{tag})->{exit}, 3, 'its end' for @requests;
    like join(',', map { $room->is($_->{tag}) } @requests), qr/\A(?:queued(?: started)? ended,?){12}\z/, 'in order, and each once';
};

subtest 'a job that the watch saw before its submission was answered is queued once' => sub {
    my $room = ToyRoom->new;
    $room->submit('n=0; until test -e go || test $n -ge 6000; do n=$((n + 1)); sleep 0.1; done');
    # as where a submitting command is given up after the LRM has taken the job
    $room->put($room->toy($_), '2') for qw(lose-answers slow-answers);
    my $first = $room->request('n=0; until test -e go || test $n -ge 6000; do n=$((n + 1)); sleep 0.1; done; exit 6');
    $room->adapter->{meanwhile} = sub { push @{ $room->{seen} }, map { @{ $_->{events} } } $room->adapter->events };
    is_deeply $room->adapter->submit([$first]), [ { ids => ['2'] } ], 'answered by what was seen';
    like $room->is($first->{tag}), qr/\Aqueued/, 'which was told';
    $room->put("$room->{directory}/work/go", '');
    is $room->end($first->{tag})->{exit}, 6, 'its end';
    is $room->is($first->{tag}), 'queued started ended', 'queued first and once';
};

subtest 'what a worker knew its successor knows; what was told is not told again' => sub {
    my $room = ToyRoom->new;
    my $over = $room->submit('exit 4');
    $room->end($over);
    my $living = $room->submit('n=0; until test -e go || test $n -ge 6000; do n=$((n + 1)); sleep 0.1; done; exit 6');
    $room->watch(60, sub { $room->is($living) =~ /started/ });
    $room->{seen} = [];
    $room->restart($room->{checkpoint});
    $room->put("$room->{directory}/work/go", '');
    is $room->end($living)->{exit}, 6, 'goes on';
    is $room->is($over) . '/' . $room->is($living), '/ended', 'nothing twice';
    $room->{seen} = [];
    $room->restart(undef);
    $room->end($living);
    is $room->is($over), 'queued started ended', 'all, to one that knows nothing' if $room->is($over) =~ /started/;
    is $room->is($living), 'queued started ended', 'all, to one that knows nothing';
    $room->adapter->forget([ { tag => $over, ids => [] }, { tag => $living, ids => [] } ]);
    $room->{seen} = [];
    $room->restart(undef);
    $room->watch(0.5);
    is_deeply $room->{seen}, [], 'forgotten';
    is_deeply [ glob "$room->{directory}/spool/jobs/*" ], [], 'no file stays';
};

subtest 'empty, short, failed, garbled and foreign listings change nothing' => sub {
    my $room = ToyRoom->new(record_grace => 0);
    my $tag  = $room->submit('n=0; until test -e go || test $n -ge 6000; do n=$((n + 1)); sleep 0.1; done; exit 7');
    $room->watch(60, sub { $room->is($tag) =~ /started/ });
    my $foreign = ToyRoom::tag();
    for my $bad ([ 0, '' ], [ 0, "end\n" ], [ 1, '' ], [ 0, "1|x" ], [ 0, "\0\xffnonsense\nend\n" ], [ 0, "1|$foreign|R||1\nend\n" ], [ 0, "1|$tag|Z||1\nend\n" ], [ 3, "1|$tag|R||1\nend\n" ]) {
        $room->break_command(tstat => @$bad);
        $room->watch(0.3);
        $room->mend;
    }
    $room->break_command(tacct => 0, "1|$foreign|E0\nnonsense\n");
    $room->break_command(tstat => 0, "end\n");
    $room->watch(0.3);
    is $room->is($tag), 'queued started', 'nothing was told';
    $room->mend;
    $room->break_command(tstat => 1, 'LRM is away');
    ok $room->watch(60, sub { $room->adapter->trouble =~ /LRM is away/ }), 'trouble is told';
    $room->mend;
    $room->put("$room->{directory}/work/go", '');
    is $room->end($tag)->{exit}, 7, 'and it ends right';
    $room->submit('exit 0');
    ok $room->watch(60, sub { $room->adapter->trouble eq '' }), 'no trouble any more';
};

subtest 'a job in a state that is not known is there, in the state that is' => sub {
    my $room = ToyRoom->new;
    my ($known, $other) = ($room->submit('sleep 60'), $room->request('exit 0'));
    $room->watch(60, sub { $room->is($known) =~ /started/ });
    $room->break_command(tstat => 0, "1|$known|Z||1\n2|$other->{tag}|Z||1\nend\n");
    my %is = map { $_->{tag} => $_->{is} } @{ $room->adapter->lookup([ $known, $other->{tag}, ToyRoom::tag() ]) };
    is_deeply \%is, { $known => 'started', $other->{tag} => 'queued' }, 'looked up';
    is_deeply $room->adapter->submit([ { %$other, may_exist => 1 } ]), [ { ids => ['2'] } ], 'not submitted again';
    $room->mend;
    # on a busy machine a command may take too long, and the answer is that it is not clear: the gateway asks again
    my ($answer, $tries) = ('', 0);
    until ($answer eq 'ending' || $tries++ >= 5) { ($answer) = @{ $room->adapter->cancel([ { tag => $known, ids => [] } ]) } }
    is $answer, 'ending', 'it is being cancelled';
    is $room->end($known)->{cause}, 'CANCELLED', 'and is cancelled';
};

subtest 'a job that the LRM has forgotten is over by its own record' => sub {
    my $room = ToyRoom->new;
    $room->put($room->toy('forgetful'), '');
    is $room->end($room->submit('exit 8'))->{exit}, 8, 'exit code';
};

subtest 'of a job of which nobody knows anything its owner is told, after long, and it is ended at his word only' => sub {
    my $room = ToyRoom->new(unknown_after => 600, record_grace => 600);
    $room->put($room->toy('forgetful'), '');
    my ($tag, $back) = map { $room->submit('n=0; until test -e go || test $n -ge 6000; do n=$((n + 1)); sleep 0.1; done; exit 8') } 1 .. 2;
    my @jobs = ({ tag => $tag, ids => [] });
    my $notes = sub { join '|', map { $_->{note} // '-' } $room->seen($_[0]) };
    $room->watch(60, sub { $room->is($_) =~ /started/ or return 0 for $tag, $back; 1 });
    $room->break_command(tstat => 0, "end\n");
    $room->watch(1);
    is $notes->($tag), '-|-', 'nothing is said at once';
    like $room->adapter->cancel(\@jobs)->[0]{unclear}, qr/does not show/, 'and a cancel does not reach it';
    $room->break_command(tacct => 1, 'LRM is away');
    ok $room->watch(60, sub { $room->adapter->trouble =~ /tacct failed/ }), 'the LRM does not answer';
    $room->{settings}{unknown_after} = 1;
    $room->watch(2);
    is $notes->($tag), '-|-', 'nor while it does not';
    unlink $room->toy('tacct.fault.1');
    ok $room->watch(60, sub { $notes->($tag) =~ /unknown/ && $notes->($back) =~ /unknown/ }), 'then he is told';
    is $room->is($tag), 'queued started started', 'of a job that is as it was';
    like +($room->seen($tag))[-1]{note}, qr/\Aunknown: \w+ answers, but the job is in neither its queue nor its records/, 'why';
    $room->restart($room->{checkpoint});
    $room->watch(1);
    is $room->is($tag), 'queued started started', 'once, also after the death of the worker';
    is_deeply $room->adapter->cancel(\@jobs), ['not_there'], 'a cancel ends it';
    ok !$room->adapter->job_file($tag)->is_there, 'and what may be left of it cannot start';
    $room->mend;
    ok $room->watch(60, sub { ($room->seen($back))[-1]{is} eq 'started' && !defined +($room->seen($back))[-1]{note} }), 'one that is seen again is no longer unknown';
    $room->{settings}{record_grace} = 0;
    $room->put("$room->{directory}/work/go", '');
    is $room->end($back)->{exit}, 8, 'and ends right';
};

subtest 'a job that was cancelled before it ran, of which the LRM keeps nothing' => sub {
    my $room = ToyRoom->new(gone_after_cancel => 1);
    $room->put($room->toy('full'), '');
    my $tag = $room->submit('exit 8');
    is_deeply $room->adapter->cancel([ { tag => $tag, ids => [] } ]), ['ending'], 'cancelled';
    is $room->end($tag)->{cause}, 'CANCELLED', 'over';
};

subtest 'a job that begins while its LRM is asked to hold it is not said to be held' => sub {
    no warnings 'once';
    my $room = ToyRoom->new(record_grace => 1000);
    $room->put($room->toy('full'), '');
    my $tag = $room->submit('sleep 300');
    my @then;
    local *ToyRoom::Adapter::capabilities = sub { return { suspends => [qw(pending active)] } };
    local *ToyRoom::Adapter::suspend_rows = sub { $room->break_command(tstat => @then); return };
    my $hold = sub { @then = @_; my ($answer) = @{ $room->adapter->hold([ { tag => $tag, ids => [] } ]) }; $room->mend; return $answer };
    is $hold->(0, "1|$tag|H||1\nend\n"), 'done', 'it is held';
    is $hold->(0, "1|$tag|Q||1\nend\n"), 'done', 'the LRM has taken the order, and its listing is late';
    my @let_go;
    local *ToyRoom::Adapter::resume_rows = sub { my ($self, $rows) = @_; push @let_go, map { "$_->{tag} $_->{held}" } @$rows; return };
    is $hold->(0, "1|$tag|R||1\nend\n")->{refused}{fault}, 'WRONG_STATE', 'it has begun';
    is_deeply \@let_go, ["$tag 1"], 'and the LRM keeps no hold for its next start';
    like $hold->(1, 'the LRM is away')->{unclear}, qr/not clear: .*the LRM is away/, 'the second look fails';
    is scalar @let_go, 1, 'what is not clear is left as it is';
    ok $hold->(0, "end\n")->{unclear}, 'and shows nothing of it';
    ok $hold->(0, "1|$tag|Z||1\nend\n")->{unclear}, 'and shows a state that nobody knows';
    $room->adapter->cancel([ { tag => $tag, ids => [] } ]);
};

subtest 'two LRMs that shared a spool: each goes on with its own jobs in a spool of its own' => sub {
    my ($one, $two) = map { ToyRoom->new } 1, 2;
    my $shared = "$one->{directory}/spool";
    @{ $two->{settings} }{qw(spool lrm_name)} = ($shared, 'two');
    $one->{settings}{lrm_name} = 'one';
    $_->restart for $one, $two;
    my $first  = $one->submit('n=0; until test -e go || test $n -ge 6000; do n=$((n + 1)); sleep 0.1; done; exit 3');
    my $second = $two->submit('n=0; until test -e go || test $n -ge 6000; do n=$((n + 1)); sleep 0.1; done; exit 4', count => 2);
    ok $one->watch(60, sub { $one->is($first) =~ /started/ }) && $two->watch(60, sub { $two->is($second) =~ /started/ }), 'both run';
    $_->adapter->disown([ $_ == $one ? $second : $first ]) for $one, $two;
    is_deeply [ map { $_->adapter->live } $one, $two ], [ 1, 1 ], 'what one disowns, the other goes on watching';
    @{ $two->{settings} }{qw(spool former_spool)} = ("$two->{directory}/own", $shared);
    $two->restart($two->{checkpoint});
    my @mine = $two->adapter->lookup([$second]);
    is $mine[0][0]{is}, 'started', 'the one that moved knows its job';
    my $late = $two->submit('exit 5');
    ok -e "$two->{directory}/own/jobs/$late.job", 'a new one is in its own spool';
    $_->adapter->disown([ $_ == $one ? $second : $first ]) for $one, $two;
    is_deeply [ map { [ sort keys %{ $_->adapter->_log->jobs } ] } $one, $two ], [ [$first], [ sort $second, $late ] ], 'each knows its own jobs only';
    ok -e "$shared/jobs/$first.job", 'the files of a job that is disowned stay';
    $_->put("$_->{directory}/work/go", '') for $one, $two;
    is $one->end($first)->{exit},  3, 'the first ends as it did';
    is $two->end($second)->{exit}, 4, 'and so does the one that began in the former spool';
    is $two->end($late)->{exit},   5, 'and the new one';
    $two->adapter->forget([ map { { tag => $_, ids => [] } } $second, $late ]);
    is join(' ', glob("$shared/jobs/$second*"), glob "$two->{directory}/own/jobs/*"), '', 'their files go';
    ok -e "$shared/jobs/$first.job", 'and no other';
};

subtest 'a job that was disowned is not taken up again from the listing' => sub {
    my $room = ToyRoom->new;
    my $tag  = $room->submit('sleep 300');
    ok $room->watch(60, sub { $room->is($tag) =~ /started/ }), 'it runs';
    $room->adapter->disown([$tag]);
    my $asked = $room->adapter->_poll->{polled_at};
    my $other = $room->submit('sleep 300');
    ok $room->watch(60, sub { $room->is($other) =~ /started/ && ($room->adapter->_poll->{polled_at} // 0) != $asked }), 'the listing is read again';
    is_deeply [ keys %{ $room->adapter->_log->jobs } ], [$other], 'and holds nothing of it for us';
    $room->adapter->cancel([ { tag => $_, ids => [] } ]) for $tag, $other;
};

done_testing;
