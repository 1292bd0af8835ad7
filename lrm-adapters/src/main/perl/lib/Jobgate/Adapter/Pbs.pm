# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Adapter::Pbs;

# Runs jobs in TORQUE, OpenPBS or PBS Pro, through qsub, qstat, qdel and pbsnodes (docs/internals/pbs.md). Which of them it is, it asks once.

use strict;
use warnings;

use parent 'Jobgate::Adapter::Batch';

use FindBin ();
use Jobgate::Commands         ();
use Jobgate::Pbs::Accounting  ();
use Jobgate::Pbs::Dialect     ();
use Jobgate::Pbs::Ends        ();
use Jobgate::Pbs::Qstat       ();
use Jobgate::Pbs::Queues      ();
use Jobgate::Pbs::Request     ();

use constant {
    RECORD_GRACE      => 10,
    GONE_AFTER_CANCEL => 10,
    IDS_PER_COMMAND   => 500,
    SINGLY            => 20,     # jobs that are asked for one by one in a round, where an answer left them out
    HISTORY_SECONDS   => 600,    # after which a server that kept no history is asked for it again; setting history_seconds
    NOTE_MOST         => 400,
};

# C, F and X are left to the records: the listing of everybody's jobs holds what others wrote, that of one id does not.
my %IS = (
    (map { $_ => 'queued' } qw(Q W T)), (map { $_ => 'started' } qw(R E B)), (map { $_ => 'suspended' } qw(S U H)), (map { $_ => 'over' } qw(C F X)),
);

sub lrm               { return 'PBS' }
sub programs          { return qw(qsub qstat qdel qhold qrls) }
sub command_directory { return $_[0]->setting('pbs_bin') }
sub resources         { my ($self) = @_; return ($self->SUPER::resources, Jobgate::Pbs::Request::resources($self->dialect)) }
sub record_grace      { return $_[0]->setting('record_grace', RECORD_GRACE) }
sub gone_after_cancel { return GONE_AFTER_CANCEL }

# Only operators and managers may suspend jobs that run: a site says that its accounts are.
sub capabilities {
    my ($self) = @_;
    return { job_types => [qw(single multiple mpi)], suspends => [ 'pending', $self->setting('suspend_running', 'n') eq 'y' ? 'active' : () ] };
}

# TORQUE's commands look at PBS_DEFAULT, OpenPBS's at PBS_SERVER and the configuration that PBS_CONF_FILE names.
sub environment {
    my ($self) = @_;
    return { PBS_DEFAULT => $self->setting('pbs_server'), PBS_SERVER => $self->setting('pbs_server'), PBS_CONF_FILE => $self->setting('pbs_conf_file') };
}

sub dialect {
    my ($self) = @_;
    return $self->{dialect} //= $self->_ask_dialect;
}

sub _ask_dialect {
    my ($self) = @_;
    my $chosen = $self->setting('dialect', '');
    return Jobgate::Pbs::Dialect->new($chosen, 0) if $chosen =~ /\A(?:torque|openpbs)\z/;
    for my $command ([ 'qstat', '--version' ], [ 'qstat', '-B', '-f' ]) {
        my $done = $self->commands->run($command);
        my $dialect = Jobgate::Pbs::Dialect->of("$done->{out}\n$done->{err}");
        return $dialect if $dialect;
        die "$done->{name}: " . Jobgate::Commands::said($done) . "\n" if $done->{exit} < 0 || $done->{exit} == 127;
    }
    die "qstat does not say whether it is TORQUE's or OpenPBS's; set the option dialect to torque or openpbs\n";
}

# --- submit ---------------------------------------------------------------------------------------------------------------------------

sub refusal {
    my ($self, $spec) = @_;
    my (undef, $fault) = Jobgate::Pbs::Request::words($spec, $self->dialect, $self->{settings});
    return $fault;
}

sub submit_command {
    my ($self, $job) = @_;
    my ($words) = Jobgate::Pbs::Request::words($job->{spec}, $self->dialect, $self->{settings});
    my @common = Jobgate::Pbs::Request::common($job->{tag}, $self->dialect, $self->{settings}, $job->{spec});
    return ([ 'qsub', @common, @$words ], text => $self->script($job->{tag}, $self->_spread($job)));
}

# Processes for many hosts are started there by PBS's own pbsdsh, one on each of the job's processors.
sub _spread {
    my ($self, $job) = @_;
    return if $job->{count} == 1 || Jobgate::Pbs::Request::hosts($job->{spec}) eq '1';
    return ($self->command_path('pbsdsh'), '-c', $job->{count}, $^X, "$FindBin::RealBin/jobgate-job", $self->files($job->{tag}), $job->{tag}, 'step');
}

sub command_path {
    my ($self, $name) = @_;
    my $directory = $self->command_directory;
    return defined $directory ? "$directory/$name" : $name;
}

sub submit_answer {
    my ($self, $done, $job) = @_;
    # without its line feed it may be half an id
    my ($id) = $done->{out} =~ /^([0-9]{1,12}\.[A-Za-z0-9_.-]{1,255})\n\s*\z/m;
    return { ids => [$id] } if $done->{exit} == 0 && defined $id;
    my $said = _said($done);
    return { unclear => "qsub: $said", alone => 1 } if Jobgate::Pbs::Request::is_of_job($done->{err});
    return { unclear => "qsub: $said" } unless Jobgate::Pbs::Request::is_refusal($done->{err}, $done->{exit}, $self->dialect);
    return { refused => Jobgate::Adapter::fault('LRM_REFUSED', "PBS did not take the job: $said", 'Correct what PBS complains of, or ask the administrator.',
        command => 'qsub', command_exit => $done->{exit}, output => substr $done->{err}, 0, 4096) };
}

# All that qsub says: a hook of the site may write several lines.
sub _said {
    my ($done) = @_;
    my $text = join '; ', grep { length } map { s/\A\s+|\s+\z//gr =~ s/\Aqsub: //r =~ s/[\x00-\x1f\x7f]+/ /gr } split /\n/, $done->{err};
    return length $text ? substr $text, 0, 500 : Jobgate::Commands::said($done);
}

# --- questions ------------------------------------------------------------------------------------------------------------------------

sub listing_command { my ($self) = @_; return $self->dialect->listing }

sub parse_listing {
    my ($self, $done) = @_;
    my $known = $self->_log->{jobs};
    return [ grep { $_->{is} ne 'over' && !$self->_is_to_be_asked($_, $known->{ $_->{tag} }) } map { $self->_live_row($_) } grep { $self->_is_ours($_) } Jobgate::Pbs::Qstat::jobs($done->{out}) ];
}

# The listing is no witness: others can write into it. That a job of ours is as it was is believed, unless it has left its end; of any change PBS is asked
# by the job's id.
sub _is_to_be_asked {
    my ($self, $row, $job) = @_;
    return 0 if !$job || $row->{is} eq 'unknown';
    return 1 if $row->{is} ne ($job->{is} eq 'requeued' ? 'queued' : $job->{is});
    return $row->{is} eq 'started' && defined $self->job_file($row->{tag})->end_of;
}

sub _is_ours { my ($self, $job) = @_; return defined $job->{tag} && $job->{user} eq $self->account }

sub _live_row {
    my ($self, $job) = @_;
    my $is = $IS{ $job->{job_state} };
    $self->log("PBS says that $job->{id} ($job->{tag}) is in the state $job->{job_state}, which is not known here") if !$is && !$self->{told_state}{ $job->{job_state} }++;
    my $began = Jobgate::Pbs::Qstat::ms($job->{stime} // $job->{start_time});
    my $changed = $is && $is eq 'started' ? $began : $is && $is eq 'queued' && !defined $began ? Jobgate::Pbs::Qstat::ms($job->{qtime}) : undef;
    my $note = ($is // '') =~ /\A(?:queued|suspended)\z/ ? _note($job->{comment}) : undef;
    return { tag => $job->{tag}, id => $job->{id}, is => $is // 'unknown', held => $job->{job_state} eq 'H', at => $changed, began => $began, queued => scalar Jobgate::Pbs::Qstat::ms($job->{qtime}),
        defined $note ? (note => $note) : () };
}

# Why a job waits or is held, or that it can never run, in the words of PBS's scheduler. The comment of an earlier run does not count.
sub _note {
    my ($comment) = @_;
    my $text = ($comment // '') =~ s/[\x00-\x1f\x7f]+/ /gr =~ s/\A +| +\z//gr;
    # how much is free at the moment is another with each look
    $text =~ s/ *\(R: [^()]*\)//g if $text =~ /\ANot Running/;
    return length $text && $text !~ /\AJob (?:run|was sent|started|Array Began)\b/i ? 'PBS: ' . substr $text, 0, NOTE_MOST : undef;
}

my $ID = qr/\A[0-9]{1,12}\.[A-Za-z0-9_.-]{1,255}\z/;

# A job that PBS took twice runs under the id that claimed it.
sub _ids_of { my ($self, $job) = @_; return grep { defined && /$ID/ } $job->{ids}[0], $self->job_file($job->{tag})->claimed_by }

sub record_commands {
    my ($self, $jobs) = @_;
    my %ids = map { $_ => 1 } map { $self->_ids_of($_) } @$jobs;
    @$self{qw(silent answered)} = ({}, {});
    my @ids = sort keys %ids or return;
    return $self->dialect->record($self->_has_history, @ids);
}

# Those that an answer left out, one by one, and without the history where the server turns out to keep none.
sub further_record_commands {
    my ($self, $jobs) = @_;
    my @ids = sort grep { !$self->{answered}{ Jobgate::Pbs::Qstat::number($_) } } keys %{ $self->{silent} };
    my @again = splice @{ $self->{without_history} //= [] };
    return $self->dialect->record(0, @again) if @again;
    splice @ids, SINGLY if @ids > SINGLY;
    delete @{ $self->{silent} }{@ids};
    return map { $self->dialect->record($self->_has_history, $_) } @ids;
}

# The answer for each: of one that was asked for there is a job or a complaint that it is not known.
sub unclear_records {
    my ($self, $jobs) = @_;
    my @unsaid = grep { my ($id) = $self->_ids_of($_); defined $id && !$self->{answered}{ Jobgate::Pbs::Qstat::number($id) } } @$jobs;
    return map { $_->{tag} => "qstat says nothing of the job $_->{ids}[0]" } @unsaid;
}

sub _has_history { my ($self) = @_; return !$self->dialect->is_torque && ($self->{no_history_until} // 0) < time }

# An answer speaks of the ids that it was asked for, and of no other; if it says two things of one, it is not believed.
sub parse_records {
    my ($self, $done, $jobs) = @_;
    my @asked = grep { /$ID/ } @{ $done->{words} };
    return $self->_learn_of_history(@asked) if !$self->dialect->is_torque && $done->{err} =~ /not configured to maintain job history/;
    my %asked = map { Jobgate::Pbs::Qstat::number($_) => $_ } @asked;
    my %gone  = map { Jobgate::Pbs::Qstat::number($_) => 1 } keys %{ Jobgate::Pbs::Qstat::gone($done->{err}) };
    my %job   = map { Jobgate::Pbs::Qstat::number($_->{id}) => $_ } Jobgate::Pbs::Qstat::jobs($done->{out}, 1);
    die "$done->{name}: " . Jobgate::Commands::said($done) . "\n" if $done->{exit} != 0 && !%job && !%gone;
    my @clear = grep { $job{$_} xor $gone{$_} } keys %asked;
    $self->{answered}{$_} = 1 for @clear;
    # asked for alone, it had its chance
    if (@asked > 1) { $self->{silent}{ $asked{$_} } = 1 for grep { !($job{$_} xor $gone{$_}) } keys %asked }
    return [ map { $self->_row($_) } grep { $self->_is_ours($_) } map { $job{$_} // () } @clear ];
}

# A server that keeps no history answers so to each question about history, even for live jobs. The administrator may switch it on.
sub _learn_of_history {
    my ($self, @ids) = @_;
    $self->log('PBS keeps no history of jobs (job_history_enable): how they ended is only known from what they leave') unless $self->{no_history_until};
    $self->{no_history_until} = time + $self->setting('history_seconds', HISTORY_SECONDS);
    push @{ $self->{without_history} }, @ids;
    return [];
}

sub _row {
    my ($self, $job) = @_;
    my $row = $self->_live_row($job);
    return $row->{is} eq 'over' ? $self->_ended_row($job, $row->{began}) : $row;
}

sub _ended_row {
    my ($self, $job, $began) = @_;
    my $file = $self->job_file($job->{tag});
    my $own  = $file->end_of;
    undef $own if $own && defined $own->{id} && $own->{id} ne $job->{id};
    my $end = Jobgate::Pbs::Ends::of($job, $own, dialect => $self->dialect, began => defined $file->claimed_by,
        cancelled => ($self->_log->{jobs}{ $job->{tag} } // {})->{cancelled});
    my $at = Jobgate::Pbs::Qstat::ms($job->{comp_time} // $job->{history_timestamp} // $job->{end} // $job->{mtime});
    return { %$end, tag => $job->{tag}, id => $job->{id}, is => 'ended', at => $at, began => $began };
}

# The server's accounting, where the account may read it: for jobs that qstat has forgotten.
sub read_records {
    my ($self, $jobs) = @_;
    my $directory = $self->setting('accounting') // return;
    my @wanted = map { { tag => $_->{tag}, name => Jobgate::Pbs::Request::name($_->{tag}), made => Jobgate::Questions::made_at($_->{tag}) } } @$jobs;
    my $ends = ($self->{accounting} //= Jobgate::Pbs::Accounting->new($directory, $self->account))->ends(\@wanted, time);
    return map { $self->_ended_row($_, Jobgate::Pbs::Qstat::ms($_->{start})) } map { $ends->{$_} } sort keys %$ends;
}

# --- cancel ---------------------------------------------------------------------------------------------------------------------------

# One qdel for all; a job that is over or unknown by now is as good as ended.
sub cancel_rows {
    my ($self, $rows) = @_;
    my %tags = map { Jobgate::Pbs::Qstat::number($_->{id}) => $_->{tag} } @$rows;
    my @ids = map { $_->{id} } @$rows;
    my %trouble;
    while (my @some = splice @ids, 0, IDS_PER_COMMAND) {
        my $done = $self->commands->run([ 'qdel', @some ]);
        next if $done->{exit} == 0;
        my ($is_told, %of) = _complaints($done->{err});
        my @unclear = $is_told ? keys %of : map { Jobgate::Pbs::Qstat::number($_) } @some;
        $trouble{ $tags{$_} } = 'qdel: ' . ($of{$_} // Jobgate::Commands::said($done)) for grep { defined $tags{$_} } @unclear;
    }
    return %trouble;
}

# Whether every complaint is of a job that it names, and those that are not of jobs that are gone: number => complaint.
sub _complaints {
    my ($text) = @_;
    my %of;
    my @lines = grep { /\S/ } split /\n/, $text;
    for my $line (@lines) {
        my ($number) = $line =~ /\Aqdel: .*?\b([0-9]{1,12})(?:\.[A-Za-z0-9_.-]+)?\s*\z/ or return (0);
        $of{$number} = $line unless $line =~ /Unknown Job Id|has finished|invalid state|Request invalid for state|already in exit/;
    }
    return (scalar @lines, %of);
}

# --- suspend, resume --------------------------------------------------------------------------------------------------------------

my $DENIED = qr/Unauthorized Request|not (?:allowed|authorized)/i;

sub suspend_rows {
    my ($self, $rows) = @_;
    return map { $self->_change_of($_, $_->{is} eq 'started' ? [ 'qsig', '-s', 'suspend', $_->{id} ] : [ 'qhold', '-h', 'u', $_->{id} ]) } @$rows;
}

sub resume_rows {
    my ($self, $rows) = @_;
    return map { $self->_change_of($_, $_->{held} ? [ 'qrls', '-h', 'u', $_->{id} ] : [ 'qsig', '-s', 'resume', $_->{id} ]) } @$rows;
}

sub _change_of {
    my ($self, $row, $command) = @_;
    return $self->trouble_of($self->commands->run($command), [$row], $DENIED);
}

# --- queues ---------------------------------------------------------------------------------------------------------------------------

sub queues {
    my ($self) = @_;
    my ($queues, $server) = map { $self->_output(@$_) } [qw(qstat -Q -f)], [qw(qstat -B -f)];
    # some sites let only administrators see the nodes
    my $nodes = eval { Jobgate::Pbs::Queues::read_nodes($self->_output(qw(pbsnodes -a))) };
    $self->log("how many processors PBS has is not known: $@") if !$nodes && !$self->{told_nodes}++;
    return Jobgate::Pbs::Queues::of(Jobgate::Pbs::Queues::read_queues($queues), $nodes, Jobgate::Pbs::Queues::read_default($server));
}

sub _output {
    my ($self, @command) = @_;
    my $done = $self->commands->run(\@command);
    die "$done->{name}: " . Jobgate::Commands::said($done) . "\n" if $done->{exit} != 0;
    return $done->{out};
}

1;
