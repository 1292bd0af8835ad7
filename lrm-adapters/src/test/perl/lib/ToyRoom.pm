# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package ToyRoom;

# A polled adapter for the toy LRM, in a directory of its own.

use strict;
use warnings;

use File::Temp ();
use FindBin ();
use Time::HiRes ();

BEGIN { unshift @INC, "$FindBin::RealBin/../../main/perl/lib" }
use Jobgate::System ();
use Jobgate::Wire   ();

my $TESTS = $FindBin::RealBin;
$FindBin::RealBin = "$TESTS/../../main/perl";    # where an adapter looks for its launcher
my $count = 0;

sub new {
    my ($class, %settings) = @_;
    my $directory = File::Temp->newdir('jobgate-toy-XXXXXX', TMPDIR => 1);
    mkdir "$directory/$_" or die $! for qw(bin toy work);
    symlink "$TESTS/toy-lrm", "$directory/bin/$_" or die $! for qw(tsub tstat tacct tdel);
    my $self = bless { directory => $directory, seen => [],
        settings => { spool => "$directory/spool", poll_interval => 0.1, call_seconds => 180, toy => "$directory", %settings } }, $class;
    $self->restart;
    return $self;
}

# As after the death of the worker, going on from a checkpoint.
sub restart {
    my ($self, $checkpoint) = @_;
    delete $self->{adapter};
    $self->{adapter} = ToyRoom::Adapter->new(settings => $self->{settings}, log => sub { push @{ $self->{said} }, $_[0] });
    $self->{adapter}->follow($checkpoint);
    return;
}

sub adapter { return $_[0]{adapter} }
sub toy     { my ($self, $name) = @_; return "$self->{directory}/toy/$name" }

# Lets every call of a command print this and end with the code, until it is mended.
sub break_command { my ($self, $name, $exit, $text) = @_; $self->put($self->toy("$name.fault.$exit"), $text); return }
sub mend          { my ($self) = @_; unlink glob $self->toy('*.fault.*'); return }

sub put {
    my ($self, $path, $text) = @_;
    open my $file, '>', $path or die "$path: $!";
    print {$file} $text;
    close $file;
    return $path;
}

sub tag { return sprintf '%08x-%04x-7000-8000-%012x', int(Time::HiRes::time() * 1000) / 65536, int(Time::HiRes::time() * 1000) % 65536, ++$count }

sub request {
    my ($self, $script, %more) = @_;
    my $spec = { executable => '/bin/sh', arguments => [ '-c', $script ], directory => "$self->{directory}/work", count => 1, %more };
    return { tag => tag(), description => Jobgate::Wire::encode($spec) };
}

sub submit {
    my ($self, $script, %more) = @_;
    my $request = $self->request($script, %more);
    my ($answer) = @{ $self->adapter->submit([$request]) };
    die 'not taken: ' . join ' ', %{ $answer->{refused} // $answer } unless $answer->{ids};
    return $request->{tag};
}

# Looks as a worker does, for at most so many seconds, until the code is true.
sub watch {
    my ($self, $seconds, $code) = @_;
    my $until = Time::HiRes::time() + $seconds;
    while (Time::HiRes::time() < $until) {
        for my $batch ($self->adapter->events) {
            push @{ $self->{seen} }, @{ $batch->{events} };
            $self->{checkpoint} = $batch->{checkpoint} if defined $batch->{checkpoint};
        }
        return 1 if $code && $code->();
        my $handle = $self->adapter->handle;
        my $bits = '';
        vec($bits, fileno $handle, 1) = 1 if $handle;
        select $bits, undef, undef, $self->adapter->interval // 0.1;
    }
    return 0;
}

sub seen { my ($self, $tag) = @_; return grep { $_->{tag} eq $tag } @{ $self->{seen} } }
sub is   { my ($self, $tag) = @_; return join ' ', map { $_->{is} } $self->seen($tag) }

sub end {
    my ($self, $tag) = @_;
    $self->watch(60, sub { grep { $_->{is} eq 'ended' } $self->seen($tag) }) or return { cause => 'NONE: ' . $self->is($tag) };
    return ($self->seen($tag))[-1];
}

package ToyRoom::Adapter;

use strict;
use warnings;

use parent 'Jobgate::Adapter::Batch';

my %IS = (Q => 'queued', R => 'started', S => 'suspended', H => 'suspended');

sub environment       { my ($self) = @_; return { TOY_DIRECTORY => $self->setting('toy') . '/toy' } }
sub command_directory { my ($self) = @_; return $self->setting('toy') . '/bin' }
sub record_grace      { return $_[0]->setting('record_grace', 1) }
sub gone_after_cancel { return $_[0]->setting('gone_after_cancel') }
sub submit_command    { my ($self, $job) = @_; return ([ 'tsub', $job->{tag} ], text => $self->script($job->{tag})) }
sub listing_command   { return ['tstat'] }
sub record_commands   { my ($self, $jobs) = @_; return [ 'tacct', map { $_->{ids}[0] // $_->{tag} } @$jobs ] }

sub submit_answer {
    my ($self, $done) = @_;
    return { ids => ["$1"] } if $done->{exit} == 0 && $done->{out} =~ /\A(\d+)\n\z/;
    return { unclear => 'tsub: ' . Jobgate::Commands::said($done) };
}

sub parse_listing {
    my ($self, $done) = @_;
    my @lines = split /\n/, $done->{out};
    die "the listing has no end\n" unless @lines && pop @lines eq 'end';
    return [ map {
        my ($id, $tag, $is) = split /\|/;
        die "the listing holds '$_'\n" unless defined $is && $id =~ /\A\d+\z/;
        { id => $id, tag => $tag, is => $IS{$is} // 'unknown', held => $is eq 'H', began => 0 };
    } @lines ];
}

sub parse_records {
    my ($self, $done) = @_;
    die "tacct failed\n" if $done->{exit};
    return [ map { /\A(\d+)\|([0-9a-f-]{36})\|([ESC])(\d*)\z/
        ? { id => $1, tag => $2, is => 'ended', cause => { E => 'EXITED', S => 'SIGNALLED', C => 'CANCELLED' }->{$3}, ($3 eq 'E' ? 'exit' : 'signal') => $4 } : () }
        split /\n/, $done->{out} ];
}

sub cancel_rows {
    my ($self, $rows) = @_;
    my $done = $self->commands->run([ 'tdel', map { $_->{id} } @$rows ]);
    return $done->{exit} == 0 ? () : map { $_->{tag} => 'tdel: ' . Jobgate::Commands::said($done) } @$rows;
}

1;
