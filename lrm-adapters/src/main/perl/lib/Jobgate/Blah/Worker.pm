# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Blah::Worker;

# A worker process with an adapter (docs/internals/worker-protocol.md), seen from jobgate-blahpd: requests to it, what it tells, and a new one when it has died.
# Nothing here waits.

use strict;
use warnings;

use Fcntl qw(F_GETFL F_SETFL O_NONBLOCK);
use FindBin ();
use POSIX   ();
use Time::HiRes ();
use Jobgate::Frames ();

use constant {
    READ        => 256 * 1024,
    IDLE        => 86_400,
    SOONEST     => 0.25,    # seconds before a worker that died is followed by another, doubling to
    LATEST      => 30,
    LONG_LIVED  => 10,
    PATIENCE    => 300,     # seconds for one answer; the longest commands of an adapter take less
};

# adapter, settings; told: code that gets each frame of events and answers nothing; log: code that gets a sentence
sub new {
    my ($class, %given) = @_;
    return bless { %given, asked => {}, number => 0, out => '', due => 0, pause => SOONEST, trouble => 'it has not started yet' }, $class;
}

# What is wrong, in words; empty where the worker serves.
sub trouble { return $_[0]{trouble} }

sub handles { my ($self) = @_; return ($self->{in}, length $self->{out} ? $self->{to} : undef) }

# Asks; the code gets the answer, { error } where the adapter gave none, { died } where the worker died before.
sub ask {
    my ($self, $op, $fields, $code) = @_;
    return $code->({ died => $self->{trouble} || 'it is not there' }) unless $self->{pid};
    my $id = ++$self->{number};
    $self->{asked}{$id} = { code => $code, at => Time::HiRes::time(), op => $op };
    $self->_send({ %$fields, op => $op, id => $id });
    return;
}

# Starts a worker where there is none and it is time.
sub tend {
    my ($self) = @_;
    my $now = Time::HiRes::time();
    if ($self->{pid}) {
        my ($late) = grep { $now - $_->{at} > PATIENCE } values %{ $self->{asked} };
        $self->_lost("it has not answered for " . PATIENCE . ' s') if $late;
        return;
    }
    $self->_start if $now >= $self->{due};
    return;
}

sub _start {
    my ($self) = @_;
    open my $random, '<:raw', '/dev/urandom' or die "cannot read /dev/urandom: $!\n";
    CORE::read $random, my $bytes, 16;
    my $nonce = unpack 'H*', $bytes;
    pipe my $in,   my $to   or die "no pipe: $!\n";
    pipe my $from, my $back or die "no pipe: $!\n";
    my $pid = fork // die "cannot fork: $!\n";
    if ($pid == 0) {
        POSIX::dup2(fileno $in,   0);
        POSIX::dup2(fileno $back, 1);
        close $_ for $to, $from, @{ $self->{closed} // [] };
        no warnings 'exec';
        exec {$^X} $^X, "$FindBin::RealBin/jobgate-worker", $nonce;
        POSIX::_exit(127);
    }
    close $_ for $in, $back;
    for my $handle ($to, $from) { fcntl $handle, F_SETFL, fcntl($handle, F_GETFL, 0) | O_NONBLOCK }
    binmode $_ for $to, $from;
    @$self{qw(pid to in nonce started out asked)} = ($pid, $to, $from, $nonce, Time::HiRes::time(), '', {});
    $self->{reader} = Jobgate::Frames->new_reader($nonce);
    $self->ask('hello', { adapter => $self->{adapter}, idle => IDLE, settings => $self->{settings} }, sub {
        my ($answer) = @_;
        return $self->_lost($answer->{error} // $answer->{died}) unless defined $answer->{version};
        $self->{trouble} = '';
        $self->{ready}->();
    });
    return;
}

sub _send {
    my ($self, $value) = @_;
    $self->{out} .= Jobgate::Frames::frame($self->{nonce}, $value);
    return $self->flush;
}

# Writes what the pipe takes.
sub flush {
    my ($self) = @_;
    while (length $self->{out}) {
        my $wrote = syswrite $self->{to}, $self->{out};
        if (!defined $wrote) { return if $!{EAGAIN} || $!{EINTR}; return }    # its end is seen when we read
        substr($self->{out}, 0, $wrote) = '';
    }
    return;
}

# Reads the bytes that have arrived.
sub read {
    my ($self) = @_;
    my $got = sysread $self->{in}, my $bytes, READ;
    return if !defined $got && ($!{EAGAIN} || $!{EINTR});
    return $self->_lost('its program ended') unless $got;
    $self->{reader}->feed($bytes);
    while ($self->{pid}) {
        my ($frame) = eval { $self->{reader}->next_value } or do { $self->_lost($@) if $@; last };
        $self->_heard($frame);
    }
    return;
}

sub _heard {
    my ($self, $frame) = @_;
    return $self->{log}->($frame->{log}) if defined $frame->{log};
    if (defined $frame->{sequence}) {
        $self->{told}->($frame);
        return $self->{pid} ? $self->_send({ op => 'ack', sequence => $frame->{sequence} }) : undef;
    }
    my $asked = delete $self->{asked}{ $frame->{id} // '' } // return;
    return $asked->{code}->($frame);
}

# Its input is closed, so that it ends when it has done what it is at; the next waits for its locks.
sub _lost {
    my ($self, $why) = @_;
    chomp $why;
    my $pid = delete $self->{pid} // return;
    my @asked = map { $self->{asked}{$_} } sort { $a <=> $b } keys %{ $self->{asked} };
    my $lived = Time::HiRes::time() - $self->{started};
    delete @$self{qw(to in reader)};
    @$self{qw(asked out trouble)} = ({}, '', $why);
    $self->{pause} = $lived > LONG_LIVED ? SOONEST : $self->{pause} * 2 < LATEST ? $self->{pause} * 2 : LATEST;
    $self->{due} = Time::HiRes::time() + $self->{pause};
    push @{ $self->{ended} }, $pid;
    $self->{log}->("the worker of the adapter $self->{adapter} is gone: $why");
    $_->{code}->({ died => $why }) for @asked;
    return;
}

# Takes the wait status of workers that are gone.
sub reap { my ($self) = @_; $self->{ended} = [ grep { waitpid($_, POSIX::WNOHANG()) == 0 } @{ $self->{ended} // [] } ]; return }

1;
