# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Adapter::Sge;

# Runs jobs in Grid Engine: qsub, one qstat for all jobs of the account, qdel; and for what became of them the accounting and reporting files
# of its master, or qacct where these cannot be read (docs/internals/sge.md).

use strict;
use warnings;

use parent 'Jobgate::ArrayOrders', 'Jobgate::Adapter::Batch';

use POSIX       ();
use Time::HiRes ();
use Jobgate::Arrays          ();
use Jobgate::Commands        ();
use Jobgate::Sge::Accounting ();
use Jobgate::Sge::Listing    ();
use Jobgate::Sge::Queues     ();
use Jobgate::Sge::Records    ();
use Jobgate::Sge::Submit     ();

use constant {
    FILE_INTERVAL  => 0.5,     # seconds between two looks at the size of the files
    BUSY_INTERVAL  => 0.1,     # while a job in error is being ended
    RECORD_GRACE   => 30,      # Grid Engine writes its files every 15 s unless the site says otherwise
    DELETED_GRACE  => 60,
    WHY_AFTER      => 10,      # seconds for which a job waits before it is asked why
    WHY_INTERVAL   => 60,      # seconds between two such questions; setting why_interval, 0: never
    WHY_JOBS       => 200,     # jobs in one question
    QUEUES_SECONDS => 60,      # for which what was said of the queues is believed
    REFUSAL_SECONDS => 2,      # the same where a job is refused for it
};

sub lrm               { return 'Grid Engine' }
sub resources         { my ($self) = @_; return ($self->SUPER::resources, Jobgate::Sge::Submit::resources($self->{settings})) }
sub record_grace      { return RECORD_GRACE }
sub gone_after_cancel { return DELETED_GRACE }
sub programs          { return qw(qsub qstat qdel qacct qhold qrls qmod) }
sub command_directory { my ($self) = @_; return $self->setting('sge_bin') }

# sudo leaves nothing of the environment in which an administrator has sourced Grid Engine's settings.
sub environment {
    my ($self) = @_;
    my %from = (SGE_ROOT => 'sge_root', SGE_CELL => 'sge_cell', SGE_QMASTER_PORT => 'sge_qmaster_port', SGE_EXECD_PORT => 'sge_execd_port',
        SGE_CLUSTER_NAME => 'sge_cluster_name');
    return { map { $_ => $self->setting($from{$_}, $ENV{$_}) } keys %from };
}

sub capabilities {
    my ($self) = @_;
    return { job_types => [ 'single', 'multiple', defined $self->setting('mpi_pe') ? 'mpi' : () ], suspends => [qw(pending active)], holds => 0 };
}

# --- submit ---------------------------------------------------------------------------------------------------------------------

sub refusal {
    my ($self, $spec) = @_;
    my (undef, $fault) = Jobgate::Sge::Submit::arguments('', $spec, $self->{settings});
    return $fault if $fault || !Jobgate::Sge::Queues::may_be_too_much($spec);
    return unless Jobgate::Sge::Queues::refusal($spec, $self->_known_queues);
    # the administrator may have changed it a moment ago
    return Jobgate::Sge::Queues::refusal($spec, $self->_known_queues(REFUSAL_SECONDS));
}

# (queues, those that the account may use), as they were at most so many seconds ago. While Grid Engine does not answer, nothing is refused.
sub _known_queues {
    my ($self, $seconds) = @_;
    my $now = Time::HiRes::time();
    return @{ $self->{queues} } if $self->{queues} && $now - $self->{queues_at} < ($seconds // QUEUES_SECONDS);
    my $usable = $self->commands->run([ 'qselect', '-U', $self->account ]);
    my $names  = $usable->{exit} == 0 ? Jobgate::Sge::Queues::selected($usable->{out}) : {};
    @$self{qw(queues queues_at)} = ([ eval { $self->queues } // [], %$names ? $names : undef ], $now);
    return @{ $self->{queues} };
}

sub submit_command {
    my ($self, $job) = @_;
    $self->_records->expect($job->{tag});
    my ($options) = Jobgate::Sge::Submit::arguments($job->{tag}, $job->{spec}, $self->{settings});
    return [ 'qsub', @$options, Jobgate::Sge::Submit::command($self->spool, $self->launcher($job->{tag})) ];
}

# A job of a parallel environment is by itself: what starts its processes on other hosts must see the number of its element, which an element does not show.
sub asked_for {
    my ($self, $job) = @_;
    my ($options) = Jobgate::Sge::Submit::arguments($job->{tag}, $job->{spec}, $self->{settings});
    return if grep { $_ eq '-pe' } @$options;
    my @called = Jobgate::Sge::Submit::called($job->{tag});
    # an element finds its job beside the directory of its files, which is that of new jobs
    return $self->files($job->{tag}) eq $self->files ? [ @$options[ 0 .. $#$options - @called ] ] : undef;
}

sub array_order {
    my ($self, @jobs) = @_;
    my @tags = map { $_->{tag} } @jobs;
    # what may be wrong with the words is seen before anything is kept
    my $asked = $self->asked_for($jobs[0]);
    my @launcher = $self->launcher($tags[0]);
    my $array = $self->arrays->keep(map { [$_] } @tags);
    $self->_records->expect($_) for @tags;
    my $command = [ 'qsub', @$asked, Jobgate::Sge::Submit::array_called($array, scalar @tags), Jobgate::Sge::Submit::command($self->spool, $self->element_launcher($array)) ];
    return [ [$command], sub { return $self->array_answers($array, \@tags, $self->_array_answer($_[0], scalar @tags)) } ];
}

sub _array_answer {
    my ($self, $done, $count) = @_;
    my ($number) = $done->{out} =~ /\A([0-9]{1,18})\.1-$count:1\n\z/;
    return (ids => [ map { "$number.$_" } 1 .. $count ]) if $done->{exit} == 0 && defined $number;
    # 25: there are too many jobs; fewer may be taken
    my $of_all = $done->{exit} == 0 ? { unclear => 'qsub: ' . Jobgate::Commands::said($done) } : $self->submit_answer($done);
    return (is_not_there => $of_all->{refused} || $done->{exit} == 25, unclear => $of_all->{unclear});
}

# The job that an element of an array is: its tag; undef where it is none of ours. Grid Engine counts from 1.
sub _element_of {
    my ($self) = @_;
    return $self->{element_of} //= do {
        my $arrays = $self->arrays;
        sub { my ($array, $task) = @_; return $task > 0 ? $arrays->tag_of($array, $task - 1) : undef };
    };
}

sub _listed { my ($self, $text) = @_; $self->arrays->look_again; return Jobgate::Sge::Listing::rows($text, $self->_element_of) }

# What qsub says where it will be the same the next time. Everything else, and exit code 25 (a limit on the number of jobs), may pass.
my $PASSING = qr/unable to (?:send|contact|initialize|reach)|commlib|communication|got \w+ error|time[d ]*out|qmaster|(?:submit|admin) host
    |jobs are allowed|max\w* .*jobs|try again|shut|memory|spool|disk|space/xi;

sub submit_answer {
    my ($self, $done) = @_;
    # nothing more and nothing less: half a number is another's, and what is unclear is looked up by tag
    my ($id) = $done->{out} =~ /\A([0-9]{1,18})\n\z/;
    return { ids => [$id] } if $done->{exit} == 0 && defined $id;
    my ($why) = $done->{err} =~ /^Unable to run job: *(.*?)\.?$/m;
    return { unclear => 'qsub: ' . Jobgate::Commands::said($done) } if $done->{exit} != 1 || !defined $why || $done->{err} =~ $PASSING;
    return { refused => Jobgate::Adapter::fault('LRM_REFUSED', 'Grid Engine did not take the job: ' . substr($why, 0, 300) . '.',
        'Correct what Grid Engine complains of, or ask the administrator.',
        command => 'qsub', command_exit => $done->{exit}, output => substr $done->{err}, 0, 4096) };
}

# --- the listing ----------------------------------------------------------------------------------------------------------------

sub listing_command {
    my ($self) = @_;
    $self->{listing_begun} = Time::HiRes::time();
    return [ 'qstat', '-xml', '-u', $self->account ];
}

# Jobs in error are there, and nothing changes for them until Grid Engine has said why and has deleted them.
sub parse_listing {
    my ($self, $done) = @_;
    my @ours = grep { defined $_->{tag} && $_->{owner} eq $self->account } $self->_listed($done->{out});
    $self->{broken} = { map { $_->{tag} => $_ } grep { ($_->{is} // '') eq 'error' } @ours };
    $self->{waiting} = [ grep { ($_->{is} // '') eq 'queued' } @ours ];
    return [ map { $self->_row($_) } grep { ($_->{is} // '') ne 'over' } @ours ];
}

sub _row {
    my ($self, $listed) = @_;
    $self->log("Grid Engine says of job $listed->{id} the unknown state $listed->{state}")
        if !defined $listed->{is} && !$self->{said_unknown}{ $listed->{state} }++;
    # what the files told since the listing was begun is newer
    my $is_stale = ($self->{news_at}{ $listed->{tag} } // 0) >= $self->{listing_begun};
    my $is = $is_stale || ($listed->{is} // '') eq 'error' ? 'unknown' : $listed->{is} // 'unknown';
    my %note = $is eq 'suspended' ? (note => "Grid Engine: state $listed->{state}, " . ($listed->{state} =~ /h/ ? 'held' : 'suspended'))
        : $is eq 'queued' && defined $self->{why}{ $listed->{number} } ? (note => "Grid Engine: $self->{why}{ $listed->{number} }") : ();
    return { tag => $listed->{tag}, id => $listed->{id}, is => $is, at => $listed->{at}, held => $is eq 'suspended' && $listed->{state} !~ /[sSTP]/, %note };
}

# --- what became of jobs that no listing shows ----------------------------------------------------------------------------------

sub read_records { my ($self, $jobs) = @_; return $self->_records->rows($jobs, $self->_log->{jobs}) }

# Where the files of the master are closed to us: qacct, and the list of the jobs that the master has finished with.
sub record_commands {
    my ($self, $jobs) = @_;
    return ($self->_records->has_accounting ? () : $self->_qacct_command(@$jobs),
        $self->_records->has_reporting ? () : [ 'qstat', '-xml', '-s', 'z', '-u', $self->account ]);
}

# One for all: qacct reads the whole file each time.
sub _qacct_command {
    my ($self, @jobs) = @_;
    my ($since) = sort { $a <=> $b } map { $_->{since} } @jobs;
    my $name = $self->arrays->arrays_of(map { $_->{tag} } @jobs) ? 'jg*' : @jobs == 1 ? "jg_$jobs[0]{tag}" : 'jg_*';
    return [ 'qacct', '-o', $self->account, '-E', '-b', POSIX::strftime('%Y%m%d%H%M.%S', gmtime $since), '-j', $name ];
}

sub parse_records {
    my ($self, $done, $jobs) = @_;
    return $self->_take_finished($done, $jobs) if $done->{name} eq 'qstat';
    # it complains where there is none
    die 'qacct: ' . Jobgate::Commands::said($done) . "\n" if $done->{exit} != 0 && $done->{err} !~ /not found/;
    $self->_records->add($jobs, Jobgate::Sge::Accounting::records_of_qacct($done->{out}));
    return [ $self->_records->rows($jobs, $self->_log->{jobs}) ];
}

# The master remembers some jobs that are over without saying how. One of which nothing is recorded for so long was deleted before it ran.
sub _take_finished {
    my ($self, $done, $jobs) = @_;
    my @over = grep { ($_->{is} // '') eq 'over' && defined $_->{tag} && $_->{owner} eq $self->account } $self->_listed($done->{out});
    $self->{over}{ $_->{tag} } //= { since => Time::HiRes::time(), id => $_->{id} } for @over;
    my %asked = map { $_->{tag} => 1 } @$jobs;
    my @sure = grep { $asked{$_} && Time::HiRes::time() - $self->{over}{$_}{since} >= $self->setting('deleted_grace', DELETED_GRACE) } keys %{ $self->{over} };
    return [ map { { tag => $_, id => $self->{over}{$_}{id}, is => 'ended', cause => $self->_never_ran($_) ? 'CANCELLED' : 'LOST',
        command => 'qstat -s z', output => "job $self->{over}{$_}{id} is over, and nothing is recorded of its end" } } @sure ];
}

sub _never_ran {
    my ($self, $tag) = @_;
    my $job = $self->_log->{jobs}{$tag} // return 0;
    return $job->{cancelled} || $job->{is} =~ /\A(?:queued|requeued|suspended)\z/;
}

# --- jobs that could not be started ---------------------------------------------------------------------------------------------

# One after the other, in the background: why, then its deletion, and when Grid Engine says that it is deleted, its end.
sub _end_broken {
    my ($self) = @_;
    if (my $job = $self->{ending}) {
        my $done = $job->{running}->finished // return;
        delete $self->{ending};
        return $job->{reason} ? $self->_take_deletion($job, $done) : $self->_take_reason($job, $done);
    }
    my $jobs = $self->_log->{jobs};
    my ($tag) = grep { $jobs->{$_} && $jobs->{$_}{is} ne 'ended' } keys %{ $self->{broken} // {} } or return;
    my $broken = delete $self->{broken}{$tag};
    $self->{ending} = { %$broken{qw(tag number id task)}, running => $self->commands->start([ 'qstat', '-xml', '-j', $broken->{number} ]) };
    return;
}

# Without a reason nothing is done: the error state was cleared, or there was no answer, and the next listing shows the job again.
sub _take_reason {
    my ($self, $job, $done) = @_;
    my $reason = $done->{exit} == 0 && $done->{out} =~ m{<JB_job_number>$job->{number}</JB_job_number>} ? Jobgate::Sge::Listing::reason($done->{out}, $job->{task}) : undef;
    $self->{ending} = { %$job, reason => $reason, running => $self->commands->start([ 'qdel', $job->{id} ]) } if defined $reason;
    return;
}

sub _take_deletion {
    my ($self, $job, $done) = @_;
    return unless "$done->{out}\n$done->{err}" =~ /has (?:deleted|registered the) job(?:-array task)? "?\Q$job->{id}\E(?![.0-9])/;
    my $known = $self->_log->jobs->{ $job->{tag} } // return;
    $self->_log->add($self->_poll->_ended({ tag => $job->{tag}, id => $job->{id}, is => 'ended', %{ Jobgate::Sge::Accounting::not_started($job->{reason}) } }, $known));
    return;
}

# --- why jobs wait ----------------------------------------------------------------------------------------------------------------

# Now and then, in the background; the next listing tells it.
sub _learn_why {
    my ($self) = @_;
    if (my $asking = $self->{asking}) {
        my $done = $asking->finished // return;
        delete $self->{asking};
        $self->{why} = { Jobgate::Sge::Listing::waiting($done->{out}) } if $done->{exit} == 0;
        return;
    }
    my ($now, $every) = (Time::HiRes::time(), $self->setting('why_interval', WHY_INTERVAL));
    return if !$every || $now - ($self->{asked_why_at} // 0) < $every;
    my @long = grep { $_->{at} && $_->{at} < ($now - WHY_AFTER) * 1000 } @{ $self->{waiting} // [] } or return;
    my %number = map { $_->{number} => 1 } @long;
    my @numbers = sort { $a <=> $b } keys %number;
    splice @numbers, WHY_JOBS if @numbers > WHY_JOBS;
    $self->{asked_why_at} = $now;
    $self->{asking} = $self->commands->start([ 'qstat', '-xml', '-j', join ',', @numbers ]);
    return;
}

# --- the files of the master ------------------------------------------------------------------------------------------------------

# They are looked at more often than qstat is run: that costs next to nothing, and tells beginnings and ends within a second.
sub events {
    my ($self) = @_;
    if ($self->{follows} && $self->live) {
        if ($self->_records->has_grown) { eval { $self->_tell_news; 1 } or $self->log("the files of Grid Engine: $@") }
        eval { $self->_end_broken; 1 } or $self->log("a job that could not be started: $@");
        eval { $self->_learn_why; 1 } or $self->log("why jobs wait: $@");
    }
    return $self->SUPER::events;
}

sub interval {
    my ($self) = @_;
    my $interval = $self->SUPER::interval // return;
    my $is_busy = $self->{ending} || %{ $self->{broken} // {} };
    my $most = $is_busy ? BUSY_INTERVAL : $self->_records->has_accounting ? FILE_INTERVAL : $interval;
    return $interval > $most ? $most : $interval;
}

sub _tell_news {
    my ($self) = @_;
    my $jobs = $self->_log->jobs;
    my ($ended, $started) = $self->_records->news($jobs);
    my $rows = $self->_chosen($ended);
    $self->{news_at}{ $_->{tag} } = Time::HiRes::time() for @$started;
    $self->_log->add(map { { tag => $_->{tag}, ids => [ $_->{id} ], is => 'started', at => _not_before($jobs->{ $_->{tag} }, $_->{at}) } }
        grep { !$rows->{ $_->{tag} } } @$started);
    $self->_log->add(map { $self->_poll->_ended($_, $jobs->{ $_->{tag} }) } values %$rows);
    return;
}

sub _not_before { my ($job, $at) = @_; return 1000 * $at < $job->{at} ? $job->{at} : 1000 * $at }

# --- cancel, forget -------------------------------------------------------------------------------------------------------------

# A job that has ended since is as good. A qdel that fails for one job does not tell about the others.
sub cancel_rows {
    my ($self, $rows) = @_;
    my %trouble;
    my $done = $self->commands->run([ 'qdel', map { $_->{id} } @$rows ]);
    my $said = "$done->{out}\n$done->{err}";
    my %is_told = map { $_ => 1 } $said =~ /(?:has deleted job|has registered the job|^job)(?:-array task)? "?([0-9]+(?:\.[0-9]+)?)/mg;
    my @untold = grep { !$is_told{ $_->{id} } && !_is_gone($said, $_->{id}) } @$rows;
    my $deleting = _being_deleted($said, \@untold);
    for my $row (grep { !($_->{id} =~ /^([0-9]+)[.]/ && $deleting->{$1}) } @untold) {
        $trouble{ $row->{tag} } = 'qdel: ' . Jobgate::Commands::said($done);
    }
    return %trouble;
}

sub _is_gone {
    my ($said, $id) = @_;
    my ($number, $task) = split /[.]/, $id;
    return $said =~ /denied: job "$number" does not exist/ || (defined $task && $said =~ /job "$number" task "$task" does not exist/);
}

# The numbers of the arrays of which all of these elements are being deleted already. qdel says that once for each of them, but without
# the element's own number; said of fewer, it may be of any of them.
sub _being_deleted {
    my ($said, $rows) = @_;
    my (%times, %elements);
    $times{$_}++    for $said =~ /^job "?([0-9]+)"? is already in deletion/mg;
    $elements{$_}++ for map { $_->{id} =~ /^([0-9]+)[.]/ } @$rows;
    return { map { $_ => 1 } grep { ($times{$_} // 0) >= $elements{$_} } keys %elements };
}

# --- suspend, resume --------------------------------------------------------------------------------------------------------------

my $DENIED = qr/denied|not (?:allowed|authorized)|no permission|have no privileges|you (?:do not|don't) have/i;

sub suspend_rows {
    my ($self, $rows) = @_;
    return map { $self->_change_of($_, $_->{is} eq 'started' ? [ 'qmod', '-sj', $_->{id} ] : [ 'qhold', '-h', 'u', $_->{id} ]) } @$rows;
}

sub resume_rows {
    my ($self, $rows) = @_;
    return map { $self->_change_of($_, $_->{held} ? [ 'qrls', '-h', 'u', $_->{id} ] : [ 'qmod', '-usj', $_->{id} ]) } @$rows;
}

# What is so already is as good.
sub _change_of {
    my ($self, $row, $command) = @_;
    my $done = $self->commands->run($command);
    my $said = "$done->{out}\n$done->{err}";
    return if $said =~ /already (?:suspended|unsuspended)|is not (?:suspended|in hold)/;
    # qmod's exit code is 0 where it was denied, too
    my $failed = $said =~ $DENIED && $done->{exit} == 0 ? { %$done, exit => 1, err => $said } : $done;
    return $self->trouble_of($failed, [$row], $DENIED);
}

sub close { my ($self) = @_; delete @$self{qw(ending asking)}; return $self->SUPER::close }

sub forget {
    my ($self, $jobs) = @_;
    my @tags = map { $_->{tag} } @$jobs;
    $self->_records->forget(@tags);
    delete @{ $self->{$_} }{@tags} for qw(news_at over);
    return $self->SUPER::forget($jobs);
}

# --- queues -----------------------------------------------------------------------------------------------------------------------

sub queues {
    my ($self) = @_;
    my ($summary, $set) = $self->commands->run_all(2, [ [ [qw(qstat -g c -xml)] ], [ [qw(qconf -sq *)] ] ]);
    for my $done ($summary, $set) { die "$done->{name}: " . Jobgate::Commands::said($done) . "\n" if $done->{exit} != 0 }
    return [ Jobgate::Sge::Queues::of($summary->{out}, $set->{out}) ];
}

sub _records {
    my ($self) = @_;
    return $self->{records} //= Jobgate::Sge::Records->new(account => $self->account, element_of => $self->_element_of,
        accounting => $self->setting('accounting_file', $self->_common_file('accounting.jsonl', 'accounting')),
        reporting  => $self->setting('reporting_file', $self->_common_file('reporting')));
}

# The one of these files of the cell that is written to; undef if the cell's directory is not known.
sub _common_file {
    my ($self, @names) = @_;
    my $of = $self->environment;
    return unless defined $of->{SGE_ROOT};
    my @paths = map { join '/', $of->{SGE_ROOT}, $of->{SGE_CELL} // 'default', 'common', $_ } @names;
    my ($newest) = sort { ((stat $b)[9] // 0) <=> ((stat $a)[9] // 0) } @paths;
    return $newest;
}

1;
