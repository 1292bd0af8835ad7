# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Files;

# Reads and removes files of a job, as the account that it ran as (docs/reference/files.md). Every request finds its file anew, so
# nothing is kept open between two, and a file that was replaced is seen to be another one.
#
# A place is either a file that the job's description names (its standard output): its directory is entered as the account would,
# and only the last name must not be a symbolic link. Or it is a way below the job's directory: then no name on it may be one.
# Each name is opened by itself, from the directory before it, so that nobody can exchange a name between a look and its use.

use strict;
use warnings;

use Errno qw(ENOENT ENOTDIR EACCES EPERM ELOOP EEXIST ENOSPC EDQUOT EFBIG EROFS);
use Fcntl qw(O_RDONLY O_NOFOLLOW O_NONBLOCK O_NOCTTY O_DIRECTORY S_ISREG S_ISLNK S_ISDIR);
use Time::HiRes ();

use constant {
    MAX_LENGTH => 1024 * 1024,
    MAX_NAMES  => 64,
    MAX_PATH   => 4096,
};

my %REFUSALS = (
    missing   => ['NOT_FOUND',     'There is no file %s.'],
    forbidden => ['NOT_PERMITTED', 'The account may not use the file %s: %s.'],
    link      => ['NOT_A_FILE',    '%s is a symbolic link, or lies behind one: it is not followed.'],
    kind      => ['NOT_A_FILE',    '%s is not a regular file.'],
    way       => ['NOT_A_FILE',    'A name on the way to %s is not a directory.'],
    exists    => ['EXISTS',        'There is a file %s already.'],
    full      => ['NO_SPACE',      'There is no room for the file %s: %s.'],
    io        => ['FAILED',        'The file %s cannot be used: %s.'],
);

sub new { return bless {}, $_[0] }

# guarded, below, failed, io, refusal and number are also for Jobgate::FileWrites and Jobgate::FileListing.

# place, offset, length -> size, file (names it for as long as it is there), changed (when it was written last), bytes; or refused, why
sub read {
    my ($self, $request) = @_;
    my ($offset, $length) = map { number($request->{$_}, $_) } qw(offset length);
    $length = MAX_LENGTH if $length > MAX_LENGTH;
    return guarded($request->{place}, sub {
        my ($name, $shown) = @_;
        my $file = _open($name, $shown);
        my @stat = Time::HiRes::stat($file) or die io($shown);
        my $bytes = '';
        # what is read must not run over the size that is told with it
        my $there = $stat[7] > $offset ? $stat[7] - $offset : 0;
        $length = $there if $length > $there;
        if ($length > 0) {
            defined sysseek $file, $offset, 0 or die io($shown);
            _fill($file, \$bytes, $length, $shown);
        }
        return { size => $stat[7], file => "$stat[0].$stat[1]", changed => "$stat[9]", bytes => $bytes };
    });
}

# place -> removed (whether it was there); or refused, why. Only regular files are removed.
sub remove {
    my ($self, $request) = @_;
    my $answer = guarded($request->{place}, sub {
        my ($name, $shown) = @_;
        _check_kind($name, $shown);
        unlink $name or die failed($shown);
        return { removed => 1 };
    });
    return ($answer->{refused} // '') eq 'NOT_FOUND' ? { removed => 0 } : $answer;
}

sub number {
    my ($text, $what) = @_;
    defined $text && $text =~ /\A[0-9]{1,18}\z/ or die "no $what\n";
    return $text + 0;
}

# Goes to the directory of the place, does the work there, and goes away: a file system must not stay busy with us.
# make: the directories below the job's, and that itself, are made where they are not there
sub guarded {
    my ($place, $work, $make) = @_;
    my $answer = eval {
        my ($name, $shown) = _enter($place, $make);
        $work->($name, $shown);
    };
    my $error = $@;
    chdir '/' or die "cannot leave for /: $!\n";
    return $answer if $answer;
    die $error unless ref $error eq 'HASH';
    return $error;
}

# Makes the directory of the place the working directory; answers the last name, and how to call it all.
sub _enter {
    my ($place, $make) = @_;
    my $directory = _directory($place);
    return _enter_below($directory, $place->{below}, $make) if ref $place->{below};
    my $path = $place->{named} // die "a place without a name\n";
    $path = "$directory/$path" if $path !~ m{\A/};
    die refusal('missing', $path) if length $path > MAX_PATH || $path =~ /\0/;
    my ($parent, $name) = $path =~ m{\A(.*/)([^/]+)\z}s or die refusal('kind', $path);
    die refusal('kind', $path) if $name eq '.' || $name eq '..';
    chdir $parent or die failed($path);
    return ($name, $path);
}

# The job's directory, as the description names it.
sub _directory {
    my ($place) = @_;
    my $home = (getpwuid $>)[7] // '/';
    my $directory = $place->{directory} // $home;
    return $directory =~ m{\A/} ? $directory : "$home/$directory";
}

sub _enter_below {
    my ($directory, $names, $make) = @_;
    my @names = @$names;
    die "no names\n" unless @names;
    my $shown = join '/', @names;
    m{\A(?:\.\.?)?\z} || m{[/\0]} and die "not a name: $_\n" for @names;
    my $last = pop @names;
    _walk($directory, \@names, $make, $shown);
    return ($last, $shown);
}

# Does the work in a directory that is the job's or below it.
sub below {
    my ($place, $work) = @_;
    my @names = @{ $place->{below} // [] };
    m{\A(?:\.\.?)?\z} || m{[/\0]} and die "not a name: $_\n" for @names;
    my $answer = eval {
        my $shown = join '/', @names, '';
        _walk(_directory($place), \@names, 0, $shown);
        $work->($shown);
    };
    my $error = $@;
    chdir '/' or die "cannot leave for /: $!\n";
    return $answer if $answer;
    die $error unless ref $error eq 'HASH';
    return $error;
}

# Each directory is opened from the one before it, so that nobody can exchange a name between a look and its use.
sub _walk {
    my ($directory, $names, $make, $shown) = @_;
    die "too many names\n" if @$names >= MAX_NAMES;
    $make and _make_path($directory);
    chdir $directory or die failed($directory);
    for my $name (@$names) {
        $make and (mkdir $name or $!{EEXIST} or die failed($shown));
        sysopen my $next, $name, O_RDONLY | O_NOFOLLOW | O_DIRECTORY | O_NONBLOCK or die _step_failed($name, $shown, $make);
        chdir $next or die failed($shown);
    }
    return;
}

# What could not be made is told by whoever enters it.
sub _make_path {
    my ($directory) = @_;
    return if -d $directory;
    require File::Path;
    File::Path::make_path($directory, { error => \my $errors });
    return;
}

# With O_DIRECTORY a symbolic link is told as "not a directory".
sub _step_failed {
    my ($name, $shown, $make) = @_;
    my $error = $!;
    return refusal('link', $shown) if -l $name;
    $! = $error;
    return refusal('way', $shown) if $make && $!{ENOTDIR};
    return failed($shown);
}

# Looked at before it is opened, for opening a device can move it; and afterwards, for it may be another by then.
sub _open {
    my ($name, $shown) = @_;
    _check_kind($name, $shown);
    sysopen my $file, $name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY or die failed($shown);
    my $mode = (stat $file)[2] // die io($shown);
    die refusal('kind', $shown) unless S_ISREG($mode);
    binmode $file;
    return $file;
}

sub _check_kind {
    my ($name, $shown) = @_;
    my $mode = (lstat $name)[2] // die failed($shown);
    die refusal('link', $shown) if S_ISLNK($mode);
    die refusal('kind', $shown) unless S_ISREG($mode);
    return;
}

# Fewer bytes than wanted mean that the file was cut meanwhile; what was read is good all the same.
sub _fill {
    my ($file, $bytes, $length, $shown) = @_;
    while (length $$bytes < $length) {
        my $got = sysread $file, $$bytes, $length - length $$bytes, length $$bytes;
        next if !defined $got && $!{EINTR};
        defined $got or die io($shown);
        last if $got == 0;
    }
    return;
}

sub failed {
    my ($shown) = @_;
    my $error = $! + 0;
    return refusal('missing', $shown) if $error == ENOENT || $error == ENOTDIR;
    return refusal('link',    $shown) if $error == ELOOP;
    return refusal('forbidden', $shown, "$!") if $error == EACCES || $error == EPERM || $error == EROFS;
    return refusal('exists', $shown) if $error == EEXIST;
    return io($shown);
}

sub io {
    my ($shown) = @_;
    my $is_full = $! == ENOSPC || $! == EDQUOT || $! == EFBIG;
    return refusal($is_full ? 'full' : 'io', $shown, "$!");
}

sub refusal {
    my ($why, @values) = @_;
    my ($code, $sentence) = @{ $REFUSALS{$why} };
    my $text = sprintf $sentence, @values;
    $text =~ s/[[:cntrl:]]/?/g;
    return { refused => $code, why => $text };
}

1;
