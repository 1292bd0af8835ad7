# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Adapter;

use strict;
use warnings;

use Jobgate::Wire ();

sub new {
    my ($class, %given) = @_;
    my $self = bless { settings => {}, log => sub { }, %given }, $class;
    $self->{home} //= (getpwuid $>)[7] // '/';
    return $self;
}

# --- what an adapter gives: see the POD below -----------------------------------------------------------------------------------

sub capabilities { return { job_types => [], suspends => [], holds => 0 } }
sub resources    { return () }
sub submit       { return $_[0]->lacks('submit') }
sub cancel       { return $_[0]->lacks('cancel') }
sub suspend      { my ($self, $jobs) = @_; return [ map { { refused => $self->cannot_suspend } } @$jobs ] }
sub hold         { my ($self, $jobs) = @_; return [ map { { refused => $self->cannot_suspend } } @$jobs ] }
sub resume       { my ($self, $jobs) = @_; return [ map { { refused => $self->cannot_suspend } } @$jobs ] }
sub lookup       { return $_[0]->lacks('lookup') }
sub forget       { return }
sub used         { return [] }
sub disown       { return }
sub follow       { return $_[0]->lacks('follow') }
sub events       { return }
sub acknowledge  { return }
sub handle       { return }
sub interval     { return }
sub live         { return 0 }
sub trouble      { return '' }
sub queues       { return [] }
sub programs     { return }
sub probe        { return '' }
sub command_directory { return }
sub status       { return {} }
sub close        { return }

sub lacks {
    my ($self, $operation) = @_;
    die ref($self) . " does not implement $operation\n";
}

# --- what is common -------------------------------------------------------------------------------------------------------------

# Why a job is not held: it does not wait any more.
sub runs_already { return fault('WRONG_STATE', 'The job runs already, and only a job that waits can be held.', 'Suspend the job instead.') }

# Why a job is not suspended or resumed: this adapter cannot do it at all, or not for a job that runs.
sub cannot_suspend {
    my ($self, $runs) = @_;
    my $lrm = $self->can('lrm') ? $self->lrm : ref($self) =~ /(\w+)\z/ ? $1 : 'LRM';
    return fault('UNSUPPORTED_FEATURE', $runs ? "$lrm suspends no jobs that run, only those that wait." : "$lrm can neither suspend nor resume jobs.",
        'Cancel the job, or use another LRM.');
}

# A setting of the LRM's entry in the configuration, or the default.
sub setting {
    my ($self, $name, $default) = @_;
    return $self->{settings}{$name} // $default;
}

# Something for the container's log; never a secret.
sub log {
    my ($self, $text) = @_;
    $self->{log}->($text);
    return;
}

# The description of a request as a hash.
sub description {
    my ($self, $request) = @_;
    return Jobgate::Wire::decode($request->{description});
}

# The account's own directory for what this gateway keeps, made if it is not there; dies unless it is the account's alone.
sub spool {
    my ($self) = @_;
    return $self->{spool_made} if defined $self->{spool_made};
    my $path = $self->_path_of($self->setting('spool', '~/.jobgate/default'));
    _make_directories($path);
    my @stat = lstat $path or die "the spool directory $path cannot be made: $!\n";
    die "the spool directory $path is not a directory\n" unless -d _;
    die "the spool directory $path belongs to another user ($stat[4])\n" if $stat[4] != $>;
    if ($stat[2] & 077) { chmod 0700, $path or die "the spool directory $path cannot be closed to others: $!\n" }
    return $self->{spool_made} = $path;
}

# The spool that this LRM had before it got one of its own, where it shared one with another LRM: jobs that began there stay there. Undef where there
# is none, or where it is not the account's own.
sub former_spool {
    my ($self) = @_;
    my $path = $self->_path_of($self->setting('former_spool') // return);
    my @stat = lstat $path or return;
    return -d _ && $stat[4] == $> ? $path : undef;
}

sub _path_of {
    my ($self, $path) = @_;
    my $account = (getpwuid $>)[0] // $>;
    $path =~ s{\A~(?=/|\z)}{$self->{home}};
    $path =~ s/\$\{account\}/$account/g;
    die "the spool directory $path is not an absolute path\n" unless $path =~ m{\A/};
    return $path;
}

sub _make_directories {
    my ($path) = @_;
    my $so_far = '';
    for my $part (grep { length } split m{/}, $path) {
        $so_far .= "/$part";
        mkdir $so_far, 0700 unless -d $so_far;
    }
    return;
}

# A fault, as the container understands it.
sub fault {
    my ($code, $sentence, $remedy, %more) = @_;
    return { fault => $code, sentence => $sentence, remedy => $remedy // '', %more };
}

1;

__END__

=head1 NAME

Jobgate::Adapter - what an adapter for a local resource manager (LRM) is

=head1 SYNOPSIS

    package Jobgate::Adapter::Mine;
    use parent 'Jobgate::Adapter';

    sub submit { my ($self, $requests) = @_; ... return \@answers }
    sub cancel { my ($self, $jobs) = @_; ... }
    sub lookup { my ($self, $tags) = @_; ... }
    sub follow { my ($self, $checkpoint) = @_; ... }
    sub events { my ($self) = @_; ... }
    1;

Put it at F<lib/Jobgate/Adapter/Mine.pm> and name it in the configuration: C<lrms: [ { name: Mine, adapter: mine } ]>. There is nothing else
to register.

=head1 HOW IT IS RUN

One worker process per local account loads the adapter and runs as that account. Calls come one at a time. An adapter may block for as long
as the LRM's command takes, but not for ever: the container gives a call up after its request timeout. Strings are bytes. Standard output is
not the adapter's; what it prints goes to the container's log.

Nothing that comes from a client may reach a shell: use C<exec> and C<open> with lists, and files for what the LRM's command reads.

=head1 WHAT AN ADAPTER GIVES

Every job has a I<tag>, a UUID that is never used again. The adapter puts it into the LRM (as name, comment or attribute) so that it can find
the job by it.

=head2 submit(\@requests)

Gives new jobs to the LRM; answers a list with one hash for each, in order. A request has C<tag>, C<description> (encoded; C<< $self->description($request) >>
reads it) and C<may_exist> (true where the job may have been submitted before: look the tag up first). An answer is one of

    { ids => [ 'local id', ... ] }      the LRM has it
    { refused => fault(...) }           the LRM will not have it, now or later
    { unclear => 'why', alone => 1 }    it is not known whether the LRM has it, or it is busy; the container asks again by tag

Without C<alone> the account's other jobs wait too, as for an LRM that does not answer, unless another job of the batch got a clear answer; with it, the LRM
answers and only this job waits.

A tag that the LRM has already, live or over, is answered with its ids and is B<not> started again. Dying makes every job of the batch unclear.

While it takes long it calls C<< $self->{meanwhile} >> (code; absent outside of a worker) now and then, every 0.2 s or so: C<events> is called in there, and
what was acknowledged is taken. That a job is C<queued> must be told before anything else of it (C<run_all> of L<Jobgate::Commands> does the calling).

=head2 cancel(\@jobs)

Ends jobs; a job has C<tag> and C<ids>. Answers for each, in order, C<ending> (it is being ended, or is over), C<not_there> (the LRM is
known not to have it), or C<{ unclear =E<gt> 'why' }>, with C<alone> as for C<submit>.

=head2 hold(\@jobs)

Has jobs that wait not begin before C<resume>; a job has C<tag> and C<ids>. Answers as C<suspend>; a job that runs, or was stopped while it ran, is left as it
is and C<refused> (C<runs_already>). Called where C<capabilities> says that it C<suspends> jobs that are C<pending>.

=head2 suspend(\@jobs), resume(\@jobs)

Suspends jobs (those that wait do not begin, those that run stop and keep what they have done), or lets suspended ones go on; a job has C<tag> and C<ids>.
Answers for each, in order, C<done> (also where it was so already, or is over), C<not_there>, C<{ refused =E<gt> fault(...) }>, or
C<{ unclear =E<gt> 'why' }>, with C<alone> as for C<submit>. How a job is then is told by C<events>. Both may be called again for the same job.

=head2 lookup(\@tags)

Answers a list of events (below) that say what the LRM knows of the tags. A tag without an event is known not to be in the LRM: if the LRM
gave no clear answer, die.

=head2 forget(\@jobs)

The jobs are over and their ends are stored: remove what the adapter keeps of them.

=head2 disown(\@tags)

What was told of these was refused: they are not jobs of this LRM and account. Forget what is known of them, and leave the files of the jobs alone, for they are
another's.

=head2 used(\@jobs)

What the LRM's accounting says that these jobs used, which are over; a job has C<tag> and C<ids>. Answers a list of hashes with C<tag> and what an end has
of it (below: C<cpu> to C<queue>, and C<wall>), for those that it knows. Only for an LRM whose accounting says more, or says it later, than the ends that
C<events> tells: they say C<measured> is C<job>. Dies where there is no clear answer.

=head2 follow($checkpoint)

Begins to watch the LRM for jobs of this account, from a checkpoint that C<events> gave, or from the beginning of what is known where it is undef
or no longer valid.

=head2 events()

Answers what was seen since the last call: a list of batches

    { events => [ ... ], checkpoint => 'text', behind => 0 }

in order. C<checkpoint> is where to go on after the batch; C<behind> is true where more is there already. Events are told at least
once and in order for each job. It is called when C<handle> is readable, or when C<interval> seconds have passed; it must not block.

=head2 handle(), interval()

A file handle to wait for, and the seconds between two calls of C<events>; each may be undef.

=head2 acknowledge($checkpoint)

The container has what came before the checkpoint on disk.

=head2 live()

How many jobs of the account live in the LRM, as far as known. While it is not 0 the worker stays.

=head2 trouble()

What is wrong with the LRM or the watch on it at present; empty if nothing is.

=head2 status()

Figures for the administrator, as a hash; asked every few seconds. C<polled_at> (milliseconds since 1970): when the watch last had an answer of the LRM
that it could use, where it has to ask; while jobs live and that is long ago, the LRM counts as stuck.

=head2 queues()

What the LRM says of its queues: a list of hashes with C<name>, and where the LRM says it C<default> (true: jobs that name no queue go there), C<processors>
(all, those of machines that are down too), C<free>, C<running> and C<waiting> (everybody's jobs), C<max_running> (of one account), C<max_wall_seconds>,
C<max_processors> (of one job; leave it out where the processes of one job need not run at once), C<state>, C<architecture>, C<memory_mib> (of the largest
machine). All queues, or die: jobs are refused for naming one that is not there. An LRM that has no queues to name gives one hash with C<< whole => 1 >>.
It is asked in a worker of its own, about once a minute, and may block.

=head2 programs(), command_directory(), probe()

For C<jobgate doctor>: the commands that the adapter calls; the directory where they are, if not on the PATH; and one of its usual questions to the LRM, asked: the
name of the command that answered, an empty text where there is nothing to ask, or die with what was said. Nothing is changed by it.

=head2 capabilities()

A hash: C<job_types>, the job types that it takes; others are refused before they come here. C<suspends>: in which states it can suspend a job, of C<pending>
and C<active>; none: not at all.

=head2 resources()

The resources (L<Jobgate::Resources>) that it can give jobs, a list of names; those that are not in it are refused by name.

=head1 EVENTS

    { tag => ..., ids => [...], is => 'queued' | 'started' | 'suspended' | 'requeued' | 'unknown' | 'ended', at => milliseconds since 1970 }

with any but C<ended>, where the LRM says it, C<note>: why the job waits or is held, in the LRM's own words, for its owner (a job that still waits for
another reason is told as C<queued> again, with the new note; without a note the old one is dropped). C<unknown> leaves the job as it is and tells its
owner by the note that nobody knows how it is;

and with C<ended>: C<cause> (EXITED, SIGNALLED, NOT_STARTED, WALL_TIME, MEMORY, NODE_FAILED, PREEMPTED, CANCELLED, LOST), and where known C<exit>,
C<signal>, C<wall> (milliseconds), what it used: C<cpu>, or its parts C<user_cpu> and C<system_cpu> (milliseconds, of all its processes), C<peak_memory> (KiB),
C<slots>, C<hosts> (names with commas between them), C<queue>, and C<measured>, which is C<job> where the LRM does not tell the CPU time and the job's own
record does; a fault (C<fault>, C<sentence>, C<remedy>, C<attribute>, C<value>), and evidence (C<command>, C<command_exit>, C<output>).

An end needs positive evidence: the LRM's own record that the job is over. That a listing does not show it is none.

=cut
