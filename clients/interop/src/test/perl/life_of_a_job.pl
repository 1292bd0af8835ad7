#!/usr/bin/perl
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
#
# A whole GRAM4 client on SOAP::Lite: life_of_a_job.pl SERVICES_URL LRM
#
# SOAP::Lite reads no document/literal WSDL with imported schemas, so the messages are put together by hand.
# Identity and trust are those of every grid client: X509_USER_PROXY, X509_CERT_DIR.
# Each step that holds is printed as "ok STEP"; the first that does not ends the program.
use strict;
use warnings;

use HTTP::Daemon;
use IO::Socket::SSL;
use POSIX qw(strftime);
use SOAP::Lite;
use Time::HiRes qw(sleep time);

my $JOB    = 'http://www.globus.org/namespaces/2004/10/gram/job';
my $TYPES  = "$JOB/types";
my $FAULTS = "$JOB/faults";
my $DESC   = "$JOB/description";
my $CORE   = 'http://www.globus.org/namespaces/2004/06/core';
my $WSA    = 'http://schemas.xmlsoap.org/ws/2004/03/addressing';
my $WSN    = 'http://docs.oasis-open.org/wsn/2004/06/wsn-WS-BaseNotification';
my $WSNT   = "$WSN-1.2-draft-01.xsd";
my $RL     = 'http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceLifetime';
my $WSRL   = "$RL-1.2-draft-01.xsd";
my $RP     = 'http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceProperties';
my $WSRP   = "$RP-1.2-draft-01.xsd";
my $SIMPLE = 'http://docs.oasis-open.org/wsn/2004/06/TopicExpression/Simple';

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

# An element with a text or with other elements in it. SOAP::Lite escapes a text only where it also writes its type.
sub element {
    my ($namespace, $name, @content) = @_;
    my $data = SOAP::Data->name($name)->uri($namespace);
    return ref $content[0] ? $data->value(\SOAP::Data->value(@content)) : $data->value(SOAP::Utils::encode_data($content[0]));
}

# An element that holds a QName: its prefix is declared there.
sub qname {
    my ($namespace, $name, $of, $local, %attributes) = @_;
    return element($namespace, $name, "q:$local")->attr({'xmlns:q' => $of, %attributes});
}

# Calls an operation: its element with these parts, and a header that names the resource. A SOAP fault is an answer too.
sub call {
    my ($service, $action, $namespace, $operation, $key, @parts) = @_;
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
    $soap->on_action(sub { qq("$action") });
    $soap->on_fault(sub { my (undef, $answer) = @_; ref $answer ? $answer : die "not ok: $service: $answer " . $soap->transport->status . "\n" });
    my $body = SOAP::Data->name($operation)->uri($namespace);
    return $soap->call($body => SOAP::Header->name($key->name)->uri($key->uri)->value($key->value), @parts);
}

sub create {
    my ($consumer, @description) = @_;
    my @subscribe = !$consumer ? () : element($WSNT, 'Subscribe',
        element($WSNT, 'ConsumerReference', element($WSA, 'Address', $consumer->url)),
        qname($WSNT, 'TopicExpression', $TYPES, 'state', Dialect => $SIMPLE));
    return call('ManagedJobFactoryService', "$JOB/ManagedJobFactoryPortType/createManagedJobRequest", $JOB, 'createManagedJob',
        element($JOB, 'ResourceID', $LRM), @subscribe, element($DESC, 'job', @description));
}

# The element that names the resource of an endpoint in a reply.
sub key {
    my ($reply, $endpoint, $namespace, $name) = @_;
    check(!$reply->fault, 'not created: ' . ($reply->faultstring // ''));
    my $key = $reply->valueof("//createManagedJobResponse/$endpoint/ReferenceProperties/$name");
    check(defined $key, "no $name in the reply");
    return element($namespace, $name, $key);
}

sub job_key { return key($_[0], 'managedJobEndpoint', $JOB, 'ResourceID') }

# Resource properties of a job, each given as namespace and name. (SOAP::Lite cannot write GetResourceProperty, whose
# element holds a text and no parts.)
sub properties {
    my ($service, $key, @names) = @_;
    return call($service, "$RP/GetMultipleResourceProperties", $WSRP, 'GetMultipleResourceProperties', $key,
        map { qname($WSRP, 'ResourceProperty', @$_) } @names);
}

sub job_property {
    my ($key, $namespace, $name) = @_;
    my $reply = properties('ManagedExecutableJobService', $key, [$namespace, $name]);
    check(!$reply->fault, "no answer for $name: " . ($reply->faultstring // ''));
    return scalar $reply->valueof("//GetMultipleResourcePropertiesResponse/$name");
}

sub await_state {
    my ($key, $wanted) = @_;
    my $state = '';
    for (my $end = time + $PATIENCE_SECONDS; time < $end; sleep 0.2) {
        $state = job_property($key, $TYPES, 'state');
        return if $state eq $wanted;
    }
    die "not ok: the job is $state and not $wanted after $PATIENCE_SECONDS s\n";
}

# That the reply is this fault, in this namespace, with a sentence.
sub refused {
    my ($reply, $namespace, $name) = @_;
    check($reply->fault, "not refused with $name");
    check(length $reply->faultstring, "$name without a faultstring");
    my $detail = $reply->dataof('//Fault/detail/[1]');
    check($detail->name eq $name && $detail->uri eq $namespace, '{' . $detail->uri . '}' . $detail->name . " instead of $name");
    return $reply;
}

# What the consumer is told, up to the end of the job: the states and the last message's exit code.
sub told {
    my ($consumer) = @_;
    my (@states, $exit_code);
    while (!@states || $states[-1] !~ /^(?:Done|Failed)$/) {
        my $connection = $consumer->accept or die "not ok: no news within $PATIENCE_SECONDS s after @states\n";
        while (my $request = $connection->get_request) {
            my $message = SOAP::Deserializer->new->deserialize($request->content);
            my $change = '//Notify/NotificationMessage/Message/stateChangeNotificationMessage';
            push @states, $message->valueof("$change/state");
            $exit_code = $message->valueof("$change/exitCode");
            $connection->send_response(HTTP::Response->new(200, 'OK', ['Content-Length' => 0]));
            last if $states[-1] =~ /^(?:Done|Failed)$/;
        }
        $connection->close;
    }
    return ($exit_code, @states);
}

sub destroy { return call($_[0], "$RL/Destroy", $WSRL, 'Destroy', $_[1]) }
sub destroy_job { return destroy('ManagedExecutableJobService', $_[0]) }

sub set_time {
    my ($key, $epoch) = @_;
    my $time = strftime('%Y-%m-%dT%H:%M:%SZ', gmtime $epoch);
    return call('ManagedExecutableJobService', "$RL/SetTerminationTime", $WSRL, 'SetTerminationTime', $key,
        element($WSRL, 'RequestedTerminationTime', $time));
}

sub await_unknown {
    my ($key) = @_;
    for (my $end = time + $PATIENCE_SECONDS; time < $end; sleep 0.2) {
        my $reply = properties('ManagedExecutableJobService', $key, [$TYPES, 'state']);
        return refused($reply, $WSRP, 'ResourceUnknownFault') if $reply->fault;
    }
    die "not ok: the job was still known after $PATIENCE_SECONDS s\n";
}

sub a_job_is_watched_to_its_end {
    my $greeting = '<two  words & more>';
    my $consumer = HTTP::Daemon->new(LocalAddr => '127.0.0.1', Timeout => $PATIENCE_SECONDS) or die "no consumer: $!";
    my $created = create($consumer,
        element($DESC, 'executable', '/bin/sh'),
        element($DESC, 'argument', '-c'),
        element($DESC, 'argument', qq(test "\$GREETING" = "$greeting" && sleep 1 && exit 3)),
        element($DESC, 'environment', element($DESC, 'name', 'GREETING'), element($DESC, 'value', $greeting)));
    my $key = job_key($created);
    step('created');
    my ($exit_code, @states) = told($consumer);
    check($states[-1] eq 'Done' && grep({ $_ eq 'Active' } @states), "states @states");
    check($exit_code == 3, "exit code $exit_code");
    step("notified: @states");
    check(job_property($key, $TYPES, 'state') eq 'Done', 'state');
    check(job_property($key, $TYPES, 'exitCode') == 3, 'exit code');
    check(!defined job_property($key, $FAULTS, 'fault'), 'a fault of a good job');
    step('read its properties');
    check(!destroy_job($key)->fault, 'Destroy');
    await_unknown($key);
    step('destroyed');
    return;
}

sub a_running_job_is_given_a_time_and_cancelled {
    my $consumer = HTTP::Daemon->new(LocalAddr => '127.0.0.1', Timeout => $PATIENCE_SECONDS) or die "no consumer: $!";
    my $created = create($consumer, element($DESC, 'executable', '/bin/sleep'), element($DESC, 'argument', '300'));
    my $key = job_key($created);
    my $subscription = key($created, 'subscriptionEndpoint', $CORE, 'SubscriptionKey');
    check(!destroy('SubscriptionManagerService', $subscription)->fault, 'Destroy of the subscription');
    refused(destroy('SubscriptionManagerService', $subscription), $WSRL, 'ResourceUnknownFault');
    $consumer->close;
    step('subscription destroyed');
    await_state($key, 'Active');
    my $reply = set_time($key, time + 3600);
    check(!$reply->fault && $reply->valueof('//SetTerminationTimeResponse/NewTerminationTime'), 'SetTerminationTime');
    check(job_property($key, $WSRL, 'TerminationTime') eq $reply->valueof('//NewTerminationTime'), 'TerminationTime');
    refused(set_time($key, time - 3600), $WSRL, 'UnableToSetTerminationTimeFault');
    step('termination time set; one in the past refused');
    check(!destroy_job($key)->fault, 'Destroy');
    await_unknown($key);
    refused(destroy_job($key), $WSRL, 'ResourceUnknownFault');
    step('cancelled');
    return;
}

sub a_held_job_is_released {
    my $key = job_key(create(undef, element($TYPES, 'holdState', 'Pending'), element($DESC, 'executable', '/bin/true')));
    await_state($key, 'Pending');
    check(job_property($key, $TYPES, 'holding') eq 'true', 'holding');
    check(!call('ManagedExecutableJobService', "$JOB/release", $JOB, 'release', $key)->fault, 'release');
    await_state($key, 'Done');
    check(!destroy_job($key)->fault, 'Destroy');
    step('held and released');
    return;
}

sub a_failed_job_tells_why {
    my $key = job_key(create(undef, element($DESC, 'executable', '/no/such/program')));
    await_state($key, 'Failed');
    my $fault = job_property($key, $FAULTS, 'fault')->{invalidPathFault};
    check($fault && $fault->{path} eq '/no/such/program' && $fault->{gt2ErrorCode} == 5, 'invalidPathFault');
    check(!destroy_job($key)->fault, 'Destroy');
    step("a failed job's typed fault read");
    return;
}

sub wrong_requests_are_refused {
    my $reply = refused(create(undef, element($DESC, 'argument', 'lonely')), $FAULTS, 'serviceLevelAgreementFault');
    check($reply->valueof('//Fault/detail/serviceLevelAgreementFault/attribute') eq 'executable', 'attribute');
    my $unknown = element($JOB, 'ResourceID', 'no-such-job');
    refused(properties('ManagedExecutableJobService', $unknown, [$TYPES, 'state']), $WSRP, 'ResourceUnknownFault');
    my $lrm = element($JOB, 'ResourceID', $LRM);
    refused(properties('ManagedJobFactoryService', $lrm, [$JOB, 'shoeSize']), $WSRP, 'InvalidResourcePropertyQNameFault');
    step('wrong requests refused with typed faults');
    return;
}

my $factory = properties('ManagedJobFactoryService', element($JOB, 'ResourceID', $LRM), [$JOB, 'localResourceManager']);
check(!$factory->fault, 'the factory: ' . ($factory->faultstring // ''));
check($factory->valueof('//localResourceManager') eq $LRM, 'localResourceManager');
step('asked the factory');
a_job_is_watched_to_its_end();
a_running_job_is_given_a_time_and_cancelled();
a_held_job_is_released();
a_failed_job_tells_why();
wrong_requests_are_refused();
step('all');
