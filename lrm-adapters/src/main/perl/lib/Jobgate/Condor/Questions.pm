# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Condor::Questions;

# How the adapter for HTCondor asks the queue and the history for jobs by their tags. Its methods are those of the adapter.

use strict;
use warnings;

use JSON::PP ();

use constant {
    TAGS_PER_QUERY => 200,
    CLOCK_SLACK    => 3600,     # seconds by which the clocks of gateway and HTCondor may differ
};

my $QUERIED = 'ClusterId,ProcId,JobgateId,JobgateProcess,JobgateCount,JobStatus,EnteredCurrentStatus,ExitCode,ExitBySignal,ExitSignal,RemoveReason,HoldReason,UserLog,'
    . 'RemoteUserCpu,RemoteSysCpu,ResidentSetSize,RemoteHost,LastRemoteHost,CpusProvisioned,RequestCpus,JobCurrentStartDate,CompletionDate';

sub lookup {
    my ($self, $tags) = @_;
    my $lock = $self->_commands->lock($self->spool . '/submit.lock');
    return [ $self->_jobs->from_records($self->_records($tags)) ];
}

# The records of all processes of these jobs: of the queue, and for those without one of the history; dies without clear answers. The queue
# is asked first, so that a job that goes from one to the other in between is not missed. With `unclear`, a hash, a history that gives no clear answer is no
# reason to die: the tags that were asked for there are put into it, with why.
sub _records {
    my ($self, $tags, $unclear) = @_;
    my @records;
    my @left = @$tags;
    while (my @some = splice @left, 0, TAGS_PER_QUERY) {
        my @live = records_of($self->_commands->run(question('condor_q', @some)));
        my %processes;
        $processes{ $_->{JobgateId} }++ for @live;
        my %count = map { $_->{JobgateId} => $_->{JobgateCount} } @live;
        my @rest = grep { ($processes{$_} // 0) < ($count{$_} // 1) } @some;
        my @over = eval { @rest ? $self->_history(@rest) : () };
        if ($@) { die $@ unless $unclear; @$unclear{@rest} = ($@ =~ s/\n\z//r) x @rest }
        push @records, @live, @over;
    }
    my %seen;
    return [ grep { !$seen{"$_->{JobgateId} $_->{ClusterId}.$_->{ProcId}"}++ } @records ];
}

# What ended before a tag was made cannot be its job: there the search ends, however long the history is.
sub _history {
    my ($self, @tags) = @_;
    return records_of($self->_commands->run(question('condor_history', @tags)));
}

# The words that ask one of the two for the records of these tags.
sub question {
    my ($command, @tags) = @_;
    my @words = ($command, '-constraint', is_one_of(@tags));
    return [ @words, form() ] if $command ne 'condor_history';
    my ($oldest) = sort { $a <=> $b } map { made_at($_) } @tags;
    return [ @words, '-since', 'EnteredCurrentStatus < ' . ($oldest - CLOCK_SLACK), form() ];
}

sub form { return ('-json', '-attributes', "$QUERIED,Owner") }

# The seconds in a UUID of version 7.
sub made_at {
    my ($tag) = @_;
    return $tag =~ /\A([0-9a-f]{8})-([0-9a-f]{4})-7/ ? int((hex($1) * 65536 + hex $2) / 1000) : 0;
}

sub is_one_of {
    my @tags = grep { /\A[0-9a-f-]{36}\z/ } @_;
    die "no tag to ask for\n" unless @tags;
    return of_ours('member(JobgateId, {' . join(', ', map { qq("$_") } @tags) . '})');
}

# Any user can write our tags into a job. Of such a job nothing is read, not even its text.
sub of_ours {
    my ($constraint) = @_;
    my $account = (getpwuid $>)[0] // '';
    return $account =~ /\A[A-Za-z0-9_.-]+\z/ ? qq(Owner == "$account" && $constraint) : $constraint;
}

# The records that a command gave as JSON; our own account's only. An empty answer without complaint is a clear one.
sub records_of {
    my ($done) = @_;
    my ($account, $command) = ((getpwuid $>)[0] // $>, $done->{name});
    die "$command: " . said($done) . "\n" if $done->{exit} != 0 || ($done->{out} !~ /\S/ && $done->{err} =~ /\S/);
    return if $done->{out} !~ /\S/;
    return grep { ($_->{Owner} // '') eq $account && !grep({ !defined || ref } @$_{qw(JobgateId ClusterId ProcId)}) } objects($command, $done->{out});
}

# The objects of a list in JSON. Where one of them cannot be read, it is left out: each begins and ends on a line of its own, and no value has a line feed.
sub objects {
    my ($command, $text) = @_;
    my $all = eval { JSON::PP->new->decode($text) };
    return grep { ref $_ eq 'HASH' } @$all if ref $all eq 'ARRAY';
    die "$command answered something that is no JSON\n" unless $text =~ /\A\s*\[\n(.*)\n\]\s*\z/s;
    return grep { ref $_ eq 'HASH' } map { eval { JSON::PP->new->decode($_) } } split /^,\n/m, $1;
}

# What a command complained of, in one line.
sub said {
    my ($done) = @_;
    my ($line) = grep { /\S/ } map { s/\AERROR:\s*//r } split /\n/, $done->{err} . "\n" . $done->{out};
    return $done->{exit} == 0 ? "its answer was not understood: " . substr($done->{out}, 0, 200) : substr $line // "exit code $done->{exit}", 0, 300;
}

1;
