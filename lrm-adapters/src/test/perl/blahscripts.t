#!/usr/bin/perl
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# The adapter for the scripts of HTCondor's blahp, with scripts of ours in their place that run jobs as processes of this machine.

use strict;
use warnings;

use File::Temp ();
use FindBin ();
use Test::More;
use Time::HiRes ();
use lib "$FindBin::RealBin/lib";

use ToyRoom ();
use Jobgate::Adapter::Blah   ();
use Jobgate::Blah::Questions ();
use Jobgate::JobFile         ();
use Jobgate::Wire            ();

my $room = File::Temp->newdir('jobgate-blahscripts-XXXXXX', TMPDIR => 1);
mkdir "$room/$_" or die $! for qw(bin jobs work);

sub put { my ($name, $text, $mode) = @_; open my $file, '>', "$room/$name" or die $!; print {$file} $text; close $file; chmod $mode // 0644, "$room/$name"; return }
sub slurp { my ($name) = @_; open my $file, '<', "$room/$name" or return ''; local $/; return scalar <$file> }

# a batch system has no lock of ours; "fault" in its place says what a submission does instead; a job is a process, its number its id
put('bin/toy_submit.sh', <<"END", 0755);
#!/bin/bash
printf '[%s]' "\$@" >>$room/submitted; echo >>$room/submitted
[ -e $room/fault ] && . $room/fault
while [ "\$1" != -- ]; do shift; done; shift
if [ -e $room/wait ]; then
    # it waits: what is to run is kept, and a process that only sleeps has its id
    setsid $^X -MPOSIX -e 'POSIX::close(\$_) for 3 .. 50; exec \@ARGV' sleep 300 </dev/null >/dev/null 2>&1 &
    printf '%s\n' "\$@" >$room/jobs/\$!.words
    printf '0[BatchJobId="%s";JobStatus=1;]\n' \$! >$room/says.\$!
else
    setsid $^X -MPOSIX -e 'POSIX::close(\$_) for 3 .. 50; exec \@ARGV' $^X "\$@" </dev/null >/dev/null 2>&1 &
fi
echo \$! >$room/jobs/\$!
[ -e $room/mute ] && exit 1
echo "some words before"
echo "BLAHP_JOBID_PREFIXtoy/20261126/\$!"
END
put('bin/toy_status.sh', <<"END", 0755);
#!/bin/bash
echo "\$#" >>$room/asked
[ -e $room/one ] && [ \$# -gt 1 ] && { echo "1Usage: one job"; exit 1; }
for job; do
    id=\${job##*/}
    if [ -e $room/says.\$id ]; then cat $room/says.\$id
    elif kill -0 \$id 2>/dev/null; then printf '0[BatchJobId="%s";\\nJobStatus=2;\\n]\\n\\n' \$id
    else echo "0[BatchJobId=\\"\$id\\";JobStatus=4;ExitCode=0;]"; fi
done
END
put('bin/toy_cancel.sh', <<"END", 0755);
#!/bin/bash
echo "\$@" >>$room/cancelled
kill -TERM \${1##*/} && echo ' 0 No\\ error' || echo ' 1 Error'
END

put('start', <<"END", 0755);
#!/bin/bash
mapfile -t words <$room/jobs/\$1.words
rm -f $room/says.\$1
setsid $^X "\${words[@]}" </dev/null >/dev/null 2>&1 &
END
# like Slurm's: it does not say in its status that a job is held
put('bin/toy_hold.sh', <<"END", 0755);
#!/bin/bash
echo "hold \$@" >>$room/held
[ -e $room/fault ] && . $room/fault
echo ' 0 No\ error'
END
put('bin/toy_resume.sh', <<"END", 0755);
#!/bin/bash
echo "resume \$@" >>$room/held
[ -e $room/jobs/\${1##*/}.words ] && $room/start \${1##*/}
echo ' 0 No\ error'
END

my $count = 0;

sub adapter {
    my (%settings) = @_;
    my $spool = "$room/spool" . ++$count;
    my $adapter = Jobgate::Adapter::Blah->new(log => sub { }, settings => { spool => $spool, lrms => 'toy', blah_libexec => "$room/bin", poll_interval => 0.1,
        poll_soonest => 0.1, record_seconds => 1, gone_after_cancel => 1, %settings });
    $adapter->follow(undef);
    return $adapter;
}

sub request { my ($script, %more) = @_; return { tag => ToyRoom::tag(), description => Jobgate::Wire::encode({ executable => '/bin/sh', arguments => [ '-c', $script ], directory => "$room/work", count => 1, %more }), } }

my %seen;

sub watch {
    my ($adapter, $seconds, $code) = @_;
    my $until = Time::HiRes::time() + $seconds;
    while (Time::HiRes::time() < $until) {
        for my $batch ($adapter->events) { push @{ $seen{ $_->{tag} } }, $_ for @{ $batch->{events} } }
        return 1 if $code->();
        Time::HiRes::sleep(0.05);
    }
    return 0;
}

sub end_of { my ($adapter, $tag) = @_; watch($adapter, 60, sub { grep { $_->{is} eq 'ended' } @{ $seen{$tag} } }); return ($seen{$tag} // [])->[-1] // {} }
sub submit { my ($adapter, $request) = @_; return $adapter->submit([$request])->[0] }

subtest 'what scripts say' => sub {
    my @answers = Jobgate::Blah::Questions::answers("0[BatchJobId=\"1\";\nJobStatus=2;\n]\n\n1ERROR no such\njob\n0[a=1]\n");
    is_deeply \@answers, [ '0[BatchJobId="1"; JobStatus=2; ]', '1ERROR no such job', '0[a=1]' ], 'answers over several lines';
    is_deeply Jobgate::Blah::Questions::ad($answers[0]), { batchjobid => '1', jobstatus => 2 }, 'a ClassAd';
    is Jobgate::Blah::Questions::ad($answers[1]), undef, 'none';
    is Jobgate::Blah::Questions::ad('0[ a = "x ]'), undef, 'one that is broken';
    my %said = Jobgate::Blah::Questions::ask("$room/bin/toy_status.sh", 2, map { "toy/1/$_" } 999_998, 999_999, 999_997);
    is scalar(keys %said), 3, 'three jobs';
    is slurp('asked'), "3\n", 'in one call';
    put('one', '');
    %said = Jobgate::Blah::Questions::ask("$room/bin/toy_status.sh", 2, map { "toy/1/$_" } 999_998, 999_999);
    is scalar(keys %said), 2, 'of a script that takes one only, too';
    is slurp('asked'), "3\n2\n1\n1\n", 'in a call for each';
    unlink "$room/one";
};

subtest 'a job' => sub {
    my $adapter = adapter();
    my $request = request('echo said; exit 7', stdout => "$room/work/out", queue => 'short', max_wall_time => 61, resources => { slots => 2, memory => 60 });
    my $answer  = submit($adapter, $request);
    like $answer->{ids}[0], qr{\Atoy/20261126/\d+\z}, 'has the id that the script gave';
    is_deeply submit($adapter, { %$request, may_exist => 1 })->{ids}, $answer->{ids}, 'and is submitted once';
    my $end = end_of($adapter, $request->{tag});
    is "$end->{cause} $end->{exit}", 'EXITED 7', 'its end';
    is_deeply [ map { $_->{is} } @{ $seen{ $request->{tag} } } ], [qw(queued started ended)], 'what was told';
    is slurp('work/out'), "said\n", 'its output';
    like slurp('submitted'), qr/\[-h\]\[1\]\[-m\]\[60\]\[-n\]\[2\]\[-q\]\[short\]\[-t\]\[180\]\[--\]/, 'what was asked of the script';
    for my $bad (';id', 'a b', '$(id)', '-x', "a\nb") {
        is +(submit($adapter, request('true', queue => $bad))->{refused} // {})->{fault}, 'INVALID_DESCRIPTION', "no script is given the queue '$bad'";
    }
    is +(submit($adapter, request('true', resources => { node_features => ['fast'] }))->{refused} // {})->{attribute}, 'node_features', 'what the scripts cannot give is refused';
};

subtest 'several processes' => sub {
    for my $case ([ 'all', 3, qr/\[-h\]\[1\]\[-n\]\[3\]\[--\]/ ], [ 'one', 3, qr/temp\]\[-D\]\[[^]]*\]\[--\]/ ]) {
        my ($how, $processes, $words) = @$case;
        unlink "$room/submitted", "$room/work/several";
        my $adapter = adapter(processors => $how);
        my $request = request('echo one', stdout => "$room/work/several", count => $processes, job_type => 'MULTIPLE');
        submit($adapter, $request);
        is +(end_of($adapter, $request->{tag})->{exit} // 'none'), 0, "they end ($how)";
        is slurp('work/several'), "one\n" x $processes, 'all have run';
        like slurp('submitted'), $words, 'the processors that are asked for';
    }
};

subtest 'a script that fails' => sub {
    my $adapter = adapter();
    put('fault', 'echo "sbatch: error: invalid partition specified: nowhere" >&2; echo Error; exit 1');
    is +(submit($adapter, request('true'))->{refused} // {})->{fault}, 'LRM_REFUSED', 'a refusal';
    put('fault', 'echo "sbatch: error: Unable to contact slurm controller (connect failure)" >&2; exit 1');
    like submit($adapter, request('true'))->{unclear}, qr/Unable to contact/, 'an LRM that is down';
    put('fault', 'echo "BLAHP_JOBID_PREFIXtoy/1/\$(id);"; exit 0');
    like submit($adapter, request('true'))->{unclear}, qr/toy_submit.sh/, 'an id that is none';
    unlink "$room/fault";
};

subtest 'an answer that is lost' => sub {
    my $adapter = adapter();
    put('mute', '');
    my $request = request("echo ran >>$room/work/ran; sleep 1; exit 3");
    ok submit($adapter, $request)->{unclear}, 'is unclear';
    unlink "$room/mute";
    my $answer = submit($adapter, { %$request, may_exist => 1 });
    ok $answer->{ids}, 'then it is taken';
    my $end = end_of($adapter, $request->{tag});
    is "$end->{cause} $end->{exit}", 'EXITED 3', 'its end is that of the one that runs';
    is slurp('work/ran'), "ran\n", 'it ran once';
};

subtest 'cancelled' => sub {
    my $adapter = adapter();
    my $request = request('sleep 300');
    my $id = submit($adapter, $request)->{ids}[0];
    watch($adapter, 60, sub { grep { $_->{is} eq 'started' } @{ $seen{ $request->{tag} } } });
    is_deeply $adapter->cancel([ { tag => $request->{tag}, ids => [] } ]), ['ending'], 'is being ended';
    is end_of($adapter, $request->{tag})->{cause}, 'CANCELLED', 'and was cancelled';
    is slurp('cancelled'), ($id =~ s{\Atoy/}{}r) . "\n", 'the script has the id without the name of the LRM';
};

sub kinds { my ($tag) = @_; return join ' ', map { $_->{is} } @{ $seen{$tag} // [] } }
sub order { my ($adapter, $order, $tag) = @_; return $adapter->$order([ { tag => $tag, ids => [] } ])->[0] }

subtest 'held and let go' => sub {
    my $adapter = adapter();
    put('wait', '');
    my $request = request("n=0; until test -e $room/go || test \$n -ge 6000; do n=\$((n + 1)); sleep 0.1; done; exit 4");
    my $tag = $request->{tag};
    my $id  = submit($adapter, $request)->{ids}[0] =~ s{\Atoy/}{}r;
    unlink "$room/wait";
    is order($adapter, hold => $tag), 'done', 'one that waits is held';
    watch($adapter, 60, sub { kinds($tag) =~ /suspended/ });
    is kinds($tag), 'queued suspended', 'which is told, although the script says nothing of it';
    is order($adapter, hold => $tag), 'done', 'twice is as good';
    is slurp('held'), "hold $id\n", 'and asked for once, by the id without the name of the LRM';
    my $next = Jobgate::Adapter::Blah->new(log => sub { }, settings => $adapter->{settings});
    $next->follow(undef);
    $next->events;
    is order($next, hold => $tag), 'done', 'a worker that comes after it knows';
    is slurp('held'), "hold $id\n", 'without asking';
    is order($next, resume => $tag), 'done', 'it is let go';
    watch($next, 60, sub { kinds($tag) =~ /started/ });
    put('go', '');
    is end_of($next, $tag)->{exit}, 4, 'and runs';
    like kinds($tag), qr/suspended .*started ended\z/, 'in order';
    is slurp('held'), "hold $id\nresume $id\n", 'what was asked of the scripts';
    kill KILL => $id =~ s{.*/}{}r;
};

subtest 'one that runs is not held' => sub {
    my $adapter = adapter();
    unlink "$room/held";
    my $request = request("n=0; until test -e $room/runs-on || test \$n -ge 6000; do n=\$((n + 1)); sleep 0.1; done; exit 5");
    submit($adapter, $request);
    watch($adapter, 60, sub { kinds($request->{tag}) =~ /started/ });
    is order($adapter, hold => $request->{tag})->{refused}{fault}, 'WRONG_STATE', 'refused';
    is slurp('held'), '', 'and no script is asked, for that would end what it does';
    put('runs-on', '');
    is end_of($adapter, $request->{tag})->{exit}, 5, 'it goes on';
};

subtest 'one that begins while it is to be held' => sub {
    my $adapter = adapter();
    put('wait', '');
    my $request = request("n=0; until test -e $room/ran-on || test \$n -ge 6000; do n=\$((n + 1)); sleep 0.1; done; exit 6");
    my $id = submit($adapter, $request)->{ids}[0] =~ s{\Atoy/}{}r;
    unlink "$room/wait";
    put('fault', "$room/start \${1##*/}; sleep 0.5");
    is order($adapter, hold => $request->{tag})->{refused}{fault}, 'WRONG_STATE', 'refused';
    unlink "$room/fault";
    like slurp('held'), qr/^hold \Q$id\E\nresume \Q$id\E$/m, 'and no hold is left';
    put('ran-on', '');
    is end_of($adapter, $request->{tag})->{exit}, 6, 'it goes on';
    kill KILL => $id =~ s{.*/}{}r;
};

subtest 'a hold that fails, and none' => sub {
    my $adapter = adapter();
    put('wait', '');
    my $request = request('exit 7');
    submit($adapter, $request);
    put('fault', 'echo " 1 Error"; exit 1');
    is order($adapter, hold => $request->{tag})->{refused}{fault}, 'LRM_REFUSED', 'what the script cannot do is refused';
    watch($adapter, 0.5, sub { 0 });
    is kinds($request->{tag}), 'queued', 'and the job is not held';
    unlink "$room/fault", "$room/wait";
    $adapter->cancel([ { tag => $request->{tag}, ids => [] } ]);
    is_deeply adapter(holds => 'n')->capabilities->{suspends}, [], 'a site may say that its scripts hold nothing';
    is_deeply adapter(lrms => 'other')->capabilities->{suspends}, [], 'without scripts nothing is held';
    is order(adapter(holds => 'n'), hold => ToyRoom::tag())->{refused}{fault}, 'UNSUPPORTED_FEATURE', 'by name';
};

subtest 'no record of its own' => sub {
    my $adapter = adapter();
    my %wanted = ('JobStatus=3;' => 'CANCELLED', 'JobStatus=4;ExitCode=9;' => 'EXITED', 'JobStatus=4;ExitCode=0;' => 'LOST', 'JobStatus=4;ExitSignal=11;' => 'SIGNALLED');
    for my $says (sort keys %wanted) {
        my $request = request('sleep 600');
        my $id = submit($adapter, $request)->{ids}[0];
        my ($number) = $id =~ /(\d+)\z/;
        watch($adapter, 60, sub { defined $adapter->job_file($request->{tag})->claimed_by });
        put("says.$number", "0[BatchJobId=\"$number\";$says]\n");
        is end_of($adapter, $request->{tag})->{cause}, $wanted{$says}, "$says is $wanted{$says}";
        kill KILL => $number;
    }
};

subtest 'settings' => sub {
    for my $bad ('', '../x', 'a b', 'A') { ok !eval { adapter(lrms => $bad)->programs; 1 }, "lrms is no name: '$bad'" }
    ok !eval { adapter(blah_environment => 'nothing')->environment; 1 }, 'blah_environment is NAME=VALUE';
    is adapter(blah_environment => 'A=1 B=2=3')->environment->{B}, '2=3', 'and goes to the scripts';
    ok grep({ $_ eq 'whole_nodes' } adapter(lrms => 'slurm')->resources) && !grep({ $_ eq 'whole_nodes' } adapter(lrms => 'condor')->resources), 'what scripts leave out is not offered';
};

done_testing;
