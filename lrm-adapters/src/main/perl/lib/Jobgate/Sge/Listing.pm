# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Sge::Listing;

# What `qstat -xml` prints, read without trust: a listing counts only if it is whole.

use strict;
use warnings;

use Time::Local ();
use Jobgate::Arrays ();
use Jobgate::Sge::Accounting ();

my %ENTITY = (lt => '<', gt => '>', amp => '&', quot => '"', apos => "'");

# The letters of a state, and what a job with it is. The first line that fits counts; a state with a letter that is in none is unknown.
my @STATES = (
    [ qr/E/        => 'error' ],        # could not be started; stays until somebody frees or deletes it
    [ qr/z/        => 'over' ],
    [ qr/[sSTP]/   => 'suspended' ],    # by a user, its queue, a load threshold; Univa's P: preempted
    [ qr/[rt]/     => 'started' ],      # t: on its way to the host
    [ qr/h/        => 'suspended' ],    # held before it began
    [ qr/[qw]/     => 'queued' ],
);
my $LETTERS = qr/\A[dEhrRsSTPtqwz]+\z/;

# All that is read of a job, in the order in which qstat writes it.
my $JOB = qr{\A[^>]*>\s*<JB_job_number>([0-9]{1,18})</JB_job_number>\s*(?:<(?!JB_name)[^>]*>[^<]*</[^>]*>\s*)*<JB_name>([^<]*)</JB_name>\s*
    <JB_owner>([^<]*)</JB_owner>\s*<state>([^<]+)</state>\s*<(?:JB_submission_time|JAT_start_time)>([^<]*)<}x;
my $OURS = qr/\A$Jobgate::Sge::Accounting::NAME\z/;
my $ARRAY = qr/\A$Jobgate::Sge::Accounting::ARRAY\z/;
# the elements that a row stands for: "3", "1-4:1", "2,5-9:2"
my $TASKS = qr{<tasks>([0-9,:-]{1,4096})</tasks>};

# Rows { number, id, tag, owner, state, is, at } of all jobs in the text, where tag is undef for jobs that are not ours, is is undef for a state
# that is not known, and at is when it was queued or started, in milliseconds. Each element of an array of ours has a row of its own, with the id
# "number.task" and in `task` its number; element_of (code) says which job an element (array, task) is, and those that are none are left out. Dies unless the text is a whole listing. A job in it that cannot be read is
# left out alone, and so are two of one number that do not say the same.
sub rows {
    my ($text, $element_of) = @_;
    _check($text);
    my (@rows, %ms, %is, %said);
    for my $job (split /<job_list\b/, $text =~ s/\A.*?(?=<job_list\b|\z)//sr) {
        my ($number, $name, $owner, $state, $time) = $job =~ $JOB or next;
        my %row = (number => $number, owner => _plain($owner), state => $state,
            is => exists $is{$state} ? $is{$state} : ($is{$state} = is_of_state($state)), at => $ms{$time} //= _ms($time));
        $said{$number}{"$name $owner"} = 1;
        if ($name =~ $ARRAY) { push @rows, map { { %row, %$_ } } _elements($1, $job, $number, $element_of) }
        else                 { push @rows, { %row, id => $number, tag => $name =~ $OURS ? $1 : undef } }
    }
    return grep { keys %{ $said{ $_->{number} } } == 1 } @rows;
}

# Those that wait together are in one row.
sub _elements {
    my ($array, $job, $number, $element_of) = @_;
    my ($list) = $job =~ $TASKS;
    return unless $element_of && defined $list;
    return map { my $tag = $element_of->($array, $_); defined $tag ? { id => "$number.$_", task => $_, tag => $tag } : () } Jobgate::Arrays::numbers($list);
}

sub _check {
    my ($text) = @_;
    die "an answer that is no XML\n" unless $text =~ /\A\s*<\?xml\b/;
    die "a document type, which no listing has\n" if index($text, '<!DOCTYPE') >= 0 || index($text, '<!ENTITY') >= 0;
    die "a listing that breaks off\n" unless index($text, '<job_info') >= 0 && substr($text, -64) =~ m{</job_info>\s*\z};
    return;
}

sub _plain {
    my ($text) = @_;
    $text =~ s/&(lt|gt|amp|quot|apos);/$ENTITY{$1}/g;
    return $text;
}

# queued, started, suspended, error or over; undef for a state that is not known.
sub is_of_state {
    my ($state) = @_;
    return unless $state =~ $LETTERS;
    for my $known (@STATES) { return $known->[1] if $state =~ $known->[0] }
    return;
}

sub _ms {
    my ($text) = @_;
    my @part = ($text // '') =~ /\A([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})/ or return 0;
    return 1000 * (eval { Time::Local::timegm(@part[ 5, 4, 3, 2 ], $part[1] - 1, $part[0]) } // 0);
}

# Why jobs wait, by their numbers, from `qstat -xml -j`: what the scheduler has noted of each, where it takes notes (schedd_job_info). What it
# says of no job in particular, such as a queue that is full, is left out.
sub waiting {
    my ($text) = @_;
    my %said;
    for my $element ($text =~ m{<MES_job_number_list>(.*?</MES_message>)}sg) {
        my ($message) = $element =~ m{<MES_message>([^<]*)</MES_message>\z} or next;
        my $plain = _plain($message) =~ s/[\x00-\x1f\x7f]+/ /gr;
        push @{ $said{$_} }, $plain for $element =~ m{<ULNG_value>([0-9]{1,18})</ULNG_value>}g;
    }
    return map { $_ => substr join('; ', @{ $said{$_} }), 0, 400 } keys %said;
}

# Why a job could not be started, from `qstat -xml -j`; of an array: why this element of it.
sub reason {
    my ($text, $task) = @_;
    if (defined $task) { ($text) = $text =~ m{<JAT_task_number>$task</JAT_task_number>((?:(?!<JAT_task_number>).)*)}s or return }
    my ($message) = $text =~ m{<QIM_message>([^<]*)</QIM_message>} or return;
    my $plain = _plain($message);
    # the time and the shepherd's ids before it are of no use to an owner
    $plain =~ s{\A[0-9/]+ [0-9:]+ \[[0-9:]+\]: (?:error: )?}{};
    $plain =~ s/[\x00-\x1f\x7f]+/ /g;
    return substr $plain, 0, 1000;
}

1;
