# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Adapter::Blah;

# Runs jobs through the scripts of HTCondor's blahp (LRMS_submit.sh, _status, _cancel, _hold, _resume), which are used as they are: whatever LRM they know is
# reached. What they do not give comes from the files that our launcher leaves: which submission runs the job, and how it ended (docs/operate/blahp-scripts.md).

use strict;
use warnings;

use parent 'Jobgate::Adapter::Batch';

use FindBin ();
use POSIX   ();
use Time::HiRes ();
use Jobgate::Adapter          ();
use Jobgate::Blah::Questions  ();
use Jobgate::Questions        ();
use Jobgate::Resources        ();
use Jobgate::Starter::Launch  ();
use Jobgate::Wire             ();

use constant {
    LIBEXEC        => '/usr/libexec/blahp',
    IDS_PER_ROUND  => 50,       # setting ids_per_round
    STATUS_AT_ONCE => 4,        # setting status_at_once
    RECORD_SECONDS => 30,       # for which the record of the launcher is waited for when the scripts say that a job is over
};

# of these the launcher learns the LRM's id from its environment: a job whose submission was not answered can be found and cancelled by it
my %TELLS_ID = map { $_ => 1 } qw(slurm pbs sge lsf);
my $NAME     = qr/\A[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}\z/;
# what is in an id of the scripts goes back to them as one word, which some of them use without quotes
my $ID       = qr{\A[A-Za-z0-9_][A-Za-z0-9_./:\@-]{0,254}\z};
my $BUSY     = qr/tim(?:ed?|ing) ?-?out|unable to contact|cannot connect|connect(?:ion)? (?:refused|failed|to)|try again|temporar|communication|not responding|no such file|not found|MaxSubmit/i;
my $REFUSAL  = qr/invalid|illegal|unknown|unrecognized|not permitted|not allowed|denied|exceed|not available|bad (?:argument|option|queue)|cannot be satisfied/i;

sub lrm               { return $_[0]->_lrms }
sub command_directory { return $_[0]->setting('blah_libexec', LIBEXEC) }
sub programs          { my ($self) = @_; return map { $self->_lrms . "_$_.sh" } qw(submit status cancel), $self->_holds ? qw(hold resume) : () }
sub queues            { return [ { whole => 1 } ] }
sub gone_after_cancel { return $_[0]->setting('gone_after_cancel', RECORD_SECONDS) }
sub record_grace      { return 0 }
sub probe             { return '' }

sub capabilities {
    my ($self) = @_;
    return { job_types => [qw(single multiple)], suspends => [ $self->_holds ? 'pending' : () ] };
}

# Whether there are scripts that hold and release jobs which wait. They take jobs that run too, and what those have done is lost: none is given to them.
sub _holds {
    my ($self) = @_;
    my $scripts = $self->command_directory . '/' . $self->_lrms;
    return $self->setting('holds', 'y') eq 'y' && -x "${scripts}_hold.sh" && -x "${scripts}_resume.sh";
}

# Scripts silently leave out what their LRM cannot express. They do not leave out what is in this list.
sub resources {
    my ($self) = @_;
    my $named = $self->setting('blah_resources', $self->_lrms eq 'condor' ? 'slots gpus gpu_model memory' : 'slots slots_per_host whole_nodes gpus gpu_model memory');
    return ($self->SUPER::resources, split ' ', $named);
}

# The word that the names of the scripts begin with.
sub _lrms {
    my ($self) = @_;
    my $lrms = $self->setting('lrms') // die "the setting lrms is missing: it names the scripts, as slurm does slurm_submit.sh\n";
    die "the setting lrms is no name: $lrms\n" unless $lrms =~ /\A[a-z][a-z0-9_]{0,31}\z/;
    return $lrms;
}

# The scripts read their configuration where they always do, unless the settings say otherwise.
sub environment {
    my ($self) = @_;
    my %more = map { /\A([A-Za-z_][A-Za-z0-9_]*)=(.*)\z/ ? ($1 => $2) : die "the setting blah_environment holds '$_', which is not NAME=VALUE\n" } split ' ', $self->setting('blah_environment', '');
    return { BLAHPD_CONFIG_LOCATION => $self->setting('blah_config'), BLAHPD_LOCATION => $self->setting('blah_location'), GAHP_TEMP => $self->_directory('cache'), %more };
}

# A directory of the adapter's own in the spool.
sub _directory {
    my ($self, $name) = @_;
    my $path = $self->spool . "/blah-$name";
    -d $path or mkdir $path, 0700 or die "cannot make $path: $!\n";
    return $path;
}

# --- submit -----------------------------------------------------------------------------------------------------------------------

# The scripts put what they are given into shell scripts of theirs: only names and numbers go there.
sub refusal {
    my ($self, $spec) = @_;
    for my $name (grep { defined $spec->{$_} } qw(queue project)) {
        next if $spec->{$name} =~ $NAME;
        return Jobgate::Adapter::fault('INVALID_DESCRIPTION', "The $name has a name that " . $self->lrm . ' cannot have.', 'Use letters, digits and ._-.', attribute => $name, value => $spec->{$name});
    }
    my ($extension) = @{ $spec->{extensions} // [] };
    return unless $extension && $extension->{name} =~ /\A(?:sbatch|nodes|resourceAllocationGroup)\z/i;
    return Jobgate::Adapter::fault('UNSUPPORTED_FEATURE', "The element $extension->{name} cannot be given to " . $self->lrm . '.', 'Leave it out.', attribute => $extension->{name}, value => '');
}

sub submit_command {
    my ($self, $job) = @_;
    my ($lrms, $tag) = ($self->_lrms, $job->{tag});
    my $work = $self->_directory('work');
    # a submission that was made twice runs once: the launcher claims the job for the LRM's id, or for a word of its own
    my $what = $TELLS_ID{$lrms} ? 'all' : sprintf 'once-%08x%08x', rand(2**32), rand(2**32);
    my @launcher = $self->launcher($tag);
    my ($perl, @words) = @launcher;
    pop @words;
    my @files = map { ($_ => $job->{file}->out_path) } qw(-o -e);
    my $run = "run-$tag-" . ++$self->{runs} . "-$$";
    return ([ "${lrms}_submit.sh", '-c', $perl, '-s', 'no', '-i', '/dev/null', @files, '-w', $work, '-T', $self->_directory('temp'), '-D', $run, $self->_asked($job->{spec}), '--', @words, $what ]);
}

sub _asked {
    my ($self, $spec) = @_;
    my $asked = Jobgate::Resources::of($spec);
    my %option = ('-q' => $spec->{queue}, '-A' => $spec->{project}, '-h' => $spec->{host_count}, '-S' => $asked->{slots_per_host}, '-g' => $asked->{gpus}, '-M' => $asked->{gpu_model});
    # the processes are the launcher's, on one host: they have a processor each, unless the LRM has no place with several
    my $slots = $self->setting('processors', 'all') eq 'one' && !defined $asked->{slots} ? 1 : Jobgate::Resources::slots($spec);
    @option{qw(-n -h)} = ($slots, $option{'-h'} // 1) if $slots > 1;
    # the scripts give whole nodes to those only that say how many
    @option{qw(-z -h)} = ('yes', $option{'-h'} // 1) if $asked->{whole_nodes};
    # whole minutes, and one more: the launcher keeps the limit to the second
    my $wall = Jobgate::Starter::Launch::wall_limit($spec);
    $option{'-t'} = int(($wall + 59) / 60) * 60 + 60 if defined $wall;
    my ($memory) = sort { $b <=> $a } grep { defined } @$spec{qw(max_memory_mib min_memory_mib)}, $asked->{memory};
    $option{'-m'} = $memory;
    for my $value (grep { defined } values %option) { die "not a word for a script: $value\n" unless $value =~ $NAME }
    return map { $_ => $option{$_} } grep { defined $option{$_} } sort keys %option;
}

sub submit_answer {
    my ($self, $done, $job) = @_;
    my $said = Jobgate::Commands::said($done);
    if ($done->{exit} == 0 && $done->{out} =~ /^BLAHP_JOBID_PREFIX(\S+)[ \t]*$/m) {
        my $id = $self->_id_of($1);
        return { ids => [$id] } if $id =~ $ID;
        return { unclear => "$done->{name}: it gave the job an id that is none: " . substr($id, 0, 100), alone => 1 };
    }
    my $all = "$done->{err}\n$done->{out}";
    return { unclear => "$done->{name}: $said" } if $done->{exit} <= 0 || $done->{exit} == 127 || $all =~ $BUSY || $all !~ $REFUSAL;
    return { refused => Jobgate::Adapter::fault('LRM_REFUSED', $self->lrm . " did not take the job: $said", 'Correct what it complains of, or ask the administrator.',
        command => $done->{name}, command_exit => $done->{exit}, output => substr $all, 0, 4096) };
}

# The LRM's own id where the launcher sees it, too; else all that the script calls the job by.
sub _id_of {
    my ($self, $handle) = @_;
    return $handle unless $TELLS_ID{ $self->_lrms };
    return $handle =~ s{.*/}{}sr;
}

# What the scripts call the job: LRMS/DAY/ID.
sub _handle {
    my ($self, $tag, $id) = @_;
    return $id if $id =~ m{/};
    return join '/', $self->_lrms, POSIX::strftime('%Y%m%d', gmtime Jobgate::Questions::made_at($tag)), $id;
}

# --- questions --------------------------------------------------------------------------------------------------------------------

# For the jobs that have left no end, those that were asked for longest ago first.
sub listing_command {
    my ($self) = @_;
    my $jobs = $self->_log->jobs;
    my @live = grep { $jobs->{$_}{is} ne 'ended' && $self->_can_be_asked($jobs->{$_}) && !$self->job_file($_)->end_of } keys %$jobs;
    @live = sort { ($self->{asked}{$a} // 0) <=> ($self->{asked}{$b} // 0) } @live;
    my $most = $self->setting('ids_per_round', IDS_PER_ROUND);
    splice @live, $most if @live > $most;
    $self->{asked} = { map { $_ => $self->{asked}{$_} // 0 } grep { $jobs->{$_}{is} ne 'ended' } keys %$jobs };
    $self->{asked}{$_} = Time::HiRes::time() for @live;
    $self->{round} = { map { $self->_handle($_, $jobs->{$_}{ids}[0]) => $_ } @live };
    return [ $^X, '-e', 'print "end\n"' ] unless @live;
    return [ $^X, "$FindBin::RealBin/jobgate-blah-status", $self->command_directory . '/' . $self->_lrms . '_status.sh', $self->setting('status_at_once', STATUS_AT_ONCE), sort keys %{ $self->{round} } ];
}

# A job whose submission was not answered may have no other id than that of the claim.
sub _can_be_asked { my ($self, $job) = @_; my $id = $job->{ids}[0] // ''; return $id =~ $ID && $id !~ /\Aonce-/ }

sub parse_listing {
    my ($self, $done) = @_;
    die "$done->{name}: its answer is cut off\n" unless $done->{out} =~ /^end\n\z/m;
    my %said = map { /\A([^\t]+)\t(.*)\z/ ? ($1 => $2) : () } split /\n/, $done->{out};
    my $jobs = $self->_log->jobs;
    for my $handle (keys %said) { my $tag = $self->{round}{$handle} // next; $self->{said}{$tag} = $said{$handle} }
    $self->{said} = { map { $_ => $self->{said}{$_} } grep { defined $self->{said}{$_} && $jobs->{$_} && $jobs->{$_}{is} ne 'ended' } keys %{ $self->{said} // {} } };
    return [ map { $self->_row_of($_, $jobs->{$_}) // () } grep { $jobs->{$_}{is} ne 'ended' } keys %$jobs ];
}

# The state of a job: by the files that it has left, else by the last answer of the script; undef if neither tells it.
sub _row_of {
    my ($self, $tag, $job) = @_;
    my $file = $self->job_file($tag);
    my %row  = (tag => $tag, id => $job->{ids}[0] // '');
    if (my $end = $file->end_of) {
        delete $self->{over}{$tag};
        my $is_ours = $job->{cancelled} && $end->{cause} eq 'SIGNALLED';
        return { %row, is => 'ended', cause => $is_ours ? 'CANCELLED' : 'EXITED', at => $end->{ended}, began => $end->{started} };
    }
    my $claim  = $file->claimed_by;
    my $ad     = Jobgate::Blah::Questions::ad($self->{said}{$tag});
    my $status = ($ad // {})->{jobstatus} // 0;
    return $self->_over(\%row, $ad, $status, $claim) if $status eq '3' || $status eq '4';
    delete $self->{over}{$tag};
    return { %row, is => 'started' } if defined $claim && ($status || !$self->_can_be_asked($job));
    return { %row, is => 'started' } if $status eq '2';
    return { %row, is => 'suspended', held => 1, defined $ad->{holdreason} ? (note => $self->lrm . ": $ad->{holdreason}") : () } if $status eq '5';
    # some scripts do not say that a job which waits is held (Slurm's): a hold that we have asked for counts until the job begins, or is released
    return { %row, is => 'suspended', held => 1 } if $status eq '1' && $self->_is_marked($tag);
    return { %row, is => 'queued' } if $status eq '1';
    return $self->{asked}{$tag} ? undef : { %row, is => 'unknown' };
}

# The script says that the job is over, and it has left no end, which may still come: it is not there at once on every file system.
sub _over {
    my ($self, $row, $ad, $status, $claim) = @_;
    my $since = $self->{over}{ $row->{tag} } //= Time::HiRes::time();
    my $exit  = $ad->{exitcode} // '';
    # this submission came second; the job is that of the first
    return { %$row, is => 'started' } if $exit eq Jobgate::JobFile::TWIN() && defined $claim;
    return { %$row, is => 'unknown' } if Time::HiRes::time() - $since < $self->setting('record_seconds', RECORD_SECONDS);
    return { %$row, is => 'ended', cause => 'CANCELLED' } if $status eq '3';
    return { %$row, is => 'ended', cause => 'SIGNALLED', signal => $ad->{exitsignal} } if ($ad->{exitsignal} // '') =~ /\A[1-9][0-9]?\z/;
    return { %$row, is => 'ended', cause => 'EXITED', exit => $exit } if $exit =~ /\A[1-9][0-9]{0,2}\z/;
    return { %$row, is => 'ended', cause => 'LOST', %{ Jobgate::Adapter::fault('LOST', $self->lrm . ' says that the job is over, and it has left no record of its end.', 'Look whether its machine is well, and submit the job again.') } };
}

# A job whose submission was not answered, and that has claimed its files, exists.
sub read_records {
    my ($self, $jobs) = @_;
    my $known = $self->_log->jobs;
    return map {
        my $claim = $self->job_file($_->{tag})->claimed_by;
        defined $claim && !$known->{ $_->{tag} } && !$self->job_file($_->{tag})->end_of ? { tag => $_->{tag}, id => $claim, is => 'started', may_be_old => 1 } : ();
    } @$jobs;
}

# --- hold, resume -----------------------------------------------------------------------------------------------------------------

sub suspend_rows {
    my ($self, $rows) = @_;
    my %claimed = map { $_->{tag} => 1 } grep { defined $self->job_file($_->{tag})->claimed_by } @$rows;
    my %trouble = (
        (map { $_->{tag} => { refused => $self->runs_already } } grep { $claimed{ $_->{tag} } } @$rows),
        $self->_each_by('hold', grep { !$claimed{ $_->{tag} } } @$rows));
    for my $tag (grep { !$trouble{$_} } map { $_->{tag} } @$rows) { open my $mark, '>', $self->_mark($tag) or die "cannot write " . $self->_mark($tag) . ": $!\n" }
    return %trouble;
}

sub resume_rows {
    my ($self, $rows) = @_;
    my %trouble = $self->_each_by('resume', @$rows);
    unlink map { $self->_mark($_) } grep { !$trouble{$_} } map { $_->{tag} } @$rows;
    return %trouble;
}

# One call for each, as blahpd does. Why a script did not do it, it does not say.
sub _each_by {
    my ($self, $order, @rows) = @_;
    my @askable = grep { $self->_can_be_asked({ ids => [ $_->{id} ] }) } @rows;
    my %is = map { $_->{tag} => 1 } @askable;
    my @done = $self->commands->run_all(4, [ map { [ [ $self->_lrms . "_$order.sh", $self->_short($_) ] ] } @askable ]);
    return (
        (map { $_->{tag} => { unclear => $self->lrm . ' tells the job no id by which it could be found', alone => 1 } } grep { !$is{ $_->{tag} } } @rows),
        map { $done[$_]{out} =~ /\A\s*0\s/ ? $self->trouble_of($done[$_], [ $askable[$_] ], qr/(?!)/) : $self->trouble_of({ %{ $done[$_] }, exit => $done[$_]{exit} || 1 }, [ $askable[$_] ], qr/^\s*1\s/m) } 0 .. $#askable);
}

# By what blahpd calls a job in its orders: without the name of the LRM.
sub _short { my ($self, $row) = @_; return $self->_handle($row->{tag}, $row->{id}) =~ s{\A[^/]*/}{}r }

sub _mark      { my ($self, $tag) = @_; return $self->_directory('held') . "/$tag" }
sub _is_marked { my ($self, $tag) = @_; return -e $self->_mark($tag) }

sub forget {
    my ($self, $jobs) = @_;
    unlink map { $self->_mark($_->{tag}) } @$jobs;
    return $self->SUPER::forget($jobs);
}

# --- cancel -----------------------------------------------------------------------------------------------------------------------

sub cancel_rows {
    my ($self, $rows) = @_;
    my (%trouble, @commands, @asked);
    for my $row (@$rows) {
        if (!length $row->{id} || $row->{id} =~ /\Aonce-/ || $row->{id} !~ $ID) {
            $trouble{ $row->{tag} } = 'the answer to its submission was lost, and ' . $self->lrm . ' tells jobs no id by which it could be found';
            next;
        }
        push @asked,    $row->{tag};
        push @commands, [ [ $self->_lrms . '_cancel.sh', $self->_short($row) ] ];
    }
    my @done = @commands ? $self->commands->run_all(4, \@commands) : ();
    for my $number (0 .. $#asked) {
        next if $done[$number]{exit} == 0 && $done[$number]{out} =~ /\A\s*0\s/;
        $trouble{ $asked[$number] } = "$done[$number]{name}: " . Jobgate::Commands::said($done[$number]);
    }
    return %trouble;
}

1;
