# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::PrivateFiles;

# Small private files of jobs, such as credentials: below the account's spool, for the account alone. What is in them is never
# logged, and never in a message.

use strict;
use warnings;

use Fcntl qw(O_CREAT O_EXCL O_NOFOLLOW O_WRONLY);

use constant MAX_BYTES => 1024 * 1024;

# spool: the account's own directory, which is closed to others
sub new {
    my ($class, $spool) = @_;
    return bless { directory => "$spool/private" }, $class;
}

# Writes the file, whole or not at all; answers its path.
sub keep {
    my ($self, $tag, $name, $content) = @_;
    my $path = $self->_path($tag, $name);
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
    my $path = $self->_path($tag, $name);
    for my $one ($path, "$path.new") {
        unlink $one or $!{ENOENT} or $!{ENOTDIR} or die "$one cannot be deleted: $!\n";
    }
    return;
}

sub _path {
    my ($self, $tag, $name) = @_;
    die "not a job's tag\n" unless ($tag // '') =~ /\A[0-9A-Za-z-]{1,64}\z/;
    die "not the name of a private file\n" unless ($name // '') =~ /\A[a-z][a-z0-9.-]{0,31}\z/;
    return "$self->{directory}/$tag.$name";
}

1;
