# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Condor::EventLog;

# Reads HTCondor's job event logs of one account: files events.NUMBER.log, of which the last is written. Beside every event HTCondor
# writes an event 028 that repeats it as attributes, with those of the job that we asked for: only these are read, and only whole ones.

use strict;
use warnings;

use Time::Local ();

use constant {
    READ          => 4 * 1024 * 1024,
    SEGMENT_BYTES => 16 * 1024 * 1024,
    MAX_EVENT     => 1024 * 1024,        # what is longer and has no end is skipped
};

sub new {
    my ($class, $directory, $segment_bytes) = @_;
    return bless { directory => $directory, segment_bytes => $segment_bytes // SEGMENT_BYTES, at => {} }, $class;
}

sub path { my ($self, $number) = @_; return sprintf '%s/events.%06d.log', $self->{directory}, $number }

sub numbers {
    my ($self) = @_;
    opendir my $directory, $self->{directory} or die "cannot read $self->{directory}: $!\n";
    return sort { $a <=> $b } map { /\Aevents\.([0-9]{6})\.log\z/ ? $1 + 0 : () } readdir $directory;
}

# The file that new jobs are to log into.
sub current {
    my ($self) = @_;
    my $last = ($self->numbers)[-1] // 1;
    return (-s $self->path($last) // 0) < $self->{segment_bytes} ? $last : $last + 1;
}

# Goes on from a checkpoint ("number:offset ..."), or from the beginning of what is there.
sub go_on_from {
    my ($self, $checkpoint) = @_;
    $self->{at} = {};
    for (split ' ', $checkpoint // '') { $self->{at}{ $1 + 0 } = $2 if /\A([0-9]{1,6}):([0-9]{1,15})\z/ }
    return;
}

# The next events as hashes, at most so many, and whether there are more; each has `log` (its file) and `offset` (where it begins).
sub next_events {
    my ($self, $limit) = @_;
    my @events;
    for my $number ($self->numbers) {
        my $size = -s $self->path($number) // 0;
        my $at   = $self->{at}{$number} //= 0;
        # shorter than we have read, or of another inode: another file with the old name
        my $inode = (stat _)[1] // 0;
        $self->{at}{$number} = $at = 0 if $at > $size || ($self->{inode}{$number} // $inode) != $inode;
        $self->{inode}{$number} = $inode;
        next if $at == $size;
        push @events, $self->_read($number, $limit - @events);
        return (\@events, 1) if @events >= $limit;
    }
    return (\@events, 0);
}

sub _read {
    my ($self, $number, $limit) = @_;
    my $at = $self->{at}{$number};
    open my $file, '<:raw', $self->path($number) or die 'cannot read ' . $self->path($number) . ": $!\n";
    seek $file, $at, 0 or die "cannot go to $at: $!\n";
    defined read $file, my $bytes, READ or die 'cannot read ' . $self->path($number) . ": $!\n";
    my ($from, @events) = (0);
    while (@events < $limit && (my $end = index $bytes, "\n...\n", $from) >= 0) {
        my $event = parse(substr $bytes, $from, $end - $from + 1);
        push @events, { %$event, log => $number, offset => $at + $from } if $event;
        $from = $end + 5;
    }
    $from = length $bytes if $from == 0 && length $bytes > MAX_EVENT;
    $self->{at}{$number} = $at + $from;
    return @events;
}

# The attributes of an event 028 of a job of ours; undef for every other text.
sub parse {
    my ($text) = @_;
    return unless $text =~ /\A028 \(/ && $text =~ /^JobgateId = "([0-9a-f-]{36})"$/m;
    my %event = (tag => $1);
    while ($text =~ /^([A-Za-z]\w*) = (?:"((?:[^"\\]|\\.)*)"|([^"\n]*))$/mg) {
        my ($name, $string, $other) = ($1, $2, $3);
        $string =~ s/\\(["\\])/$1/g if defined $string;
        $event{$name} = $string // $other;
    }
    return unless ($event{TriggerEventTypeNumber} // '') =~ /\A[0-9]{1,3}\z/ && ($event{Cluster} // '') =~ /\A[0-9]{1,9}\z/
        && ($event{Proc} // '') =~ /\A[0-9]{1,9}\z/;
    $event{type} = $event{TriggerEventTypeNumber} + 0;
    $event{id}   = "$event{Cluster}.$event{Proc}";
    $event{ms}   = _ms($event{EventTime} // '');
    return \%event;
}

# Milliseconds of an event's time: in local time unless it ends with Z.
sub _ms {
    my ($text) = @_;
    $text =~ /\A(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,3}))?\d*(Z?)\z/ or return int(time * 1000);
    my @parts = ($6, $5, $4, $3, $2 - 1, $1);
    my $seconds = eval { $8 ? Time::Local::timegm(@parts) : Time::Local::timelocal(@parts) } // time;
    return $seconds * 1000 + substr(($7 // '') . '000', 0, 3);
}

# Where to go on; no file further than what is in `hold`, a hash of number to offset.
sub checkpoint {
    my ($self, $hold) = @_;
    my %at = %{ $self->{at} };
    for (keys %$hold) { $at{$_} = $hold->{$_} if defined $at{$_} && $hold->{$_} < $at{$_} }
    return join ' ', map { "$_:$at{$_}" } sort { $a <=> $b } keys %at;
}

# Removes the files, but for the last, that were read to their end and that no job logs into any more: `needed` is a hash of numbers.
sub tidy {
    my ($self, $needed) = @_;
    my @numbers = $self->numbers;
    pop @numbers;
    for my $number (grep { !$needed->{$_} && ($self->{at}{$_} // 0) == -s $self->path($_) } @numbers) {
        unlink $self->path($number);
        delete $self->{at}{$number};
    }
    return;
}

1;
