# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::FileListing;

# What is in a job's directory, or in one below it, on a way without symbolic links; and the order of all listings
# (docs/reference/files.md).

use strict;
use warnings;

use Fcntl qw(S_ISREG S_ISDIR S_ISLNK);
use Jobgate::Files ();
use Time::HiRes ();

use constant {
    MAX_LISTED  => 1000,
    MAX_ENTRIES => 1_000_000,    # of one directory that is listed
    ROOM        => 20_000,       # names that are kept of one directory; twice as many are held while it is read
    MOST_KEPT   => 4,            # directories whose next names are kept
    KEPT        => 60,           # seconds
    SETTLED     => 2,            # seconds: some file systems tell times of changes by whole ones
};

# place, after -> entries (name, kind, size, modified in seconds since 1970) in the order of their names, more
sub of {
    my ($request) = @_;
    return Jobgate::Files::below($request->{place}, sub {
        my ($names, $more) = page($request->{after} // '', MAX_LISTED, $_[0]);
        return { entries => [ map { _entry($_) } @$names ], more => $more };
    });
}

# The first names in the directory where we are that come after a name, in the order of their bytes; and whether there are more. However
# many there are, few of them are held at once.
# hides: answers whether a name is left out, where some are
sub page {
    my ($after, $most, $shown, $hides) = @_;
    my @page;
    while (1) {
        my $known = _known($after, $shown);
        my $names = $known->{names};
        for my $at (_behind($names, $after) .. $#$names) {
            next if $hides && $hides->($names->[$at]);
            return (\@page, 1) if @page == $most;
            push @page, $names->[$at];
        }
        return (\@page, 0) if $known->{is_all};
        $after = $names->[-1];
    }
}

# Where the names begin that come after one.
sub _behind {
    my ($names, $after) = @_;
    my ($low, $high) = (0, scalar @$names);
    while ($low < $high) {
        my $middle = ($low + $high) >> 1;
        if ($names->[$middle] le $after) { $low = $middle + 1 }
        else                             { $high = $middle }
    }
    return $low;
}

# To read a directory of a million names takes half a second, and each page of a listing needs the names that follow the page before. So the
# next names of the directories listed last are kept, as long as these do not change.
my @kept;

# names in their order, all that come after 'from' up to the last of them; is_all where none comes after that
sub _known {
    my ($after, $shown) = @_;
    my $now = time;
    my @here = _state() or die Jobgate::Files::failed($shown);
    @kept = grep { $_->{until} > $now && $_->{until} <= $now + KEPT } @kept;
    for my $one (@kept) {
        return $one
            if $one->{state} eq "@here" && $one->{from} le $after && ($one->{is_all} || $after lt $one->{names}[-1]);
    }
    my $read = _read($after, $shown);
    my @then = _state();
    # what changes while it is read, or just before, may change once more without another time of its own
    if ("@then" eq "@here" && $now - $here[2] > SETTLED && !$read->{is_small}) {
        @kept = grep { $_->{state} ne "@here" } @kept;
        shift @kept if @kept >= MOST_KEPT;
        push @kept, { %$read, state => "@here", until => $now + KEPT };
    }
    return $read;
}

# What tells one directory, and one state of it, from another.
sub _state {
    my @stat = Time::HiRes::stat('.') or return ();
    return @stat[0, 1, 9, 10];
}

sub _read {
    my ($after, $shown) = @_;
    opendir my $directory, '.' or die Jobgate::Files::failed($shown);
    my ($seen, $last, @names) = (0);
    while (defined(my $name = readdir $directory)) {
        next if $name eq '.' || $name eq '..';
        die Jobgate::Files::refusal('io', $shown, 'it has more than ' . MAX_ENTRIES . ' entries') if ++$seen > MAX_ENTRIES;
        next if $name le $after || (defined $last && $name gt $last);
        push @names, $name;
        next if @names < 2 * ROOM;
        @names = (sort @names)[0 .. ROOM - 1];
        $last  = $names[-1];
    }
    @names = sort @names;
    my $is_all = !defined $last && @names <= ROOM;
    splice @names, ROOM if @names > ROOM;
    return { names => \@names, from => $after, is_all => $is_all, is_small => $seen <= MAX_LISTED };
}

# One that is gone by now is left out.
sub _entry {
    my ($name) = @_;
    my @stat = lstat $name or return ();
    return { name => $name, kind => kind($stat[2]), size => $stat[7], modified => $stat[9] };
}

sub kind {
    my ($mode) = @_;
    return S_ISREG($mode) ? 'file' : S_ISDIR($mode) ? 'directory' : S_ISLNK($mode) ? 'link' : 'other';
}

1;
