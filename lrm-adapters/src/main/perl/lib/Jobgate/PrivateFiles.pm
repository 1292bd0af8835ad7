# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::PrivateFiles;

# Small private files of jobs, such as credentials: below the account's spool, for the account alone. What is in them is never
# logged, and never in a message.

use strict;
use warnings;

use Fcntl qw(O_CREAT O_EXCL O_NOFOLLOW O_RDONLY O_WRONLY);

use constant {
    MAX_BYTES   => 1024 * 1024,
    KEY_BITS    => 2048,    # what grid software of every age can use
    KEY_SECONDS => 20,
};

# spool: the account's own directory, which is closed to others; former: the one that was its spool before, if there is one. A file that is there
# stays there: its job was told the path.
sub new {
    my ($class, $spool, $former) = @_;
    return bless { directory => "$spool/private", former => defined $former ? "$former/private" : undef }, $class;
}

# Makes the job's RSA key of this name unless there is one; answers its public half (PEM, SubjectPublicKeyInfo). The private half stays in a
# file of the account's.
sub key {
    my ($self, $tag, $name) = @_;
    require Jobgate::Commands;
    my $openssl = Jobgate::Commands->new(seconds => KEY_SECONDS);
    my $path = $self->path($tag, $name);
    $self->keep($tag, $name, _made($openssl)) unless -s $path;
    return _said_well($openssl->run([ 'openssl', 'rsa', '-in', $path, '-pubout' ]), 'PUBLIC KEY');
}

# In the traditional form, which old software wants; OpenSSL before version 3 has no other, and does not know the option.
sub _made {
    my ($openssl) = @_;
    my $done = $openssl->run([ 'openssl', 'genrsa', '-traditional', KEY_BITS ]);
    $done = $openssl->run([ 'openssl', 'genrsa', KEY_BITS ]) if $done->{exit} == 1;
    return _said_well($done, 'PRIVATE KEY');
}

# Of what a command said only its complaints are ever told.
sub _said_well {
    my ($done, $what) = @_;
    return $done->{out} if $done->{exit} == 0 && $done->{out} =~ /\A-----BEGIN (?:RSA )?$what-----\n/;
    die 'openssl is not there: the account needs it to make the keys of its jobs (delegation.jobKeys)' . "\n" if $done->{exit} == 127;
    die "openssl gave no key (exit code $done->{exit}): " . substr($done->{err}, 0, 300) . "\n";
}

# Writes the file, whole or not at all; answers its path. With a key's name: the content, that key of the job's, the rest.
sub keep {
    my ($self, $tag, $name, $content, $key, $rest) = @_;
    my $path = $self->path($tag, $name);
    $content .= $self->_content($tag, $key) . $rest if defined $key;
    die "a private file may have at most " . MAX_BYTES . " bytes\n" if length($content // '') > MAX_BYTES;
    mkdir $self->{directory}, 0700 or $!{EEXIST} or die "$self->{directory} cannot be made: $!\n";
    my $beside = "$path.new";
    unlink $beside;
    sysopen my $file, $beside, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, 0600 or die "$beside cannot be made: $!\n";
    my $wrote = syswrite $file, $content;
    if (!close($file) || ($wrote // -1) != length $content || !rename $beside, $path) {
        my $why = $!;
        unlink $beside;
        die "$path cannot be written: $why\n";
    }
    return $path;
}

# Deletes the file; one that is not there is no fault.
sub drop {
    my ($self, $tag, $name) = @_;
    my $path = $self->path($tag, $name);
    for my $one ($path, "$path.new") {
        unlink $one or $!{ENOENT} or $!{ENOTDIR} or die "$one cannot be deleted: $!\n";
    }
    return;
}

sub _content {
    my ($self, $tag, $name) = @_;
    my $path = $self->path($tag, $name);
    sysopen my $file, $path, O_RDONLY | O_NOFOLLOW or die "$path cannot be read: $!\n";
    return do { local $/; <$file> } // '';
}

# Where the private file of this name lies, or would.
sub path {
    my ($self, $tag, $name) = @_;
    die "not a job's tag\n" unless ($tag // '') =~ /\A[0-9A-Za-z-]{1,64}\z/;
    die "not the name of a private file\n" unless ($name // '') =~ /\A[a-z][a-z0-9.-]{0,31}\z/;
    return "$self->{former}/$tag.$name" if defined $self->{former} && -e "$self->{former}/$tag.$name";
    return "$self->{directory}/$tag.$name";
}

1;
