#!/usr/bin/perl
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
#
# GT 4.2's services and Jobgate's own operations on SOAP::Lite: newer_generation.pl SERVICES_URL LRM
# See life_of_a_job.pl.
use strict;
use warnings;

use IO::Socket::SSL;
use SOAP::Lite;
use Time::HiRes qw(sleep time);

my $JOB     = 'http://www.globus.org/namespaces/2008/03/gram/job';
my $TYPES   = "$JOB/types";
my $DESC    = "$JOB/description";
my $TERM    = "$JOB/terminate";
my $JOBGATE = 'https://jobgate.org/ns/2026/jobs/gt42';
my $WSRP    = 'http://docs.oasis-open.org/wsrf/rp-2';
my $WSRF    = 'http://docs.oasis-open.org/wsrf/r-2';

my $PATIENCE_SECONDS = 180;
my ($SERVICES, $LRM) = @ARGV;
defined $LRM or die "usage: $0 SERVICES_URL LRM\n";
$| = 1;

sub step { print "ok @_\n"; return }

sub check {
    my ($holds, $what) = @_;
    $holds or die "not ok: $what\n";
    return;
}

sub element {
    my ($namespace, $name, @content) = @_;
    my $data = SOAP::Data->name($name)->uri($namespace);
    return ref $content[0] ? $data->value(\SOAP::Data->value(@content)) : $data->value(SOAP::Utils::encode_data($content[0]));
}

sub call {
    my ($service, $namespace, $operation, $key, @parts) = @_;
    my $soap = SOAP::Lite->new(autotype => 0);
    $soap->serializer->encodingStyle('');
    $soap->proxy(
        "$SERVICES/$service",
        timeout  => $PATIENCE_SECONDS,
        ssl_opts => {
            SSL_cert_file   => $ENV{X509_USER_PROXY},
            SSL_key_file    => $ENV{X509_USER_PROXY},
            SSL_ca_path     => $ENV{X509_CERT_DIR},
            SSL_verify_mode => SSL_VERIFY_PEER,
            verify_hostname => 1,
        });
    $soap->on_action(sub { '""' });
    $soap->on_fault(sub { my (undef, $answer) = @_; ref $answer ? $answer : die "not ok: $service: $answer " . $soap->transport->status . "\n" });
    my $header = SOAP::Header->name('ResourceID')->uri($JOB)->value($key);
    return $soap->call(SOAP::Data->name($operation)->uri($namespace) => $header, @parts);
}

sub state {
    my ($key) = @_;
    my $name = element($WSRP, 'ResourceProperty', 'q:state')->attr({'xmlns:q' => $TYPES});
    return call('ManagedExecutableJobService', $WSRP, 'GetMultipleResourceProperties', $key, $name);
}

sub await_state {
    my ($key, $wanted) = @_;
    my $state = '';
    for (my $end = time + $PATIENCE_SECONDS; time < $end; sleep 0.2) {
        $state = main::state($key)->valueof('//state');
        return if $state eq $wanted;
    }
    die "not ok: the job is $state and not $wanted after $PATIENCE_SECONDS s\n";
}

sub terminate {
    my ($key, $destroys) = @_;
    return call('ManagedExecutableJobService', $TERM, 'terminate', $key,
        element($TERM, 'destroyAfterCleanup', $destroys), element($TERM, 'continueNotifying', 'false'),
        element($TERM, 'destroyDelegatedCredentials', 'false'));
}

sub a_job_is_terminated {
    my $created = call('ManagedJobFactoryService', $JOB, 'createManagedJob', $LRM,
        element($DESC, 'job', element($DESC, 'executable', '/bin/sleep'), element($DESC, 'argument', '300')));
    check(!$created->fault, 'not created: ' . ($created->faultstring // ''));
    my $key = $created->valueof('//managedJobEndpoint/ReferenceParameters/ResourceID');
    await_state($key, 'Active');
    check(!terminate($key, 'false')->fault, 'terminate');
    await_state($key, 'UserTerminateDone');
    my $over = terminate($key, 'true');
    check($over->valueof('//terminationCompleted') eq 'true', 'terminationCompleted');
    my $unknown = main::state($key);
    check($unknown->fault, 'the job is still known');
    my $detail = $unknown->dataof('//Fault/detail/[1]');
    check($detail->name eq 'ResourceUnknownFault' && $detail->uri eq $WSRF, 'ResourceUnknownFault');
    step('terminated and forgotten');
    return;
}

sub many_jobs_are_created_and_listed {
    my $run = "perl-$$-" . time;
    my @parts = (
        element($JOBGATE, 'template', element($DESC, 'job', element($DESC, 'executable', '/bin/echo'), element($DESC, 'argument', '${WORD}'))),
        map { element($JOBGATE, 'instance', element($JOBGATE, 'JobID', "$run/$_"), element($JOBGATE, 'variable', "a & $_")->attr({name => 'WORD'})) } 1 .. 3);
    my $created = call('ManagedJobFactoryService', $JOBGATE, 'createManagedJobs', $LRM, @parts);
    check(!$created->fault, 'not created: ' . ($created->faultstring // ''));
    my @keys = $created->valueof('//createManagedJobsResponse/result/ResourceID');
    check(@keys == 3, "keys @keys");
    my @again = call('ManagedJobFactoryService', $JOBGATE, 'createManagedJobs', $LRM, @parts)->valueof('//result/ResourceID');
    check("@keys" eq "@again", 'another job at the same id');
    step('many jobs created, once');
    await_state($_, 'Done') for @keys;
    my $listed = call('ManagedJobFactoryService', $JOBGATE, 'listJobs', $LRM, element($JOBGATE, 'state', 'Done'));
    my %listed = map { $_ => 1 } $listed->valueof('//listJobsResponse/job/JobID');
    check($listed{"$run/$_"}, "$run/$_ is not listed") for 1 .. 3;
    my $wrong = call('ManagedJobFactoryService', $JOBGATE, 'listJobs', $LRM, element($JOBGATE, 'cursor', 'x'));
    check($wrong->fault && $wrong->faultstring =~ /nextCursor/, 'a wrong cursor');
    step('listed');
    return;
}

a_job_is_terminated();
many_jobs_are_created_and_listed();
step('all');
