# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Pbs::Qstat;

# Reads what qstat prints in its full form. A job is a hash of its attributes, with dots for the members of a group (Resource_List.walltime) and
# names in lower case, since the dialects disagree (exit_status, Exit_status); `id` is its id, `tag` ours.
#
# The values are printed as they are, line feeds and all: a user who submits a job can write whole lines, and whole jobs, into the listing. So a job is
# only what stands where one begins, whatever is odd is left out alone, and what is there twice counts as not said (docs/internals/pbs.md).

use strict;
use warnings;

use Time::Local ();

my $TAG = qr/(?:\A|,)JOBGATE_TAG=([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:,|\z)/;
my $ID = qr/[0-9]{1,12}(?:\[[0-9]*\])?(?:\.[A-Za-z0-9_.-]{1,255})?/;
# the first lines of a job, which hold nothing that its submitter could break: a name has no blanks
my $HEAD = qr/$ID[ \t]*\n    Job_Name = [^\n]*\n    Job_Owner = [^\@\n]+\@/;
# with four blanks and not " {4}": a fixed text is found much faster
my %BRIEF = map { lc $_ => qr/\n    $_ = (.*)/ } qw(job_state qtime stime start_time Variable_List comment);
my %MONTHS = do { my $number = 0; map { $_ => $number++ } qw(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec) };

# The jobs of a full listing; dies if it is none or is cut off. Without `all` only those that carry a tag of ours, and of them only the state, the owner,
# the times and the comment: there may be many thousands. A job that cannot be read, and jobs with the same id, are left out.
sub jobs {
    my ($text, $all) = @_;
    return () unless $text =~ /\S/;
    die "qstat answered something that is no listing\n" unless $text =~ /\A\s*Job Id: $HEAD/;
    die "the answer of qstat is cut off\n" unless $text =~ /\n[ \t]*\n\z/;
    # folded values go on behind a tab
    $text =~ s/\n\t//g;
    my @jobs = map { _job($_, $all) } grep { $all || index($_, 'JOBGATE_TAG=') >= 0 } split /\n[ \t]*\nJob Id: (?=$HEAD)/, $text =~ s/\A\s*Job Id: //r;
    my %number;
    $number{ number($_->{id}) }++ for @jobs;
    return grep { $number{ number($_->{id}) } == 1 } @jobs;
}

sub _job {
    my ($text, $all) = @_;
    my ($id, $user) = $text =~ /\A($ID)[ \t]*\n.*\n    Job_Owner = ([^\@\n]+)/ or return;
    my %job = (id => $id, user => $user);
    if ($all) {
        while ($text =~ /^ {4}([A-Za-z][A-Za-z0-9_.]*) = (.*)$/mg) {
            my ($name, $value) = (lc $1, $2);
            # one of the two is another's
            return if defined $job{$name} && $job{$name} ne $value;
            $job{$name} = $value;
        }
    }
    else { for my $name (keys %BRIEF) { $job{$name} = $1 if $text =~ $BRIEF{$name} } }
    return unless ($job{job_state} // '') =~ /\A[A-Z]\z/;
    ($job{tag}) = ($job{variable_list} // '') =~ $TAG;
    return \%job;
}

# Which of the ids that were asked for qstat says to be unknown or over, in its complaints; so is one that this server cannot have.
sub gone {
    my ($complaints) = @_;
    my %gone;
    while ($complaints =~ /^qstat: Unknown Job Id(?: Error)? +($ID)/mg) { $gone{$1} = 'unknown' }
    while ($complaints =~ /^qstat: ($ID) Job has finished/mg)            { $gone{$1} = 'finished' }
    while ($complaints =~ /^qstat: illegally formed job identifier: ($ID)$/mg) { $gone{$1} = 'unknown' }
    return \%gone;
}

# "1", "1.server" and "1.server.domain" may be the same job.
sub number { my ($id) = @_; return $id =~ /\A([0-9]{1,12})/ ? $1 : '' }

# "01:02:03", "00:10", "61" in seconds; undef where it is none.
sub seconds {
    my ($text) = @_;
    return unless defined $text && $text =~ /\A[0-9]{1,12}(?::[0-9]{1,2}){0,3}(?:\.[0-9]+)?\z/;
    my $seconds = 0;
    $seconds = $seconds * 60 + int $_ for split /:/, $text;
    return $seconds;
}

# "123kb", "2gb", "5mw" in bytes; undef where it is none.
sub bytes {
    my ($text) = @_;
    my ($number, $unit, $word) = lc($text // '') =~ /\A([0-9]{1,18})([kmgtp]?)([bw]?)\z/ or return;
    my %power = ('' => 0, k => 1, m => 2, g => 3, t => 4, p => 5);
    return $number * 1024 ** $power{$unit} * ($word eq 'w' ? 8 : 1);
}

# "Fri Nov 20 19:00:01 2026", in UTC as we run the commands, or seconds since 1970, in milliseconds; undef where it is none.
sub ms {
    my ($text) = @_;
    return unless defined $text;
    return $text * 1000 if $text =~ /\A[0-9]{9,11}\z/;
    my ($month, $day, $hour, $minute, $second, $year) = $text =~ /\A[A-Z][a-z]{2} ([A-Z][a-z]{2}) +([0-9]{1,2}) ([0-9]{2}):([0-9]{2}):([0-9]{2}) ([0-9]{4})\z/ or return;
    return unless defined $MONTHS{$month};
    my $seconds = eval { Time::Local::timegm($second, $minute, $hour, $day, $MONTHS{$month}, $year) } // return;
    return $seconds * 1000;
}

1;
