# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Sge::Submit;

# The arguments of qsub for one job. Of what the client wrote they hold only names and numbers of a checked form, and values of options
# that the site lists; qsub gets them as a list, without a shell.

use strict;
use warnings;

use Jobgate::Adapter         ();
use Jobgate::Resources       ();
use Jobgate::Starter::Launch ();

use constant {
    MAX_VALUE       => 1024,
    MAX_EXTENSIONS  => 64,
    MAX_HOSTS       => 64,
    LAUNCHER_MIB    => 48,        # the address space of the launcher beside the job's own
    CPU_GRACE       => 5,         # the process's own limit comes first
};

my $WORD = qr/\A[A-Za-z0-9_][A-Za-z0-9_.\@-]{0,127}\z/;
# the options of qsub that a site may list for its clients, with the number of their values; none of them names a file, a command or the tag
my %VALUES = (a => 1, A => 1, ar => 1, binding => 1, ckpt => 1, dc => 1, dl => 1, h => 0, hold_jid => 1, js => 1, l => 1, m => 1, M => 1,
    notify => 0, p => 1, R => 1, r => 1, soft => 0, hard => 0);

# (arguments, undef), or (undef, fault) for a job that this LRM does not take. Settings: see docs/internals/sge.md. What comes last is how Grid Engine calls the job.
sub arguments {
    my ($tag, $spec, $settings) = @_;
    my @options;
    my @checks = (\&_job_type, \&_queue, \&_project, \&_limits, \&_hosts, \&_parallel, \&_resources, \&_site_options);
    for my $check (@checks) {
        my $fault = $check->(\@options, $spec, $settings);
        return (undef, $fault) if $fault;
    }
    return ([ @options, '-terse', '-sync', 'n', called($tag) ], undef);
}

sub called       { my ($tag) = @_; return ('-N', "jg_$tag", '-ac', "JOBGATE_ID=$tag") }
# of so many jobs as one array
sub array_called { my ($array, $count) = @_; return ('-N', "jga_$array", '-ac', "JOBGATE_ARRAY=$array", '-t', "1-$count") }

# What follows the options: the launcher's words, which qsub takes as they are; no shell reads them, and no profile is run.
sub command {
    my ($spool, @launcher) = @_;
    die "the path $spool holds characters that the directory of a job of Grid Engine cannot have\n" unless $spool =~ m{\A/[A-Za-z0-9_./+\@,=-]*\z};
    return ('-b', 'y', '-shell', 'n', '-wd', $spool, '-i', '/dev/null', '-o', '/dev/null', '-e', '/dev/null', '-j', 'n', @launcher);
}

sub _fault {
    my ($code, $attribute, $value, $sentence, $remedy) = @_;
    return Jobgate::Adapter::fault($code, $sentence, $remedy, attribute => $attribute, value => substr $value // '', 0, 256);
}

sub _job_type {
    my ($options, $spec) = @_;
    return unless ($spec->{job_type} // '') eq 'CONDOR';
    return _fault('UNSUPPORTED_FEATURE', 'jobType', 'condor', 'A job of type condor cannot be run by Grid Engine.',
        'Ask for the job type single, multiple or mpi, or choose another LRM.');
}

sub _queue   { my ($options, $spec) = @_; return _named($options, $spec, 'queue',   '-q') }
sub _project { my ($options, $spec) = @_; return _named($options, $spec, 'project', '-P') }

sub _named {
    my ($options, $spec, $what, $option) = @_;
    my $value = $spec->{$what} // return;
    return _fault('INVALID_DESCRIPTION', $what, $value, "The $what has a name that Grid Engine cannot have.", 'Use letters, digits and ._@-.')
        unless $value =~ $WORD;
    push @$options, $option, $value;
    return;
}

# Each limit is asked for as the resource that the site says, or not at all where the site says none.
sub _limits {
    my ($options, $spec, $settings) = @_;
    my ($wall, $cpu, $most, $least) = (Jobgate::Starter::Launch::wall_limit($spec), @$spec{qw(max_cpu_time max_memory_mib min_memory_mib)});
    my $asked = Jobgate::Resources::of($spec);
    # Grid Engine counts it for each slot, of which one with threads has several
    my $parts = Jobgate::Resources::slots($spec) * Jobgate::Resources::threads($spec);
    ($least) = sort { $b <=> $a } grep { defined } $least, defined $asked->{memory_per_slot} ? Jobgate::Resources::share($asked->{memory_per_slot}, Jobgate::Resources::threads($spec)) : undef,
        defined $asked->{memory} ? Jobgate::Resources::share($asked->{memory}, $parts) : undef;
    my @asked = (
        [ wall_time_resource  => 'h_rt',     $wall ],
        [ cpu_time_resource   => 'h_cpu',    defined $cpu && $cpu + CPU_GRACE ],
        [ memory_resource     => 'h_vmem',   defined $most && $most + LAUNCHER_MIB, 'M' ],
        [ min_memory_resource => 'mem_free', $least, 'M' ],
    );
    for my $one (@asked) {
        my ($setting, $default, $value, $unit) = @$one;
        my $resource = $settings->{$setting} // $default;
        next if !$value || $resource eq 'none';
        die "the option $setting is not the name of a resource: $resource\n" unless $resource =~ /\A[A-Za-z_][A-Za-z0-9_.]{0,63}\z/;
        die "not a number: $value\n" unless $value =~ /\A[0-9]{1,12}\z/;
        push @$options, '-l', "$resource=$value" . ($unit // '');
    }
    return;
}

# --- hosts and slots ------------------------------------------------------------------------------------------------------------

sub _hosts {
    my ($options, $spec) = @_;
    my @groups = grep { lc $_->{name} eq 'resourceallocationgroup' } @{ $spec->{extensions} // [] };
    my @nodes  = grep { lc $_->{name} eq 'nodes' } @{ $spec->{extensions} // [] };
    my @names = @{ Jobgate::Resources::of($spec)->{hosts} // [] };
    for my $group (@groups) {
        my %said = _children($group);
        my @other = grep { $_ ne 'hostname' } keys %said;
        return _unsupported('resourceAllocationGroup', $other[0], 'Name hosts by hostName, or say how many by count and hostCount.') if @other;
        push @names, @{ $said{hostname} // [] };
    }
    for my $node (@nodes) { push @names, split /[+|,]/, $node->{text} // '' }
    return unless @names;
    return _fault('LIMIT_EXCEEDED', 'hostName', scalar @names, 'The job names more than ' . MAX_HOSTS . ' hosts.', 'Name fewer.') if @names > MAX_HOSTS;
    for my $name (@names) {
        return _fault('INVALID_DESCRIPTION', 'hostName', $name, 'This is not the name of a host; Grid Engine takes hosts by name only.',
            'Give names of hosts; say how many processes by count and hostCount.') unless $name =~ /\A[A-Za-z0-9][A-Za-z0-9.-]{0,252}\z/ && $name !~ /\A[0-9]+\z/;
    }
    push @$options, '-l', 'hostname=' . join '|', @names;
    return;
}

sub _children {
    my ($extension) = @_;
    my %said;
    push @{ $said{ lc $_->{name} } }, $_->{text} // '' for @{ $extension->{children} // [] };
    return %said;
}

sub _unsupported {
    my ($attribute, $value, $remedy) = @_;
    return _fault('UNSUPPORTED_FEATURE', $attribute, $value, "The $value of a $attribute cannot be given to Grid Engine.", $remedy);
}

# More than one slot is had through a parallel environment, which the site names for each way of asking.
sub _parallel {
    my ($options, $spec, $settings) = @_;
    my $is_mpi = ($spec->{job_type} // '') eq 'MPI';
    my $asked  = Jobgate::Resources::of($spec);
    my $slots  = Jobgate::Resources::slots($spec);
    my $hosts  = defined $asked->{slots_per_host} ? Jobgate::Resources::share($slots, $asked->{slots_per_host}) : $spec->{host_count};
    return Jobgate::Resources::wrong('slots_per_host', $asked->{slots_per_host}, "$slots slots cannot be shared out evenly by it")
        if defined $asked->{slots_per_host} && $slots % $asked->{slots_per_host};
    $slots *= Jobgate::Resources::threads($spec);
    return if $slots == 1 && !$is_mpi && ($hosts // 1) == 1;
    my $setting = defined $hosts && $hosts > 1 ? 'host_pe' : $is_mpi ? 'mpi_pe' : 'pe';
    return _no_environment('hostCount', $hosts, 'a job whose processes are on several hosts, but for type mpi') if $setting eq 'host_pe' && !$is_mpi;
    push @$options, '-v', _launcher_variable($settings->{mpiexec}) if $is_mpi && defined $settings->{mpiexec};
    my $name = $settings->{$setting} // return _no_environment($setting eq 'host_pe' ? ('hostCount', $hosts) : ('count', $slots),
        $is_mpi ? 'a job of type mpi' : 'a job of more than one process');
    if ($setting eq 'host_pe') {
        return _fault('INVALID_DESCRIPTION', 'hostCount', $hosts, "$slots processes cannot be spread evenly over $hosts hosts.",
            'Make count a multiple of hostCount.') if $slots % $hosts;
        my $each = $slots / $hosts;
        $name =~ s/\{each\}/$each/g;
    }
    die "the option $setting is not the name of a parallel environment: $name\n" unless $name =~ $WORD;
    push @$options, '-pe', $name, $slots;
    return;
}

# What Grid Engine gives: what the site has named a complex for, and what has an option of qsub (docs/reference/resources.md).
sub resources {
    my ($settings) = @_;
    my %needs = (whole_nodes => 'exclusive_resource', gpus => 'gpu_resource', node_features => 'node_features', slots => 'pe', threads_per_process => 'pe', slots_per_host => 'host_pe');
    my $has_memory = ($settings->{min_memory_resource} // '') ne 'none';
    return ((grep { defined $settings->{ $needs{$_} } } sort keys %needs), $has_memory ? qw(memory_per_slot memory) : (), qw(hosts architecture operating_system reservation mail));
}

my %MACHINE = (x86_64 => 'amd64', amd64 => 'amd64', aarch64 => 'arm64', arm64 => 'arm64', i686 => 'x86');
my %MAIL    = (STARTED => 'b', ENDED => 'e', FAILED => 'a');

sub _resources {
    my ($options, $spec, $settings) = @_;
    my $asked = Jobgate::Resources::of($spec);
    push @$options, '-l', _complex($settings, 'exclusive_resource') . '=true' if $asked->{whole_nodes};
    push @$options, '-l', _complex($settings, 'gpu_resource') . "=$asked->{gpus}" if defined $asked->{gpus};
    my %is_listed = map { $_ => 1 } split /[\s,]+/, $settings->{node_features} // '';
    for my $feature (@{ $asked->{node_features} // [] }) {
        return Jobgate::Resources::cannot('node_features', $feature, 'Grid Engine', 'the site has not listed it') unless $is_listed{$feature};
        push @$options, '-l', "$feature=true";
    }
    my $fault = _machine($options, $asked);
    return $fault if $fault;
    if (defined $asked->{reservation}) {
        return Jobgate::Resources::wrong('reservation', $asked->{reservation}, 'in Grid Engine it is a number') unless $asked->{reservation} =~ /\A[1-9][0-9]{0,17}\z/;
        push @$options, '-ar', $asked->{reservation};
    }
    push @$options, '-M', join(',', @{ $asked->{mail} }), '-m', join '', map { $MAIL{$_} } @{ $asked->{mail_on} // [] } if $asked->{mail};
    return;
}

# Grid Engine has one word for both: lx-amd64.
sub _machine {
    my ($options, $asked) = @_;
    my ($machine, $system) = @$asked{qw(architecture operating_system)};
    return unless defined $machine || defined $system;
    return Jobgate::Resources::cannot('operating_system', $system, 'Grid Engine', 'the gateway knows its word for Linux only') if defined $system && lc $system ne 'linux';
    my $word = defined $machine ? $MACHINE{ lc $machine } // return Jobgate::Resources::cannot('architecture', $machine, 'Grid Engine', 'the gateway does not know its word for it') : '*';
    push @$options, '-l', 'arch=' . (defined $system ? 'lx' : '*') . "-$word";
    return;
}

sub _complex {
    my ($settings, $setting) = @_;
    my $name = $settings->{$setting} // '';
    die "the option $setting is not the name of a resource: $name\n" unless $name =~ /\A[A-Za-z_][A-Za-z0-9_.]{0,63}\z/;
    return $name;
}

# How the job's launcher gets to know which MPI the site wants.
sub _launcher_variable {
    my ($path) = @_;
    die "the option mpiexec is not the path of a program: $path\n" unless $path =~ m{\A/[A-Za-z0-9_./+-]+\z};
    return "JOBGATE_MPIEXEC=$path";
}

sub _no_environment {
    my ($attribute, $value, $what) = @_;
    return _fault('UNSUPPORTED_FEATURE', $attribute, $value, "This LRM has no parallel environment for $what.",
        'Ask for one process, or ask the administrator to name a parallel environment in the configuration.');
}

# --- options of the site --------------------------------------------------------------------------------------------------------

# <sgesubmit name="option">value</sgesubmit>, for the options that the site lists in submit_options; -l only for the resources that it lists as
# "l:name".
sub _site_options {
    my ($options, $spec, $settings) = @_;
    my %allowed = map { $_ => 1 } grep { length } split /[\s,]+/, $settings->{submit_options} // '';
    for my $name (keys %allowed) { die "submit_options: $name is no option that can be left to clients\n" unless _may_be_listed($name) }
    my @given = grep { lc $_->{name} eq 'sgesubmit' } @{ $spec->{extensions} // [] };
    return _fault('LIMIT_EXCEEDED', 'sgesubmit', scalar @given, 'The job has more than ' . MAX_EXTENSIONS . ' submit options.', 'Give fewer.')
        if @given > MAX_EXTENSIONS;
    for my $extension (@given) {
        my ($name, $value) = ($extension->{attributes}{name} // '', $extension->{text} // '');
        $name =~ s/\A-//;
        my $fault = _site_option_fault($name, $value, \%allowed);
        return $fault if $fault;
        push @$options, "-$name", $VALUES{$name} ? $value : ();
    }
    return;
}

sub _may_be_listed {
    my ($name) = @_;
    return 1 if $name =~ /\Al:[A-Za-z_][A-Za-z0-9_.]{0,63}\z/;
    return $name ne 'l' && exists $VALUES{$name};
}

sub _site_option_fault {
    my ($name, $value, $allowed) = @_;
    my ($resource) = $name eq 'l' && $value =~ /\A([A-Za-z_][A-Za-z0-9_.]*)(?:[!<>=]|\z)/;
    my $is_listed  = $name eq 'l' ? defined $resource && $allowed->{"l:$resource"} : $allowed->{$name};
    return _fault('UNSUPPORTED_FEATURE', 'sgesubmit', $name, 'The submit option ' . substr($name, 0, 64) . ' is not one that the site lets clients set.',
        'Leave it out, or ask the administrator to add it to submit_options.') unless $is_listed;
    my $is_sound = $VALUES{$name} ? $value =~ /\A(?:[A-Za-z0-9_][\x21-\x7e]*|-[0-9]{1,9})\z/ && ($name ne 'l' || $value !~ /,/) : $value eq '';
    return if $is_sound && length $value <= MAX_VALUE;
    return _fault('INVALID_DESCRIPTION', 'sgesubmit', $name, "The value of the submit option $name is not one that it can have.",
        'Give one word of at most ' . MAX_VALUE . ' printable characters that begins with a letter or a digit, or a number, and one resource for each -l.');
}

1;
