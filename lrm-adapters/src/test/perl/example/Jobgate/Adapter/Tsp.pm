# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Adapter::Tsp;

# Runs jobs in task-spooler, one queue for each account on this machine: the example of docs/internals/adding-an-lrm.md.

use strict;
use warnings;

use parent 'Jobgate::Adapter::Batch';

use Jobgate::Commands ();
use POSIX             ();

my %IS = (queued => 'queued', allocating => 'queued', running => 'started', finished => 'ended', skipped => 'ended');

sub lrm               { return 'task-spooler' }
sub capabilities      { return { job_types => [qw(single multiple)] } }
sub command_directory { return $_[0]->setting('tsp_bin') }
sub environment       { my ($self) = @_; return { TS_SOCKET => $self->spool . '/tsp.socket', TMPDIR => $self->spool } }
sub gone_after_cancel { return 2 }    # a queued job that is removed leaves no trace

# The label is the tag; -n: its output is no business of task-spooler's.
sub submit_command { my ($self, $job) = @_; return [ 'tsp', '-n', '-L', $job->{tag}, $self->launcher($job->{tag}) ] }

# The first command that finds no server becomes its parent and leaves it its standard files: one that has none of ours comes first.
sub submit_some {
    my ($self, $jobs) = @_;
    my $pid = fork // die "cannot fork: $!\n";
    if ($pid == 0) {
        %ENV = (%ENV, %{ $self->environment });
        open STDIN,  '<', '/dev/null';
        open STDOUT, '>', '/dev/null';
        open STDERR, '>', '/dev/null';
        { no warnings 'exec'; exec { $self->_program } 'tsp' }
        POSIX::_exit(127);    # the submit that follows says what is wrong
    }
    waitpid $pid, 0;
    return $self->SUPER::submit_some($jobs);
}

sub _program { my ($self) = @_; return defined $self->command_directory ? $self->command_directory . '/tsp' : 'tsp' }

# With -n it does not say the id.
sub submit_answer {
    my ($self, $done, $job) = @_;
    my ($row) = grep { $_->{tag} eq $job->{tag} } $done->{exit} == 0 ? @{ $self->_listing } : ();
    return { ids => [ $row->{id} ] } if $row;
    return { unclear => 'tsp: ' . Jobgate::Commands::said($done) };
}

sub listing_command { return ['tsp'] }

sub parse_listing {
    my ($self, $done) = @_;
    my ($title, @lines) = split /\n/, $done->{out};
    die "tsp does not list its jobs\n" unless ($title // '') =~ /\AID\s+State\s/;
    return [ map { $self->_row($_) } @lines ];
}

sub _row {
    my ($self, $line) = @_;
    my ($id, $state, $exit, $tag) = $line =~ /\A([0-9]+)\s+(\w+)\s.*?\s(?:(-?[0-9]+)\s+[0-9.\/]+\s+)?\[([0-9a-f-]{36})\]/ or return;
    my %row = (tag => $tag, id => $id, is => $IS{$state} // 'unknown');
    return \%row if $row{is} ne 'ended';
    my $cancelled = ($self->_log->{jobs}{$tag} // {})->{cancelled};
    my $signal = ($exit // 0) < 0 && !$cancelled ? $self->{signals}{$id} //= $self->_signal_of($id) : 0;
    return { %row, began => 1, ($signal ? (cause => 'SIGNALLED', signal => $signal) : (cause => $cancelled ? 'CANCELLED' : 'EXITED', exit => $exit // -1)) };
}

# The list has -1 for every signal.
sub _signal_of {
    my ($self, $id) = @_;
    my ($signal) = $self->commands->run([ 'tsp', '-i', $id ])->{out} =~ /killed by signal ([0-9]+)/;
    return $signal // 0;
}

# Those that wait first: one of them would begin when a running one ends.
sub cancel_rows {
    my ($self, $rows) = @_;
    my %trouble;
    for my $row (sort { $a->{is} cmp $b->{is} } @$rows) {
        my $done = $self->commands->run([ 'tsp', $row->{is} eq 'queued' ? '-r' : '-k', $row->{id} ]);
        $trouble{ $row->{tag} } = 'tsp: ' . Jobgate::Commands::said($done) if $done->{exit} != 0;
    }
    return %trouble;
}

1;
