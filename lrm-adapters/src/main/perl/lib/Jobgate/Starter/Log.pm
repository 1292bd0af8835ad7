# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Starter::Log;

# The starter's event log: append-only segments "events.<number>.log" in the current directory. Lines that begin with 001 are
# events in the form of the scheduler event generator (facts/gram4.md section 8.6), with fields of our own behind; lines that begin
# with 900 are the starter's own book-keeping. One writer; any number of readers.

use strict;
use warnings;

use Fcntl qw(O_WRONLY O_CREAT O_EXCL O_APPEND O_RDONLY);
use IO::Handle ();

use constant { CHUNK => 256 * 1024, LONGEST_LINE => 8 * 1024 * 1024 };

# The segments that are there, by number, in order.
sub segments {
    opendir my $spool, '.' or die "cannot list the spool directory: $!\n";
    my @numbers = sort { $a <=> $b } map { /\Aevents\.([0-9]{10})\.log\z/ ? $1 + 0 : () } readdir $spool;
    return @numbers;
}

sub path { return sprintf 'events.%010d.log', $_[0] }

# Begins a new segment behind all that are there: an unfinished line of a writer that died is never written on.
sub open_new {
    my ($class) = @_;
    my $newest = (segments())[-1] // 0;
    my $self   = bless { number => $newest, waiting => '', synced => 1 }, $class;
    $self->rotate;
    return $self;
}

# Goes on in the next segment. Dies if it cannot be made; the present one stays in use then.
sub rotate {
    my ($self) = @_;
    my $number = $self->{number} + 1;
    sysopen my $file, path($number), O_WRONLY | O_CREAT | O_EXCL | O_APPEND, 0600
        or die 'cannot create ' . path($number) . ": $!\n";
    if ($self->{file}) {
        $self->{file}->sync;
        close $self->{file};
    }
    @$self{qw(file number size)} = ($file, $number, 0);
    return;
}

# Queues a line; flush writes it.
sub add {
    my ($self, $line) = @_;
    $self->{waiting} .= $line . "\n";
    return;
}

sub number  { return $_[0]{number} }
sub size    { return $_[0]{size} }
sub waiting { return $_[0]{waiting} }

# Where the next line that is added will begin.
sub next_offset { my ($self) = @_; return $self->{size} + length $self->{waiting} }

# Writes what waits, all or nothing. On failure it goes on waiting and $! says why.
sub flush {
    my ($self) = @_;
    my $waiting = \$self->{waiting};
    return 1 unless length $$waiting;
    my $done = 0;
    while ($done < length $$waiting) {
        my $wrote = syswrite $self->{file}, $$waiting, length($$waiting) - $done, $done;
        next if !defined $wrote && $!{EINTR};
        return $self->_undo if !$wrote;
        $done += $wrote;
    }
    $self->{size} += $done;
    $self->{synced} = 0;
    $$waiting = '';
    return 1;
}

# Half a batch on disk would be told as whole lines later: cut back to what was there.
sub _undo {
    my ($self) = @_;
    my $why = $!;
    truncate $self->{file}, $self->{size};
    $! = $why;
    return 0;
}

# Takes back the lines that were added and could not be written.
sub drop_waiting {
    my ($self) = @_;
    $self->{waiting} = '';
    return;
}

# Forces what was written to disk.
sub sync {
    my ($self) = @_;
    return 1 if $self->{synced};
    $self->{file}->sync or return 0;
    return $self->{synced} = 1;
}

sub is_synced { return $_[0]{synced} }

# One whole line at a place, without its newline.
sub line_at {
    my ($number, $offset, $length) = @_;
    sysopen my $file, path($number), O_RDONLY or return;
    sysseek $file, $offset, 0 or return;
    my $line = '';
    while (length $line < $length) {
        my $read = sysread $file, $line, $length - length $line, length $line;
        return unless $read;
    }
    return $line;
}

# Gives every whole line of all segments, oldest first, to the code: (line, segment, offset).
sub replay {
    my ($code) = @_;
    for my $number (segments()) {
        open my $file, '<:raw', path($number) or die 'cannot read ' . path($number) . ": $!\n";
        my $offset = 0;
        while (defined(my $line = <$file>)) {
            my $length = length $line;
            last unless chomp $line;
            $code->($line, $number, $offset);
            $offset += $length;
        }
    }
    return;
}

# A place to read on from. A checkpoint whose segment is gone, or none, means: from the oldest.
sub reader {
    my ($class, $checkpoint) = @_;
    my ($number, $offset) = ($checkpoint // '') =~ /\A([0-9]{1,10}):([0-9]{1,15})\z/ ? ($1 + 0, $2 + 0) : (0, 0);
    my $self = bless { number => $number, offset => $offset }, "${class}::Reader";
    $number > 0 && $self->_open or $self->_advance($number - 1) or $self->_advance(-1) or die "the log has no segment\n";
    return $self;
}

package Jobgate::Starter::Log::Reader;

use Fcntl qw(O_RDONLY);

sub checkpoint { my ($self) = @_; return "$self->{number}:$self->{offset}" }

sub _open {
    my ($self) = @_;
    sysopen my $file, Jobgate::Starter::Log::path($self->{number}), O_RDONLY or return 0;
    # a place behind the end is from another life of the spool
    $self->{offset} = 0 if $self->{offset} > -s $file;
    $self->{file} = $file;
    return 1;
}

# Moves to the first segment behind the number; answers whether there is one.
sub _advance {
    my ($self, $number) = @_;
    my ($next) = grep { $_ > $number } Jobgate::Starter::Log::segments();
    return 0 unless defined $next;
    @$self{qw(number offset)} = ($next, 0);
    return $self->_open;
}

# Whether it has given everything that the writer wrote.
sub at_end {
    my ($self, $log) = @_;
    return $self->{number} == $log->number && $self->{offset} >= $log->size;
}

# The next whole lines, at most a chunk or one line longer than it; '' at the end.
sub read_lines {
    my ($self, $log) = @_;
    until ($self->at_end($log)) {
        my $lines = $self->_read_chunk;
        return $lines if length $lines;
        last if $self->{number} == $log->number || !$self->_advance($self->{number});
    }
    return '';
}

sub _read_chunk {
    my ($self) = @_;
    my $chunk = '';
    my $want  = Jobgate::Starter::Log::CHUNK;
    while (1) {
        sysseek $self->{file}, $self->{offset} + length $chunk, 0 or return '';
        sysread $self->{file}, $chunk, $want, length $chunk or return '';
        my $end = rindex $chunk, "\n";
        if ($end >= 0) {
            $self->{offset} += $end + 1;
            return substr $chunk, 0, $end + 1;
        }
        return '' if length $chunk > Jobgate::Starter::Log::LONGEST_LINE;
    }
}

1;
