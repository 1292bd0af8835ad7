# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Condor::SubmitFile;

# The submit description of many jobs: jobs of the same profile (all that HTCondor itself is asked for) go into one cluster, one row for each process.
# What the client wrote is not in it, but for the names and values that the site allows.

use strict;
use warnings;

use FindBin ();
use Jobgate::Adapter         ();
use Jobgate::Resources       ();
use Jobgate::Starter::Launch ();
use Jobgate::Starter::Words  ();

use constant { MAX_VALUE => 4096, MAX_EXTENSIONS => 64 };

my @EVENT_ATTRIBUTES = qw(JobgateId JobgateProcess JobgateCount HoldReason HoldReasonCode RemoveReason RemoteUserCpu RemoteSysCpu ResidentSetSize RemoteHost LastRemoteHost
    CpusProvisioned RequestCpus JobCurrentStartDate);
my $ATTRIBUTE = qr/\A[A-Za-z_][A-Za-z0-9_]{0,63}\z/;
my $NAME = qr/\A[A-Za-z_][A-Za-z0-9_.]{0,63}\z/;

# (profile text, undef), or (undef, fault) for a job that this LRM does not take. Settings: queue_attribute, project_attribute, submit_attributes.
sub profile {
    my ($spec, $settings) = @_;
    my %lines;
    my $fault = _job_type_fault($spec, $settings->{mpiexec}) // _named(\%lines, $spec, 'queue', $settings->{queue_attribute})
        // _named(\%lines, $spec, 'project', $settings->{project_attribute}) // _extensions(\%lines, $spec, $settings) // _refused($spec);
    return (undef, $fault) if $fault;
    _limits(\%lines, $spec);
    _resources(\%lines, $spec);
    $lines{environment} = _mpi_environment($settings->{mpiexec}) if ($spec->{job_type} // '') eq 'MPI' && defined $settings->{mpiexec};
    return (join('', map { "$_ = $lines{$_}\n" } sort keys %lines), undef);
}

# What HTCondor gives: each process of a job is a job of its own there, so what is for the whole is shared out (docs/reference/resources.md).
sub resources {
    return (Jobgate::Resources::limits(), qw(slots threads_per_process gpus gpu_model memory_per_slot memory node_features hosts architecture operating_system mail));
}

sub _refused {
    my ($spec) = @_;
    my $fault = Jobgate::Resources::refusal($spec, 'HTCondor', resources());
    return $fault if $fault;
    my $asked = Jobgate::Resources::of($spec);
    return Jobgate::Resources::cannot('mail', $asked->{mail}[0], 'HTCondor', 'it sends none when a job starts')
        if $asked->{mail} && grep { $_ eq 'STARTED' } @{ $asked->{mail_on} // [] };
    for my $feature (grep { !/$ATTRIBUTE/ } @{ $asked->{node_features} // [] }) {
        return Jobgate::Resources::wrong('node_features', $feature, 'in HTCondor it is the name of an attribute of the machine');
    }
    return;
}

sub _resources {
    my ($lines, $spec) = @_;
    my $asked  = Jobgate::Resources::of($spec);
    my $parts  = ($spec->{job_type} // '') eq 'MPI' ? 1 : Jobgate::Resources::processes($spec);
    my $slots  = Jobgate::Resources::share(Jobgate::Resources::slots($spec), $parts);
    $lines->{request_cpus} = $slots * Jobgate::Resources::threads($spec) if defined $asked->{slots} || defined $asked->{threads_per_process};
    my ($memory) = sort { $b <=> $a } grep { defined } exists $lines->{request_memory} ? $lines->{request_memory} : undef, defined $asked->{memory_per_slot} ? $asked->{memory_per_slot} * $slots : undef,
        defined $asked->{memory} ? Jobgate::Resources::share($asked->{memory}, $parts) : undef;
    $lines->{request_memory} = $memory if defined $memory;
    $lines->{request_gpus}   = Jobgate::Resources::share($asked->{gpus}, $parts) if defined $asked->{gpus};
    $lines->{require_gpus}   = qq(DeviceName == "$asked->{gpu_model}") if defined $asked->{gpu_model};
    _requirements($lines, $asked);
    @$lines{qw(notify_user notification)} = (join(', ', @{ $asked->{mail} }), (grep { $_ eq 'ENDED' } @{ $asked->{mail_on} // [] }) ? 'complete' : 'error') if $asked->{mail};
    return;
}

# Names of attributes and texts of letters, digits and _.- only (Jobgate::Resources).
sub _requirements {
    my ($lines, $asked) = @_;
    my @all = map { "(TARGET.$_ =?= true)" } @{ $asked->{node_features} // [] };
    push @all, 'member(TARGET.Machine, {' . join(', ', map { qq("$_") } @{ $asked->{hosts} }) . '})' if $asked->{hosts};
    push @all, qq((TARGET.Arch == "$asked->{architecture}"))    if defined $asked->{architecture};
    push @all, qq((TARGET.OpSys == "$asked->{operating_system}")) if defined $asked->{operating_system};
    return unless @all;
    # what the site lets the client ask for itself holds as well
    my ($name) = grep { lc $_ eq 'requirements' } keys %$lines;
    unshift @all, '(' . delete($lines->{$name}) . ')' if defined $name;
    $lines->{requirements} = join ' && ', @all;
    return;
}

sub _job_type_fault {
    my ($spec, $mpiexec) = @_;
    return if ($spec->{job_type} // '') eq 'CONDOR' || (($spec->{job_type} // '') eq 'MPI' && defined $mpiexec);
    my %refusal = Jobgate::Starter::Words::refusal($spec);
    return %refusal ? \%refusal : undef;
}

# How the job's launcher gets to know which MPI the site wants.
sub _mpi_environment {
    my ($path) = @_;
    die "the option mpiexec is not the path of a program: $path\n" unless $path =~ m{\A/[A-Za-z0-9_./+-]+\z};
    return qq("JOBGATE_MPIEXEC=$path");
}

# A name that the client gave (queue, project), as an attribute that the site has chosen for it.
sub _named {
    my ($lines, $spec, $what, $attribute) = @_;
    my $value = $spec->{$what} // return;
    return _fault('UNSUPPORTED_FEATURE', $what, $value, "This LRM has no $what.", "Leave the $what out, or choose another LRM.")
        unless defined $attribute && $attribute =~ $NAME;
    return _fault('INVALID_DESCRIPTION', $what, $value, "The $what has a name that HTCondor cannot have.", 'Use letters, digits and ._@-.')
        unless $value =~ /\A[A-Za-z0-9_.\@-]{1,128}\z/;
    # accounting_group and its kind are submit commands that take the bare name; all else is an attribute of the job
    $lines->{ $attribute =~ /\Aaccounting_group/ ? $attribute : "My.$attribute" } = $attribute =~ /\Aaccounting_group/ ? $value : qq("$value");
    return;
}

sub _extensions {
    my ($lines, $spec, $settings) = @_;
    my %allowed = map { lc $_ => $_ } grep { /$NAME/ } split /[\s,]+/, $settings->{submit_attributes} // '';
    my @given = grep { lc $_->{name} eq 'condorsubmit' } @{ $spec->{extensions} // [] };
    return _fault('LIMIT_EXCEEDED', 'condorsubmit', '', 'The job has more than ' . MAX_EXTENSIONS . ' submit lines.', 'Give fewer.') if @given > MAX_EXTENSIONS;
    for my $extension (@given) {
        my ($name, $value) = ($extension->{attributes}{name} // '', $extension->{text} // '');
        my $known = $allowed{ lc $name } // return _fault('UNSUPPORTED_FEATURE', 'condorsubmit', $name,
            'The submit line ' . substr($name, 0, 64) . ' is not one that the site lets clients set.',
            'Leave it out, or ask the administrator to add it to submit_attributes.');
        return _fault('INVALID_DESCRIPTION', 'condorsubmit', $name, "The value of the submit line $known is more than one line, holds a \$ or is too long.",
            'Give one line of at most ' . MAX_VALUE . ' bytes, without $ and without a backslash at its end.')
            if $value =~ /[\x00-\x1f\x7f\$]|\\\z/ || length $value > MAX_VALUE;
        $lines->{$known} = $value;
    }
    return;
}

sub _fault {
    my ($code, $attribute, $value, $sentence, $remedy) = @_;
    return Jobgate::Adapter::fault($code, $sentence, $remedy, attribute => $attribute, value => $value);
}

# Limits are HTCondor's to watch; the reason of a removal says which it was.
sub _limits {
    my ($lines, $spec) = @_;
    my ($wall, $memory) = (Jobgate::Starter::Launch::wall_limit($spec), $spec->{max_memory_mib});
    my ($asked) = sort { $b <=> $a } grep { defined } $memory, $spec->{min_memory_mib};
    $lines->{request_memory} = _number($asked) if defined $asked;
    $lines->{request_cpus} = _number($spec->{count} || 1) if ($spec->{job_type} // '') eq 'MPI';
    my $over_wall = defined $wall
        ? '(JobStatus == 2 && time() - max({JobCurrentStartDate, JobCurrentStartExecutingDate ?: 0}) > ' . _number($wall) . ')' : undef;
    my $over_memory = defined $memory ? '((MemoryUsage ?: 0) > ' . _number($memory) . ')' : undef;
    my $over = join ' || ', grep { defined } $over_wall, $over_memory;
    return unless length $over;
    $lines->{periodic_remove} = $over;
    $lines->{'My.PeriodicRemoveReason'} = defined $over_memory ? qq(ifThenElse($over_memory, "jobgate:memory", "jobgate:walltime")) : '"jobgate:walltime"';
    return;
}

sub _number {
    my ($value) = @_;
    die "not a number: $value\n" unless $value =~ /\A[0-9]{1,15}\z/;
    return $value;
}

# The text; rows are [tag, process, count].
sub text {
    my ($profile, $rows, %at) = @_;
    my $program = "$FindBin::RealBin/jobgate-job";
    for my $path ($program, @at{qw(jobs log spool)}) {
        die "the path $path holds characters that a submit description cannot have\n" unless $path =~ m{\A/[A-Za-z0-9_./+\@:,=-]*\z};
    }
    my $attributes = join ', ', @EVENT_ATTRIBUTES;
    my $mail = $profile =~ /^notification = (?:complete|error)\nnotify_user = /m ? '' : "notification = never\n";
    my $list = join "\n", map { join ' ', @$_ } @$rows;
    return <<"TEXT";
# the site's and the job's own lines come first: those of the gateway below win
${profile}universe = vanilla
executable = $^X
arguments = "$program $at{jobs} \$(JobgateTag) \$(JobgatePart) \$(ClusterId)"
transfer_executable = false
should_transfer_files = NO
initialdir = $at{spool}
input = /dev/null
output = /dev/null
error = /dev/null
log = $at{log}
${mail}job_ad_information_attrs = $attributes
My.JobgateId = "\$(JobgateTag)"
My.JobgateProcess = \$(JobgatePart)
My.JobgateCount = \$(JobgateParts)
queue JobgateTag,JobgatePart,JobgateParts from (
$list
)
TEXT
}

1;
