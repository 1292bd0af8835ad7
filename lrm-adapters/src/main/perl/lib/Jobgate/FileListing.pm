# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::FileListing;

# What is in a job's directory, or in one below it, on a way without symbolic links (docs/reference/files.md).

use strict;
use warnings;

use Fcntl qw(S_ISREG S_ISDIR S_ISLNK);
use Jobgate::Files ();

use constant {
    MAX_LISTED  => 1000,
    MAX_ENTRIES => 100_000,
};

# place, after -> entries (name, kind, size, modified in seconds since 1970) in the order of their names, more
sub of {
    my ($request) = @_;
    my $after = $request->{after} // '';
    return Jobgate::Files::below($request->{place}, sub {
        my ($shown) = @_;
        opendir my $directory, '.' or die Jobgate::Files::failed($shown);
        my @names;
        while (defined(my $name = readdir $directory)) {
            push @names, $name unless $name eq '.' || $name eq '..';
            die Jobgate::Files::refusal('io', $shown, 'it has more than ' . MAX_ENTRIES . ' entries') if @names > MAX_ENTRIES;
        }
        my @wanted = grep { $_ gt $after } sort @names;
        my $more   = @wanted > MAX_LISTED;
        splice @wanted, MAX_LISTED if $more;
        return { entries => [ map { _entry($_) } @wanted ], more => $more ? 1 : 0 };
    });
}

# One that is gone by now is left out.
sub _entry {
    my ($name) = @_;
    my @stat = lstat $name or return ();
    my $kind = S_ISREG($stat[2]) ? 'file' : S_ISDIR($stat[2]) ? 'directory' : S_ISLNK($stat[2]) ? 'link' : 'other';
    return { name => $name, kind => $kind, size => $stat[7], modified => $stat[9] };
}

1;
