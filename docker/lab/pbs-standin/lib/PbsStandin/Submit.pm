# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package PbsStandin::Submit;

# Reads the words of qsub as strictly as the real ones do, and stricter where they differ among versions: an option twice is refused, and so is a
# resource twice, or a time or size that is none.

use strict;
use warnings;

my %OPTIONS = (
    torque  => 'a:A:b:c:C:d:D:e:EfF:hIj:J:k:K:l:L:m:M:nN:o:p:P:q:r:S:t:T:u:v:Vw:W:xXz',
    openpbs => 'a:A:c:C:e:fGhIj:J:k:l:m:M:N:o:p:q:r:R:S:u:v:VW:XzP:',
);
my %MANY = map { $_ => 1 } qw(l W);
my $TIME = qr/\A(?:[0-9]{1,10}|(?:[0-9]{1,6}:)?[0-9]{1,4}:[0-9]{1,2}(?:\.[0-9]+)?)\z/;
my $SIZE = qr/\A[0-9]{1,15}(?:[kmgtp]?[bw])?\z/i;
my $NUMBER = qr/\A[0-9]{1,9}\z/;
my $WORD = qr{\A[A-Za-z0-9_.:/\@+-]{1,255}\z};
my %RESOURCES = (
    walltime => $TIME, cput => $TIME, pcput => $TIME, mem => $SIZE, pmem => $SIZE, vmem => $SIZE, pvmem => $SIZE, file => $SIZE,
    ncpus => $NUMBER, nice => qr/\A-?[0-9]{1,3}\z/, arch => $WORD, host => $WORD, software => $WORD,
);
my %OF = (
    torque  => { %RESOURCES, procs => $NUMBER, nodes => undef, naccesspolicy => $WORD, feature => $WORD },
    openpbs => { %RESOURCES, select => undef, place => qr/\A[a-z:=]+\z/, nodes => undef, mpiprocs => $NUMBER, ompthreads => $NUMBER, ngpus => $NUMBER },
);
my $OPTION = { N => \&_name, l => \&_resources, j => qr/\A(?:oe|eo|n)\z/, m => qr/\A(?:n|[abe]{1,3})\z/, r => qr/\A[yn]\z/, S => qr{\A/[^\s,]+\z},
    p => qr/\A-?(?:[0-9]{1,3}|10[01][0-9]|102[0-4])\z/, k => qr/\A(?:n|[oed]{1,3})\z/, q => qr/\A[A-Za-z0-9_.@-]+\z/, v => \&_variables, W => \&_attributes };

# The request of a job, or dies with the answer { err, exit }.
sub parse {
    my ($dialect, @words) = @_;
    my %job = (options => {}, resources => {}, variables => []);
    while (@words && $words[0] =~ /\A-(.)(.*)\z/s) {
        my ($letter, $rest) = ($1, $2);
        shift @words;
        last if $letter eq '-';
        my ($kind) = $OPTIONS{ $dialect->{name} } =~ /\Q$letter\E(:?)/;
        _usage("qsub: invalid option -- '$letter'") unless defined $kind && $letter ne ':';
        my $value = $kind ? length $rest ? $rest : shift @words : 1;
        _usage("qsub: option requires an argument -- '$letter'") unless defined $value;
        unshift @words, "-$rest" if !$kind && length $rest;
        _usage("qsub: option -$letter given twice") if exists $job{options}{$letter} && !$MANY{$letter};
        _take($dialect, \%job, $letter, $value);
    }
    _usage('qsub: more than one script') if @words > 1;
    return { %job, script => $words[0] };
}

sub _usage { my ($why) = @_; die { err => "$why\nusage: qsub [-a date_time] [-A account_string] [-c interval] ... [script]\n", exit => 2 } }

sub _take {
    my ($dialect, $job, $letter, $value) = @_;
    my $check = $OPTION->{$letter};
    my $well = !defined $check ? 1 : ref $check eq 'CODE' ? $check->($dialect, $job, $value) : $value =~ $check;
    _usage("qsub: illegal -$letter value") unless $well;
    $job->{options}{$letter} = $value;
    return;
}

sub _name {
    my ($dialect, $job, $value) = @_;
    return length $value <= $dialect->{name_max} && $value =~ /\A[A-Za-z][!-~]*\z/ if $dialect->is_torque;
    die { err => "qsub: name is too long\n", exit => 15173 & 255 } if length $value > $dialect->{name_max};
    return $value =~ /\A[A-Za-z0-9_+-][A-Za-z0-9_+.-]*\z/;
}

# Lists of NAME=VALUE, divided by commas.
sub _resources {
    my ($dialect, $job, $value) = @_;
    my $known = $OF{ $dialect->{name} };
    return 0 unless length $value;
    for my $pair (split /,/, $value, -1) {
        my ($name, $is) = $pair =~ /\A([A-Za-z][A-Za-z0-9_]*)=(.+)\z/s or return 0;
        return 0 if exists $job->{resources}{$name};
        $dialect->fail('qsub', 'unknown_resource', object => $dialect->is_torque ? " Resource_List.$name" : $name) unless exists $known->{$name};
        my $check = $name eq 'nodes' ? _is_nodes($is) : $name eq 'select' ? _is_select($dialect, $is) : $is =~ $known->{$name};
        return 0 unless $check;
        $job->{resources}{$name} = $is;
    }
    if (!$dialect->is_torque && exists $job->{resources}{select}) {
        for (grep { exists $job->{resources}{$_} } qw(ncpus mem vmem nodes mpiprocs)) { $dialect->fail('qsub', $_ eq 'nodes' ? 'mixed_nodes' : 'mixed', object => $_) }
    }
    return 1;
}

sub _is_nodes {
    my ($value) = @_;
    for my $part (split /\+/, $value, -1) {
        my ($first, @more) = split /:/, $part, -1;
        return 0 unless defined $first && $first =~ /\A(?:[0-9]{1,6}|[A-Za-z][A-Za-z0-9_.-]*)\z/;
        for (@more) { return 0 unless /\A(?:ppn=[1-9][0-9]{0,5}|gpus=[0-9]{1,3}|[A-Za-z][A-Za-z0-9_.-]*)\z/ }
        return 0 if 1 < grep { /\Appn=/ } @more;
    }
    return 1;
}

sub _is_select {
    my ($dialect, $value) = @_;
    for my $chunk (split /\+/, $value, -1) {
        my ($first, @more) = split /:/, $chunk, -1;
        my %seen;
        return 0 unless defined $first && $first =~ /\A[1-9][0-9]{0,5}\z|=/;
        for (($first =~ /=/ ? $first : ()), @more) {
            my ($name, $is) = /\A([a-z][a-z0-9_]*)=([A-Za-z0-9_.-]+)\z/ or return 0;
            my $check = $OF{openpbs}{$name} // $dialect->fail('qsub', 'unknown_resource', object => $name);
            return 0 unless $is =~ $check;
            $dialect->fail('qsub', 'duplicate', object => $name) if $seen{$name}++;
        }
    }
    return 1;
}

sub _variables {
    my ($dialect, $job, $value) = @_;
    for (split /,/, $value, -1) {
        my ($name, $is) = /\A([A-Za-z_][A-Za-z0-9_]*)=(.*)\z/s or return 0;
        push @{ $job->{variables} }, [ $name, $is ];
    }
    return 1;
}

my %ATTRIBUTES = map { $_ => 1 } qw(depend group_list stagein stageout umask x block sandbox interactive);

sub _attributes {
    my ($dialect, $job, $value) = @_;
    my ($name, $is) = $value =~ /\A([a-z_]+)=(.+)\z/s or return 0;
    return 0 unless $ATTRIBUTES{$name} && !exists $job->{attributes}{$name};
    $job->{attributes}{$name} = $is;
    return 1;
}

# How many nodes and processors of each are asked for.
sub size_of {
    my ($resources) = @_;
    my ($nodes, $processors) = (0, 0);
    my $asked = $resources->{select} // $resources->{nodes} // '1';
    for my $part (split /\+/, $asked) {
        my $count = $part =~ /\A([0-9]+)(?::|\z)/ ? $1 : 1;
        my $each = $part =~ /(?:ppn|ncpus)=([0-9]+)/ ? $1 : 1;
        $nodes += $count;
        $processors += $count * $each;
    }
    my $flat = $resources->{ncpus} // $resources->{procs};
    return defined $flat && !exists $resources->{select} && !exists $resources->{nodes} ? (1, $flat) : ($nodes, $processors);
}

# The bytes that the job may use: of all chunks together, since all of them are on this machine; undef where there is no limit.
sub memory_of {
    my ($resources) = @_;
    return bytes_of($resources->{mem}) if defined $resources->{mem};
    my $bytes;
    for my $chunk (split /\+/, $resources->{select} // '') {
        my ($each) = $chunk =~ /(?:\A|:)mem=([^:]+)/ or next;
        $bytes += bytes_of($each) * ($chunk =~ /\A([0-9]+)/ ? $1 : 1);
    }
    return $bytes;
}

sub seconds_of {
    my ($time) = @_;
    my $seconds = 0;
    $seconds = $seconds * 60 + $_ for split /:/, $time;
    return $seconds;
}

sub bytes_of {
    my ($size) = @_;
    my ($number, $unit, $word) = lc($size) =~ /\A([0-9]+)([kmgtp]?)([bw]?)\z/;
    my %power = ('' => 0, k => 1, m => 2, g => 3, t => 4, p => 5);
    return $number * 1024 ** $power{$unit} * ($word eq 'w' ? 8 : 1);
}

1;
