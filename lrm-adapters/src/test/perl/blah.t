#!/usr/bin/perl
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# jobgate-blahpd: its words, what it keeps of jobs, and conversations with the program itself over the adapter Fork.

use strict;
use warnings;

use Test::More;
use Fcntl      ();
use File::Temp ();
use FindBin ();
use IO::Handle ();
use IPC::Open2 ();
use POSIX      ();
use Time::HiRes ();

my ($program, $here);
BEGIN {
    $here    = "$FindBin::RealBin";
    $program = "$here/../../main/perl/jobgate-blahpd";
    unshift @INC, "$here/../../main/perl/lib";
}
use Jobgate::Blah::Accounting ();
use Jobgate::Blah::Lines   ();
use Jobgate::Blah::Lrm     ();
use Jobgate::Blah::Plan    ();
use Jobgate::Blah::Records ();
use Jobgate::Blah::Run     ();
use Jobgate::Blah::Select  ();
use Jobgate::Blah::Status  ();
use Jobgate::Wire          ();

my $room = File::Temp->newdir('jobgate-blah-XXXXXX', TMPDIR => 1);
mkdir "$room/work" or die $!;

sub put {
    my ($name, $text, $mode) = @_;
    open my $file, '>', "$room/$name" or die $!;
    print {$file} $text;
    close $file;
    chmod $mode // 0644, "$room/$name";
    return "$room/$name";
}

sub slurp { my ($path) = @_; open my $file, '<', $path or return "no $path"; local $/; return scalar <$file> }

sub why_not { my ($code) = @_; return eval { $code->(); 1 } ? 'nothing' : $@ }

# --- words ------------------------------------------------------------------------------------------------------------------------

subtest 'lines and ClassAds' => sub {
    is_deeply [ Jobgate::Blah::Lines::split_line('A  b\\ c d\\\\e') ], [ 'A', 'b c', 'd\\e' ], 'a backslash makes the next character part of a word';
    is_deeply [ Jobgate::Blah::Lines::split_line(Jobgate::Blah::Lines::escape("x y\n\\z")) ], ['x y \\z'], 'an escaped text is one word';
    my $ad = Jobgate::Blah::Lines::parse_ad('[ Cmd = "/bin/a;\\"b\\\\"; n = 7 ; CERequirements = A == "x;y" && f({1;2}); Last = true ]');
    is_deeply $ad, { cmd => '/bin/a;"b\\', n => 7, cerequirements => 'A == "x;y" && f({1;2})', last => 'true' }, 'a ClassAd is read';
    for my $bad ('Cmd = 1', '[ Cmd = "x', '[ = 3 ]', '[ Cmd = "x ]') { isnt why_not(sub { Jobgate::Blah::Lines::parse_ad($bad) }), 'nothing', "refused: $bad" }
    is_deeply [ Jobgate::Blah::Lines::split_words("a 'b  c' d''e 'it''s' ''") ], [ 'a', 'b  c', 'de', "it's", '' ], 'the new syntax of arguments';
    like why_not(sub { Jobgate::Blah::Lines::split_words("a 'b") }), qr/does not end/, 'an open quotation is refused';
    is Jobgate::Blah::Lines::write_ad(A => 1, B => 'x"y\\', C => \'true'), '[ A=1; B="x\\"y\\\\"; C=true ]', 'a ClassAd is written';
};

subtest 'texts that are long' => sub {
    # Perl repeats a group of a pattern 65,534 times at most
    for my $long ('x' x 70_000, 'x y' x 70_000, q(') x 70_000, q(\\") x 70_000) {
        my $what = substr($long, 0, 3) . ' ...';
        my $ad   = '[ A="' . ($long =~ s/(["\\])/\\$1/gr) . '"; B=({' . ('7,' x 70_000) . '8}); C="c" ]';
        my @words = Jobgate::Blah::Lines::split_line('DO 1 ' . Jobgate::Blah::Lines::escape($ad) . ' end');
        is_deeply [ scalar(@words), $words[-1] ], [ 4, 'end' ], "the words of a line with $what";
        ok $words[2] eq $ad, 'among them the whole ClassAd';
        my $read = Jobgate::Blah::Lines::parse_ad($ad);
        ok $read->{a} eq $long && $read->{c} eq 'c', "a ClassAd with $what";
        my @split = Jobgate::Blah::Lines::split_words("a '" . ($long =~ s/'/''/gr) . "' z");
        ok @split == 3 && $split[1] eq $long && $split[2] eq 'z', "arguments with $what";
    }
    is scalar(Jobgate::Blah::Lines::split_words('x' x 70_000)), 1, 'a long word is one word';
    like why_not(sub { Jobgate::Blah::Lines::split_words(q(') x 70_001) }), qr/does not end/, 'an open quotation';
};

subtest 'expressions' => sub {
    my %ad = (jobstatus => 4, queue => 'Short', exitcode => 12);
    my %holds = ('JobStatus == 4' => 1, 'JobStatus != 4' => 0, 'ExitCode > 9 && queue == "short"' => 1, '!(JobStatus == 1 || JobStatus =?= 2)' => 1,
        'Missing == 1' => 0, 'ExitCode <= 3' => 0, 'true' => 1, 'false || JobStatus >= 4' => 1);
    for my $text (sort keys %holds) { is Jobgate::Blah::Select::compile($text)->(\%ad) ? 1 : 0, $holds{$text}, $text }
    for my $bad ('JobStatus', 'JobStatus ==', '(a == 1', 'a == 1 b', 'system("x")', '(' x 40, 'a' x 5000) {
        isnt why_not(sub { Jobgate::Blah::Select::compile($bad) }), 'nothing', 'refused: ' . substr $bad, 0, 20;
    }
};

subtest 'plans' => sub {
    my $place = { work => '/w', why => '/y', proxy => '/p' };
    my $data = put('data.txt', "D\n");
    my %ad = (cmd => '/bin/sh', stagecmd => 'false', iwd => "$room", arguments => "-c 'exit 3'", environment => "A='b c'", transferinput => 'data.txt',
        transferoutput => 'a/b.txt', transferoutputremaps => 'a/b.txt = c.txt', in => '/dev/null', out => 'o', x509userproxy => '/tmp/x', batchruntime => 60,
        requestmemory => 100, nodenumber => 4, gpunumber => 1, queue => 'q', batchproject => 'p', wholenodes => 'true', batchextrasubmitargs => '--qos=high --hold');
    my $spec = Jobgate::Blah::Plan::of(\%ad, $place);
    my $plan = Jobgate::Wire::decode($spec->{arguments}[1]);
    is_deeply $plan, { work => '/w', why => '/y', program => '/bin/sh', arguments => [ '-c', 'exit 3' ], inputs => [ [ $data, 'data.txt' ] ], outputs => [ [ 'a/b.txt', "$room/c.txt" ] ], new => { stdout => 1, stderr => 0 } },
        'the plan of files';
    is_deeply $spec->{environment}, [ [ A => 'b c' ], [ X509_USER_PROXY => '/p' ] ], 'the environment, with the proxy';
    is_deeply [ @$spec{qw(stdin stdout max_wall_time max_memory_mib queue project)} ], [ '/dev/null', "$room/o", 60, 100, 'q', 'p' ], 'what the job asks for';
    is_deeply $spec->{resources}, { slots => 4, gpus => 1, whole_nodes => 1 }, 'its resources';
    is_deeply [ map { "$_->{attributes}{name}=$_->{text}" } @{ $spec->{extensions} } ], [ 'qos=high', 'hold=' ], 'its options for the LRM';
    my %refused = (cmd => [ '', qr/Cannot parse Cmd/ ], transferinput => [ 'no-such', qr/no-such/ ], transferoutput => [ '../x', qr/not below/ ], cerequirements => [ 'a == 1', qr/no meaning/ ],
        environment => [ 'x', qr/not NAME=VALUE/ ], nodenumber => [ 'many', qr/no number/ ], batchextrasubmitargs => [ '-p q', qr/not --name=value/ ]);
    for my $name (sort keys %refused) {
        like why_not(sub { Jobgate::Blah::Plan::of({ %ad, $name => $refused{$name}[0] }, $place) }), $refused{$name}[1], "refused for its $name";
    }
};

subtest 'what is kept' => sub {
    my $records = Jobgate::Blah::Records->new("$room/records");
    my ($tag, $was) = $records->take('key');
    like $tag, qr/\A[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\z/, 'a tag is a UUID of version 7';
    is $was, 0, 'a new key is a new job';
    is_deeply [ Jobgate::Blah::Records->new("$room/records")->take('key') ], [ $tag, 1 ], 'the key again is the same job, also after a restart';
    isnt +($records->take('other'))[0], $tag, 'another key is another job';
    $records->note($tag, cancelled => 1);
    my ($second, $is_there) = $records->take('key');
    ok $second ne $tag && !$is_there, 'after a cancel the key is a new job';
    $records->note($second, told => 1);
    isnt +($records->take('key'))[0], $second, 'and after its end was told';
    $records->forget($tag);
    is $records->job($tag), undef, 'a job is forgotten';
    ok $records->job($second), 'and no other';
    my $place = $records->place($second)->{work};
    mkdir $place and mkdir "$place/closed" and symlink "$room/work", "$place/link" or die $!;
    put("records/work/$second/closed/file", 'x');
    chmod 0, "$place/closed";
    is $records->clear($second), undef, 'the directory of a job that was killed is deleted';
    ok !-e $place, 'and all that was in it';
    ok -d "$room/work", 'but not what a link in it leads to';
    is $records->clear($second), undef, 'and there may be none';
    is sprintf('%o', (stat "$room/records")[2] & 0777), '700', 'nobody else looks in';
};

subtest 'directories that killed jobs left' => sub {
    my $records = Jobgate::Blah::Records->new("$room/left");
    my $now     = time;
    my %age     = (killed => 120, 'just over' => 30, running => undef);
    my %tag     = map { $_ => Jobgate::Blah::Records::new_tag() } sort keys %age, 'unknown';
    for my $tag (values %tag) { mkdir $records->place($tag)->{work} or die $! }
    my %jobs = map { $tag{$_} => defined $age{$_} ? { end => { at => ($now - $age{$_}) * 1000 } } : {} } keys %age;
    my $lrm  = bless { records => $records, jobs => \%jobs, log => sub { fail "no trouble: @_" } }, 'Jobgate::Blah::Lrm';
    $lrm->_clear($now);
    waitpid $lrm->{cleaner}, 0;
    is_deeply [ grep { -d $records->place($tag{$_})->{work} } sort keys %tag ], [ 'just over', 'running', 'unknown' ], 'are deleted a minute after its end';
    mkdir $records->place($tag{killed})->{work} or die $!;
    delete $lrm->{cleaner};
    $lrm->_clear($now);
    is $lrm->{cleaner}, undef, 'and tried once';
};

# An LRM's signal comes to the job's own program at some step: its wait status, and whether its directory is still there.
sub struck {
    my ($step, $exit) = @_;
    my $plan = { work => "$room/struck", why => "$room/struck-why", program => '/bin/sh', arguments => [ '-c', "exit $exit" ], inputs => [ [ '/dev/null', 'in', 0 ] ], outputs => [ [ 'out', "$room/struck-out" ] ] };
    my $pid = fork // die $!;
    if ($pid == 0) {
        no strict 'refs';
        no warnings 'redefine';
        my $real = \&$step;
        *$step = sub { kill TERM => $$; Time::HiRes::sleep(0.2); return $real->(@_) };
        open STDERR, '>', '/dev/null';
        Jobgate::Blah::Run::run($plan);
    }
    waitpid $pid, 0;
    return ($?, -e $plan->{work} ? 1 : 0);
}

subtest 'a signal to the job' => sub {
    for my $step (qw(_bring _take)) { is_deeply [ struck("Jobgate::Blah::Run::$step", 0) ], [ POSIX::SIGTERM(), 0 ], "in $step ends it by the signal, without its directory" }
    is_deeply [ struck('File::Path::remove_tree', 3) ], [ 3 << 8, 0 ], 'while its directory is deleted changes nothing';
};

{
    # deletes until it is told that it may end
    package SlowRecords;
    sub directories { return 'slow' }
    sub clear { my ($self) = @_; Time::HiRes::sleep(0.05) until -e $self->{go}; return }
}

subtest 'what deletes holds no pipe open' => sub {
    my $go  = "$room/deleted";
    my $lrm = bless { records => bless({ go => $go }, 'SlowRecords'), jobs => { slow => { end => { at => 0 } } }, log => sub { fail "no trouble: @_" } }, 'Jobgate::Blah::Lrm';
    pipe my $read, my $write or die $!;
    $lrm->_clear(time);
    close $write or die $!;
    local $SIG{ALRM} = sub { put('deleted', '') };    # else it would never end
    alarm 60;
    is scalar(readline $read), undef, 'its end is seen';
    alarm 0;
    ok !-e $go, 'while it deletes';
    put('deleted', '');
    waitpid $lrm->{cleaner}, 0;
};

subtest 'how jobs are' => sub {
    my $of = sub { my ($end, %noted) = @_; my ($status, $ad) = Jobgate::Blah::Status::of({ ids => ['7'], end => $end }, \%noted, $noted{why}); return "$status $ad" };
    is $of->({ cause => 'EXITED', exit => 3, wall => 1500 }), '4 [ BatchJobId="7"; JobStatus=4; ExitBySignal=false; ExitCode=3; RemoteWallClockTime=1 ]', 'an exit code';
    like $of->({ cause => 'SIGNALLED', signal => 9 }), qr/\A4 .*ExitBySignal=true; ExitSignal=9/, 'a signal';
    like $of->({ cause => 'CANCELLED' }), qr/\A3 .*removed in its batch system/, 'removed behind our back';
    like $of->({ cause => 'SIGNALLED', signal => 15 }, cancelled => 1), qr/\A3 /, 'cancelled by the client';
    like $of->({ cause => 'WALL_TIME' }), qr/\A5 .*HoldReason="The job was ended at its limit/, 'no end of its own: held, with the reason';
    like $of->({ cause => 'NODE_FAILED', sentence => 'Node n1 died.', remedy => 'Submit again.' }), qr/HoldReason="Node n1 died. Submit again."/, 'in the words of the LRM';
    like $of->({ cause => 'EXITED', exit => 127 }, why => 'No file.'), qr/\A5 .*HoldReason="No file."/, 'files that did not come';
    my $alive = sub { my ($job, %noted) = @_; return (Jobgate::Blah::Status::of({ ids => ['7'], %$job }, \%noted))[0] };
    is_deeply [ $alive->({ is => 'queued' }), $alive->({ is => 'started', began => 1 }), $alive->({ is => 'suspended' }), $alive->({ is => 'suspended', began => 1 }), $alive->({ is => 'suspended' }, held => 1) ],
        [ 1, 2, 1, 2, 5 ], 'idle, running, held only where the client has held it';
};

subtest 'the accounting log' => sub {
    my %ad = (x509userproxysubject => '/DC=org/CN=Alice "A"', x509userproxyfqan => '/DC=org/CN=Alice "A",/vo/Role=pilot/Capability=NULL,/vo/Role=NULL/Capability=NULL', queue => 'short',
        ceid => 'gw.example.org:8443/cream-slurm', uniquejobid => "https://gw/1\nx", clientjobid => 'c1');
    is Jobgate::Blah::Accounting::line(1795575600, \%ad, 'slurm', '4711'), '"timestamp=2026-11-25 03:00:00" "userDN=/DC=org/CN=Alice A" "userFQAN=/vo/Role=pilot/Capability=NULL"'
        . ' "userFQAN=/vo/Role=NULL/Capability=NULL" "ceID=gw.example.org:8443/cream-slurm-short" "jobID=https://gw/1x" "lrmsID=4711" "localUser=' . $> . qq("\x20"clientID=c1"\n), 'a line';
    my $write = sub {
        my ($name) = @_;
        local $SIG{ALRM} = sub { die "still waiting\n" };
        alarm 60;
        my $why = why_not(sub { Jobgate::Blah::Accounting::write("$room/$name", \%ad, 'slurm', '4711') });
        alarm 0;
        return $why;
    };
    my $today = POSIX::strftime('%Y%m%d', gmtime);
    is $write->('log'), 'nothing', 'is written';
    # another user of the access point, who may write into the log
    pipe my $read, my $told or die $!;
    my $pid = fork // die $!;
    if ($pid == 0) {
        open my $log, '>>', "$room/log-$today" or die $!;
        my $whole = pack 's s x![l!] l! l! i x![l!]', Fcntl::F_WRLCK(), 0, 0, 0, 0;
        fcntl $log, Fcntl::F_SETLK(), $whole or die $!;
        syswrite $told, 'x';
        sleep 600;
        POSIX::_exit(0);
    }
    sysread $read, my $byte, 1;
    is $write->('log'), 'nothing', 'who keeps the log locked keeps nobody from writing';
    kill KILL => $pid;
    waitpid $pid, 0;
    is scalar(split /\n/, slurp("$room/log-$today")), 2, 'both lines are there';
    # far into the file, and over the end of a piece that is read at once
    { open my $log, '>', "$room/long-$today" or die $!; print {$log} 'x' x (3 * 65_536 - 100), "\n" }
    my $has = sub { Jobgate::Blah::Accounting::has("$room/$_[0]", \%ad, 'slurm', $_[1]) };
    ok !$has->('long', '4711'), 'a job that was not written';
    is $write->('long'), 'nothing', 'is written';
    ok $has->('long', '4711'), 'and is found then';
    ok !$has->('long', '471'),  'no other one is';
    ok !$has->('none', '4711'), 'nor is one where there is no log';
    POSIX::mkfifo("$room/pipe-$today", 0666) or die $!;
    like $write->('pipe'), qr/No such device or address/, 'a pipe with the name of the log keeps nobody';
};

# --- conversations ----------------------------------------------------------------------------------------------------------------

package Client {
    sub new {
        my ($class, $state) = @_;
        local @ENV{qw(JOBGATE_BLAHPD_STATE JOBGATE_BLAHPD_CONFIG BLAHPD_ACCOUNTING_INFO_LOG)} = ("$state/state", "$state/settings", "$state/accounting");
        open my $settings, '>', "$state/settings" or die $!;
        print {$settings} "# none\n[fork]\nadapter = fork\n";
        close $settings;
        my $pid = IPC::Open2::open2(my $out, my $in, $^X, $program);
        my $self = bless { pid => $pid, in => $in, out => $out }, $class;
        $self->{banner} = $self->line;
        return $self;
    }
    sub line { my ($self) = @_; local $SIG{ALRM} = sub { die "no line for 60 s\n" }; alarm 60; my $line = readline $self->{out}; alarm 0; return ($line // '') =~ s/\r?\n\z//r }
    sub say { my ($self, @words) = @_; print { $self->{in} } join(' ', map { Jobgate::Blah::Lines::escape($_) } @words), "\r\n"; $self->{in}->flush; return $self->line }
    # the words of the one result of a command
    sub ask {
        my ($self, @words) = @_;
        my $said = $self->say(@words);
        return $said unless $said eq 'S';
        for (1 .. 1200) {
            my ($number) = $self->say('RESULTS') =~ /\AS (\d+)\z/ or return 'no number';
            my @results = map { $self->line } 1 .. $number;
            return Jobgate::Blah::Lines::split_line($results[0]) if @results;
            Time::HiRes::sleep(0.05);
        }
        return 'no result';
    }
    sub ended {
        my ($self, $job) = @_;
        my @said;
        for (1 .. 1200) { @said = $self->ask('BLAH_JOB_STATUS', 5, $job); last if ($said[3] // 0) > 2; Time::HiRes::sleep(0.05) }
        return @said;
    }
    sub over { my ($self, $how) = @_; $how ? kill(KILL => $self->{pid}) : $self->say('QUIT'); waitpid $self->{pid}, 0; return $? }
}

sub ad { my (%ad) = @_; return '[ ' . join('; ', 'gridtype = "fork"', qq(Iwd = "$room/work"), map { "$_ = \"" . ($ad{$_} =~ s/(["\\])/\\$1/gr) . '"' } sort keys %ad) . ' ]' }

put('work/run.sh', "#!/bin/sh\ncat data.txt >result.txt; echo \"[\$1] [\$2] \$FOO\"; echo \$PWD >$room/where; exit 7\n");
put('work/data.txt', "D\n");
my $client = Client->new("$room");

subtest 'at once' => sub {
    like $client->{banner}, qr/\A\$GahpVersion: .* \$\z/, 'the banner';
    is $client->say('async_mode_on'), 'S', 'commands in any case';
    is $client->say('ASYNC_MODE_OFF'), 'S', 'and off';
    like $client->say('COMMANDS'), qr/\AS .*BLAH_JOB_CANCEL.*BLAH_JOB_STATUS_SELECT.*BLAH_JOB_SUBMIT/, 'the commands';
    is $client->say('NONSENSE'), 'E', 'an unknown command';
    is $client->say('BLAH_JOB_STATUS', 1), 'E', 'too few words';
    like $client->say('BLAH_SET_SUDO_ID', 'root'), qr/\AF /, 'no other account';
    is $client->say('CACHE_PROXY_FROM_FILE', 1, 'x'), 'S', 'a stub';
    is_deeply [ ($client->ask('BLAH_PING', 2, 'fork'))[ 0 .. 2 ] ], [ 2, 0, 'No error' ], 'a ping';
    like join(' ', $client->ask('BLAH_PING', 3, 'nothing')), qr/\A3 1 No adapter is known for the grid type nothing/, 'of an LRM that is none';
    like join(' ', $client->ask('BLAH_JOB_SUBMIT', 4, '[ Cmd = "x" ]')), qr/\A4 1 Missing gridtype in submission classAd N\/A\z/, 'a submission without a grid type';
    like join(' ', $client->ask('BLAH_JOB_SUBMIT', 4, '[ Cmd = "x')), qr/\A4 1 .* N\/A\z/, 'a ClassAd that is none';
    like join(' ', $client->ask('BLAH_JOB_SUBMIT', 4, ad(Cmd => '/bin/true', JobDirectory => 'bad', X509UserProxy => "$room/none"))), qr/\A4 1 Credentials not valid: .* N\/A\z/, 'a proxy that is not there';
    my %too_long = (Arguments => qr/arguments and the file names .* more than 131071 bytes/, Environment => qr/environment, .* more than 524288 bytes/);
    for my $name (sort keys %too_long) {
        like join(' ', $client->ask('BLAH_JOB_SUBMIT', 4, ad(Cmd => '/bin/true', StageCmd => 'FALSE', JobDirectory => 'long', $name => 'A=' . 'x' x 600_000))), qr/\A4 1 .*$too_long{$name}/,
            "refused before the worker is asked: too long is its \l$name";
    }
    like join(' ', $client->ask('BLAH_JOB_STATUS', 5, 'fork/20261125/4711')), qr/\A5 1 The job .* is not known here. 0 N\/A\z/, 'a job that is none';
};

my $local = ad(Cmd => 'run.sh', JobDirectory => 'one', Arguments => "a 'b c'", Environment => 'FOO=bar', Out => 'out', TransferInput => 'data.txt', TransferOutput => 'result.txt',
    TransferOutputRemaps => 'result.txt = mine.txt');

subtest 'a job with files' => sub {
    my (undef, $code, undef, $job) = $client->ask('BLAH_JOB_SUBMIT', 3, $local);
    is $code, 0, 'is taken';
    like $job, qr{\Afork/\d{8}/[0-9a-f-]{36}}, 'and has an id';
    like join(' ', $client->ended($job)), qr/\A5 0 No error 4 .*ExitCode=7/, 'its exit code';
    is slurp("$room/work/out"), "[a] [b c] bar\n", 'its words and its output';
    is slurp("$room/work/mine.txt"), "D\n", 'its file, under the other name';
    ok !-e(slurp("$room/where") =~ s/\n\z//r), 'its directory is gone';
    like join(' ', $client->ask('BLAH_JOB_STATUS_SELECT', 6, 'JobStatus == 4')), qr/\A6 0 No error \{ \[ .* \] \}\z/, 'and it is among those that have ended';
    my ($again) = ($client->ask('BLAH_JOB_SUBMIT', 7, $local))[3];
    isnt substr($again, 0, 50), substr($job, 0, 50), 'its key is a new job after its end was told';
    $client->ended($again);
    is sprintf('%o', (stat "$room/work/out")[2] & 0777), '644', 'others may read an output that was not there before';
    chmod 0600, "$room/work/out";
    $client->ended(($client->ask('BLAH_JOB_SUBMIT', 8, $local))[3]);
    is slurp("$room/work/out"), "[a] [b c] bar\n", 'an output that was there is written anew';
    is sprintf('%o', (stat "$room/work/out")[2] & 0777), '600', 'and stays as closed as it was';
};

subtest 'no file' => sub {
    my ($job) = ($client->ask('BLAH_JOB_SUBMIT', 3, ad(Cmd => '/bin/true', StageCmd => 'FALSE', JobDirectory => 'two', TransferOutput => 'never')))[3];
    like join(' ', $client->ended($job)), qr/ 5 .*has not written its output file never/, 'held with the reason';
    my ($none) = ($client->ask('BLAH_JOB_SUBMIT', 3, ad(Cmd => '/no/such', StageCmd => 'FALSE', JobDirectory => 'three')))[3];
    like join(' ', $client->ended($none)), qr{ 5 .*The executable /no/such could not be run}, 'no program';
};

subtest 'held, released, cancelled' => sub {
    my ($job) = ($client->ask('BLAH_JOB_SUBMIT', 3, ad(Cmd => '/bin/sleep', StageCmd => 'FALSE', Arguments => '300', JobDirectory => 'four')))[3];
    for (1 .. 1200) { last if ($client->ask('BLAH_JOB_STATUS', 5, $job))[3] == 2; Time::HiRes::sleep(0.05) }
    my $becomes = sub { my ($status) = @_; for (1 .. 1200) { return 1 if ($client->ask('BLAH_JOB_STATUS', 5, $job))[3] == $status; Time::HiRes::sleep(0.05) } return 0 };
    is +($client->ask('BLAH_JOB_HOLD', 8, $job))[1], 0, 'hold';
    ok $becomes->(5), 'is held';
    is +($client->ask('BLAH_JOB_RESUME', 8, $job))[1], 0, 'resume';
    ok $becomes->(2), 'runs';
    is +($client->ask('BLAH_JOB_CANCEL', 8, $job))[1], 0, 'cancel';
    ok $becomes->(3), 'is removed';
    is +($client->ask('BLAH_JOB_CANCEL', 8, $job))[1], 0, 'and once more';
};

sub forget_line {
    my ($file) = @_;
    my $job = Jobgate::Wire::decode(slurp($file));
    return unless delete $job->{accounted};
    open my $again, '>', $file or die $!;
    print {$again} Jobgate::Wire::encode($job);
    close $again or die $!;
    return $file;
}

subtest 'killed' => sub {
    my $count = "$room/count";
    my $ad = ad(Cmd => '/bin/sh', StageCmd => 'FALSE', Arguments => "-c 'echo x >>$count; sleep 1; exit 5'", JobDirectory => 'five');
    is $client->say('BLAH_JOB_SUBMIT', 3, $ad), 'S', 'submitted';
    $client->over('KILL');
    $client = Client->new("$room");
    my ($code, $job) = ($client->ask('BLAH_JOB_SUBMIT', 3, $ad))[ 1, 3 ];
    is $code, 0, 'submitted again';
    $client->over('KILL');
    # as if it had been killed after it wrote the line of the accounting log, and before it noted that it did
    # (a kill may also leave the beginning of a file that has no name yet)
    my @forgot = grep { defined } map { forget_line($_) } grep { m{/[0-9a-f-]{36}\z} } glob "$room/state/*/jobs/*";
    ok scalar(@forgot), 'some jobs were in the log';
    $client = Client->new("$room");
    is +($client->ask('BLAH_JOB_SUBMIT', 3, $ad))[1], 0, 'submitted a third time';
    $client->over('KILL');
    $client = Client->new("$room");
    like join(' ', $client->ended($job)), qr/ 4 .*ExitCode=5/, 'the next one knows how it ended';
    is slurp($count), "x\n", 'it ran once';
    my @lines = split /\n/, slurp(glob "$room/accounting-*");
    my %ids = map { /lrmsID=([^"]+)/ ? ($1 => 1) : () } @lines;
    is scalar(@lines), scalar(keys %ids), 'no job is in the accounting log twice';
    is $client->over, 0, 'QUIT ends it';
};

done_testing;
