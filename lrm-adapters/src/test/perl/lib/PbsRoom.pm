# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package PbsRoom;

# The PBS adapter with a stand-in for a PBS, in a directory of its own.

use strict;
use warnings;

use StandinRoom ();    # before ToyRoom, which changes what FindBin says
use ToyRoom     ();
use Jobgate::Adapter::Pbs ();

our @ISA = ('ToyRoom');

sub new {
    my ($class, $dialect, $standin, %settings) = @_;
    my $directory = File::Temp->newdir('jobgate-pbs-XXXXXX', TMPDIR => 1);
    mkdir "$directory/work" or die $!;
    my $pbs  = StandinRoom->new($dialect, 'nodes=2', 'np=4', 'kill_delay=0.5', @$standin);
    my $self = bless { directory => $directory, seen => [], pbs => $pbs, dialect => $dialect, settings => { spool => "$directory/spool", poll_interval => 0.2,
        call_seconds => 180, record_grace => 1, pbs_bin => $pbs->bin, %settings } }, $class;
    $self->restart;
    return $self;
}

sub restart {
    my ($self, $checkpoint) = @_;
    delete $self->{adapter};
    $self->{adapter} = Jobgate::Adapter::Pbs->new(settings => $self->{settings}, log => sub { push @{ $self->{said} }, $_[0] });
    $self->{adapter}->follow($checkpoint);
    return;
}

sub pbs { return $_[0]{pbs} }

# The id of the job, once it has been told to be like this.
sub await {
    my ($self, $tag, $is) = @_;
    $self->watch(60, sub { $self->is($tag) =~ /\b$is\z/ }) or die "the job is not $is, but " . $self->is($tag) . ': ' . $self->adapter->trouble . "\n";
    return ($self->seen($tag))[-1]{ids}[0];
}

1;
