#!/usr/bin/perl
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# Job arrays of Grid Engine without Grid Engine: what a stand-in of qsub is given, and what a real one printed of an array of five
# (docker/lab/samples/sge-array): element 1 ended with 1, 2 with 2, 3 with 3; 4 and 5 were held, and deleted before they ran.

use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin ();
use Test::More;
use lib "$FindBin::RealBin/../../main/perl/lib";
use Jobgate::Adapter::Sge  ();
use Jobgate::Arrays        ();
use Jobgate::JobFile       ();
use Jobgate::Launcher      ();
use Jobgate::Sge::Listing  ();

my $SAMPLES = "$FindBin::RealBin/../../../../docker/lab/samples/sge-array";
my $ARRAY   = '7f1e0c52-9a44-4d0b-8c1e-0000000000a1';
my $NUMBER  = 8393;
my @TAGS    = map { "0190b000-0000-7000-8000-00000000000$_" } 1 .. 5;
my $BIN     = tempdir(CLEANUP => 1);

sub slurp   { my ($path) = @_; open my $file, '<:raw', $path or die "$path: $!"; local $/; return scalar <$file> }
sub spew    { my ($path, $text) = @_; open my $file, '>:raw', $path or die "$path: $!"; print {$file} $text; close $file or die $!; return }
sub sample  { return slurp("$SAMPLES/$_[0]") }
sub done    { return { name => 'qstat', exit => 0, out => '', err => '', words => [], @_ } }
sub element { my ($array, $task) = @_; return $array eq $ARRAY && $task > 0 ? $TAGS[ $task - 1 ] : undef }

# An adapter over the files of Grid Engine, in a directory of its own.
sub adapter {
    my (%settings) = @_;
    my $spool = $settings{spool} // tempdir(CLEANUP => 1);
    -e "$spool/$_" or spew("$spool/$_", '') for qw(accounting reporting);
    my $adapter = Jobgate::Adapter::Sge->new(settings => { spool => $spool, sge_bin => $BIN, array_size => 100, submit_at_once => 1, pe => 'smp',
        accounting_file => "$spool/accounting", reporting_file => "$spool/reporting", %settings });
    $adapter->{account} = 'jobgate-a';
    return $adapter;
}

# The same, that has submitted the array of the samples.
sub with_array {
    my $adapter = adapter(@_);
    $adapter->job_file($_)->write('') for @TAGS;
    no warnings 'redefine';
    local *Jobgate::Arrays::_new_name = sub { return $ARRAY };
    $adapter->arrays->keep(map { [$_] } @TAGS);
    return $adapter;
}

sub watched { my ($task, $is) = @_; return ($TAGS[ $task - 1 ] => { ids => ["$NUMBER.$task"], is => $is // 'queued', at => 0, submitted => 5, note => '' }) }

# A qsub that keeps what it was given. The file `says` holds its exit code and what it says of an array; `is_deaf` is there where no answer comes.
sub standin {
    unlink glob "$BIN/*";
    spew("$BIN/qsub", <<"END");
#!/bin/sh
number=\$(ls $BIN | grep -c '^words')
printf '%s\\n' "\$@" > $BIN/words.\$number
tasks=; for word in "\$@"; do case \$word in 1-*) tasks=.\$word:1;; esac; done
[ -n "\$tasks" ] && [ -e $BIN/says ] && { cat $BIN/says >&2; exit \$(cat $BIN/code); }
[ -e $BIN/is_deaf ] && exit 0
echo \$((100 + number))\$tasks
END
    chmod 0755, "$BIN/qsub" or die $!;
    return;
}

sub jobs_of {
    my ($adapter, @queues) = @_;
    my @jobs = map { { tag => $TAGS[$_], spec => { job_type => 'MULTIPLE', count => 1, queue => $queues[$_] }, file => $adapter->job_file($TAGS[$_]), count => 1 } } 0 .. $#queues;
    $_->{file}->write('') for @jobs;
    return \@jobs;
}

sub words { my ($number) = @_; return [ split /\n/, slurp("$BIN/words.$number") ] }
sub kept  { my ($adapter) = @_; return scalar(my @files = glob $adapter->spool . '/arrays/*') }

# --- submit -----------------------------------------------------------------------------------------------------------------------

subtest 'jobs that are alike go as one array, each with an id of its own' => sub {
    standin();
    my $adapter = adapter();
    my %answers = $adapter->submit_some(jobs_of($adapter, qw(main main short main)));
    is_deeply { map { $_ => $answers{$_}{ids}[0] } keys %answers }, { $TAGS[0] => '100.1', $TAGS[1] => '100.2', $TAGS[2] => '101', $TAGS[3] => '100.3' }, 'ids' or diag explain \%answers;
    my $words = join ' ', @{ words(0) };
    my ($array) = $words =~ /-terse -sync n -N jga_(\S{36}) -ac JOBGATE_ARRAY=\1 -t 1-3 -b y -shell n / or diag $words;
    like $words, qr{ \S+/jobgate-job \S+/jobs $array element\z}, 'each finds its job by its number';
    is_deeply [ map { Jobgate::JobFile::tag_of_element($adapter->spool . '/jobs/../arrays', $array, $_) } 0 .. 2 ], [ @TAGS[ 0, 1, 3 ] ], 'in their order';
    ok !eval { Jobgate::JobFile::tag_of_element($adapter->spool . '/arrays', $array, $_); 1 }, "there is no element $_" for -1, 3;
    unlike join(' ', @{ words(1) }), qr/ -t |element/, 'one alone is no array';
    $adapter->forget([ map { { tag => $_ } } @TAGS[ 0, 1 ] ]);
    is kept($adapter), 1, 'kept while one of its jobs is there';
    $adapter->forget([ { tag => $TAGS[3] } ]);
    is kept($adapter), 0, 'and not longer';
};

subtest 'what goes by itself' => sub {
    standin();
    my $adapter = adapter();
    my $jobs = jobs_of($adapter, qw(main main));
    $adapter->submit_some([ map { { %$_, may_exist => 1 } } @$jobs ]);
    $adapter->submit_some([ map { { %$_, spec => { %{ $_->{spec} }, count => 2 } } } @$jobs ]);
    adapter(array_size => 1, spool => $adapter->spool)->submit_some($jobs);
    unlike join(' ', @{ words($_) }), qr/ -t /, "no array: $_" for 0 .. 5;
    is eval { adapter(array_size => 2000)->submit_some($jobs); 1 }, undef, 'more than an array may have';
};

subtest 'an array that Grid Engine does not take' => sub {
    my %said = ("Unable to run job: job was rejected because it requests an array\n" => 1, "Unable to run job: job rejected: Only 2 jobs are allowed per user\n" => 25);
    for my $said (sort keys %said) {
        standin();
        my $adapter = adapter();
        spew("$BIN/says", $said);
        spew("$BIN/code", $said{$said});
        my %answers = $adapter->submit_some(jobs_of($adapter, qw(main main)));
        is_deeply [ sort map { ($_->{ids} // ['none'])->[0] } values %answers ], [ 101, 102 ], 'each may be taken for itself: ' . substr $said, 0, 60;
        is kept($adapter), 0, 'and nothing is kept of the array';
    }
    standin();
    my $adapter = adapter();
    spew("$BIN/says", "Unable to run job: unable to contact qmaster\n");
    spew("$BIN/code", 1);
    my %answers = $adapter->submit_some(jobs_of($adapter, qw(main main)));
    is_deeply [ map { exists $_->{unclear} ? 1 : 0 } values %answers ], [ 1, 1 ], 'where the master is away nothing is clear';
    is kept($adapter), 1, 'and the array is kept, for it may be there';
    standin();
    spew("$BIN/is_deaf", '');
    %answers = $adapter->submit_some(jobs_of($adapter, qw(main main)));
    like $answers{ $TAGS[1] }{unclear}, qr/qsub/, 'an answer without a number is none';
};

# --- listings ---------------------------------------------------------------------------------------------------------------------

subtest 'each element is seen as itself' => sub {
    my $adapter = with_array();
    my $rows = sub { $adapter->listing_command; return { map { $_->{id} => "$_->{tag} $_->{is}" . ($_->{held} ? ' held' : '') } @{ $adapter->parse_listing(done(out => $_[0])) } } };
    my $now = sample('qstat-xml.xml');
    is_deeply $rows->($now), { "$NUMBER.1" => "$TAGS[0] started", "$NUMBER.2" => "$TAGS[1] started", "$NUMBER.3" => "$TAGS[2] queued",
        map { ("$NUMBER.$_" => $TAGS[ $_ - 1 ] . ' suspended held') } 4, 5 }, 'a real listing, with those that wait in one row';
    is_deeply $rows->(sample('held.qstat-xml.xml')), { "$NUMBER.5" => "$TAGS[4] suspended held" }, 'and later';
    is_deeply [ sort keys %{ $rows->($now =~ s{<tasks>4,5</tasks>}{<tasks>3-9:2,4-999999</tasks>}r) } ], [ map { "$NUMBER.$_" } 1 .. 5 ], 'an element that the array does not have is no job';
    is_deeply [ sort keys %{ $rows->($now =~ s{<tasks>4,5</tasks>}{<tasks>x</tasks>}r) } ], [ map { "$NUMBER.$_" } 1 .. 3 ], 'nor is what cannot be read';
    is_deeply $rows->($now =~ s/$ARRAY/7f1e0c52-9a44-4d0b-8c1e-0000000000b1/gr), {}, 'an array of another gateway';
    is_deeply [ Jobgate::Sge::Listing::rows($now) ], [], 'nor does one count where nobody says what its elements are';
};

subtest 'an element that could not be started is told why, and deleted alone' => sub {
    my $text = '<JB_job_number>5</JB_job_number>' . join '', map { "<ulong_sublist><JAT_task_number>$_</JAT_task_number>" . ($_ == 2 ? '' : "<QIM_message>11/27/2026 10:58:14 [1:2]: error: why $_</QIM_message>") . '</ulong_sublist>' } 1 .. 12;
    is Jobgate::Sge::Listing::reason($text, 12), 'why 12', 'of this element';
    is Jobgate::Sge::Listing::reason($text, 1),  'why 1',  'and of no other';
    is Jobgate::Sge::Listing::reason($text, 2),  undef,    'one that could';
    is Jobgate::Sge::Listing::reason($text, 13), undef,    'one that is not there';

    my $adapter = with_array();
    my @asked;
    no warnings 'redefine';
    local *Jobgate::Commands::start = sub { push @asked, $_[1]; return bless {}, 'Started' };
    no warnings 'once';
    local *Started::finished = sub { return done(out => $asked[-1][0] eq 'qdel' ? "x has deleted job-array task $NUMBER.$_[0]{task}\n" : "<JB_job_number>$NUMBER</JB_job_number>" . $text) };
    $adapter->_accepted({ tag => $TAGS[2], ids => ["$NUMBER.3"] });
    $adapter->listing_command;
    $adapter->parse_listing(done(out => sample('qstat-xml.xml') =~ s{<state>qw<}{<state>Eqw<}r));
    $adapter->_end_broken for 1 .. 2;
    is_deeply \@asked, [ [ 'qstat', '-xml', '-j', $NUMBER ], [ 'qdel', "$NUMBER.3" ] ], 'by the number of the array, then by that of the element' or diag explain \@asked;
    my $deleted = sub {
        my ($element) = @_;
        $adapter->_take_deletion({ tag => $TAGS[2], id => "$NUMBER.3", reason => 'why 3' }, done(out => "x has deleted job-array task $NUMBER.$element\n"));
        return $adapter->_log->jobs->{ $TAGS[2] }{is};
    };
    is $deleted->(33), 'queued', 'the deletion of another element is not its end';
    is $deleted->(3),  'ended',  'its own is';
};

# --- ends -------------------------------------------------------------------------------------------------------------------------

subtest 'each element has an end of its own, also one that never ran' => sub {
    my $adapter = with_array();
    spew($adapter->spool . "/$_", sample("$_.txt")) for qw(accounting reporting);
    my @asked = map { { tag => $_, ids => [], since => 5 } } @TAGS;
    my $told = sub { return { map { $_->{id} => join ' ', grep { defined } @$_{qw(tag cause exit)} } @_ } };
    my %all = ((map { ("$NUMBER.$_" => $TAGS[ $_ - 1 ] . " EXITED $_") } 1 .. 3), map { ("$NUMBER.$_" => $TAGS[ $_ - 1 ] . ' CANCELLED') } 4, 5);
    is_deeply $told->($adapter->read_records(\@asked)), \%all, 'by the files, of before we came too';
    is_deeply $told->(adapter()->read_records(\@asked)), {}, 'where the array is not known nothing is told';

    my $follows = with_array();
    $follows->_records->has_grown;
    spew($follows->spool . "/$_", sample("$_.txt")) for qw(accounting reporting);
    my ($ended, $started) = $follows->_records->news({ watched(1), watched(3, 'started'), (map { ($_ => { ids => ["9.2"], is => 'queued', at => 0, submitted => 5 }) } $TAGS[1]) });
    is_deeply $told->(@$ended), { "$NUMBER.1" => "$TAGS[0] EXITED 1", "$NUMBER.3" => "$TAGS[2] EXITED 3" }, 'by what comes: of those that are watched, under the id that they have';
    is_deeply [ map { $_->{id} } @$started ], ["$NUMBER.1"], 'a beginning';

    my $blind = with_array(accounting_file => '/nowhere/accounting', reporting_file => '/nowhere/reporting', deleted_grace => 0);
    my ($qacct, $qstat) = $blind->record_commands(\@asked);
    is $qacct->[-1], 'jg*', 'qacct is asked for arrays too';
    my $rows = $blind->parse_records(done(name => 'qacct', out => sample('qacct.txt')), \@asked);
    is_deeply $told->(@$rows), { map { ("$NUMBER.$_" => $TAGS[ $_ - 1 ] . " EXITED $_") } 1 .. 3 }, 'what it says';
    $blind->_accepted({ tag => $TAGS[4], ids => ["$NUMBER.5"] });
    my $over = sample('held.qstat-xml.xml') =~ s/<state>hqw/<state>z/r;
    is_deeply $told->(@{ $blind->parse_records(done(out => $over), \@asked) }), { "$NUMBER.5" => "$TAGS[4] CANCELLED" }, 'and of one that never ran the list of those that are over';
    ok $blind->gone_after_cancel({ ids => ["$NUMBER.5"] }) > 0, 'else one that we have cancelled is over when it has not been shown for a while';
};

# --- cancel, the job itself -------------------------------------------------------------------------------------------------------

subtest 'what qdel says of elements' => sub {
    my $adapter = with_array();
    my $words;
    no warnings 'redefine';
    local *Jobgate::Commands::run = sub { $words = $_[1]; return done(name => 'qdel', exit => 1, out => "a has deleted job-array task 7.1\na has registered the job-array task 7.12 for deletion\njob \"7\" task \"3\" does not exist\n"
        . "denied: job \"8\" does not exist\nerror: commlib error\n") };
    my %trouble = $adapter->cancel_rows([ map { { tag => $_, id => $_ } } qw(7.1 7.2 7.3 7.12 8.1 9) ]);
    is_deeply $words, [qw(qdel 7.1 7.2 7.3 7.12 8.1 9)], 'one command';
    is_deeply [ sort keys %trouble ], [qw(7.2 9)], 'those of which nothing is said are not clear; those that are gone are as good as cancelled';
};

subtest 'elements that are being deleted already, of which qdel says only the number of their array' => sub {
    my $adapter = with_array();
    my $said;
    no warnings 'redefine';
    local *Jobgate::Commands::run = sub { return done(name => 'qdel', exit => 1, out => $said) };
    my $unclear = sub { my %trouble = $adapter->cancel_rows([ map { { tag => $_, id => $_ } } @_ ]); return [ sort keys %trouble ] };
    my $once = "job 7 is already in deletion\n";
    $said = $once;
    is_deeply $unclear->('7.2'), [], 'one alone';
    is_deeply $unclear->('7'),   [], 'a job that is no array';
    is_deeply $unclear->(qw(7.2 7.3)), [qw(7.2 7.3)], 'said once of two it may be of either';
    is_deeply $unclear->(qw(71.2 7.2)), ['71.2'], 'and it is of no other array';
    $said = "$once$once";
    is_deeply $unclear->(qw(7.2 7.3)), [], 'said of both';
    $said = "${once}a has registered the job-array task 7.1 for deletion\njob \"7\" task \"3\" does not exist\n";
    is_deeply $unclear->(qw(7.1 7.2 7.3)), [], 'beside others that are told by their own numbers';
};

subtest 'the job does not see that it is one of many' => sub {
    local @ENV{qw(JOB_ID SGE_TASK_ID SGE_TASK_LAST SGE_ROOT)} = (12, 3, 5, '/opt/sge');
    is Jobgate::Launcher::id(), '12.3', 'its id is as the listing has it';
    is_deeply { map { $_ => Jobgate::JobFile::inherited()->{$_} } qw(SGE_TASK_ID SGE_TASK_LAST SGE_ROOT) }, { SGE_TASK_ID => 'undefined', SGE_TASK_LAST => 'undefined', SGE_ROOT => '/opt/sge' },
        'its environment is that of a job by itself';
    local $ENV{SGE_TASK_ID} = 'undefined';
    is Jobgate::Launcher::id(), '12', 'that has no number';
};

subtest 'lists of elements' => sub {
    is_deeply [ Jobgate::Arrays::numbers($_->[0]) ], $_->[1], "the list '$_->[0]'" for [ '3' => [3] ], [ '1-3:1' => [ 1, 2, 3 ] ], [ '1,5-9:2,x,7-' => [ 1, 5, 7, 9 ] ], [ '998-99999' => [ 998 .. 1000 ] ], [ '1-3:0' => [] ], [ '' => [] ];
};

done_testing;
