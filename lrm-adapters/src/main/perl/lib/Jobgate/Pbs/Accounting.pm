# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Pbs::Accounting;

# Reads the accounting files of the PBS server (server_priv/accounting/YYYYMMDD), where the site lets the account read them. What is asked for is a job of
# a certain name, number and time: ids begin anew, so an older record with the same id is another job's.

use strict;
use warnings;

use Jobgate::Pbs::Qstat ();

use constant { DAY => 86400, DAYS_MOST => 40, KEPT_MOST => 200_000 };

# directory: of the files; account: whose jobs
sub new {
    my ($class, $directory, $account) = @_;
    return bless { directory => $directory, account => $account, at => {}, ends => {}, deleted => {} }, $class;
}

# What is known of the ends of these jobs, as a hash of tag to attributes like those of Jobgate::Pbs::Qstat: the wanted are { tag, name, made (seconds) }.
# `now` bounds the days that are read. Each line is read once. A file that is not there is a day without jobs; one that cannot be read is a reason to die.
sub ends {
    my ($self, $wanted, $now) = @_;
    my ($oldest) = sort { $a <=> $b } map { $_->{made} } @$wanted;
    $self->_read($_) for $self->_files($oldest, $now);
    my %ends;
    for my $job (@$wanted) {
        # the tag is older than its job, but for the clocks' difference
        my ($end) = grep { $_->{ctime} >= $job->{made} - 3600 } @{ $self->{ends}{ $job->{name} } // [] } or next;
        $ends{ $job->{tag} } = { %$end, tag => $job->{tag}, job_state => 'E' };
    }
    return \%ends;
}

# A day before and after: the server's days are in its own time.
sub _files {
    my ($self, $oldest, $now) = @_;
    $oldest = $now - DAYS_MOST * DAY if $oldest < $now - DAYS_MOST * DAY;
    my %paths;
    for (my $time = $oldest - DAY; $time <= $now + DAY; $time += DAY) {
        my (undef, undef, undef, $day, $month, $year) = gmtime $time;
        my $path = sprintf '%s/%04d%02d%02d', $self->{directory}, $year + 1900, $month + 1, $day;
        $paths{$path} = 1 if -e $path;
    }
    return sort keys %paths;
}

# The whole lines that have come since the last time.
sub _read {
    my ($self, $path) = @_;
    open my $file, '<:raw', $path or die "cannot read $path: $!\n";
    return if -s $file == ($self->{at}{$path} // 0);
    @$self{qw(at ends deleted)} = ({}, {}, {}) if keys %{ $self->{ends} } > KEPT_MOST || keys %{ $self->{deleted} } > KEPT_MOST;
    seek $file, $self->{at}{$path} // 0, 0 or die "cannot read $path: $!\n";
    while (my $line = <$file>) {
        last unless $line =~ /\n\z/;
        $self->{at}{$path} = tell $file;
        $self->_take($line);
    }
    return;
}

sub _take {
    my ($self, $line) = @_;
    my (undef, $kind, $id, $words) = split /;/, $line, 4;
    return unless defined $words;
    # a deletion belongs to the next end of this id, unless the id starts again before
    my $by = $kind =~ /\A[QE]\z/ ? delete $self->{deleted}{$id} : undef;
    $self->{deleted}{$id} = $1 if $kind eq 'D' && $words =~ /requestor=(\S+)/;
    return unless $kind eq 'E' && $words =~ /(?:\A| )jobname=(jg[0-9a-f]{13})(?: |\z)/;
    my $name = $1;
    my %is = map { /\A([A-Za-z][A-Za-z0-9_.]*)=(.*)\z/ ? (lc $1 => $2) : () } split ' ', $words;
    return unless ($is{user} // '') eq $self->{account} && ($is{ctime} // '') =~ /\A[0-9]+\z/;
    push @{ $self->{ends}{$name} }, { %is, id => $id, defined $by ? (deleted_by => $by) : () };
    return;
}

1;
