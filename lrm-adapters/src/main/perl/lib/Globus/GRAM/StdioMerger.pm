# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Globus::GRAM::StdioMerger;

# Joins what the processes of one job wrote, each into files of its own, when the job is over.

use strict;
use warnings;

sub new {
    my ($class, $directory, $stdout, $stderr) = @_;
    return bless { directory => $directory, into => { out => $stdout, err => $stderr } }, ref $class || $class;
}

# The file for the next process; kind: out or err.
sub add_file {
    my ($self, $kind) = @_;
    my $number = 0;
    $number++ while -e "$self->{directory}/merged.$kind.$number";
    my $path = "$self->{directory}/merged.$kind.$number";
    open my $file, '>', $path or die "cannot write $path: $!\n";
    return $path;
}

sub poll {
    my ($self, $is_over) = @_;
    return unless $is_over;
    for my $kind (qw(out err)) { $self->_join($kind) }
    return;
}

sub _join {
    my ($self, $kind) = @_;
    for (my $number = 0; -e "$self->{directory}/merged.$kind.$number"; $number++) {
        my $path = "$self->{directory}/merged.$kind.$number";
        open my $from, '<:raw', $path or die "cannot read $path: $!\n";
        open my $to, '>>:raw', $self->{into}{$kind} or die "cannot write $self->{into}{$kind}: $!\n";
        while (read $from, my $bytes, 65536) { print {$to} $bytes }
        close $to or die "cannot write $self->{into}{$kind}: $!\n";
        unlink $path;
    }
    return;
}

1;
