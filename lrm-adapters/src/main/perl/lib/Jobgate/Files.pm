# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Files;

# Reads and removes files of a job, as the account that it ran as (docs/reference/files.md). Every request finds its file anew, so
# nothing is kept open between two, and a file that was replaced is seen to be another one.
#
# A place is one of three. A file that the job's description names (its standard output): its directory is entered as the account would,
# and only the last name must not be a symbolic link; where something is written or deleted, a link on the way must be the account's own or
# root's. A way below the job's directory: then no name on it may be a link. A way in a tree that the site exports: Jobgate::FileTree.
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
    MAX_LINKS  => 40,       # as the kernel has it
    O_PATH     => 0x200000, # of Linux: a directory need not be readable to be passed
};

my %REFUSALS = (
    missing   => ['NOT_FOUND',     'There is no file %s.'],
    forbidden => ['NOT_PERMITTED', 'The account may not use the file %s: %s.'],
    link      => ['NOT_A_FILE',    '%s is a symbolic link, or lies behind one: it is not followed.'],
    outside   => ['NOT_PERMITTED', '%s lies behind the symbolic link %s, which leads out of the tree: it is not followed.'],
    foreign   => ['NOT_PERMITTED', '%s lies behind the symbolic link %s of another account (%s): it is not followed. Name the place that it leads to.'],
    blocked   => ['NOT_PERMITTED', 'The site does not export the file %s, or what a symbolic link on the way to it leads to.'],
    fixed     => ['NOT_PERMITTED', 'The site lets the file %s be read, and not changed.'],
    above     => ['NOT_PERMITTED', '%s cannot be renamed or removed, for the site has rules for what is in it.'],
    kind      => ['NOT_A_FILE',    '%s is not a regular file.'],
    way       => ['NOT_A_FILE',    'A name on the way to %s is not a directory.'],
    directory => ['NOT_A_DIRECTORY', '%s is not a directory.'],
    filled    => ['NOT_EMPTY',     'The directory %s is not empty.'],
    exists    => ['EXISTS',        'There is a file %s already.'],
    full      => ['NO_SPACE',      'There is no room for the file %s: %s.'],
    quota     => ['QUOTA',         'The account has used up its quota, so there is no room for the file %s: %s.'],
    io        => ['FAILED',        'The file %s cannot be used: %s.'],
);

sub new { return bless {}, $_[0] }

# guarded, guarded_change, guarded_move, enter, away, go, target, below, failed, io, refusal and number are also for Jobgate::FileWrites,
# Jobgate::FileListing and Jobgate::FileTree.

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
        # no more bytes may be read than the size that is answered with them
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
    my $answer = guarded_change($request->{place}, sub {
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
sub guarded {
    my ($place, $work) = @_;
    return away(sub { $work->(enter($place, 'read')) });
}

# The same where something is written or deleted.
# make: the directories below the job's, and that itself, are made where they are not there
sub guarded_change {
    my ($place, $work, $make) = @_;
    return away(sub { $work->(enter($place, $make ? 'make' : 'change')) });
}

# The same where what has the name gets another one, or goes away with all that is in it.
sub guarded_move {
    my ($place, $work) = @_;
    return away(sub { $work->(enter($place, 'move')) });
}

# Does work that goes to other directories, and comes back to /; answers what it answers, or its refusal.
sub away {
    my ($work) = @_;
    my $answer = eval { $work->() };
    my $error  = $@;
    chdir '/' or die "cannot leave for /: $!\n";
    return $answer if $answer;
    die $error unless ref $error eq 'HASH';
    return $error;
}

# Makes the directory of the place the working directory; answers the last name, and how to call it all.
# for: what is to be done there, 'read', 'change', 'move', or 'make' where directories may be made as well; in a tree also 'look'
# parents: in a tree, whether the directories on the way are made
sub enter {
    my ($place, $for, $parents) = @_;
    my $directory = _directory($place);
    return Jobgate::FileTree::enter($directory, $place, $for, $parents) if ref $place->{tree};
    return _enter_below($directory, $place->{below}, $for) if ref $place->{below};
    my $path = $place->{named} // die "a place without a name\n";
    $path = "$directory/$path" if $path !~ m{\A/};
    die refusal('missing', $path) if length $path > MAX_PATH || $path =~ /\0/;
    my ($parent, $name) = $path =~ m{\A(.*/)([^/]+)\z}s or die refusal('kind', $path);
    die refusal('kind', $path) if $name eq '.' || $name eq '..';
    $for eq 'read' ? (chdir $parent or die failed($path)) : go($parent, 0, $path);
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
    my ($directory, $names, $for) = @_;
    my @names = @$names;
    die "no names\n" unless @names;
    my $shown = join '/', @names;
    m{\A(?:\.\.?)?\z} || m{[/\0]} and die "not a name: $_\n" for @names;
    my $last = pop @names;
    _walk($directory, \@names, $for, $shown);
    return ($last, $shown);
}

# Does the work in a directory that is the job's or below it.
sub below {
    my ($place, $work) = @_;
    my @names = @{ $place->{below} // [] };
    m{\A(?:\.\.?)?\z} || m{[/\0]} and die "not a name: $_\n" for @names;
    return away(sub {
        my $shown = join '/', @names, '';
        _walk(_directory($place), \@names, 'read', $shown);
        $work->($shown);
    });
}

# Goes to a directory by its whole path, name by name, each from the one before it. Links are followed that root or the account itself
# has made: homes and scratch directories lie behind such. One of another account could lead what is written or deleted here anywhere.
# make: what is not there is made
sub go {
    my ($path, $make, $shown) = @_;
    my @names = grep { $_ ne '' && $_ ne '.' } split m{/}, $path;
    my $links = 0;
    chdir '/' or die "cannot go to /: $!\n";
    while (@names) {
        my $name = shift @names;
        next if _step($name, $make, $shown);
        die refusal('io', $shown, 'too many symbolic links on the way') if ++$links > MAX_LINKS;
        my $target = target($name, $shown);
        $target =~ m{\A/} and (chdir '/' or die "cannot go to /: $!\n");
        unshift @names, grep { $_ ne '' && $_ ne '.' } split m{/}, $target;
    }
    return;
}

# Answers whether it is there now; if not, the name is a link.
sub _step {
    my ($name, $make, $shown) = @_;
    my $here;
    my $is_open = sysopen $here, $name, O_PATH | O_NOFOLLOW | O_DIRECTORY;
    if (!$is_open && $make && $!{ENOENT}) {
        mkdir $name or $!{EEXIST} or die failed($shown);
        $is_open = sysopen $here, $name, O_PATH | O_NOFOLLOW | O_DIRECTORY;
    }
    if (!$is_open) {
        my $error = $!;
        return 0 if -l $name;
        $! = $error;
        die $make && $!{ENOTDIR} ? refusal('way', $shown) : failed($shown);
    }
    chdir $here or die failed($shown);
    return 1;
}

# Where a link leads. It must be the same one before and after it is read.
sub target {
    my ($name, $shown) = @_;
    my @before = lstat $name or die failed($shown);
    my $target = readlink $name;
    defined $target or die failed($shown);
    my @after = lstat $name or die failed($shown);
    die refusal('io', $shown, 'a symbolic link on the way changes') if "@before[0, 1, 2, 4, 10]" ne "@after[0, 1, 2, 4, 10]";
    return $target if $before[4] == 0 || $before[4] == $>;
    die refusal('foreign', $shown, $name, scalar getpwuid($before[4]) // $before[4]);
}

# Each directory is opened from the one before it, so that nobody can exchange a name between a look and its use.
sub _walk {
    my ($directory, $names, $for, $shown) = @_;
    my $make = $for eq 'make';
    die "too many names\n" if @$names >= MAX_NAMES;
    $for eq 'read' ? (chdir $directory or die failed($directory)) : go($directory, $make, $directory);
    for my $name (@$names) {
        $make and (mkdir $name or $!{EEXIST} or die failed($shown));
        sysopen my $next, $name, O_RDONLY | O_NOFOLLOW | O_DIRECTORY | O_NONBLOCK or die _step_failed($name, $shown, $make);
        chdir $next or die failed($shown);
    }
    return;
}

# With O_DIRECTORY the error for a symbolic link is "not a directory".
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
    my $why = $! == EDQUOT ? 'quota' : $! == ENOSPC || $! == EFBIG ? 'full' : 'io';
    return refusal($why, $shown, "$!");
}

sub refusal {
    my ($why, @values) = @_;
    my ($code, $sentence) = @{ $REFUSALS{$why} };
    my $text = sprintf $sentence, @values;
    $text =~ s/[[:cntrl:]]/?/g;
    return { refused => $code, why => $text };
}

1;
