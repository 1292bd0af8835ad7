# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Legacy::Call;

# One call of a site's GRAM module, in the process that is for it. A request is a hash: module, modules (directories), sysconfdir, and for submit
# and cancel `job` (the attributes of the description), for poll `jobs` (of each: tag, id, job).

use strict;
use warnings;

use Fcntl qw(F_SETFD FD_CLOEXEC);
use POSIX ();
use Time::HiRes ();
use Jobgate::Wire ();

use constant {
    MAX_REQUEST  => 16 * 1024 * 1024,
    ONE_SECONDS  => 5,                  # for the module's answer of one job
    ALL_SECONDS  => 10,                 # after which a round is over; the other jobs come first in the next
    MAX_SAID     => 65536,              # bytes that a module may say of one job
};

sub request {
    my ($path) = @_;
    my $from = \*STDIN;
    if (defined $path) { undef $from; open $from, '<:raw', $path or die "cannot read $path: $!\n" }
    binmode $from;
    my $bytes = '';
    while (read $from, $bytes, 65536, length $bytes) { die "the request is too long\n" if length $bytes > MAX_REQUEST }
    return Jobgate::Wire::decode($bytes);
}

sub new {
    my ($class, $request) = @_;
    my $self = bless { %$request }, $class;
    die "not the name of a module\n" unless ($self->{module} // '') =~ /\A[A-Za-z][A-Za-z0-9_]{0,63}\z/;
    # the lock on submissions is ours to keep and not of what the module starts
    for my $fd (grep { $_ > 2 } map { m{/([0-9]+)\z} ? $1 : () } glob '/proc/self/fd/*') {
        if (open my $handle, '<&=', $fd) { fcntl $handle, F_SETFD, FD_CLOEXEC; push @{ $self->{kept} }, $handle }
    }
    return $self;
}

# The module's class. Its search path begins with our base classes.
sub _class {
    my ($self) = @_;
    return $self->{class} if $self->{class};
    $ENV{JOBGATE_LEGACY_SYSCONFDIR} = $self->{sysconfdir} if defined $self->{sysconfdir};
    push @INC, @{ $self->{modules} // [] };
    local $SIG{__WARN__} = sub { };    # theirs, of other times
    require Globus::Core::Paths;
    require Globus::GRAM::JobDescription;
    # some log while they are loaded, Debian's lsf the whole environment: that is no part of our answer
    open my $out, '>&', \*STDOUT or die "no standard output: $!\n";
    open STDOUT, '>', '/dev/null' or die "no /dev/null: $!\n";
    my $is_loaded = eval { require "Globus/GRAM/JobManager/$self->{module}.pm" };
    my $why = $@;
    open STDOUT, '>&', $out or die "no standard output: $!\n";
    die $why unless $is_loaded;
    return $self->{class} = "Globus::GRAM::JobManager::$self->{module}";
}

sub _ask {
    my ($self, $what, $job) = @_;
    my $class = $self->_class;
    local $SIG{__WARN__} = sub { };
    my $manager = $class->new($class->job_description_class->new($job));
    my $answer = $manager->$what;
    local $/ = "\n";    # some modules leave it changed
    return { ERROR => $answer->value, NAME => $answer->string } if ref $answer eq 'Globus::GRAM::Error';
    return ref $answer eq 'HASH' ? $answer : {};
}

sub submit { my ($self) = @_; return $self->_one('submit') }
sub cancel { my ($self) = @_; return $self->_one('cancel') }

# 0 where the module answered, whatever it was.
sub _one {
    my ($self, $what) = @_;
    $| = 1;
    my $answer = $self->_ask($what, $self->{job});
    for my $name (sort grep { !ref $answer->{$_} } keys %$answer) {
        my $value = $answer->{$name} // '';
        $value =~ s/\n/\\n/g;
        print "GRAM_SCRIPT_$name:$value\n";
    }
    print "GRAM_SCRIPT_END:$what\n";
    return 0;
}

# A line "tag id state" for each job; state - where the module does not say. Each job is asked for in a process of its own: a module may hang,
# exit, or leave things changed.
sub poll {
    my ($self) = @_;
    my $until = Time::HiRes::time() + ALL_SECONDS;
    $self->_class;
    for my $asked (@{ $self->{jobs} }) {
        my $state = Time::HiRes::time() < $until ? $self->_state_of($asked->{job}) : '-';
        print "$asked->{tag} $asked->{id} $state\n";
    }
    print "end\n";
    return 0;
}

sub _state_of {
    my ($self, $job) = @_;
    my $pid = open(my $from, '-|') // return '-';
    if ($pid == 0) {
        $| = 1;
        my $answer = eval { $self->_ask('poll', $job) } // {};
        print "\nstate ", $answer->{JOB_STATE} // '-', "\n";
        POSIX::_exit(0);
    }
    my $said = _within($from, ONE_SECONDS);
    kill KILL => $pid;
    close $from;
    return defined $said && $said =~ /^state ([0-9]{1,7})$/m ? $1 : '-';
}

# The output until the end of the program; undef if the time was over before.
sub _within {
    my ($from, $seconds) = @_;
    my ($said, $until) = ('', Time::HiRes::time() + $seconds);
    while ((my $left = $until - Time::HiRes::time()) > 0) {
        my $bits = '';
        vec($bits, fileno $from, 1) = 1;
        next if select($bits, undef, undef, $left) <= 0;
        sysread $from, $said, 4096, length $said or return $said;
        return $said if $said =~ /^state \S+$/m;
        substr $said, 0, 4096, '' if length $said > MAX_SAID;
    }
    return;
}

1;
