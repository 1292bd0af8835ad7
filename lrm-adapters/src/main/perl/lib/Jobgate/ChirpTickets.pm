# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::ChirpTickets;

# Tickets of jobs to a Chirp server (docs/user/skeletonkey.md), made and withdrawn by the program chirp as the account that this worker runs as. A
# ticket's private key stays in a private file of the job's: it is in no message, command line or log.
#
# Each request has a worker of its own, which ends after it: a server that does not answer keeps nothing else waiting.

use strict;
use warnings;

use Fcntl qw(O_NOFOLLOW O_RDONLY);
use Jobgate::Adapter      ();
use Jobgate::Commands     ();
use Jobgate::PrivateFiles ();

use constant {
    FILE      => 'chirp-ticket',
    BEGUN     => 'chirp-ticket.begun',    # until it is whole and registered
    BITS      => 2048,
    MAX_BYTES => 64 * 1024,
};

# chirp itself waits for ever for a server that does not answer, whatever its option -t says; timeout(1) ends it also where this worker is killed
sub new {
    my ($class, $request) = @_;
    my ($program, $server, $seconds) = @$request{qw(program server seconds)};
    die "not a Chirp server: HOST:PORT is wanted\n" unless ($server // '') =~ /\A[A-Za-z0-9\[][A-Za-z0-9.:\]_-]{0,255}:[0-9]{1,5}\z/;
    die "not the name of a program\n" unless ($program // '') =~ m{\A/?[A-Za-z0-9_][A-Za-z0-9_./+-]*\z};
    die "not a time\n" unless ($seconds // '') =~ /\A[1-9][0-9]{0,3}\z/;
    my $adapter = Jobgate::Adapter->new(settings => { map { $_ => $request->{$_} } grep { defined $request->{$_} } qw(spool former_spool) });
    my $files = Jobgate::PrivateFiles->new($adapter->spool, $adapter->former_spool);
    return bless {
        chirp    => [ 'timeout', '-k', 2, $seconds, $program ],
        server   => $server,
        tag      => $request->{tag},
        expired  => $request->{expired},
        files    => $files,
        commands => Jobgate::Commands->new(seconds => $seconds + 5, environment => { CATALOG_HOST => '127.0.0.1' }),
    }, $class;
}

# directories: a list of [path, rights]; lifetime: seconds; known: the subjects of the job's tickets that were answered before
# -> path, subject, or refused (why the server does not give such a ticket). Dies where that is not known.
# The same request once more, after a crash, answers the ticket that was made the first time.
sub make {
    my ($self, $request) = @_;
    my %known = map { $_ => 1 } @{ $request->{known} // [] };
    my $made = $self->_subject(FILE);
    return { path => $self->_path(FILE), subject => $made } if defined $made && !$known{$made};
    $self->_withdraw_begun;
    my @directories = map { _directory(@$_) } @{ $request->{directories} };
    die "not a lifetime\n" unless ($request->{lifetime} // '') =~ /\A[1-9][0-9]{0,9}\z/;
    my $refused = $self->_refusal(map { $_->[0] } @directories);
    return { refused => $refused } if defined $refused;
    my $begun = $self->_path(BEGUN);
    $self->{files}->keep($self->{tag}, BEGUN, '');    # makes the directory, too
    unlink $begun;
    my $done = $self->_chirp('ticket_create', '-output', $begun, '-bits', BITS, '-duration', $request->{lifetime}, map { @$_ } @directories);
    # the exit status says nothing of the rights: chirp writes into the ticket what it has done
    my $text = $self->_text(BEGUN);
    my $subject = $self->_subject(BEGUN);
    my @lacking = grep { index($text, "directory = '$_->[0]' mask = '$_->[1]'") < 0 } @directories;
    if ($done->{exit} != 0 || !defined $subject || $text !~ /Registered with / || @lacking) {
        $self->_withdraw_begun;
        die "the Chirp server $self->{server} made no ticket: " . _said($done) . "\n";
    }
    chmod 0600, $begun or die "$begun cannot be closed to others: $!\n";
    rename $begun, $self->_path(FILE) or die "$begun cannot take its place: $!\n";
    return { path => $self->_path(FILE), subject => $subject };
}

# Ends these tickets at the server and deletes the job's files. expired: all of them have, so that the server need not be asked.
sub drop {
    my ($self, $request) = @_;
    $self->_withdraw($_) for @{ $request->{known} // [] };
    # one that was made, of which the gateway was killed before it knew
    my $made = $self->_subject(FILE);
    $self->_withdraw($made) if defined $made;
    $self->_withdraw_begun;
    $self->{files}->drop($self->{tag}, FILE);
    return {};
}

sub _withdraw_begun {
    my ($self) = @_;
    my $begun = $self->_subject(BEGUN);
    $self->_withdraw($begun) if defined $begun;
    $self->{files}->drop($self->{tag}, BEGUN);
    return;
}

# A server forgets tickets that have expired by itself.
sub _withdraw {
    my ($self, $subject) = @_;
    return if $self->{expired};
    die "not a ticket's subject\n" unless $subject =~ /\Aticket:[0-9a-f]{32}\z/;
    my $done = $self->_chirp('ticket_delete', $subject);
    # chirp says "No such file or directory" also of a host that has no address: only what the server says of the ticket counts
    return if $done->{exit} == 0 || "$done->{err}$done->{out}" =~ /^couldn't ticket_delete: No such file or directory$/m;
    die "a ticket could not be withdrawn at the Chirp server $self->{server}: " . _said($done) . "\n";
}

# chirp makes tickets for directories that are not there, and says that it was well
sub _refusal {
    my ($self, @paths) = @_;
    my $who = $self->_chirp('whoami');
    my $account = 'unix:' . ((getpwuid $>)[0] // $>);
    if ($who->{exit} != 0) { die "the Chirp server $self->{server} does not answer: " . _said($who) . "\n" }
    return "the server takes the account for '" . _line($who->{out}) . "', not for $account" unless _line($who->{out}) eq $account;
    for my $path (@paths) {
        my $done = $self->_chirp('stat', $path);
        next if $done->{exit} == 0;
        my $said = "$done->{err}$done->{out}";
        return "$path: $1" if $said =~ /^couldn't stat: (No such file or directory|Permission denied|Not a directory|Not authorized)$/m;
        die "the Chirp server $self->{server} does not say whether there is $path: " . _said($done) . "\n";
    }
    return;
}

sub _chirp { my ($self, @words) = @_; return $self->{commands}->run([ @{ $self->{chirp} }, '-a', 'unix', '-t', 10, $self->{server}, @words ]) }

sub _directory {
    my ($path, $rights) = @_;
    die "not a directory of a Chirp server\n" unless $path =~ m{\A/[A-Za-z0-9._+=\@,:/-]{0,1023}\z} && $path !~ m{(?:\A|/)\.\.(?:/|\z)};
    die "not the rights of a ticket\n" unless $rights =~ /\A[rwldp]{1,5}\z/;
    return [ $path, $rights ];
}

sub _path { my ($self, $name) = @_; return $self->{files}->path($self->{tag}, $name) }

# The subject of the ticket in a private file: the server calls it by the MD5 of its public key (PEM). Undef where there is no key.
sub _subject {
    my ($self, $name) = @_;
    return undef unless $self->_text($name) =~ /PRIVATE KEY-----/;
    my $done = $self->{commands}->run([ 'openssl', 'pkey', '-in', $self->_path($name), '-pubout' ]);
    return undef unless $done->{exit} == 0 && $done->{out} =~ /\A-----BEGIN PUBLIC KEY-----\n/;
    require Digest::MD5;
    return 'ticket:' . Digest::MD5::md5_hex($done->{out});
}

sub _text {
    my ($self, $name) = @_;
    my $path = $self->_path($name);
    if (!sysopen my $file, $path, O_RDONLY | O_NOFOLLOW) {
        return '' if $!{ENOENT} || $!{ENOTDIR};
        die "$path cannot be read: $!\n";
    }
    else {
        sysread $file, my $text, MAX_BYTES;
        return $text // '';
    }
}

sub _line { my ($text) = @_; $text =~ s/\s+\z//; return substr $text, 0, 200 }

# Of its complaints the last counts: it tells each of its tries.
sub _said {
    my ($done) = @_;
    return "$done->{name} or chirp is not there (on Debian: apt-get install coop-computing-tools)" if $done->{exit} == 127;
    my @lines = grep { /\S/ } split /\n/, "$done->{out}\n$done->{err}";
    my $last = @lines ? _line($lines[-1]) : "exit code $done->{exit}";
    return $done->{exit} == 124 || $done->{exit} == -1 ? "no answer in time ($last)" : $last;
}

1;
