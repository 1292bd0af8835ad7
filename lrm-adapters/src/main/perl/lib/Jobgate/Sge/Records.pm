# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Sge::Records;

# What Grid Engine's master has written down of the account's jobs: their accounting records and who has deleted them. The files are read on as
# they grow; for a job that was there before us they are searched backwards, once.

use strict;
use warnings;

use Time::HiRes ();
use Jobgate::Sge::Accounting ();
use Jobgate::Sge::LogFile    ();

use constant {
    MAX_PER_JOB    => 200,     # records and events that are kept of one job
    RECORD_SECONDS => 30,      # for which the record of a job that was deleted while it ran is waited for
};

my $OURS = $Jobgate::Sge::Accounting::OURS;

# account: whose jobs; accounting, reporting: the paths of the files; element_of: code that says which job an element (array, task) is
sub new {
    my ($class, %given) = @_;
    my $self = bless { account => $given{account}, element_of => $given{element_of} // sub { return }, known => {} }, $class;
    $self->{accounting} = Jobgate::Sge::LogFile->new(path => $given{accounting}, wanted => qr/$OURS/, time_of => \&Jobgate::Sge::Accounting::time_of_line);
    $self->{reporting}  = Jobgate::Sge::LogFile->new(path => $given{reporting}, wanted => qr/:job_log:.*:$OURS:/, time_of => \&Jobgate::Sge::Accounting::time_of_event);
    return $self;
}

sub has_accounting { return $_[0]{accounting}->is_readable }
sub has_reporting  { return $_[0]{reporting}->is_readable }

# A job that is about to be submitted: nothing of it can be in the files yet.
sub expect {
    my ($self, $tag) = @_;
    $self->_begin;
    $self->{known}{$tag} //= { %{ _nothing() }, is_complete => 1 };
    return;
}

sub forget { my ($self, @tags) = @_; delete @{ $self->{known} }{@tags}; return }

sub _nothing { return { records => [], events => [] } }

sub _begin {
    my ($self) = @_;
    return if $self->{is_begun}++;
    $self->{$_}->begin_at_end for qw(accounting reporting);
    return;
}

sub has_grown {
    my ($self) = @_;
    $self->_begin;
    return $self->{accounting}->has_grown || $self->{reporting}->has_grown;
}

# --- reading --------------------------------------------------------------------------------------------------------------------

# Reads on; answers the records and the events that are new.
sub _read_on {
    my ($self) = @_;
    $self->_begin;
    # the reporting file first: what it says of a deletion is needed to understand the record
    my @events  = $self->_events($self->{reporting}->lines);
    my @records = $self->_records_in($self->{accounting}->lines);
    $self->_keep(events => @events);
    $self->_keep(records => @records);
    return (\@records, \@events);
}

sub _events     { my ($self, @lines) = @_; return $self->_own(map { Jobgate::Sge::Accounting::event_of_line($_) // () } @lines) }
sub _records_in { my ($self, @lines) = @_; return $self->_own(map { Jobgate::Sge::Accounting::record_of_line($_) // () } @lines) }
sub _own        { my ($self, @some) = @_; return map { $self->_with_tag($_) } grep { ($_->{owner} // '') eq $self->{account} } @some }

sub _with_tag {
    my ($self, $one) = @_;
    return $one if defined $one->{tag};
    my $tag = $self->{element_of}->(@$one{qw(array task)});
    return defined $tag ? { %$one, tag => $tag } : ();
}

# Records of these jobs that qacct gave.
sub add {
    my ($self, $jobs, @records) = @_;
    # only what is kept for a job that is known here counts
    $self->_search($jobs);
    $self->_keep(records => $self->_own(@records));
    return;
}

sub _keep {
    my ($self, $kind, @some) = @_;
    for my $one (@some) {
        my $list = ($self->{known}{ $one->{tag} } // next)->{$kind};
        push @$list, $one;
        shift @$list if @$list > MAX_PER_JOB;
    }
    return;
}

# Jobs that were submitted before we began to read: the existing records are searched for them once. Reading from then on is complete.
sub _search {
    my ($self, $jobs) = @_;
    my @new = grep { !($self->{known}{ $_->{tag} } // {})->{is_complete} } @$jobs or return;
    my ($since) = sort { $a <=> $b } map { $_->{since} } @new;
    my %is_new = map { $_->{tag} => 1 } @new;
    $self->{known}{$_} = { %{ _nothing() }, is_complete => 1 } for keys %is_new;
    $self->_keep(events  => grep { $is_new{ $_->{tag} } } $self->_events($self->{reporting}->search($since)));
    $self->_keep(records => grep { $is_new{ $_->{tag} } } $self->_records_in($self->{accounting}->search($since)));
    return;
}

# --- answers --------------------------------------------------------------------------------------------------------------------

# Rows (Jobgate::Adapter::Batch) for those of these jobs that are over. Only for jobs that no listing shows. told: what the watch knows of them.
sub rows {
    my ($self, $jobs, $told) = @_;
    $self->_read_on;
    $self->_search($jobs);
    return map { $self->_rows_of($_->{tag}, $told->{ $_->{tag} } // {}) } @$jobs;
}

# (rows of jobs that have ended, whatever a listing would show; events of jobs that have begun), from what is new in the files.
sub news {
    my ($self, $told) = @_;
    my ($records, $events) = $self->_read_on;
    # who has deleted it may have been written before we began to read
    $self->_search([ map { { tag => $_->{tag}, since => $_->{submitted} } } grep { $self->_is_watched($_, $told) } @$records ]);
    my (%ended, @started);
    for my $record (grep { Jobgate::Sge::Accounting::is_final($_) } @$records) { $ended{ $record->{tag} } = $record if $self->_is_watched($record, $told) }
    for my $event (grep { $_->{event} eq 'delivered' } @$events) {
        push @started, $event if $self->_is_watched($event, $told) && $told->{ $event->{tag} }{is} =~ /\A(?:re)?queued\z/;
    }
    return ([ map { $self->_row_of_record($_, $told->{ $_->{tag} }) } values %ended ], \@started);
}

sub _is_watched {
    my ($self, $one, $told) = @_;
    my $job = $told->{ $one->{tag} } // return 0;
    return $job->{is} ne 'ended' && ($job->{ids}[0] // '') eq $one->{id};
}

# One row for each id under which Grid Engine had the job, which is mostly one.
sub _rows_of {
    my ($self, $tag, $told) = @_;
    my $known = $self->{known}{$tag};
    my %number = map { $_->{id} => $_->{number} } @{ $known->{records} }, @{ $known->{events} };
    return map { $self->_row_of_id($tag, $_, $told) } sort { $number{$a} <=> $number{$b} || $a cmp $b } keys %number;
}

sub _row_of_id {
    my ($self, $tag, $id, $told) = @_;
    my ($records, $events) = map { [ grep { $_->{id} eq $id } @$_ ] } @{ $self->{known}{$tag} }{qw(records events)};
    my $record = $records->[-1];
    return $self->_row_of_record($record, $told) if $record && !Jobgate::Sge::Accounting::is_requeue($record);
    return $self->_row_of_deletion($tag, $id, $events);
}

sub _row_of_record {
    my ($self, $record, $told) = @_;
    my $by = $self->_deleted_by($record->{tag}, $record->{id});
    # if the reporting file has no record: we have asked for it, and the job was killed
    $by //= 'the gateway' if $told->{cancelled} && $record->{exit} == 137;
    my $end = $record->{end} || time;
    return { tag => $record->{tag}, id => $record->{id}, is => 'ended', at => 1000 * $end, queued => 1000 * $record->{submitted},
        $record->{start} ? (began => 1000 * $record->{start}) : (), %{ Jobgate::Sge::Accounting::end_of($record, $by) } };
}

# Every job is deleted in the end by the scheduler, when all is written down; the name of a user or administrator means that a person deleted it.
sub _deleted_by {
    my ($self, $tag, $id) = @_;
    my $deletion = $self->_deletion($tag, $id) // return;
    return $deletion->{by};
}

sub _deletion {
    my ($self, $tag, $id) = @_;
    my ($deletion) = grep { $_->{id} eq $id && $_->{event} eq 'deleted' && $_->{by} !~ /\A(?:scheduler|execution daemon|master|)\z/ }
        @{ ($self->{known}{$tag} // _nothing())->{events} };
    return $deletion;
}

# A job that is deleted before it runs leaves no accounting record; one that ran leaves it soon.
sub _row_of_deletion {
    my ($self, $tag, $id, $events) = @_;
    my $deletion = $self->_deletion($tag, $id) // return;
    return unless grep { $_->{event} eq 'finished' && $_->{by} eq 'master' } @$events;
    return if $deletion->{state} =~ /[rt]/ && time - $deletion->{at} < RECORD_SECONDS;
    return { tag => $tag, id => $id, is => 'ended', cause => 'CANCELLED', at => 1000 * $deletion->{at},
        command => 'Grid Engine reporting', output => "job $id: deleted by $deletion->{by}" };
}

1;
