# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Adapter::Legacy;

# Runs jobs through a module that a site has for GRAM (Globus::GRAM::JobManager::<module>), as it is (docs/operate/legacy-adapters.md). The module
# knows one job at a time and no tags: who may start a job, how it ended and what it is called are kept in the job's own files.

use strict;
use warnings;

use parent 'Jobgate::Adapter::Batch';

use FindBin ();
use Jobgate::Commands           ();
use Jobgate::JobFile            ();
use Jobgate::Legacy::Attributes ();
use Jobgate::System             ();
use Jobgate::Wire               ();

use constant {
    POLLED_PER_ROUND => 100,    # jobs that the module is asked for in one round; setting polled_per_round
    RESUBMIT_AFTER   => 300,    # seconds for which a submission without an answer may still come to light; setting resubmit_after
    RECORD_GRACE     => 10,     # seconds for which the job's own record is waited for when the module says that it is over
};

my %IS = (1 => 'queued', 2 => 'started', 4 => 'over', 8 => 'over', 16 => 'suspended', 32 => 'queued');
# what may go well another time, or may have gone well
my $UNCLEAR = qr/tim(?:ed|e)[ -]?out|temporar|try again|unable to contact|cannot (?:contact|connect)|communicat|connection|not respond|busy|unreachable|too many/i;
my %FAULTS = (3 => 'LRM_REFUSED', 13 => 'LIMIT_EXCEEDED', 26 => 'UNSUPPORTED_FEATURE');

sub lrm               { return $_[0]->setting('module', 'legacy') }
# The site's module may do anything when it is asked, so it is asked for jobs only.
sub probe             { return '' }
sub capabilities      { my ($self) = @_; return { job_types => [ qw(single multiple), Jobgate::Legacy::Attributes::runs_mpi($self->{settings}) ? 'mpi' : () ] } }
sub record_grace      { return $_[0]->setting('record_grace', RECORD_GRACE) }

# The modules and the LRM's commands expect what a login has; the option environment adds to it, as NAME=value words.
sub environment {
    my ($self) = @_;
    my %environment = (LOGNAME => $self->account, USER => $self->account);
    for my $word (split ' ', $self->setting('environment', '')) { $environment{$1} = $2 if $word =~ /\A([A-Za-z_][A-Za-z0-9_]*)=(.*)\z/ }
    return \%environment;
}

sub _request {
    my ($self, %more) = @_;
    return Jobgate::Wire::encode({ module => $self->lrm, modules => [ split /:/, $self->setting('modules', '') ], sysconfdir => $self->setting('sysconfdir', '/etc'), %more });
}

sub _program { my (undef, @words) = @_; return [ $^X, "$FindBin::RealBin/jobgate-legacy", @words ] }

# --- submit -----------------------------------------------------------------------------------------------------------------------

sub refusal {
    my ($self, $spec) = @_;
    my (undef, $fault) = Jobgate::Legacy::Attributes::of($spec, $self->{settings});
    return $fault;
}

# A job whose submission got no answer may be in the LRM, where we cannot find it: it counts as ours when its launcher says so, and is
# submitted anew when that has not come for long. The launcher lets only one of the two start it.
sub without_known {
    my ($self, $requests, $answers) = @_;
    my @new = $self->SUPER::without_known($requests, $answers);
    for my $tag (grep { $self->_waits_for_light($_) } map { $_->{tag} } @new) {
        $answers->{$tag} = { unclear => $self->lrm . ' gave no clear answer when the job was submitted; whether it has it shows when the job starts' };
    }
    return grep { !$answers->{ $_->{tag} } } @new;
}

sub lookup {
    my ($self, $tags) = @_;
    my $found = $self->SUPER::lookup($tags);
    my %found = map { $_->{tag} => 1 } @$found;
    my ($doubtful) = grep { !$found{$_} && $self->_waits_for_light($_) } @$tags;
    die $self->lrm . " gave no clear answer when $doubtful was submitted\n" if defined $doubtful;
    return $found;
}

sub _waits_for_light {
    my ($self, $tag) = @_;
    my $written = (stat $self->files($tag) . "/$tag.job")[9] // return 0;
    return time - $written < $self->setting('resubmit_after', RESUBMIT_AFTER);
}

sub submit_command {
    my ($self, $job) = @_;
    my ($attributes) = Jobgate::Legacy::Attributes::of($job->{spec}, $self->{settings});
    my (undef, $launcher, @words) = $self->launcher($job->{tag});
    pop @words;
    my %attributes = (%$attributes, $self->_files_of($job->{tag}), executable => $^X, arguments => [ $launcher, @words, 'once-' . _word() ]);
    return ($self->_program('submit'), text => $self->_request(job => \%attributes));
}

# Another for each submission.
sub _word {
    open my $random, '<:raw', '/dev/urandom' or die "cannot read /dev/urandom: $!\n";
    read $random, my $bytes, 8;
    return unpack 'H*', $bytes;
}

# What is the same whenever the module is asked for the job.
sub _files_of {
    my ($self, $tag) = @_;
    my $files     = $self->files($tag);
    my $directory = "$files/$tag.gram";
    -d $directory or mkdir $directory, 0700 or die "cannot make $directory: $!\n";
    my $out = $self->job_file($tag)->out_path;
    return (directory => $files, jobdir => $directory, uniqid => $tag, name => 'jg' . substr($tag, 0, 8), stdout => $out, stderr => $out);
}

sub submit_answer {
    my ($self, $done, $job) = @_;
    my $said = _said($done);
    return { ids => [ $said->{JOB_ID} ] } if _is_id($said->{JOB_ID}) && !$said->{ERROR};
    return $self->_not_loaded($done, $job) if $done->{exit} > 0 && !$said->{END};
    my $words = join ' ', grep { length } $said->{GT3_FAILURE_MESSAGE} // '', $job->{file}->printed;
    return { unclear => $self->lrm . ': ' . ($words || Jobgate::Commands::said($done)) } if !$said->{END} || !$said->{ERROR} || $words =~ $UNCLEAR;
    return { refused => Jobgate::Adapter::fault($FAULTS{ $said->{ERROR} } // 'LRM_REFUSED',
        $self->lrm . " did not take the job: $said->{NAME} (GRAM error $said->{ERROR})" . ($words ? ": $words" : ''),
        'Correct what the LRM complains of, or ask the administrator.', command => $self->lrm, output => substr $words, 0, 4096) };
}

# Nothing was asked of the LRM: the next try need not wait.
sub _not_loaded {
    my ($self, $done, $job) = @_;
    $job->{file}->remove($job->{count}) if $done->{err} =~ /Can't locate|BEGIN failed|Compilation failed|syntax error|not the name of a module/;
    return { unclear => 'the module ' . $self->lrm . ': ' . Jobgate::Commands::said($done) };
}

# The module's words by name; the last of each.
sub _said {
    my ($done) = @_;
    return { $done->{out} =~ /^GRAM_SCRIPT_([A-Z0-9_]+):(.*)$/mg };
}

sub _is_id { return defined $_[0] && $_[0] =~ /\A[A-Za-z0-9_.,:\@\[\]-]{1,1024}\z/ }

# --- questions ----------------------------------------------------------------------------------------------------------------------

# Jobs that have left their end need not be asked for; of the others, those that were asked for longest ago come first.
sub listing_command {
    my ($self) = @_;
    my $jobs = $self->_log->jobs;
    my @live = sort { ($self->{asked}{$a} // 0) <=> ($self->{asked}{$b} // 0) || $a cmp $b } grep { $jobs->{$_}{is} ne 'ended' } keys %$jobs;
    my $most  = $self->setting('polled_per_round', POLLED_PER_ROUND);
    my %later = map { $_ => 1 } $most < @live ? splice @live, $most : ();
    $self->{asked} = { map { $_ => $self->{asked}{$_} } grep { exists $self->{asked}{$_} } @live, keys %later };
    $self->{asked}{$_} = Jobgate::System::now_ms() for @live;
    my @asked = map { { tag => $_, id => $jobs->{$_}{ids}[0], job => $self->_known_job($_, $jobs->{$_}{ids}[0]) } } grep { _is_id($jobs->{$_}{ids}[0]) && !$self->_is_over($_) } @live;
    my $path = $self->spool . '/legacy.poll';
    unlink $path;
    Jobgate::JobFile::write_whole($path, $self->_request(jobs => \@asked));
    return $self->_program('poll', $path);
}

sub _known_job {
    my ($self, $tag, $id) = @_;
    my $spec = eval { $self->job_file($tag)->read } // {};
    my ($attributes) = Jobgate::Legacy::Attributes::of($spec, $self->{settings});
    return { %{ $attributes // {} }, $self->_files_of($tag), executable => $^X, jobid => $id };
}

# A job that ran to its end leaves it; one that a signal ended may be queued anew by its LRM.
sub _is_over {
    my ($self, $tag) = @_;
    my $end = $self->job_file($tag)->end_of or return 0;
    return $end->{cause} ne 'SIGNALLED';
}

sub parse_listing {
    my ($self, $done) = @_;
    my @lines = split /\n/, $done->{out};
    die "the module's answer has no end\n" unless @lines && pop @lines eq 'end';
    my %state = map { /\A([0-9a-f-]{36}) \S+ ([0-9]+|-)\z/ ? ($1 => $2) : die "the module's answer holds '$_'\n" } @lines;
    my $jobs = $self->_log->{jobs};
    return [ map { $self->_row($_, $jobs->{$_}, $state{$_} // '-') } grep { $jobs->{$_}{is} ne 'ended' } keys %$jobs ];
}

sub _row {
    my ($self, $tag, $job, $state) = @_;
    my $file = $self->job_file($tag);
    my $end  = $file->end_of;
    my $is   = $IS{$state} // 'unknown';
    my %row  = (tag => $tag, id => $job->{ids}[0] // '', is => $is);
    return { %row, $self->_end_row($end, $job) } if $end && ($is eq 'over' || $end->{cause} ne 'SIGNALLED' || $job->{cancelled});
    # the launcher's claim says that it runs before the module may
    my $began = (stat $file->{path} . '.claim')[9];
    return { %row, is => 'started', at => $began * 1000 } if defined $began && $is =~ /\A(?:queued|unknown)\z/ && $job->{is} =~ /queued/ && !$end;
    return { %row, is => defined $began ? 'started' : 'unknown' } if $is eq 'queued' && defined $began;
    return \%row if $is ne 'over';
    return { %row, is => 'ended', cause => 'CANCELLED' } if $job->{cancelled};
    return { %row, is => 'ended', cause => 'LOST', ask => 1, began => defined $began ? $began * 1000 : undef,
        output => $self->lrm . ' says that the job is over, and the job left no record of its end: it did not start, or something ended it at once.' };
}

sub _end_row {
    my ($self, $end, $job) = @_;
    my $cause = $job->{cancelled} && $end->{cause} eq 'SIGNALLED' ? 'CANCELLED' : 'EXITED';
    return (is => 'ended', cause => $cause, at => $end->{ended}, began => $end->{started});
}

# The job's own record; of a claim without one, that it runs.
sub row_of_file {
    my ($self, $tag) = @_;
    my $file = $self->job_file($tag);
    my $id   = ($self->_log->{jobs}{$tag} // {})->{ids}[0];
    if (my $end = $file->end_of) { return { tag => $tag, id => $id // $file->claimed_by // '', $self->_end_row($end, $self->_log->{jobs}{$tag} // {}) } }
    my $claimed = $file->claimed_by // return;
    return { tag => $tag, id => $id // $claimed, is => 'started' };
}

# For the watch: rows are of the jobs that the log knows, and nothing else tells of the others.
sub record_commands { return }
sub parse_records   { return [] }

# --- cancel, forget -----------------------------------------------------------------------------------------------------------------

sub cancel_rows {
    my ($self, $rows) = @_;
    my @asked = grep { !$self->job_file($_->{tag})->end_of } @$rows;
    my %trouble = map { $_->{tag} => 'the id of the job is not known: its submission got no answer' } grep { $_->{id} =~ /\Aonce-/ || !_is_id($_->{id}) } @asked;
    @asked = grep { !$trouble{ $_->{tag} } } @asked;
    my @done = $self->commands->run_all($self->setting('submit_at_once', Jobgate::Adapter::Batch::SUBMIT_AT_ONCE()),
        [ map { [ $self->_program('cancel'), text => $self->_request(job => $self->_known_job($_->{tag}, $_->{id})) ] } @asked ]);
    for my $i (0 .. $#asked) {
        my $said = _said($done[$i]);
        next if $said->{END} && !$said->{ERROR};
        $trouble{ $asked[$i]{tag} } = $self->lrm . ': ' . ($said->{NAME} // Jobgate::Commands::said($done[$i]));
    }
    return %trouble;
}

sub forget {
    my ($self, $jobs) = @_;
    for my $tag (map { $_->{tag} } @$jobs) { $self->_remove_directory($self->files($tag) . "/$tag.gram") }
    return $self->SUPER::forget($jobs);
}

sub _remove_directory {
    my ($self, $path) = @_;
    require File::Path;
    File::Path::remove_tree($path, { safe => 1 }) if -d $path && !-l $path;
    return;
}

1;
