# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::FileWrites;

# Writes, lists and deletes files as the account (docs/reference/staging.md). A file is written into a part beside its place, whose
# name the container says, and takes its place only when it is whole: until then there is what was there before. Every request may
# come twice.
#
# On the way to what is written, made or deleted, symbolic links are followed that root or the account has made, and no others; below what is
# deleted, none. What is listed is entered as the account would enter it.

use strict;
use warnings;
no warnings 'recursion';    # a deletion goes as deep as MAX_DEPTH

use Errno qw(ENOENT ENOTDIR EEXIST ENOTEMPTY);
use Fcntl qw(O_RDONLY O_WRONLY O_CREAT O_NOFOLLOW O_NONBLOCK O_NOCTTY O_DIRECTORY S_ISREG S_ISDIR);
use IO::Handle ();
use Jobgate::FileListing ();
use Jobgate::Files ();

use constant {
    MAX_LENGTH  => 1024 * 1024,
    MAX_DELETED => 2000,          # entries in one request: others wait for us
    MAX_DEPTH   => 128,
    MAX_MADE    => 1000,          # directories in one request
};

sub new { return bless {}, $_[0] }

# place, part -> size of what was written so far
sub kept {
    my ($self, $request) = @_;
    my $part   = _part($request);
    my $answer = Jobgate::Files::guarded_change($request->{place}, sub {
        my ($name, $shown) = @_;
        my $file = _open_part($part, 0, $shown);
        return { size => $file ? -s $file : 0 };
    });
    return ($answer->{refused} // '') eq 'NOT_FOUND' ? { size => 0 } : $answer;
}

# place, part, offset, bytes, sync -> size; short where there is not so much yet. What was behind the offset is cut off. Directories
# below the job's are made on the way.
sub put {
    my ($self, $request) = @_;
    my $part   = _part($request);
    my $offset = Jobgate::Files::number($request->{offset}, 'offset');
    my $bytes  = $request->{bytes} // die "no bytes\n";
    die "at most " . MAX_LENGTH . " bytes at once\n" if length $bytes > MAX_LENGTH;
    return Jobgate::Files::guarded_change($request->{place}, sub {
        my ($name, $shown) = @_;
        my $file = _open_part($part, O_CREAT, $shown);
        my $size = -s $file;
        return { short => $size } if $size < $offset;
        $size == $offset or truncate $file, $offset or die Jobgate::Files::io($shown);
        defined sysseek $file, $offset, 0 or die Jobgate::Files::io($shown);
        _write($file, $bytes, $shown);
        !$request->{sync} or $file->sync or die Jobgate::Files::io($shown);
        close $file or die Jobgate::Files::io($shown);
        return { size => $offset + length $bytes };
    }, ref $request->{place}{below});
}

# place, part, size, program, new -> nothing; short where there is not so much. The part takes the place; with new, only where nothing is.
# It has the permissions of a regular file that it takes the place of: what its owner has closed stays closed. In a tree it takes that of such a file only.
sub finish {
    my ($self, $request) = @_;
    my $part = _part($request);
    my $size = Jobgate::Files::number($request->{size}, 'size');
    my $tree = ref $request->{place}{tree};
    return Jobgate::Files::guarded_change($request->{place}, sub {
        my ($name, $shown) = @_;
        my @there = lstat $name;
        my $is_kept = @there && ($tree && !$request->{new} ? !S_ISREG($there[2]) : S_ISDIR($there[2]));
        die Jobgate::Files::refusal('kind', $shown) if $is_kept;
        my $file = _open_part($part, $size == 0 ? O_CREAT : 0, $shown);
        if (!$file) {    # the answer to the same request may have been lost
            return @there && S_ISREG($there[2]) && $there[7] == $size ? {} : { short => 0 };
        }
        return { short => -s $file } if -s $file != $size;
        my $usual = ($request->{program} ? 0777 : 0666) & ~umask;
        my $mode = @there && S_ISREG($there[2]) ? ($there[2] & 0777) | ($usual & 0111) : $usual;
        chmod $mode, $file or die Jobgate::Files::io($shown);
        $file->sync or die Jobgate::Files::io($shown);
        _take_place($part, $name, $request->{new}, $shown);
        _sync_directory($shown);
        return {};
    }, ref $request->{place}{below});
}

# A second name is only given where there is none of it: a rename would take the place of what came meanwhile.
sub _take_place {
    my ($part, $name, $new, $shown) = @_;
    return rename($part, $name) || die Jobgate::Files::failed($shown) unless $new;
    link $part, $name or die Jobgate::Files::failed($shown);
    unlink $part or die Jobgate::Files::failed($shown);
    return;
}

# place, part -> nothing: what was begun is given up
sub drop {
    my ($self, $request) = @_;
    my $part   = _part($request);
    my $answer = Jobgate::Files::guarded_change($request->{place}, sub {
        my ($name, $shown) = @_;
        unlink $part or $!{ENOENT} or die Jobgate::Files::failed($shown);
        return {};
    });
    return ($answer->{refused} // '') eq 'NOT_FOUND' ? {} : $answer;
}

# path -> nothing: the directory is there, and those on the way
sub make_directory {
    my ($self, $request) = @_;
    my $path = _path($request);
    return Jobgate::Files::away(sub {
        Jobgate::Files::go($path, 1, $path);
        return {};
    });
}

# path, names -> failed (name, refused, why) for each name of which there is no directory in that of the path then
sub make_directories {
    my ($self, $request) = @_;
    my $path  = _path($request);
    my @names = @{ $request->{names} // [] };
    die "at most " . MAX_MADE . " directories at once\n" if @names > MAX_MADE;
    m{\A(?:\.\.?)?\z} || m{[/\0]} and die "not a name: $_\n" for @names;
    return Jobgate::Files::away(sub {
        Jobgate::Files::go($path, 1, $path);
        return { failed => [ map { _make_here($_, "$path/$_") } @names ] };
    });
}

# Nothing where it is there; a link is not taken for what it leads to.
sub _make_here {
    my ($name, $shown) = @_;
    return () if mkdir $name;
    my $refusal = Jobgate::Files::failed($shown);
    return () if $!{EEXIST} && !-l $name && -d _;
    return { name => $name, %$refusal };
}

# place, empty -> removed (whether it was there), more (whether to ask again); a directory with all that is in it, or with empty only if
# there is nothing in it
sub delete {
    my ($self, $request) = @_;
    my $answer = Jobgate::Files::guarded_move($request->{place}, sub {
        my ($name, $shown, $walk) = @_;
        my @there = lstat $name or die Jobgate::Files::failed($shown);
        if ($request->{empty} && S_ISDIR($there[2])) {
            rmdir $name or die $!{ENOTEMPTY} || $!{EEXIST} ? Jobgate::Files::refusal('filled', $shown) : Jobgate::Files::failed($shown);
            return { removed => 1, more => 0 };
        }
        my $left = MAX_DELETED;
        my $whole = S_ISDIR($there[2]) ? _delete_directory($name, \$left, 0, $shown, $walk && Jobgate::FileTree::keeper($walk, $name)) : _unlink($name, $shown);
        return { removed => 1, more => $whole ? 0 : 1 };
    });
    return ($answer->{refused} // '') eq 'NOT_FOUND' ? { removed => 0, more => 0 } : $answer;
}

# path, after -> entries (name, kind, size) in the order of their names, more
sub list {
    my ($self, $request) = @_;
    my $path = _path($request);
    return Jobgate::Files::away(sub {
        chdir $path or die Jobgate::Files::failed($path);
        my ($names, $more) = Jobgate::FileListing::page($request->{after} // '', Jobgate::FileListing::MAX_LISTED, $path);
        return { entries => [ map { _entry($_) } @$names ], more => $more };
    });
}

# One that is gone by now is left out. Links are not told apart from pipes and the like.
sub _entry {
    my ($name) = @_;
    my @stat = lstat $name or return ();
    my $kind = Jobgate::FileListing::kind($stat[2]);
    return { name => $name, kind => $kind eq 'link' ? 'other' : $kind, size => $stat[7] };
}

sub _part {
    my ($request) = @_;
    die "not the name of a part\n" unless ($request->{part} // '') =~ /\A[0-9A-Za-z-]{1,128}\z/;
    return ".jobgate-$request->{part}.part";
}

# Relative to the home.
sub _path {
    my ($request) = @_;
    my $path = $request->{path} // '';
    die "not a path\n" if $path eq '' || $path =~ /\0/ || length $path > Jobgate::Files::MAX_PATH;
    return $path =~ m{\A/} ? $path : ((getpwuid $>)[7] // '/') . "/$path";
}

# undef if the file does not exist and is not to be made. In a directory that all may write, another user may have put it there.
sub _open_part {
    my ($part, $create, $shown) = @_;
    my $flags = O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | $create;
    my $file;
    if (!sysopen $file, $part, $flags, 0600) {
        return undef if !$create && $!{ENOENT};
        die Jobgate::Files::failed($shown);
    }
    my @stat = stat $file or die Jobgate::Files::io($shown);
    die Jobgate::Files::refusal('kind', $shown) unless S_ISREG($stat[2]);
    die Jobgate::Files::refusal('forbidden', $shown, 'its part belongs to somebody else') if $stat[4] != $> || $stat[3] != 1;
    binmode $file;
    return $file;
}

sub _write {
    my ($file, $bytes, $shown) = @_;
    my $done = 0;
    while ($done < length $bytes) {
        my $wrote = syswrite $file, $bytes, length($bytes) - $done, $done;
        next if !defined $wrote && $!{EINTR};
        defined $wrote or die Jobgate::Files::io($shown);
        $done += $wrote;
    }
    return;
}

sub _sync_directory {
    my ($shown) = @_;
    sysopen my $here, '.', O_RDONLY | O_DIRECTORY or die Jobgate::Files::io($shown);
    $here->sync or die Jobgate::Files::io($shown);
    return;
}

sub _unlink {
    my ($name, $shown) = @_;
    unlink $name or $!{ENOENT} or die Jobgate::Files::failed($shown);
    return 1;
}

# Each directory is entered by itself, from the one before it, so that nobody can lay a link in its place between a look and a step.
# Answers whether it is gone; if not there is more to delete than one request may.
# keeper: refuses what rules of the site keep, by its way below the first name and its stat; none where there are no rules
sub _delete_directory {
    my ($name, $left, $depth, $shown, $keeper, $way) = @_;
    die Jobgate::Files::refusal('io', $shown, 'it is deeper than ' . MAX_DEPTH . ' directories') if $depth > MAX_DEPTH;
    sysopen my $here, '.', O_RDONLY | O_DIRECTORY or die Jobgate::Files::io($shown);
    sysopen my $inner, $name, O_RDONLY | O_NOFOLLOW | O_DIRECTORY or die Jobgate::Files::failed($shown);
    chdir $inner or die Jobgate::Files::failed($shown);
    my $whole = _empty($left, $depth, $shown, $keeper, $way // '');
    chdir $here or die Jobgate::Files::io($shown);
    return 0 unless $whole;
    rmdir $name or $!{ENOENT} or die Jobgate::Files::failed($shown);
    return 1;
}

sub _empty {
    my ($left, $depth, $shown, $keeper, $way) = @_;
    opendir my $directory, '.' or die Jobgate::Files::failed($shown);
    while (defined(my $name = readdir $directory)) {
        next if $name eq '.' || $name eq '..';
        return 0 if --$$left < 0;
        my @stat = lstat $name or next;
        $keeper->("$way/$name", @stat) if $keeper;
        my $gone = S_ISDIR($stat[2]) ? _delete_directory($name, $left, $depth + 1, $shown, $keeper, "$way/$name") : _unlink($name, $shown);
        return 0 unless $gone;
    }
    return 1;
}

1;
