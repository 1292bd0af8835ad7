# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Worker;

# The loop of a worker: requests from the container, events to it. See docs/internals/worker-protocol.md.

use strict;
use warnings;

use Time::HiRes ();
use Jobgate::Frames       ();
use Jobgate::PrivateFiles ();

use constant {
    VERSION     => 1,
    READ        => 256 * 1024,
    WINDOW      => 8,             # batches of events that may be on their way unacknowledged
    IDLE_SECONDS => 600,
};

# in, out: the handles of the container; nonce: the mark of its frames
sub new {
    my ($class, %given) = @_;
    my $self = bless { unacknowledged => 0, waiting => [], later => [], sequence => 0, idle => IDLE_SECONDS, checkpoints => {}, %given }, $class;
    $self->{reader} = Jobgate::Frames->new_reader($self->{nonce});
    $self->{busy_at} = Time::HiRes::time();
    return $self;
}

# Serves until the container closes our input.
sub run {
    my ($self) = @_;
    while ($self->_turn) { }
    $self->{adapter}->close if $self->{adapter};
    return;
}

sub _turn {
    my ($self) = @_;
    my $adapter = $self->{adapter};
    my $watch   = $self->_has_room ? $adapter->handle : undef;
    my $read    = '';
    vec($read, fileno $_, 1) = 1 for grep { defined } $self->{in}, $watch;
    my $ready = select $read, undef, undef, $self->_patience;
    $self->_push_events if $self->_has_room && $self->_watch_is_due($ready > 0 && $watch && vec $read, fileno $watch, 1);
    if ($ready > 0 && vec $read, fileno $self->{in}, 1) {
        sysread($self->{in}, my $bytes, READ) or return 0;
        $self->{reader}->feed($bytes);
        while (my ($request) = $self->_next_request) { $self->_serve($request) }
    }
    $self->_say_idle;
    return 1;
}

sub _next_request { my ($self) = @_; return @{ $self->{later} } ? shift @{ $self->{later} } : $self->{reader}->next_value }

# Called by an adapter now and then while a call takes long: acknowledgements of the container are read, and events of the watch are reported, so that
# neither waits for the call. Other requests do, in their order.
sub _meanwhile {
    my ($self) = @_;
    $self->_take_what_came;
    $self->_push_events if $self->_has_room;
    return;
}

# The end of our input is seen again when the call is over.
sub _take_what_came {
    my ($self) = @_;
    my $read = '';
    vec($read, fileno $self->{in}, 1) = 1;
    return unless select($read, undef, undef, 0) > 0 && sysread $self->{in}, my $bytes, READ;
    $self->{reader}->feed($bytes);
    while (my ($request) = $self->{reader}->next_value) {
        if (($request->{op} // '') =~ /\A(?:ack|status)\z/) { $self->_serve($request) }
        else                                                 { push @{ $self->{later} }, $request }
    }
    return;
}

# Nothing is reported before the checkpoint is known: an adapter would report everything from the beginning.
sub _has_room { return $_[0]{follows} && $_[0]{unacknowledged} < WINDOW }

sub _watch_is_due {
    my ($self, $is_readable) = @_;
    my $interval = $self->{adapter}->interval;
    return 1 if $is_readable || @{ $self->{waiting} };
    return 0 unless defined $interval;
    return Time::HiRes::time() - ($self->{watched_at} // 0) >= $interval;
}

sub _patience {
    my ($self) = @_;
    my $interval = $self->{adapter} ? $self->{adapter}->interval : undef;
    return defined $interval && $interval < $self->{idle} ? $interval : $self->{idle};
}

# Events may also have come in while a call waited for its answer: they go out after it.
sub _push_events {
    my ($self) = @_;
    $self->{watched_at} = Time::HiRes::time();
    push @{ $self->{waiting} }, eval { $self->{adapter}->events };
    $self->_log("the watch failed: $@") if $@;
    while ($self->_has_room && @{ $self->{waiting} }) {
        my $batch    = shift @{ $self->{waiting} };
        my $sequence = ++$self->{sequence};
        $self->{checkpoints}{$sequence} = $batch->{checkpoint};
        $self->{unacknowledged}++;
        $self->_send({ %$batch, sequence => $sequence, live => $self->{adapter}->live, trouble => $self->{adapter}->trouble });
    }
    return;
}

my %OPERATIONS = (
    hello  => \&_hello,
    submit => sub { my ($self, $request) = @_; return { answers => $self->_adapter->submit($request->{jobs}) } },
    cancel => sub { my ($self, $request) = @_; return { answers => $self->_adapter->cancel($request->{jobs}) } },
    suspend => sub { my ($self, $request) = @_; return { answers => $self->_adapter->suspend($request->{jobs}) } },
    hold    => sub { my ($self, $request) = @_; return { answers => $self->_adapter->hold($request->{jobs}) } },
    resume  => sub { my ($self, $request) = @_; return { answers => $self->_adapter->resume($request->{jobs}) } },
    lookup => sub { my ($self, $request) = @_; return { events  => $self->_adapter->lookup($request->{tags}) } },
    forget => sub { my ($self, $request) = @_; $self->_adapter->forget($request->{jobs}); return {} },
    used   => sub { my ($self, $request) = @_; return { used => $self->_adapter->used($request->{jobs}) } },
    disown => sub { my ($self, $request) = @_; $self->_adapter->disown($request->{tags}); return {} },
    follow => sub { my ($self, $request) = @_; $self->_adapter->follow($request->{checkpoint}); $self->{follows} = 1; return {} },
    queues => sub { my ($self) = @_; my $can = $self->_adapter->capabilities; return { queues => $self->_adapter->queues, resources => [ $self->_adapter->resources ], map { $_ => $can->{$_} // [] } qw(job_types suspends) } },
    set    => \&_set,
    key    => sub { my ($self, $request) = @_; return { public => $self->_private->key(@$request{qw(tag name)}) } },
    keep   => sub { my ($self, $request) = @_; return { path => $self->_private->keep(@$request{qw(tag name content key rest)}) } },
    drop   => sub { my ($self, $request) = @_; $self->_private->drop(@$request{qw(tag name)}); return {} },
    status => sub { my ($self) = @_; return { trouble => $self->_adapter->trouble, status => $self->_adapter->status } },
    hello_files => \&_hello_files,
    password => sub { my ($self, $request) = @_; require Jobgate::AccountPassword; return Jobgate::AccountPassword::check($request) },
    (map { my $op = $_; ("chirp_$op" => sub { my (undef, $request) = @_; require Jobgate::ChirpTickets; return Jobgate::ChirpTickets->new($request)->$op($request) }) } qw(make drop)),
    read   => sub { my ($self, $request) = @_; return $self->_files->read($request) },
    remove => sub { my ($self, $request) = @_; return $self->_files->remove($request) },
    file_browse => sub { my ($self, $request) = @_; $self->_files; return Jobgate::FileListing::of($request) },
    (map { my $op = $_; ("file_$op" => sub { my ($self, $request) = @_; return $self->_writes->$op($request) }) }
        qw(kept put finish drop make_directory make_directories delete list)),
    (map { my $op = $_; ("file_tree_$op" => sub { my ($self, $request) = @_; $self->_files; return Jobgate::FileTree->can($op)->($request) }) }
        qw(stat view list make rename chmod)),
);

sub _serve {
    my ($self, $request) = @_;
    # to be asked how one is, is not to be needed
    $self->{busy_at} = Time::HiRes::time() unless ($request->{op} // '') =~ /\A(?:status|queues|set)\z/;
    return $self->_acknowledged($request) if ($request->{op} // '') eq 'ack';
    my $code   = $OPERATIONS{ $request->{op} // '' };
    my $answer = $code ? eval { $code->($self, $request) } : { error => 'unknown operation' };
    $answer //= { error => $@ };
    $answer->{live} = $self->{adapter}->live if $self->{adapter};
    $self->_send({ %$answer, id => $request->{id} });
    # what a call found on the way to its answer
    $self->_push_events if $self->_has_room;
    return;
}

sub _private { return Jobgate::PrivateFiles->new($_[0]->_adapter->spool, $_[0]->_adapter->former_spool) }

sub _adapter { return $_[0]{adapter} // die "no hello was said\n" }

# Loads the adapter that the container names; the name is a word, never a path.
sub _hello {
    my ($self, $request) = @_;
    my $name = $request->{adapter} // '';
    die "not the name of an adapter: $name\n" unless $name =~ /\A[a-z][a-z0-9]{0,31}\z/;
    my $class = 'Jobgate::Adapter::' . ucfirst $name;
    (my $file = "$class.pm") =~ s{::}{/}g;
    require $file;
    $self->{idle} = $request->{idle} if ($request->{idle} // '') =~ /\A[0-9]+(?:\.[0-9]+)?\z/;
    $self->{adapter} = $class->new(settings => $request->{settings} // {}, log => sub { $self->_log(@_) }, meanwhile => sub { $self->_meanwhile });
    return { version => VERSION, pid => $$, capabilities => $self->{adapter}->capabilities };
}

# Other values for settings from now on.
sub _set {
    my ($self, $request) = @_;
    my $settings = $request->{settings} // {};
    $self->_adapter->{settings}{$_} = $settings->{$_} for keys %$settings;
    return {};
}

# A worker of its own serves files, so that neither a large file nor a slow file system keeps an LRM's requests waiting.
sub _hello_files {
    my ($self, $request) = @_;
    require Jobgate::Files;
    $self->{idle} = $request->{idle} if ($request->{idle} // '') =~ /\A[0-9]+(?:\.[0-9]+)?\z/;
    require Jobgate::FileWrites;
    require Jobgate::FileListing;
    require Jobgate::FileTree;
    $self->{files}  = Jobgate::Files->new;
    $self->{writes} = Jobgate::FileWrites->new;
    return { version => VERSION, pid => $$ };
}

sub _files { return $_[0]{files} // die "no hello_files was said\n" }

sub _writes { return $_[0]{writes} // die "no hello_files was said\n" }

sub _acknowledged {
    my ($self, $request) = @_;
    exists $self->{checkpoints}{ $request->{sequence} } or return;
    my $checkpoint = delete $self->{checkpoints}{ $request->{sequence} };
    $self->{unacknowledged}--;
    $self->{adapter}->acknowledge($checkpoint);
    $self->_push_events;    # some may have waited for the room
    return;
}

# We do not end by ourselves: a request could be on its way. The container closes our input if it has nothing for us.
sub _say_idle {
    my ($self) = @_;
    my $now = Time::HiRes::time();
    return if $now - $self->{busy_at} < $self->{idle} || ($self->{adapter} && $self->{adapter}->live);
    $self->{busy_at} = $now;
    $self->_send({ idle => 1 });
    return;
}

sub _log {
    my ($self, $text) = @_;
    chomp $text;
    $self->_send({ log => $text });
    return;
}

sub _send {
    my ($self, $value) = @_;
    my $frame = Jobgate::Frames::frame($self->{nonce}, $value);
    my $done  = 0;
    while ($done < length $frame) {
        my $wrote = syswrite $self->{out}, $frame, length($frame) - $done, $done;
        next if !defined $wrote && $!{EINTR};
        exit 0 unless $wrote;    # the container is gone
        $done += $wrote;
    }
    return;
}

1;
