# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Globus::GRAM::JobManager::toy;

# A site's module for the toy LRM of these tests, written as such modules are: commands and a script by way of a shell.

use Globus::GRAM::Error;
use Globus::GRAM::JobState;
use Globus::GRAM::JobManager;
use Globus::Core::Paths;
use Globus::Core::Config;

@ISA = qw(Globus::GRAM::JobManager);

my $toy = Globus::Core::Config->new('${sysconfdir}/globus/globus-toy.conf')->get_attribute('bin');

sub submit {
    my $self = shift;
    my $description = $self->{JobDescription};
    return Globus::GRAM::Error::INVALID_QUEUE() if $description->queue() eq 'none';
    my $script = $self->job_dir() . '/script';
    open(SCRIPT, ">$script");
    print SCRIPT "#!/bin/sh\ncd " . $description->directory() . "\n" . $description->executable() . ' ' . join(' ', map { "\"$_\"" } $description->arguments()) . "\n";
    close(SCRIPT);
    my $id = `$toy/tsub toy < $script 2>/dev/null`;
    return $self->respond_with_failure_extension('Connection timed out', Globus::GRAM::Error::JOB_EXECUTION_FAILED()) if $?;
    chomp $id;
    return { JOB_ID => $id, JOB_STATE => Globus::GRAM::JobState::PENDING };
}

sub poll {
    my $self = shift;
    my $id = $self->{JobDescription}->jobid();
    my ($line) = grep { /^$id\|/ } $self->pipe_out_cmd("$toy/tstat");
    return {} if $?;
    my $state = (split /\|/, $line)[2];
    return { JOB_STATE => $state eq 'Q' ? Globus::GRAM::JobState::PENDING : $state eq 'R' ? Globus::GRAM::JobState::ACTIVE : Globus::GRAM::JobState::DONE };
}

sub cancel {
    my $self = shift;
    system("$toy/tdel " . $self->{JobDescription}->jobid());
    return $? == 0 ? { JOB_STATE => Globus::GRAM::JobState::FAILED } : Globus::GRAM::Error::JOB_CANCEL_FAILED();
}

1;
