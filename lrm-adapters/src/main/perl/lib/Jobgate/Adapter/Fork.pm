# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Adapter::Fork;

# Runs jobs as processes of this machine, through the starter of the account (Jobgate::Starter), which it starts if there is none.

use strict;
use warnings;

use parent 'Jobgate::Adapter';

use FindBin ();
use POSIX   ();
use Socket qw(AF_UNIX SOCK_STREAM sockaddr_un);
use Time::HiRes ();
use Jobgate::Frames         ();
use Jobgate::Resources       ();
use Jobgate::Starter::Jobs   ();
use Jobgate::Starter::Launch ();
use Jobgate::Starter::Lines  ();

use constant {
    NONCE            => 'starter',
    READ             => 256 * 1024,
    CALL_SECONDS     => 48,      # unless the setting call_seconds says otherwise
    START_SECONDS    => 30,      # a starter reads its whole log before it is ready
    RETRY_SECONDS    => 1,
    TRIES            => 5,       # of a request, at starters that end
    PAUSE_SECONDS    => 0.1,     # before the third, and more before each after it
    TAGS_PER_LOOKUP  => 1000,
};

sub capabilities { return { job_types => [qw(single multiple mpi)], suspends => [qw(pending active)] } }

sub resources { return (Jobgate::Resources::limits(), Jobgate::Resources::commands(), qw(threads_per_process architecture operating_system)) }

sub submit {
    my ($self, $requests) = @_;
    my %refused = map { my $fault = $self->_refusal($_); $fault ? ($_->{tag} => { refused => $fault }) : () } @$requests;
    my @jobs = map { { tag => $_->{tag}, description => $_->{description}, $self->_is_of_before($_->{tag}) ? (old => 1) : () } } grep { !$refused{ $_->{tag} } } @$requests;
    my @answers = @jobs ? @{ $self->_call({ op => 'submit', jobs => \@jobs })->{answers} } : ();
    return [ map { $refused{ $_->{tag} } // shift @answers } @$requests ];
}

# Whether the job may have had its run in a life of the gateway that it does not remember: it was restored from a backup after the tag was made.
sub _is_of_before {
    my ($self, $tag) = @_;
    my $restored = $self->setting('restored_at');
    return defined $restored && Jobgate::Starter::Jobs::made_ms($tag) <= $restored;
}

# Nearly no job asks for resources: then its description need not be read here.
sub _refusal {
    my ($self, $request) = @_;
    return if index($request->{description}, 's9:resources') < 0;
    my $spec = $self->description($request);
    my $fault = Jobgate::Resources::refusal($spec, 'Fork', $self->resources);
    return $fault if $fault;
    my $asked = Jobgate::Resources::of($spec);
    my ($system, undef, undef, undef, $machine) = POSIX::uname();
    my %is = (architecture => $machine, operating_system => $system);
    for my $name (grep { defined $asked->{$_} && lc $asked->{$_} ne lc $is{$_} } sort keys %is) {
        return Jobgate::Resources::cannot($name, $asked->{$name}, 'Fork', "this machine is $is{$name}");
    }
    my ($command) = grep { $asked->{$_} } Jobgate::Resources::commands();
    return unless defined $command && Jobgate::Starter::Launch::processes_of($spec) > 1;
    return Jobgate::Resources::cannot($command, $asked->{$command}[0], 'Fork', 'it is for jobs of one process only');
}

sub cancel {
    my ($self, $jobs) = @_;
    return $self->_call({ op => 'cancel', tags => [ map { $_->{tag} } @$jobs ] })->{answers};
}

sub suspend { my ($self, $jobs) = @_; return $self->_call({ op => 'suspend', tags => [ map { $_->{tag} } @$jobs ] })->{answers} }

sub hold {
    my ($self, $jobs) = @_;
    my $answers = $self->_call({ op => 'hold', tags => [ map { $_->{tag} } @$jobs ] })->{answers};
    return [ map { $_ eq 'runs' ? { refused => $self->runs_already } : $_ } @$answers ];
}

sub resume  { my ($self, $jobs) = @_; return $self->_call({ op => 'resume',  tags => [ map { $_->{tag} } @$jobs ] })->{answers} }

sub lookup {
    my ($self, $tags) = @_;
    my @tags = @$tags;
    my @events;
    while (my @some = splice @tags, 0, TAGS_PER_LOOKUP) {
        push @events, _parse($self->_call({ op => 'lookup', tags => \@some })->{events});
    }
    return \@events;
}

sub forget {
    my ($self, $jobs) = @_;
    $self->_call({ op => 'forget', tags => [ map { $_->{tag} } @$jobs ] });
    return;
}

# This machine, as the system describes it. The processes of others on it are not reported.
sub queues {
    my ($self) = @_;
    open my $cpus, '<', '/proc/cpuinfo' or die "cannot read /proc/cpuinfo: $!\n";
    my $processors = grep { /\Aprocessor\s*:/ } <$cpus>;
    open my $memory, '<', '/proc/meminfo' or die "cannot read /proc/meminfo: $!\n";
    my ($kib) = map { /\AMemTotal:\s+([0-9]+) kB/ ? $1 : () } <$memory>;
    return [ { whole => 1, processors => $processors || undef, max_running => $self->setting('max_running'), architecture => (POSIX::uname())[4],
        memory_mib => defined $kib ? int($kib / 1024) : undef } ];
}

sub status { return $_[0]->_call({ op => 'status' }) }

sub follow {
    my ($self, $checkpoint) = @_;
    @$self{qw(follows checkpoint)} = (1, $checkpoint);
    $self->_call({ op => 'follow', checkpoint => $checkpoint });
    return;
}

sub handle   { return $_[0]{socket} }
sub live     { return $_[0]{live} // 0 }
sub trouble  { return $_[0]{trouble} // '' }

# Only a watch that lost its starter must be looked after.
sub interval { my ($self) = @_; return $self->{follows} && !$self->{socket} ? RETRY_SECONDS : undef }

sub events {
    my ($self) = @_;
    if ($self->{socket}) { $self->_read(0) }
    elsif ($self->{follows}) { eval { $self->_connected; 1 } or $self->{trouble} = _sentence($@) }
    return splice @{ $self->{batches} //= [] };
}

sub close {
    my ($self) = @_;
    $self->_hang_up;
    return;
}

# --- the connection -------------------------------------------------------------------------------------------------------------

# Asks the starter and waits for its answer; dies with a sentence if there is none. One that ended as we came is followed by another,
# which is asked then: connecting can meet its end as well. Every request may be made again, for jobs are known by their tags.
sub _call {
    my ($self, $request) = @_;
    for my $try (1 .. TRIES) {
        my $answer = eval { $self->_connected; $self->_ask($request) };
        return $answer if $answer;
        die $@ if $try == TRIES || $@ !~ /\Athe starter went away/;
        Time::HiRes::sleep(PAUSE_SECONDS * ($try - 1));
    }
}

sub _ask {
    my ($self, $request) = @_;
    my $id = $request->{id} = ++$self->{last_id};
    my $patience = $self->setting('call_seconds', CALL_SECONDS);
    my $until    = Time::HiRes::time() + $patience;
    $self->_write(Jobgate::Frames::frame(NONCE, $request));
    until ($self->{answers}{$id}) {
        my $left = $until - Time::HiRes::time();
        if ($left <= 0 || !$self->{socket}) {
            $self->_hang_up;
            die $left <= 0 ? "the starter did not answer within $patience seconds\n" : "the starter went away\n";
        }
        $self->_read($left);
    }
    my $answer = delete $self->{answers}{$id};
    $self->{live} = $answer->{live} if defined $answer->{live};
    die "the starter says: $answer->{error}" if defined $answer->{error};
    return $answer;
}

sub _write {
    my ($self, $bytes) = @_;
    my $done = 0;
    while ($done < length $bytes) {
        my $wrote = syswrite $self->{socket}, $bytes, length($bytes) - $done, $done;
        next if !defined $wrote && $!{EINTR};
        if (!$wrote) {
            $self->_hang_up;
            die "the starter went away: $!\n";
        }
        $done += $wrote;
    }
    return;
}

# Takes what the starter sent, waiting for it up to that many seconds.
sub _read {
    my ($self, $seconds) = @_;
    my $bits = '';
    vec($bits, fileno $self->{socket}, 1) = 1;
    return unless select($bits, undef, undef, $seconds) > 0;
    my $read = sysread $self->{socket}, my $bytes, READ;
    return if !defined $read && $!{EINTR};
    return $self->_hang_up unless $read;
    $self->{reader}->feed($bytes);
    while (my ($value) = $self->{reader}->next_value) {
        if   (defined $value->{events} && !defined $value->{id}) { $self->_take_events($value) }
        else { $self->{answers}{ $value->{id} } = $value }
    }
    return;
}

sub _take_events {
    my ($self, $value) = @_;
    $self->{checkpoint} = $value->{checkpoint};
    $self->{live}       = $value->{live};
    push @{ $self->{batches} }, { events => [ _parse($value->{events}) ], checkpoint => $value->{checkpoint}, behind => $value->{behind} };
    return;
}

sub _parse {
    my ($lines) = @_;
    return grep { defined } map { Jobgate::Starter::Lines::parse($_) } split /\n/, $lines;
}

sub _hang_up {
    my ($self) = @_;
    CORE::close($self->{socket}) if $self->{socket};
    delete @$self{qw(socket reader answers)};
    return;
}

# Connects to the starter, starting it if there is none, and takes up the watch where it was.
sub _connected {
    my ($self) = @_;
    $self->_read(0) if $self->{socket};    # shows whether the starter has died since
    return if $self->{socket};
    my $until = Time::HiRes::time() + START_SECONDS;
    until ($self->_connect) {
        die "the starter cannot be reached in " . $self->spool . " after " . START_SECONDS . " seconds\n" if Time::HiRes::time() > $until;
        $self->_start_starter;
        Time::HiRes::sleep(0.02) unless $self->{was_ready};
    }
    $self->_ask({ op => 'hello', $self->_starter_settings });
    $self->_ask({ op => 'follow', checkpoint => $self->{checkpoint} }) if $self->{follows};
    delete $self->{trouble};
    return;
}

sub _starter_settings {
    my ($self) = @_;
    return map { my $value = $self->setting($_); defined $value ? ($_ => $value) : () }
        qw(max_running grace_ms idle_ms segment_bytes keep_ended_ms leftovers);
}

# The name is relative to the spool so that the spool's path may be longer than a socket's name.
sub _connect {
    my ($self) = @_;
    my $spool = $self->spool;
    chdir $spool or die "cannot enter the spool directory $spool: $!\n";
    socket my $socket, AF_UNIX, SOCK_STREAM, 0 or die "no socket: $!\n";
    my $is_there = connect $socket, sockaddr_un('starter.sock');
    chdir '/';
    return 0 unless $is_there;
    @$self{qw(socket reader answers)} = ($socket, Jobgate::Frames->new_reader(NONCE), {});
    return 1;
}

sub _start_starter {
    my ($self) = @_;
    my $spool = $self->spool;
    pipe my $read, my $write or die "no pipe: $!\n";
    my %settings = $self->_starter_settings;
    my @settings = map { "$_=$settings{$_}" } sort keys %settings;
    my $pid = fork // die "cannot fork: $!\n";
    if ($pid == 0) {
        # the starter, and with it the jobs, inherit nothing of the container's environment
        %ENV = (PATH => '/usr/local/bin:/usr/bin:/bin', HOME => $self->{home});
        POSIX::dup2(fileno $write, 1);
        exec { $^X } $^X, "$FindBin::RealBin/jobgate-fork-starter", $spool, @settings or POSIX::_exit(127);
    }
    CORE::close($write);
    waitpid $pid, 0;
    my $said = $self->_read_line($read);
    $self->{was_ready} = $said eq "ready\n";
    return if $self->{was_ready} || $said =~ /another starter/;
    die 'the starter could not be started' . (length $said ? ": $said" : "\n");
}

sub _read_line {
    my ($self, $handle) = @_;
    my $said  = '';
    my $until = Time::HiRes::time() + START_SECONDS;
    while ($said !~ /\n/) {
        my $bits = '';
        vec($bits, fileno $handle, 1) = 1;
        my $left = $until - Time::HiRes::time();
        last if $left <= 0 || select($bits, undef, undef, $left) < 0;
        last unless sysread $handle, $said, 4096, length $said;
    }
    return $said;
}

sub _sentence {
    my ($text) = @_;
    chomp $text;
    return $text;
}

1;
