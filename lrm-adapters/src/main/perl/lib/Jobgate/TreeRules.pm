# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::TreeRules;

# Paths in an exported tree for which other rules hold than for the rest (docs/reference/files.md): blocked ones, and fixed ones, which can only
# be read. A path is known by its name from the top of the tree, as it is written and as it is without links, and what is there also by its
# device and inode: where a file system takes Private for private, or shows a directory at a second place, the rule holds all the same.

use strict;
use warnings;

use Cwd ();

# The rules of a place; nothing where there are none. The top of the tree is the working directory.
sub new {
    my ($class, $place) = @_;
    my @kinds = grep { @{ $place->{$_} // [] } } qw(blocked fixed);
    return undef unless @kinds;
    my $self = bless { map { $_ => {} } qw(blocked fixed above around) }, $class;
    my $top = Cwd::getcwd();
    $top =~ s{/\z}{} if defined $top;    # the root alone has one
    for my $kind (@kinds) {
        for my $path (@{ $place->{$kind} }) {
            my @names = split m{/}, $path;
            !@names || grep { /\A(?:\.\.?)?\z/ } @names and die "not a path in a tree: $path\n";
            $self->_add($kind, @names);
            my $real = Cwd::realpath($path);
            next unless defined $real && defined $top;    # not there, or the account may not look
            $self->_add($kind, split m{/}, substr $real, 1 + length $top) if index($real, "$top/") == 0 && length $real > 1 + length $top;
        }
    }
    return $self;
}

sub _add {
    my ($self, $kind, @names) = @_;
    my $path = '.';
    my $last = pop @names;
    for my $name (@names) {
        $path .= "/$name";
        $self->_keep('above', $path);
    }
    $self->_keep('around', $path) if $kind eq 'blocked';
    $self->_keep($kind, "$path/$last");
    return;
}

sub _keep {
    my ($self, $kind, $path) = @_;
    $self->{$kind}{$path} = 1;
    my @link   = lstat $path or return;
    my @target = stat $path;
    $self->{$kind}{ _id(@$_) } = 1 for grep { @$_ } \@link, \@target;
    return;
}

sub _id { return "$_[0].$_[1]" }

# kind: 'blocked', 'fixed', or 'above' for a directory that has such a path in it, near or far
# path: from the top of the tree, './' before it; stat: of what is there, none where that is nothing
sub holds {
    my ($self, $kind, $path, @stat) = @_;
    return 1 if $self->{$kind}{$path};
    return @stat && $self->{$kind}{ _id(@stat) };
}

# What tells of a name in the directory where we are whether it is left out of a listing; nothing where no name is.
sub hidden {
    my ($self, $path) = @_;
    return undef unless $self->holds('around', $path, stat '.');
    return sub { return $self->holds('blocked', "$path/$_[0]", lstat $_[0]) };
}

1;
