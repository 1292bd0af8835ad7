# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Sge::Queues;

# The cluster queues and their limits, from `qstat -g c -xml` and `qconf -sq *`; and what none of them can do.

use strict;
use warnings;

use Jobgate::Adapter         ();
use Jobgate::Starter::Launch ();

# All queues, in the words of the worker's protocol. A job that names none may come to any: only where there is one, it is the default.
sub of {
    my ($summary, $configuration) = @_;
    my %set = _settings($configuration);
    my @queues = _summaries($summary);
    for my $queue (@queues) {
        my $longest = ($set{ $queue->{name} } // {})->{h_rt};
        $queue->{max_wall_seconds} = $longest if defined $longest;
        $queue->{default} = 1 if @queues == 1;
    }
    return @queues;
}

# Names of the queues that `qselect -U account` has printed.
sub selected { my ($text) = @_; return { map { /\A([^@\s]+)\@/ ? ($1 => 1) : () } split /\n/, $text } }

sub _summaries {
    my ($xml) = @_;
    die "qstat -g c: a listing that breaks off\n" unless $xml =~ m{\A\s*<\?xml\b.*</job_info>\s*\z}s;
    my @queues;
    for my $one ($xml =~ m{<cluster_queue_summary>(.*?)</cluster_queue_summary>}gs) {
        my %said = $one =~ m{<(name|used|available|total|temp_disabled|manual_intervention)>([^<]*)</}g;
        next unless ($said{name} // '') =~ /\A[^\s\@]{1,256}\z/ && 3 == grep { /\A[0-9]+\z/ } map { $_ // '' } @said{qw(used available total)};
        my $is_closed = $said{total} > 0 && ($said{temp_disabled} // 0) + ($said{manual_intervention} // 0) >= $said{total};
        # what one job may have at most is its parallel environment's to say: never more than there are
        push @queues, { name => $said{name}, processors => $said{total}, free => $said{available}, running => $said{used},
            max_processors => $said{total}, state => $is_closed ? 'closed' : 'open' };
    }
    return @queues;
}

# Name of a queue => its settings that matter, from blocks of "name value" as qconf prints them.
sub _settings {
    my ($text) = @_;
    my %set;
    $text =~ s/\\\n\s*//g;
    for my $block (split /^(?=qname\s)/m, $text) {
        my %said = $block =~ /^(qname|h_rt)\s+(.*?)\s*$/mg;
        next unless defined $said{qname};
        $said{h_rt} = _longest($said{h_rt} // 'INFINITY');
        $set{ $said{qname} } = \%said;
    }
    return %set;
}

# "1:0:0,[node2=INFINITY]": the longest that any host grants, in seconds; undef where one grants all.
sub _longest {
    my ($value) = @_;
    my $longest;
    for my $part (split /[\s,=\[\]]+/, $value) {
        next if $part eq '' || $part =~ /[A-Za-z]/ && $part ne 'INFINITY';
        return if $part eq 'INFINITY';
        my $seconds = 0;
        for my $number (split /:/, $part) { return unless $number =~ /\A[0-9]*\z/; $seconds = $seconds * 60 + ($number || 0) }
        $longest = $seconds if !defined $longest || $seconds > $longest;
    }
    return $longest;
}

# --- what no queue can do ---------------------------------------------------------------------------------------------------------

sub may_be_too_much { my ($spec) = @_; return _slots($spec) > 1 || defined $spec->{queue} || defined Jobgate::Starter::Launch::wall_limit($spec) }

sub _slots { my ($spec) = @_; return ($spec->{job_type} // '') eq 'SINGLE' ? 1 : $spec->{count} || 1 }

# A fault if none of the queues that the account may use, or not the one that is asked for, is large enough: Grid Engine would let the job wait
# for ever. usable: names, or undef where they are not known.
sub refusal {
    my ($spec, $queues, $usable) = @_;
    my ($asked) = ($spec->{queue} // '') =~ /\A([^\@]+)/;
    my @known = grep { !defined $asked || $_->{name} eq $asked } @$queues or return;
    my @may   = grep { !$usable || $usable->{ $_->{name} } } @known;
    return Jobgate::Adapter::fault('NOT_AUTHORIZED', 'Your account may use no queue of Grid Engine' . (defined $asked ? " named $asked." : '.'),
        'Name another queue, or ask the administrator for access.', attribute => 'queue', value => $asked // '') unless @may;
    my $most = 0;
    # the slots of one job may come from several queues
    $most += $_->{processors} for @may;
    return _too_much('count', _slots($spec), $most, 'processes') if _slots($spec) > $most;
    return if grep { !defined $_->{max_wall_seconds} } @may;
    my ($longest) = sort { $b <=> $a } map { $_->{max_wall_seconds} } @may;
    my $wall = Jobgate::Starter::Launch::wall_limit($spec);
    return _too_much(defined $spec->{max_wall_time} ? 'maxWallTime' : 'maxTime', $wall, $longest, 'seconds') if defined $wall && $wall > $longest;
    return;
}

sub _too_much {
    my ($attribute, $asked, $most, $unit) = @_;
    return Jobgate::Adapter::fault('LIMIT_EXCEEDED', "The job asks for $asked $unit ($attribute); the most that its queue can give is $most.",
        'Ask for less, or name another queue.', attribute => $attribute, value => $asked);
}

1;
