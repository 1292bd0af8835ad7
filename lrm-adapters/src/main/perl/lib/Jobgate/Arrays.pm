# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Arrays;

# Jobs that are submitted together as one job array of the LRM: which job each element is. A file in the spool says so, written before the LRM is asked, so
# that a job is found there although the answer was lost. It goes when the last of its jobs has gone.

use strict;
use warnings;

use Jobgate::JobFile ();

my $UUID = qr/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

use constant {
    MAX_BYTES    => 65536,
    MOST         => 1000,    # Slurm's own MaxArraySize is 1001
    VAIN_SECONDS => 3600,    # for which an array may still turn up in the LRM that did not say whether it took it
};

# The directories of the spools, own first, in which the arrays are kept.
sub new {
    my ($class, @spools) = @_;
    return bless { directories => [ map { "$_/arrays" } @spools ], tags => {}, unread => {} }, $class;
}

# Keeps the jobs of a new array, [tag, where the LRM prints, if it does] each, in their order; answers it. No two have the same: of an array that was tried
# before, the LRM may know elements with other numbers.
sub keep {
    my ($self, @jobs) = @_;
    my ($directory) = @{ $self->{directories} };
    -d $directory or mkdir $directory, 0700 or die "cannot make $directory: $!\n";
    my $array = _new_name();
    my $is_kept = eval {
        for my $index (grep { defined $jobs[$_][1] } 0 .. $#jobs) { symlink $jobs[$index][1], "$directory/$array\_$index.out" or die "cannot make $directory/$array\_$index.out: $!\n" }
        Jobgate::JobFile::write_whole("$directory/$array.array", join '', map { "$_->[0]\n" } @jobs);
        1;
    };
    return $array if $is_kept;
    # the disk may be full, and the same is tried again and again: nothing is left behind
    my $why = $@;
    unlink map({ "$directory/$array\_$_.out" } 0 .. $#jobs), "$directory/$array.array", "$directory/$array.array.new.$$";
    die $why;
}

# Removes the files of arrays of these jobs whose submission never succeeded: the LRM was asked for each an hour ago or more, and none of their jobs, by what
# is known (a hash of tags), was ever seen there. Else each try would leave its files for as long as the LRM does not take the jobs. Should it show such an
# array after all, a job of it that runs has claimed its files, and is no other's twin.
sub drop_vain {
    my ($self, $known, @tags) = @_;
    for my $array ($self->arrays_of(@tags)) {
        next if grep { $known->{$_} } @{ $self->_tags($array) };
        my ($written) = map { (stat "$_/$array.array")[9] // () } @{ $self->{directories} };
        $self->drop($array) if defined $written && time - $written > VAIN_SECONDS;
    }
    return;
}

sub _new_name {
    open my $random, '<:raw', '/dev/urandom' or die "cannot read /dev/urandom: $!\n";
    (read $random, my $bytes, 16) == 16 or die "cannot read /dev/urandom\n";
    return join '-', unpack 'H8 H4 H4 H4 H12', $bytes;
}

# Arrays that could not be read are tried again from now on. Of one of another gateway each element would else be a look at the disk in each listing.
sub look_again { my ($self) = @_; $self->{unread} = {}; return }

# The job that this element is; undef where nothing says so.
sub tag_of {
    my ($self, $array, $index) = @_;
    return if $self->{unread}{$array};
    my $tags = $self->_tags($array);
    $self->{unread}{$array} = 1 unless @$tags;
    return $tags->[$index];
}

# The arrays that these jobs are elements of.
sub arrays_of {
    my ($self, @tags) = @_;
    my %asked = map { $_ => 1 } @tags;
    return grep { grep { $asked{$_} } @{ $self->_tags($_) } } $self->_all;
}

# Removes what is kept of the arrays of these jobs, where no job of the array is there any more.
sub tidy {
    my ($self, $is_there, @tags) = @_;
    for my $array ($self->arrays_of(@tags)) { $self->drop($array) unless grep { $is_there->($_) } @{ $self->_tags($array) } }
    return;
}

sub drop {
    my ($self, $array) = @_;
    my $last = $#{ $self->_tags($array) };
    for my $directory (@{ $self->{directories} }) { unlink map({ "$directory/$array\_$_.out" } 0 .. $last), "$directory/$array.array" }
    delete $self->{tags}{$array};
    return;
}

# The numbers in a list of elements, "3-5,7" or "1-9:2,12", in which an LRM shows those that wait together; none above the most that an array can have.
sub numbers {
    my ($list) = @_;
    my @numbers;
    for my $range (split /,/, $list) {
        my ($first, $last, $step) = $range =~ /\A([0-9]{1,7})(?:-([0-9]{1,7})(?::([1-9][0-9]{0,6}))?)?\z/ or next;
        $last = $first unless defined $last;
        $last = MOST if $last > MOST;
        for (my $number = $first; $number <= $last; $number += $step // 1) { push @numbers, $number + 0 }
    }
    return @numbers;
}

sub _all {
    my ($self) = @_;
    my %all;
    for my $directory (@{ $self->{directories} }) {
        opendir my $files, $directory or next;
        $all{$_} = 1 for map { /\A($UUID)\.array\z/ ? $1 : () } readdir $files;
    }
    return sort keys %all;
}

# Read once: it does not change.
sub _tags {
    my ($self, $array) = @_;
    return $self->{tags}{$array} if $self->{tags}{$array};
    for my $directory (@{ $self->{directories} }) {
        open my $file, '<:raw', "$directory/$array.array" or next;
        defined read $file, my $text, MAX_BYTES or next;
        my @tags = $text =~ /^($UUID)\n/mg;
        return $self->{tags}{$array} = \@tags if @tags && length($text) == 37 * @tags;
    }
    return [];
}

1;
