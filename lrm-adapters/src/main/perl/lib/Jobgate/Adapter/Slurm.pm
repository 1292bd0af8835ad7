# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Adapter::Slurm;

# Runs jobs in Slurm 22.05: through sbatch and scancel; squeue says how they are, sacct what it has forgotten (docs/internals/slurm.md).

use strict;
use warnings;

use parent 'Jobgate::Slurm::Submission', 'Jobgate::ArrayOrders', 'Jobgate::Adapter::Batch';

use POSIX   ();
use Time::Local ();
use Jobgate::Adapter           ();
use Jobgate::Slurm::Arrays     ();
use Jobgate::Slurm::Options    ();
use Jobgate::Slurm::Partitions ();
use Jobgate::Slurm::States     ();
use Jobgate::Slurm::Use        ();

use constant {
    IDS_PER_CANCEL     => 100,
    GONE_SECONDS       => 20,     # after which an element that was cancelled while it waited, and of which Slurm keeps nothing, is over
    TAGS_PER_QUESTION  => 200,
    TIMES_KEPT         => 1000,
};

# the times that were read last: of a thousand jobs many began in the same second
my %LAST_TIME;

my $TAG = qr/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
# squeue's fields; those whose text a user may choose stand last, and the end shows that a row is whole
my @LISTED = qw(JobArrayID UserName State exit_code Reason SubmitTime StartTime EndTime Name Comment);
# where a row begins
# a job's id; that of an array's element has its number behind it
my $ID = qr/[1-9][0-9]{0,9}(?:_[0-9]{1,7})?/;
my $BEGIN = qr/$ID\|[^|\n]+\|[A-Z_]+\|[0-9]+\|/;
my @RECORDED = qw(jobid user state exitcode submit start end jobname jobid);
my $OVER_MEMORY = qr/^(slurmstepd[^\n]*(?:[Ee]xceeded (?:job |step )?memory limit|oom[-_]kill)[^\n]*)/m;
# reasons to wait that say no more than that the job waits
my %NO_NEWS = map { $_ => 1 } qw(None Priority Resources (null)), '';

sub capabilities      { return { job_types => [qw(single multiple mpi)], suspends => [qw(pending active)] } }
sub resources         { return ($_[0]->SUPER::resources, Jobgate::Slurm::Options::resources()) }
sub programs          { return qw(sbatch squeue scancel sacct scontrol) }
sub command_directory { return $_[0]->setting('slurm_bin') }
sub environment       { my ($self) = @_; return { SLURM_CONF => $self->setting('slurm_conf') // $ENV{SLURM_CONF}, SLURM_TIME_FORMAT => 'standard' } }

# --- questions --------------------------------------------------------------------------------------------------------------------

sub listing_command {
    my ($self) = @_;
    return [ 'squeue', '--noheader', '--array', '--states=all', '--user=' . $self->account, '-O', join(',', map { "$_:|" } @LISTED) . 'end' ];
}

# Rows that are not whole, or not ours, are left out: what a row does not say, it does not say wrongly. A name or comment may hold line feeds, and so what
# looks like rows: of an id that is there twice nothing is believed, and sacct is asked. A row that is as it was is not read again: most are, and there may
# be many.
sub parse_listing {
    my ($self, $done) = @_;
    die "squeue's answer was not understood: " . substr($done->{out}, 0, 100) . "\n" if $done->{out} =~ /\S/ && $done->{out} !~ /\A$BEGIN/;
    my ($before, %rows, %number) = $self->{lines} // {};
    $self->arrays->look_again;
    for my $text (split /\n(?=$BEGIN|\z)/, $done->{out}) { $rows{$text} = $before->{$text} // $self->_listed($text) // next }
    die "squeue's answer is cut off\n" if $done->{out} =~ /\S/ && !%rows && $done->{out} !~ /\|end\n\z/;
    $self->{lines} = \%rows;
    my @ours = grep { defined $_->{tag} } values %rows;
    $number{ $_->{id} }++ for @ours;
    return [ grep { $number{ $_->{id} } == 1 } @ours ];
}

# The row of a text; an empty one where it is not ours, undef where it is none.
sub _listed {
    my ($self, $line) = @_;
    return unless $line =~ /\A($ID)\|([^|]+)\|([A-Z_]+)\|([0-9]+)\|([^|]*)\|([^|]*)\|([^|]*)\|([^|]*)\|(.*)\|end\z/s;
    my %has = (id => $1, user => $2, state => $3, status => $4, reason => $5, submitted => $6, began => $7, ended => $8, texts => $9);
    return {} if $has{user} ne $self->account;
    my ($name, $comment) = $has{texts} =~ /\A([^|]*)\|(?:.*\|)?([^|]*)\z/s or return {};
    my $tag = $self->_tag_of($has{id}, $name, $comment);
    # of an array that cannot be read, the next listing may say more
    return defined Jobgate::Slurm::Arrays::of_texts($name, $comment) ? undef : {} unless defined $tag;
    return $self->_row($tag, \%has, $has{status} >> 8 & 255, $has{status} & 127, 'squeue');
}

# The job of ours that a job of Slurm's is, by its name, else by its comment; undef where it is none.
sub _tag_of {
    my ($self, $id, $name, $comment) = @_;
    return $1 if $name =~ /\Ajg-($TAG)\z/ || ($comment // '') =~ /\Ajobgate:($TAG)\z/;
    my ($index) = $id =~ /_([0-9]+)\z/ or return;
    my $array = Jobgate::Slurm::Arrays::of_texts($name, $comment) // return;
    return $self->arrays->tag_of($array, $index);
}

sub _row {
    my ($self, $tag, $has, $exit, $signal, $where) = @_;
    my ($is, $cause) = Jobgate::Slurm::States::of($has->{state});
    my ($began, $ended, $submitted) = map { _ms($_) } @$has{qw(began ended submitted)};
    my %row = (tag => $tag, id => $has->{id}, is => $is, queued => $submitted, began => $began);
    if ($is eq 'unknown') { $self->_tell_unknown($has->{state}) if $has->{state} !~ /\A(?:COMPLETING|REVOKED)/; return \%row }
    if ($is eq 'ended') {
        # of a job that was cancelled before it ran, the beginning is its end
        my $ran = defined $began && defined $ended && ($ended > $began || $cause ne 'CANCELLED');
        return { %row, began => $ran ? $began : undef, at => $ended, $ran ? (wall => $ended - $began) : (), ask => $cause eq 'CANCELLED' && $where eq 'squeue',
            Jobgate::Slurm::States::end($has->{state}, $exit, $signal, $has->{reason} // '', $where) };
    }
    if ($is eq 'queued' && ($has->{reason} // '') =~ /\AJobHeld/) { $is = $row{is} = 'suspended' }
    $row{held} = 1 if $is eq 'suspended' && $has->{state} !~ /\AS(?:TOPPED|USPENDED)/;
    $row{note} = "Slurm: $has->{reason}" if $is ne 'started' && !$NO_NEWS{ $has->{reason} // '' };
    $row{at} = $began if $is eq 'started';
    return \%row;
}

# slurmstepd kills a job over its memory and tells it to the job's output only; the state says FAILED, with SIGKILL.
sub event_of {
    my ($self, $row) = @_;
    my $may_be_memory = $row->{is} eq 'ended' && $row->{cause} =~ /\A(?:EXITED|SIGNALLED|CANCELLED)\z/ && ($row->{exit} || $row->{signal});
    if ($may_be_memory && $self->job_file($row->{tag})->printed =~ $OVER_MEMORY) {
        $row = { %$row, cause => 'MEMORY', command => 'slurmstepd', output => $1 };
    }
    return $self->SUPER::event_of($row);
}

sub _tell_unknown {
    my ($self, $state) = @_;
    $self->log("Slurm says the state '$state', which is not known here: it changes nothing") unless $self->{told_unknown}{$state}++;
    return;
}

# Milliseconds since 1970 of a time in UTC; undef where there is none.
sub _ms {
    my ($text) = @_;
    return $LAST_TIME{$text} if exists $LAST_TIME{ $text // '' };
    my $is_time = ($text // '') =~ /\A([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})\z/;
    my $seconds = $is_time ? eval { Time::Local::timegm($6, $5, $4, $3, $2 - 1, $1) } : undef;
    %LAST_TIME = () if keys %LAST_TIME >= TIMES_KEPT;
    return $LAST_TIME{ $text // '' } = defined $seconds ? $seconds * 1000 : undef;
}

# By id where it is known, else by name; nothing older than the jobs: ids are used again.
sub record_commands {
    my ($self, $jobs) = @_;
    my @with_id = grep { ($_->{ids}[0] // '') =~ /\A$ID\z/ } @$jobs;
    my @without = grep { ($_->{ids}[0] // '') !~ /\A$ID\z/ } @$jobs;
    my ($since) = sort { $a <=> $b } map { $_->{since} } @without;
    my @arrays  = map { { name => Jobgate::Slurm::Arrays::name($_), since => $since } } @without ? $self->arrays->arrays_of(map { $_->{tag} } @without) : ();
    return (_by('--jobs', sub { $_[0]{ids}[0] }, @with_id), _by('--name', sub { $_[0]{name} // "jg-$_[0]{tag}" }, @without, @arrays));
}

sub _by {
    my ($option, $of, @jobs) = @_;
    my @commands;
    while (my @some = splice @jobs, 0, TAGS_PER_QUESTION) {
        my ($since) = sort { $a <=> $b } map { $_->{since} } @some;
        push @commands, [ 'sacct', '--noheader', '--allocations', '--parsable2', '--starttime=' . POSIX::strftime('%Y-%m-%dT%H:%M:%S', gmtime($since > 0 ? $since : 0)),
            '--endtime=now', "$option=" . join(',', map { $of->($_) } @some), '--format=' . join ',', @RECORDED ];
    }
    return @commands;
}

sub parse_records {
    my ($self, $done, $jobs) = @_;
    # a site without accounting: the job's own record is all there is
    return [] if $done->{err} =~ /accounting storage is disabled/i;
    die "$done->{name}: " . Jobgate::Commands::said($done) . "\n" if $done->{exit} != 0;
    my $account = $self->account;
    my @rows;
    $self->arrays->look_again;
    for my $line (split /\n/, $done->{out}) {
        # the id stands last once more: then the row is whole. Until the accounting has learnt of a beginning, the row has another user and name
        my ($id, $user, $state, $code, $submitted, $began, $ended, $name, $again, @more) = split /\|/, $line, -1;
        next if @more || !defined $again || $again ne $id || $user ne $account || $id !~ /\A[1-9][0-9]{0,9}(?:_[0-9]{1,7}|_\[[0-9,%-]{1,4096}\])?\z/;
        my ($exit, $signal) = $code =~ /\A([0-9]+):([0-9]+)\z/ or next;
        # the accounting may never learn of an end ("runaway jobs"): that it shows a job alive is no sign of life
        for my $one (Jobgate::Slurm::Arrays::elements($id)) {
            my $tag = $self->_tag_of($one, $name) // next;
            push @rows, { may_be_old => 1, %{ $self->_row($tag, { id => $one, state => _named($state), submitted => $submitted, began => $began, ended => $ended }, $exit, $signal, 'sacct') } };
        }
    }
    return \@rows;
}

# What sacct says that jobs used, which are over; nothing on a site without accounting: then the job's own record is all there is.
sub used {
    my ($self, $jobs) = @_;
    my %tags = map { ($_->{ids}[0] // '') =~ /\A($ID)\z/ ? ($1 => $_->{tag}) : () } @$jobs or return [];
    my ($since) = sort { $a <=> $b } map { Jobgate::Questions::made_at($_) - Jobgate::Questions::CLOCK_SLACK() } values %tags;
    my @ids = sort keys %tags;
    my @used;
    while (my @some = splice @ids, 0, TAGS_PER_QUESTION) {
        my $done = $self->commands->run([ 'sacct', '--noheader', '--parsable2', '--starttime=' . POSIX::strftime('%Y-%m-%dT%H:%M:%S', gmtime($since > 0 ? $since : 0)),
            '--endtime=now', '--jobs=' . join(',', @some), Jobgate::Slurm::Use::format() ]);
        return [] if $done->{err} =~ /accounting storage is disabled/i;
        die 'sacct: ' . Jobgate::Commands::said($done) . "\n" if $done->{exit} != 0;
        my %found = Jobgate::Slurm::Use::of($done->{out}, $self->account);
        push @used, map { { %{ $found{$_} }, tag => $tags{$_} } } grep { $found{$_} && ($self->_tag_of($_, $found{$_}{name}) // '') eq $tags{$_} } @some;
    }
    return \@used;
}

# "CANCELLED by 1001", with the name of the account.
sub _named {
    my ($state) = @_;
    return $state =~ /\A(\w+ by) ([0-9]{1,10})\z/ ? "$1 " . ((getpwuid $2)[0] // "the user $2") : $state;
}

# --- cancel -----------------------------------------------------------------------------------------------------------------------

# Slurm keeps neither a row nor a record of an element that is cancelled by itself while it waits.
sub gone_after_cancel { my ($self, $job) = @_; return ($job->{ids}[0] // '') =~ /_/ ? GONE_SECONDS : undef }

sub cancel_rows {
    my ($self, $rows) = @_;
    my @left = @$rows;
    my %trouble;
    while (my @some = splice @left, 0, IDS_PER_CANCEL) {
        my $done = $self->commands->run([ 'scancel', map { $_->{id} } @some ]);
        next if $done->{exit} == 0;
        my %is_told = map { $_ => 1 } $done->{err} =~ /job id ($ID)/g;
        for my $row (@some) {
            # where it names the jobs, the others are well; one that has ended since is as good as cancelled
            next if %is_told && !$is_told{ $row->{id} };
            next if $done->{err} =~ /job id $row->{id}: (?:Job\/step already|Invalid job id)/;
            $trouble{ $row->{tag} } = 'scancel: ' . Jobgate::Slurm::Submission::said($done);
        }
    }
    return %trouble;
}

# --- suspend, resume --------------------------------------------------------------------------------------------------------------

my $DENIED = qr/[Aa]ccess\/permission denied|not authorized|Requested operation is presently disabled/;

# "scontrol suspend" is for operators only. Everybody may stop the processes of a job of theirs: Slurm calls it STOPPED then.
sub suspend_rows {
    my ($self, $rows) = @_;
    my @running = grep { $_->{is} eq 'started' } @$rows;
    my @waiting = grep { $_->{is} ne 'started' } @$rows;
    return ($self->_each_of(\@waiting, 'scontrol', 'hold'), $self->_each_of(\@running, 'scancel', '--signal=STOP', '--full'));
}

sub resume_rows {
    my ($self, $rows) = @_;
    my @held    = grep { $_->{held} } @$rows;
    my @stopped = grep { !$_->{held} } @$rows;
    return ($self->_each_of(\@held, 'scontrol', 'release'), $self->_each_of(\@stopped, 'scancel', '--signal=CONT', '--full'));
}

# One command for each: neither scontrol nor scancel says of many which it was that failed.
sub _each_of {
    my ($self, $rows, @words) = @_;
    my @done = $self->commands->run_all(4, [ map { [ [ @words, $_->{id} ] ] } @$rows ]);
    return map { $self->trouble_of($done[$_], [ $rows->[$_] ], $DENIED) } 0 .. $#$rows;
}

# --- queues -----------------------------------------------------------------------------------------------------------------------

sub queues {
    my ($self) = @_;
    my $partitions = $self->_read_partitions;
    my %free = map { /\A(\S+)\|[0-9]+\/([0-9]+)\/[0-9]+\/[0-9]+\z/ ? ($1 => $2) : () } split /\n/, $self->_said_by('sinfo', '--noheader', '-o', '%R|%C');
    my (%running, %waiting);
    for (split /\n/, $self->_said_by('squeue', '--noheader', '--all', '--array', '--states=PENDING,RUNNING', '-o', '%P|%t')) {
        my ($names, $state) = /\A([^|]+)\|(PD|R)\z/ or next;
        $state eq 'R' ? $running{$names}++ : $waiting{$_}++ for split /,/, $names;
    }
    return [ map {
        my $name = $_->{name};
        my %queue = (running => $running{$name} // 0, waiting => $waiting{$name} // 0, max_processors => $_->{processors}, free => $free{$name},
            map { my $field = $_; $field => $partitions->{$name}{$field} } qw(name state processors max_wall_seconds default));
        delete @queue{ grep { !defined $queue{$_} } keys %queue };
        \%queue;
    } sort { $b->{default} <=> $a->{default} || $a->{name} cmp $b->{name} } values %$partitions ];
}

sub _said_by {
    my ($self, @command) = @_;
    my $done = $self->commands->run(\@command);
    die "$command[0]: " . Jobgate::Slurm::Submission::said($done) . "\n" if $done->{exit} != 0;
    return $done->{out};
}

1;
