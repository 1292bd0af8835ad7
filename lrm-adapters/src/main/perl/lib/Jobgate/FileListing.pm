# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::FileListing;

# What is in a job's directory, or in one below it, on a way without symbolic links; and the order of all listings
# (docs/reference/files.md).

use strict;
use warnings;

use Fcntl qw(S_ISREG S_ISDIR S_ISLNK);
use Jobgate::Files ();

use constant {
    MAX_LISTED  => 1000,
    MAX_ENTRIES => 1_000_000,    # of one directory that is listed
    ROOM        => 20_000,       # names that are held at once
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
    opendir my $directory, '.' or die Jobgate::Files::failed($shown);
    my ($seen, $last, @names) = (0);
    while (defined(my $name = readdir $directory)) {
        next if $name eq '.' || $name eq '..';
        die Jobgate::Files::refusal('io', $shown, 'it has more than ' . MAX_ENTRIES . ' entries') if ++$seen > MAX_ENTRIES;
        next if $name le $after || (defined $last && $name gt $last) || ($hides && $hides->($name));
        push @names, $name;
        next if @names <= ROOM;
        @names = (sort @names)[0 .. $most];
        $last  = $names[-1];
    }
    @names = sort @names;
    my $more = @names > $most ? 1 : 0;
    splice @names, $most if $more;
    return (\@names, $more);
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
