# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Sge::LogFile;

# Reads the lines about our jobs from a file that Grid Engine's master appends to for years (accounting, reporting): what is new since the last
# look, or backwards from its end to a moment. The size of the file does not matter to either.

use strict;
use warnings;

use Fcntl qw(SEEK_SET);

use constant {
    CHUNK        => 1024 * 1024,
    READ_MAX     => 16 * 1024 * 1024,      # in one look
    SEARCH_MAX   => 512 * 1024 * 1024,     # about two seconds
    LINE_MAX     => 65536,
    PREDECESSORS => 2,                     # how many rotated files are searched
};

# path: of the file; wanted: a pattern of lines that matter; time_of: code that tells the second in which a line was written, or 0
sub new {
    my ($class, %given) = @_;
    return bless { half => '', %given }, $class;
}

sub is_readable { my ($self) = @_; return defined $self->{path} && -f $self->{path} && -r _ ? 1 : 0 }

# From now on `lines` tells what comes. Answers whether the file could be opened.
sub begin_at_end {
    my ($self) = @_;
    $self->_open or return 0;
    $self->{offset} = -s $self->{file};
    $self->{half}   = '';
    return 1;
}

# The lines that matter and have been written since the last call.
sub lines {
    my ($self) = @_;
    if (!$self->{file}) {
        # it was not there before: all of it is new
        $self->_open or return;
        $self->{offset} = 0;
    }
    my @found = $self->_read_on;
    # of a file that is replaced all is read before the next one
    if ($self->{is_at_end} && $self->_is_replaced) {
        $self->_open and @$self{qw(offset half)} = (0, '');
        push @found, $self->_read_on;
    }
    return @found;
}

# Whether `lines` would find something: one call of stat.
sub has_grown {
    my ($self) = @_;
    return 0 unless defined $self->{path};
    my @now = stat $self->{path} or return 0;
    return !$self->{file} || $now[1] != $self->{inode} || $now[7] != $self->{offset};
}

sub _open {
    my ($self) = @_;
    return 0 unless defined $self->{path} && open my $file, '<:raw', $self->{path};
    @$self{qw(file inode)} = ($file, (stat $file)[1]);
    return 1;
}

sub _is_replaced {
    my ($self) = @_;
    my @now = stat $self->{path} or return 0;
    return $now[1] != $self->{inode} || $now[7] < $self->{offset};
}

sub _read_on {
    my ($self) = @_;
    my @found;
    my $left = READ_MAX;
    sysseek $self->{file}, $self->{offset}, SEEK_SET or return;
    $self->{is_at_end} = 0;
    while ($left > 0) {
        my $read = sysread $self->{file}, my $bytes, CHUNK;
        $self->{is_at_end} = 1 unless $read;
        last unless $read;
        $self->{offset} += $read;
        $left -= $read;
        my $text = $self->{half} . $bytes;
        my $end = rindex $text, "\n";
        $self->{half} = substr $text, $end + 1;
        $self->{half} = '' if length $self->{half} > LINE_MAX;
        push @found, grep { /$self->{wanted}/ } split /\n/, substr $text, 0, $end + 1;
    }
    return @found;
}

# The lines that matter, oldest first, of the file and its rotated predecessors, back to this second. The order of lines is roughly that of
# time only: a part of the file in which every line is older ends the search. What is over SEARCH_MAX is not looked at.
sub search {
    my ($self, $since) = @_;
    return unless defined $self->{path};
    my @found;
    my $left = SEARCH_MAX;
    for my $path ($self->{path}, map { "$self->{path}.$_" } 0 .. PREDECESSORS - 1) {
        open my $file, '<:raw', $path or next;
        my ($lines, $is_done) = $self->_search_file($file, $since, \$left);
        unshift @found, @$lines;
        last if $is_done || $left <= 0;
    }
    return @found;
}

sub _search_file {
    my ($self, $file, $since, $left) = @_;
    my @found;
    my ($at, $rest) = (-s $file, '');
    while ($at > 0 && $$left > 0) {
        my $from = $at > CHUNK ? $at - CHUNK : 0;
        sysseek $file, $from, SEEK_SET or last;
        (sysread($file, my $bytes, $at - $from) // 0) == $at - $from or last;
        ($at, $$left) = ($from, $$left - length $bytes);
        my $text = $bytes . $rest;
        # the first line may have begun before this part
        my $begin = $from == 0 ? 0 : index($text, "\n") + 1;
        $rest = substr $text, 0, $begin;
        my @lines = split /\n/, substr $text, $begin;
        unshift @found, grep { /$self->{wanted}/ } @lines;
        return (\@found, 1) if @lines && $self->_are_older(\@lines, $since);
    }
    return (\@found, 0);
}

# Mostly the first line tells.
sub _are_older {
    my ($self, $lines, $since) = @_;
    for my $line (@$lines) {
        my $time = $self->{time_of}->($line);
        return 0 if $time == 0 || $time >= $since;
    }
    return 1;
}

1;
