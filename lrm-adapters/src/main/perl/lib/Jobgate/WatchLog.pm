# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::WatchLog;

# What a polled adapter knows of the jobs of its account, kept in one file: every event that was seen, as a line of the scheduler event
# generator (docs/internals/worker-protocol.md) with a sequence number. So a worker that comes after another knows which jobs live, what was
# told of them and what was not. A checkpoint is the log's identity and a sequence number.
#
# A worker that appends holds a lock and first reads what another has written: for a moment there may be two workers.

use strict;
use warnings;

use Fcntl qw(:flock O_APPEND O_CREAT O_EXCL O_NOFOLLOW O_RDONLY O_RDWR O_WRONLY);
use File::Copy ();
use IO::Handle ();
use Jobgate::Starter::Lines ();

use constant {
    TIDY_BYTES    => 1024 * 1024,      # a log this long, of which most is of forgotten jobs, is written anew
    KEPT_SECONDS  => 30 * 86400,       # the end of a job that nobody has forgotten
};

my %CODE = (queued => Jobgate::Starter::Lines::PENDING, requeued => Jobgate::Starter::Lines::PENDING, suspended => Jobgate::Starter::Lines::PENDING,
    started => Jobgate::Starter::Lines::ACTIVE);
my %NEVER = map { $_ => 1 } qw(ids tag at is seq);

# directory: the spool; former: the one that was the spool before, if there is one. What its log knows is where this log begins. lrm: the LRM by its name in
# the gateway; where two LRMs once had one spool, it tells whose jobs a line is about.
sub new {
    my ($class, $directory, $former, $lrm) = @_;
    my $self = bless { path => "$directory/watch.log", former => defined $former ? "$former/watch.log" : undef, lrm => _escaped($lrm // '') }, $class;
    $self->_forget_all;
    return $self;
}

sub _forget_all {
    my ($self) = @_;
    @$self{qw(jobs disowned pending offset sequence forgotten_bytes inode identity live)} = ({}, {}, [], 0, 0, 0, 0, undef, 0);
    return;
}

# What is known of the jobs: tag => { ids, is (as last seen), at, note, end (the event, where it is over), cancelled (when we asked for its end) }.
sub jobs {
    my ($self) = @_;
    my $lock = $self->_open;
    return $self->{jobs};
}

# How many of them live, as far as was read.
sub live { return $_[0]{live} }

# Reads what there is and goes on behind the checkpoint; from the beginning where it is none of this log's. What was forgotten since is only told again
# where that is wanted: a gateway that was restored from a backup had it forgotten in a life of which it knows nothing.
sub go_on_from {
    my ($self, $checkpoint, $with_forgotten) = @_;
    $self->_forget_all;
    local $self->{tells_forgotten} = $with_forgotten;
    my $lock = $self->_open;
    my ($identity, $sequence) = ($checkpoint // '') =~ /\A([0-9a-f]{1,32}):([0-9]{1,15})\z/;
    my $is_ours = defined $identity && $identity eq $self->{identity} && $sequence <= $self->{sequence};
    $self->{pending} = [ grep { !$is_ours || $_->{seq} > $sequence } @{ $self->{pending} } ];
    return;
}

# Takes the next events to tell: { events, checkpoint, behind }, at most so many; nothing if there are none.
sub next_batch {
    my ($self, $most) = @_;
    my @some = splice @{ $self->{pending} }, 0, $most or return;
    return { events => \@some, checkpoint => "$self->{identity}:$some[-1]{seq}", behind => @{ $self->{pending} } ? 1 : 0 };
}

sub has_pending { return scalar @{ $_[0]{pending} } }

# Adds events, and reports them with the next batches. An event that changes nothing is left out.
sub add {
    my ($self, @events) = @_;
    return unless @events;
    my $lock = $self->_open;
    my $text = '';
    for my $event (@events) {
        next unless $self->_is_news($event);    # with those before it taken
        my %told = (map({ $_ => $event->{$_} } grep { defined $event->{$_} } keys %$event), at => int $event->{at}, seq => ++$self->{sequence});
        my $line = line(\%told) . "\n";
        $text .= $line;
        $self->_take_event(\%told, length $line);
    }
    $self->_append($text);
    return;
}

# Nothing follows an end; and an event twice is one, unless the reason for which the job waits is another.
sub _is_news {
    my ($self, $event) = @_;
    my $job = $self->{jobs}{ $event->{tag} } // return 1;
    return $job->{is} ne 'ended' && ($job->{is} ne $event->{is} || $job->{note} ne ($event->{note} // ''));
}

# Notes that we asked the LRM to end these.
sub cancelled { my ($self, $at, @tags) = @_; return $self->_note('cancelled', $at, @tags) }

# These are over and their ends are stored.
sub forget { my ($self, $at, @tags) = @_; return $self->_note('forgot', $at, @tags) }

# These are not jobs of this LRM. Another whose log is this file, or begins as a copy of it, knows them as before: they may be its own.
sub disown { my ($self, $at, @tags) = @_; return $self->_note('disowned', $at, @tags) }

sub _note {
    my ($self, $what, $at, @tags) = @_;
    my $lock = $self->_open;
    my $of = $what eq 'disowned' ? ";$self->{lrm}" : '';
    my @lines = map { sprintf '900;%d;%s;%s%s', $at, $what, $_, $of } grep { $self->{jobs}{$_} } @tags;
    $self->_take($_) for @lines;
    $self->_append(join '', map { "$_\n" } @lines);
    $self->_tidy if $self->{offset} > TIDY_BYTES && $self->{forgotten_bytes} > $self->{offset} / 2;
    return;
}

# --- lines ------------------------------------------------------------------------------------------------------------------------

sub line {
    my ($event) = @_;
    my $code = $CODE{ $event->{is} } // ($event->{cause} eq 'EXITED' ? Jobgate::Starter::Lines::DONE : Jobgate::Starter::Lines::FAILED);
    return join ';', '001', int($event->{at} / 1000), join(',', map { _escaped($_) } @{ $event->{ids} }), $code, $event->{exit} // 0,
        map({ "$_=$event->{$_}" } qw(is tag at seq)),
        map({ "$_=" . Jobgate::Starter::Lines::escape($event->{$_}) } grep { !$NEVER{$_} && defined $event->{$_} } sort keys %$event);
}

sub _escaped {
    my ($id) = @_;
    return Jobgate::Starter::Lines::escape($id) =~ s/,/%2C/gr;
}

# A line as an event; undef for one that is none.
sub parse {
    my ($line) = @_;
    my ($kind, undef, $ids, undef, undef, @rest) = split /;/, $line, -1;
    return unless ($kind // '') eq '001' && @rest;
    my %event = map { my ($name, $value) = split /=/, $_, 2; ($name => Jobgate::Starter::Lines::unescape($value // '')) } @rest;
    return unless defined $event{is} && ($event{tag} // '') =~ /\A[0-9a-f-]{36}\z/ && ($event{at} // '') =~ /\A[0-9]+\z/ && ($event{seq} // '') =~ /\A[0-9]+\z/;
    $event{ids} = [ map { Jobgate::Starter::Lines::unescape($_) } split /,/, $ids ];
    return \%event;
}

# --- the file ---------------------------------------------------------------------------------------------------------------------

# The lock, under which the file is open and all of it is known.
sub _open {
    my ($self) = @_;
    open my $lock, '>>', "$self->{path}.lock" or die "cannot open $self->{path}.lock: $!\n";
    flock $lock, LOCK_EX or die "cannot lock $self->{path}.lock: $!\n";
    $self->_copy_former unless -e $self->{path};
    sysopen my $file, $self->{path}, O_RDWR | O_APPEND | O_CREAT, 0600 or die "cannot open $self->{path}: $!\n";
    my ($inode, $size) = (stat $file)[ 1, 7 ];
    if ($self->{inode} != $inode || $size < $self->{offset}) {
        my @untold = @{ $self->{pending} };
        my $known = $self->{sequence};
        $self->_forget_all;
        $self->{inode} = $inode;
        $self->_read($file, $size);
        # another worker has rewritten the log: its events up to here have been reported, or wait already
        $self->{pending} = [ @untold, grep { $_->{seq} > $known } @{ $self->{pending} } ] if $known;
    }
    elsif ($size > $self->{offset}) { $self->_read($file, $size) }
    $self->{file} = $file;
    $self->_append(sprintf "900;%d;identity;%s\n", time, $self->{identity} = _identity()) unless defined $self->{identity};
    return $lock;
}

# With our lock held. The copy gets its name when it is whole and on disk: a crash leaves either no log or all of it. Its identity is that of the old
# one, so that the checkpoints of before go on. Events of jobs of another LRM are refused when they are reported, and disowned then.
sub _copy_former {
    my ($self) = @_;
    my $former = $self->{former} // return;
    sysopen my $from, $former, O_RDONLY | O_NOFOLLOW or $!{ENOENT} ? return : die "cannot read $former: $!\n";
    open my $lock, '>>', "$former.lock" or die "cannot open $former.lock: $!\n";
    flock $lock, LOCK_EX or die "cannot lock $former.lock: $!\n";
    my $new = "$self->{path}.new";
    unlink $new;
    sysopen my $to, $new, O_WRONLY | O_CREAT | O_EXCL, 0600 or die "cannot write $new: $!\n";
    File::Copy::copy($from, $to) && $to->flush && $to->sync && close $to or die "cannot write $new: $!\n";
    rename $new, $self->{path} or die "cannot name $self->{path}: $!\n";
    return;
}

sub _identity {
    open my $random, '<:raw', '/dev/urandom' or die "cannot read /dev/urandom: $!\n";
    CORE::read $random, my $bytes, 8;
    return unpack 'H*', $bytes;
}

sub _read {
    my ($self, $file, $size) = @_;
    sysseek $file, $self->{offset}, 0 or die "cannot go to $self->{offset} of $self->{path}: $!\n";
    my $text = '';
    while (length $text < $size - $self->{offset}) { sysread $file, $text, 1024 * 1024, length $text or last }
    my $end = rindex $text, "\n";
    # half a line is of a writer that died: it is ended, and means nothing
    if ($end < length($text) - 1) { syswrite $file, "\n"; $size++ }
    $self->_take($_) for split /\n/, substr $text, 0, $end + 1;
    $self->{offset} = $size;
    return;
}

sub _append {
    my ($self, $text) = @_;
    return unless length $text;
    my $done = 0;
    while ($done < length $text) {
        my $wrote = syswrite $self->{file}, $text, length($text) - $done, $done;
        next if !defined $wrote && $!{EINTR};
        if (!$wrote) {
            my $why = "$!";
            truncate $self->{file}, $self->{offset};
            $self->{inode} = 0;    # what we took for written is not: read it anew
            die "cannot write $self->{path}: $why\n";
        }
        $done += $wrote;
    }
    $self->{offset} += $done;
    return;
}

sub _take {
    my ($self, $line) = @_;
    if ($line =~ /\A900;([0-9]+);(identity|cancelled|forgot|sequence);([0-9a-f-]{1,36})\z/) { return $self->_take_note($1, $2, $3) }
    if ($line =~ /\A900;([0-9]+);disowned;([0-9a-f-]{36});(.*)\z/) { return $3 eq $self->{lrm} ? $self->_take_note($1, 'disowned', $2) : undef }
    my $event = parse($line) // return;
    return $self->_take_event($event, length($line) + 1);
}

# An event, which takes so many bytes of the log.
sub _take_event {
    my ($self, $event, $bytes) = @_;
    my $job = $self->{jobs}{ $event->{tag} } //= { bytes => 0, is => 'ended' };
    $self->{live} += ($event->{is} ne 'ended') - ($job->{is} ne 'ended');
    @$job{qw(is at note)} = (@$event{qw(is at)}, $event->{note} // '');
    $job->{ids} = $event->{ids} if @{ $event->{ids} } || !$job->{ids};
    $job->{end} = $event if $event->{is} eq 'ended';
    $job->{bytes} += $bytes;
    $self->{sequence} = $event->{seq} if $event->{seq} > $self->{sequence};
    push @{ $self->{pending} }, $event;
    return;
}

sub _take_note {
    my ($self, $at, $what, $about) = @_;
    if    ($what eq 'identity') { $self->{identity} = $about }
    elsif ($what eq 'sequence') { $self->{sequence} = $about if $about =~ /\A[0-9]+\z/ && $about > $self->{sequence} }
    elsif ($what eq 'cancelled') { $self->{jobs}{$about}{cancelled} = $at if $self->{jobs}{$about} }
    else {
        # the one whose job it was needs no line about it any more
        delete $self->{disowned}{$about} if $what eq 'forgot';
        my $job = delete $self->{jobs}{$about} or return;
        # lines about the jobs of another stay
        if ($what eq 'disowned') { $self->{disowned}{$about} = $at }
        else                     { $self->{forgotten_bytes} += $job->{bytes} }
        $self->{live}-- if $job->{is} ne 'ended';
        $self->{pending} = [ grep { $_->{tag} ne $about } @{ $self->{pending} } ] if @{ $self->{pending} } && !$self->{tells_forgotten};
    }
    return;
}

# Writes the log anew without the jobs that are forgotten, or that were over long ago. Another LRM may know its jobs by this file alone (its log begins as a
# copy of it): a disowned job is kept as long as an end that was not forgotten.
sub _tidy {
    my ($self) = @_;
    my $oldest = (time - KEPT_SECONDS) * 1000;
    my %keep = map { $_ => 1 } grep { my $job = $self->{jobs}{$_}; $job->{is} ne 'ended' || $job->{at} > $oldest } keys %{ $self->{jobs} };
    $self->{disowned} = { map { $_ => $self->{disowned}{$_} } grep { $self->{disowned}{$_} * 1000 > $oldest } keys %{ $self->{disowned} } };
    my %stays = (%keep, %{ $self->{disowned} });
    open my $old, '<:raw', $self->{path} or die "cannot read $self->{path}: $!\n";
    my $new = "$self->{path}.new";
    unlink $new;
    sysopen my $file, $new, O_RDWR | O_CREAT, 0600 or die "cannot write $new: $!\n";
    print {$file} sprintf "900;%d;identity;%s\n900;%d;sequence;%d\n", time, $self->{identity}, time, $self->{sequence};
    while (my $line = <$old>) { print {$file} $line if ($line =~ /;tag=([0-9a-f-]{36});/ || $line =~ /;(?:cancelled|disowned);([0-9a-f-]{36})/) && $stays{$1} }
    close $file or die "cannot write $new: $!\n";
    rename $new, $self->{path} or die "cannot name $self->{path}: $!\n";
    @$self{qw(offset forgotten_bytes inode)} = (-s $self->{path}, 0, (stat $self->{path})[1]);
    delete $self->{jobs}{$_} for grep { !$keep{$_} } keys %{ $self->{jobs} };
    return;
}

1;
