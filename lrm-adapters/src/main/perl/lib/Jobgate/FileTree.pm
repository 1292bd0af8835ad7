# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::FileTree;

# Files in a directory that the site exports, outside of those of jobs, as the account (docs/reference/files.md).
#
# The path to a file is followed name by name, each directory opened from the one before it, so that nobody can exchange a name between a
# look and its use. A symbolic link is followed only if root or the account itself has made it and it leads to a place in the tree:
# ".." in it goes back to the directory that we came from, which is kept open, and never above the top.

use strict;
use warnings;

use Cwd ();
use Errno qw(EXDEV EINVAL);
use Fcntl qw(O_NOFOLLOW O_DIRECTORY S_IMODE S_ISREG S_ISDIR S_ISLNK);
use Jobgate::FileListing ();
use Jobgate::Files ();
use Jobgate::TreeRules ();

use constant {
    MAX_OPEN => 256,    # directories on a way, those of links included
    KEPT     => 03000,  # bits of a directory that chmod leaves: set-group-id and sticky
    NAMES_KEPT     => 60,       # seconds for which names of accounts and groups are known
    MAX_NAMES_KEPT => 10_000,
};

# Goes to the directory that holds the last name of a way; answers that name, '.' for the top of the tree, how to call it all, and the walk.
# place: tree (the names), and the paths for which rules hold (Jobgate::TreeRules)
# for: 'read' follows a link in the last name, too; 'look', 'change' and 'move' do not; the latter two refuse the top of the tree
# make: the directories on the way are made where they are not there
sub enter {
    my ($directory, $place, $for, $make) = @_;
    my @names = @{ $place->{tree} };
    m{\A(?:\.\.?)?\z} || m{[/\0]} and die "not a name: $_\n" for @names;
    die "too many names\n" if @names > Jobgate::Files::MAX_NAMES;
    my $shown = join('/', @names) || '/';
    die Jobgate::Files::refusal('forbidden', $shown, 'it is the top of the tree') if $for =~ /\A(?:change|move)\z/ && !@names;
    Jobgate::Files::go($directory, 0, $directory);
    my $walk = { way => [_here($directory)], tops => [$directory, Cwd::getcwd() // ()], links => 0, make => $make, shown => $shown };
    @$walk{qw(for rules at)} = ($for, Jobgate::TreeRules->new($place), [ { path => '.' } ]);
    while (@names) {
        my $name   = shift @names;
        my $is_end = !@names && $name ne '..';
        _checked($walk, $name) if $name ne '..';    # before it is touched: it may hang
        if ($is_end && !($for eq 'read' && -l $name)) {
            _check_end($walk, $name);
            return ($name, $shown, $walk);
        }
        unshift @names, _step($walk, $name);
    }
    return ('.', $shown, $walk);
}

# Refuses a name in the directory where we are that is blocked; answers what the walk keeps of it. Since links are followed by their
# names, the path of a directory on the way is the one without links. What is no link may be known by its stat, too.
sub _checked {
    my ($walk, $name, @stat) = @_;
    my $rules = $walk->{rules} or return { path => $name };
    my $above = $walk->{at}[-1];
    my $path  = "$above->{path}/$name";
    die Jobgate::Files::refusal('blocked', $walk->{shown}) if $rules->holds('blocked', $path, @stat);
    return { path => $path, fixed => $above->{fixed} || $rules->holds('fixed', $path, @stat) };
}

sub _check_end {
    my ($walk, $name) = @_;
    my ($rules, $for, $shown) = @$walk{qw(rules for shown)};
    return unless $rules;
    my @stat = lstat $name;
    my $here = _checked($walk, $name, @stat);
    return if $for eq 'read' || $for eq 'look';
    die Jobgate::Files::refusal('fixed', $shown) if $here->{fixed};
    die Jobgate::Files::refusal('above', $shown) if $for eq 'move' && @stat && $rules->holds('above', $here->{path}, @stat);
    return;
}

# What refuses to remove a name below the last one of a walk for which the site has rules, as a second place of a blocked directory; nothing
# where there are no rules.
sub keeper {
    my ($walk, $name) = @_;
    my $rules = $walk->{rules} or return undef;
    my $top   = "$walk->{at}[-1]{path}/$name";
    return sub {
        my ($way, @stat) = @_;
        die Jobgate::Files::refusal('above', $walk->{shown}) if grep { $rules->holds($_, "$top$way", @stat) } qw(blocked fixed above);
        return;
    };
}

# Answers which names in the directory where we are now listings leave out; nothing where they leave out none. We came there by the last
# name of the walk.
sub _hidden {
    my ($walk, $name) = @_;
    my $rules = $walk->{rules} or return undef;
    my $path  = $walk->{at}[-1]{path};
    return $rules->hidden($name eq '.' ? $path : "$path/$name");
}

# Goes one name on. If the name is a link, nothing is gone, and the names that it stands for are answered.
sub _step {
    my ($walk, $name) = @_;
    my ($way, $shown) = @$walk{qw(way shown)};
    if ($name eq '..') {
        pop @$way;
        pop @{ $walk->{at} };
        die Jobgate::Files::refusal('outside', $shown, $walk->{link}) unless @$way;
        chdir $way->[-1] or die Jobgate::Files::failed($shown);
        return ();
    }
    die Jobgate::Files::refusal('io', $shown, 'more than ' . MAX_OPEN . ' directories are on the way') if @$way >= MAX_OPEN;
    my $next = _open_directory($name);
    if (!$next && $walk->{make} && $!{ENOENT}) {
        die Jobgate::Files::refusal('fixed', $shown) if _checked($walk, $name)->{fixed};
        mkdir $name or $!{EEXIST} or die Jobgate::Files::failed($shown);
        $next = _open_directory($name);
    }
    if (!$next) {
        my $error = $!;
        _checked($walk, $name);
        return _followed($walk, $name) if -l $name;
        $! = $error;
        die $!{ENOTDIR} ? Jobgate::Files::refusal('way', $shown) : Jobgate::Files::failed($shown);
    }
    my $here = _checked($walk, $name, $walk->{rules} ? CORE::stat $next : ());
    chdir $next or die Jobgate::Files::failed($shown);
    push @$way, $next;
    push @{ $walk->{at} }, $here;
    return ();
}

# The names that a link stands for. Where its target is absolute they begin at the top of the tree, and we are there.
sub _followed {
    my ($walk, $name) = @_;
    my ($way, $shown) = @$walk{qw(way shown)};
    die Jobgate::Files::refusal('io', $shown, 'too many symbolic links on the way') if ++$walk->{links} > Jobgate::Files::MAX_LINKS;
    my $target = Jobgate::Files::target($name, $shown);
    my @names  = _names($target);
    $walk->{link} = $name;
    return @names unless $target =~ m{\A/};
    for my $top (@{ $walk->{tops} }) {
        my @top = _names($top);
        next if @top > @names || grep { $top[$_] ne $names[$_] } 0 .. $#top;
        splice @$way, 1;
        splice @{ $walk->{at} }, 1;
        chdir $way->[0] or die Jobgate::Files::failed($shown);
        return @names[@top .. $#names];
    }
    die Jobgate::Files::refusal('outside', $shown, $name);
}

sub _names { return grep { $_ ne '' && $_ ne '.' } split m{/}, $_[0] }

sub _open_directory {
    my ($name) = @_;
    sysopen my $directory, $name, Jobgate::Files::O_PATH | O_NOFOLLOW | O_DIRECTORY or return undef;
    return $directory;
}

# The directory where we are, open.
sub _here { return _open_directory('.') // die Jobgate::Files::failed($_[0]) }

# Does work at the place of a request that is looked at.
sub _at {
    my ($place, $for, $work) = @_;
    return Jobgate::Files::away(sub { $work->(Jobgate::Files::enter($place, $for)) });
}

# place -> entry
sub stat {
    my ($request) = @_;
    return _at($request->{place}, 'look', sub {
        my ($name, $shown) = @_;
        return { entry => _entry($name) // die Jobgate::Files::failed($shown) };
    });
}

# place, after, limit -> packed, more
# packed: the entries in the order of their names, each seven fields with a NUL between any two: name, st_mode, size, modified, owner,
# group, target (empty for what is no link). A thousand entries as values of their own would cost most of a listing's time.
sub list {
    my ($request) = @_;
    my $limit = _limit($request);
    return _at($request->{place}, 'read', sub {
        my ($name, $shown, $walk) = @_;
        my $directory = _open_directory($name);
        die $!{ENOTDIR} ? Jobgate::Files::refusal('directory', $shown) : Jobgate::Files::failed($shown) unless $directory;
        chdir $directory or die Jobgate::Files::failed($shown);
        return _packed($request->{after} // '', $limit, $shown, _hidden($walk, $name));
    });
}

# place, limit -> entry, and of a directory what list answers of its beginning
sub view {
    my ($request) = @_;
    my $limit = _limit($request);
    return _at($request->{place}, 'look', sub {
        my ($name, $shown, $walk) = @_;
        my $entry = _entry($name) // die Jobgate::Files::failed($shown);
        return { entry => $entry } if $entry->{kind} ne 'directory';
        my $directory = _open_directory($name) // die Jobgate::Files::failed($shown);
        chdir $directory or die Jobgate::Files::failed($shown);
        return { entry => $entry, %{ _packed('', $limit, $shown, _hidden($walk, $name)) } };
    });
}

sub _limit {
    my $limit = Jobgate::Files::number($_[0]{limit}, 'limit');
    return $limit > Jobgate::FileListing::MAX_LISTED ? Jobgate::FileListing::MAX_LISTED : $limit;
}

# A page of the directory where we are.
sub _packed {
    my ($after, $limit, $shown, $hides) = @_;
    my ($names, $more) = Jobgate::FileListing::page($after, $limit, $shown, $hides);
    my @packed;
    for my $one (@$names) {
        my @stat = lstat $one or next;    # gone by now
        push @packed, $one, @stat[2, 7, 9], _owner($stat[4]), _group($stat[5]), S_ISLNK($stat[2]) ? readlink $one // '' : '';
    }
    return { packed => join("\0", @packed), more => $more };
}

# The name of an account or group, its number where it has none. To look one up costs more than to list ten files; so those found are
# known for a minute, not for ever.
my (%known, $known_until);
sub _owner { my ($id) = @_; return _known()->{"u$id"} //= getpwuid($id) // $id }
sub _group { my ($id) = @_; return _known()->{"g$id"} //= getgrgid($id) // $id }

sub _known {
    my $now = time;
    if (!defined $known_until || $now >= $known_until || $known_until > $now + NAMES_KEPT || keys %known > MAX_NAMES_KEPT) {
        %known = ();
        $known_until = $now + NAMES_KEPT;
    }
    return \%known;
}

# Nothing where there is none of that name.
sub _entry {
    my ($name) = @_;
    my @stat = lstat $name or return undef;
    my $target = S_ISLNK($stat[2]) ? readlink $name : undef;
    return {
        name     => $name,
        kind     => Jobgate::FileListing::kind($stat[2]),
        size     => $stat[7],
        modified => $stat[9],
        mode     => S_IMODE($stat[2]),
        owner    => _owner($stat[4]),
        group    => _group($stat[5]),
        defined $target ? (target => $target) : (),
    };
}

# place, parents -> made (whether it was not there)
sub make {
    my ($request) = @_;
    return Jobgate::Files::away(sub {
        my ($name, $shown) = Jobgate::Files::enter($request->{place}, 'change', $request->{parents});
        return { made => 1 } if mkdir $name;
        my $error = $!;
        my @there = lstat $name;
        return { made => 0 } if @there && S_ISDIR($there[2]);
        $! = $error;
        die Jobgate::Files::failed($shown);
    });
}

# from, to (places), replace -> nothing
sub rename {
    my ($request) = @_;
    return Jobgate::Files::away(sub {
        my ($old, $shown_old) = Jobgate::Files::enter($request->{from}, 'move');
        my $from = _here($shown_old);
        my ($new, $shown) = Jobgate::Files::enter($request->{to}, 'move');
        # Perl has no renameat: through /proc the kernel finds the very directory that we have open
        my $source = '/proc/self/fd/' . fileno($from) . "/$old";
        my @moved  = lstat $source or die Jobgate::Files::failed($shown_old);
        my @there  = lstat $new;
        die Jobgate::Files::refusal('exists', $shown) if @there && (!$request->{replace} || S_ISDIR($there[2]));
        # What comes meanwhile is not replaced by a second name. A directory can replace an empty one only.
        my $is_done = $request->{replace} || S_ISDIR($moved[2]) ? CORE::rename($source, $new) : link($source, $new) && unlink $source;
        $is_done or die _move_failed($shown);
        return {};
    });
}

sub _move_failed {
    my ($shown) = @_;
    return Jobgate::Files::refusal('forbidden', $shown, 'its old name is on another file system') if $! == EXDEV;
    return Jobgate::Files::refusal('forbidden', $shown, 'a directory cannot be moved into itself') if $! == EINVAL;
    return Jobgate::Files::failed($shown);
}

# place, mode -> nothing
sub chmod {
    my ($request) = @_;
    my $mode = Jobgate::Files::number($request->{mode}, 'mode');
    die "not a mode: $mode\n" if $mode > 0777;
    return _at($request->{place}, 'change', sub {
        my ($name, $shown) = @_;
        # the file itself is held, readable or not, so that it cannot be exchanged for a link
        sysopen my $file, $name, Jobgate::Files::O_PATH | O_NOFOLLOW or die Jobgate::Files::failed($shown);
        my @stat = CORE::stat $file or die Jobgate::Files::io($shown);
        die Jobgate::Files::refusal('link', $shown) if S_ISLNK($stat[2]);
        die Jobgate::Files::refusal('kind', $shown) unless S_ISREG($stat[2]) || S_ISDIR($stat[2]);
        $mode |= $stat[2] & KEPT if S_ISDIR($stat[2]);
        CORE::chmod($mode, '/proc/self/fd/' . fileno $file) or die Jobgate::Files::failed($shown);
        return {};
    });
}

1;
