# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# The adapter for modules that sites have for GRAM: with a module of the tests' own, and Debian's where JOBGATE_GRAM_MODULES names the directory in
# which their packages were unpacked (scripts/gram-modules).

use strict;
use warnings;

use FindBin ();
use lib "$FindBin::RealBin/lib";
use Test::More;
use ToyRoom ();
use Jobgate::Adapter::Legacy ();

my $TESTS = "$FindBin::RealBin/../../test/perl";    # ToyRoom has moved it

sub room {
    my ($module, $modules, %settings) = @_;
    my $room = ToyRoom->new(module => $module, modules => $modules, record_grace => 1, %settings);
    mkdir "$room->{directory}/etc" and mkdir "$room->{directory}/etc/globus" or die $!;
    $room->{settings}{sysconfdir} //= "$room->{directory}/etc";
    $room->{settings}{environment} = "TOY_DIRECTORY=$room->{directory}/toy";
    $room->put("$room->{directory}/etc/globus/globus-toy.conf", "# where\nbin=\"$room->{directory}/bin\"\n");
    anew($room);
    return $room;
}

# As after the death of the worker.
sub anew {
    my ($room) = @_;
    delete $room->{adapter};
    $room->{adapter} = Jobgate::Adapter::Legacy->new(settings => $room->{settings}, log => sub { push @{ $room->{said} }, $_[0] });
    $room->{adapter}->follow($room->{checkpoint});
    return;
}

sub content { my ($path) = @_; open my $file, '<:raw', $path or return "no $path"; local $/; return scalar <$file> }

my @ODD = ('a b', q{"twice" 'once'}, '$HOME $(id) `id`', "two\nlines", '', '\\', ';&|<>#', '%41=,:');

# What holds for every module.
sub keeps_its_word {
    my ($room) = @_;
    my $work = "$room->{directory}/work";
    my $tag  = $room->submit('exit 3');
    my $end  = $room->end($tag);
    is_deeply [ @$end{qw(cause exit)} ], [ 'EXITED', 3 ], 'tells the exit code' or diag explain [ $end, $room->adapter->trouble, $room->{said} ];
    is $room->is($tag), 'queued started ended', 'in order';
    $tag = $room->submit('', executable => $^X, arguments => [ '-e', 'print join qq(\\0), @ARGV', '--', @ODD ], stdout => 'said', environment => [ [ X => '1' ] ]);
    is $room->end($tag)->{exit}, 0, 'a job with odd arguments';
    is content("$work/said"), join("\0", @ODD), 'gives the arguments byte for byte';
    $tag = $room->submit('echo one', count => 3, stdout => 'three');
    is $room->end($tag)->{exit}, 0, 'a job of three processes';
    is content("$work/three"), "one\n" x 3, 'of which each runs';
    $tag = $room->submit('echo begun > begun; exec sleep 60');
    ok $room->watch(60, sub { -e "$work/begun" && $room->is($tag) =~ /started/ }), 'runs' or diag $room->is($tag), $room->adapter->trouble;
    is_deeply $room->adapter->cancel([ { tag => $tag, ids => [] } ]), ['ending'], 'and is cancelled';
    is $room->end($tag)->{cause}, 'CANCELLED', 'which is its end';
    $tag = $room->submit('sleep 2; exit 6');
    anew($room);
    is $room->end($tag)->{exit}, 6, 'is told by the next worker too';
    my $events = $room->adapter->lookup([$tag]);
    is $events->[0]{exit}, 6, 'is found by its tag';
    return;
}

subtest 'a module of a site' => sub {
    my $room = room('toy', "$TESTS/gram");
    keeps_its_word($room);
    my ($answer) = @{ $room->adapter->submit([ $room->request('true', queue => 'none') ]) };
    like $answer->{refused}{sentence}, qr/INVALID_QUEUE \(GRAM error 37\)/, 'its error is told';
    for my $queue ("x\nrm -rf", '$(id)', 'a;b', '#x', '"') {
        my ($no) = @{ $room->adapter->submit([ $room->request('true', queue => $queue) ]) };
        is $no->{refused}{attribute}, 'queue', 'a queue that is none does not reach it';
    }
    is_deeply $room->adapter->cancel([ { tag => ToyRoom::tag(), ids => ['1'] } ]), ['not_there'], 'a job of others is not cancelled';
};

subtest 'the answer of a submission is lost' => sub {
    my $room = room('toy', "$TESTS/gram", resubmit_after => 600);
    $room->put($room->toy('full'), '');
    $room->put($room->toy('lose-answers'), '');
    my $request = $room->request('echo ran >> ran');
    my ($answer) = @{ $room->adapter->submit([$request]) };
    like $answer->{unclear}, qr/Connection timed out/, 'it is not clear whether the LRM has the job';
    unlink $room->toy('lose-answers');
    ($answer) = @{ $room->adapter->submit([ { %$request, may_exist => 1 } ]) };
    like $answer->{unclear}, qr/no clear answer/, 'it is not submitted again at once';
    ok !eval { $room->adapter->lookup([ $request->{tag} ]); 1 }, 'and not known not to be there';
    $room->{settings}{resubmit_after} = 1;
    sleep 2;
    ($answer) = @{ $room->adapter->submit([ { %$request, may_exist => 1 } ]) };
    is_deeply $answer->{ids}, [2], 'it is after a while';
    unlink $room->toy('full');
    is $room->end($request->{tag})->{exit}, 0, 'it runs';
    $room->watch(1.5);
    is content("$room->{directory}/work/ran"), "ran\n", 'once, though the LRM has it twice';
};

subtest 'a module that cannot be loaded' => sub {
    my $room = room('nowhere', "$TESTS/gram");
    my $request = $room->request('true');
    my ($answer) = @{ $room->adapter->submit([$request]) };
    like $answer->{unclear}, qr/the module nowhere: Can't locate/, 'is named, and the job waits';
};

my $packages = $ENV{JOBGATE_GRAM_MODULES} // '';
subtest 'Debian\'s fork' => sub {
    plan skip_all => 'SKIPPED: JOBGATE_GRAM_MODULES names no directory with Debian\'s modules; see scripts/gram-modules' unless -d "$packages/fork";
    keeps_its_word(room('fork', "$packages/fork/usr/share/perl5", sysconfdir => "$packages/fork/etc", call_seconds => 45));
};

subtest 'Debian\'s lsf' => sub {
    plan skip_all => 'SKIPPED: JOBGATE_GRAM_MODULES names no directory with Debian\'s modules; see scripts/gram-modules' unless -d "$packages/lsf";
    my $room = room('lsf', "$packages/lsf/usr/share/perl5", sysconfdir => "$packages/lsf/etc");
    like $room->adapter->submit([ $room->request('true') ])->[0]{unclear}, qr/open3: exec of  failed/,
        'loads, and finds no bsub wherever it is: see docs/operate/legacy-adapters.md';
};

done_testing;
