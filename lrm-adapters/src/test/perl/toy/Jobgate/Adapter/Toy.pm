# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Adapter::Toy;

# An LRM that is a directory of the tests (the setting `toy`), and does what the files in it say: `down` (it answers nothing), `queues` (one queue a
# line, name=value words), `polled_at` (seconds since 1970: when the watch last had an answer), `poll_interval` is written with what it was told.

use strict;
use warnings;

use parent 'Jobgate::Adapter';

use Time::HiRes ();

sub capabilities { return { job_types => [qw(single mpi)] } }
sub interval     { return 0.1 }
sub follow       { my ($self) = @_; $self->_write('followed', 1); return }
sub lookup       { return [] }
sub cancel       { my ($self, $jobs) = @_; return [ map { 'ending' } @$jobs ] }
sub live         { my ($self) = @_; return $self->_read('live') // 0 }

sub submit {
    my ($self, $requests) = @_;
    return [ map { { unclear => 'the toy is down' } } @$requests ] if $self->_is('down');
    $self->_write('poll_interval', $self->setting('poll_interval', 'none'));
    my @ids = map { ($self->_read('next') // 1) + $_ } 0 .. $#$requests;
    $self->_write('next', $ids[-1] + 1);
    open my $list, '>>', "$self->{settings}{toy}/submitted" or die "no list: $!\n";
    print {$list} "$ids[$_] $requests->[$_]{tag}\n" for 0 .. $#ids;
    close $list or die "no list: $!\n";
    return [ map { { ids => [$_] } } @ids ];
}

sub queues {
    my ($self) = @_;
    die "the toy is down\n" if $self->_is('down');
    open my $file, '<', "$self->{settings}{toy}/queues" or return [];
    return [ map { { map { split /=/, $_, 2 } split } } <$file> ];
}

sub status {
    my ($self) = @_;
    Time::HiRes::sleep(0.05) while $self->_is('hang');
    return { polled_at => int(1000 * ($self->_read('polled_at') // time)) };
}

sub _is { my ($self, $name) = @_; return -e "$self->{settings}{toy}/$name" }

sub _read {
    my ($self, $name) = @_;
    open my $file, '<', "$self->{settings}{toy}/$name" or return;
    chomp(my $line = <$file> // '');
    return $line;
}

sub _write {
    my ($self, $name, $text) = @_;
    open my $file, '>', "$self->{settings}{toy}/$name" or die "cannot write $name: $!\n";
    print {$file} "$text\n" and close $file or die "cannot write $name: $!\n";
    return;
}

1;
