# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Globus::GRAM::JobManager;

# The base class of GRAM's modules for batch systems (facts/gram4.md §8.2), written for those that sites have. A module gives submit, poll and
# cancel; each answers a hash (JOB_STATE, JOB_ID) or a Globus::GRAM::Error. What a module says besides goes through `respond`.

use strict;
use warnings;

use Globus::GRAM::Error          ();
use Globus::GRAM::JobDescription ();
use Globus::GRAM::JobSignal      ();
use Globus::GRAM::JobState       ();

sub new {
    my ($class, $description) = @_;
    return bless { JobDescription => $description }, ref $class || $class;
}

sub job_description_class { return 'Globus::GRAM::JobDescription' }

# Where the module may write files for this job.
sub job_dir { my ($self) = @_; return scalar $self->{JobDescription}->jobdir }

for my $name (qw(submit poll cancel signal make_scratchdir remove_scratchdir file_cleanup rewrite_urls stage_in stage_out cache_cleanup
    remote_io_file_create proxy_relocate proxy_update)) {
    no strict 'refs';
    *{$name} = sub { return Globus::GRAM::Error::UNIMPLEMENTED() };
}

# --- what a module says ------------------------------------------------------------------------------------------------------------

sub log {
    my ($self, @text) = @_;
    return $self->respond({ LOG => join '', grep { defined } @text });
}

# One line GRAM_SCRIPT_NAME:value for each.
sub respond {
    my ($self, $answer) = @_;
    my %said = ref $answer eq 'HASH' ? %$answer : (LOG => $answer);
    for my $name (sort keys %said) {
        my $value = $said{$name} // '';
        $value =~ s/\n/\\n/g;
        print {*STDOUT} "GRAM_SCRIPT_$name:$value\n";
    }
    return;
}

sub respond_with_failure_extension {
    my ($self, $message, $error) = @_;
    $self->respond({ GT3_FAILURE_MESSAGE => $message });
    return $error;
}

# --- what a module uses ------------------------------------------------------------------------------------------------------------

# Lets a network file system show the file, or makes it.
sub nfssync {
    my ($self, $path, $is_made) = @_;
    return unless defined $path && length $path;
    if ($is_made && !-e $path && open my $file, '>>', $path) { close $file }
    stat $path;
    return;
}

# A text as it stands between double quotes in a shell script.
sub shell_escape {
    my ($self, $text) = @_;
    $text =~ s/([\\\$"`])/\\$1/g;
    return $text;
}

sub append_path {
    my ($self, $environment, $name, $path) = @_;
    $environment->{$name} = defined $environment->{$name} && length $environment->{$name} ? "$environment->{$name}:$path" : $path;
    return;
}

# What a program prints, as lines, or in scalar context as one text; $? is its end. No shell.
sub pipe_out_cmd { my ($self, @command) = @_; return _output(sub { open STDERR, '>', '/dev/null' }, @command) }
sub pipe_err_cmd { my ($self, @command) = @_; return _output(sub { open STDERR, '>&', \*STDOUT; open STDOUT, '>', '/dev/null' }, @command) }

sub _output {
    my ($prepare, @command) = @_;
    my $pid = open(my $from, '-|') // return;
    if ($pid == 0) { $prepare->(); _become(@command) }
    my @lines = <$from>;
    close $from;    # sets $?
    chomp @lines;
    return wantarray ? @lines : join "\n", @lines;
}

# Runs a program without a shell; $? is its end.
sub fork_and_exec_cmd {
    my ($self, @command) = @_;
    my $pid = fork // return;
    if ($pid == 0) { open STDOUT, '>', '/dev/null'; _become(@command) }
    waitpid $pid, 0;
    return $?;
}

sub _become {
    my (@command) = @_;
    no warnings 'exec';
    exec { $command[0] } @command or do { require POSIX; POSIX::_exit(127) };
}

# Jobgate prepares no software environments: the job's own environment is the description's.
sub setup_softenv { return 0 }

1;
