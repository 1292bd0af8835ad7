# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::TreeRules;

# Paths in an exported tree for which other rules hold than for the rest (docs/reference/files.md): blocked ones, and fixed ones, which can only
# be read. A path is known by its name from the top of the tree, as it is written and as it is without links, and what is there also by its
# device and inode: where a file system takes Private for private, or shows a directory at a second place, the rule holds all the same.
#
# A file system that hangs must not stop those who go elsewhere. So a path is looked at only up to the first mount point that the request has
# nothing to do with, which the kernel's table of mounts tells without a look; what is behind that is looked at when the way of the request
# comes to the same file system. Until then nothing on the way can be the same file.

use strict;
use warnings;

use Cwd ();
use Fcntl qw(S_ISLNK);
use Jobgate::Files ();

use constant MOUNTS_KEPT => 5;    # seconds: there may be thousands of mounts, and each piece of a file is a request

# The rules of a place; nothing where there are none. The top of the tree is the working directory.
sub new {
    my ($class, $place) = @_;
    my @kinds = grep { @{ $place->{$_} // [] } } qw(blocked fixed);
    return undef unless @kinds;
    my $self = bless { map { $_ => {} } qw(blocked fixed above around looked passed later) }, $class;
    my @top = stat '.';
    @$self{qw(top mounts)} = (Cwd::getcwd(), _mounts());
    $self->_pass_top(@top) if @top && defined $self->{top};
    for my $kind (@kinds) {
        for my $path (@{ $place->{$kind} }) {
            my @names = split m{/}, $path;
            !@names || grep { /\A(?:\.\.?)?\z/ } @names and die "not a path in a tree: $path\n";
            $self->_name($kind, @names);
            $self->{around}{ _id(@top) } = 1 if $kind eq 'blocked' && @names == 1 && @top;
            $self->_look($kind, @names) if @top && defined $self->{top};
        }
    }
    return $self;
}

# The way to the top has been gone.
sub _pass_top {
    my ($self, @stat) = @_;
    $self->{top} =~ s{/\z}{};    # the root alone has one
    my $path = '';
    for my $name ('', split m{/}, substr $self->{top}, length($self->{top}) ? 1 : 0) {
        $path .= "/$name" if $name ne '';
        my $device = $self->{mounts}{ $path eq '' ? '/' : $path };
        $self->{passed}{$device} = 1 if defined $device;
    }
    $self->{passed}{ $stat[0] } = 1;
    return;
}

sub _name {
    my ($self, $kind, @names) = @_;
    my $path = '.';
    my $last = pop @names;
    for my $name (@names) {
        $path .= "/$name";
        $self->{above}{$path} = 1;
    }
    $self->{around}{$path} = 1 if $kind eq 'blocked';
    $self->{$kind}{"$path/$last"} = 1;
    return;
}

# Looks at a path with a rule, name by name, links followed, up to a file system that the way has not come to.
sub _look {
    my ($self, $kind, @names) = @_;
    my @todo = map { [ $_, 'above' ] } @names;
    $todo[-1][1] = $kind;
    push @{ $todo[-2] }, 'around' if @todo > 1 && $kind eq 'blocked';
    my ($real, $links) = ($self->{top}, 0);
    while (my $next = shift @todo) {
        my ($name, @roles) = @$next;
        my $path = $name eq '.' ? $real : $name eq '..' ? $real =~ s{/[^/]*\z}{}r : "$real/$name";
        my $there = $self->_there($path eq '' ? '/' : $path);
        if (!ref $there) {
            push @{ $self->{later}{$there} }, [ $kind, @names ];
            return;
        }
        if (!@$there) {    # not there, or the account may not look
            return if @todo;
            $real = $path;
            last;
        }
        $self->{$_}{ _id(@$there) } = 1 for @roles;
        if (!S_ISLNK($there->[2])) {
            $real = $path;
            next;
        }
        my $target = readlink $path;
        return if !defined $target || ++$links > Jobgate::Files::MAX_LINKS;
        $real = '' if $target =~ m{\A/};
        my @target = map { [$_] } grep { $_ ne '' } split m{/}, $target;
        @target = (['.']) unless @target;
        push @{ $target[-1] }, @roles;
        unshift @todo, @target;
    }
    my $top = $self->{top};
    return if !$links || index($real, "$top/") != 0;
    my @real = split m{/}, substr $real, 1 + length $top;
    $self->_name($kind, @real);
    $self->_look($kind, @real);    # there is no link in it
    return;
}

# Device, inode and mode of what has the path, nothing in it where that is nothing; only the device where it is a mount point that the way has
# not come to.
sub _there {
    my ($self, $path) = @_;
    return $self->{looked}{$path} if $self->{looked}{$path};
    my $device = $self->{mounts}{$path};
    return $device if defined $device && !$self->{passed}{$device};
    my @stat = lstat $path;
    return $self->{looked}{$path} = @stat ? [ @stat[0 .. 2] ] : [];
}

# The device of each mount point. Some file systems (btrfs) tell another number of what is in them; the way comes to those by their mount points.
my ($mounts, $mounts_until);
sub _mounts {
    my $now = time;
    return $mounts if defined $mounts_until && $now < $mounts_until && $mounts_until <= $now + MOUNTS_KEPT;
    open my $table, '<', '/proc/self/mountinfo' or die "cannot read /proc/self/mountinfo: $!\n";
    my %found;
    while (defined(my $line = readline $table)) {
        my ($major, $minor, $path) = $line =~ /\A\d+ \d+ (\d+):(\d+) \S+ (\S+) / or next;
        $path =~ s/\\([0-7]{3})/chr oct $1/ge;
        # as stat(2) has it in one number
        $found{$path} = ($minor & 0xff) | (($major & 0xfff) << 8) | (($minor & ~0xff) << 12) | (($major & ~0xfff) << 32);
    }
    close $table or die "cannot read /proc/self/mountinfo: $!\n";
    ($mounts, $mounts_until) = (\%found, $now + MOUNTS_KEPT);
    return $mounts;
}

# The way has come to a path: rules of the same file system are looked at now.
sub _pass {
    my ($self, $path, @stat) = @_;
    my $mount = $self->{mounts}{ $self->{top} . substr $path, 1 };
    for my $device ($stat[0], $mount // ()) {
        next if $self->{passed}{$device};
        $self->{passed}{$device} = 1;
        $self->_look(@$_) for @{ delete $self->{later}{$device} // [] };
    }
    return;
}

sub _id { return "$_[0].$_[1]" }

# kind: 'blocked', 'fixed', or 'above' for a directory that has such a path in it, near or far
# path: from the top of the tree, './' before it; stat: of what is there, none where that is nothing
sub holds {
    my ($self, $kind, $path, @stat) = @_;
    return 1 if $self->{$kind}{$path};
    return 0 unless @stat;
    $self->_pass($path, @stat) if %{ $self->{later} };
    return $self->{$kind}{ _id(@stat) };
}

# What tells of a name in the directory where we are whether it is left out of a listing; nothing where no name is. What is left out by its name
# is not looked at: it may hang.
sub hidden {
    my ($self, $path) = @_;
    return undef unless $self->holds('around', $path, stat '.');
    return sub { return $self->holds('blocked', "$path/$_[0]") || $self->holds('blocked', "$path/$_[0]", lstat $_[0]) };
}

1;
