# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Pbs::Request;

# From a job's description to the words of qsub. What the client wrote is in them only as checked names and numbers, and as the values that the site
# allows; everything else goes through the job's file.

use strict;
use warnings;

use Jobgate::Adapter         ();
use Jobgate::Resources       ();
use Jobgate::Starter::Launch ();
use Jobgate::Starter::Words  ();

use constant { MAX_VALUE => 1024, MAX_EXTENSIONS => 64, MAX_HOSTS => 100_000 };

my $NAME = qr/\A[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}\z/;
my $PART = qr/[A-Za-z0-9][A-Za-z0-9_.-]{0,127}(?::(?:ppn|gpus)=[1-9][0-9]{0,5}|:[A-Za-z][A-Za-z0-9_.-]{0,127}){0,16}/;
my $CHUNK = qr/(?:[1-9][0-9]{0,5}|[a-z][a-z0-9_]{0,31}=[A-Za-z0-9_.-]{1,127})(?::[a-z][a-z0-9_]{0,31}=[A-Za-z0-9_.-]{1,127}){0,16}/;

# (words, undef), or (undef, fault) for a job that this LRM does not take. Settings: project_option, rerunnable, submit_resources, submit_attributes,
# shell.
sub words {
    my ($spec, $dialect, $settings) = @_;
    my $resources = {};
    my $words = [];
    my $fault = _job_type_fault($spec) // _named($words, $spec, 'queue', '-q') // _project($words, $spec, $dialect, $settings)
        // _refused($spec, $dialect) // _size($resources, $spec, $dialect) // _extensions($words, $resources, $spec, $dialect, $settings);
    return (undef, $fault) if $fault;
    _limits($resources, $spec);
    _memory($resources, $spec, $dialect);
    _placement($resources, $dialect);
    _whole_nodes($resources) if Jobgate::Resources::of($spec)->{whole_nodes};
    push @$words, _mail($spec);
    my @asked = map { ('-l', "$_=$resources->{$_}") } sort keys %$resources;
    return ([ @$words, @asked, '-r', ($settings->{rerunnable} // 'y') eq 'n' ? 'n' : 'y' ], undef);
}

# What is the same for every job, but for the mail that this one asks for. The name is what TORQUE's 15 characters hold of the tag: its random end.
sub common {
    my ($tag, $dialect, $settings, $spec) = @_;
    return ('-N', name($tag), '-v', "JOBGATE_TAG=$tag", '-S', $settings->{shell} // '/bin/sh', '-j', 'oe', '-o', '/dev/null', Jobgate::Resources::of($spec // {})->{mail} ? () : ('-m', 'n'),
        # without -f OpenPBS's qsub leaves a process behind that would keep our lock
        $dialect->is_torque ? () : '-f');
}

sub name { my ($tag) = @_; return 'jg' . substr $tag =~ s/-//gr, -13 }

sub _job_type_fault {
    my ($spec) = @_;
    # mpiexec is looked for where the job runs
    return if ($spec->{job_type} // '') eq 'MPI';
    my %refusal = Jobgate::Starter::Words::refusal($spec);
    return %refusal ? \%refusal : undef;
}

sub _fault {
    my ($code, $attribute, $value, $sentence, $remedy) = @_;
    return Jobgate::Adapter::fault($code, $sentence, $remedy, attribute => $attribute, value => substr $value, 0, 256);
}

sub _named {
    my ($words, $spec, $what, $option) = @_;
    my $value = $spec->{$what} // return;
    return _fault('INVALID_DESCRIPTION', $what, $value, "The $what has a name that PBS cannot have.", 'Use letters, digits and ._-, at most 128.') unless $value =~ $NAME;
    push @$words, $option, $value;
    return;
}

# TORQUE has accounts only (-A; its -P is another thing); OpenPBS has projects.
sub _project {
    my ($words, $spec, $dialect, $settings) = @_;
    my $option = $settings->{project_option} // ($dialect->is_torque ? 'A' : 'P');
    return _named($words, $spec, 'project', $option eq 'A' || $dialect->is_torque ? '-A' : '-P');
}

# --- how much -------------------------------------------------------------------------------------------------------------------------

sub processes { my ($spec) = @_; return ($spec->{job_type} // 'MULTIPLE') eq 'SINGLE' ? 1 : $spec->{count} || 1 }

# What PBS gives, by its dialect (docs/reference/resources.md).
sub resources {
    my ($dialect) = @_;
    return (qw(slots slots_per_host threads_per_process gpus memory_per_slot memory hosts mail), $dialect->is_torque ? qw(gpu_mode node_features) : qw(whole_nodes));
}

# Nodes by name are asked for one by one: then there is no number of them left to say.
sub _refused {
    my ($spec, $dialect) = @_;
    my $asked = Jobgate::Resources::of($spec);
    for my $name (@{ $asked->{hosts} // [] }, @{ $asked->{node_features} // [] }) {
        return Jobgate::Resources::wrong('hosts', $name, 'in PBS it begins with a letter') unless $name =~ /\A[A-Za-z]/;
    }
    return Jobgate::Resources::wrong('hosts', join(',', @{ $asked->{hosts} }), 'the job asks for a number of slots on each host, too') if $asked->{hosts} && defined $asked->{slots_per_host};
    my ($nodes) = grep { lc $_->{name} =~ /\A(?:nodes|resourceallocationgroup)\z/ } @{ $spec->{extensions} // [] };
    my ($name) = grep { defined $asked->{$_} } qw(slots slots_per_host threads_per_process gpus memory_per_slot node_features hosts);
    return Jobgate::Resources::wrong($name, ref $asked->{$name} ? join ',', @{ $asked->{$name} } : $asked->{$name}, "the extension $nodes->{name} says it, too") if $nodes && defined $name;
    return;
}

# The part of a chunk, or of a node of TORQUE, that holds for each host: so many slots there.
sub _of_each {
    my ($spec, $dialect, $slots, $hosts) = @_;
    my $asked   = Jobgate::Resources::of($spec);
    my $threads = Jobgate::Resources::threads($spec);
    my $gpus    = defined $asked->{gpus} ? Jobgate::Resources::share($asked->{gpus}, $hosts) : undef;
    if ($dialect->is_torque) {
        my $mode = defined $asked->{gpu_mode} ? ':' . lc $asked->{gpu_mode} : '';
        return join ':', "ppn=" . $slots * $threads, defined $gpus ? "gpus=$gpus$mode" : (), @{ $asked->{node_features} // [] };
    }
    return join ':', "ncpus=" . $slots * $threads, "mpiprocs=$slots", $threads > 1 ? "ompthreads=$threads" : (), defined $gpus ? "ngpus=$gpus" : (),
        defined $asked->{memory_per_slot} ? 'mem=' . $asked->{memory_per_slot} * $slots . 'mb' : ();
}

sub _whole_nodes { my ($resources) = @_; $resources->{place} = defined $resources->{place} ? "$resources->{place}:excl" : 'excl'; return }

my %MAIL = (STARTED => 'b', ENDED => 'e', FAILED => 'a');

sub _mail {
    my ($spec) = @_;
    my $asked = Jobgate::Resources::of($spec);
    return unless $asked->{mail};
    return unless $asked->{mail};
    return ('-M', join(',', @{ $asked->{mail} }), '-m', join '', map { $MAIL{$_} } @{ $asked->{mail_on} // [] });
}

# On how many hosts the job is.
sub hosts {
    my ($spec) = @_;
    my $asked = Jobgate::Resources::of($spec);
    return scalar @{ $asked->{hosts} } if $asked->{hosts};
    return Jobgate::Resources::share($asked->{slots} // ($spec->{count} || 1), $asked->{slots_per_host}) if defined $asked->{slots_per_host};
    return $spec->{host_count} // 1;
}

sub _size {
    my ($resources, $spec, $dialect) = @_;
    # a single process may want room for what it starts itself
    my $asked = Jobgate::Resources::of($spec);
    my ($count, $hosts) = ($asked->{slots} // ($spec->{count} || 1), hosts($spec));
    $count = $hosts if $hosts =~ /\A[0-9]+\z/ && $hosts > $count && ($spec->{job_type} // '') eq 'SINGLE';
    return _fault('INVALID_DESCRIPTION', 'hostCount', $hosts, 'hostCount is no number that PBS takes.', 'Give a number from 1 to ' . MAX_HOSTS . '.')
        unless $hosts =~ /\A[1-9][0-9]{0,5}\z/ && $hosts <= MAX_HOSTS;
    return _fault('INVALID_DESCRIPTION', 'hostCount', $hosts, "A job of $count processes cannot use $hosts hosts.", 'Give a hostCount that is not greater than count.')
        if $hosts > $count;
    # pbsdsh counts the processors of TORQUE, and would start all on the first host
    return Jobgate::Resources::cannot('threads_per_process', $asked->{threads_per_process}, 'TORQUE', 'it is for jobs on one host only')
        if $dialect->is_torque && $hosts > 1 && Jobgate::Resources::threads($spec) > 1 && processes($spec) > 1;
    my $each = int(($count + $hosts - 1) / $hosts);
    my $of_each = _of_each($spec, $dialect, $each, $hosts);
    my @chunks = $asked->{hosts} ? map { $dialect->is_torque ? "$_:$of_each" : "1:host=$_:$of_each" } @{ $asked->{hosts} } : "$hosts:$of_each";
    if ($dialect->is_torque) { $resources->{nodes} = join '+', @chunks }
    else                     { @$resources{qw(select wants_hosts)} = (join('+', @chunks), $hosts > 1) }
    $resources->{pmem} = "$asked->{memory_per_slot}mb" if $dialect->is_torque && defined $asked->{memory_per_slot};
    return;
}

sub _limits {
    my ($resources, $spec) = @_;
    my $wall = Jobgate::Starter::Launch::wall_limit($spec);
    $resources->{walltime} = _time($wall) if defined $wall;
    # PBS's limit is on all processes together, ours on each
    $resources->{cput} = _time($spec->{max_cpu_time} * processes($spec)) if defined $spec->{max_cpu_time};
    return;
}

sub _time {
    my ($seconds) = @_;
    die "not a number of seconds: $seconds\n" unless $seconds =~ /\A[0-9]{1,9}\z/;
    return sprintf '%02d:%02d:%02d', int($seconds / 3600), int($seconds / 60) % 60, $seconds % 60;
}

# The greater of what a process needs and what it is allowed, for all processes: the job's in TORQUE, a share of it in each chunk of OpenPBS.
sub _memory {
    my ($resources, $spec, $dialect) = @_;
    my ($most) = sort { $b <=> $a } grep { defined } @$spec{qw(max_memory_mib min_memory_mib)};
    my $whole = Jobgate::Resources::of($spec)->{memory};
    return unless defined $most || defined $whole;
    die "not a number: $most\n" unless ($most // 0) =~ /\A[0-9]{1,12}\z/;
    $most = ($most // 0) * processes($spec);
    $most = $whole if defined $whole && $whole > $most;
    return $resources->{mem} = "${most}mb" if $dialect->is_torque;
    my $select = $resources->{select} // return;
    return if $select =~ /mem=/;
    my $chunks = 0;
    $chunks += /\A([0-9]+)/ ? $1 : 1 for split /\+/, $select;
    my $share = int(($most + $chunks - 1) / ($chunks || 1));
    $resources->{select} = join '+', map { "$_:mem=${share}mb" } split /\+/, $select;
    return;
}

# Left to itself OpenPBS puts chunks that fit onto one host. Where the job or the site says how to place them, that holds.
sub _placement {
    my ($resources, $dialect) = @_;
    $resources->{place} //= 'scatter' if !$dialect->is_torque && delete $resources->{wants_hosts};
    delete $resources->{wants_hosts};
    return;
}

# --- extensions -------------------------------------------------------------------------------------------------------------------------

# nodes (a text as PBS takes it), resourceAllocationGroup, pbs name="..." (resources and attributes that the site allows).
sub _extensions {
    my ($words, $resources, $spec, $dialect, $settings) = @_;
    my @given = @{ $spec->{extensions} // [] };
    return _fault('LIMIT_EXCEEDED', 'extensions', '', 'The job has more than ' . MAX_EXTENSIONS . ' extensions.', 'Give fewer.') if @given > MAX_EXTENSIONS;
    my @groups;
    for my $extension (@given) {
        my $name = lc $extension->{name};
        my $fault = $name eq 'nodes' ? _nodes($resources, _trimmed($extension->{text}), $dialect)
            : $name eq 'resourceallocationgroup' ? _group(\@groups, $extension, $dialect)
            : $name eq 'pbs' || $name eq 'pbssubmit' ? _raw($words, $resources, $extension, $settings) : undef;
        return $fault if $fault;
    }
    return unless @groups;
    # a group counts hosts
    $resources->{wants_hosts} = @groups > 1 || $groups[0] =~ /\A(?!1:)/;
    return _nodes($resources, join('+', @groups), $dialect, 1);
}

sub _trimmed { my ($text) = @_; return ($text // '') =~ s/\A\s+|\s+\z//gr }

# The client's own text describes the whole placement; groups that we have made are not used.
sub _nodes {
    my ($resources, $value, $dialect, $is_ours) = @_;
    my $form = $dialect->is_torque ? $PART : $CHUNK;
    return _fault('INVALID_DESCRIPTION', 'nodes', $value, 'The nodes are not written as this PBS takes them.',
        $dialect->is_torque ? 'Write them like 2:ppn=4+1:big.' : 'Write them like 2:ncpus=4+1:host=big.')
        unless length $value <= MAX_VALUE && $value =~ /\A$form(?:\+$form)*\z/;
    $resources->{ $dialect->is_torque ? 'nodes' : 'select' } = $value;
    delete $resources->{wants_hosts} unless $is_ours;
    return;
}

# hostType and hostCount, or hostName (many); and cpusPerHost, or cpuCount of all hosts together (facts of GT 4.0.5's extension handling).
sub _group {
    my ($groups, $extension, $dialect) = @_;
    my %is;
    push @{ $is{ lc $_->{name} } }, _trimmed($_->{text}) for @{ $extension->{children} // [] };
    my ($type, $hosts, $names) = (($is{hosttype} // [])->[0], ($is{hostcount} // [1])->[0], $is{hostname});
    for my $number (grep { defined } $hosts, map { ($is{$_} // [])->[0] } qw(cpuspercount cpusperhost cpucount processcount processesperhost)) {
        return _group_fault($number) unless $number =~ /\A[1-9][0-9]{0,5}\z/;
    }
    for my $name (grep { defined } $type, @{ $names // [] }) { return _group_fault($name) unless $name =~ /\A[A-Za-z][A-Za-z0-9_.-]{0,127}\z/ }
    my $number = $names ? @$names : $hosts;
    my $all    = ($is{cpucount} // $is{processcount} // [])->[0];
    my $each   = ($is{cpusperhost} // $is{processesperhost} // [])->[0] // (defined $all ? int(($all + $number - 1) / $number) : 1);
    push @$groups, map { _host($_->[0], $_->[1], $type, $each, $dialect) } $names ? map { [ 1, $_ ] } @$names : [ $hosts, undef ];
    return;
}

sub _host {
    my ($count, $host, $type, $each, $dialect) = @_;
    return join ':', $host // $count, (defined $type ? $type : ()), "ppn=$each" if $dialect->is_torque;
    return join ':', $count, (defined $host ? "host=$host" : ()), (defined $type ? "arch=$type" : ()), "ncpus=$each", "mpiprocs=$each";
}

sub _group_fault {
    my ($value) = @_;
    return _fault('INVALID_DESCRIPTION', 'resourceAllocationGroup', $value, 'A resourceAllocationGroup holds something that is no name or number.',
        'Use names of letters, digits and ._-, and numbers from 1 on.');
}

# <pbs name="l:software">x</pbs> for a resource, <pbs name="W:depend">..</pbs> for an attribute.
sub _raw {
    my ($words, $resources, $extension, $settings) = @_;
    my ($name, $value) = (_trimmed($extension->{attributes}{name}), $extension->{text} // '');
    my $is_attribute = $name =~ s/\AW://;
    $name =~ s/\Al://;
    my %allowed = map { $_ => 1 } split /[\s,]+/, $settings->{ $is_attribute ? 'submit_attributes' : 'submit_resources' } // '';
    return _fault('UNSUPPORTED_FEATURE', 'pbs', $name, 'The ' . ($is_attribute ? 'attribute' : 'resource') . ' is not one that the site lets clients set.',
        'Leave it out, or ask the administrator to add it to ' . ($is_attribute ? 'submit_attributes' : 'submit_resources') . '.')
        unless $name =~ /\A[A-Za-z][A-Za-z0-9_]{0,63}\z/ && $allowed{$name};
    return _fault('INVALID_DESCRIPTION', 'pbs', $name, "The value of $name holds a character that PBS divides values at, or is too long.",
        'Give at most ' . MAX_VALUE . ' letters, digits and _.:+=@/-.') unless $value =~ /\A[A-Za-z0-9_.:+=\@\/-]{1,1024}\z/;
    if ($is_attribute) { push @$words, '-W', "$name=$value" }
    else               { $resources->{$name} = $value }
    return;
}

# --- refusals ----------------------------------------------------------------------------------------------------------------------------

# What qsub says where it blames the request; every other failure may pass (no server, a full queue, a queue that is closed for now).
my $REFUSAL = qr/Unknown\ queue|resource\ limits|Unknown\ resource|Illegal\ attribute\ or\ resource|illegal\ -\w\ value|Access\ to\ queue|Unauthorized\ Request
    |Invalid\ Account|Bad\ [UG]ID|Undefined\ attribute|does\ not\ allow|rejected\ by\ all\ possible|Wrong\ job\ type|node\(s\)\ specification|duplicated\ resource
    |cannot\ be\ used\ with|not\ in\ the\ list|rejected\ by\ (?:filter|hook)|administratively\ rejected|hook\ error|name\ is\ too\ long|invalid\ option
    |would\ exceed\ [^\n]*\ limit/xi;
# What OpenPBS's server answers for good, by the lowest byte of its error number; the words of a hook (32) are the site's, and any.
my %REFUSED = map { $_ => 1 } 4 .. 7, 12, 32, 38, 39, 69, 71;
# qsub's own words when it does not get as far as the server
my $NO_ANSWER = qr/errno=|cannot connect to server/i;

sub is_refusal {
    my ($said, $exit, $dialect) = @_;
    return 0 if $exit <= 0 || $said =~ $NO_ANSWER;
    return 1 if !$dialect->is_torque && $REFUSED{$exit};
    return $said !~ /Connection refused/i && $said =~ $REFUSAL;
}

# A queue that is full or closed is one that answers: other jobs have not to wait for it.
sub is_of_job { my ($said) = @_; return $said =~ /Queue is not enabled|Maximum number of jobs/i }

1;
