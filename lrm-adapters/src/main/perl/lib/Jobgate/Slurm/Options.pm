# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Slurm::Options;

# What a job asks for, as options of sbatch. Each is one word of a list that goes to exec; what a client wrote is in the value of an option only,
# and there only as a name, a number, or a line that the site allows.

use strict;
use warnings;

use Jobgate::Adapter         ();
use Jobgate::Resources       ();
use Jobgate::Starter::Launch ();

use constant { MAX_VALUE => 4096, MAX_EXTENSIONS => 64 };

# the gateway's own options, and those that make one submission many jobs or another kind of thing
my %RESERVED = map { $_ => 1 } qw(array batch begin-file bbf chdir clusters comment dependency-file error export export-file get-user-env gid help
    hold ignore-pbs input job-name kill-on-invalid-dep open-mode output parsable quiet test-only uid usage verbose version wait wrap);
my %GROUP_FIELDS = map { $_ => 1 } qw(hosttype hostcount hostname cpucount cpusperhost processcount processesperhost);

# (options, fault): a list, or an empty one and why Slurm is not given such a job. Settings: submit_options.
sub of {
    my ($spec, $settings) = @_;
    my %option;
    my $fault = _raw(\%option, $spec, $settings) // _job_type($spec) // _name(\%option, 'partition', 'queue', $spec) // _name(\%option, 'account', 'project', $spec)
        // _nodes(\%option, $spec) // _groups(\%option, $spec) // _memory($spec);
    return ([], $fault) if $fault;
    $option{ntasks} = _number(processes($spec));
    $option{nodes}  = _number($spec->{host_count}) if defined $spec->{host_count};
    my $wall = Jobgate::Starter::Launch::wall_limit($spec);
    # whole minutes; the launcher keeps the limit to the second
    $option{time} = int((_number($wall) + 59) / 60) if defined $wall;
    my ($memory) = sort { $b <=> $a } grep { defined } @$spec{qw(max_memory_mib min_memory_mib)};
    $option{mem} = _number($memory) . 'M' if defined $memory;
    _resources(\%option, $spec);
    return ([ map { length $option{$_} ? "--$_=$option{$_}" : "--$_" } sort keys %option ], undef);
}

# What Slurm has options for, each by the name of the resource (docs/reference/resources.md).
sub resources {
    return qw(slots slots_per_host threads_per_process whole_nodes gpus gpu_model memory_per_slot memory node_features hosts reservation mail);
}

my %PLAIN = (slots => 'ntasks', slots_per_host => 'ntasks-per-node', threads_per_process => 'cpus-per-task', reservation => 'reservation');
my %MAIL  = (STARTED => 'BEGIN', ENDED => 'END', FAILED => 'FAIL');

# Slurm takes memory by processor or by node, and not both.
sub _memory {
    my ($spec) = @_;
    my $asked = Jobgate::Resources::of($spec);
    return unless defined $asked->{memory_per_slot};
    my ($other) = grep { defined $asked->{$_} || defined $spec->{$_} } qw(memory max_memory_mib min_memory_mib);
    return unless defined $other;
    return Jobgate::Resources::wrong('memory_per_slot', $asked->{memory_per_slot}, 'the job asks for the memory of the whole, too, and Slurm takes one of them');
}

sub _resources {
    my ($option, $spec) = @_;
    my $asked = Jobgate::Resources::of($spec);
    for my $name (grep { defined $asked->{$_} } keys %PLAIN) { $option->{ $PLAIN{$name} } = $asked->{$name} }
    $option->{exclusive} = '' if $asked->{whole_nodes};
    $option->{gpus} = join ':', grep { defined } @$asked{qw(gpu_model gpus)} if defined $asked->{gpus};
    $option->{'mem-per-cpu'} = Jobgate::Resources::share($asked->{memory_per_slot}, Jobgate::Resources::threads($spec)) . 'M' if defined $asked->{memory_per_slot};
    $option->{mem} = Jobgate::Resources::share($asked->{memory}, $spec->{host_count} // 1) . 'M' if defined $asked->{memory};
    my @features = (defined $option->{constraint} ? $option->{constraint} : (), @{ $asked->{node_features} // [] });
    $option->{constraint} = join '&', @features if @features;
    @$option{qw(nodelist nodes)} = (join(',', @{ $asked->{hosts} }), scalar @{ $asked->{hosts} }) if $asked->{hosts};
    @$option{qw(mail-user mail-type)} = (join(',', @{ $asked->{mail} }), join ',', map { $MAIL{$_} } @{ $asked->{mail_on} // [] }) if $asked->{mail};
    return;
}

# The processes that Slurm gives room to.
sub processes {
    my ($spec) = @_;
    return ($spec->{job_type} // 'MULTIPLE') eq 'SINGLE' ? 1 : $spec->{count} || 1;
}

sub _number {
    my ($value) = @_;
    die "not a number: $value\n" unless $value =~ /\A[0-9]{1,12}\z/;
    return $value;
}

sub _fault {
    my ($code, $attribute, $value, $sentence, $remedy) = @_;
    return Jobgate::Adapter::fault($code, $sentence, $remedy, attribute => $attribute, value => $value);
}

sub _job_type {
    my ($spec) = @_;
    return if ($spec->{job_type} // '') ne 'CONDOR';
    return _fault('UNSUPPORTED_FEATURE', 'jobType', 'condor', 'A job of type condor cannot be run: this LRM is Slurm.', 'Ask for another job type, or choose another LRM.');
}

sub _name {
    my ($option, $name, $attribute, $spec) = @_;
    my $value = $spec->{$attribute} // return;
    return _fault('INVALID_DESCRIPTION', $attribute, $value, "The $attribute has a name that Slurm cannot have.", 'Use letters, digits and ._@-.')
        unless is_name($value);
    $option->{$name} = $value;
    return;
}

sub is_name { return $_[0] =~ /\A[A-Za-z0-9_][A-Za-z0-9_.\@-]{0,127}\z/ }

# --- extensions -------------------------------------------------------------------------------------------------------------------

sub _given {
    my ($spec, $name) = @_;
    return grep { lc $_->{name} eq lc $name } @{ $spec->{extensions} // [] };
}

# <sbatch name="qos">high</sbatch>: options that the site allows, by their long names.
sub _raw {
    my ($option, $spec, $settings) = @_;
    my %allowed = map { $_ => 1 } grep { /\A[a-z][a-z-]{0,63}\z/ && !$RESERVED{$_} } split /[\s,]+/, $settings->{submit_options} // '';
    my @given = _given($spec, 'sbatch');
    return _fault('LIMIT_EXCEEDED', 'sbatch', '', 'The job has more than ' . MAX_EXTENSIONS . ' options of sbatch.', 'Give fewer.') if @given > MAX_EXTENSIONS;
    for my $extension (@given) {
        my ($name, $value) = ($extension->{attributes}{name} // '', $extension->{text} // '');
        return _fault('UNSUPPORTED_FEATURE', 'sbatch', $name, 'The sbatch option ' . substr($name, 0, 64) . ' is not one that the site lets clients set.',
            'Leave it out, or ask the administrator to add it to submit_options.') unless $allowed{$name};
        return _fault('INVALID_DESCRIPTION', 'sbatch', $name, "The value of the sbatch option $name is more than one line or too long.",
            'Give one line of at most ' . MAX_VALUE . ' bytes.') if $value =~ /[\x00-\x1f\x7f]/ || length $value > MAX_VALUE;
        $option->{$name} = $value;
    }
    return;
}

# <nodes>2:ppn=4:fast</nodes> or <nodes>node1+node2</nodes>: the node string of PBS, as far as Slurm can say it.
sub _nodes {
    my ($option, $spec) = @_;
    my ($extension, $second) = _given($spec, 'nodes');
    return unless $extension;
    my $text = $extension->{text} // '';
    my $no = sub { _fault('INVALID_DESCRIPTION', 'nodes', $text, "The nodes cannot be said to Slurm: $_[0].", 'Write number[:ppn=number][:feature], or names of nodes with + between them.') };
    return $no->('there are two such elements') if $second;
    my @parts = split /\+/, $text, -1;
    return $no->('there are none') unless @parts;
    if ($parts[0] =~ /\A[0-9]/) {
        return $no->('parts of different kinds') if @parts > 1;
        my ($number, @rest) = split /:/, $parts[0], -1;
        return $no->("'$number' is no number") unless $number =~ /\A[1-9][0-9]{0,5}\z/;
        $option->{nodes} = $number;
        for my $word (@rest) {
            if    ($word =~ /\Appn=([1-9][0-9]{0,5})\z/) { $option->{'ntasks-per-node'} = $1 }
            elsif (is_name($word))                       { $option->{constraint} = defined $option->{constraint} ? "$option->{constraint}&$word" : $word }
            else                                         { return $no->("'$word' is no feature") }
        }
        return;
    }
    for my $part (@parts) { return $no->("'$part' is no name of a node") unless is_name($part) }
    @$option{qw(nodelist nodes)} = (join(',', @parts), scalar @parts);
    return;
}

# <resourceAllocationGroup> of GRAM4: hostType, hostCount or hostName, cpuCount or cpusPerHost, processCount or processesPerHost.
sub _groups {
    my ($option, $spec) = @_;
    my ($group, $second) = _given($spec, 'resourceAllocationGroup');
    return unless $group;
    my $no = sub { _fault($_[0], 'resourceAllocationGroup', $_[2] // '', "The resourceAllocationGroup cannot be said to Slurm: $_[1].", $_[3] // 'Correct it, or leave it out.') };
    return $no->('UNSUPPORTED_FEATURE', 'there is more than one', '', 'Give one group, or submit a multi-job.') if $second;
    my %has;
    for my $child (@{ $group->{children} // [] }) {
        my $name = lc $child->{name};
        return $no->('INVALID_DESCRIPTION', "it has no part $name", $name) unless $GROUP_FIELDS{$name};
        return $no->('INVALID_DESCRIPTION', "$name has the value '$child->{text}'", $child->{text})
            unless $name =~ /\Ahost(?:type|name)\z/ ? is_name($child->{text}) : $child->{text} =~ /\A[1-9][0-9]{0,5}\z/;
        push @{ $has{$name} }, $child->{text};
    }
    my $one = sub { return defined $has{ $_[0] } ? $has{ $_[0] }[0] : undef };
    @$option{qw(nodelist nodes)} = (join(',', @{ $has{hostname} }), scalar @{ $has{hostname} }) if $has{hostname};
    my %as = (hosttype => 'constraint', hostcount => 'nodes', cpusperhost => 'mincpus', processesperhost => 'ntasks-per-node');
    for my $name (keys %as) { $option->{ $as{$name} } = $one->($name) if defined $one->($name) }
    # CPUs in all, shared by the processes
    $option->{'cpus-per-task'} = int(($one->('cpucount') + processes($spec) - 1) / processes($spec)) if defined $one->('cpucount');
    return;
}

1;
