# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package PbsStandin::Server;

# The one process of the stand-in: takes the words of the commands from a socket, knows from the kernel who asks, runs the jobs.

use strict;
use warnings;

use Socket qw(PF_UNIX SOCK_STREAM SOL_SOCKET pack_sockaddr_un);
use Time::HiRes ();
use PbsStandin::Commands  ();
use PbsStandin::Jobs      ();

use constant { SO_PEERCRED => 17, TICK => 0.1, MAX_REQUEST => 4 * 1024 * 1024, READ_SECONDS => 5, QUEUE => 128 };

sub new {
    my ($class, $config) = @_;
    my $self = bless { config => $config, jobs => PbsStandin::Jobs->new($config) }, $class;
    $self->{commands} = PbsStandin::Commands->new($config, $self->{jobs});
    return $self;
}

# Serves until SIGTERM; the jobs are ended with it.
sub run {
    my ($self) = @_;
    my $path = "$self->{config}{directory}/socket";
    unlink $path;
    socket my $listener, PF_UNIX, SOCK_STREAM, 0 or die "no socket: $!\n";
    bind $listener, pack_sockaddr_un("$path.new") or die "cannot bind $path.new: $!\n";
    chmod 0777, "$path.new";
    listen $listener, QUEUE or die "cannot listen: $!\n";
    rename "$path.new", $path or die "cannot name $path: $!\n";
    my $go_on = 1;
    local $SIG{TERM} = sub { $go_on = 0 };
    local $SIG{PIPE} = 'IGNORE';
    while ($go_on) { $self->_turn($listener) }
    unlink $path;
    PbsStandin::Processes::signal('KILL', $_) for grep { defined } map { $_->{session} } $self->{jobs}->all;
    return;
}

sub _turn {
    my ($self, $listener) = @_;
    my $bits = '';
    vec($bits, fileno $listener, 1) = 1;
    if (select($bits, undef, undef, TICK) > 0 && accept my $client, $listener) {
        eval { $self->_serve($client); 1 } or print STDERR "a request failed: $@";
    }
    return if Time::HiRes::time() - ($self->{ticked} // 0) < TICK;
    $self->{ticked} = Time::HiRes::time();
    eval { $self->{jobs}->tick; 1 } or print STDERR "a tick failed: $@";
    return;
}

sub _serve {
    my ($self, $client) = @_;
    my $request = _read($client) // return;
    my ($name, $directory, $zone, $script, $count, @rest) = unpack '(N/a*)*', $request;
    my @words = splice @rest, 0, $count;
    my $answer = eval { $self->{commands}->run($name, \@words, { user => _peer($client), directory => $directory, zone => $zone, script => $script, environment => {@rest} }) };
    $answer //= ref $@ ? $@ : { err => "$name: the stand-in failed: $@", exit => 1 };
    return if $answer->{hang_up};
    print {$client} pack 'N/a* N/a* N', $answer->{out} // '', $answer->{err} // '', $answer->{exit} // 0;
    close $client;
    return;
}

# The request, or undef when its command was killed before it had said all of it, which no server complains of.
sub _read {
    my ($client) = @_;
    my ($bytes, $until) = ('', Time::HiRes::time() + READ_SECONDS);
    while (length $bytes < 4 || length $bytes < 4 + unpack 'N', $bytes) {
        my $bits = '';
        vec($bits, fileno $client, 1) = 1;
        die "a client is too slow\n" unless select($bits, undef, undef, $until - Time::HiRes::time()) > 0;
        my $read = sysread $client, $bytes, 65536, length $bytes;
        die "a client cannot be read: $!\n" unless defined $read;
        return unless $read;
        die "a request is too long\n" if length $bytes > MAX_REQUEST;
    }
    return substr $bytes, 4;
}

sub _peer {
    my ($client) = @_;
    my (undef, $uid, $gid) = unpack 'i3', getsockopt $client, SOL_SOCKET, SO_PEERCRED;
    return { uid => $uid, gid => $gid, name => (getpwuid $uid)[0] // $uid, group => (getgrgid $gid)[0] // $gid };
}

1;
