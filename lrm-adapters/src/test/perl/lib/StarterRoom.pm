# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package StarterRoom;

# A spool of its own for a test, with the Fork adapter on it, as a worker would use it.

use strict;
use warnings;

use FindBin ();
use File::Temp ();
use Time::HiRes ();

my $MAIN = "$FindBin::RealBin/../../main/perl";
BEGIN { unshift @INC, "$FindBin::RealBin/../../main/perl/lib" }
use Jobgate::Adapter::Fork ();
use Jobgate::Processes     ();
use Jobgate::Wire          ();

$FindBin::RealBin = $MAIN;    # where the adapter looks for its starter

$SIG{PIPE} = 'IGNORE';         # as the worker does

my $count = 0;

sub new {
    my ($class, %settings) = @_;
    my $directory = File::Temp->newdir('jobgate-room-XXXXXX', TMPDIR => 1);
    mkdir "$directory/work" or die $!;
    my $self = bless { directory => $directory, seen => [], settings => { spool => "$directory/spool", idle_ms => 60_000, grace_ms => 1000, %settings } }, $class;
    $self->{adapter} = $self->adapter;
    return $self;
}

sub adapter { my ($self) = @_; return Jobgate::Adapter::Fork->new(settings => $self->{settings}) }
sub work    { return "$_[0]{directory}/work" }
sub spool   { return "$_[0]{directory}/spool" }

sub tag { return sprintf '00000000-0000-7000-8000-%06d%06d', $$ % 1_000_000, ++$count }

sub request {
    my ($self, $tag, %description) = @_;
    $description{directory} //= $self->work;
    return { tag => $tag, description => Jobgate::Wire::encode(\%description) };
}

# Submits one job; answers its tag.
sub submit {
    my ($self, %description) = @_;
    my $tag = tag();
    my $answer = $self->{adapter}->submit([ $self->request($tag, %description) ])->[0];
    die 'not accepted: ' . join(' ', %$answer, %{ $answer->{refused} // {} }) unless $answer->{ids};
    return $tag;
}

# The events of a tag so far, by kind.
sub events_of {
    my ($self, $tag) = @_;
    return map { $_->{is} => $_ } grep { $_->{tag} eq $tag } @{ $self->{seen} };
}

# Waits for an event of a kind; undef if it does not come within the seconds.
sub await {
    my ($self, $tag, $kind, $seconds) = @_;
    my $until = Time::HiRes::time() + ($seconds // 60);
    $self->{adapter}->follow(undef) unless $self->{follows}++;
    while (1) {
        my %events = $self->events_of($tag);
        return $events{$kind} if $events{$kind};
        return if Time::HiRes::time() > $until;
        $self->watch(0.1);
    }
}

sub watch {
    my ($self, $seconds) = @_;
    my $handle = $self->{adapter}->handle;
    my $bits = '';
    vec($bits, fileno $handle, 1) = 1 if $handle;
    select $bits, undef, undef, $seconds;
    for my $batch ($self->{adapter}->events) {
        push @{ $self->{seen} }, @{ $batch->{events} };
        $self->{checkpoint} = $batch->{checkpoint};
    }
    return;
}

sub run {
    my ($self, %description) = @_;
    return $self->await($self->submit(%description), 'ended');
}

sub script {
    my ($self, $name, $text) = @_;
    my $path = $self->work . "/$name";
    open my $file, '>', $path or die $!;
    print {$file} $text;
    close $file;
    chmod 0700, $path;
    return $path;
}

sub read_file {
    my ($self, $name) = @_;
    open my $file, '<:raw', $name =~ m{^/} ? $name : $self->work . "/$name" or return;
    local $/;
    return scalar <$file>;
}

# Whether the file of this name comes to be there: what a job writes to say how far it is.
sub await_file {
    my ($self, $name) = @_;
    my $until = Time::HiRes::time() + 60;
    Time::HiRes::sleep(0.02) until -e $self->work . "/$name" || Time::HiRes::time() > $until;
    return -e $self->work . "/$name";
}

sub starter_pid { return $_[0]{adapter}->status->{pid} }

sub wait_gone {
    my ($self, $pid, $seconds) = @_;
    my $until = Time::HiRes::time() + ($seconds // 60);
    while (kill(0, $pid) && Time::HiRes::time() < $until && !is_zombie($pid)) { Time::HiRes::sleep(0.02) }
    return !kill(0, $pid) || is_zombie($pid);
}

sub is_zombie {
    my ($pid) = @_;
    my $stat = Jobgate::Processes::stat_of($pid);
    return $stat && $stat->{state} eq 'Z';
}

# Ends what is left: the jobs, then the starter.
sub DESTROY {
    my ($self) = @_;
    local ($@, $?, $!);
    eval {
        my %seen = map { $_->{tag} => 1 } @{ $self->{seen} };
        my $adapter = $self->adapter;
        my $pid = $adapter->status->{pid};
        kill 'TERM', $pid;
        $adapter->cancel([ map { { tag => $_ } } keys %seen, @{ $self->{more} // [] } ]);
        $adapter->close;
        $self->{adapter}->close;
        kill 'KILL', $pid unless $self->wait_gone($pid, 4);
    };
    return;
}

1;
